package gofile

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// checked type-checks the source of a package.
func checked(t *testing.T, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err, src)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset,
		[]*ast.File{file}, nil)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, src)
	}
	return pkg
}

// TestStub checks that the declared type implements the interface, whatever the names of its
// methods, and that every result can be set.
func TestStub(t *testing.T) {
	for _, methods := range []string{
		"Get(string) int",
		"Close() error; close() error",
		"A() (int, int); A_1() int; a_1() int",
		"Type() string; Func(...int)",
		"Éa(x, y int) (map[string][]int, error)",
		"",
	} {
		src := "package p\n\ntype I interface{ " + methods + " }\n"
		pkg := checked(t, src)
		f := New(pkg)
		f.Prefix = NamePrefix("TestX")
		iface := pkg.Scope().Lookup("I").Type()
		results, ok := f.StubResults(iface)
		if !ok {
			t.Errorf("%s: StubResults refuses it", methods)
			continue
		}
		args := make([]string, len(results))
		for i, r := range results {
			args[i] = "*new(" + f.Type(r) + ")"
		}
		e := f.Stub(iface, args)
		if again := f.Stub(iface, args); again != e {
			t.Errorf("%s: the second stub is %s, want %s", methods, again, e)
		}
		if n := strings.Count(e, "*new("); n != len(results) {
			t.Errorf("%s: %d of %d results are set: %s", methods, n, len(results), e)
		}
		checked(t, src+f.Declarations(e)+"\nvar _ I = "+e+"\n")
	}
}

// TestStubUnexported checks that an unexported method of another package is refused.
func TestStubUnexported(t *testing.T) {
	other := checked(t, "package p\n\ntype I interface{ m() }\n")
	if _, ok := New(types.NewPackage("q",
		"q")).StubResults(other.Scope().Lookup("I").Type()); ok {
		t.Error("StubResults accepts an unexported method of another package")
	}
}

func TestComment(t *testing.T) {
	if got, want := Comment("a\x00b\ncé\ufeff"), "a?b\n// cé?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestFile checks which types a file may name, and how.
func TestFile(t *testing.T) {
	pkg := checked(t, `package p

import (
	"io"
	"reflect"
	"text/template"
	html "html/template"
)

var io2 int

type Local struct{}

type hidden = reflect.Value

var (
	reader io.Reader
	local  map[string]*Local
	value  []hidden
	text   *template.Template
	page   *html.Template
)

func f() { type inner int; var v inner; _ = v }
`)
	f := New(pkg)
	f.Reserved["io"] = true
	for _, tt := range []struct{ name, want string }{
		{"reader", "io3.Reader"}, // io is reserved, and io2 is declared
		{"local", "map[string]*Local"},
		{"value", "[]hidden"},
		{"text", "*template.Template"},
		{"page", "*template2.Template"},
	} {
		typ := pkg.Scope().Lookup(tt.name).Type()
		if got := f.Type(typ); !f.Nameable(typ) || got != tt.want {
			t.Errorf("%s: got %s, want %s; nameable: %v", tt.name, got, tt.want,
				f.Nameable(typ))
		}
	}
	inner := pkg.Scope().Lookup("f").(*types.Func).Scope().Lookup("inner")
	if f.Nameable(inner.Type()) {
		t.Error("a type that is declared in a function is nameable")
	}
	const want = "import (\n\ttemplate2 \"html/template\"\n\tio3 \"io\"\n)\n"
	if got := f.Imports("io3.EOF template2.New"); got != want {
		t.Errorf("got imports %s, want %s", got, want)
	}
	if got := f.Imports("x"); got != "" {
		t.Errorf("got imports %s for a body that mentions none", got)
	}
}

// TestImportable checks the rule for internal packages, and that package main cannot be imported.
func TestImportable(t *testing.T) {
	f := New(types.NewPackage("a/b/c", "c"))
	for path, want := range map[string]bool{
		"x":              true,
		"a/b/internal/x": true,
		"a/internal/x":   true,
		"a/d/internal/x": false,
		"internal/x":     false,
		"vendor/x":       false,
		"a/b/c":          false, // itself
		"a/b/cmd/main":   false,
	} {
		if got := f.Importable(types.NewPackage(path,
			path[strings.LastIndexByte(path, '/')+1:])); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}
