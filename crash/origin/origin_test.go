package origin

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dsd/crash/stack"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

// dir holds the main module; it requires a dependency beside it.
var dir = filepath.Join("testdata", "m")

// parse parses a panic with frames "function@file:line", the panicking one first.
func parse(tb testing.TB, message string, frames ...string) *stack.Panic {
	tb.Helper()
	text := "panic: " + message + "\n\ngoroutine 1 [running]:\n"
	for _, f := range frames {
		fn, pos, _ := strings.Cut(f, "@")
		text += fn + "(0x0)\n\t" + pos + " +0x1d\n"
	}
	p := stack.Parse(text)
	if p == nil {
		tb.Fatalf("not a panic: %s", text)
	}
	return p
}

const (
	divide = "runtime error: integer divide by zero"
	half   = "example.com/dep.Half@/home/me/dep/dep.go:4"
	start  = "example.com/m.Start@/home/me/m/m.go:5"
	other  = "example.org/other.F@/home/me/other/other.go:3"
)

func located(tb testing.TB, p *stack.Panic) *Trace {
	tb.Helper()
	build, err := source.Modules(context.Background(), dir)
	if err != nil {
		tb.Fatal(err)
	}
	return Locate(context.Background(), build, p)
}

func TestInnermost(t *testing.T) {
	for _, tt := range []struct {
		frames []string
		want   string // the modules
		err    string
	}{
		{[]string{half, start}, "example.com/dep example.com/m", ""},
		{[]string{start, half, start}, "example.com/m example.com/dep", ""},
		{[]string{other, start}, "example.com/m", ""},
		{[]string{other}, "", ErrNotInBuild.Error() +
			": example.org/other.F: the build has no such package"},
		{[]string{"example.com/m.Gone@/home/me/m/m.go:5"}, "", "has no such function"},
	} {
		trace := located(t, parse(t, divide, tt.frames...))
		var got []string
		for _, m := range trace.Modules() {
			got = append(got, m.Path)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%v: got modules %q, want %q", tt.frames, s, tt.want)
		}
		m, err := trace.Innermost()
		if tt.err == "" {
			if err != nil || m != trace.Modules()[0] {
				t.Errorf("%v: got innermost %v, %v", tt.frames, m, err)
			}
		} else if !errors.Is(err, ErrNotInBuild) || !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%v: got error %v, want %s", tt.frames, err, tt.err)
		}
	}
}

func TestDescribe(t *testing.T) {
	p := parse(t, divide, half, start)
	doc, err := Describe(context.Background(), dir, p)
	if err != nil {
		t.Fatal(err)
	}
	want := []schemas.PanicFrame{
		{Func: "example.com/dep.Half", File: "/home/me/dep/dep.go", Line: 4, Args: "0x0",
			Module: "example.com/dep@v1.2.0", Pos: "dep.go:4", Source: "return 100 / n"},
		{Func: "example.com/m.Start", File: "/home/me/m/m.go", Line: 5, Args: "0x0",
			Module: "example.com/m", Pos: "m.go:5", Source: "func Start(n int) int { return dep.Half(n) }"},
	}
	if doc.Module.Path != "example.com/m" || doc.Kind != "div-zero" ||
		!reflect.DeepEqual(doc.Frames, want) {
		t.Errorf("got module %v, kind %s, frames %+v, want frames %+v", doc.Module,
			doc.Kind, doc.Frames, want)
	}
	// Outside of any module the frames are as printed.
	if doc, err = Describe(context.Background(), t.TempDir(), p); err != nil {
		t.Fatal(err)
	}
	if f := doc.Frames[0]; f.Pos != "" || f.Module != "" || f.Misfit != "" || f.Line != 4 {
		t.Errorf("without a build: got frame %+v", f)
	}
}

// calls returns crashes of package dep with tests of these bodies: TestCrashA, TestCrashB, and so on.
func calls(bodies ...string) []*schemas.Crash {
	var list []*schemas.Crash
	for i, body := range bodies {
		name := "TestCrash" + string(rune('A'+i))
		list = append(list, &schemas.Crash{Test: schemas.Test{
			Name: name, File: strings.ToLower(name) + "_test.go",
			Package: "example.com/dep",
			Source:  "package dep\n\nimport \"testing\"\n\nfunc " + name + "(*testing.T) { " + body + " }\n",
		}})
	}
	return list
}

// TestModule opens the dependency on a stack, and verifies tests in it.
func TestModule(t *testing.T) {
	ctx := context.Background()
	trace := located(t, parse(t, divide, half, start))
	tests := t.TempDir()
	m, err := trace.Open(ctx, dir, trace.Modules()[0], Options{Tests: tests, Start: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if n := len(m.Target.Frames); n != 1 || m.Target.Kind != "div-zero" ||
		m.Target.Frames[0].Fn == nil {
		t.Errorf("got target %+v, want the frame of Half", m.Target)
	}
	list := calls("Half(0)", "Half(1)", `panic("other")`)
	pkg := m.Prog.Package("example.com/dep")
	got, err := m.Verify(ctx, pkg, list)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Mismatch{nil, {Test: "TestCrashB"},
		{Test: "TestCrashC", Panicked: true, Detail: "other"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got mismatches %v, want %v", got, want)
	}
	c := list[0]
	pos := "example.com/dep@v1.2.0/dep.go:4"
	if c.Kind != "div-zero" || c.Pos != pos || c.Level != 1 || c.Flaky || len(c.Stack) != 1 ||
		c.Stack[0].Pos != pos {
		t.Errorf("got crash %+v, want div-zero at %s", c, pos)
	}
	// The second test that panics like the original is enough: the fourth does not run.
	list = calls("Half(1)", "Half(0)", "Half(0)", "Half(0)")
	if got, err = m.VerifyUntil(ctx, pkg, list, func(i int, c *schemas.Crash) bool {
		return i == 2 && c.Level == 1
	}); err != nil {
		t.Fatal(err)
	}
	want = []*Mismatch{{Test: "TestCrashA"}, nil, nil, {Test: "TestCrashD"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("until the third test: got mismatches %v, want %v", got, want)
	}
	if err := m.WriteTest(&c.Test); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tests, "example.com", "dep", c.Test.File)); err != nil {
		t.Error(err)
	}
	scratch := m.scratch
	m.Close()
	if _, err := os.Stat(scratch); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close, stat of the copy: %v", err)
	}
}

func TestMismatchString(t *testing.T) {
	for _, tt := range []struct {
		m    Mismatch
		want string
	}{
		{Mismatch{Test: "TestF"}, "TestF does not panic when run alone"},
		{Mismatch{Test: "TestF", Detail: "too long"}, "TestF does not panic when run alone: too long"},
		{Mismatch{Test: "TestF", Panicked: true, Detail: "x"},
			"TestF raises another panic when run alone: x"},
	} {
		if got := tt.m.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
