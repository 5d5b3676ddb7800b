package source

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"
)

// module writes files, given by name and content, into a new directory.
func module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goMod = "module example.com/m\n\ngo 1.24\n"

// TestLoad checks the fields of Programs for several directories and patterns.
func TestLoad(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n\nrequire example.com/dep v0.0.0\n\n" +
			"replace example.com/dep => ./dep\n",
		"dep/go.mod": "module example.com/dep\n",
		"dep/dep.go": "package dep\n\nfunc F() int { return 1 }\n",
		"z.go": "// Package z is not called what its path says.\npackage z\n\n" +
			"import (\n\t\"example.com/dep\"\n\t\"example.com/m/a\"\n)\n\n" +
			"func F() int { return a.G() + dep.F() }\n",
		"z_test.go":    "package z\n",
		"zx_test.go":   "package z_test\n",
		"z_windows.go": "package z\n\nfunc F() int { return 0 }\n",
		"a/b.go": "package a\n\nimport \"strings\"\n\n" +
			"func H() string { return strings.ToUpper(\"h\") }\n",
		"a/a.go": "package a\n\nimport \"example.com/m/a/internal/c\"\n\n" +
			"func G() int { return c.K }\n",
		"a/internal/c/c.go": "package c\n\nconst K = 1 << 40 // an int of 64 bits\n",
		"a/ignored.go":      "//go:build ignore\n\npackage main\n",
		"testdata/x.go":     "package nonsense!\n",
		"d/line.go":         "package d\n\n//line elsewhere.y:100\nfunc F() {\n}\n",
		"e/only_test.go":    "package e\n",
	})
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir           string
		patterns      []string
		packages, all string
	}{
		{".", nil,
			"example.com/m example.com/m/a example.com/m/a/internal/c example.com/m/d example.com/m/e",
			"example.com/m example.com/m/a example.com/m/a/internal/c example.com/m/d example.com/m/e"},
		{".", []string{"."}, "example.com/m", "example.com/m example.com/m/a example.com/m/a/internal/c"},
		{"a", []string{"."}, "example.com/m/a", "example.com/m/a example.com/m/a/internal/c"},
		{"a", nil, "example.com/m/a example.com/m/a/internal/c",
			"example.com/m/a example.com/m/a/internal/c"},
		{".", []string{"./d", "./a", "./a", "example.com/m/a/..."},
			"example.com/m/a example.com/m/a/internal/c example.com/m/d",
			"example.com/m/a example.com/m/a/internal/c example.com/m/d"},
		{".", []string{"fmt", "./d"}, "example.com/m/d", "example.com/m/d"},
	} {
		prog, err := Load(context.Background(), filepath.Join(dir, test.dir), test.patterns)
		if err != nil {
			t.Errorf("%s %q: %v", test.dir, test.patterns, err)
			continue
		}
		var packages, all []string
		for _, p := range prog.Packages {
			packages = append(packages, p.Path)
		}
		at := map[string]int{}
		for i, p := range prog.All {
			all = append(all, p.Path)
			at[p.Path] = i
			for _, imp := range p.Types.Imports() {
				if j, ok := at[imp.Path()]; strings.HasPrefix(imp.Path(), "example.com/m") && (!ok || j >= i) {
					t.Errorf("%s comes before %s, which it imports", p.Path, imp.Path())
				}
			}
			if prog.Package(p.Path) != p || len(p.Files) != len(p.Filenames) ||
				len(p.Files) != len(p.Sources) {
				t.Errorf("the fields of package %s disagree", p.Path)
			}
		}
		sort.Strings(all)
		if got := strings.Join(packages, " "); got != test.packages {
			t.Errorf("%s %q: matched are %s, want %s", test.dir, test.patterns, got, test.packages)
		}
		if got := strings.Join(all, " "); got != test.all {
			t.Errorf("%s %q: loaded are %s, want %s", test.dir, test.patterns, got, test.all)
		}
		if prog.Dir != dir || prog.Module != "example.com/m" || prog.GoVersion != "1.22" {
			t.Errorf("the module is %s, %s, %s", prog.Dir, prog.Module, prog.GoVersion)
		}
	}

	prog, err := Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	z := prog.Package("example.com/m")
	if z.Name != "z" || z.Dir != dir || len(z.Files) != 1 || z.Cgo {
		t.Errorf("package z: %s, %s, %d files, cgo %v", z.Name, z.Dir, len(z.Files), z.Cgo)
	}
	if want := []string{filepath.Join(dir, "z_test.go"),
		filepath.Join(dir, "zx_test.go")}; !slices.Equal(z.TestFiles, want) {
		t.Errorf("package z has the tests %q, want %q", z.TestFiles, want)
	}
	if prog.Package("example.com/dep") != nil || prog.Package("strings") != nil {
		t.Errorf("a package of another module was loaded from source")
	}
	if got := string(z.Sources[0]); !strings.HasPrefix(got, "// Package z") {
		t.Errorf("the source of z is %q", got)
	}
	for _, test := range []struct{ pkg, want string }{
		{"example.com/m", "z.go:9:1"},
		{"example.com/m/a/internal/c", "a/internal/c/c.go:3:1"},
		{"example.com/m/d", "d/line.go:4:1"}, // not where the //line directive says
	} {
		decls := prog.Package(test.pkg).Files[0].Decls
		if got := prog.Pos(decls[len(decls)-1].Pos()); got != test.want {
			t.Errorf("the last declaration of %s is at %s, want %s", test.pkg, got, test.want)
		}
	}
}

