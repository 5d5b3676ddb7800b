package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dsd/crash/testrun"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

func ExampleNamer_Name() {
	pkg := &source.Package{Path: "example.com/draw", Name: "draw"}
	var n Namer
	fmt.Println(n.Name("example.com/draw.(*Canvas).Write", pkg, "index"))
	fmt.Println(n.Name("example.com/draw.(*Canvas).Write", pkg, "index"))
	// Output:
	// TestCrashCanvasWriteIndex crash_canvas_write_index_test.go
	// TestCrashCanvasWriteIndex_2 crash_canvas_write_index_2_test.go
}

func TestNamer(t *testing.T) {
	m := &source.Package{Path: "m", Name: "m"}
	other := &source.Package{Path: "m/other", Name: "other"}
	var n Namer
	for _, tt := range []struct {
		fn         string
		pkg        *source.Package
		kind       schemas.Kind
		name, file string
	}{
		{"m.F", m, "div-zero", "TestCrashFDivZero", "crash_f_div_zero_test.go"},
		{"m/other.F", other, "div-zero", "TestCrashFDivZero", "crash_f_div_zero_test.go"},
		// same file on some systems
		{"m.f", m, "div-zero", "TestCrashFDivZero_2", "crash_f_div_zero_2_test.go"},
		{"m.List[...].At", m, "index", "TestCrashListAtIndex", "crash_list_at_index_test.go"},
		{"m.F.func1", m, "shift", "TestCrashFFunc1Shift", "crash_f_func1_shift_test.go"},
		{"m.größe", m, "chan", "TestCrashGrößeChan", "crash_größe_chan_test.go"},
	} {
		name, file := n.Name(tt.fn, tt.pkg, tt.kind)
		if name != tt.name || file != tt.file {
			t.Errorf("Name(%s, %s, %s) = %s, %s, want %s, %s", tt.fn, tt.pkg.Path,
				tt.kind, name, file, tt.name, tt.file)
		}
	}
}

// trace returns what a test in /m/crash_test.go prints that panics with a message. Each frame is
// "function@file:line".
func trace(message string, frames ...string) string {
	out := "panic: " + message + "\n\ngoroutine 1 [running]:\n"
	for _, f := range append(frames, "m.TestCrash@/m/crash_test.go:5",
		"testing.tRunner@/go/src/testing/testing.go:1") {
		fn, pos, _ := strings.Cut(f, "@")
		out += fn + "(0x1)\n\t" + pos + " +0x1d\n"
	}
	return out
}

// TestCollapseRecursion: the position of a stack overflow is one where the recursion goes round, not that of a function
// in which the stack happened to be full, nor that of a caller.
func TestCollapseRecursion(t *testing.T) {
	for _, tt := range []struct{ frames, want string }{
		{"leaf:9 list:7 value:5 list:7 value:5 list:6 value:5 Parse:3 main:1", "value:5 list:6 list:7 Parse:3 main:1"},
		{"value:5 list:7 value:5 list:7 Parse:8", "value:5 list:7 Parse:8"},
		{"walk:8 Walk:2", "Walk:2 walk:8"},
	} {
		var frames []schemas.Frame
		for _, f := range strings.Fields(tt.frames) {
			name, line, _ := strings.Cut(f, ":")
			frames = append(frames, schemas.Frame{Func: name, Pos: "m.go:" + line})
		}
		var got []string
		for _, f := range CollapseRecursion(schemas.StackOverflow, frames) {
			got = append(got, strings.Replace(f.Func+f.Pos, "m.go", "", 1))
		}
		if got := strings.Join(got, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.frames, got, tt.want)
		}
	}
}

