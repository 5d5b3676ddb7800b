package assertion

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dsd/infer"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// traced runs the tests of a module that match, and returns the trace.
func traced(t *testing.T, dir, run string) func() (*schemas.TraceReader, error) {
	t.Helper()
	var b bytes.Buffer
	if err := infer.Trace(t.Context(), &b, infer.TraceOptions{Dir: dir, Run: run, Log: io.Discard}); err != nil {
		t.Fatal(err)
	}
	return func() (*schemas.TraceReader, error) {
		return schemas.NewTraceReader(bytes.NewReader(b.Bytes()), "trace")
	}
}

// learned returns the invariants of a trace.
func learned(t *testing.T, trace func() (*schemas.TraceReader, error)) *schemas.Invariants {
	t.Helper()
	doc, err := infer.Invariants([]infer.Source{trace}, 0.9, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// ids returns the IDs of all invariants of entries and exits.
func ids(doc *schemas.Invariants) (out []string) {
	for _, p := range doc.Points {
		if p.At == schemas.AtEntry || p.At == schemas.AtExit {
			for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
				out = append(out, inv.ID)
			}
		}
	}
	return out
}

// export writes the assertions of all invariants of a module, and returns the flag for them.
func export(t *testing.T, dir string, doc *schemas.Invariants, mode Mode) (*Result, string) {
	t.Helper()
	prog, err := source.Load(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Rewrite(prog, doc, Options{IDs: ids(doc), Mode: mode, Tag: DefaultTag})
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "overlay")
	if err := overlay.Export(to, prog.Dir, res.Files); err != nil {
		t.Fatal(err)
	}
	return res, "-overlay=" + filepath.Join(to, "overlay.json")
}

// goTest runs the tests of a module, and returns their output.
func goTest(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-count=1", "-v"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestSameAsCheck compares what assertions find while tests run with what infer check finds in a trace
// of the same tests. The invariants were learned from some of the tests.
func TestSameAsCheck(t *testing.T) {
	for _, m := range []struct{ dir, learnFrom string }{
		{"testdata/forms", "^TestA"},
		{"../../examples/parcel", "Price|Arrive"},
	} {
		t.Run(filepath.Base(m.dir), func(t *testing.T) {
			doc := learned(t, traced(t, m.dir, m.learnFrom))
			all, err := traced(t, m.dir, "")()
			if err != nil {
				t.Fatal(err)
			}
			found, _, err := infer.Violations(doc, all)
			if err != nil {
				t.Fatal(err)
			}
			res, flag := export(t, m.dir, doc, Log)
			leftOut := map[string]string{}
			for _, l := range res.LeftOut {
				leftOut[l.Name] = l.Reason
			}
			if len(leftOut) > 0 {
				t.Errorf("left out: %v", leftOut)
			}
			want := map[string]string{}
			for _, v := range found {
				if leftOut[v.Invariant.ID] == "" && v.At != schemas.AtType && v.At != schemas.AtPanic {
					want[v.Invariant.ID] = v.Func + ": " + v.Invariant.Expr
				}
			}
			if len(want) < 5 || res.Checked < 30 {
				t.Fatalf("%d invariants are checked and %d violated, too few for a test", res.Checked, len(want))
			}
			out, err := goTest(t, m.dir, flag, "-tags="+DefaultTag, "./...")
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := map[string]string{}
			for _, match := range regexp.MustCompile(`invariant (I\d+) at .*`).FindAllStringSubmatch(out, -1) {
				got[match[1]] = match[0]
			}
			for _, id := range slices.Sorted(maps.Keys(want)) {
				if got[id] == "" {
					t.Errorf("%s %s is not found to be violated", id, want[id])
				}
			}
			for _, id := range slices.Sorted(maps.Keys(got)) {
				if want[id] == "" {
					t.Errorf("infer check does not say that %s", got[id])
				}
			}
			t.Logf("%d checked, %d violated, %d left out: %v", res.Checked, len(want), len(res.LeftOut), leftOut)
			if out, err := goTest(t, m.dir, flag, "./..."); err != nil || strings.Contains(out, "is violated") {
				t.Errorf("without the tag: %v\n%s", err, out)
			}
		})
	}
}

// TestModes compares what violations do.
func TestModes(t *testing.T) {
	const dir = "testdata/forms"
	doc := learned(t, traced(t, dir, "^TestA"))
	_, flag := export(t, dir, doc, Panic)
	out, err := goTest(t, dir, flag, "-tags="+DefaultTag)
	if err == nil || !strings.Contains(out, "panic: invariant ") {
		t.Errorf("mode panic: %v, want a panic:\n%s", err, out)
	}
	counting := t.TempDir()
	if err := os.CopyFS(counting, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	const last = "package forms\n\nimport (\n\t\"expvar\"\n\t\"testing\"\n)\n\n" +
		"func TestCounts(t *testing.T) { t.Log(\"counts:\", expvar.Get(\"dsd\")) }\n"
	if err := os.WriteFile(filepath.Join(counting, "last_test.go"), []byte(last), 0o666); err != nil {
		t.Fatal(err)
	}
	_, flag = export(t, counting, doc, Count)
	out, err = goTest(t, counting, flag, "-tags="+DefaultTag)
	if err != nil || strings.Contains(out, "is violated") || !regexp.MustCompile(`counts: \{"I\d+": [1-9]`).MatchString(out) {
		t.Errorf("mode count: %v, want counts and no message:\n%s", err, out)
	}
}

// TestExport refuses a directory with files of somebody else.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := overlay.Export(dir, t.TempDir(), nil); err == nil {
		t.Error("a directory with other files is accepted")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

// TestUnknownID names the ID.
func TestUnknownID(t *testing.T) {
	_, err := Rewrite(&source.Program{}, &schemas.Invariants{}, Options{IDs: []string{"I7"}})
	if err == nil || !strings.Contains(err.Error(), "I7") {
		t.Errorf("got %v, want an error about I7", err)
	}
}
