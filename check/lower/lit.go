package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// compositeLit is a struct, array, slice or map literal.
func (l *lowerer) compositeLit(e *ast.CompositeLit, t types.Type) Value {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return l.sliceLit(e, t, u)
	case *types.Map:
		obj := l.mapMake(u)
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			key := l.snapshot(l.element1(kv.Key, u.Key()))
			v := l.snapshot(l.element1(kv.Value, u.Elem()))
			l.mapStore(location{typ: u.Elem(), m: u, entry: obj, keyVal: key, pos: kv.Pos()}, v)
		}
		return Value{t, []*logic.Term{obj}}
	case *types.Struct:
		v := l.zero(t)
		at := 0
		offsets := make([]int, u.NumFields())
		for i := range offsets {
			offsets[i] = at
			at += len(l.w.Layout(u.Field(i).Type()))
		}
		for i, el := range e.Elts {
			k := i
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				k = fieldIndex(u, kv.Key.(*ast.Ident).Name)
				el = kv.Value
			}
			x := l.snapshot(l.element1(el, u.Field(k).Type()))
			copy(v.Leaves[offsets[k]:], x.Leaves)
		}
		return v
	}
	at := memory(l.alloc(t), l.b.Const(logic.Slot, 0), t)
	l.compositeInto(e, at)
	return l.load(at)
}

func fieldIndex(s *types.Struct, name string) int {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return i
		}
	}
	panic("lower: no field " + name)
}

// element1 is an element of a literal, where the types of inner literals may be left out.
func (l *lowerer) element1(e ast.Expr, t types.Type) Value {
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil {
		if elem := pointee(t); elem != nil {
			obj := l.alloc(elem)
			l.compositeInto(lit, memory(obj, l.b.Const(logic.Slot, 0), elem))
			return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0)}}
		}
		return l.compositeLit(lit, t)
	}
	return l.exprTo(e, t)
}

// compositeInto builds a literal in a zeroed place.
func (l *lowerer) compositeInto(e *ast.CompositeLit, at location) {
	a, ok := at.typ.Underlying().(*types.Array)
	if !ok {
		l.store(at, l.compositeLit(e, at.typ))
		return
	}
	l.elements(e, a.Elem(), func(i int64, el ast.Expr) {
		place := memory(at.obj, l.at(at.slot, l.int(i), a.Elem()), a.Elem())
		l.store(place, l.snapshot(l.element1(el, a.Elem())))
	})
}

func (l *lowerer) sliceLit(e *ast.CompositeLit, t types.Type, u *types.Slice) Value {
	obj := l.newObject()
	l.clear(obj, u.Elem())
	n := l.elements(e, u.Elem(), func(i int64, el ast.Expr) {
		v := l.snapshot(l.element1(el, u.Elem()))
		l.storeMem(obj, l.at(l.b.Const(logic.Slot, 0), l.int(i), u.Elem()), u.Elem(), "", v)
	})
	return Value{t, []*logic.Term{obj, l.b.Const(logic.Slot, 0), l.int(n), l.int(n)}}
}

// elements visits the elements of an array or slice literal and returns the length.
func (l *lowerer) elements(e *ast.CompositeLit, elem types.Type, visit func(i int64, e ast.Expr)) int64 {
	if len(e.Elts) > 300 {
		panic(unsupportedf("a literal of %d elements", len(e.Elts)))
	}
	var i, n int64
	for _, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			i, _ = constant.Int64Val(constant.ToInt(l.pkg.Info.Types[kv.Key].Value))
			el = kv.Value
		}
		visit(i, el)
		i++
		n = max(n, i)
	}
	return n
}

// funcValue is a declared function as a value.
func (l *lowerer) funcValue(e ast.Expr, t types.Type) Value {
	f := l.staticCallee(ast.Unparen(e))
	if f == nil {
		panic(unsupportedf("the function value %s", types.ExprString(e)))
	}
	key, _ := l.w.need(f, l.typeArgs(ast.Unparen(e)))
	return l.closure(key, l.zeroLeaf(logic.Obj), t)
}

func (l *lowerer) closure(key string, env *logic.Term, t types.Type) Value {
	return Value{t, []*logic.Term{l.b.Const(logic.BV(32), uint64(l.w.fnID(key))), env}}
}

