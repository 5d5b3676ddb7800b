package fuzztarget_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/fuzztarget"
	"dsd/crash/random"
	"dsd/crash/search/carve"
	"dsd/internal/confine"
	"dsd/internal/source"
)

func TestMain(m *testing.M) {
	confine.Init() // the harness runs this binary again, confined
	os.Exit(m.Run())
}

// copied returns a copy of the test module, without the files that are no inputs.
func copied(t *testing.T) (string, *source.Program) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/mod")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"short", "text"} {
		if err := os.Remove(filepath.Join(dir, "testdata/fuzz/FuzzParse", name)); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dir, prog
}

func goCommand(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestWrite: the targets compile, vet finds nothing in them, their seeds pass, and native fuzzing runs them. A
// seed from a given test fails.
func TestWrite(t *testing.T) {
	dir, prog := copied(t)
	crash := carve.Source{Name: "crash_test.go", Text: "package fuzzed\n\nimport \"testing\"\n\n" +
		"func TestCrash(t *testing.T) {\n\tb, _ := NewBell(\"x\", 9)\n\tb.Last()\n}\n"}
	targets, skipped, err := fuzztarget.Write(t.Context(), prog, fuzztarget.Options{
		Tests: map[string][]carve.Source{"example.com/fuzzed": {crash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, x := range targets {
		sources[x.Name] = x.Source
		if err := os.WriteFile(filepath.Join(dir, x.Dir, x.File), []byte(x.Source), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const ring = `
func FuzzBellRing(f *testing.F) {
	f.Add("big", uint8(2), 3)
	f.Add("big", uint8(2), 12)
	f.Add("small", uint8(2), 3)
	f.Fuzz(func(t *testing.T, name string, level uint8, n int) {
		b, e := NewBell(name, Level(level))
		if e != nil {
			return
		}
		_ = b.Ring(n)
	})
}
`
	if got := sources["FuzzBellRing"]; !strings.Contains(got, ring) {
		t.Errorf("got\n%s\nwant\n%s", got, ring)
	}
	for _, name := range []string{"FuzzNewBell", "FuzzBellString", "FuzzScale", "FuzzParse2"} {
		if sources[name] == "" {
			t.Errorf("no target %s", name)
		}
	}
	if len(skipped) != 1 || skipped[0].Func != "example.com/fuzzed.Nothing" {
		t.Errorf("got skipped %v, want Nothing alone", skipped)
	}
	if out, err := goCommand(t, dir, "vet", "."); err != nil {
		t.Errorf("vet: %v\n%s", err, out)
	}
	out, err := goCommand(t, dir, "test", "-run", "^Fuzz", ".")
	if err == nil || !strings.Contains(out, "FuzzBellLast/seed") {
		t.Errorf("want only the seed of Last to fail: %v\n%s", err, out)
	}
	if out, err := goCommand(t, dir, "test", "-run", "^$", "-fuzz", "^FuzzBellRing$", "-fuzztime", "100x", "."); err != nil {
		t.Errorf("native fuzzing: %v\n%s", err, out)
	}
}

// TestCorpus: random testing that begins with an input of native fuzzing finds the crash behind it, which it does
// not find otherwise, and gives back inputs that native fuzzing reads.
func TestCorpus(t *testing.T) {
	dir, prog := copied(t)
	state := t.TempDir()
	run := func(corpus string) (found bool) {
		t.Helper()
		doc, err := random.Run(t.Context(), prog, random.Options{
			Time: 4 * time.Second, Seed: 1, Corpus: corpus, NewInputs: corpus, State: state, Jobs: 1, Log: io.Discard,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range doc.Crashes {
			found = found || x.Pos == "fuzzed.go:52"
		}
		return found
	}
	if run("") {
		t.Fatal("the crash is found without the input: the test shows nothing")
	}
	to := t.TempDir()
	corpus := filepath.Join(to, "testdata", "fuzz")
	if err := os.CopyFS(corpus, os.DirFS(filepath.Join(dir, "testdata", "fuzz"))); err != nil {
		t.Fatal(err)
	}
	if !run(to) {
		t.Error("the crash is not found with the input")
	}
	list, err := os.ReadDir(filepath.Join(corpus, "FuzzParse"))
	if err != nil || len(list) < 2 {
		t.Errorf("got %d inputs, %v; want new ones", len(list), err)
	}
	// The crash is among the new inputs.
	if err := os.CopyFS(filepath.Join(dir, "more"), os.DirFS(corpus)); err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if e.Name() == "deep" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(corpus, "FuzzParse", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "testdata/fuzz/FuzzParse", e.Name()), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := goCommand(t, dir, "test", "-run", "^FuzzParse$", ".")
	if err == nil || !strings.Contains(out, "fuzzed.go:52") {
		t.Errorf("want the crash: %v\n%s", err, out)
	}
	// Another run begins with what this one kept, without the input.
	if !run("") {
		t.Error("the crash is not found from the state")
	}
}

// TestReadCorpus names files that are no inputs.
func TestReadCorpus(t *testing.T) {
	prog, err := source.Load(t.Context(), "testdata/mod", nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fuzztarget.ReadCorpus(prog, prog.Packages[0], filepath.Join("testdata", "fuzz"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Inputs != 2 {
		t.Errorf("got %d inputs, want f.Add and deep", c.Inputs)
	}
	bad := func(s string) bool {
		return strings.HasSuffix(s, "short: it has 1 values, want 3") ||
			strings.HasSuffix(s, `text: the first line is not "go test fuzz v1"`)
	}
	if len(c.Unread) != 2 || !slices.ContainsFunc(c.Unread, bad) {
		t.Errorf("got unread %q", c.Unread)
	}
}
