package fix

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/verify"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

var update = flag.Bool("update", false, "rewrite the golden file")

// unformatted are files that gofmt would change.
var unformatted = map[string]string{
	"sub/noend.go": "package sub\n\nfunc NoEnd(s string) byte { return s[0] }",
	"sub/brace.go": "package sub\n\nfunc Brace(s string) byte { f := func() byte {\n\treturn s[0]\n}\n\treturn f()\n}\n",
}

// load loads a copy of testdata/mod with the unformatted files.
func load(t *testing.T) *source.Program {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/mod")); err != nil {
		t.Fatal(err)
	}
	for name, text := range unformatted {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// proposals are functions with a condition each.
var proposals = []struct{ fn, cond string }{
	{".At", "i >= 0 && i < len(list)"},
	{".Div", "b != 0"},
	{".(*Stack).Push", "s.size < len(s.items)"},
	{".Record.Share", "r.Low != r.High"},
	{".Low", "r != nil"},
	{".Second", "len(text) > 1"},
	{".Last[...]", "len(list) > 0"},
	{"/sub.First", "len(text) > 0"},
	{"/sub.NoEnd", "len(s) > 0"},
	{"/sub.Brace", "len(s) > 0"},
	{"/sub.Group", "len(text) > 0"},
	{".Named", "len(errors) > 0"},
	{"/sub.Made", "len(s) > 0"},
	{".Div", "b"},
}

// TestPropose: the diffs are as in the golden file, git apply makes the changed file of them, and the
// module compiles with all of those that can be applied together.
func TestPropose(t *testing.T) {
	prog := load(t)
	funcs := verify.Funcs(prog)
	var got strings.Builder
	for _, tt := range proposals {
		c, why := Propose(prog, verify.Func(funcs, prog.Module+tt.fn), tt.cond)
		got.WriteString("# " + tt.fn + ": " + tt.cond + "\n")
		if c == nil {
			got.WriteString("not proposed: " + why + "\n\n")
			continue
		}
		var diff bytes.Buffer
		if err := c.WriteDiff(&diff); err != nil {
			t.Fatal(err)
		}
		got.WriteString(diff.String() + "\n")
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(prog.Dir)); err != nil {
			t.Fatal(err)
		}
		apply := exec.Command("git", "apply", "-")
		apply.Dir, apply.Stdin = dir, &diff
		if out, err := apply.CombinedOutput(); err != nil {
			t.Fatalf("%s: git apply: %v\n%s", tt.fn, err, out)
		}
		if after, err := os.ReadFile(filepath.Join(dir, c.File)); err != nil || !bytes.Equal(after, c.Apply()) {
			t.Errorf("%s: the diff makes\n%s\nwant\n%s", tt.fn, after, c.Apply())
		}
		build := exec.Command("go", "vet", "./...")
		build.Dir = dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", tt.fn, err, out)
		}
	}
	const golden = "testdata/changes.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestTry accepts a change that prevents the panic. It rejects one that does not, one that does not
// compile, and one that makes a test of the package fail that passed before.
func TestTry(t *testing.T) {
	prog := load(t)
	c := &schemas.Crash{Test: schemas.Test{Package: prog.Module, Name: "TestCrash", File: "zz_crash_test.go",
		Source: "package mod\n\nimport \"testing\"\n\nfunc TestCrash(t *testing.T) { At(nil, 2) }\n"}}
	at := verify.Func(verify.Funcs(prog), prog.Module+".At")
	trier := &Trier{Prog: prog, Unconfined: true}
	for cond, want := range map[string]string{
		"i < len(list)":           "",
		"i > 2":                   "then TestAt fails",
		"i < 3":                   "the test still panics",
		"i < none":                "undefined: none",
		"i < len(list) && i == 0": "",
	} {
		change, why := Propose(prog, at, cond)
		if change == nil {
			t.Fatal(why)
		}
		got, err := trier.Try(context.Background(), c, change)
		if err != nil || want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v, want %q", cond, got, err, want)
		}
	}
}
