package stackpath

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// stackOf returns a stack through functions of the test package, crash first, at the lines with
// these comments.
func stackOf(t testing.TB, prog *source.Program, kind schemas.Kind, frames ...[2]string) *Stack {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(prog.Dir, "trail.go"))
	if err != nil {
		t.Fatal(err)
	}
	out := &Stack{Kind: kind}
	for _, f := range frames {
		fr := stacktrace.Located{Frame: stacktrace.Frame{Func: "trailed." + f[0]}}
		for _, fn := range prog.Packages[0].Funcs() {
			if fn.Name == fr.Func {
				fr.Fn = fn
			}
		}
		for i, l := range strings.Split(string(text), "\n") {
			if strings.HasSuffix(l, "// "+f[1]) {
				fr.Pos = symbol.Pos{File: "trail.go", Line: i + 1}
			}
		}
		if fr.Fn == nil || !fr.Pos.IsValid() {
			t.Fatalf("no %s at %q", f[0], f[1])
		}
		out.Frames = append(out.Frames, fr)
	}
	return out
}

// TestSolve checks that each frame has a counterexample that leads along exactly these calls, with
// the values of the message.
func TestSolve(t *testing.T) {
	prog, err := source.Load(context.Background(), filepath.Join("..", "testdata", "trail"), nil)
	if err != nil {
		t.Fatal(err)
	}
	crash := [][2]string{{"inner", "the crash"}, {"middle", "the middle call"},
		{"Outer", "the outer call"}}
	for _, without := range []string{"", "slice", "core", "frames"} {
		stack := stackOf(t, prog, "index", crash...)
		stack.Values = map[string]int64{"index": 7, "length": 3}
		opt := Options{Without: map[string]bool{without: true}}
		doc, levels, err := Solve(context.Background(), prog, stack, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Warnings) != 3 || len(levels) != 3 {
			t.Fatalf("without %q: %d warnings, levels %+v", without, len(doc.Warnings), levels)
		}
		for i, w := range doc.Warnings {
			if want := fmt.Sprintf("W%d %s", i+1, stack.Frames[i].Fn.Name); w.ID+" "+w.Func != want {
				t.Errorf("without %q: %s %s, want %s", without, w.ID, w.Func, want)
			}
		}
		if i := doc.Warnings[1].Counterexample.Params[1]; i.Lit != "7" {
			t.Errorf("without %q: the index of the message is 7, of the counterexample %s", without, i.Lit)
		}
	}

	// Arguments of a frame are as the stack has them, where that can be.
	for _, tt := range []struct {
		args stacktrace.Argument
		want string
	}{{stacktrace.Argument{Known: true, Bits: 9, Length: -1}, "9"}, {stacktrace.Argument{Length: -1},
		""}} {
		stack := stackOf(t, prog, "index", crash...)
		stack.Frames[1].Known = []stacktrace.Argument{{Length: 2}, tt.args}
		doc, _, err := Solve(context.Background(), prog, stack, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := doc.Warnings[1].Counterexample.Params
		if n := len(p[0].Elems); p[0].Len == nil || *p[0].Len != 2 || n > 2 || tt.want != "" &&
			p[1].Lit != tt.want {
			t.Errorf("%+v: the counterexample has %+v", tt.args, p)
		}
	}

	// They count for nothing where they cannot be so.
	stack := stackOf(t, prog, "index", crash...)
	stack.Frames[1].Known = []stacktrace.Argument{{Length: 20}, {Known: true, Bits: 9, Length: -1}}
	if doc, _, err := Solve(context.Background(), prog, stack, Options{}); err != nil ||
		len(doc.Warnings) != 3 {
		t.Errorf("arguments that do not crash: %v, %d warnings", err, len(doc.Warnings))
	}

	// What is impossible further in is not asked about further out, unless that is left out.
	for _, tt := range []struct{ without, why string }{{"", "impossible further in"}, {"frames", ""}} {
		stack := stackOf(t, prog, "index", [2]string{"inner", "the crash"},
			[2]string{"middle", "the middle call"}, [2]string{"Never",
				"the safe call"}, [2]string{"NeverOuter", "the outermost call"})
		opt := Options{Without: map[string]bool{tt.without: true}}
		doc, levels, err := Solve(context.Background(), prog, stack, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Warnings) != 2 || levels[2].Verdict != "unsat" || levels[3].Why != tt.why ||
			tt.why == "" && levels[3].Verdict != "unsat" {
			t.Errorf("without %q: %d warnings, levels %+v", tt.without, len(doc.Warnings), levels)
		}
	}
}
