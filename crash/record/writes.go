package record

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// writes holds the struct fields that each function may write, itself or in its callees. The
// copying mode "used" saves these on entry; all others still hold on a panic what they held on
// entry [REC 2.3.1]. ReCrash saves fields that are only read, too, and finds the fields by a
// pointer analysis.
//
// It is not sound: calls of function values are not followed, nor calls into other modules.
type writes struct {
	summary *callgraph.Summary
	// pointees has a variable for each type, other than structs, that a function writes through
	// a pointer. By type, as types.TypeString writes it.
	pointees map[string]*types.Var
}

// newWrites analyzes all functions of a program. The cost is linear in the size of the source,
// times that of a bit set of fields.
func newWrites(g *callgraph.Graph) *writes {
	w := &writes{pointees: map[string]*types.Var{}}
	w.summary = g.Summarize(callgraph.Call|callgraph.InterfaceCall, w.own)
	return w
}

// own adds the fields that a function writes by itself.
func (w *writes) own(f *source.Func, add func(*types.Var)) {
	info := f.Pkg.Info
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				w.write(info, x, add)
			}

		case *ast.IncDecStmt:
			w.write(info, n.X, add)

		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if x != nil {
					w.write(info, x, add)
				}
			}

		case *ast.UnaryExpr: // whoever has the address may write
			if n.Op == token.AND {
				w.write(info, n.X, add)
			}

		case *ast.CallExpr: // x.f.M() may take the address of x.f
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				s := info.Selections[sel]
				if s != nil && s.Kind() == types.MethodVal && !s.Indirect() {
					w.write(info, sel.X, add)
				}
			}
		}
		return true
	})
}

// write adds the fields that an assignment to x overwrites, at least in part: those on the way from
// the variable, pointer, slice or map that x starts from. So x.f.g = v overwrites g, and also f if
// f is a struct, but x.f[i] = v overwrites f only if f is an array.
func (w *writes) write(info *types.Info, x ast.Expr, add func(*types.Var)) {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[y]; s != nil && s.Kind() == types.FieldVal {
				add(s.Obj().(*types.Var))
				if s.Indirect() {
					return
				}
			}
			x = y.X

		case *ast.IndexExpr:
			if _, ok := info.TypeOf(y.X).Underlying().(*types.Array); !ok {
				return
			}
			x = y.X

		case *ast.StarExpr:
			t := info.TypeOf(y)
			s, ok := t.Underlying().(*types.Struct)
			if !ok {
				add(w.pointee(t))
				return
			}
			for i := range s.NumFields() {
				add(s.Field(i))
			}
			return

		default:
			return
		}
	}
}

// pointee returns the variable that stands for whatever pointers to a type point to.
func (w *writes) pointee(t types.Type) *types.Var {
	text := types.TypeString(t, nil)
	v := w.pointees[text]
	if v == nil {
		v = types.NewVar(token.NoPos, nil, text, t)
		w.pointees[text] = v
	}
	return v
}

// writesPointee reports whether a function may write through a pointer to a type that is no struct.
func (w *writes) writesPointee(f *types.Func, t types.Type) bool {
	return w.summary.Of(f).Has(w.pointee(t))
}

// writesBelow reports whether a function may write something that a pointer to a type leads to. It
// follows at most so many pointers, that one included.
func (w *writes) writesBelow(f *types.Func, t types.Type, pointers int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return w.writesPointee(f, t)
	}
	if len(w.fields(f, s)) > 0 {
		return true
	}
	for i := range s.NumFields() {
		p, ok := s.Field(i).Type().Underlying().(*types.Pointer)
		if ok && pointers > 1 && w.writesBelow(f, p.Elem(), pointers-1) {
			return true
		}
	}
	return false
}

// maxNested is how deep structs may be nested in a field whose parts count as parts of the field.
const maxNested = 3

// fields returns the fields of a struct type that a function may write, or parts of them.
func (w *writes) fields(f *types.Func, s *types.Struct) []*types.Var {
	written := w.summary.Of(f)
	var partly func(t types.Type, nested int) bool
	partly = func(t types.Type, nested int) bool {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				v := u.Field(i)
				if written.Has(v) || nested > 0 && partly(v.Type(), nested-1) {
					return true
				}
			}
		case *types.Array:
			return partly(u.Elem(), nested)
		}
		return false
	}
	var out []*types.Var
	for i := range s.NumFields() {
		v := s.Field(i)
		if v.Name() != "_" && (written.Has(v) || partly(v.Type(), maxNested)) {
			out = append(out, v)
		}
	}
	return out
}
