package gotest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// module writes files, given by name and content, into a new folder and loads them.
func module(t *testing.T, files map[string]string) *source.Program {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

const head = "\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _ = os.Exit, time.Sleep\n\n"

// TestPassing leaves out the tests that fail, panic, exit and hang, each at the cost of one more run, and
// those that write do so in a copy of their folder.
func TestPassing(t *testing.T) {
	prog := module(t, map[string]string{
		"a/a.go": "package a\n",
		"a/a_test.go": "package a" + head + `func TestPasses(t *testing.T) {}
func TestFails(t *testing.T)  { t.Error() }
func TestPanics(t *testing.T) { panic("x") }
func TestExits(t *testing.T)  { os.Exit(3) }
func TestHangs(t *testing.T)  { time.Sleep(time.Hour) }
func TestSkips(t *testing.T)  { t.Skip() }
func TestWrites(t *testing.T) {
	if err := os.WriteFile("a_test.go", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("../b/b.go"); err != nil {
		t.Fatal(err)
	}
}
func BenchmarkOnce(b *testing.B) {
	for b.Loop() {
	}
}
`,
		"b/b.go":      "package b\n",
		"b/b_test.go": "package b\n\nvar x int = \"\"\n",
		"c/c.go":      "package c\n",
		"c/c_test.go": "package c" + head + "func TestMain(*testing.M) { println(\"no server\"); os.Exit(1) }\n",
	})
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	built, failed, err := Build(context.Background(), o, prog.Packages, 0)
	if err != nil || len(built) != 2 || len(failed) != 1 {
		t.Fatalf("%d built, failed %q, %v", len(built), failed, err)
	}
	if text := failed["example.com/m/b"]; !strings.Contains(text, "b/b_test.go:3:13: cannot use") {
		t.Errorf("the error in b is %q", text)
	}
	for _, b := range built {
		runs := 0
		var last *Result
		opt := Options{Bench: true, Timeout: 3 * time.Second}
		out, err := b.Passing(context.Background(), opt, func(r *Result, passed bool) error {
			runs++
			last = r
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range out {
			got = append(got, l.Test+": "+l.Reason)
		}
		var passed []string
		for _, name := range []string{"TestPasses", "TestSkips", "TestWrites", "BenchmarkOnce"} {
			if s := last.Tests[name]; s == Pass || s == Skip || strings.HasPrefix(name, "Bench") && s == Running {
				passed = append(passed, name)
			}
		}
		text := strings.Join(got, ", ")
		switch b.Path {
		case "example.com/m/a":
			want := "TestFails: the test fails, TestPanics: the test fails, TestExits: the test ends the process, " +
				"TestHangs: the test does not end in time"
			if text != want || runs != 4 || len(passed) != 4 {
				t.Errorf("left out are %q, want %q, after %d runs; passed %q", text, want, runs, passed)
			}
		case "example.com/m/c":
			if text != ": its tests do not run: no server" || runs != 1 {
				t.Errorf("left out of c are %q after %d runs", text, runs)
			}
		}
	}
	if text, err := os.ReadFile(filepath.Join(prog.Dir, "a/a_test.go")); err != nil || len(text) == 0 {
		t.Errorf("the test wrote into the module: %v", err)
	}
}

// TestTimeout: at the timeout, what passed is kept, after one more run without the test that failed.
func TestTimeout(t *testing.T) {
	prog := module(t, map[string]string{
		"a/a.go": "package a\n",
		"a/a_test.go": "package a" + head + `func TestFails(t *testing.T) { t.Error() }
func TestOne(t *testing.T)   { time.Sleep(800 * time.Millisecond) }
func TestTwo(t *testing.T)   { time.Sleep(800 * time.Millisecond) }
func TestThree(t *testing.T) { time.Sleep(800 * time.Millisecond) }
func TestFour(t *testing.T)  { os.Exit(0) }
`,
	})
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	built, _, err := Build(context.Background(), o, prog.Packages, 0)
	if err != nil || len(built) != 1 {
		t.Fatal(built, err)
	}
	var kept []*Result
	out, err := built[0].Passing(context.Background(), Options{Timeout: 2 * time.Second}, func(r *Result, passed bool) error {
		if passed {
			kept = append(kept, r)
		}
		return nil
	})
	want := []LeftOut{{"TestFails", "the test fails"},
		{"", "its tests were stopped after 2s; what they showed until then is kept"}}
	if err != nil || !slices.Equal(out, want) {
		t.Errorf("left out are %q, %v, want %q", out, err, want)
	}
	if len(kept) != 1 || kept[0].Tests["TestOne"] != Pass || kept[0].Tests["TestThree"] != Running {
		t.Errorf("what counts is %v", kept)
	}
}
