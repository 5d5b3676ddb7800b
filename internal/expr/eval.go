package expr

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"slices"
	"strings"
)

// ValueKind says what a Value is.
type ValueKind uint8

const (
	// Absent is no value: a pointer on the way was nil, an index out of range, or the value is
	// not known.
	Absent ValueKind = iota
	// IntValue is an integer of 64 bits in Int.
	IntValue
	// FloatValue is a number in Float.
	FloatValue
	// BoolValue is true if Int is not 0.
	BoolValue
	// TextValue is a string, or an integer without a representation in 64 bits. Equal strings
	// have equal codes in Int; Text is the string if Known.
	TextValue
	// RefValue is a pointer, slice, map, channel, function or dynamic type. Equal ones have
	// equal codes in Int; nil has 0.
	RefValue
	// ListValue is a slice in List.
	ListValue
)

// Value is the value of an expression.
type Value struct {
	Kind  ValueKind
	Int   int64
	Float float64
	// Known reports whether Text is the string.
	Known bool
	Text  string
	List  List64
}

// List64 is a slice of values of one kind.
type List64 struct {
	// Elem is the kind of the elements.
	Elem ValueKind
	// Codes has an integer per element: Value.Int, or Env.FloatCode of a number.
	Codes []int64
}

// Env gives the variables of an expression their values: those of a sample of a trace, or of an
// object graph.
type Env interface {
	// Lookup returns the value of the variable whose name is the text of an expression. old
	// asks for the value at the function's entry; where that cannot differ, it is the value
	// itself. list asks for the elements of a slice rather than for the slice as a reference.
	// known is false if there is no such variable.
	Lookup(name string, old, list bool) (v Value, known bool)
	// TextCode returns the code of a string constant, given as a Go literal; see TextValue.
	TextCode(literal string) int64
	// FloatCode returns the code of a number among the elements of a slice; equal numbers have
	// equal codes. FloatOf is its inverse.
	FloatCode(f float64) int64
	FloatOf(code int64) float64
	// Unchanged reports whether every observed part of the variable root is equal to what it
	// was at the entry.
	Unchanged(root string) bool
}

// A Condition is an expression prepared for evaluation. It is not safe for concurrent use.
type Condition struct {
	e     Expr
	texts map[Expr]string // by node: the name that Lookup is asked for
}

// NewCondition prepares the evaluation of e.
func NewCondition(e Expr) *Condition {
	c := &Condition{e, map[Expr]string{}}
	Walk(e, func(x Expr) bool {
		c.texts[x] = x.String()
		return true
	})
	return c
}

// Holds evaluates the condition. One that reads what does not exist - behind a nil pointer, or out
// of range - says nothing, and holds. Under forall that is decided for each index.
//
// The error names the part that cannot be evaluated: a variable that env does not know, or a
// function of values that are not what it wants.
func (c *Condition) Holds(env Env) (holds bool, err error) {
	holds, exists, err := c.Evaluate(env)
	return holds || !exists, err
}

// Evaluate evaluates the condition. exists is false if the condition reads what does not exist.
func (c *Condition) Evaluate(env Env) (holds, exists bool, err error) {
	exists = true
	defer func() {
		switch r := recover().(type) {
		case nil:
		case absent:
			holds, exists = false, false
		case notUnderstood:
			err = fmt.Errorf("%s is not understood", string(r))
		default:
			panic(r)
		}
	}()
	s := &evaluation{Condition: c, env: env}
	return s.holds(c.e), true, nil
}

// absent and notUnderstood unwind the evaluation.
type (
	absent        struct{}
	notUnderstood string
)

// evaluation is that of one Condition in one Env.
type evaluation struct {
	*Condition
	env   Env
	bound map[string]int64 // indices bound by forall
	old   bool             // inside old()
}

// holds evaluates a condition.
func (s *evaluation) holds(e Expr) bool {
	switch x := e.(type) {
	case *Implies:
		return !s.holds(x.If) || s.holds(x.Then)
	case *Forall:
		return s.forall(x)
	case *Call:
		if FunctionOf(x.Func).Condition && x.Func != "has" {
			return s.predicate(x)
		}
	case *Unary:
		if x.Op == token.NOT {
			return !s.holds(x.X)
		}
	case *Binary:
		switch {
		case x.Op == token.LAND:
			return s.holds(x.X) && s.holds(x.Y)
		case x.Op == token.LOR:
			return s.holds(x.X) || s.holds(x.Y)
		case IsComparison(x.Op):
			return s.compare(x)
		}
	}
	v := s.value(e)
	if v.Kind != BoolValue {
		panic(notUnderstood(s.name(e)))
	}
	return v.Int != 0
}

// name returns the text of a node.
func (s *evaluation) name(e Expr) string {
	if text, ok := s.texts[e]; ok {
		return text
	}
	return e.String()
}