// TestLoadErrors checks the kinds and texts of errors.
func TestLoadErrors(t *testing.T) {
	for _, test := range []struct {
		name     string
		files    map[string]string
		patterns []string
		compile  bool   // want a CompileError, else ErrNoPackages
		want     string // part of the text
	}{
		{"no module", map[string]string{"a.go": "package a\n"}, nil, false, "there is no go.mod"},
		{"an empty module", map[string]string{"go.mod": goMod}, nil, false, "./..."},
		{"no such directory", map[string]string{"go.mod": goMod, "a.go": "package a\n"},
			[]string{"./nosuch"}, false, "nosuch"},
		{"a directory without Go",
			map[string]string{"go.mod": goMod, "a.go": "package a\n",
				"b/c.txt": ""}, []string{"./b"}, false, "no Go files in"},
		{"outside the module", map[string]string{"go.mod": goMod, "a.go": "package a\n"},
			[]string{"fmt"}, false, "fmt"},
		{"above the module", map[string]string{"go.mod": goMod, "a.go": "package a\n"}, []string{".."},
			false, ""},
		{"no such package", map[string]string{"go.mod": goMod, "a.go": "package a\n"},
			[]string{"example.com/m/x"}, false, "example.com/m/x"},
		{"an option for a pattern", map[string]string{"go.mod": goMod, "a.go": "package a\n"},
			[]string{"-e"}, true, "-e"},

		{"syntax", map[string]string{"go.mod": goMod, "a.go": "package a\n\nfunc F( {\n"}, nil, true,
			"a.go:3:9: "},
		{"types", map[string]string{"go.mod": goMod,
			"a.go": "package a\n\nvar x int = \"s\"\nvar y = z\n"}, nil, true, "./a.go:4:9: undefined: z"},
		{"types in a dependency",
			map[string]string{"go.mod": goMod, "a.go": "package a\n\nimport _ \"example.com/m/b\"\n",
				"b/b.go": "package b\n\nfunc F() int {}\n"},
			[]string{"."}, true, "b/b.go:3:15: missing return"},
		{"two packages", map[string]string{"go.mod": goMod, "a.go": "package a\n",
			"b.go": "package b\n"}, nil, true, "found packages a (a.go) and b (b.go)"},
		{"a cycle", map[string]string{"go.mod": goMod,
			"a/a.go": "package a\n\nimport _ \"example.com/m/b\"\n",
			"b/b.go": "package b\n\nimport _ \"example.com/m/a\"\n"},
			nil, true, "import cycle not allowed"},
		{"go.mod", map[string]string{"go.mod": "modul example.com/m\n", "a.go": "package a\n"}, nil,
			true, "go.mod:1: unknown directive: modul"},
		{"language too old", map[string]string{"go.mod": "module example.com/m\n\ngo 1.17\n",
			"a.go": "package a\n\nfunc F[T any]() {}\n"}, nil, true, "a.go:3:"},
		{"no such import", map[string]string{"go.mod": goMod,
			"a.go": "package a\n\nimport _ \"nosuch/pkg\"\n"}, nil, true, "a.go:3:8"},
		{"import without requirement",
			map[string]string{"go.mod": goMod,
				"a.go": "package a\n\nimport _ \"example.org/x\"\n"}, nil, true, "a.go:3:8"},
		{"import of a package that is not there",
			map[string]string{"go.mod": goMod,
				"a.go": "package a\n\nimport _ \"example.com/m/x\"\n"}, nil, true, "a.go:3:8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("GOFLAGS", "-mod=readonly")
			t.Setenv("GOPROXY", "off")
			prog, err := Load(context.Background(), module(t, test.files), test.patterns)
			if err == nil {
				t.Fatalf("loaded %d packages", len(prog.All))
			}
			var compile *CompileError
			isCompile, isNone := errors.As(err, &compile), errors.Is(err, ErrNoPackages)
			if isCompile != test.compile || isNone == test.compile ||
				!strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %q (compile %v, no packages %v), want %q", err, isCompile, isNone,
					test.want)
			}
		})
	}
}

