package compose

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// variable declares a variable that holds the expression e of type t, and returns its name: the
// given one, with a number if that is taken.
func (w *writer) variable(name, e string, t types.Type) string {
	v := w.name(name)
	if e == "nil" {
		w.emit("var %s %s", v, w.typ(t))
	} else if types.IsInterface(t) || isBasic(t) {
		w.emit("var %s %s = %s", v, w.typ(t), e)
	} else {
		w.emit("%s := %s", v, e)
	}
	return v
}

func isBasic(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }

// name returns a new name for a variable, which hides nothing that the test may mention: name, or
// name with a number.
func (w *writer) name(name string) string {
	if name == "" || name == "_" {
		name = "v"
	}
	free := name
	for i := 1; !w.free(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	w.taken[free] = true
	return free
}

// useAll adds an assignment, before the call, for each variable that the body declares and does not
// use: a value that holds it may have been dropped since.
func (w *writer) useAll() {
	body := "package zz_none\nfunc _() {\n" + strings.Join(w.lines, "\n") + "\n}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", body, 0)
	if err != nil {
		return // formatting reports it
	}
	uses, declared := map[string]int{}, map[string]bool{}
	declare := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			declared[id.Name] = true
		}
	}
	var count func(n ast.Node) bool
	count = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			uses[n.Name]++
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				declare(n.Lhs[0]) // the writer declares one at a time
			}
		case *ast.ValueSpec:
			declare(n.Names[0])
		case *ast.SelectorExpr: // the selector is no variable
			ast.Inspect(n.X, count)
			return false
		case *ast.CompositeLit:
			_, isMap := n.Type.(*ast.MapType)
			for _, e := range n.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if ok && !isMap { // neither is the name of a field
					e = kv.Value
				}
				ast.Inspect(e, count)
			}
			return false
		}
		return true
	}
	ast.Inspect(file, count)
	for _, v := range slices.Sorted(maps.Keys(declared)) {
		if uses[v] == 1 {
			w.lines = slices.Insert(w.lines, len(w.lines)-1, "\t_ = "+v)
		}
	}
}

// free reports whether a variable may have a name.
func (w *writer) free(name string) bool {
	return !w.taken[name] && !w.file.HasImport(name) && !w.mayImport(name) &&
		w.fn.Pkg.Types.Scope().Lookup(name) == nil && types.Universe.Lookup(name) == nil &&
		!token.IsKeyword(name)
}

// mayImport reports whether a name looks like that of a package that the test may import later:
// testing, or one that the function's package imports.
func (w *writer) mayImport(name string) bool {
	if name == "testing" {
		return true
	}
	for _, file := range w.fn.Pkg.Files {
		for _, spec := range file.Imports {
			p := strings.Trim(spec.Path.Value, `"`)
			if p[strings.LastIndexByte(p, '/')+1:] == name {
				return true
			}
		}
	}
	return false
}

// cutName cuts the name of a package-level variable or function, such as example.com/m/pkg.V, into
// an import path and a local name.
func cutName(name string) (path, local string) {
	dot := strings.LastIndexByte(name, '.')
	return name[:max(dot, 0)], name[dot+1:]
}

// isExported reports whether a name begins with an ASCII capital letter.
func isExported(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