// compare evaluates a comparison. *x == old(*x) asks for all parts of x that were observed.
func (s *evaluation) compare(e *Binary) bool {
	if d, ok := e.X.(*Deref); ok {
		if o, ok := e.Y.(*Old); ok && e.Op == token.EQL && Equal(d, o.X) {
			return s.env.Unchanged(s.name(d.X))
		}
	}
	x, y := s.value(e.X), s.value(e.Y)
	if x.Kind == TextValue && e.Op != token.EQL && e.Op != token.NEQ {
		if !x.Known || !y.Known {
			panic(absent{})
		}
		return ordered(strings.Compare(x.Text, y.Text), e.Op)
	}
	return compareValues(x, y, e.Op)
}

// compareValues relates two values; an integer constant beside a float is a float.
func compareValues(x, y Value, op token.Token) bool {
	if x.Kind == FloatValue && y.Kind == IntValue {
		y = Value{Kind: FloatValue, Float: float64(y.Int)}
	}
	c := 0
	switch x.Kind {
	case IntValue:
		if c = cmp.Compare(x.Int, y.Int); y.Kind != IntValue {
			c = -1 // 64 bits do not hold the other, which has no sign
		}
	case FloatValue:
		if y.Kind != FloatValue {
			panic(notUnderstood("a comparison with a number"))
		}
		c = cmp.Compare(x.Float, y.Float)
	default:
		if x.Kind != y.Kind || x.Int != y.Int {
			c = 1
		}
	}
	return ordered(c, op)
}

// ordered reports whether x op y, given the sign of x - y.
func ordered(sign int, op token.Token) bool {
	switch op {
	case token.EQL:
		return sign == 0
	case token.NEQ:
		return sign != 0
	case token.LSS:
		return sign < 0
	case token.LEQ:
		return sign <= 0
	case token.GTR:
		return sign > 0
	}
	return sign >= 0
}

// value evaluates an expression that is not a condition. A declared variable goes before what its
// name would compute: len(x) is declared where x is not.
func (s *evaluation) value(e Expr) Value {
	switch x := e.(type) {
	case *Const:
		return s.constant(x)
	case *Name:
		if n, ok := s.bound[x.Name]; ok {
			return Value{Kind: IntValue, Int: n}
		}
	}
	if v, ok := s.env.Lookup(s.name(e), s.old, false); ok {
		if v.Kind == Absent {
			panic(absent{})
		}
		return v
	}
	switch x := e.(type) {
	case *Old:
		defer func(was bool) { s.old = was }(s.old)
		s.old = true
		return s.value(x.X)
	case *Index:
		list, at := s.list(x.X), s.integer(x.I)
		if at < 0 || at >= int64(len(list.Codes)) {
			panic(absent{})
		}
		if list.Elem == FloatValue {
			return Value{Kind: FloatValue, Float: s.env.FloatOf(list.Codes[at])}
		}
		return Value{Kind: list.Elem, Int: list.Codes[at]}
	case *Unary:
		if v := s.value(x.X); x.Op == token.SUB && v.Kind == IntValue {
			return Value{Kind: IntValue, Int: -v.Int}
		} else if x.Op == token.SUB && v.Kind == FloatValue {
			return Value{Kind: FloatValue, Float: -v.Float}
		}
	case *Binary:
		return Value{Kind: IntValue, Int: s.arithmetic(x)}
	case *Call:
		return s.call(x)
	}
	panic(notUnderstood(s.name(e)))
}

func (s *evaluation) constant(c *Const) Value {
	switch {
	case c.Value == nil:
		return Value{Kind: RefValue}
	case c.Value.Kind() == constant.Bool:
		n := int64(0)
		if constant.BoolVal(c.Value) {
			n = 1
		}
		return Value{Kind: BoolValue, Int: n}
	case c.Value.Kind() == constant.String:
		return Value{Kind: TextValue, Int: s.env.TextCode(c.Text), Known: true,
			Text: constant.StringVal(c.Value)}
	case c.Value.Kind() == constant.Float:
		f, _ := constant.Float64Val(c.Value)
		return Value{Kind: FloatValue, Float: f}
	}
	if n, ok := constant.Int64Val(c.Value); ok {
		return Value{Kind: IntValue, Int: n}
	}
	return Value{Kind: TextValue, Int: s.env.TextCode(c.Text)}
}

func (s *evaluation) integer(e Expr) int64 {
	v := s.value(e)
	if v.Kind != IntValue {
		panic(notUnderstood(s.name(e)))
	}
	return v.Int
}

func (s *evaluation) arithmetic(e *Binary) int64 {
	x, y := s.integer(e.X), s.integer(e.Y)
	switch e.Op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.QUO, token.REM:
		switch {
		case y == 0:
			panic(absent{})
		case e.Op == token.QUO:
			return x / y
		}
		return x % y
	case token.AND:
		return x & y
	case token.OR:
		return x | y
	case token.XOR:
		return x ^ y
	case token.AND_NOT:
		return x &^ y
	}
	panic(notUnderstood(s.name(e)))
}

