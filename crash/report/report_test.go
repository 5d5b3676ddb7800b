package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/schemas"
)

func TestSuppressed(t *testing.T) {
	for _, tt := range []struct {
		w    schemas.Warning
		want bool
	}{
		{schemas.Warning{Kind: "index"}, false},
		{schemas.Warning{Kind: "explicit-panic"}, true},
		{schemas.Warning{Kind: "explicit-panic", Preconditions: true}, false},
		{schemas.Warning{Kind: "nil-deref"}, false}, // of something inside the inputs
		{schemas.Warning{Kind: "nil-deref", Param: "p"}, true},
		{schemas.Warning{Kind: "nil-deref", Param: "p", Preconditions: true}, false},
	} {
		if got := Classic.Suppressed(&tt.w); (got != "") != tt.want {
			t.Errorf("%+v: %q", tt.w, got)
		}
		if got := Relaxed.Suppressed(&tt.w); got != "" {
			t.Errorf("relaxed: %+v: %q", tt.w, got)
		}
	}
}

func crash(kind schemas.Kind, pos string, builtBy schemas.BuiltBy, inputs string, stack ...string) schemas.Crash {
	c := schemas.Crash{Kind: kind, Pos: pos, BuiltBy: builtBy, Inputs: inputs}
	for _, s := range stack {
		fn, at, _ := strings.Cut(s, "@")
		c.Stack = append(c.Stack, schemas.Frame{Func: fn, Pos: at})
	}
	c.Func = c.Stack[0].Func
	return c
}

func TestGroup(t *testing.T) {
	got := Group([]schemas.Crash{
		crash("index", "b.go:10:2", "literal", "F(1)", "m.F@b.go:10"),
		crash("index", "a.go:9:1", "sequence", "H()", "m.H@a.go:9"),
		crash("index", "b.go:10:2", "sequence", "F(longer)", "m.F@b.go:10"),
		crash("index", "b.go:10:2", "sequence", "F(2)", "m.F@b.go:10"),
		crash("div-zero", "b.go:10:2", "sequence", "F(3)", "m.F@b.go:10"),
		crash("index", "b.go:10:2", "sequence", "G(1)", "m.F@b.go:10", "m.G@b.go:20"),
	})
	var lines []string
	for _, c := range got {
		lines = append(lines, c.ID+" "+string(c.Kind)+" "+c.Pos+" "+c.Inputs+" x"+string(rune('0'+c.GroupSize)))
	}
	want := `C1 index a.go:9:1 H() x1
C2 index b.go:10:2 F(2) x3
C3 div-zero b.go:10:2 F(3) x1
C4 index b.go:10:2 G(1) x1`
	if s := strings.Join(lines, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func TestText(t *testing.T) {
	c := crash("index", "a/a.go:9:1", "sequence", "x := 1\n\tF(x)", "m/a.F@a/a.go:9")
	c.ID, c.Message, c.SatisfiesInvariants, c.GroupSize = "C1", "runtime error: index out of range [1] with length 1", true, 2
	c.Test.File, c.Test.Package, c.Warning = "crash_test.go", "m/a", "W1"
	doc := &schemas.Crashes{Header: schemas.Header{Module: schemas.Module{Path: "m"}}, Crashes: []schemas.Crash{c}, Stats: schemas.CrashStats{Candidates: 3, Confirmed: 2}}
	warnings := &schemas.Warnings{Functions: 7, Skipped: []schemas.Skipped{{Func: "m.G", Reason: "goto"}}, Warnings: make([]schemas.Warning, 4), Assumed: true}
	warnings.Module.Path = "m"
	var out strings.Builder
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module m\n")
	write(t, filepath.Join(root, "a", "a.go"), strings.Repeat("\n", 8)+"\tl[1] = 0 // the line\n")
	misuse := crash("index", "a/a.go:3:1", "literal", "F(nil)", "m/a.F@a/a.go:3")
	doc.Crashes = append(doc.Crashes, misuse)
	if err := Text(&out, doc, TextOptions{Warnings: warnings, Tests: "tests", Root: Root(filepath.Join(root, "a"), "m")}); err != nil {
		t.Fatal(err)
	}
	want := `m: 7 functions checked (1 skipped), 4 warnings under the inferred invariants
3 tests run, 2 panicked as warned, 0 panicked differently, 2 crashes reported
  skipped 1: goto
1 likely bug, 0 to look at, 1 likely misuse
(likely misuse is not shown; --policy all shows it)

C1 a/a.go:9:1: index in m/a.F
    runtime error: index out of range [1] with length 1
    inputs  x := 1
            F(x)
    stack   a/a.go:9  l[1] = 0 // the line
    note    the inputs satisfy the inferred preconditions; 2 warnings crash here
    test    tests/a/crash_test.go
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRoot: sources are shown only of the module that a document is about.
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "// c\nmodule \"m/x\" // d\n")
	write(t, filepath.Join(dir, "a", "b", "c.go"), "package b\n")
	if got := Root(filepath.Join(dir, "a", "b"), "m/x"); got != dir {
		t.Errorf("Root = %q, want %q", got, dir)
	}
	if got := Root(dir, "m/y"); got != "" {
		t.Errorf("Root of another module = %q", got)
	}
}
