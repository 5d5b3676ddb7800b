package record

import (
	"go/ast"
	"go/types"

	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// Most functions that handle requests are called by others that do. A panic that leaves one of them leaves its caller,
// too, and the stack still has all frames then. So only the functions that receive the requests need keep.Leave, and
// the others are not slowed down.

// entries finds the functions through which requests come in.
type entries struct {
	w *rewriter
	// places are the functions, by their objects.
	places map[*types.Func]*place
	// dynamic are the names of methods that are called through interfaces.
	dynamic map[string]bool
	// inside are the functions known to run inside another one that handles requests, or not to.
	inside map[*types.Func]bool
}

// place is a function or function literal, as far as the search for entries looks at it.
type place struct {
	// handles reports whether it handles requests and keep.Leave can be its first deferred call.
	handles bool
	// recovers reports whether one of its deferred calls may recover from a panic. Then those that called it see
	// nothing of the panic.
	recovers bool
	// fn is the function; nil for a function literal.
	fn *types.Func
	// callers are the places that call it, if all that is known to call it are calls that name it, in functions
	// that wait for it; elsewhere reports whether that is not so.
	callers   []*place
	elsewhere bool
}

// newEntries looks at all functions of the program. Its cost is linear in the size of the source.
func newEntries(w *rewriter, g *callgraph.Graph) *entries {
	s := &entries{w: w, places: map[*types.Func]*place{}, dynamic: map[string]bool{}, inside: map[*types.Func]bool{}}
	rewritten := map[*source.Package]bool{}
	for _, pkg := range w.prog.Packages {
		rewritten[pkg] = true
	}
	for _, f := range g.Funcs {
		p := s.place(f.Obj)
		p.recovers = recovers(f.Pkg.Info, f.Decl.Body)
		p.handles = rewritten[f.Pkg] && !w.calls.hot[f.Obj] && source.Uninstrumentable(f.Decl) == "" &&
			w.serves(f.Pkg.Info, f.Decl.Type)
		for _, e := range g.Edges(f.Obj) {
			if e.Kind&(callgraph.InterfaceCall|callgraph.InterfaceValue) != 0 {
				s.dynamic[e.Callee.Name()] = true
			}
		}
	}
	for _, pkg := range w.prog.All {
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				in := &place{} // what initializes variables
				if fd, ok := d.(*ast.FuncDecl); ok {
					if fn, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
						in = s.place(fn)
					}
				}
				s.names(pkg, rewritten[pkg], d, in)
			}
		}
	}
	return s
}

// place returns that of a function.
func (s *entries) place(fn *types.Func) *place {
	if s.places[fn] == nil {
		s.places[fn] = &place{fn: fn}
	}
	return s.places[fn]
}

// names adds what names functions in a part of a place.
func (s *entries) names(pkg *source.Package, rewritten bool, part ast.Node, in *place) {
	called, later := map[*ast.Ident]bool{}, map[*ast.CallExpr]bool{}
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			lit := &place{handles: rewritten && s.w.serves(pkg.Info, n.Type), recovers: recovers(pkg.Info, n.Body)}
			s.names(pkg, rewritten, n.Body, lit)
			return false
		case *ast.GoStmt:
			later[n.Call] = true
		case *ast.DeferStmt: // it may run after the function returned
			later[n.Call] = true
		case *ast.CallExpr:
			if id := callgraph.CalleeName(n); id != nil && !later[n] {
				called[id] = true
			}
		case *ast.Ident:
			if fn, ok := pkg.Info.Uses[n].(*types.Func); ok {
				p := s.place(fn.Origin())
				if called[n] {
					p.callers = append(p.callers, in)
				} else {
					p.elsewhere = true
				}
			}
		}
		return true
	})
}

// isEntry reports whether keep.Leave is the first deferred call of a function.
func (s *entries) isEntry(fn *types.Func) bool {
	p := s.places[fn]
	return p != nil && p.handles && !s.isInside(fn)
}

// isInside reports whether all calls of a function are inside one of a function that handles requests, so that a panic that
// leaves it unwinds that one, too. Functions that call each other in a circle are not inside.
func (s *entries) isInside(fn *types.Func) bool {
	if known, ok := s.inside[fn]; ok {
		return known
	}
	s.inside[fn] = false
	p := s.places[fn]
	if p == nil || p.elsewhere || len(p.callers) == 0 || s.isDynamic(fn) {
		return false
	}
	for _, c := range p.callers {
		if c.recovers || !c.handles && (c.fn == nil || !s.isInside(c.fn)) {
			return false
		}
	}
	s.inside[fn] = true
	return true
}

// isDynamic reports whether a function may be called without being named: a method that reflection finds, or that is called
// through an interface.
func (s *entries) isDynamic(fn *types.Func) bool {
	return fn.Type().(*types.Signature).Recv() != nil && (fn.Exported() || s.dynamic[fn.Name()])
}

// recovers reports whether a deferred call of a function may recover from a panic. Those of the standard library do not.
func recovers(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			fn := callgraph.Callee(info, n.Call)
			lit, literal := ast.Unparen(n.Call.Fun).(*ast.FuncLit)
			switch {
			case literal:
				found = found || callsRecover(info, lit.Body)
			case fn != nil:
				found = found || fn.Pkg() == nil || !symbol.MayBeStandard(fn.Pkg().Path()) || callgraph.IsInterfaceMethod(fn)
			default:
				found = found || !info.Types[n.Call.Fun].IsBuiltin()
			}
		}
		return !found
	})
	return found
}

// callsRecover reports whether a deferred function literal calls recover, which has an effect only there, and not in what it
// calls.
func callsRecover(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			b, ok := info.Uses[id].(*types.Builtin)
			found = found || ok && b.Name() == "recover"
		}
		return !found
	})
	return found
}

// serves reports whether a function of type f may handle requests: whether a parameter is a context.Context, or has a
// type of net/http or of another module, such as a web framework.
func (w *rewriter) serves(info *types.Info, f *ast.FuncType) bool {
	for _, field := range f.Params.List {
		t := types.Unalias(info.TypeOf(field.Type))
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		if !ok || n.Obj().Pkg() == nil {
			continue
		}
		switch path := n.Obj().Pkg().Path(); {
		case path == "context", path == "net/http":
			return true
		case !symbol.MayBeStandard(path) && w.prog.Package(path) == nil:
			return true
		}
	}
	return false
}