// funcLit is a function literal: a function of its own that finds the variables it shares in a closure object, as
// pointers.
func (l *lowerer) funcLit(e *ast.FuncLit, t types.Type) Value {
	*l.closures++
	suffix := fmt.Sprintf(".func%d", *l.closures)
	n := 0
	in := &lowerer{w: l.w, b: l.b, pkg: l.pkg, inst: l.inst, locals: map[types.Object]*variable{}, closures: &n, name: l.name + suffix}
	in.out = newFunc(l.out.Name + suffix)
	in.out.Pos = e.Pos()
	objects := l.captured(e.Pos(), e.End(), e.Body)
	var shared []*variable
	for _, o := range objects {
		shared = append(shared, l.locals[o])
	}
	env, inside := l.share(in, shared)
	captured := map[types.Object]*variable{}
	for i, o := range objects {
		captured[o] = inside[i]
	}
	in.protect(func() {
		in.lowerBody(l.typeOf(e).(*types.Signature), e.Body, captured)
	})
	l.w.funcs[in.name] = in.out
	l.w.queued[in.name] = true
	return l.closure(in.name, env, t)
}

// captured returns the local variables that parts of the source from one place to another share with the function
// around them, in order of appearance.
func (l *lowerer) captured(from, to token.Pos, parts ...ast.Node) []types.Object {
	var out []types.Object
	seen := map[types.Object]bool{}
	look := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := l.pkg.Info.Uses[id]
		if v := l.locals[o]; v != nil && !seen[o] && (o.Pos() < from || o.Pos() >= to) {
			if !v.boxed {
				panic(unsupportedf("the captured variable %s", o.Name()))
			}
			seen[o] = true
			out = append(out, o)
		}
		return true
	}
	for _, n := range parts {
		if n != nil {
			ast.Inspect(n, look)
		}
	}
	return out
}

// methodValue is x.M without a call: a closure that holds x.
func (l *lowerer) methodValue(e *ast.SelectorExpr, s *types.Selection, t types.Type) Value {
	recv, m := l.receiver(e)
	if types.IsInterface(recv.Type) {
		l.notNil(recv.Leaves[0], e.Pos(), "method value of a nil interface")
	}
	env := l.newObject()
	class := "bound " + l.w.typeKey(recv.Type)
	at := memory(env, l.b.Const(logic.Slot, 0), recv.Type)
	at.class = class
	l.store(at, recv)
	key := "<bound>" + l.w.typeKey(recv.Type) + "." + m.Name()
	sig := t.Underlying().(*types.Signature)
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, func(w *lowerer) []*logic.Var {
			w.out.Closure = true
			return []*logic.Var{w.newVar("closure", logic.Obj)}
		},
			func(w *lowerer, own []*logic.Var, args []Value) []Value {
				from := memory(w.b.Var(own[0]), w.b.Const(logic.Slot, 0), recv.Type)
				from.class = class
				return w.invoke(w.load(from), m, args, sig, nowhere{})
			})
	}})
	return l.closure(key, env, t)
}

// methodExpr is T.M: a function whose first parameter is the receiver.
func (l *lowerer) methodExpr(e *ast.SelectorExpr, s *types.Selection, t types.Type) Value {
	rt := l.typeOf(e.X)
	key := "<expr>" + l.w.typeKey(rt) + "." + e.Sel.Name
	sig := t.Underlying().(*types.Signature)
	pkg := l.pkg
	l.w.enqueue(pending{key: key, make: func() *ir.Func {
		return l.w.wrapper(key, sig, nil, func(w *lowerer, own []*logic.Var, args []Value) []Value {
			w.pkg = pkg
			var rest []*types.Var
			for i := 1; i < sig.Params().Len(); i++ {
				rest = append(rest, sig.Params().At(i))
			}
			inner := types.NewSignatureType(nil, nil, nil, types.NewTuple(rest...), sig.Results(), sig.Variadic())
			return w.method(args[0], e.Sel.Name, pkg.Types, args[1:], inner, nowhere{})
		})
	}})
	return l.closure(key, l.zeroLeaf(logic.Obj), t)
}

