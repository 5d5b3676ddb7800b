package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestOldModules: what rewritten files call is not generic, since they may be of a module whose version of Go has no
// generics. As is for the table alone, which says what version it is written in.
func TestOldModules(t *testing.T) {
	files, err := filepath.Glob("../run/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if ok && fd.Name.IsExported() && fd.Name.Name != "Argument" && fd.Type.TypeParams != nil {
				t.Errorf("%s: %s is generic", name, fd.Name.Name)
			}
		}
	}
}

// TestGuards: the functions that decide conditions on the way are followed to the returns that let their callers go on.
func TestGuards(t *testing.T) {
	prog := loadFile(t, `package m

import "errors"

var errBad = errors.New("bad")

func F(s string) int {
	n, err := parse(s)
	if err != nil {
		return 0
	}
	if !valid(n) {
		return 1
	}
	return 10 / (n - 3)
}

func parse(s string) (int, error) {
	if len(s) < 3 {
		return 0, errBad
	}
	err := check(s)
	return len(s), err
}

func check(s string) error {
	if s[0] == 'x' {
		return nil
	}
	return errBad
}

func valid(n int) bool { return n > 2 && n < 5 }

func never() error { return errBad }
`)
	pkg := prog.Packages[0]
	out := Rewrite(prog, pkg, Options{
		Root:   prog.Dir,
		Guards: true,
		Frames: []TargetFrame{{Func: pkg.Funcs()[0], Line: 15, Kind: "div-zero"}},
	})
	var got []string
	for _, steps := range out.Steps {
		got = append(got, strings.Join(steps, "; "))
	}
	want := []string{ // of F, parse, valid and check
		"!(err != nil); valid(n); control comes to line 15",
		"!(len(s) < 3); control comes to line 23; err == nil",
		"control comes to line 33; n > 2; n < 5",
		"s[0] == 'x'; control comes to line 28",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got steps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text := simplified(string(out.Files["m.go"]), prog.Dir)
	for _, want := range []string{
		"func F(s string) int { At(0, 4); ",
		"if Guarded(0, 3, 1, false, err != nil) {",
		"if !Guarded(0, 2, 2, true, valid(n)) {",
		"func parse(s string) (int, error) { Begin(1, 4); ",
		" At(1, 2);  Guarded(1, 1, 3, true, err == nil); return len(s), err",
		"func check(s string) error { Begin(3, 3); ",
		"return Ints(2, 2, 4, true, int64(n), int64(2), n > 2) && Ints(2, 1, 2, true, int64(n), int64(5), n < 5)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %s:\n%s", want, text)
		}
	}
}
