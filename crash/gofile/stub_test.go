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

func checked(t *testing.T, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err, src)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, src)
	}
	return pkg
}

// TestStub: the type that is declared implements the interface, whatever its methods are called, and returns what it is given.
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
			t.Errorf("%s: no stub", methods)
			continue
		}
		args := make([]string, len(results))
		for i, r := range results {
			args[i] = "*new(" + f.Type(r) + ")"
		}
		e := f.Stub(iface, args)
		if again := f.Stub(iface, args); again != e {
			t.Errorf("%s: two stubs, %s and %s", methods, e, again)
		}
		if n := strings.Count(e, "*new("); n != len(results) {
			t.Errorf("%s: %d of %d results are given: %s", methods, n, len(results), e)
		}
		checked(t, src+f.Declarations(e)+"\nvar _ I = "+e+"\n")
	}
}

// TestStubRefused: a method that is not exported by another package cannot be written.
func TestStubRefused(t *testing.T) {
	other := checked(t, "package p\n\ntype I interface{ m() }\n")
	if _, ok := New(types.NewPackage("q", "q")).StubResults(other.Scope().Lookup("I").Type()); ok {
		t.Error("a stub of an unexported method of another package")
	}
}

func TestComment(t *testing.T) {
	if got, want := Comment("a\x00b\ncé\ufeff"), "a?b\n// cé?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
