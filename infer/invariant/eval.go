package invariant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"dsd/schemas"
)

// A Condition is an invariant's expression, ready to be evaluated in samples.
type Condition struct {
	expr ast.Expr
	vars map[string][]int // the declared variables by name: one of the value, and one of its elements if it is a sequence
	decl []schemas.TraceVar
}

// NewCondition prepares an expression over the variables of a point. The error names what it mentions and the point does not have.
func NewCondition(expr string, vars []schemas.TraceVar) (*Condition, error) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expr, err)
	}
	c := &Condition{expr: e, vars: map[string][]int{}, decl: vars}
	for i, v := range vars {
		c.vars[v.Name] = append(c.vars[v.Name], i)
	}
	return c, nil
}

// Holds says whether the condition is true of a sample's values. One that reads what did not exist in the sample says nothing, and holds; an
// error tells what is not understood.
func (c *Condition) Holds(values []Value) (holds bool, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case absent:
			holds = true
		case notUnderstood:
			err = fmt.Errorf("%s is not understood", string(r))
		default:
			panic(r)
		}
	}()
	s := &sample{Condition: c, values: values, env: map[string]int64{}}
	return s.holds(c.expr), nil
}

// sample is one in which a condition is evaluated. What an expression comes to is an int64, float64, bool, textCode, refCode or *items.
type sample struct {
	*Condition
	values []Value
	env    map[string]int64 // what forall says
	old    bool             // variables are meant as they were at the entry
}

type (
	textCode      int64
	refCode       int64
	typeCode      int64
	absent        struct{}
	notUnderstood string
)

// variable is the value of a declared variable; ok is false if there is none of the name.
func (s *sample) variable(name string, elements bool) (any, bool) {
	list := s.vars[name]
	if before := s.vars["old("+name+")"]; s.old && len(before) > 0 {
		list = before
	}
	if len(list) == 0 && strings.HasPrefix(name, "old(") { // what cannot change is declared once
		list = s.vars[strings.TrimSuffix(name[len("old("):], ")")]
	}
	for _, i := range list {
		v, k := &s.values[i], kinds[s.decl[i].Rep]
		if (k == sequence) != elements {
			continue
		}
		if v.Missing {
			panic(absent{})
		}
		switch k {
		case sequence:
			if v.Odd {
				panic(absent{}) // too long to be known
			}
			return v.items, true
		case integer:
			if v.Odd {
				return textCode(v.Code), true
			}
			return v.Code, true
		case float:
			if v.Odd {
				panic(absent{})
			}
			return floatOf(v.Code), true
		case boolean:
			return v.Code != 0, true
		case text:
			return textCode(v.Code), true
		case dynamic:
			return typeCode(v.Code), true
		}
		return refCode(v.Code), true
	}
	return nil, false
}

func (s *sample) list(e ast.Expr) *items {
	if lit, ok := e.(*ast.CompositeLit); ok {
		it := &items{}
		for _, x := range lit.Elts {
			switch v := s.value(x).(type) {
			case int64:
				it.code = append(it.code, v)
			case float64:
				it.code = append(it.code, floatCode(v))
			case textCode:
				it.code = append(it.code, int64(v))
			case bool:
				it.code = append(it.code, map[bool]int64{true: 1}[v])
			default:
				panic(notUnderstood(types.ExprString(e)))
			}
		}
		return it
	}
	v, ok := s.variable(types.ExprString(e), true)
	if !ok {
		panic(notUnderstood(types.ExprString(e)))
	}
	return v.(*items)
}