// call evaluates a function that computes a value.
func (s *evaluation) call(e *Call) Value {
	integer := func(n int64) Value { return Value{Kind: IntValue, Int: n} }
	switch e.Func {
	case "typeof":
		if v := s.value(e.Args[0]); v.Kind == RefValue {
			if v.Int == 0 {
				return v
			}
			return Value{Kind: TextValue, Int: v.Int}
		}
	case "len":
		list := s.list(e.Args[0])
		return integer(int64(len(list.Codes)))
	case "sum":
		list := s.list(e.Args[0])
		n := int64(0)
		for _, x := range list.Codes {
			n += x
		}
		return integer(n)
	case "min":
		return integer(min(s.integer(e.Args[0]), s.integer(e.Args[1])))
	case "max":
		return integer(max(s.integer(e.Args[0]), s.integer(e.Args[1])))
	case "gcd":
		return integer(GCD(s.integer(e.Args[0]), s.integer(e.Args[1])))
	}
	panic(notUnderstood(s.name(e)))
}

// GCD returns the greatest common divisor of two integers, which is not negative; 0 for two zeros.
func GCD(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	if x < 0 {
		return -x
	}
	return x
}

// list evaluates a slice.
func (s *evaluation) list(e Expr) List64 {
	if lit, ok := e.(*List); ok {
		var out List64
		for _, x := range lit.Elems {
			v := s.value(x)
			if v.Kind == IntValue && strings.HasPrefix(lit.Type, "[]float") {
				v = Value{Kind: FloatValue, Float: float64(v.Int)}
			}
			if out.Elem = v.Kind; v.Kind == FloatValue {
				v.Int = s.env.FloatCode(v.Float)
			}
			out.Codes = append(out.Codes, v.Int)
		}
		return out
	}
	v, ok := s.env.Lookup(s.name(e), s.old, true)
	if o, isOld := e.(*Old); !ok && isOld {
		v, ok = s.env.Lookup(s.name(o.X), true, true)
	}
	switch {
	case !ok || v.Kind != ListValue && v.Kind != Absent:
		panic(notUnderstood(s.name(e)))
	case v.Kind == Absent:
		panic(absent{})
	}
	return v.List
}

// predicate evaluates a function that is a condition.
func (s *evaluation) predicate(e *Call) bool {
	lists := func() (a, b []int64) {
		x, y := s.list(e.Args[0]), s.list(e.Args[1])
		return x.Codes, y.Codes
	}
	switch e.Func {
	case "distinct":
		return Distinct(s.list(e.Args[0]).Codes)
	case "contains":
		x := s.value(e.Args[1])
		list := s.list(e.Args[0])
		switch x.Kind {
		case IntValue, TextValue:
			return slices.Contains(list.Codes, x.Int)
		case FloatValue:
			return slices.Contains(list.Codes, s.env.FloatCode(x.Float))
		}
	case "subset":
		a, b := lists()
		return Subset(a, b)
	case "subsequence":
		a, b := lists()
		return Subsequence(a, b)
	case "reverse":
		a, b := lists()
		return Reverse(a, b)
	case "slices.Equal":
		a, b := lists()
		return slices.Equal(a, b)
	case "strings.HasPrefix", "strings.HasSuffix":
		part, ok := StringOf(e.Args[1])
		if !ok {
			panic(notUnderstood(s.name(e.Args[1])))
		}
		x := s.value(e.Args[0])
		switch {
		case x.Kind != TextValue:
			panic(notUnderstood(s.name(e.Args[0])))
		case !x.Known:
			panic(absent{})
		case e.Func == "strings.HasPrefix":
			return strings.HasPrefix(x.Text, part)
		}
		return strings.HasSuffix(x.Text, part)
	}
	panic(notUnderstood(s.name(e)))
}

// forall evaluates the body for each index of the longest slice that it indexes: where another one
// is shorter, the body says nothing.
func (s *evaluation) forall(e *Forall) bool {
	n := 0
	Walk(e.Body, func(x Expr) bool {
		if i, ok := x.(*Index); ok {
			n = max(n, len(s.list(i.X).Codes))
		}
		return true
	})
	if s.bound == nil {
		s.bound = map[string]int64{}
	}
	defer delete(s.bound, e.Var)
	for i := range n {
		s.bound[e.Var] = int64(i)
		if !s.holdsOrSaysNothing(e.Body) {
			return false
		}
	}
	return true
}

func (s *evaluation) holdsOrSaysNothing(e Expr) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(absent); !is {
				panic(r)
			}
			ok = true
		}
	}()
	return s.holds(e)
}
