package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

func crash(
	kind schemas.Kind, pos string, builtBy schemas.BuiltBy, inputs string, stack ...string,
) schemas.Crash {
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
		lines = append(lines, fmt.Sprintf("%s %s %s %s x%d", c.ID, c.Kind, c.Pos, c.Inputs, c.GroupSize))
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
	c.ID, c.Message = "C1", "runtime error: index out of range [1] with length 1"
	c.SatisfiesInvariants, c.GroupSize = true, 2
	c.Test.File, c.Test.Package, c.Warning = "crash_test.go", "m/a", "W1"
	doc := &schemas.Crashes{Header: schemas.Header{Module: schemas.Module{Path: "m"}},
		Crashes: []schemas.Crash{c}, Stats: schemas.CrashStats{Candidates: 3, Confirmed: 2, NoPublicWay: 1},
		Unconfirmed: []schemas.Unconfirmed{
			{Warning: "W2", Outcome: schemas.HeldBack,
				Reason: PolicyReason + "the parameter p is nil"},
			{Warning: "W3", Outcome: schemas.Open, Reason: "no counterexample"},
			{Warning: "W4", Outcome: schemas.Refuted, Reason: `path.Clean("a") = "a"`},
		}}
	warnings := &schemas.Warnings{
		Functions: 7, Warnings: make([]schemas.Warning, 4), Assumed: true,
		Skipped: []schemas.Skipped{{Func: "m.G", Reason: "goto"}},
	}
	warnings.Module.Path = "m"
	var out strings.Builder
	root := t.TempDir()
	write(t, filepath.Join(root, "go.mod"), "module m\n")
	write(t, filepath.Join(root, "a", "a.go"),
		strings.Repeat("\n", 8)+"\tl[1] = 0 // the line\n")
	refused := crash("index", "a/a.go:3:1", "literal", "F(nil)", "m/a.F@a/a.go:3")
	refused.Rank = schemas.Contract
	doc.Crashes = append(doc.Crashes, refused)
	doc.Crashes[0].Rank = schemas.LikelyBug
	doc.Crashes[0].Signs = []schemas.Sign{
		{Name: "returns-error", Weight: 3, Text: "F returns an error, but panics"},
		{Name: "huge-number", Weight: -4, Text: "a number is huge"},
		{Name: "text-inputs", Weight: 3, Text: "strings are enough"},
	}
	opt := TextOptions{File: "crashes.json", Warnings: warnings, Tests: "tests", Root: Root(filepath.Join(root, "a"), &schemas.Module{Path: "m"})}
	for i := range warnings.Warnings {
		warnings.Warnings[i] = schemas.Warning{ID: fmt.Sprintf("W%d", i+1), Pos: "a/a.go:7:2",
			Kind: schemas.Index, Func: "m/a.F", Message: "index out of range: s[i]"}
	}
	opt.Unconfirmed = true
	if err := Text(&out, doc, opt); err != nil {
		t.Fatal(err)
	}
	want := `m: 7 functions checked (1 skipped), 4 warnings under the inferred invariants
1 confirmed (1 by code inside the package only), 1 refuted by a run, 1 not settled, 1 held back by policy
3 tests run, 0 panicked differently, 2 crashes reported
  skipped 1: goto
1 likely bug, 0 to look at, 1 by contract, 0 unreachable
    1 contract       crash report --rank contract crashes.json

C1 a/a.go:9:1: index in m/a.F
    runtime error: index out of range [1] with length 1
    inputs  x := 1
            F(x)
    stack   a/a.go:9  l[1] = 0 // the line
    note    2 warnings crash here
    for     F returns an error, but panics
            strings are enough
    against a number is huge
    test    tests/a/crash_test.go

Warnings refuted by a run:
W4 a/a.go:7:2: index in m/a.F
    index out of range: s[i]
    path.Clean("a") = "a"

Warnings not settled:
W3 a/a.go:7:2: index in m/a.F
    index out of range: s[i]
    no counterexample

Warnings held back by policy:
W2 a/a.go:7:2: index in m/a.F
    index out of range: s[i]
    the parameter p is nil
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
	if got := Root(filepath.Join(dir, "a", "b"), &schemas.Module{Path: "m/x"}); got != dir {
		t.Errorf("Root = %q, want %q", got, dir)
	}
	if got := Root(dir, &schemas.Module{Path: "m/y"}); got != "" {
		t.Errorf("Root of another module = %q", got)
	}
}

func ExampleGroup() {
	at := func(fn, pos string) []schemas.Frame { return []schemas.Frame{{Func: fn, Pos: pos}} }
	for _, c := range Group([]schemas.Crash{
		{Kind: schemas.Index, Pos: "m.go:9", Func: "m.F", Stack: at("m.F", "m.go:9"), Inputs: "F(100)"},
		{Kind: schemas.Index, Pos: "m.go:9", Func: "m.F", Stack: at("m.F", "m.go:9"), Inputs: "F(1)"},
		{Kind: schemas.DivZero, Pos: "m.go:3", Func: "m.G", Stack: at("m.G", "m.go:3"), Inputs: "G(0)"},
	}) {
		fmt.Println(c.ID, c.Pos, c.Kind, c.Inputs, c.GroupSize)
	}
	// Output:
	// C1 m.go:3 div-zero G(0) 1
	// C2 m.go:9 index F(1) 2
}

func TestReproduction(t *testing.T) {
	doc := func(p *schemas.Partial, crashes ...schemas.Crash) *schemas.Crashes {
		return &schemas.Crashes{Crashes: crashes, Reproduction: &schemas.Reproduction{
			Message: "boom", Module: "example.com/m", Levels: 3, Partial: p,
			Frames: []schemas.PanicFrame{
				{Func: "example.com/m.Old", Module: "example.com/m", Misfit: "the build has no such function"},
				{Func: "example.org/x.F", Misfit: "the build has no such package"},
			},
		}}
	}
	const misfit = "    example.com/m.Old: the build has no such function\n"
	found := crash(schemas.Index, "m.go:9", schemas.BySequence, "\tF(1)", "m.F@m.go:9")
	found.ID, found.Level, found.Strategy = "C1", 2, schemas.StrategyPath
	found.FoundAfter, found.Candidates = 1.25, 1
	found.Test.Package, found.Test.File = "example.com/dep", "crash_test.go"
	for _, tt := range []struct {
		name string
		doc  *schemas.Crashes
		want string
	}{
		{"found", doc(nil, found),
			"reproduced: index at m.go:9, 2 of 3 frames of example.com/m in common, " +
				"by guided search and the solver, after 1.2 s and 1 candidate\n" + misfit +
				"\nC1 m.go:9: index in m.F\n    \n    inputs  F(1)\n    test    crash_test.go\n"},
		{"nothing", doc(nil), "not reproduced: boom\n" + misfit},
		{"reached", doc(&schemas.Partial{Func: "m.F", Reached: true, Inputs: "\tx := 1\n\tF(x)",
			Panic: "other"}),
			"not reproduced: the line of m.F is reached, without the panic\n" + misfit +
				"    best    x := 1\n            F(x)\n    panics  other\n"},
		{"entered", doc(&schemas.Partial{Func: "m.F", Inputs: "F(1)", Missing: []string{"x > 1", "y"}}),
			"not reproduced: m.F is entered, but its line is not reached\n" + misfit +
				"    best    F(1)\n    missing x > 1\n            y\n"},
	} {
		var out strings.Builder
		if err := Text(&out, tt.doc, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	if got := Summary(&schemas.Crashes{}); got != "" {
		t.Errorf("Summary without a reproduction = %q", got)
	}
}

// TestRecording: an object that two frames share is printed once, and long literals are cut off.
func TestRecording(t *testing.T) {
	ref := 0
	long := strconv.Quote(strings.Repeat("x", maxLiteral))
	doc := &schemas.Recording{Label: "v1", Copy: "deep", Crashes: []schemas.RecordedCrash{{
		ID: "R1", Panic: "panic: a\nb\n\ngoroutine 1 [running]:\n", Ended: "program",
		Frames: []schemas.RecordedFrame{
			{Func: "example.com/m/pkg.F", File: "/src/pkg/f.go", Line: 3,
				Params: []schemas.Input{{Name: "p",
					Node: schemas.Node{Type: "*pkg.T", Ref: &ref}}}},
			{Symbol: "runtime.main"},
			{Func: "example.com/m/pkg.G", File: "/src/pkg/g.go", Line: 4,
				Params: []schemas.Input{{Name: "q",
					Node: schemas.Node{Type: "*pkg.T", Ref: &ref}},
					{Name: "c", Node: schemas.Node{Type: "chan int", Lit: "nil", Lost: "a channel"}}}},
		},
		Objects: []schemas.Node{{Type: "pkg.T", Fields: []schemas.Input{
			{Name: "n", Node: schemas.Node{Lit: "7"}}, {Name: "s", Node: schemas.Node{Lit: long}},
			{Name: "m", Node: schemas.Node{Elems: []schemas.Elem{{Key: &schemas.Node{Lit: `"k"`},
				Value: schemas.Node{Lit: "8"}}}}},
		}}},
		Lost: []schemas.Loss{{Reason: "a channel", Count: 1}},
	}}}
	doc.Build = schemas.RecordedBuild{Go: "go1.26", OS: "linux", Arch: "amd64",
		Command: []string{"m", "-v"}}
	want := `recorded with go1.26 for linux/amd64, v1, values copied: deep
command "m" "-v"

R1 panic: a
    b
    it ended the program

    pkg.F at f.go:3
        p.n 7
        p.s ` + long[:maxLiteral] + `... (202 bytes)
        p.m["k"] 8

    pkg.G at g.go:4
        q = p
        c nil (a channel)
    cannot be replayed: a channel, 1 times
`
	var out strings.Builder
	if err := Recording(&out, doc); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFirstScreen: at most ten likely bugs, best first, then a line of counts with commands; other
// ranks if they are asked for.
func TestFirstScreen(t *testing.T) {
	doc := &schemas.Crashes{}
	for i := range 12 {
		c := crash("index", fmt.Sprintf("a.go:%d", i+1), "sequence", "F()", "m.F@a.go:1")
		c.ID, c.Rank, c.Score = fmt.Sprintf("C%d", i+1), schemas.LikelyBug, i
		doc.Crashes = append(doc.Crashes, c)
	}
	for i, rank := range []schemas.Rank{schemas.Look, schemas.Contract, schemas.Unreachable} {
		c := crash("index", fmt.Sprintf("b.go:%d", i+1), "sequence", "F()", "m.F@b.go:1")
		c.ID, c.Rank = fmt.Sprintf("C%d", 13+i), rank
		doc.Crashes = append(doc.Crashes, c)
	}
	ids := func(ranks []schemas.Rank) (head string, ids []string) {
		var out strings.Builder
		if err := Text(&out, doc, TextOptions{Ranks: ranks, File: "c.json"}); err != nil {
			t.Fatal(err)
		}
		head, rest, _ := strings.Cut(out.String(), "\n\n")
		for l := range strings.Lines(rest) {
			if strings.HasPrefix(l, "C") {
				id, _, _ := strings.Cut(l, " ")
				ids = append(ids, id)
			}
		}
		return head, ids
	}
	head, got := ids(nil)
	want := `12 likely bugs, 1 to look at, 1 by contract, 1 unreachable
    2 more           crash report --rank likely-bug c.json
    1 look           crash report --rank look c.json
    1 contract       crash report --rank contract c.json
    1 unreachable    crash report --rank unreachable c.json`
	if head != want {
		t.Errorf("got\n%s\nwant\n%s", head, want)
	}
	if len(got) != 10 || got[0] != "C12" || got[9] != "C3" {
		t.Errorf("got %q, want C12 to C3", got)
	}
	if _, got = ids([]schemas.Rank{schemas.Look, schemas.Contract}); len(got) != 2 || got[0] != "C13" {
		t.Errorf("got %q, want C13 and C14", got)
	}
}
