package candidate

import (
	"go/types"
	"slices"
	"testing"
)

// TestTexts: the texts of a program are those of its literals, and its slices of bytes.
func TestTexts(t *testing.T) {
	bytes := types.NewSlice(types.Typ[types.Byte])
	table := []*Op{
		0: Literal(types.Typ[types.String]), 1: Literal(types.Typ[types.Byte]), 2: SliceOf(bytes),
		3: Literal(types.Typ[types.Int]), 4: SliceOf(types.NewSlice(types.Typ[types.Int])), 5: Zero(types.Typ[types.Byte]),
	}
	p := Program{
		{Op: 0, Text: "first"}, {Op: 1, Bits: '{'}, {Op: 1, Bits: '}'}, {Op: 5},
		{Op: 2, Args: []int{1, 2, 3, 1}}, // a zero value is left out
		{Op: 3, Bits: 7}, {Op: 4, Args: []int{5, 5}}, {Op: 0}, {Op: 0, Text: "first"},
	}
	if got, want := p.Texts(table), []string{"first", "{}{"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
