package search

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/internal/source"
)

// set assigns a field of a variable that is there.
func (w *walker) set(sel *ast.SelectorExpr, r int) {
	s := w.c.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return
	}
	on, ok := w.value(sel.X, nil)
	if !ok {
		return
	}
	t := w.c.info.TypeOf(sel.X)
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return
	}
	for _, o := range w.c.b.g.Table {
		if len(o.Fields) == 2 && o.Fields[0] == nil && o.OnFirst && o.Fields[1].Name() == sel.Sel.Name && key(o.In[0]) == key(t) {
			w.add(seedStmt{op: o, args: []int{on, r}})
			return
		}
	}
}

// composite is the literal that an expression is, through variables that stand for one.
func (w *walker) composite(x ast.Expr) *ast.CompositeLit {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return x
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return w.composite(x.X)
		}
	case *ast.ParenExpr:
		return w.composite(x.X)
	case *ast.Ident:
		obj := w.c.info.ObjectOf(x)
		if b, ok := w.env[obj]; ok {
			if b.expr != nil {
				return w.composite(b.expr)
			}
			return nil
		}
		return w.c.table(obj)
	}
	return nil
}

// table is the literal that a package-level variable of a test file is initialised with.
func (c *carver) table(obj types.Object) *ast.CompositeLit {
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	for _, init := range c.info.InitOrder {
		if len(init.Lhs) == 1 && init.Lhs[0] == obj {
			lit, _ := init.Rhs.(*ast.CompositeLit)
			return lit
		}
	}
	return nil
}

// add adds a statement and returns the number of its first result.
func (w *walker) add(st seedStmt) int {
	w.s = append(w.s, st)
	n := w.results
	w.results += len(st.op.Out)
	return n
}

// zero adds the zero value of a type that is a struct, or something else that is useful as it is.
func (w *walker) zero(t types.Type) (int, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return w.literal(t, constant.MakeInt64(0), b)
	}
	o := w.c.op("zero "+key(t), t, candidate.Zero)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o}), true
}

// literal adds a constant of a basic type.
func (w *walker) literal(t types.Type, v constant.Value, b *types.Basic) (int, bool) {
	var val value
	info := b.Info()
	switch {
	case info&types.IsString != 0:
		if v.Kind() == constant.String {
			val.text = constant.StringVal(v)
		}
	case info&types.IsBoolean != 0:
		if v.Kind() == constant.Bool && constant.BoolVal(v) {
			val.bits = 1
		}
	case info&types.IsInteger != 0:
		i := constant.ToInt(v)
		if n, ok := constant.Int64Val(i); ok {
			val.bits = uint64(n)
		} else if n, ok := constant.Uint64Val(i); ok {
			val.bits = n
		} else {
			return 0, false
		}
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		val.bits = math.Float64bits(f)
	default:
		return 0, false
	}
	if b.Info()&types.IsUntyped != 0 {
		t = types.Default(b)
	}
	o := w.c.op("literal "+key(t), t, w.c.b.literal)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, value: val}), true
}

// literal is the operation that makes literals of a type, the one that is there if there is one.
func (b *graphBuilder) literal(t types.Type) *candidate.Op {
	for _, o := range b.g.Table {
		if o.Lit && key(o.Out[0]) == key(t) {
			return o
		}
	}
	return candidate.Literal(t)
}

// value adds what makes the value of an expression, as one of type t if that is not nil, and returns the number of the result.
func (w *walker) value(x ast.Expr, t types.Type) (int, bool) {
	tv := w.c.info.Types[x]
	if t == nil {
		t = tv.Type
	}
	if t == nil || tv.Type == nil {
		return 0, false
	}
	if types.IsInterface(t) && !types.IsInterface(tv.Type) && !tv.IsNil() {
		return w.convert(x, t)
	}
	if b, ok := t.Underlying().(*types.Basic); ok && tv.Value != nil {
		return w.literal(t, tv.Value, b)
	}
	if tv.IsNil() {
		return w.zero(t)
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.value(x.X, t)
	case *ast.Ident:
		if b, ok := w.env[w.c.info.ObjectOf(x)]; ok {
			if b.expr != nil {
				return w.value(b.expr, t)
			}
			return b.result, true
		}
	case *ast.SelectorExpr:
		if f := w.field(x); f != nil {
			return w.value(f, t)
		}
	case *ast.CallExpr:
		if r, ok := w.call(x); ok {
			return r, true
		}
	case *ast.UnaryExpr:
		if id, ok := x.X.(*ast.Ident); ok && x.Op == token.AND {
			if b, ok := w.env[w.c.info.ObjectOf(id)]; ok && b.expr == nil {
				return w.address(b.result, tv.Type)
			}
		}
	case *ast.CompositeLit:
		if s, ok := tv.Type.Underlying().(*types.Slice); ok && !w.c.closed(x) {
			return w.slice(x, tv.Type, s)
		}
	}
	return w.expression(x, t)
}

// field is the expression of a field of a table's row.
func (w *walker) field(x *ast.SelectorExpr) ast.Expr {
	row := w.composite(x.X)
	if row == nil {
		return nil
	}
	s, ok := w.c.info.TypeOf(row).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range row.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == x.Sel.Name {
				return kv.Value
			}
		} else if i < s.NumFields() && s.Field(i).Name() == x.Sel.Name {
			return e
		}
	}
	return nil
}

