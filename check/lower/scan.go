package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"dsd/internal/source"
)

// scanTypes collects the named types of pkg that an interface of the testee may hold. A generic
// type is instantiated with representative type arguments.
func (w *World) scanTypes(pkg *source.Package) {
	add := func(t types.Type) { w.candidates = append(w.candidates, t, types.NewPointer(t)) }
	if pkg.Name == "main" {
		add = func(t types.Type) { w.programTypes = append(w.programTypes, t) }
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() { // sorted
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(n) {
			continue
		}
		var t types.Type = n
		if n.TypeParams().Len() > 0 {
			args, err := w.Representative(tn, n.TypeParams())
			if err != nil {
				continue
			}
			if t, err = types.Instantiate(w.context, n, args, false); err != nil {
				continue
			}
		}
		add(t)
	}
}

// scanSyntax finds the fields whose address is taken, and the types that interfaces are asserted
// to.
func (w *World) scanSyntax(pkg *source.Package, file *ast.File) {
	addressed := func(e ast.Expr) {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			if v, ok := pkg.Info.Uses[sel.Sel].(*types.Var); ok && v.IsField() {
				w.merged[v.Origin()] = true
			}
		}
	}
	mention := func(e ast.Expr) {
		t := pkg.Info.TypeOf(e)
		if t == nil || types.IsInterface(t) || hasTypeParam(t) ||
			t == types.Typ[types.UntypedNil] {
			return
		}
		w.assertedTypes = append(w.assertedTypes, t)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				addressed(n.X)
			}
		case *ast.SelectorExpr:
			s := pkg.Info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			if pointee(s.Recv()) == nil && !types.IsInterface(s.Recv()) {
				addressed(n.X)
			}
			// A method that is promoted through fields takes the address of the last
			// field.
			if f, ok := s.Obj().(*types.Func); ok && len(s.Index()) > 1 {
				recv := f.Type().(*types.Signature).Recv().Type()
				if _, ptr := recv.(*types.Pointer); ptr {
					path := s.Index()[:len(s.Index())-1]
					w.merged[fieldAt(s.Recv(), path).Origin()] = true
				}
			}
		case *ast.CallExpr:
			if _, ok := under(pkg.Info.TypeOf(n)).(*types.Chan); ok && pkg.Info.Types[n.Fun].IsBuiltin() {
				w.makesChannels = true
			}
			if tv := pkg.Info.Types[n.Fun]; tv.IsType() && len(n.Args) == 1 {
				from := pkg.Info.TypeOf(n.Args[0])
				if from != nil && pointee(tv.Type) != nil && pointee(from) != nil {
					w.converted = append(w.converted, [2]types.Type{pointee(tv.Type), pointee(from)})
				}
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				mention(n.Type)
			}
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					mention(e)
				}
			}
		}
		return true
	})
}

// scanRecover finds the methods that call recover, and whether a function that does is used as a value.
func (w *World) scanRecover(pkg *source.Package, file *ast.File) {
	called := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil && n.Body != nil && callsRecover(pkg.Info, n.Body) {
				w.recoveringMethods[n.Name.Name] = true
			}
		case *ast.CallExpr:
			switch fun := ast.Unparen(n.Fun).(type) {
			case *ast.SelectorExpr:
				called[fun.Sel] = true
			default:
				called[fun] = true
			}
		case *ast.FuncLit:
			if !called[n] && callsRecover(pkg.Info, n.Body) {
				w.recoveringValues = true
			}
		case *ast.Ident:
			fn, ok := pkg.Info.Uses[n].(*types.Func)
			if !ok || called[n] {
				break
			}
			if f := w.decls[fn.Origin()]; f != nil && f.Decl.Body != nil {
				w.recoveringValues = w.recoveringValues || callsRecover(f.Pkg.Info, f.Decl.Body)
			}
		}
		return true
	})
}

// fieldAt returns the last field on a path of fields from type t, through embedded pointers.
func fieldAt(t types.Type, index []int) *types.Var {
	var f *types.Var
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f = t.Underlying().(*types.Struct).Field(i)
		t = f.Type()
	}
	return f
}

// hasTypeParam reports whether a type parameter occurs in t.
func hasTypeParam(t types.Type) bool {
	return strings.Contains(types.TypeString(t, nil), "$") ||
		containsParam(t, map[types.Type]bool{})
}

// containsParam is hasTypeParam; seen holds the types that are being looked at.
func containsParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return containsParam(t.Elem(), seen)
	case *types.Slice:
		return containsParam(t.Elem(), seen)
	case *types.Array:
		return containsParam(t.Elem(), seen)
	case *types.Chan:
		return containsParam(t.Elem(), seen)
	case *types.Map:
		return containsParam(t.Key(), seen) || containsParam(t.Elem(), seen)
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if containsParam(t.TypeArgs().At(i), seen) {
				return true
			}
		}
		if obj := t.Obj(); obj.Pkg() != nil && obj.Parent() != nil &&
			obj.Parent() != obj.Pkg().Scope() { // perhaps declared in a generic function
			return containsParam(t.Underlying(), seen)
		}
	case *types.Tuple:
		for i := range t.Len() {
			if containsParam(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		return containsParam(t.Params(), seen) || containsParam(t.Results(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if containsParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for i := range t.NumExplicitMethods() {
			if containsParam(t.ExplicitMethod(i).Signature(), seen) {
				return true
			}
		}
	}
	return false
}
