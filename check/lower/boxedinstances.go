package lower

import (
	"go/ast"
	"go/types"

	"dsd/internal/source"
)

// maxInstances bounds the instances of generic functions that are looked through for values that
// they put into interfaces.
const maxInstances = 2000

// genericUses are what generic functions and methods put into interfaces, in terms of their type
// parameters, and the generic functions and types that each function uses; nil is for what is outside
// functions. The types of instances are known from these before any is lowered.
type genericUses struct {
	boxed map[*types.Func][]types.Type
	uses  map[*types.Func][]genericUse
	// order has the functions, without nil, in source order.
	order []*types.Func
}

// A genericUse is an instance of a generic function or type, in terms of the type parameters of the
// function around it.
type genericUse struct {
	generic types.Object
	args    []types.Type
}

// scanUses collects the instances in a declaration, which is that of fn or of no function.
func (gu *genericUses) scanUses(pkg *source.Package, decl ast.Decl, fn *types.Func) {
	if fn != nil {
		gu.order = append(gu.order, fn)
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if inst, ok := pkg.Info.Instances[id]; ok && pkg.Info.Uses[id] != nil {
			var args []types.Type
			for t := range inst.TypeArgs.Types() {
				args = append(args, t)
			}
			gu.uses[fn] = append(gu.uses[fn], genericUse{pkg.Info.Uses[id], args})
		}
		return true
	})
}

// boxInstances adds the types that instances of generic functions put into interfaces.
func (w *World) boxInstances() {
	seen := map[string]bool{}
	var visit func(fn *types.Func, m instance)
	instantiate := func(fn *types.Func, args []types.Type) {
		if key := w.Key(fn, args); !seen[key] && len(seen) < maxInstances {
			seen[key] = true
			visit(fn, bindings(fn, args))
		}
	}
	visit = func(fn *types.Func, m instance) {
		for _, t := range w.boxed[fn] {
			w.addBoxed(w.apply(t, m))
		}
		for _, use := range w.uses[fn] {
			var args []types.Type
			for _, t := range use.args {
				t = w.apply(t, m)
				if hasTypeParam(t) {
					break
				}
				w.addBoxed(t)
				args = append(args, t)
			}
			if len(args) < len(use.args) {
				continue
			}
			switch o := use.generic.(type) {
			case *types.Func:
				instantiate(o.Origin(), args)
			case *types.TypeName:
				if named, ok := types.Unalias(o.Type()).(*types.Named); ok {
					for method := range named.Origin().Methods() {
						instantiate(method, args)
					}
				}
			}
		}
	}
	visit(nil, nil)
	for _, fn := range w.order {
		if fn.Signature().TypeParams().Len()+fn.Signature().RecvTypeParams().Len() == 0 {
			visit(fn, nil)
		}
	}
}