// TestLoadNoDirectory checks that a missing directory is neither a CompileError nor ErrNoPackages.
func TestLoadNoDirectory(t *testing.T) {
	_, err := Load(context.Background(), filepath.Join(t.TempDir(), "nosuch"), nil)
	var compile *CompileError
	if err == nil || errors.As(err, &compile) || errors.Is(err, ErrNoPackages) {
		t.Fatalf("got the error %v", err)
	}
	if !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("got %q, which does not name the directory", err)
	}
}

// TestLoadCancelled checks that Load returns ctx's error when ctx ends.
func TestLoadCancelled(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": goMod,
		"a.go": "package a\n\nimport _ \"net/http\"\n"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, dir, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: got the error %v", err)
	}
	for d := time.Millisecond; d < 20*time.Millisecond; d += 2 * time.Millisecond {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		_, err := Load(ctx, dir, nil)
		cancel()
		if err == nil {
			break // Load was faster
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got the %T %q after %v", err, err, d)
		}
	}
}

// TestLoadDeterminism checks that packages, files and positions are the same in every run.
func TestLoadDeterminism(t *testing.T) {
	files := map[string]string{"go.mod": goMod}
	for i := range 12 {
		for j := range 4 {
			files[fmt.Sprintf("p%d/f%d.go", i, j)] = fmt.Sprintf("package p%d\n\nvar V%d = %d\n", i, j, j)
		}
	}
	dir := module(t, files)
	var before string
	for run := range 3 {
		prog, err := Load(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, p := range prog.All {
			for i, f := range p.Files {
				fmt.Fprintln(&got, p.Path, p.Filenames[i], prog.Pos(f.Decls[0].Pos()), p.Types.Scope().Names())
			}
		}
		if run > 0 && got.String() != before {
			t.Errorf("first\n%sthen\n%s", before, got.String())
		}
		before = got.String()
	}
}

// TestCgo checks that files that import "C" are read with the types of C, and without them if cgo
// fails.
func TestCgo(t *testing.T) {
	files := map[string]string{
		"go.mod": goMod,
		"a.go":   "package a\n\nfunc F() int { return fromC() }\n",
		"c.go": "package a\n\n// int one(void) { return 1; }\nimport \"C\"\n\n" +
			"func fromC() int { return int(C.one()) }\n",
	}
	t.Setenv("CGO_ENABLED", "1")
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no C compiler")
	}
	for _, include := range []string{"", "// #include <nowhere_to_be_found.h>\n"} {
		c := files["c.go"]
		files["c.go"] = strings.Replace(c, "// int", include+"// int", 1)
		prog, err := Load(context.Background(), module(t, files), nil)
		files["c.go"] = c
		if err != nil {
			t.Fatal(err)
		}
		p := prog.Packages[0]
		if !p.Cgo || len(p.Files) != 2 || len(p.Funcs()) != 2 {
			t.Errorf("cgo %v, %d files, %d functions; want true, 2, 2", p.Cgo, len(p.Files), len(p.Funcs()))
		}
		if failed := strings.Contains(p.CgoError, "nowhere_to_be_found.h"); failed != (include != "") {
			t.Errorf("with %q cgo says %q", include, p.CgoError)
		}
		typed := false
		for e, tv := range p.Info.Types {
			name, ok := e.(*ast.SelectorExpr)
			typed = typed || ok && name.Sel.Name == "one" && tv.Type != types.Typ[types.Invalid]
		}
		if typed != (include == "") {
			t.Errorf("with %q C.one has a type: %v", include, typed)
		}
	}
}