// value evaluates an expression that is no condition.
func (s *sample) value(e ast.Expr) any {
	name := types.ExprString(e)
	if v, ok := s.variable(name, false); ok {
		return v
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		switch e.Kind {
		case token.INT:
			if n, err := strconv.ParseInt(e.Value, 0, 64); err == nil {
				return n
			}
			return textCode(hashOf([]byte(e.Value)))
		case token.FLOAT:
			f, _ := strconv.ParseFloat(e.Value, 64)
			return f
		case token.STRING:
			return textCode(hashOf([]byte(e.Value)))
		}
	case *ast.UnaryExpr:
		switch x := s.value(e.X).(type) {
		case int64:
			if e.Op == token.SUB {
				return -x
			}
		case float64:
			if e.Op == token.SUB {
				return -x
			}
		}
	case *ast.Ident:
		if e.Name == "nil" {
			return refCode(0)
		}
		if n, ok := s.env[e.Name]; ok {
			return n
		}
	case *ast.ParenExpr:
		return s.value(e.X)
	case *ast.IndexExpr:
		list, at := s.list(e.X), s.integer(e.Index)
		if at < 0 || at >= int64(len(list.code)) {
			panic(absent{})
		}
		return list.code[at]
	case *ast.BinaryExpr:
		return s.arithmetic(e.Op, s.integer(e.X), s.integer(e.Y))
	case *ast.CallExpr:
		return s.call(e)
	}
	panic(notUnderstood(name))
}

func (s *sample) integer(e ast.Expr) int64 {
	n, ok := s.value(e).(int64)
	if !ok {
		panic(notUnderstood(types.ExprString(e)))
	}
	return n
}

func (s *sample) arithmetic(op token.Token, x, y int64) int64 {
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.REM:
		if y == 0 {
			panic(absent{})
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
	panic(notUnderstood(op.String()))
}

func (s *sample) call(e *ast.CallExpr) any {
	name := types.ExprString(e.Fun)
	switch {
	case name == "old" && len(e.Args) == 1:
		defer func(was bool) { s.old = was }(s.old)
		s.old = true
		return s.value(e.Args[0])
	case name == "typeof" && len(e.Args) == 1:
		if t, ok := s.value(e.Args[0]).(typeCode); ok {
			return textCode(t)
		}
	case name == "len" && len(e.Args) == 1:
		return int64(len(s.list(e.Args[0]).code))
	case name == "sum" && len(e.Args) == 1:
		return s.list(e.Args[0]).sum(0).Code
	case len(e.Args) == 2:
		for _, f := range functions {
			if f.name == name {
				return f.of(s.integer(e.Args[0]), s.integer(e.Args[1]))
			}
		}
	}
	panic(notUnderstood(types.ExprString(e)))
}

// holds evaluates a condition.
func (s *sample) holds(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		if ok, known := s.predicate(types.ExprString(e.Fun), e.Args); known {
			return ok
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return !s.holds(e.X)
		}
	case *ast.ParenExpr:
		return s.holds(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return s.holds(e.X) && s.holds(e.Y)
		case token.LOR:
			return s.holds(e.X) || s.holds(e.Y)
		}
		if star, ok := e.X.(*ast.StarExpr); ok && types.ExprString(e.Y) == "old("+types.ExprString(star)+")" {
			return s.unchanged(types.ExprString(star.X))
		}
		if x, y, ok := s.texts(e); ok {
			return compareValues(int64(strings.Compare(x, y)), int64(0), e.Op)
		}
		return compareValues(s.value(e.X), s.value(e.Y), e.Op)
	}
	b, ok := s.value(e).(bool)
	if !ok {
		panic(notUnderstood(types.ExprString(e)))
	}
	return b
}

// texts are the two strings of which a condition asks the order.
func (s *sample) texts(e *ast.BinaryExpr) (x, y string, ok bool) {
	if e.Op == token.EQL || e.Op == token.NEQ {
		return "", "", false // whose codes tell
	}
	if _, ok := s.value(e.X).(textCode); !ok {
		return "", "", false
	}
	return s.text(e.X), s.text(e.Y), true
}

// text is the string that a variable is.
func (s *sample) text(e ast.Expr) string {
	list := s.vars[types.ExprString(e)]
	if len(list) == 0 {
		panic(notUnderstood(types.ExprString(e)))
	}
	v := &s.values[list[0]]
	str, err := strconv.Unquote(v.Text)
	if v.Missing || err != nil {
		panic(absent{})
	}
	return str
}

// unchanged says that all parts of a variable are what they were at the entry.
func (s *sample) unchanged(root string) bool {
	for i, v := range s.decl {
		now, old := strings.CutPrefix(v.Name, "old(")
		if now = strings.TrimSuffix(now, ")"); !old || !under(now, root) {
			continue
		}
		for j, w := range s.decl {
			if x, y := &s.values[i], &s.values[j]; w.Name == now && w.Rep == v.Rep && (x.Missing != y.Missing || x.Code != y.Code) {
				return false
			}
		}
	}
	return true
}

