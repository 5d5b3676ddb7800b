package assertion

import (
	"errors"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// errUnchanged and errConstant are the errors for invariants that no code can check.
var (
	errUnchanged = errors.New("it compares all that was observed at the entry and the exit")
	errConstant  = errors.New("it compares different calls")
)

// condition translates an invariant.
func (t *translator) condition(inv *schemas.Invariant) (code, error) {
	e, err := expr.Parse(inv.Expr)
	if err != nil {
		return code{}, err
	}
	return t.holds(e)
}

// violated returns a Go condition under which a condition exists and does not hold.
func (c code) violated() string { return and(c.exists, "!("+c.value+")") }

// and returns the conjunction of conditions; "" is true.
func and(conditions ...string) string {
	var out []string
	for _, c := range conditions {
		if c != "" {
			out = append(out, c)
		}
	}
	return strings.Join(out, " && ")
}

// unless returns the condition that a holds or b exists; "" if b always does.
func unless(a, b string) string {
	if b == "" {
		return ""
	}
	return fmt.Sprintf("(%s || %s)", a, b)
}

// holds translates a condition. As the evaluator does, the code asks only for what decides: it exists if
// the left side of && exists and is false, whatever the right one is.
func (t *translator) holds(e expr.Expr) (c code, err error) {
	switch x := e.(type) {
	case *expr.Implies:
		return t.both(x.If, x.Then, func(a, b code) code {
			return code{boolKind, and(a.exists, unless("!("+a.value+")", b.exists)),
				fmt.Sprintf("(!(%s) || (%s))", a.value, b.value)}
		})
	case *expr.Forall:
		return t.forall(x)
	case *expr.Call:
		if expr.FunctionOf(x.Func).Condition && x.Func != "has" {
			return t.predicate(x)
		}
	case *expr.Unary:
		if x.Op == token.NOT {
			c, err = t.holds(x.X)
			c.value = "!(" + c.value + ")"
			return c, err
		}
	case *expr.Binary:
		switch {
		case x.Op == token.LAND:
			return t.both(x.X, x.Y, func(a, b code) code {
				return code{boolKind, and(a.exists, unless("!("+a.value+")", b.exists)),
					fmt.Sprintf("((%s) && (%s))", a.value, b.value)}
			})
		case x.Op == token.LOR:
			return t.both(x.X, x.Y, func(a, b code) code {
				return code{boolKind, and(a.exists, unless("("+a.value+")", b.exists)),
					fmt.Sprintf("((%s) || (%s))", a.value, b.value)}
			})
		case expr.IsComparison(x.Op):
			return t.compare(x)
		}
	}
	if c, err = t.value(e); err == nil && c.kind != boolKind {
		err = notTranslated(e)
	}
	return c, err
}

// both translates two conditions, and combines them.
func (t *translator) both(x, y expr.Expr, combine func(a, b code) code) (code, error) {
	a, err := t.holds(x)
	if err != nil {
		return code{}, err
	}
	b, err := t.holds(y)
	if err != nil {
		return code{}, err
	}
	return combine(a, b), nil
}

// compare translates a comparison.
func (t *translator) compare(e *expr.Binary) (code, error) {
	if d, ok := e.X.(*expr.Deref); ok {
		if o, ok := e.Y.(*expr.Old); ok && expr.Equal(d, o.X) {
			return code{}, errUnchanged
		}
	}
	x, err := t.value(e.X)
	if err != nil {
		return code{}, err
	}
	y, err := t.value(e.Y)
	if err != nil {
		return code{}, err
	}
	if x.kind == nilKind {
		x, y = y, x
	}
	if c, ok := e.Y.(*expr.Const); ok && x.kind == floatKind && y.kind == intKind {
		y = code{kind: floatKind, value: c.Text}
	}
	exists := and(x.exists, y.exists)
	text := func(x, y string) code { return code{boolKind, exists, fmt.Sprintf("%s %s %s", x, e.Op, y)} }
	equality := e.Op == token.EQL || e.Op == token.NEQ
	switch {
	case y.kind == nilKind && x.kind == addrKind && equality:
		return text(x.value, "0"), nil
	case y.kind == nilKind && x.kind == typeKind && equality:
		return text(x.value, `""`), nil
	case y.kind == nilKind && x.kind == refKind && equality:
		return text(x.value, "false"), nil
	case x.kind == floatKind && y.kind == floatKind:
		return text(fmt.Sprintf("%s.CompareFloats(%s, %s)", checkName, x.value, y.value), "0"), nil
	case x.kind == typeKind && (y.kind == textKind || y.kind == typeKind) && equality,
		x.kind == y.kind && (x.kind == boolKind || x.kind == addrKind) && equality,
		x.kind == y.kind && (x.kind == intKind || x.kind == textKind):
		return text(x.value, y.value), nil
	}
	return code{}, notTranslated(e)
}

// value translates an expression that is not a condition.
func (t *translator) value(e expr.Expr) (code, error) {
	switch x := e.(type) {
	case *expr.Const:
		return constantOf(x)
	case *expr.Name:
		if t.bound[x.Name] {
			return code{intKind, "", prefix + "i"}, nil
		}
		return t.leaf(x.String(), x, scalar)
	case *expr.Sel, *expr.Deref:
		return t.leaf(x.String(), x, scalar)
	case *expr.Old:
		defer func(was bool) { t.old = was }(t.old)
		t.old = true
		return t.value(x.X)
	case *expr.Index:
		return t.index(x)
	case *expr.Unary:
		c, err := t.value(x.X)
		if err == nil && (x.Op != token.SUB || c.kind != intKind && c.kind != floatKind) {
			err = notTranslated(e)
		}
		c.value = "-(" + c.value + ")"
		return c, err
	case *expr.Binary:
		return t.arithmetic(x)
	case *expr.Call:
		return t.call(x)
	}
	return code{}, notTranslated(e)
}

// constantOf translates a constant.
func constantOf(c *expr.Const) (code, error) {
	switch {
	case c.Value == nil:
		return code{kind: nilKind}, nil
	case c.Value.Kind() == constant.Bool:
		return code{kind: boolKind, value: c.Text}, nil
	case c.Value.Kind() == constant.String:
		return code{kind: textKind, value: strconv.Quote(constant.StringVal(c.Value))}, nil
	case c.Value.Kind() == constant.Float:
		return code{kind: floatKind, value: "float64(" + c.Text + ")"}, nil
	}
	n, exact := constant.Int64Val(c.Value)
	if !exact {
		return code{}, fmt.Errorf("%s needs more than 64 bits", c.Text)
	}
	return code{kind: intKind, value: fmt.Sprintf("int64(%d)", n)}, nil
}

// integers translates operands that must be integers.
func (t *translator) integers(list ...expr.Expr) (out []code, err error) {
	for _, e := range list {
		c, err := t.value(e)
		if err != nil {
			return nil, err
		}
		if c.kind != intKind {
			return nil, notTranslated(e)
		}
		out = append(out, c)
	}
	return out, nil
}

func (t *translator) arithmetic(e *expr.Binary) (code, error) {
	ops, err := t.integers(e.X, e.Y)
	if err != nil {
		return code{}, err
	}
	x, y := ops[0], ops[1]
	exists := and(x.exists, y.exists)
	switch e.Op {
	case token.QUO, token.REM:
		if c, ok := e.Y.(*expr.Const); !ok || constant.Sign(c.Value) == 0 {
			exists = and(exists, "("+y.value+") != 0")
		}
	case token.SHL, token.SHR:
		return code{}, notTranslated(e)
	}
	return code{intKind, exists, fmt.Sprintf("(%s) %s (%s)", x.value, e.Op, y.value)}, nil
}

// call translates a function that computes a value.
func (t *translator) call(e *expr.Call) (code, error) {
	switch e.Func {
	case "len", "cap":
		return t.leaf(e.String(), e.Args[0], func(p *place) (kind, string, error) {
			return intKind, "int64(" + e.Func + "(" + p.text + "))", nil
		})
	case "typeof":
		return t.leaf(e.String(), e.Args[0], func(p *place) (kind, string, error) {
			return typeKind, checkName + ".Type(" + p.text + ")", nil
		})
	case "has":
		return t.has(e)
	case "sum":
		list, err := t.list(e.Args[0])
		if err == nil && list.kind != intsKind {
			err = notTranslated(e)
		}
		return code{intKind, list.exists, fmt.Sprintf("%s.Sum(%s)", checkName, list.value)}, err
	case "min", "max", "gcd":
		ops, err := t.integers(e.Args...)
		if err != nil {
			return code{}, err
		}
		name := map[string]string{"min": "Min", "max": "Max", "gcd": "GCD"}[e.Func]
		return code{intKind, and(ops[0].exists, ops[1].exists),
			fmt.Sprintf("%s.%s(%s, %s)", checkName, name, ops[0].value, ops[1].value)}, nil
	}
	return code{}, notTranslated(e)
}

// has translates the question whether a map, which must not be nil, has a key.
func (t *translator) has(e *expr.Call) (code, error) {
	key, err := t.place(e.Args[1])
	if err != nil || key.opened > 0 {
		return code{}, notTranslated(e)
	}
	if _, ok := key.typ.Underlying().(*types.Basic); !ok { // an interface may hold what is no key
		return code{}, notTranslated(e)
	}
	return t.leaf(e.String(), e.Args[0], func(p *place) (kind, string, error) {
		p.open += fmt.Sprintf("if %s != nil { _, %sk := %s[%s]; ", p.text, prefix, p.text, key.text)
		p.opened++
		return boolKind, prefix + "k", nil
	})
}

// list translates an expression whose elements are asked for.
func (t *translator) list(e expr.Expr) (code, error) {
	switch x := e.(type) {
	case *expr.Old:
		defer func(was bool) { t.old = was }(t.old)
		t.old = true
		return t.list(x.X)
	case *expr.List:
		return literal(x)
	}
	return t.leaf(e.String()+asList, e, sequence)
}

// literal translates a slice literal.
func literal(e *expr.List) (code, error) {
	var texts []string
	elem := intKind
	for _, x := range e.Elems {
		c, ok := x.(*expr.Const)
		if !ok {
			return code{}, notTranslated(e)
		}
		v, err := constantOf(c)
		if err != nil {
			return code{}, err
		}
		elem = v.kind
		texts = append(texts, c.Text)
	}
	if strings.HasPrefix(e.Type, "[]float") {
		elem = floatKind
	} else if strings.HasPrefix(e.Type, "[]string") {
		elem = textKind
	}
	for k, of := range elemOf {
		if of == elem && k != addrsKind {
			return code{k, "", goTypes[k] + "{" + strings.Join(texts, ", ") + "}"}, nil
		}
	}
	return code{}, notTranslated(e)
}

// index translates an element of a list.
func (t *translator) index(e *expr.Index) (code, error) {
	list, err := t.list(e.X)
	if err != nil {
		return code{}, err
	}
	at, err := t.integers(e.I)
	if err != nil {
		return code{}, err
	}
	i := at[0]
	in := fmt.Sprintf("%[1]s >= 0 && %[1]s < int64(len(%[2]s))", "("+i.value+")", list.value)
	return code{elemOf[list.kind], and(list.exists, i.exists, in), fmt.Sprintf("%s[%s]", list.value, i.value)}, nil
}

// predicate translates a function that is a condition.
func (t *translator) predicate(e *expr.Call) (code, error) {
	names := map[string]string{"subset": "Subset", "subsequence": "Subsequence", "reverse": "Reverse",
		"slices.Equal": "Equal"}
	switch e.Func {
	case "constant":
		return code{}, errConstant
	case "strings.HasPrefix", "strings.HasSuffix":
		part, ok := expr.StringOf(e.Args[1])
		x, err := t.value(e.Args[0])
		if err == nil && (!ok || x.kind != textKind) {
			err = notTranslated(e)
		}
		// Slicing needs no import.
		q := strconv.Quote(part)
		side := fmt.Sprintf("%s[:%d]", x.value, len(part))
		if e.Func == "strings.HasSuffix" {
			side = fmt.Sprintf("%[1]s[len(%[1]s)-%[2]d:]", x.value, len(part))
		}
		return code{boolKind, x.exists, fmt.Sprintf("(len(%s) >= %d && %s == %s)", x.value, len(part), side, q)}, err
	}
	a, err := t.list(e.Args[0])
	if err != nil {
		return code{}, err
	}
	if e.Func == "distinct" {
		return code{boolKind, a.exists, fmt.Sprintf("%s.Distinct(%s)", checkName, a.value)}, nil
	}
	var b code
	if e.Func == "contains" {
		if b, err = t.value(e.Args[1]); err != nil {
			return code{}, err
		}
		if b.kind != elemOf[a.kind] || b.kind == addrKind {
			return code{}, notTranslated(e)
		}
		b.value = goTypes[a.kind] + "{" + b.value + "}"
		return code{boolKind, and(a.exists, b.exists),
			fmt.Sprintf("%s.Subset(%s, %s)", checkName, b.value, a.value)}, nil
	}
	if b, err = t.list(e.Args[1]); err != nil {
		return code{}, err
	}
	if names[e.Func] == "" || a.kind != b.kind {
		return code{}, notTranslated(e)
	}
	return code{boolKind, and(a.exists, b.exists),
		fmt.Sprintf("%s.%s(%s, %s)", checkName, names[e.Func], a.value, b.value)}, nil
}

// forall translates a condition on each index of the longest list that its body indexes.
func (t *translator) forall(e *expr.Forall) (code, error) {
	if len(t.bound) > 0 {
		return code{}, notTranslated(e)
	}
	var exists, lengths []string
	var failed error
	expr.Walk(e.Body, func(x expr.Expr) bool {
		i, ok := x.(*expr.Index)
		if !ok {
			return true
		}
		list, err := t.list(i.X)
		if err != nil {
			failed = err
			return false
		}
		exists = append(exists, list.exists)
		lengths = append(lengths, "len("+list.value+")")
		return true
	})
	if failed != nil || lengths == nil {
		return code{}, errors.Join(failed, notTranslated(e))
	}
	t.bound[e.Var] = true
	defer delete(t.bound, e.Var)
	body, err := t.holds(e.Body)
	if err != nil {
		return code{}, err
	}
	return code{boolKind, and(exists...), fmt.Sprintf("%[1]s.All(%[1]s.Longest(%[2]s), func(%[3]si int64) bool { return !(%[4]s) })",
		checkName, strings.Join(lengths, ", "), prefix, body.violated())}, nil
}