// BenchmarkLoad loads the example module. Most of the time is the go command's.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(context.Background(), "../../examples/parcel", nil); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLoadTests loads test files of two packages that import each other's package: they are added
// when both are checked. The external tests use what the package's own tests declare.
func TestLoadTests(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":         goMod,
		"a/a.go":         "package a\n\ntype T struct{}\n",
		"a/a_test.go":    "package a\n\nimport \"example.com/m/b\"\n\nfunc (T) B() b.T { return b.T{} }\n",
		"a/x_test.go":    "package a_test\n\nimport (\n\t\"example.com/m/a\"\n\t\"example.com/m/c\"\n)\n\nvar X, Y = c.Of(a.T{}), a.T{}.B()\n",
		"b/b.go":         "package b\n\ntype T struct{}\n",
		"b/b_test.go":    "package b\n\nimport \"example.com/m/a\"\n\nfunc (T) A() a.T { return a.T{} }\n",
		"c/c.go":         "package c\n\nimport \"example.com/m/a\"\n\nfunc Of(x a.T) int { return 1 }\n",
		"only/o_test.go": "package only\n\nfunc F() {}\n",
	})
	for _, test := range []struct{ pattern, want string }{
		{"./...", "a[a.go a_test.go] a_test[x_test.go] b[b.go b_test.go] c[c.go] only[o_test.go]"},
		{"./c", "c[c.go]"}, {"./a", "a[a.go a_test.go] a_test[x_test.go]"},
		{"./only", "only[o_test.go]"},
	} {
		prog, err := LoadWith(context.Background(), dir, []string{test.pattern}, Options{Tests: true})
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		var got []string
		for _, p := range prog.Packages {
			var files []string
			for _, f := range p.Filenames {
				files = append(files, filepath.Base(f))
			}
			got = append(got, fmt.Sprintf("%s%v", strings.TrimPrefix(p.Path, "example.com/m/"), files))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.pattern, text, test.want)
		}
	}
}

// TestUsers: packages of other modules that import the main module's, directly or through each other, speak of the
// same types as the main module.
func TestUsers(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": goMod + "\nrequire (\n\texample.com/plugin v0.0.0\n\texample.com/kit v0.0.0\n)\n\n" +
			"replace (\n\texample.com/plugin => ./plugin\n\texample.com/kit => ./kit\n)\n",
		"m.go":             "package m\n\ntype T struct{ N int }\n\nfunc (t *T) Set(n int) { t.N = n }\n",
		"m_test.go":        "package m_test\n\nimport (\n\t\"example.com/kit\"\n\t\"example.com/m\"\n)\n\nvar t *m.T = kit.Two()[1]\n",
		"cmd/main.go":      "package main\n\nimport (\n\t\"example.com/kit\"\n\t\"example.com/m\"\n)\n\nfunc main() { var t *m.T = kit.Two()[0]; t.Set(1) }\n",
		"plugin/go.mod":    "module example.com/plugin\n\ngo 1.22\n\nrequire example.com/m v0.0.0\n",
		"plugin/plugin.go": "package plugin\n\nimport \"example.com/m\"\n\nfunc New() *m.T { return &m.T{} }\n",
		"kit/go.mod":       "module example.com/kit\n\ngo 1.22\n\nrequire example.com/plugin v0.0.0\n",
		"kit/kit.go": "package kit\n\nimport (\n\t\"strings\"\n\n\t\"example.com/plugin\"\n)\n\nvar Reader strings.Reader\n\n" +
			"var Two = two\n\nfunc two() [2]*T { return [2]*T{plugin.New(), plugin.New()} }\n",
		"kit/t.go": "package kit\n\nimport \"example.com/m\"\n\ntype T = m.T\n",
	})
	for _, tests := range []bool{false, true} {
		prog, err := LoadWith(context.Background(), dir, nil, Options{Tests: tests})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range prog.Broken {
			t.Errorf("tests %v: %s: %s", tests, b.Path, b.Text)
		}
		kit, err := prog.Import("example.com/kit")
		if err != nil || !prog.Imports("example.com/kit") || prog.Package("example.com/kit") != nil {
			t.Fatalf("tests %v: kit is no import: %v", tests, err)
		}
		two := kit.Scope().Lookup("Two").Type().(*types.Signature).Results().At(0).Type().(*types.Array)
		if want := prog.Package("example.com/m").Types.Scope().Lookup("T").Type(); !types.Identical(
			types.Unalias(two.Elem().(*types.Pointer).Elem()), want) {
			t.Errorf("tests %v: kit's T is another type than %v", tests, want)
		}
	}
}

// TestWithImports: packages with all that they import of the module, imports first.
func TestWithImports(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": goMod,
		"a/a.go": "package a\n\nimport _ \"example.com/m/b\"\n",
		"b/b.go": "package b\n\nimport (\n\t_ \"example.com/m/z\"\n\t_ \"strings\"\n)\n",
		"c/c.go": "package c\n\nimport _ \"example.com/m/z\"\n",
		"z/z.go": "package z\n",
	})
	prog, err := Load(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ of, want string }{
		{"", ""}, {"z", "z"}, {"a", "z b a"}, {"c", "z c"}, {"c b", "z b c"},
	} {
		var of []*Package
		for _, name := range strings.Fields(c.of) {
			of = append(of, prog.Package("example.com/m/"+name))
		}
		var got []string
		for _, pkg := range prog.WithImports(of...) {
			got = append(got, pkg.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("WithImports(%s) = %v, want %s", c.of, got, c.want)
		}
	}
}
