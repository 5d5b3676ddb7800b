package record

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/source"
)

// writes says which fields of structs functions may write, themselves or by what they call, as far as the program's source shows: calls of
// functions and methods, of interfaces' methods by their names, but not of function values, nor of other modules [REC 2.3].
type writes struct {
	// by are the fields that a function writes. What it writes through a pointer to something else than a struct is the field of that
	// type in pointees.
	by       map[*types.Func]map[*types.Var]bool
	pointees map[string]*types.Var
}

// writesOf analyses all functions of a program. Its cost is linear in the size of the source times the depth of the call graph.
func writesOf(prog *source.Program) *writes {
	w := &writes{by: map[*types.Func]map[*types.Var]bool{}, pointees: map[string]*types.Var{}}
	callers := map[*types.Func][]*types.Func{}
	methods := map[string][]*types.Func{} // by name
	var all []*source.Func
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			all = append(all, f)
			if f.Decl.Recv != nil {
				methods[f.Obj.Name()] = append(methods[f.Obj.Name()], f.Obj)
			}
		}
	}
	for _, f := range all {
		fields := map[*types.Var]bool{}
		w.by[f.Obj] = fields
		info := f.Pkg.Info
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					w.written(info, x, fields)
				}
			case *ast.IncDecStmt:
				w.written(info, n.X, fields)
			case *ast.RangeStmt:
				for _, x := range []ast.Expr{n.Key, n.Value} {
					if x != nil {
						w.written(info, x, fields)
					}
				}
			case *ast.UnaryExpr:
				if n.Op.String() == "&" {
					w.written(info, n.X, fields)
				}
			case *ast.CallExpr:
				for _, callee := range calleesOf(info, n, methods) {
					callers[callee] = append(callers[callee], f.Obj)
				}
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok { // a method of a field's address
					if s := info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && !s.Indirect() {
						w.written(info, sel.X, fields)
					}
				}
			}
			return true
		})
	}
	// What a function writes its callers do.
	work := make([]*types.Func, 0, len(all))
	for _, f := range all {
		work = append(work, f.Obj)
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		for _, caller := range callers[f] {
			before := len(w.by[caller])
			for v := range w.by[f] {
				w.by[caller][v] = true
			}
			if len(w.by[caller]) > before {
				work = append(work, caller)
			}
		}
	}
	return w
}

// pointee stands for what pointers to a type point to that is no struct.
func (w *writes) pointee(t types.Type) *types.Var {
	text := types.TypeString(t, nil)
	v := w.pointees[text]
	if v == nil {
		v = types.NewVar(token.NoPos, nil, text, t)
		w.pointees[text] = v
	}
	return v
}

// through says that a function may write through a pointer to a type that is no struct.
func (w *writes) through(f *types.Func, t types.Type) bool { return w.by[f][w.pointee(t)] }

// reaches says that a function may write something that is reached from a value of a type by so many pointers less one.
func (w *writes) reaches(f *types.Func, t types.Type, pointers int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return w.through(f, t)
	}
	if len(w.fields(f, s)) > 0 {
		return true
	}
	for i := range s.NumFields() {
		if p, ok := s.Field(i).Type().Underlying().(*types.Pointer); ok && pointers > 1 && w.reaches(f, p.Elem(), pointers-1) {
			return true
		}
	}
	return false
}

// written notes the field whose own memory an expression denotes a part of.
func (w *writes) written(info *types.Info, x ast.Expr, fields map[*types.Var]bool) {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[y]; s != nil && s.Kind() == types.FieldVal {
				fields[s.Obj().(*types.Var).Origin()] = true
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
				fields[w.pointee(t)] = true
				return
			}
			for i := range s.NumFields() {
				fields[s.Field(i).Origin()] = true
			}
			return
		default:
			return
		}
	}
}

// calleesOf are the program's functions that a call may call.
func calleesOf(info *types.Info, call *ast.CallExpr, methods map[string][]*types.Func) []*types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // type arguments
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		if f, ok := info.Uses[x].(*types.Func); ok {
			return []*types.Func{f.Origin()}
		}
	case *ast.SelectorExpr:
		f, ok := info.Uses[x.Sel].(*types.Func)
		if !ok {
			return nil
		}
		if recv := f.Type().(*types.Signature).Recv(); recv != nil && types.IsInterface(recv.Type()) {
			return methods[f.Name()]
		}
		return []*types.Func{f.Origin()}
	}
	return nil
}

// fields are the fields of a struct type that a function may write, or parts of them.
func (w *writes) fields(f *types.Func, s *types.Struct) []*types.Var {
	by := w.by[f]
	var out []*types.Var
	var any func(t types.Type, depth int) bool
	any = func(t types.Type, depth int) bool {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				if v := u.Field(i); by[v.Origin()] || depth > 0 && any(v.Type(), depth-1) {
					return true
				}
			}
		case *types.Array:
			return any(u.Elem(), depth)
		}
		return false
	}
	for i := range s.NumFields() {
		if v := s.Field(i); v.Name() != "_" && (by[v.Origin()] || any(v.Type(), 3)) {
			out = append(out, v)
		}
	}
	return out
}
