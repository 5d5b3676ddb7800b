package verify

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"dsd/crash/testrun"
	"dsd/internal/cache"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

// TestKept: a test that ran before is not run again, one that is new is, and what was said about the package is said
// again. After a change of the package all run again.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.24\n",
		"a.go":      "package m\n\nfunc F(i int) int { return 1 / i }\n",
		"a_test.go": "package m\n\nvar _ int = \"\"\n", // does not compile
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	store, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	test := func(name, body string) schemas.Test {
		return schemas.Test{Package: "example.com/m", Name: name, File: name + "_test.go",
			Source: "package m\n\nimport \"testing\"\n\nfunc " + name + "(*testing.T) { " + body + " }\n"}
	}
	one, two := test("TestOne", "F(0)"), test("TestTwo", `println("\xff"); F(1)`)
	bad, late := test("TestBad", "F(none)"), test("TestLate", "for {}")
	// run returns the results, what was said, and which tests ran.
	run := func(tests ...schemas.Test) (results []testrun.Result, said string, ran int) {
		t.Helper()
		prog, err := source.Load(context.Background(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		opt := testrun.Options{Timeout: time.Second, Log: &log, Memo: memo.New(context.Background(), store, memo.ID{}, prog)}
		pkg := prog.Package("example.com/m")
		opt.OwnTests, opt.Overlay = pkg.TestFiles, Overlay(prog, nil)
		keys, ok := Kept(pkg, tests, opt)
		if !ok {
			t.Fatal("nothing is kept")
		}
		for _, key := range keys {
			if !opt.Memo.Get(key, new(kept)) {
				ran++
			}
		}
		results, err = Run(context.Background(), prog, pkg, tests, opt)
		if err != nil {
			t.Fatal(err)
		}
		return results, log.String(), ran
	}
	first, said, ran := run(one, bad, late)
	if ran != 3 || first[0].Crashes != 1 || !first[1].NotBuilt || !first[2].Late || said == "" {
		t.Fatalf("first: %+v, %q, %d ran", first, said, ran)
	}
	again, saidAgain, ran := run(one, two, bad)
	if ran != 1 || !reflect.DeepEqual(again[0], first[0]) || !reflect.DeepEqual(again[2], first[1]) || !again[1].Started {
		t.Errorf("again: %+v, %d ran, want %+v, and one", again, ran, first)
	}
	if saidAgain != said {
		t.Errorf("again it says %q, want %q", saidAgain, said)
	}
	third, saidAgain, ran := run(one, two)
	if ran != 0 || !reflect.DeepEqual(third, again[:2]) || saidAgain != said {
		t.Errorf("for the third time: %+v, %q, %d ran", third, saidAgain, ran)
	}
	if _, _, ran := run(late); ran != 1 {
		t.Error("the result of a test that was stopped is kept")
	}
	if err := os.WriteFile(filepath.Join(dir, "b.go"), []byte("package m\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, ran := run(one, two); ran != 2 {
		t.Errorf("%d tests ran after a change, want 2", ran)
	}
}
