package record

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"dsd/internal/symbol"
)

// reads returns the package-level variables of its package that a function mentions.
func (w *rewriter) reads(body *ast.BlockStmt) []string {
	var out []string
	seen := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := w.pkg.Info.Uses[id].(*types.Var)
		if ok && v.Parent() == w.pkg.Types.Scope() && !seen[v] {
			seen[v] = true
			w.globals[v.Name()] = true
			out = append(out, w.pkg.Path+"."+v.Name())
		}
		return true
	})
	return out
}

// register returns a file for the package that registers the package-level variables that its
// functions mention, and its errors, which are known by their identity. It also declares the zero
// variables.
func (w *rewriter) register() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport %s %q\n\nvar _ = %s.Var\n\nfunc init() {\n",
		w.pkg.Name, rtName, w.keep, rtName)
	for _, name := range w.pkg.Types.Scope().Names() {
		v, ok := w.pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok || name == "_" {
			continue
		}
		if w.globals[name] {
			fmt.Fprintf(&b, "\t%s.Var(%q, &%s)\n", rtName, w.pkg.Path+"."+name, name)
		}
		if isError(v.Type()) {
			fmt.Fprintf(&b, "\t%s.Sentinel(%q, &%s)\n", rtName, w.pkg.Path+"."+name, name)
		}
	}
	b.WriteString("}\n")
	for i, t := range w.zeros {
		fmt.Fprintf(&b, "\nvar %s%d %s\n", zeroName, i, t)
	}
	return []byte(b.String())
}

// isError reports whether a type is error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// library adds the error variables of the packages of the standard library that the package
// imports.
func (w *rewriter) library() {
	for _, imp := range w.pkg.Types.Imports() {
		if !symbol.MayBeStandard(imp.Path()) || w.prog.Package(imp.Path()) != nil ||
			imp.Path() == "unsafe" || !w.prog.Imports(imp.Path()) {
			continue
		}
		for _, name := range imp.Scope().Names() {
			v, ok := imp.Scope().Lookup(name).(*types.Var)
			if ok && v.Exported() && isError(v.Type()) {
				w.errors[imp.Path()+"."+name] = true
			}
		}
	}
}
