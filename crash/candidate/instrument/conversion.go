package instrument

import (
	"go/ast"
	"go/types"

	"dsd/crash/gofile"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// A type assertion fails for the dynamic type of a value, which is another function's doing:
//
//	value, ok = parseNumber(r) // value is an any, and parseNumber returns a float64
//
// The line of the assertion may be easy to reach, and nothing there says how near the value is to one of the type in the
// panic's message. So the blocks in which a value of that type becomes that of an interface are steps on the way, whenever
// they run: a candidate that went through one, and to the line, is nearer than one that went to the line only.

// maxConversions is the number of such blocks from which on they say little, and are no steps.
const maxConversions = 16

// conversions returns the blocks of packages, as cover marks them, in which a value of the type becomes that of an
// interface, as far as the syntax shows; none if there are too many. The type is written as the runtime prints it.
func conversions(packages []*source.Package, typ string) map[ast.Node]bool {
	out := map[ast.Node]bool{}
	for _, p := range packages {
		if p.Cgo {
			continue
		}
		for _, f := range p.Funcs() {
			if f.Decl.Body == nil || restricted(f.Decl) {
				continue
			}
			c := converter{info: p.Info, typ: typ, blocks: out}
			c.function(f.Obj.Type().(*types.Signature), f.Decl.Body)
		}
	}
	if len(out) > maxConversions {
		return nil
	}
	return out
}

// converter finds the conversions in a function.
type converter struct {
	info   *types.Info
	typ    string
	blocks map[ast.Node]bool // found so far
}

// function finds the conversions in a body of a function with a signature.
func (c *converter) function(sig *types.Signature, body *ast.BlockStmt) {
	var around []ast.Node // the nodes around the next one, outermost first
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if lit, ok := n.(*ast.FuncLit); ok {
			if s, ok := c.info.TypeOf(lit).(*types.Signature); ok {
				c.function(s, lit.Body)
			}
			return false
		}
		around = append(around, n)
		if c.converts(n, sig) {
			c.blocks[block(around)] = true
		}
		return true
	})
}

// block returns the innermost block, or clause of a switch or select, of nodes.
func block(around []ast.Node) ast.Node {
	for i := len(around) - 1; i > 0; i-- {
		switch around[i].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			return around[i]
		}
	}
	return around[0]
}

// converts reports whether a node itself converts a value of the type, in a function with a signature.
func (c *converter) converts(n ast.Node, sig *types.Signature) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		var to []types.Type
		for _, x := range n.Lhs {
			to = append(to, c.info.TypeOf(x))
		}
		return c.assigns(n.Rhs, to)
	case *ast.ValueSpec:
		if n.Type == nil {
			return false
		}
		return c.assigns(n.Values, repeated(c.info.TypeOf(n.Type), len(n.Names)))
	case *ast.ReturnStmt:
		return c.assigns(n.Results, tuple(sig.Results()))
	case *ast.SendStmt:
		if t := c.info.TypeOf(n.Chan); t != nil {
			if ch, ok := t.Underlying().(*types.Chan); ok {
				return c.assigns([]ast.Expr{n.Value}, []types.Type{ch.Elem()})
			}
		}
	case *ast.CompositeLit:
		return c.literal(n)
	case *ast.CallExpr:
		return c.call(n)
	}
	return false
}

// call reports whether a call is a conversion, or hands a value on as that of an interface. What is printed does not
// come back.
func (c *converter) call(n *ast.CallExpr) bool {
	if fn := callgraph.Callee(c.info, n); fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "fmt" || fn.Pkg().Path() == "log") {
		return false
	}
	tv := c.info.Types[n.Fun]
	if tv.IsType() {
		return c.assigns(n.Args, []types.Type{tv.Type})
	}
	if tv.Type == nil {
		return false
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	to := tuple(sig.Params())
	if sig.Variadic() && !n.Ellipsis.IsValid() && len(to) > 0 {
		if s, ok := to[len(to)-1].Underlying().(*types.Slice); ok {
			to = append(to[:len(to)-1], repeated(s.Elem(), max(len(n.Args)-len(to)+1, 0))...)
		}
	}
	return c.assigns(n.Args, to)
}

// literal reports whether a composite literal has a value of the type as an element that is an interface.
func (c *converter) literal(n *ast.CompositeLit) bool {
	t := c.info.TypeOf(n)
	if t == nil {
		return false
	}
	for i, x := range n.Elts {
		var key ast.Expr
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			key, x = kv.Key, kv.Value
		}
		var to types.Type
		switch u := t.Underlying().(type) {
		case *types.Slice:
			to = u.Elem()
		case *types.Array:
			to = u.Elem()
		case *types.Map:
			to = u.Elem()
			if c.assigns([]ast.Expr{key}, []types.Type{u.Key()}) {
				return true
			}
		case *types.Struct:
			if id, ok := key.(*ast.Ident); ok {
				to = c.info.TypeOf(id)
			} else if i < u.NumFields() {
				to = u.Field(i).Type()
			}
		}
		if c.assigns([]ast.Expr{x}, []types.Type{to}) {
			return true
		}
	}
	return false
}

// assigns reports whether one of the expressions, or of the results of the call that is the only one, is of the type, and what
// it is assigned to is an interface.
func (c *converter) assigns(from []ast.Expr, to []types.Type) bool {
	var list []types.Type
	for _, x := range from {
		if x == nil {
			return false
		}
		t := c.info.TypeOf(x)
		if results, ok := t.(*types.Tuple); ok {
			list = append(list, tuple(results)...)
		} else {
			list = append(list, t)
		}
	}
	for i, t := range list {
		if i < len(to) && t != nil && to[i] != nil && types.IsInterface(to[i]) && !types.IsInterface(t) &&
			gofile.Printed(types.Default(t)) == c.typ {
			return true
		}
	}
	return false
}

// tuple returns the types of a tuple.
func tuple(t *types.Tuple) (out []types.Type) {
	for v := range t.Variables() {
		out = append(out, v.Type())
	}
	return out
}

// repeated returns a type n times.
func repeated(t types.Type, n int) (out []types.Type) {
	for range n {
		out = append(out, t)
	}
	return out
}
