package source

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/symbol"
)

// Literals returns the function literals of pkg that others may call like declared functions, in
// source order: those that use no variables and no type parameters of a function around them, and
// are not called where they are written. Their names are those in stack traces, as long as the
// compiler inlines nothing: F.func1 for the first in F, F.func1.2 for the second in that one,
// init.func1 for the first in the declarations of package-level variables. numbers has those at the
// end of these names, for all literals of pkg.
func (pkg *Package) Literals() (alone []*Func, numbers map[*ast.FuncLit]int) {
	r := &literalReader{pkg: pkg, initial: new(int), numbers: map[*ast.FuncLit]int{}}
	inits := 0
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				r.inside(d, "init.func", r.initial)
			case *ast.FuncDecl:
				obj, _ := pkg.Info.Defs[d.Name].(*types.Func)
				if obj == nil || d.Body == nil || d.Name.Name == "_" {
					continue
				}
				n := symbol.Parse(FuncName(obj))
				n.Package = ""
				if d.Recv == nil && d.Name.Name == "init" {
					n.Suffix = fmt.Sprintf(".%d", inits)
					inits++
				}
				r.inside(d.Body, n.String()+".func", new(int))
			}
		}
	}
	return r.out, r.numbers
}

// Inits returns the init functions of pkg in the order in which they run. Their names are those in
// stack traces: init.0 for the first.
func (pkg *Package) Inits() []*Func {
	var out []*Func
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv != nil || fd.Name.Name != "init" || fd.Body == nil {
				continue
			}
			name := fmt.Sprintf("init.%d", len(out))
			obj := types.NewFunc(fd.Pos(), pkg.Types, name, new(types.Signature))
			out = append(out, &Func{Name: FuncName(obj), Pkg: pkg, Decl: fd, Obj: obj})
		}
	}
	return out
}

// Initializers returns the initializers of package-level variables that may panic, in the order of
// initialization, each as a function that assigns to its variables. All have the name init, which
// stack traces call them by; the names of their objects differ.
func (pkg *Package) Initializers() []*Func {
	var out []*Func
	for i, in := range pkg.Info.InitOrder {
		if !mayPanic(pkg.Info, in.Rhs) {
			continue
		}
		var lhs []ast.Expr
		for _, v := range in.Lhs {
			id := &ast.Ident{NamePos: v.Pos(), Name: v.Name()}
			pkg.Info.Uses[id] = v
			lhs = append(lhs, id)
		}
		assign := &ast.AssignStmt{Lhs: lhs, TokPos: in.Rhs.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{in.Rhs}}
		decl := &ast.FuncDecl{
			Name: &ast.Ident{NamePos: lhs[0].Pos(), Name: "init"}, Type: &ast.FuncType{},
			Body: &ast.BlockStmt{Lbrace: lhs[0].Pos(), List: []ast.Stmt{assign}, Rbrace: in.Rhs.End()},
		}
		obj := types.NewFunc(decl.Name.NamePos, pkg.Types, fmt.Sprintf("init.var%d", i), new(types.Signature))
		name := symbol.Name{Package: pkg.Path, Func: "init"}.String()
		out = append(out, &Func{Name: name, Pkg: pkg, Decl: decl, Obj: obj})
	}
	return out
}

// mayPanic reports whether the evaluation of an expression may panic: it calls a function, or has an
// operator that panics for some operands.
func mayPanic(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || !info.Types[n].IsValue() || info.Types[n].Value == nil
		case *ast.IndexExpr:
			found = found || info.Types[n.X].IsValue()
		case *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			found = true
		case *ast.SelectorExpr:
			s := info.Selections[n]
			found = found || s != nil && s.Indirect()
		case *ast.BinaryExpr:
			switch n.Op {
			case token.QUO, token.REM, token.SHL, token.SHR, token.EQL, token.NEQ:
				found = found || info.Types[n].Value == nil
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// literalReader collects the function literals of a package.
type literalReader struct {
	pkg     *Package
	initial *int // the number of literals in declarations of variables so far
	numbers map[*ast.FuncLit]int
	out     []*Func
}

// inside collects the literals in n. The name of each is prefix with a number; count is that of the
// last one.
func (r *literalReader) inside(n ast.Node, prefix string, count *int) {
	called := map[*ast.FuncLit]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok {
				called[lit] = true
			}
		case *ast.FuncLit:
			*count++
			r.numbers[n] = *count
			name := fmt.Sprintf("%s%d", prefix, *count) // in the package
			if sig, ok := r.pkg.Info.TypeOf(n).(*types.Signature); ok && !called[n] && r.isAlone(n) {
				decl := &ast.FuncDecl{Name: &ast.Ident{NamePos: n.Pos(), Name: name}, Type: n.Type,
					Body: n.Body}
				obj := types.NewFunc(n.Pos(), r.pkg.Types, name, sig)
				r.out = append(r.out, &Func{Name: FuncName(obj), Pkg: r.pkg, Decl: decl, Obj: obj,
					Literal: true})
			}
			r.inside(n.Body, name+".", new(int))
			return false
		}
		return true
	})
}

// isAlone reports whether a literal uses nothing that is declared in a function around it.
func (r *literalReader) isAlone(lit *ast.FuncLit) bool {
	alone := true
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return alone
		}
		obj := r.pkg.Info.Uses[id]
		switch obj.(type) {
		case *types.Var, *types.TypeName, *types.Const:
		default:
			return alone
		}
		outer := obj.Parent() != nil && obj.Pkg() == r.pkg.Types && obj.Parent() != r.pkg.Types.Scope()
		if outer && (obj.Pos() < lit.Pos() || obj.Pos() >= lit.End()) {
			_, isConst := obj.(*types.Const)
			_, isParam := obj.Type().(*types.TypeParam)
			_, isType := obj.(*types.TypeName)
			alone = isConst || isType && !isParam && !r.isGeneric(obj.Parent())
		}
		return alone
	})
	return alone
}

// isGeneric reports whether a scope is inside a function with type parameters.
func (r *literalReader) isGeneric(s *types.Scope) bool {
	for ; s != nil && s != r.pkg.Types.Scope(); s = s.Parent() {
		for _, name := range s.Names() {
			if tn, ok := s.Lookup(name).(*types.TypeName); ok {
				if _, ok := tn.Type().(*types.TypeParam); ok {
					return true
				}
			}
		}
	}
	return false
}
