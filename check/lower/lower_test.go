package lower

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func world(t *testing.T, dir string) (*World, []*Root) {
	t.Helper()
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := New(prog)
	var roots []*Root
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			roots = append(roots, w.Root(f))
		}
	}
	w.Close()
	return w, roots
}

// TestGolden compares the guarded commands of a few functions with those that were read in review.
func TestGolden(t *testing.T) {
	dir := filepath.Join("testdata", "golden")
	w, roots := world(t, dir)
	var out strings.Builder
	for _, r := range roots {
		if r.Err != nil {
			t.Fatalf("%s: %v", r.Func.Name, r.Err)
		}
		w.Func(r.Key).Dump(&out)
	}
	file := filepath.Join(dir, "golden.ir")
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the guarded commands differ from %s (rewrite with -update):\n%s", file, out.String())
	}
}

// TestDeterminism: lowering the same program again gives the same text.
func TestDeterminism(t *testing.T) {
	dump := func() string {
		w, roots := world(t, filepath.Join("..", "testdata", "panics"))
		var out strings.Builder
		for _, r := range roots {
			w.Func(r.Key).Dump(&out)
		}
		for _, m := range w.MemoryOrder {
			out.WriteString(m.Name + "\n")
		}
		return out.String()
	}
	if a, b := dump(), dump(); a != b {
		t.Error("two lowerings of one program differ")
	}
}

// TestLayout: slots and scalars of values.
func TestLayout(t *testing.T) {
	w, roots := world(t, filepath.Join("..", "testdata", "panics"))
	for _, tt := range []struct {
		fn            string
		param         int
		slots, leaves int
	}{
		{"panics.IndexArray", 0, 4, 4},
		{"panics.Index", 0, 1, 4},
		{"panics.Promoted", 0, 1, 2},
		{"panics.SliceString", 0, 1, 3},
		{"panics.Assert", 0, 1, 3},
		{"panics.MethodValue", 0, 1, 1},
	} {
		found := false
		for _, r := range roots {
			if r.Func.Name != tt.fn {
				continue
			}
			found = true
			p := r.Params[tt.param]
			if s, n := w.Slots(p.Type), len(w.Layout(p.Type)); s != tt.slots || n != tt.leaves {
				t.Errorf("%s: %s has %d slots and %d leaves, want %d and %d", tt.fn, p.Type, s, n, tt.slots, tt.leaves)
			}
		}
		if !found {
			t.Errorf("no function %s", tt.fn)
		}
	}
}