func TestCompare(t *testing.T) {
	const index = "runtime error: index out of range [1] with length 1"
	overflow := strings.Replace(trace("", "m.Deep@/m/m.go:6", "m.Deep@/m/m.go:6",
		"m.Start@/m/m.go:9"), "panic: ",
		"runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow", 1)
	for _, tt := range []struct {
		name   string
		kind   schemas.Kind
		pos    string
		result testrun.Result
		status Status
		reason string // a part of it
		stack  []schemas.Frame
	}{
		{"same", "index", "m.go:4:7",
			testrun.Result{Output: trace(index, "m.At@/m/m.go:4", "m.First@/m/m.go:9")},
			Same, "", []schemas.Frame{{Func: "m.At", Pos: "m.go:4"},
				{Func: "m.First", Pos: "m.go:9"}}},
		{"without frames of others", "index", "a/a.go:4:7",
			testrun.Result{Output: trace(index, "sort.Sort@/go/src/sort/sort.go:1",
				"v.F@/m/vendor/v/v.go:2", "m/a.At@/m/a/a.go:4")},
			Same, "", []schemas.Frame{{Func: "m/a.At", Pos: "a/a.go:4"}}},
		{"other line", "index", "m.go:5:7", testrun.Result{Output: trace(index, "m.At@/m/m.go:4")},
			Other, "another panic: index at m.go:4: " + index,
			[]schemas.Frame{{Func: "m.At", Pos: "m.go:4"}}},
		{"other kind", "div-zero", "m.go:4:7", testrun.Result{Output: trace(index, "m.At@/m/m.go:4")},
			Other, "another panic: index at m.go:4",
			[]schemas.Frame{{Func: "m.At", Pos: "m.go:4"}}},
		{"in the test itself", "index", "m.go:4:7", testrun.Result{Output: trace(index)},
			Other, "index at a position outside the testee", nil},
		{"overflow in another frame", "stack-overflow", "m.go:9:2", testrun.Result{Output: overflow},
			Same, "", []schemas.Frame{{Func: "m.Deep", Pos: "m.go:6"},
				{Func: "m.Start", Pos: "m.go:9"}}},
		{"overflow elsewhere", "stack-overflow", "m.go:20:2", testrun.Result{Output: overflow},
			Other, "stack-overflow at m.go:6", []schemas.Frame{{Func: "m.Deep", Pos: "m.go:6"},
				{Func: "m.Start", Pos: "m.go:9"}}},
		{"passes", "index", "m.go:4:7", testrun.Result{Output: "PASS\n"}, NoPanic, "did not panic", nil},
		{"hangs", "index", "m.go:4:7", testrun.Result{Err: "too long"}, NoPanic, "too long", nil},
		{"not built", "index", "m.go:4:7", testrun.Result{Err: "undefined: x", NotBuilt: true},
			NotBuilt, "undefined: x", nil},
	} {
		want := Expected{Kind: tt.kind, Pos: tt.pos, File: "crash_test.go"}
		v := Compare(&source.Program{Dir: "/m"}, want, tt.result)
		if v.Status != tt.status || !strings.Contains(v.Reason, tt.reason) ||
			(v.Reason == "") != (tt.status == Same) {
			t.Errorf("%s: got status %d, %q, want %d, %q", tt.name, v.Status, v.Reason,
				tt.status, tt.reason)
		}
		if !reflect.DeepEqual(v.Stack, tt.stack) {
			t.Errorf("%s: got stack %v, want %v", tt.name, v.Stack, tt.stack)
		}
	}
}

// TestRun runs tests in a module, and compares them with the crashes that they should show.
func TestRun(t *testing.T) {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Package("example.com/m")
	var tests []schemas.Test
	for i, body := range []string{"Div(1, 0)", "Deep(0)", "Div(1, 1)", "Div(x, 0)"} {
		name := fmt.Sprintf("%s%d", TestPrefix, i)
		tests = append(tests, schemas.Test{
			Name: name, File: fmt.Sprintf("crash%d_test.go", i), Package: pkg.Path,
			Source: "package m\n\nimport \"testing\"\n\nfunc " + name + "(*testing.T) { " + body + " }\n",
		})
	}
	results, err := Run(ctx, prog, pkg, tests,
		testrun.Options{Timeout: Timeout, Jobs: 2, Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		kind    schemas.Kind
		pos     string
		status  Status
		crashes int
	}{
		{"div-zero", "m.go:3:33", Same, 2},
		{"stack-overflow", "m.go:6:13", Same, 2},
		{"div-zero", "m.go:3:33", NoPanic, 0},
		{"div-zero", "m.go:3:33", NotBuilt, 0},
	} {
		v := Compare(prog, Expected{tt.kind, tt.pos, tests[i].File}, results[i])
		if v.Status != tt.status || results[i].Crashes != tt.crashes {
			t.Errorf("%s: got status %d (%s) and %d crashes, want %d and %d",
				tests[i].Source, v.Status, v.Reason, results[i].Crashes, tt.status, tt.crashes)
		}
	}
}

func TestWriteTest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "dir")
	test := &schemas.Test{
		File: "crash_f_test.go", Source: "package m\n\nfunc TestCrashF() {}\n",
		Files: []schemas.TestFile{{File: "testdata/crash_f.json", Content: "{}\n"}},
	}
	for range 2 { // the second time, its own file is overwritten
		if err := WriteTest(dir, test); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{test.File: test.Source, "testdata/crash_f.json": "{}\n"}
	for file, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", file, got, err, want)
		}
	}
	foreign := filepath.Join(dir, "foreign_test.go")
	if err := os.WriteFile(foreign, []byte("package m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := WriteTest(dir, &schemas.Test{File: "foreign_test.go", Source: test.Source})
	if err == nil || !strings.Contains(err.Error(), "not a generated test") {
		t.Errorf("overwriting a foreign file: got error %v", err)
	}
	if got, _ := os.ReadFile(foreign); string(got) != "package m\n" {
		t.Errorf("the foreign file is now %q", got)
	}
}

func TestLog(t *testing.T) {
	fmt.Fprintln(Log(nil), "discarded")
	var b strings.Builder
	w := Log(&b)
	done := make(chan bool)
	for range 4 {
		go func() {
			for range 100 {
				fmt.Fprintln(w, "line")
			}
			done <- true
		}()
	}
	for range 4 {
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("Log deadlocks")
		}
	}
	if got := strings.Count(b.String(), "line\n"); got != 400 {
		t.Errorf("got %d lines, want 400", got)
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb":                             "a",
		"# m/p [m/p.test]\np/a.go:1:2: no": "p/a.go:1:2: no",
		"tests do not build: # m/p\np/a.go:1:2: no": "tests do not build: p/a.go:1:2: no",
	} {
		if got := FirstLine(errors.New(text)); got != want {
			t.Errorf("FirstLine(%q) = %q, want %q", text, got, want)
		}
	}
}
