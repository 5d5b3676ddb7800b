package gofile

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestTypeAny checks that any is written as a package's language version has it.
func TestTypeAny(t *testing.T) {
	for _, tt := range []struct{ version, src, want string }{
		{"go1.21", "package p\n\nvar v map[string][]any", "map[string][]any"},
		{"go1.14", "package p\n\nvar v map[string]interface{}", "map[string]interface{}"},
		{"", "package p\n\nvar v func(interface{})", "func(interface{})"},
		{"go1.21", "package p\n\ntype any int\n\nvar v []interface{}", "[]interface{}"},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", tt.src, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{GoVersion: tt.version, Importer: importer.Default()}
		pkg, err := conf.Check("p", fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		typ := pkg.Scope().Lookup("v").Type()
		if got := New(pkg).Type(typ); got != tt.want {
			t.Errorf("%s %q: got %s, want %s", tt.version, tt.src, got, tt.want)
		}
		// The predeclared name comes from other packages, too.
		list := types.NewSlice(types.Universe.Lookup("any").Type())
		want := "[]interface{}"
		if tt.version == "go1.21" && pkg.Scope().Lookup("any") == nil {
			want = "[]any"
		}
		if got := New(pkg).Type(list); got != want {
			t.Errorf("%s %q: got %s, want %s", tt.version, tt.src, got, want)
		}
	}
}
