package paramgraph

import (
	"go/types"
	"path/filepath"
	"testing"

	"dsd/internal/source"
)

// TestDataDepthOrder: the depth of a type does not depend on what was asked before, also where types hold each other.
func TestDataDepthOrder(t *testing.T) {
	prog, err := source.Load(t.Context(), filepath.Join("..", "testdata", "mod"), []string{"./sheet"})
	if err != nil {
		t.Fatal(err)
	}
	depths := dataDepths{prog, map[types.Type]int{}}
	for _, tt := range []struct {
		name string
		want int
	}{{"Sheet", 8}, {"Book", 10}, {"Cell", 3}, {"Sheet", 8}} {
		if got := depths.of(prog.Packages[0].Types.Scope().Lookup(tt.name).Type()); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}
