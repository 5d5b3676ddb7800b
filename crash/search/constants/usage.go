package constants

import (
	"go/ast"
	"go/types"
	"slices"

	"dsd/internal/source"
)

// maxUsual is the number of values that are kept of one parameter or field.
const maxUsual = 60

// usage holds the literals that stand for the arguments of calls and the fields of composite
// literals. Functions and fields are told apart by their names only. The argument that a test gives
// to a function is a better guess than any other constant.
type usage struct {
	args   map[string]map[int][]Literal // by the function's name and the argument's index
	fields map[string][]Literal         // by the field's name
}

// usageOf collects the literals in the calls and composite literals of files.
func usageOf(files []*ast.File) *usage {
	u := &usage{args: map[string]map[int][]Literal{}, fields: map[string][]Literal{}}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				u.addCall(n)

			case *ast.KeyValueExpr:
				id, isField := n.Key.(*ast.Ident)
				if l, ok := literalOf(n.Value); ok && isField {
					u.fields[id.Name] = appendUsual(u.fields[id.Name], l)
				}
			}
			return true
		})
	}
	return u
}

func (u *usage) addCall(call *ast.CallExpr) {
	name := ""
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
	}
	for i, arg := range call.Args {
		if l, ok := literalOf(arg); ok && name != "" {
			if u.args[name] == nil {
				u.args[name] = map[int][]Literal{}
			}
			u.args[name][i] = appendUsual(u.args[name][i], l)
		}
	}
}

// appendUsual appends a literal unless it is in the list or the list is full.
func appendUsual(list []Literal, l Literal) []Literal {
	if len(list) >= maxUsual || slices.Contains(list, l) {
		return list
	}
	return append(list, l)
}

// maxCallDepth is how far calls are followed to collect the constants that a function uses.
const maxCallDepth = 2

// byFunction returns, for each function of a package, the constants in its body and in the bodies
// of the functions of the package that it calls, up to maxCallDepth calls deep.
func byFunction(pkg *source.Package) map[*types.Func][]Literal {
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, f := range pkg.Funcs() {
		decls[f.Obj] = f.Decl
	}
	out := map[*types.Func][]Literal{}
	for fn := range decls {
		var list []Literal
		seen := map[*types.Func]bool{}
		var visit func(fn *types.Func, depth int)
		visit = func(fn *types.Func, depth int) {
			if seen[fn] || decls[fn] == nil || decls[fn].Body == nil {
				return
			}
			seen[fn] = true
			ast.Inspect(decls[fn].Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					callee, ok := pkg.Info.Uses[n].(*types.Func)
					if ok && depth > 0 {
						visit(callee.Origin(), depth-1)
					}

				case ast.Expr:
					if l, ok := literalOf(n); ok {
						list = appendUsual(list, l)
					}
				}
				return true
			})
		}
		visit(fn, maxCallDepth)
		out[fn] = list
	}
	return out
}
