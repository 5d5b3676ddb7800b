package confirm

import (
	"context"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestMinimize: of a long string, a long slice and a large number, as much is left as the panic
// needs.
func TestMinimize(t *testing.T) {
	prog := load(t)
	doc := &schemas.Warnings{Warnings: []schemas.Warning{{
		ID: "W1", Func: "example.com/m.Third", Kind: schemas.Index, Pos: "m.go:45:17",
		Counterexample: counterexample(t, `{"params": [
			{"name": "name", "type": "string", "lit": "\"`+strings.Repeat("a", 500)+`\""},
			{"name": "numbers", "type": "[]int", "ref": 0, "len": 3, "cap": 64},
			{"name": "n", "type": "int", "lit": "288230376151711745"}],
			"objects": [{"type": "[64]int"}]}`),
	}}}
	out, err := Run(context.Background(), prog, doc, Options{NoSequences: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Crashes) != 1 {
		t.Fatalf("got %d crashes, %+v", len(out.Crashes), out.Unconfirmed)
	}
	const want = "Third(\"aaaaaaa\", []int{0}, 2)"
	if got := strings.TrimSpace(out.Crashes[0].Inputs); got != want {
		t.Errorf("got inputs\n%s\nwant\n%s", got, want)
	}
	// The message is that of the test that is left.
	if got := out.Crashes[0].Message; got != "runtime error: index out of range [-3]" {
		t.Errorf("got message %q", got)
	}
	if !strings.Contains(out.Crashes[0].Test.Source, "Third(") {
		t.Errorf("got test\n%s", out.Crashes[0].Test.Source)
	}
}

// TestMinimizeEqual: values that have to be equal become smaller together, whatever stays large.
func TestMinimizeEqual(t *testing.T) {
	prog := load(t)
	doc := &schemas.Warnings{Warnings: []schemas.Warning{{
		ID: "W1", Func: "example.com/m.Match", Kind: schemas.Index, Pos: "m.go:53:17",
		Counterexample: counterexample(t, `{"params": [
			{"name": "first", "type": "int", "lit": "235886"},
			{"name": "second", "type": "int", "lit": "235886"},
			{"name": "times", "type": "int", "lit": "288230376151711745"},
			{"name": "share", "type": "float64", "lit": "2.2250738585072024e-308"}]}`),
	}}}
	out, err := Run(context.Background(), prog, doc, Options{NoSequences: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Crashes) != 1 {
		t.Fatalf("got %d crashes, %+v", len(out.Crashes), out.Unconfirmed)
	}
	const want = "Match(1, 1, 1000, 1)"
	if got := strings.TrimSpace(out.Crashes[0].Inputs); got != want {
		t.Errorf("got inputs\n%s\nwant\n%s", got, want)
	}
}
