package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dsd/crash/origin"
	"dsd/internal/confine"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// recording is a crash with three frames. The recorded argument of Start does not lead to it.
const recording = `{
	"id": "R1",
	"panic": "panic: runtime error: index out of range [2] with length 2\n\n` +
	`goroutine 1 [running]:\n` +
	`example.com/m.(*Ring).at(...)\n\t/build/m/m.go:10\n` +
	`example.com/m.Sum(0xc000012345, 0x3)\n\t/build/m/m.go:15 +0x1d\n` +
	`example.com/m.Start(0x3)\n\t/build/m/m.go:20 +0x1d\n` +
	`main.main()\n\t/build/main.go:3 +0x1d\n",
	"frames": [
		{"symbol": "example.com/m.(*Ring).at", "file": "/build/m/m.go", "line": 10,
			"func": "example.com/m.(*Ring).at",
			"receiver": {"name": "r", "type": "*example.com/m.Ring", "ref": 0},
			"params": [{"name": "i", "type": "int", "lit": "2"}]},
		{"symbol": "example.com/m.Sum", "file": "/build/m/m.go", "line": 15, "func": "example.com/m.Sum",
			"params": [{"name": "r", "type": "*example.com/m.Ring", "ref": 0},
				{"name": "n", "type": "int", "lit": "3"},
				{"name": "label", "type": "string", "lit": "\"a label\""}]},
		{"symbol": "example.com/m.Start", "file": "/build/m/m.go", "line": 20,
			"func": "example.com/m.Start",
			"params": [{"name": "n", "type": "int", "lit": "1"}]},
		{"symbol": "main.main", "file": "/build/main.go", "line": 3}
	],
	"objects": [
		{"type": "example.com/m.Ring", "fields": [{"name": "name", "type": "string", "lit": "\"a ring\""},
			{"name": "items", "type": "[]int", "ref": 1, "len": 2, "cap": 2}]},
		{"type": "[2]int", "elems": [{"index": 0, "value": {"type": "int", "lit": "5"}},
				{"index": 1, "value": {"type": "int", "lit": "6"}}]}
	]
}`

func recorded(tb testing.TB) *schemas.Recording {
	tb.Helper()
	doc := &schemas.Recording{Crashes: make([]schemas.RecordedCrash, 1)}
	if err := json.Unmarshal([]byte(recording), &doc.Crashes[0]); err != nil {
		tb.Fatal(err)
	}
	return doc
}

// TestRun replays the frames that crash, and minimizes their tests: names and the numbers in the
// slice are not needed.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	doc, err := Run(context.Background(), filepath.Join("testdata", "mod"), recorded(t),
		Options{Tests: dir, Minimize: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Crashes) != 2 {
		t.Fatalf("got crashes %+v, unreplayed %+v, want 2 crashes", doc.Crashes,
			doc.Unreplayed)
	}
	for i, want := range []struct {
		id, fn, test string
		level        int
	}{
		{"C1", "example.com/m.(*Ring).at", "TestCrashRingAtIndex", 1},
		{"C2", "example.com/m.Sum", "TestCrashSumIndex", 2},
	} {
		c := doc.Crashes[i]
		if c.ID != want.id || c.Func != want.fn || c.Test.Name != want.test ||
			c.Level != want.level || c.Pos != "m.go:10" {
			t.Errorf("got %s %s %s level %d at %s, want %+v", c.ID, c.Func, c.Test.Name,
				c.Level, c.Pos, want)
		}
		for _, unneeded := range []string{"a ring", "a label", "5", "6", "Zz"} {
			if strings.Contains(c.Test.Source, unneeded) {
				t.Errorf("%s has %q:\n%s", c.Test.Name, unneeded, c.Test.Source)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, c.Test.File))
		if err != nil || string(text) != c.Test.Source {
			t.Errorf("%s: the written test is %q, %v", c.Test.Name, text, err)
		}
	}
	reason := "TestCrashStartIndex does not panic when run alone"
	want := []schemas.Unreplayed{{Crash: "R1", Func: "example.com/m.Start", Reason: reason}}
	if !reflect.DeepEqual(doc.Unreplayed, want) {
		t.Errorf("got unreplayed %+v, want %+v", doc.Unreplayed, want)
	}
}

// large returns a recording of Sum with n numbers and n names in the ring, none of which is needed.
func large(tb testing.TB, n int) *schemas.Recording {
	doc := recorded(tb)
	c := &doc.Crashes[0]
	c.Frames = c.Frames[1:2]
	var elems []schemas.Elem
	for i := range n {
		elems = append(elems, schemas.Elem{Index: int64(i), Value: schemas.Node{Type: "int", Lit: fmt.Sprint(i + 1000)}})
	}
	size := int64(n)
	c.Objects[0].Fields[1].Len, c.Objects[0].Fields[1].Cap = &size, &size
	c.Objects[1].Type, c.Objects[1].Elems = fmt.Sprintf("[%d]int", n), elems
	c.Frames[0].Params[1].Lit = fmt.Sprint(n + 1)
	return doc
}

