package source

import (
	"context"
	"go/types"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestFuncName compares the names of functions with those in the stack traces of a program that
// calls each function.
func TestFuncName(t *testing.T) {
	prog, err := Load(context.Background(), "testdata/names", nil)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "./cmd")
	cmd.Dir = "testdata/names"
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]bool{}
	for _, name := range strings.Fields(string(out)) {
		seen[name] = true
	}
	// It ran, but Funcs leaves init functions out.
	delete(seen, "example.com/names%2ev1.init.0")
	// Stack traces of a program have main where FuncName has the import path.
	delete(seen, "main.main")

	got := map[string]bool{}
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			if f.Pkg != pkg || f.Decl.Name.Name != f.Obj.Name() {
				t.Errorf("%s has the declaration %v and the object %v", f.Name, f.Decl.Name, f.Obj)
			}
			if got[f.Name] {
				t.Errorf("%s is listed twice", f.Name)
			}
			got[f.Name] = true
			if pkg.Name != "main" && !strings.HasSuffix(f.Name, ".Here") && !seen[f.Name] {
				t.Errorf("%s is in no stack trace", f.Name)
			}
		}
	}
	for name := range seen {
		if !got[name] {
			t.Errorf("%s is in a stack trace, but Funcs does not return it", name)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d functions ran", len(seen))
	}
}

// TestFuncs checks the source order, and that functions are left out that cannot be called by name
// or have no body.
func TestFuncs(t *testing.T) {
	prog, err := Load(context.Background(), "testdata/names", []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range prog.Packages[0].Funcs() {
		got = append(got, strings.TrimPrefix(f.Name, "example.com/names%2ev1."))
	}
	want := []string{
		"Here", "All", "plain", "variadic", "named", "ähnlich", "T.value", "(*T).pointer", "T.blank",
		"Ints.slice", "(*Ints).slicePointer",
		"Func.function", "generic[...]", "twoParameters[...]", "Pair[...].generic",
		"(*Pair[...]).genericPointer", "unexported.method",
		"unexported.Exported", "T.ofAlias",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestInterfaceNames compares the names of methods by the interface that callers use and by the one
// that declares them.
func TestInterfaceNames(t *testing.T) {
	prog, err := Load(context.Background(), "testdata/names", []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	scope := prog.Packages[0].Types.Scope()
	const pkg = "example.com/names%2ev1."
	for _, test := range []struct{ iface, method, byInterface, byMethod string }{
		{"I", "M", pkg + "I.M", pkg + "I.M"},
		{"I", "N", pkg + "I.N", pkg + "J.N"}, // embedded: declared by another
		{"I", "Error", pkg + "I.Error", "error.Error"},
		{"J", "N", pkg + "J.N", pkg + "J.N"},
		{"G", "Get", pkg + "G.Get", pkg + "G[...].Get"},
	} {
		named := scope.Lookup(test.iface).Type().(*types.Named)
		obj, _, _ := types.LookupFieldOrMethod(named, false, prog.Packages[0].Types, test.method)
		m := obj.(*types.Func)
		if got := InterfaceMethodName(named, m); got != test.byInterface {
			t.Errorf("%s.%s by its interface is %s, want %s", test.iface, test.method, got, test.byInterface)
		}
		if got := FuncName(m); got != test.byMethod {
			t.Errorf("%s.%s is %s, want %s", test.iface, test.method, got, test.byMethod)
		}
	}
	// An instance has the name of the generic type.
	g := scope.Lookup("Local").Type().Underlying().(*types.Struct).Field(0).Type()
	if got := FuncName(g.Underlying().(*types.Interface).Method(0)); got != pkg+"G[...].Get" {
		t.Errorf("%v has the method %s", g, got)
	}
	errorType := types.Universe.Lookup("error").Type().(*types.Named)
	if got := InterfaceMethodName(errorType,
		errorType.Underlying().(*types.Interface).Method(0)); got != "error.Error" {
		t.Errorf("the method of error is %s", got)
	}
}
