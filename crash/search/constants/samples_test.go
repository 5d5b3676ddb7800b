package constants

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestSamples: the folders with inputs of tests are those with a usual name and those without Go code that the tests
// name; of a JSON file, the texts in it are samples, too.
func TestSamples(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"testdata/a.txt":       "one\n",
		"compliance/b.json":    `[{"expression": "sort_by(@, &a)", "cases": ["a[0]", 1, null, "a[0]"]}]`,
		"compliance/broken.js": "x",
		"other/c.txt":          "nobody names this",
		"code/code.go":         "package code\n",
		"code/d.txt":           "beside code",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const test = "package p\n\nvar names = []string{`./compliance/`, `code/d.txt`, `..`, `../x`, `/etc`, ``, `.`}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "p_test.go", test, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"one\n", `[{"expression": "sort_by(@, &a)", "cases": ["a[0]", 1, null, "a[0]"]}]`, "x", "a[0]", "sort_by(@, &a)",
	}
	if got := samples(dir, []*ast.File{f}); !reflect.DeepEqual(got, want) {
		t.Errorf("samples: %q, want %q", got, want)
	}
}