// convert adds a value as one of an interface.
func (w *walker) convert(x ast.Expr, t types.Type) (int, bool) {
	from := w.c.info.TypeOf(x)
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		from = types.Default(from)
	}
	r, ok := w.value(x, from)
	if !ok {
		return 0, false
	}
	o := w.c.op("convert "+key(t)+" "+key(from), from, func(own types.Type) *candidate.Op {
		for _, o := range w.c.b.g.Table {
			if o.Converts && key(o.In[0]) == key(own) && key(o.Out[0]) == key(t) {
				return o
			}
		}
		if to := w.c.native(t); to != nil {
			return candidate.Convert(to, own)
		}
		return nil
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: []int{r}}), true
}

// address adds the address of a value that is there.
func (w *walker) address(r int, t types.Type) (int, bool) {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	if _, ok := p.Elem().Underlying().(*types.Interface); ok {
		return 0, false
	}
	o := w.c.op("address "+key(t), t, candidate.AddressOf)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: []int{r}}), true
}

// slice adds a slice of elements.
func (w *walker) slice(x *ast.CompositeLit, t types.Type, s *types.Slice) (int, bool) {
	var args []int
	for _, e := range x.Elts {
		r, ok := w.value(e, s.Elem())
		if !ok {
			return 0, false
		}
		args = append(args, r)
	}
	return w.sliceOf(t, args)
}

func (w *walker) sliceOf(t types.Type, args []int) (int, bool) {
	o := w.c.op("slice "+key(t), t, func(own types.Type) *candidate.Op {
		for _, o := range w.c.b.g.Table {
			if o.Variadic && key(o.Out[0]) == key(own) {
				return o
			}
		}
		return candidate.SliceOf(own)
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: args}), true
}

// expression adds an expression that depends on no variable as it stands.
func (w *walker) expression(x ast.Expr, t types.Type) (int, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 || !w.c.closed(x) {
		return 0, false
	}
	text, uses := w.c.text(x)
	if text == "" || len(text) > 2000 {
		return 0, false
	}
	k := "expr " + key(t) + " " + text
	if _, ok := w.c.made[k]; !ok {
		if w.c.fixed++; w.c.fixed > maxFixed {
			return 0, false
		}
	}
	// A literal that stands in another may leave out its type.
	lit, _ := x.(*ast.CompositeLit)
	bare := lit != nil && lit.Type == nil
	o := w.c.op(k, t, func(own types.Type) *candidate.Op {
		typ := w.c.native(w.c.info.TypeOf(x))
		if typ == nil {
			return nil
		}
		return candidate.Expression(own, func(f *gofile.File) string {
			out := oneLine(spelled(text, uses, f))
			if p, ok := typ.(*types.Pointer); ok && bare {
				return "&" + f.Type(p.Elem()) + out
			} else if bare {
				return f.Type(typ) + out
			}
			return out
		}, "from a test")
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o}), true
}

// call adds a call of a function, and returns the number of its first result.
func (w *walker) call(x *ast.CallExpr) (int, bool) {
	var fn *types.Func
	var recv ast.Expr
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
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
	if fn == nil || fn.Pkg() == nil {
		return 0, false
	}
	var args []int
	var op *candidate.Op
	name := source.FuncName(fn)
	if recv != nil {
		t := w.c.info.TypeOf(recv)
		if t == nil {
			return 0, false
		}
		r, ok := w.value(recv, nil)
		if !ok {
			return 0, false
		}
		if op = w.c.calls[name+" "+key(t)]; op == nil {
			pt := types.NewPointer(t)
			if op = w.c.calls[name+" "+key(pt)]; op != nil {
				if r, ok = w.address(r, pt); !ok {
					return 0, false
				}
			} else if p, ok := t.Underlying().(*types.Pointer); ok {
				if op = w.c.calls[name+" "+key(p.Elem())]; op != nil {
					o := w.c.op("deref "+key(p.Elem()), p.Elem(), candidate.Deref)
					if o == nil {
						return 0, false
					}
					r = w.add(seedStmt{op: o, args: []int{r}})
				}
			}
		}
		args = append(args, r)
	} else {
		op = w.c.calls[name]
	}
	if op == nil {
		return 0, false
	}
	sig, ok := w.c.info.TypeOf(x.Fun).(*types.Signature)
	if !ok {
		return 0, false
	}
	list := x.Args
	in := op.In[len(args):]
	for i, t := range in {
		if sig.Variadic() && i == len(in)-1 && !x.Ellipsis.IsValid() {
			s, ok := t.Underlying().(*types.Slice)
			if !ok {
				return 0, false
			}
			var elems []int
			for _, a := range list[min(i, len(list)):] {
				r, ok := w.value(a, s.Elem())
				if !ok {
					return 0, false
				}
				elems = append(elems, r)
			}
			r, ok := w.sliceOf(t, elems)
			if !ok {
				return 0, false
			}
			args = append(args, r)
			break
		}
		if i >= len(list) {
			return 0, false
		}
		r, ok := w.value(list[i], t)
		if !ok {
			return 0, false
		}
		args = append(args, r)
	}
	w.calls = true
	return w.add(seedStmt{op: op, args: args}), true
}
