package carve

import (
	"go/ast"
	"go/types"

	"dsd/crash/candidate"
	"dsd/internal/source"
)

// call adds a call of a function and returns the number of its first result. It reports false if
// the graph has no operation for the function, or operations cannot express an argument.
func (w *walker) call(x *ast.CallExpr) (int, bool) {
	fn, recv := w.callee(x)
	if fn == nil || fn.Pkg() == nil {
		return 0, false
	}
	name := source.FuncName(fn)
	var args []int
	var op *candidate.Op
	if recv == nil {
		op = w.c.calls[callKey(name, nil)]
	} else {
		r, method, ok := w.receiver(name, recv)
		if !ok {
			return 0, false
		}
		args, op = append(args, r), method
	}
	if op == nil {
		return 0, false
	}
	sig, ok := w.c.info.TypeOf(x.Fun).(*types.Signature)
	if !ok {
		return 0, false
	}
	in := op.In[len(args):]
	for i, t := range in {
		if sig.Variadic() && i == len(in)-1 && !x.Ellipsis.IsValid() {
			r, ok := w.variadic(x.Args[min(i, len(x.Args)):], t)
			if !ok {
				return 0, false
			}
			args = append(args, r)
			break
		}
		if i >= len(x.Args) {
			return 0, false
		}
		r, ok := w.value(x.Args[i], t)
		if _, isFunc := t.Underlying().(*types.Signature); !ok && isFunc {
			r, ok = w.stub(t)
		}
		if !ok {
			return 0, false
		}
		args = append(args, r)
	}
	w.calls = true
	return w.add(stmt{op: op, args: args}), true
}

// stub adds a function that returns zero values, in place of one that uses variables of the test. The
// type is one of the graph.
func (w *walker) stub(t types.Type) (int, bool) {
	o := w.c.graphOp("stub "+key(t), t, candidate.Stub)
	if o == nil {
		return 0, false
	}
	var args []int
	for _, in := range o.In {
		zero := w.c.graphOp("zero "+key(in), in, candidate.Zero)
		if zero == nil {
			return 0, false
		}
		args = append(args, w.add(stmt{op: zero}))
	}
	return w.add(stmt{op: o, args: args}), true
}

// graphOp is like op for a type that already belongs to the graph.
func (c *carver) graphOp(k string, t types.Type, make func(t types.Type) *candidate.Op) *candidate.Op {
	if o, ok := c.added[k]; ok && o != nil {
		return o
	}
	o := make(t)
	if !c.b.Add(o) {
		return nil
	}
	c.added[k] = o
	return o
}

// callee returns the function that a call calls, nil if that is not known, and the receiver, nil if
// it has none.
func (w *walker) callee(x *ast.CallExpr) (fn *types.Func, recv ast.Expr) {
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok { // type arguments
		fun = ix.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ = w.c.info.Uses[f].(*types.Func)

	case *ast.SelectorExpr:
		fn, _ = w.c.info.Uses[f.Sel].(*types.Func)
		if fn != nil && fn.Type().(*types.Signature).Recv() != nil {
			recv = f.X
		}
	}
	return fn, recv
}

// receiver adds the receiver of a method call and returns its number, and the operation that calls
// the method, nil if there is none. As in Go, the receiver may be addressed or dereferenced.
func (w *walker) receiver(name string, recv ast.Expr) (r int, op *candidate.Op, ok bool) {
	t := w.c.info.TypeOf(recv)
	if t == nil {
		return 0, nil, false
	}
	if r, ok = w.value(recv, nil); !ok {
		return 0, nil, false
	}
	if op = w.c.calls[callKey(name, t)]; op != nil {
		return r, op, true
	}
	ptr := types.NewPointer(t)
	if op = w.c.calls[callKey(name, ptr)]; op != nil {
		r, ok = w.address(r, ptr)
		return r, op, ok
	}
	if p, isPtr := t.Underlying().(*types.Pointer); isPtr {
		if op = w.c.calls[callKey(name, p.Elem())]; op != nil {
			deref := w.c.op("deref "+key(p.Elem()), p.Elem(), candidate.Deref)
			if deref == nil {
				return 0, nil, false
			}
			r = w.add(stmt{op: deref, args: []int{r}})
		}
	}
	return r, op, true
}

// variadic adds the arguments of a variadic parameter of type t as a slice.
func (w *walker) variadic(list []ast.Expr, t types.Type) (int, bool) {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return 0, false
	}
	var elems []int
	for _, a := range list {
		r, ok := w.value(a, s.Elem())
		if !ok {
			return 0, false
		}
		elems = append(elems, r)
	}
	return w.sliceOf(t, elems)
}
