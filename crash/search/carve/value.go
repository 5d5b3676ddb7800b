package carve

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
)

// key identifies a type.
func key(t types.Type) string { return paramgraph.Key(t) }

// add adds a statement and returns the number of its first result.
func (w *walker) add(st stmt) int {
	w.seed.stmts = append(w.seed.stmts, st)
	first := w.results
	w.results += len(st.op.Out)
	return first
}

// value adds what makes the value of an expression and returns the number of the result. The value
// is converted to type t if t is not nil. It reports false if operations cannot express the value.
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
		if f := w.rowField(x); f != nil {
			return w.value(f, t)
		}

	case *ast.CallExpr:
		if r, ok := w.conversion(x); ok {
			return r, true
		}
		if r, ok := w.call(x); ok {
			return r, true
		}
		if list, ok := w.helper(x); ok {
			if len(list) != 1 || list[0] == unknown {
				return 0, false
			}
			if list[0].expr != nil {
				return w.value(list[0].expr, t)
			}
			return list[0].result, true
		}

	case *ast.BinaryExpr:
		if b, ok := t.Underlying().(*types.Basic); ok {
			if v := w.constant(x); v != nil {
				return w.literal(t, v, b)
			}
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

// conversion adds a conversion between basic types and slices of bytes or runes. It does so in files of
// Graph's argument more only, whose literals are the inputs of fuzz targets: elsewhere, a conversion of a
// constant is an operation without arguments.
func (w *walker) conversion(x *ast.CallExpr) (int, bool) {
	if tv := w.c.info.Types[x.Fun]; !tv.IsType() || len(x.Args) != 1 || !w.c.isMore(x.Pos()) {
		return 0, false
	}
	to, from := w.c.info.TypeOf(x), w.c.info.TypeOf(x.Args[0])
	if from == nil || !isText(to) && !isText(from) {
		return 0, false
	}
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		from = types.Default(from)
	}
	r, ok := w.value(x.Args[0], from)
	if !ok {
		return 0, false
	}
	o := w.c.op("convert "+key(to)+" "+key(from), to, func(own types.Type) *candidate.Op {
		for _, o := range w.c.b.Table() {
			if o.Name == "bytes" && key(o.Out[0]) == key(own) && key(o.In[0]) == key(from) {
				return o
			}
		}
		arg := w.c.graphType(from)
		if arg == nil {
			return nil
		}
		return candidate.Derived(own, arg, "convert", func(f *gofile.File, arg string) string {
			return f.Type(own) + "(" + arg + ")"
		})
	})
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o, args: []int{r}}), true
}

// isText reports whether a type is a string or a slice of bytes or runes.
func isText(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		b, ok := s.Elem().Underlying().(*types.Basic)
		return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune)
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// zero adds the zero value of a type.
func (w *walker) zero(t types.Type) (int, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return w.literal(t, constant.MakeInt64(0), b)
	}
	o := w.c.op("zero "+key(t), t, candidate.Zero)
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o}), true
}

// literal adds a constant of a basic type. A value of another kind gives the zero value of strings
// and booleans.
func (w *walker) literal(t types.Type, v constant.Value, b *types.Basic) (int, bool) {
	var val constants.Value
	info := b.Info()
	switch {
	case info&types.IsString != 0:
		if v.Kind() == constant.String {
			val.Text = constant.StringVal(v)
		}

	case info&types.IsBoolean != 0:
		if v.Kind() == constant.Bool && constant.BoolVal(v) {
			val.Bits = 1
		}

	case info&types.IsInteger != 0:
		i := constant.ToInt(v)
		if n, ok := constant.Int64Val(i); ok {
			val.Bits = uint64(n)
		} else if n, ok := constant.Uint64Val(i); ok {
			val.Bits = n
		} else {
			return 0, false
		}

	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		val.Bits = math.Float64bits(f)

	default:
		return 0, false
	}
	if b.Info()&types.IsUntyped != 0 {
		t = types.Default(b)
	}
	o := w.c.op("literal "+key(t), t, w.c.literalOp)
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o, value: val}), true
}

// literalOp returns the operation that makes literals of a type: that of the table if there is one.
func (c *carver) literalOp(t types.Type) *candidate.Op {
	for _, o := range c.b.Table() {
		if o.Lit && key(o.Out[0]) == key(t) {
			return o
		}
	}
	return candidate.Literal(t)
}

// convert adds the value of an expression as a value of an interface.
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
		for _, o := range w.c.b.Table() {
			if o.Converts && key(o.In[0]) == key(own) && key(o.Out[0]) == key(t) {
				return o
			}
		}
		if to := w.c.graphType(t); to != nil {
			return candidate.Convert(to, own)
		}
		return nil
	})
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o, args: []int{r}}), true
}

// address adds the address of a result, as a pointer of type t.
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
	return w.add(stmt{op: o, args: []int{r}}), true
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

// sliceOf adds a slice of results.
func (w *walker) sliceOf(t types.Type, args []int) (int, bool) {
	o := w.c.op("slice "+key(t), t, func(own types.Type) *candidate.Op {
		for _, o := range w.c.b.Table() {
			if o.Variadic && key(o.Out[0]) == key(own) {
				return o
			}
		}
		return candidate.SliceOf(own)
	})
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o, args: args}), true
}

// setField adds an assignment of a result to a field, through a pointer. If it is a field of a struct
// that is itself a field, that gets a new value, in which other fields are zero.
func (w *walker) setField(sel *ast.SelectorExpr, r int) {
	s := w.c.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return
	}
	if outer, ok := sel.X.(*ast.SelectorExpr); ok {
		if whole, ok := w.structWith(s, r); ok {
			w.setField(outer, whole)
		}
		return
	}
	object, ok := w.value(sel.X, nil)
	if !ok {
		return
	}
	t := w.c.info.TypeOf(sel.X)
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return
	}
	for _, o := range w.c.b.Table() {
		if len(o.Fields) == 2 && o.Fields[0] == nil && o.OnFirst &&
			o.Fields[1].Name() == sel.Sel.Name && key(o.In[0]) == key(t) {
			w.add(stmt{op: o, args: []int{object, r}})
			return
		}
	}
}

// structWith adds a struct in which one field has a value.
func (w *walker) structWith(s *types.Selection, r int) (int, bool) {
	if _, ok := s.Recv().Underlying().(*types.Struct); !ok || !s.Obj().Exported() {
		return 0, false
	}
	from := w.c.graphType(s.Obj().Type())
	if from == nil {
		return 0, false
	}
	o := w.c.op("with "+key(s.Recv())+" "+s.Obj().Name(), s.Recv(), func(own types.Type) *candidate.Op {
		return candidate.Derived(own, from, "with "+s.Obj().Name(), func(f *gofile.File, arg string) string {
			return f.Type(own) + "{" + s.Obj().Name() + ": " + arg + "}"
		})
	})
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o, args: []int{r}}), true
}

// composite returns the composite literal that an expression is, or that its variable stands for.
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
		return w.c.globalComposite(obj)
	}
	return nil
}

// globalComposite returns the composite literal that initializes a package-level variable of a test
// file.
func (c *carver) globalComposite(obj types.Object) *ast.CompositeLit {
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

// rowField returns the expression that a row of a table of cases has for a field.
func (w *walker) rowField(x *ast.SelectorExpr) ast.Expr {
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
