package check

import (
	"slices"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestExact checks the functions of testdata/exact, which its own tests run: those whose names begin
// with Can panic, and are warned of with a counterexample; those that begin with Never do not, and are
// not warned of.
func TestExact(t *testing.T) {
	var can, warned []string
	prog := load(t, "testdata/exact")
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			if strings.HasPrefix(f.Obj.Name(), "Can") {
				can = append(can, f.Obj.Name())
			}
		}
	}
	doc := run(t, "testdata/exact", Options{})
	for _, w := range doc.Warnings {
		name := w.Func[strings.LastIndex(w.Func, ".")+1:]
		if strings.HasPrefix(name, "Never") {
			t.Errorf("%s never panics, and is warned of: %s at %s, %s", name, w.Kind, w.Pos, w.Status)
		}
		if w.Status == schemas.Sat {
			warned = append(warned, name)
		}
	}
	for _, name := range can {
		if !slices.Contains(warned, name) {
			t.Errorf("%s panics, and is not warned of", name)
		}
	}
	for _, s := range doc.Skipped {
		t.Errorf("%s is skipped: %s", s.Func, s.Reason)
	}
}
