package confirm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"dsd/crash/search/feedback"
	"dsd/crash/search/paramgraph"
	"dsd/internal/source"
	"dsd/schemas"
)

// way says who can write the inputs of a crash.
type way int

const (
	noWay      way = iota // nothing confirms the warning
	literalWay            // code that sets unexported fields, or makes values by unexported functions
	packageWay            // code of the package: it calls an unexported function
	// zeroWay is any user of the package, who does not call the constructor of a type that has one.
	zeroWay
	publicWay // any user of the package
)

// wayOf returns who can write the inputs of a crash.
func (c *confirmer) wayOf(x *schemas.Crash) way {
	f := c.funcs[x.Func]
	switch {
	case x.BuiltBy == schemas.ByLiteral:
		return literalWay
	case f != nil && !f.Obj.Exported():
		return packageWay
	case f != nil && writesPastConstructor(f.Pkg, x.Inputs):
		return zeroWay
	}
	return publicWay
}

// candidateWay returns who can write the candidate of a crash.
func candidateWay(x *feedback.Crash) way {
	switch {
	case x.Fabricated:
		return literalWay
	case !x.Target.Exported():
		return packageWay
	}
	return publicWay
}

// writesPastConstructor reports whether statements make a value of a struct type of the package that
// has unexported fields and an exported constructor, without calling that.
func writesPastConstructor(pkg *source.Package, statements string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+statements+"\n}", 0)
	if err != nil {
		return false
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		var made ast.Expr // the type of which n makes a value
		switch n := n.(type) {
		case *ast.CompositeLit:
			made = n.Type
		case *ast.ValueSpec:
			made = n.Type
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "new" && len(n.Args) == 1 {
				made = n.Args[0]
			}
		}
		switch t := made.(type) { // without type arguments
		case *ast.IndexExpr:
			made = t.X
		case *ast.IndexListExpr:
			made = t.X
		}
		id, ok := made.(*ast.Ident)
		if !ok {
			return true
		}
		if tn, ok := pkg.Types.Scope().Lookup(id.Name).(*types.TypeName); ok {
			found = found || hasUnexportedField(tn.Type()) && paramgraph.HasConstructor(tn.Type())
		}
		return true
	})
	return found
}

// hasUnexportedField reports whether a type is a struct with such a field.
func hasUnexportedField(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}
