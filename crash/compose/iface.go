package compose

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"dsd/schemas"
)

// Functions and interfaces.

// stub returns a function literal that returns the results that the node lists, call by call, and
// zero values otherwise.
func (w *writer) stub(n *schemas.Node, sig *types.Signature) string {
	if w.exact {
		w.lose(lostClosure)
	}
	s := w.funcHead(sig)
	if sig.Results().Len() == 0 {
		return s + " {}"
	}
	s += " {"
	returns := make([]string, len(n.Elems))
	same := true // every call returns the same
	for i := range n.Elems {
		returns[i] = "return " + w.results(&n.Elems[i].Value, sig.Results())
		same = same && n.Elems[i].Index == int64(i) && returns[i] == returns[0]
	}
	switch {
	case len(returns) == 0:
		return s + " return }"
	case same:
		return s + " " + returns[0] + " }"
	}
	calls := w.name("calls")
	w.emit("%s := 0", calls)
	s += fmt.Sprintf("\n%s++\nswitch %s {", calls, calls)
	for i, r := range returns {
		s += fmt.Sprintf("\ncase %d:\n%s", n.Elems[i].Index+1, r)
	}
	return s + "\n}\nreturn\n}"
}

// funcHead returns the head of a function literal, whose results have names.
func (w *writer) funcHead(sig *types.Signature) string {
	var params, results []string
	for i := range sig.Params().Len() {
		p := w.typ(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			p = "..." + strings.TrimPrefix(p, "[]")
		}
		params = append(params, p)
	}
	for i := range sig.Results().Len() {
		results = append(results, "_ "+w.typ(sig.Results().At(i).Type()))
	}
	s := "func(" + strings.Join(params, ", ") + ")"
	if len(results) > 0 {
		s += " (" + strings.Join(results, ", ") + ")"
	}
	return s
}

// zeroFunc returns a function literal that returns zero values.
func (w *writer) zeroFunc(sig *types.Signature) string {
	if sig.Results().Len() == 0 {
		return w.funcHead(sig) + " {}"
	}
	return w.funcHead(sig) + " { return }"
}

// results returns the operands of a return statement. Of several results, the node's fields are
// named 0, 1 and so on.
func (w *writer) results(n *schemas.Node, list *types.Tuple) string {
	if list.Len() == 1 {
		return w.value(n, list.At(0).Type(), true)
	}
	vals := make([]string, list.Len())
	for i := range vals {
		part := &schemas.Node{}
		for k := range n.Fields {
			if n.Fields[k].Name == strconv.Itoa(i) {
				part = &n.Fields[k].Node
			}
		}
		vals[i] = w.value(part, list.At(i).Type(), true)
	}
	return strings.Join(vals, ", ")
}

// iface returns an expression for a value of an interface type t.
func (w *writer) iface(n *schemas.Node, t types.Type) string {
	d := n.Dynamic
	switch {
	case d == nil:
		return "nil"
	case d.Type == n.Type: // any value but nil
		return w.known(t)
	}
	dt := w.tryType(d.Type)
	if dt == nil { // the test cannot name the type; perhaps any value will do
		w.replaced = d.Type
		return w.known(t)
	}
	w.implement(dt, t)
	if hidden(dt) {
		w.builtBy = schemas.ByLiteral
	}
	e := w.value(d, dt, false)
	if p, ok := dt.Underlying().(*types.Pointer); ok {
		if d.Ref == nil && d.Lit != "nil" {
			return "new(" + w.typ(p.Elem()) + ")"
		}
		if e == "nil" {
			return "(" + w.typ(dt) + ")(nil)"
		}
	} else if e == "nil" {
		return w.typ(dt) + "(nil)"
	}
	return w.named(e, dt)
}

// hidden reports whether a type, or the type that it points to, has an unexported name.
func hidden(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && !n.Obj().Exported()
}