// compareValues relates two values; a literal takes the type of the other.
func compareValues(x, y any, op token.Token) bool {
	if n, ok := y.(int64); ok {
		if _, f := x.(float64); f {
			y = float64(n)
		}
	}
	if t, ok := x.(typeCode); ok {
		x = refCode(t)
	}
	if t, ok := y.(typeCode); ok {
		y = refCode(t)
	}
	c := 0
	switch x := x.(type) {
	case int64:
		if n, ok := y.(int64); ok {
			c = cmp.Compare(x, n)
		} else {
			c = 1 // a number beyond
		}
	case float64:
		f, ok := y.(float64)
		if !ok {
			panic(notUnderstood(fmt.Sprint(y)))
		}
		c = cmp.Compare(x, f)
	default:
		if x != y {
			c = 1
		}
	}
	switch op {
	case token.EQL:
		return c == 0
	case token.NEQ:
		return c != 0
	case token.LSS:
		return c < 0
	case token.LEQ:
		return c <= 0
	case token.GTR:
		return c > 0
	}
	return c >= 0
}

// predicate evaluates those that invariants have besides Go's.
func (s *sample) predicate(name string, args []ast.Expr) (holds, known bool) {
	lists := func() (a, b []int64) { return s.list(args[0]).code, s.list(args[1]).code }
	switch {
	case name == "distinct" && len(args) == 1:
		return !repeats(s.list(args[0]).code), true
	case len(args) != 2:
		return false, false
	}
	switch name {
	case "implies":
		return !s.holds(args[0]) || s.holds(args[1]), true
	case "strings.HasPrefix", "strings.HasSuffix":
		return s.affix(name, args), true
	case "forall":
		return s.forall(types.ExprString(args[0]), args[1]), true
	case "contains":
		switch x := s.value(args[1]).(type) {
		case int64:
			return slices.Contains(s.list(args[0]).code, x), true
		case textCode:
			return slices.Contains(s.list(args[0]).code, int64(x)), true
		}
	case "subset":
		a, b := lists()
		return subset(a, b), true
	case "subsequence":
		a, b := lists()
		return subsequence(a, b), true
	case "reverse":
		a, b := lists()
		c := slices.Clone(a)
		slices.Reverse(c)
		return slices.Equal(c, b), true
	case "slices.Equal":
		a, b := lists()
		return slices.Equal(a, b), true
	}
	return false, false
}

// affix evaluates a condition on how a string begins or ends.
func (s *sample) affix(name string, args []ast.Expr) bool {
	lit, ok := args[1].(*ast.BasicLit)
	if !ok {
		panic(notUnderstood(types.ExprString(args[1])))
	}
	str := s.text(args[0])
	part, err := strconv.Unquote(lit.Value)
	if err != nil {
		panic(notUnderstood(lit.Value))
	}
	if name == "strings.HasPrefix" {
		return strings.HasPrefix(str, part)
	}
	return strings.HasSuffix(str, part)
}

// forall evaluates a condition on all elements of the sequences that it indexes.
func (s *sample) forall(index string, cond ast.Expr) bool {
	n := 0
	ast.Inspect(cond, func(e ast.Node) bool {
		if x, ok := e.(*ast.IndexExpr); ok {
			n = max(n, len(s.list(x.X).code))
		}
		return true
	})
	for i := range n {
		s.env[index] = int64(i)
		if !s.at(cond) {
			return false
		}
	}
	delete(s.env, index)
	return true
}

// at evaluates a condition on elements, which holds where there are none.
func (s *sample) at(cond ast.Expr) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(absent); !is {
				panic(r)
			}
			ok = true
		}
	}()
	return s.holds(cond)
}

// Parse reads a value as the trace has it.
func Parse(v *schemas.TraceVar, s []byte) Value {
	if k := kinds[v.Rep]; k != sequence {
		return parse(k, s)
	}
	return ItemsValue(v.Rep, s)
}
