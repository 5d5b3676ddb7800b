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
	if !strings.Contains(out.Crashes[0].Test.Source, "Third(") {
		t.Errorf("got test\n%s", out.Crashes[0].Test.Source)
	}
}