// TestMinimizeLarge: thousands of values are left out in a few rounds.
func TestMinimizeLarge(t *testing.T) {
	var steps []Progress
	doc, err := Run(t.Context(), filepath.Join("testdata", "mod"), large(t, 3000),
		Options{Minimize: true, Progress: func(p Progress) { steps = append(steps, p) }})
	if err != nil || len(doc.Crashes) != 1 {
		t.Fatalf("%v, %+v", err, doc)
	}
	c := doc.Crashes[0]
	if strings.Contains(c.Test.Source, "1999") || len(c.Test.Files) > 0 || len(steps) > 10 {
		t.Errorf("after %d rounds:\n%s", len(steps), c.Test.Source)
	}
	if last := steps[len(steps)-1]; last.All < 3000 || last.Parts > 5 || last.Func != "example.com/m.Sum" {
		t.Errorf("got %+v", last)
	}
}

// TestMinimizeCut: when the time is over, or the user interrupts, the tests are those that were found until then.
func TestMinimizeCut(t *testing.T) {
	var log strings.Builder
	doc, err := Run(t.Context(), filepath.Join("testdata", "mod"), large(t, 300),
		Options{Minimize: true, Budget: time.Millisecond, Log: &log})
	if err != nil || len(doc.Crashes) != 1 || doc.Incomplete || !strings.Contains(log.String(), "1 test may hold more") {
		t.Errorf("%v, %+v, %q", err, doc, log.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	doc, err = Run(ctx, filepath.Join("testdata", "mod"), large(t, 300), Options{Minimize: true,
		Progress: func(Progress) { cancel() }})
	if err == nil || doc == nil || len(doc.Crashes) != 1 || !doc.Incomplete {
		t.Errorf("interrupted: %v, %+v", err, doc)
	}
}

func TestRunUnreplayed(t *testing.T) {
	for _, tt := range []struct{ text, reason string }{
		{"exit status 1", reasonNoPanic},
		{"panic: x\n\ngoroutine 1 [running]:\nexample.org/x.F()\n\t/x.go:3 +0x1\n",
			origin.ErrNotInBuild.Error()},
	} {
		doc := new(schemas.Recording)
		doc.Crashes = []schemas.RecordedCrash{{ID: "R1", Panic: tt.text}}
		out, err := Run(context.Background(), filepath.Join("testdata", "mod"), doc,
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := []schemas.Unreplayed{{Crash: "R1", Reason: tt.reason}}
		if !reflect.DeepEqual(out.Unreplayed, want) {
			t.Errorf("%q: got unreplayed %+v, want %+v", tt.text, out.Unreplayed, want)
		}
	}
}

// TestRunMissing: recorded functions that this build does not have are listed with the reason.
func TestRunMissing(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.24\n",
		"m.go":       "package m\n\nfunc F() {}\n",
		"bad/bad.go": "package bad\n\nfunc G() int { return }\n",
	} {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o700)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	doc := new(schemas.Recording)
	doc.Crashes = []schemas.RecordedCrash{{
		ID: "R1",
		Panic: "panic: x\n\ngoroutine 1 [running]:\nexample.com/m/bad.G()\n\t/bad/bad.go:3 +0x1\n" +
			"example.com/m.Gone()\n\t/m.go:9 +0x1\nexample.com/m.F()\n\t/m.go:3 +0x1\n",
		Frames: []schemas.RecordedFrame{{Func: "example.com/m/bad.G"}, {Func: "example.com/m.Gone"}},
	}}
	out, err := Run(context.Background(), dir, doc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []schemas.Unreplayed{
		{Crash: "R1", Func: "example.com/m/bad.G",
			Reason: "package example.com/m/bad: it does not compile: bad/bad.go:3:16: not enough return values"},
		{Crash: "R1", Func: "example.com/m.Gone", Reason: "the build has no such function"},
	}
	if !reflect.DeepEqual(out.Unreplayed, want) {
		t.Errorf("got unreplayed %+v, want %+v", out.Unreplayed, want)
	}
}

func TestPlainest(t *testing.T) {
	a, b := &variant{}, &variant{}
	m := &origin.Mismatch{}
	for _, tt := range []struct {
		mismatches []*origin.Mismatch
		want       *variant
	}{
		{[]*origin.Mismatch{nil, nil}, a}, {[]*origin.Mismatch{m, nil}, b}, {[]*origin.Mismatch{m, m},
			nil},
	} {
		if got := plainest([]*variant{a, b}, tt.mismatches); got != tt.want {
			t.Errorf("%v: got %p, want %p", tt.mismatches, got, tt.want)
		}
	}
}

func TestRename(t *testing.T) {
	c := &schemas.Crash{Inputs: `load("testdata/crash_fzz1.json")`, Test: schemas.Test{
		Name: "TestCrashFZz1", File: "crash_fzz1_test.go",
		Source: `func TestCrashFZz1() { load("testdata/crash_fzz1.json") }`,
		Files: []schemas.TestFile{{File: "crash_load_test.go"},
			{File: "testdata/crash_fzz1.json"}},
	}}
	rename(c, "TestCrashF", "crash_f_test.go")
	want := &schemas.Crash{Inputs: `load("testdata/crash_f.json")`, Test: schemas.Test{
		Name: "TestCrashF", File: "crash_f_test.go",
		Source: `func TestCrashF() { load("testdata/crash_f.json") }`,
		Files: []schemas.TestFile{{File: "crash_load_test.go"},
			{File: "testdata/crash_f.json"}},
	}}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, want %+v", c, want)
	}
}
