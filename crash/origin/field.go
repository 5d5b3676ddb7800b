package origin

import (
	"go/ast"
	"go/types"

	"dsd/internal/source"
)

// sameField reports whether two offsets from a nil pointer are of one field that the line of the panic reads or writes:
// which word of a string, a slice or an interface comes first, each compiler decides.
func (m *Module) sameField(a, b uint64) bool {
	if len(m.Target.Frames) == 0 {
		return false
	}
	f := m.Target.Frames[0]
	if f.Fn == nil || f.Fn.Decl == nil {
		return false
	}
	if sig := f.Fn.Obj.Signature(); sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return false // sizes are not known
	}
	found := false
	ast.Inspect(f.Fn.Decl, func(n ast.Node) bool {
		x, ok := n.(*ast.SelectorExpr)
		if ok && m.Prog.Fset.PositionFor(x.Sel.Pos(), false).Line == f.Pos.Line {
			if off, size, ok := fieldAt(f.Fn.Pkg, m.Prog.Sizes, x); ok {
				in := func(at uint64) bool { return uint64(off) <= at && at < uint64(off+size) }
				found = found || in(a) && in(b)
			}
		}
		return !found
	})
	return found
}

// fieldAt returns the offset of a field from the last pointer on the way to it, and its size, in bytes; ok is false if x is
// no field behind a pointer.
func fieldAt(pkg *source.Package, sizes types.Sizes, x *ast.SelectorExpr) (off, size int64, ok bool) {
	s := pkg.Info.Selections[x]
	if s == nil || s.Kind() != types.FieldVal {
		return 0, 0, false
	}
	t := s.Recv()
	_, behind := t.Underlying().(*types.Pointer)
	if !behind {
		switch outer := ast.Unparen(x.X).(type) {
		case *ast.SelectorExpr:
			off, _, behind = fieldAt(pkg, sizes, outer)
		case *ast.StarExpr:
			behind = true
		}
	}
	for _, i := range s.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t, off, behind = p.Elem(), 0, true
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return 0, 0, false
		}
		fields := make([]*types.Var, st.NumFields())
		for j := range fields {
			fields[j] = st.Field(j)
		}
		off += sizes.Offsetsof(fields)[i]
		t = fields[i].Type()
	}
	return off, sizes.Sizeof(t), behind
}
