// Package graph evaluates expressions of invariants over Go values: those of a counterexample or
// of a recorded call, which documents hold as object graphs.
//
// In: a schemas.Counterexample and a condition over its receiver, parameters and package-level
// variables. Out: whether the condition holds. What the graph does not constrain is absent, so a
// condition on it says nothing; see expr.Condition. Not handled: old(x), since a graph has one
// state; keys of maps; floating-point values other than finite literals.
package graph

import (
	"go/constant"
	"hash/maphash"
	"math"
	"strconv"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Holds evaluates a condition over the inputs of a counterexample. The error names what the
// condition mentions that the inputs do not have.
func Holds(c *expr.Condition, inputs *schemas.Counterexample) (bool, error) {
	return c.Holds(&env{inputs})
}

// env implements expr.Env.
type env struct{ inputs *schemas.Counterexample }

// Lookup implements expr.Env. The entry is the only state there is.
func (v *env) Lookup(name string, _, list bool) (val expr.Value, known bool) {
	e := expr.Var(name)
	if call, ok := e.(*expr.Call); ok && call.Func == "len" && !list {
		n, ok := v.node(call.Args[0])
		if !ok {
			return val, false
		}
		return length(n), true
	}
	n, ok := v.node(e)
	switch {
	case !ok:
		return val, false
	case n == nil:
		return expr.Value{}, true
	case list:
		return v.elements(n), true
	}
	return v.value(n), true
}

// node returns the node of a variable, a field, a dereference or an element with a constant index;
// nil if the graph does not constrain it. ok is false if e is anything else, or not an input.
func (v *env) node(e expr.Expr) (n *schemas.Node, ok bool) {
	switch e := e.(type) {
	case *expr.Name:
		return v.input(e.Name)
	case *expr.Old:
		return v.node(e.X)
	case *expr.Deref:
		n, ok := v.node(e.X)
		return v.target(n), ok
	case *expr.Sel:
		n, ok := v.node(e.X)
		if n != nil && n.Ref != nil {
			n = v.target(n)
		}
		return field(n, e.Field), ok
	}
	return nil, false
}

// input returns the receiver, the parameter or the package-level variable of that name.
func (v *env) input(name string) (n *schemas.Node, ok bool) {
	if r := v.inputs.Receiver; r != nil && r.Name == name {
		return &r.Node, true
	}
	for i := range v.inputs.Params {
		if p := &v.inputs.Params[i]; p.Name == name {
			return &p.Node, true
		}
	}
	for i := range v.inputs.Globals {
		if g := &v.inputs.Globals[i]; strings.HasSuffix(g.Name, "."+name) {
			return &g.Node, true
		}
	}
	return nil, false
}

// target returns the object that a pointer points to; nil if it points to none that is known.
func (v *env) target(n *schemas.Node) *schemas.Node {
	if n == nil || n.Ref == nil || n.Path != "" {
		return nil
	}
	return &v.inputs.Objects[*n.Ref]
}

func field(n *schemas.Node, name string) *schemas.Node {
	if n == nil {
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i].Node
		}
	}
	return nil
}

// length returns len of a slice or string; absent if it is not known.
func length(n *schemas.Node) expr.Value {
	switch {
	case n == nil:
	case n.Lit == "nil":
		return expr.Value{Kind: expr.IntValue}
	case n.Len != nil:
		return expr.Value{Kind: expr.IntValue, Int: *n.Len}
	case strings.HasPrefix(n.Lit, `"`):
		if s, err := strconv.Unquote(n.Lit); err == nil {
			return expr.Value{Kind: expr.IntValue, Int: int64(len(s))}
		}
	}
	return expr.Value{}
}

// elements returns the elements of a slice, if all of them are known integers, bools or strings.
func (v *env) elements(n *schemas.Node) expr.Value {
	size := length(n)
	if size.Kind == expr.Absent {
		return size
	}
	out := expr.Value{Kind: expr.ListValue}
	var elems []schemas.Elem
	if array := v.target(n); array != nil {
		elems = array.Elems
	}
	if int64(len(elems)) != size.Int {
		return expr.Value{}
	}
	for i := range elems {
		x := v.value(&elems[i].Value)
		if x.Kind == expr.Absent || x.Kind == expr.FloatValue {
			return expr.Value{}
		}
		out.List.Elem = x.Kind
		out.List.Codes = append(out.List.Codes, x.Int)
	}
	return out
}

// value returns the value of a node: a literal, or a reference.
func (v *env) value(n *schemas.Node) expr.Value {
	switch {
	case n.Ref != nil: // objects are numbered from 0, and nil has the code 0
		return expr.Value{Kind: expr.RefValue, Int: int64(*n.Ref) + 1}
	case n.Dynamic != nil:
		return expr.Value{Kind: expr.RefValue, Int: v.TextCode(strconv.Quote(n.Dynamic.Type))}
	case n.Lit == "":
		return expr.Value{}
	}
	c, ok := expr.Literal(n.Lit).(*expr.Const)
	switch {
	case !ok:
		return expr.Value{}
	case c.Value == nil:
		return expr.Value{Kind: expr.RefValue}
	case c.Value.Kind() == constant.Bool:
		if constant.BoolVal(c.Value) {
			return expr.Value{Kind: expr.BoolValue, Int: 1}
		}
		return expr.Value{Kind: expr.BoolValue}
	case c.Value.Kind() == constant.String:
		return expr.Value{Kind: expr.TextValue, Int: v.TextCode(c.Text), Known: true,
			Text: constant.StringVal(c.Value)}
	case n.Type == "float64" || n.Type == "float32" || c.Value.Kind() == constant.Float:
		f, _ := constant.Float64Val(constant.ToFloat(c.Value))
		return expr.Value{Kind: expr.FloatValue, Float: f}
	}
	if i, ok := constant.Int64Val(c.Value); ok {
		return expr.Value{Kind: expr.IntValue, Int: i}
	}
	return expr.Value{Kind: expr.TextValue, Int: v.TextCode(c.Text)}
}

var seed = maphash.MakeSeed()

// TextCode implements expr.Env.
func (v *env) TextCode(literal string) int64 {
	c, ok := expr.Literal(literal).(*expr.Const)
	if ok && c.Value != nil && c.Value.Kind() == constant.String { // however it is quoted
		literal = strconv.Quote(constant.StringVal(c.Value))
	}
	return int64(maphash.String(seed, literal) | 1) // never that of nil
}

// FloatCode and FloatOf implement expr.Env.
func (v *env) FloatCode(f float64) int64  { return int64(math.Float64bits(f)) }
func (v *env) FloatOf(code int64) float64 { return math.Float64frombits(uint64(code)) }

// Unchanged implements expr.Env: a graph has one state.
func (v *env) Unchanged(string) bool { return true }
