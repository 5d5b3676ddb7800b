package blame

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"dsd/infer/instrument"
	"dsd/internal/source"
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
	o := NewObserver(prog, prog.Packages, Options{Jobs: 2, Unconfined: true})
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
	one := NewObserver(prog, prog.Packages, Options{Jobs: 1})
	one.Begin(t.Context(), pkg, tests)
	one.Wait()
	if len(one.seen) != 0 {
		t.Error("tests ran beside others with one job")
	}
}

// TestObserverPart: of a module what the tests of a package need is instrumented. A test that imports another
// package of the module is observed there, too.
func TestObserverPart(t *testing.T) {
	prog := load(t)
	pkg := prog.Package(prog.Module + "/mocks")
	test := func(name, imports, call string) schemas.Test {
		return schemas.Test{Package: pkg.Path, File: strings.ToLower(name) + "_test.go", Name: "Test" + name,
			Source: "package mocks\n\nimport (\n\t\"testing\"\n" + imports + ")\n\nfunc Test" + name + "(*testing.T) { " + call + " }\n"}
	}
	own := test("Own", "", "Head(`x`)")
	other := test("Other", "\t\""+prog.Module+"/internal/deep\"\n", "deep.Tail(`x`)")
	o := NewObserver(prog, []*source.Package{pkg}, Options{Jobs: 1, Unconfined: true})
	for _, c := range []struct {
		test  schemas.Test
		files []string
		fn    string
	}{
		{own, []string{"mocks/mocks.go"}, pkg.Path + ".Head"},
		{other, []string{"generated.go", "internal/deep/deep.go", "mocks/mocks.go", "mod.go"}, prog.Module + "/internal/deep.Tail"},
	} {
		var files []string
		for _, name := range slices.Sorted(maps.Keys(o.testees().of(prog, pkg, []schemas.Test{c.test}).Files)) {
			if !strings.HasPrefix(name, instrument.RuntimeDir) && !strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "zz_dsd") {
				files = append(files, name)
			}
		}
		if !slices.Equal(files, c.files) {
			t.Errorf("%s: rewritten are %v, want %v", c.test.Name, files, c.files)
		}
		got, err := o.observe(t.Context(), pkg, []schemas.Test{c.test})
		if err != nil || got[0] == nil || len(got[0].samples) == 0 || got[0].samples[0].point.Func != c.fn {
			t.Errorf("%s: got %+v, %v, want samples of %s", c.test.Name, got[0], err, c.fn)
		}
	}
}