// method calls the named method on a value, through embedded fields where it is promoted.
func (l *lowerer) method(recv Value, name string, pkg *types.Package, args []Value, sig *types.Signature, e ast.Node) []Value {
	obj, index, _ := types.LookupFieldOrMethod(recv.Type, true, pkg, name)
	m, ok := obj.(*types.Func)
	if !ok {
		panic(unsupportedf("the method %s of %s", name, recv.Type))
	}
	if types.IsInterface(recv.Type) {
		return l.invoke(recv, m, args, sig, e)
	}
	path := index[:len(index)-1]
	_, wantsPointer := m.Type().(*types.Signature).Recv().Type().(*types.Pointer)
	if len(path) == 0 && (pointee(recv.Type) != nil) == wantsPointer {
		return l.invoke(recv, m, args, sig, e)
	}
	var at location
	if pointee(recv.Type) != nil {
		at = l.deref(recv, e.Pos())
	} else {
		at = memory(l.alloc(recv.Type), l.b.Const(logic.Slot, 0), recv.Type)
		l.store(at, recv)
	}
	at = l.fields(at, path, e.Pos())
	var v Value
	switch {
	case types.IsInterface(at.typ):
		v = l.load(at)
	case wantsPointer && pointee(at.typ) == nil:
		v = l.addressOf(at, types.NewPointer(at.typ))
	case !wantsPointer && pointee(at.typ) != nil:
		v = l.load(l.deref(l.load(at), e.Pos()))
	default:
		v = l.load(at)
	}
	return l.invoke(l.snapshot(v), m, args, sig, e)
}

// wrapper makes a function of ours with the parameters own and those of sig, whose results are those of do.
func (w *World) wrapper(key string, sig *types.Signature, own func(*lowerer) []*logic.Var, do func(l *lowerer, own []*logic.Var, args []Value) []Value) *ir.Func {
	n := 0
	l := &lowerer{w: w, b: w.builder, locals: map[types.Object]*variable{}, closures: &n, name: key, boxed: map[types.Object]bool{}}
	l.out = newFunc(key)
	l.protect(func() {
		l.start(l.block())
		var extra []*logic.Var
		if own != nil {
			extra = own(l)
			l.out.Params = append(l.out.Params, extra...)
		}
		var args []Value
		for i := range sig.Params().Len() {
			t := sig.Params().At(i).Type()
			var vars []*logic.Var
			for j, leaf := range w.Layout(t) {
				vars = append(vars, l.newVar(fmt.Sprintf("a%d.%d", i, j), leaf.Sort))
			}
			l.out.Params = append(l.out.Params, vars...)
			args = append(args, l.valueOf(t, vars))
		}
		for i, v := range do(l, extra, args) {
			for j, leaf := range v.Leaves {
				r := l.newVar(fmt.Sprintf("result%d.%d", i, j), leaf.Sort)
				l.assign(r, leaf)
				l.out.Results = append(l.out.Results, r)
			}
		}
		l.cur.End = ir.Return{}
	})
	return l.out
}

// ifaceWrapper queues the function that calls a method of dynamic type t on the inside of an interface value.
func (w *World) ifaceWrapper(t types.Type, method string) {
	key := wrapperKey(w.typeKey(t), method)
	if w.queued[key] {
		return
	}
	set := types.NewMethodSet(t)
	var sel *types.Selection
	for i := range set.Len() {
		if set.At(i).Obj().Name() == method {
			sel = set.At(i)
		}
	}
	sig := sel.Type().(*types.Signature)
	w.enqueue(pending{key: key, make: func() *ir.Func {
		own := func(l *lowerer) []*logic.Var {
			return []*logic.Var{l.newVar("obj", logic.Obj), l.newVar("slot", logic.Slot)}
		}
		return w.wrapper(key, sig, own, func(l *lowerer, own []*logic.Var, args []Value) []Value {
			inside := Value{nil, []*logic.Term{l.zeroLeaf(logic.BV(32)), l.b.Var(own[0]), l.b.Var(own[1])}}
			return l.method(l.snapshot(l.fromInterface(inside, t)), method, sel.Obj().Pkg(), args, sig, nowhere{})
		})
	}})
}

// nowhere is the syntax node of a wrapper: what happens there happens, for a user, where it was called.
type nowhere struct{}

func (nowhere) Pos() token.Pos { return token.NoPos }

func (nowhere) End() token.Pos { return token.NoPos }
