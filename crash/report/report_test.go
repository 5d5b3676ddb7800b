package report

import (
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
		if got := Suppressed(&tt.w); (got != "") != tt.want {
			t.Errorf("%+v: %q", tt.w, got)
		}
	}
}

func crash(kind, pos, builtBy, inputs string, stack ...string) schemas.Crash {
	c := schemas.Crash{Kind: kind, Pos: pos, BuiltBy: builtBy, Inputs: inputs}
	for _, s := range stack {
		fn, at, _ := strings.Cut(s, "@")
		c.Stack = append(c.Stack, schemas.Frame{Func: fn, Pos: at})
	}
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
		lines = append(lines, c.ID+" "+c.Kind+" "+c.Pos+" "+c.Inputs+" x"+string(rune('0'+c.GroupSize)))
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
	c.Test.File = "crash_test.go"
	doc := &schemas.Crashes{Crashes: []schemas.Crash{c}, Stats: schemas.CrashStats{Candidates: 3, Confirmed: 2}}
	warnings := &schemas.Warnings{Functions: 7, Skipped: []schemas.Skipped{{Func: "m.G", Reason: "goto"}}, Warnings: make([]schemas.Warning, 4), Assumed: true}
	warnings.Module.Path = "m"
	var out strings.Builder
	if err := Text(&out, doc, warnings, "tests"); err != nil {
		t.Fatal(err)
	}
	want := `m: 7 functions checked (1 skipped), 4 warnings under the inferred invariants
3 tests run, 2 panicked as warned, 1 crash reported
  skipped 1: goto
1 likely bug, 0 to look at, 0 likely misuse

C1 a/a.go:9:1: index in m/a.F
    runtime error: index out of range [1] with length 1
    inputs  x := 1
            F(x)
    note    the inputs satisfy what the tests say of them; 2 warnings crash here
    test    tests/a/crash_test.go
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
