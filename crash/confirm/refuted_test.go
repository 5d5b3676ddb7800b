package confirm

import (
	"testing"

	"dsd/internal/fact"
	"dsd/schemas"
)

// TestContradicts checks that each call is compared with the assumption about that call: the first
// with the first, the second with the second.
func TestContradicts(t *testing.T) {
	number := func(lit string) schemas.Input {
		return schemas.Input{Name: "m.F", Node: schemas.Node{Type: "int", Lit: lit}}
	}
	assumed := []schemas.Input{number("1"), {Name: "m.G"}, number("2")}
	two := uint64(2)
	call := &fact.Call{Callee: "m.F", Results: []fact.Value{{Bits: &two}}}
	for n, want := range []string{"1", "", ""} {
		if got := contradicts(call, n, assumed); got != want {
			t.Errorf("call %d: got %q, want %q", n, got, want)
		}
	}
}
