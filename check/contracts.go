package check

import (
	"go/types"

	"dsd/check/ir"
	"dsd/check/lower"
	"dsd/internal/source"
	"dsd/schemas"
)

// newContracts returns the invariants of a document as contracts: of the functions roots, by their
// keys, and of the methods of the testee's interfaces, by their names.
func newContracts(
	prog *source.Program, w *lower.World, roots []*lower.Root, doc *schemas.Invariants,
) map[string]*ir.Contract {
	c := &contracts{w: w, prog: prog, points: map[string][]schemas.Point{}}
	for _, p := range doc.Points {
		c.points[p.Func] = append(c.points[p.Func], p)
	}
	out := map[string]*ir.Contract{}
	for _, r := range roots {
		if r.Err != nil {
			continue
		}
		sig := r.Func.Obj.Type().(*types.Signature)
		typeArgs := w.Bindings(r.Func.Obj, r.TypeArgs)
		if ps := c.points[r.Func.Name]; ps != nil {
			out[r.Key] = c.contract(ps, r.Func.Pkg.Types, sig, sig.Recv(), typeArgs)
		} else if m, ps := c.inherited(r); m != nil {
			out[r.Key] = c.contract(ps, m.Pkg(), m.Type().(*types.Signature), sig.Recv(), typeArgs)
		}
	}
	c.eachInterfaceMethod(func(named *types.Named, m *types.Func) bool {
		key := source.InterfaceMethodName(named, m)
		if ps := c.points[key]; ps != nil {
			out[key] = c.contract(ps, m.Pkg(), m.Type().(*types.Signature), nil, nil)
		}
		return true
	})
	return out
}

// contracts makes the contracts of a testee.
type contracts struct {
	w      *lower.World
	prog   *source.Program
	points map[string][]schemas.Point // by function
}

// eachInterfaceMethod calls visit for each method of the named, not generic interfaces of the
// testee, until it returns false.
func (c *contracts) eachInterfaceMethod(visit func(*types.Named, *types.Func) bool) {
	for _, pkg := range c.prog.All {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			named, ok := scope.Lookup(name).Type().(*types.Named)
			if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 {
				continue
			}
			iface := named.Underlying().(*types.Interface)
			for i := range iface.NumMethods() {
				if !visit(named, iface.Method(i)) {
					return
				}
			}
		}
	}
}

// inherited returns, for a method that no test ran, a method of an interface of the testee that it
// implements and that the tests called. What callers keep to there, they keep to here [DSD 7].
func (c *contracts) inherited(r *lower.Root) (method *types.Func, points []schemas.Point) {
	recv := r.Func.Obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return nil, nil
	}
	c.eachInterfaceMethod(func(named *types.Named, m *types.Func) bool {
		ps := c.points[source.InterfaceMethodName(named, m)]
		iface := named.Underlying().(*types.Interface)
		if ps != nil && m.Name() == r.Func.Obj.Name() && types.Implements(recv.Type(), iface) {
			method, points = m, ps
		}
		return method == nil
	})
	return method, points
}

// contract returns the assumed invariants of the points of one function as terms; nil if its
// signature has no terms. An invariant that cannot be expressed is not assumed, which errs on the
// side of warning.
func (c *contracts) contract(
	points []schemas.Point, pkg *types.Package, sig *types.Signature, recv *types.Var,
	typeArgs map[*types.TypeParam]types.Type,
) *ir.Contract {
	b, err := c.w.Contract(pkg, sig, recv, typeArgs)
	if err != nil {
		return nil
	}
	for _, p := range points {
		for _, inv := range p.Invariants {
			if inv.Assumed {
				_ = b.Clause(inv.ID, p.At, inv.Expr)
			}
		}
	}
	return b.Done()
}
