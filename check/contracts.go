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
	c.findTraced()
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
	for _, t := range c.traced {
		sig := t.method.Type().(*types.Signature)
		out[t.key] = c.contract(c.points[t.key], t.method.Pkg(), sig, nil, nil)
	}
	return out
}

// contracts makes the contracts of a testee.
type contracts struct {
	w      *lower.World
	prog   *source.Program
	points map[string][]schemas.Point // by function
	// traced are the methods of interfaces that have points, in the order of the source; byName has them by
	// the method's name.
	traced []tracedMethod
	byName map[string][]tracedMethod
}

// tracedMethod is a method of a named interface of the testee that its tests called.
type tracedMethod struct {
	iface  *types.Interface
	method *types.Func
	key    string // in points
}

// findTraced finds the methods of the testee's interfaces, which must not be generic, that have points.
func (c *contracts) findTraced() {
	c.byName = map[string][]tracedMethod{}
	for _, pkg := range c.prog.All {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			named, ok := scope.Lookup(name).Type().(*types.Named)
			if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 {
				continue
			}
			iface := named.Underlying().(*types.Interface)
			for m := range iface.Methods() {
				if key := source.InterfaceMethodName(named, m); c.points[key] != nil {
					t := tracedMethod{iface, m, key}
					c.traced, c.byName[m.Name()] = append(c.traced, t), append(c.byName[m.Name()], t)
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
	for _, t := range c.byName[r.Func.Obj.Name()] {
		if types.Implements(recv.Type(), t.iface) {
			return t.method, c.points[t.key]
		}
	}
	return nil, nil
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
