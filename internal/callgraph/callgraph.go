package callgraph

import (
	"go/ast"
	"go/types"

	"dsd/internal/source"
)

// Graph is the call graph of a program: its nodes are the functions and methods of the main module
// that have a body, function literals included in the function around them.
type Graph struct {
	// Funcs are the nodes: packages in dependency order, functions in source order.
	Funcs []*source.Func
	edges map[*types.Func][]Edge
	// methods are the methods among Funcs, by name.
	methods map[string][]*types.Func
}

// Edge is one place where a function names another one.
type Edge struct {
	// Callee is a node, or the method of an interface, which stands for all methods of its
	// name. It is generic where the call is of an instance.
	Callee *types.Func
	Kind   Kind
	// Loop reports whether the place is in a for statement of the caller.
	Loop bool
}

// Kind is a set of kinds of edges.
type Kind uint8

const (
	// Call is a call that names a function or method.
	Call Kind = 1 << iota
	// InterfaceCall is a call of an interface's method, or of one that a type parameter has.
	InterfaceCall
	// Value is the name of a function, or a method value or expression, that is not called
	// there. Whoever gets the value may call it.
	Value
	// InterfaceValue is such a method value or expression of an interface.
	InterfaceValue

	// AnyKind is the set of all kinds.
	AnyKind = Call | InterfaceCall | Value | InterfaceValue
)

// New builds the call graph of a program. Its cost is linear in the size of the source.
func New(prog *source.Program) *Graph {
	g := &Graph{edges: map[*types.Func][]Edge{}, methods: map[string][]*types.Func{}}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			g.Funcs = append(g.Funcs, f)
			g.edges[f.Obj] = nil
			if f.Decl.Recv != nil {
				g.methods[f.Obj.Name()] = append(g.methods[f.Obj.Name()], f.Obj)
			}
		}
	}
	for _, f := range g.Funcs {
		s := scan{g: g, info: f.Pkg.Info, called: map[*ast.Ident]bool{}}
		s.part(f.Decl.Body, false)
		g.edges[f.Obj] = s.edges
	}
	return g
}

// Has reports whether a function is a node of the graph.
func (g *Graph) Has(fn *types.Func) bool {
	_, ok := g.edges[fn.Origin()]
	return ok
}

// Edges returns the edges from a function, in source order.
func (g *Graph) Edges(fn *types.Func) []Edge { return g.edges[fn.Origin()] }

// Methods returns the methods of a name, with any receiver.
func (g *Graph) Methods(name string) []*types.Func { return g.methods[name] }

// Components returns the strongly connected components of the graph that has only the edges of some
// kinds, callees first. Functions that call only themselves are components of one function.
func (g *Graph) Components(kinds Kind) [][]*types.Func {
	var out [][]*types.Func
	for _, component := range Components(g.nodes(), g.successors(kinds)) {
		var fns []*types.Func
		for _, n := range component {
			if n.fn != nil {
				fns = append(fns, n.fn)
			}
		}
		if fns != nil {
			out = append(out, fns)
		}
	}
	return out
}

// node is a node of the graph that the algorithms work on: a function, or a method name, which has
// edges to all methods of that name. Without nodes for names, a program with m methods String and n
// calls of String through interfaces would have m*n edges.
type node struct {
	fn     *types.Func
	method string // if fn is nil
}

// nodes returns the nodes for the functions.
func (g *Graph) nodes() []node {
	out := make([]node, len(g.Funcs))
	for i, f := range g.Funcs {
		out[i].fn = f.Obj
	}
	return out
}

// successors returns the edges of some kinds as the algorithms take them.
func (g *Graph) successors(kinds Kind) func(node) []node {
	return func(n node) []node {
		var out []node
		if n.fn == nil {
			for _, m := range g.methods[n.method] {
				out = append(out, node{fn: m})
			}
		}
		for _, e := range g.edges[n.fn] {
			switch {
			case e.Kind&kinds == 0:
			case e.Kind&(InterfaceCall|InterfaceValue) != 0:
				out = append(out, node{method: e.Callee.Name()})
			default:
				out = append(out, node{fn: e.Callee})
			}
		}
		return out
	}
}

// scan collects the edges from one function.
type scan struct {
	g      *Graph
	info   *types.Info
	called map[*ast.Ident]bool // names of callees
	edges  []Edge
}

// part collects the edges from a part of the function.
func (s *scan) part(part ast.Node, loop bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if !loop {
				s.part(n, true)
				return false
			}

		case *ast.RangeStmt:
			if !loop {
				s.part(n.X, false) // once
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if x != nil {
						s.part(x, true)
					}
				}
				s.part(n.Body, true)
				return false
			}

		case *ast.CallExpr:
			if id := CalleeName(n); id != nil {
				s.called[id] = true
			}

		case *ast.Ident:
			if fn, ok := s.info.Uses[n].(*types.Func); ok {
				s.name(fn.Origin(), s.called[n], loop)
			}
		}
		return true
	})
}

// name adds the edge for the name of a function.
func (s *scan) name(fn *types.Func, called, loop bool) {
	var kind Kind
	switch dynamic := IsInterfaceMethod(fn); {
	case !dynamic && !s.g.Has(fn):
		return
	case called && dynamic:
		kind = InterfaceCall
	case called:
		kind = Call
	case dynamic:
		kind = InterfaceValue
	default:
		kind = Value
	}
	s.edges = append(s.edges, Edge{fn, kind, loop})
}

// Callee returns the function or method that a call names, generic where it names an instance: of
// an interface its method. It returns nil for calls of other function values, conversions and calls
// of built-in functions.
func Callee(info *types.Info, call *ast.CallExpr) *types.Func {
	if id := CalleeName(call); id != nil {
		if fn, ok := info.Uses[id].(*types.Func); ok {
			return fn.Origin()
		}
	}
	return nil
}

// CalleeName returns the identifier that ends the callee of a call, or nil.
func CalleeName(call *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // type arguments
	case *ast.IndexExpr:
		fun = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		fun = ast.Unparen(x.X)
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// IsInterfaceMethod reports whether a function is a method of an interface, which has no body.
func IsInterfaceMethod(fn *types.Func) bool {
	recv := fn.Type().(*types.Signature).Recv()
	return recv != nil && types.IsInterface(recv.Type())
}
