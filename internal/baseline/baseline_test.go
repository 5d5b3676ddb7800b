package baseline

import (
	"os"
	"testing"

	"dsd/schemas"
)

func crashes(fingerprints ...string) *schemas.Crashes {
	d := &schemas.Crashes{}
	d.Module.Path = "example.com/m"
	for i, f := range fingerprints {
		d.Crashes = append(d.Crashes, schemas.Crash{ID: "C" + string(rune('1'+i)), Fingerprint: f, Kind: schemas.Index,
			Func: "example.com/m.F", Pos: "m.go:3:1", Message: "index out of range"})
	}
	return d
}

func ExampleCrashes() {
	doc, _ := Crashes(crashes("aa", "cc", "aa-2"), crashes("bb", "aa"))
	CrashesText(os.Stdout, doc)
	// Output:
	// new   C2    m.go:3:1: index in example.com/m.F: index out of range
	// new   C3    m.go:3:1: index in example.com/m.F: index out of range
	// gone  C1    m.go:3:1: index in example.com/m.F
	// 2 new, 1 known, 1 gone
}

func TestErrors(t *testing.T) {
	other := crashes("aa")
	other.Module.Path = "example.com/other"
	for _, tt := range []struct {
		before *schemas.Crashes
		want   string
	}{
		{other, "the baseline is of module example.com/other, want example.com/m"},
		{crashes("aa", ""), "the baseline has no fingerprint for C2: an older version wrote it; make it again"},
	} {
		if _, err := Crashes(crashes("aa"), tt.before); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// TestUnchanged: the documents that are compared stay as they are.
func TestUnchanged(t *testing.T) {
	doc := crashes("aa")
	if out, err := Crashes(doc, crashes("aa")); err != nil || !out.Crashes[0].Known || doc.Crashes[0].Known || doc.Baseline != nil {
		t.Errorf("%v, %+v, %+v", err, out, doc)
	}
	w := &schemas.Warnings{Warnings: []schemas.Warning{{ID: "W1", Fingerprint: "aa"}, {ID: "W2", Fingerprint: "bb"}}}
	before := &schemas.Warnings{Warnings: []schemas.Warning{{ID: "W1", Fingerprint: "bb"}}}
	out, err := Warnings(w, before)
	if err != nil || out.Warnings[0].Known || !out.Warnings[1].Known || out.Baseline.New != 1 || out.Baseline.Known != 1 ||
		len(out.Baseline.Gone) != 0 || w.Warnings[1].Known {
		t.Errorf("%v, %+v", err, out)
	}
}
