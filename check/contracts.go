package check

import (
	"go/types"

	"dsd/check/lower"
	"dsd/check/vcgen"
	"dsd/internal/source"
	"dsd/schemas"
)

// assumptions builds the contracts: of functions under analysis, by their key, and of the testee's interfaces'
// methods, by their name.
func (c *checker) assumptions() {
	points := map[string][]schemas.Point{}
	for _, p := range c.opt.Assume.Points {
		points[p.Func] = append(points[p.Func], p)
	}
	for _, r := range c.roots {
		if r.Err != nil {
			continue
		}
		sig := r.Func.Obj.Type().(*types.Signature)
		m := c.w.Bindings(r.Func.Obj, r.TypeArgs)
		if ps := points[r.Func.Name]; ps != nil {
			c.contracts[r.Key] = c.contract(ps, r.Func.Pkg.Types, sig, sig.Recv(), m)
		} else if im, ps := c.inherited(r, points); im != nil {
			c.contracts[r.Key] = c.contract(ps, im.Pkg(), im.Type().(*types.Signature), sig.Recv(), m)
		}
	}
	c.interfaces(func(named *types.Named, m *types.Func) bool {
		key := source.InterfaceMethodName(named, m)
		if ps := points[key]; ps != nil {
			c.contracts[key] = c.contract(ps, m.Pkg(), m.Type().(*types.Signature), nil, nil)
		}
		return true
	})
}

// interfaces calls visit for the methods of the named interfaces of the testee until it returns false.
func (c *checker) interfaces(visit func(*types.Named, *types.Func) bool) {
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

// inherited finds, for a method that no test ran, a method of an interface of the testee that it implements and that
// the tests called: what callers keep to there, they keep to here [DSD 7].
func (c *checker) inherited(r *lower.Root, points map[string][]schemas.Point) (*types.Func, []schemas.Point) {
	recv := r.Func.Obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return nil, nil
	}
	var found *types.Func
	var at []schemas.Point
	c.interfaces(func(named *types.Named, m *types.Func) bool {
		if ps := points[source.InterfaceMethodName(named, m)]; ps != nil && m.Name() == r.Func.Obj.Name() &&
			types.Implements(recv.Type(), named.Underlying().(*types.Interface)) {
			found, at = m, ps
		}
		return found == nil
	})
	return found, at
}

func (c *checker) contract(points []schemas.Point, pkg *types.Package, sig *types.Signature, recv *types.Var, m map[*types.TypeParam]types.Type) *vcgen.Contract {
	b, err := c.w.Contract(pkg, sig, recv, m)
	if err != nil {
		return nil
	}
	for _, p := range points {
		for _, inv := range p.Invariants {
			if inv.Assumed {
				// What cannot be expressed is not assumed, which errs on the side of warning.
				_ = b.Clause(inv.ID, p.At, inv.Expr)
			}
		}
	}
	return b.Done()
}
