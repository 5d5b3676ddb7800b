package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibraryResults reads the source of the standard library and compares it with what is assumed
// of its results: no constructor but the listed ones says "return nil", and no exported function
// "return nil, nil". What is returned through variables and other calls is not seen.
func TestLibraryResults(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{join .GoFiles \" \"}}",
		"std").Output()
	if err != nil {
		t.Fatal(err)
	}
	constructors, results := 0, 0
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "\t")
		if len(part) < 3 || strings.Contains(part[0], "internal") ||
			strings.HasPrefix(part[0], "vendor/") || part[0] == "database/sql" ||
			!isStandard(part[0]) {
			continue
		}
		for _, name := range strings.Fields(part[2]) {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(part[1], name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil || !f.Name.IsExported() || !hasExportedReceiver(f) {
					continue
				}
				n := f.Type.Results.NumFields()
				constructs := n == 1 && f.Recv == nil && strings.HasPrefix(f.Name.Name, "New") &&
					isReference(f.Type.Results.List[0].Type)
				fallible := n == 2 && isReference(f.Type.Results.List[0].Type) &&
					isIdent(f.Type.Results.List[len(f.Type.Results.List)-1].Type, "error")
				switch {
				case constructs:
					constructors++
				case fallible:
					results++
				default:
					continue
				}
				full := libraryName(part[0], f)
				if returnsNil(f, n) && !nilConstructors[full] && !nilWithoutError[full] {
					t.Errorf("%s may return nil", full)
				}
			}
		}
	}
	if constructors < 100 || results < 200 {
		t.Errorf("%d constructors and %d functions with errors, want at least 100 and 200",
			constructors, results)
	}
}

// libraryName returns the name of a function as stack traces have it.
func libraryName(path string, f *ast.FuncDecl) string {
	if f.Recv == nil {
		return path + "." + f.Name.Name
	}
	switch t := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			return path + ".(*" + id.Name + ")." + f.Name.Name
		}
	case *ast.Ident:
		return path + "." + t.Name + "." + f.Name.Name
	}
	return path + ".?." + f.Name.Name
}

// hasExportedReceiver reports whether f is a function, or a method of an exported type.
func hasExportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	t := f.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.IsExported()
}

// isReference reports whether a type expression is a pointer, or the name of another type that may
// be an interface.
func isReference(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.StarExpr, *ast.SelectorExpr, *ast.FuncType, *ast.InterfaceType:
		return true
	case *ast.Ident:
		return x.IsExported()
	}
	return false
}

func isIdent(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// returnsNil reports whether f has a return statement with n times nil.
func returnsNil(f *ast.FuncDecl, n int) (found bool) {
	ast.Inspect(f.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			nils := 0
			for _, x := range node.Results {
				if isIdent(x, "nil") {
					nils++
				}
			}
			found = found || nils == n
		}
		return true
	})
	return found
}
