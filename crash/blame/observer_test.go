package blame

import (
	"context"
	"testing"

	"dsd/schemas"
)

// TestObserver: what Begin observed is not run again, and each caller gets a copy of its own.
func TestObserver(t *testing.T) {
	prog := load(t)
	pkg := prog.Packages[0]
	tests := []schemas.Test{{
		Package: pkg.Path, File: "crash_a_test.go", Name: "TestCrashA",
		Source: "package " + pkg.Name + "\n\nimport \"testing\"\n\nfunc TestCrashA(*testing.T) { panic(1) }\n",
	}}
	o := NewObserver(prog, Options{Jobs: 2, Unconfined: true})
	o.Begin(t.Context(), pkg, tests)
	o.Wait()
	if len(o.seen) != 1 {
		t.Fatalf("%d tests were observed, want 1", len(o.seen))
	}
	key := testKey(pkg, &tests[0])
	o.seen[key] = &observation{known: 7}
	ended, stop := context.WithCancel(t.Context())
	stop() // nothing can run
	for range 2 {
		got, err := o.observe(ended, pkg, tests)
		if err != nil || len(got) != 1 || got[0] == nil || got[0].known != 7 || got[0] == o.seen[key] {
			t.Errorf("got %+v, %v, want a copy of what was observed", got, err)
		}
	}
	one := NewObserver(prog, Options{Jobs: 1})
	one.Begin(t.Context(), pkg, tests)
	one.Wait()
	if len(one.seen) != 0 {
		t.Error("tests ran beside others with one job")
	}
}
