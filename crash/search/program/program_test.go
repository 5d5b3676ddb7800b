package program

import (
	"fmt"
	"go/types"
	"reflect"
	"testing"

	"dsd/crash/candidate"
)

// The operations of the tests: one makes a number, one takes two and returns two.
const (
	number = iota
	swap
)

var table = []*candidate.Op{
	number: candidate.Literal(types.Typ[types.Int]),
	swap: {
		Name: "swap", In: []types.Type{types.Typ[types.Int], types.Typ[types.Int]},
		Out: []types.Type{types.Typ[types.Int], types.Typ[types.Int]},
	},
}

// sample is x0 := 1; x1 := 2; x2, x3 := swap(x0, x0); swap(x3, x1).
var sample = candidate.Program{
	{Op: number, Bits: 1}, {Op: number, Bits: 2},
	{Op: swap, Args: []int{0, 0}}, {Op: swap, Args: []int{3, 1}},
}

func ExampleBuilder() {
	b := &Builder{Table: table}
	x := b.Add(candidate.Stmt{Op: number, Bits: 1})
	y := b.Add(candidate.Stmt{Op: swap, Args: []int{x, x}}) // and y+1
	z := b.Add(candidate.Stmt{Op: number, Bits: 2})
	fmt.Println(x, y, z, b.Results)
	// Output: 0 1 3 4
}

func TestShift(t *testing.T) {
	for _, tt := range []struct {
		args     []int
		first, n int
		want     []int
	}{
		{[]int{0, 3, 1, 5}, 3, 2, []int{0, 5, 1, 7}},
		{[]int{0, 3}, 4, 2, []int{0, 3}},
		{[]int{4, 2}, 3, -1, []int{3, 2}},
		{nil, 0, 1, nil},
	} {
		before := fmt.Sprint(tt.args)
		if got := Shift(tt.args, tt.first, tt.n); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Shift(%v, %d, %d) = %v, want %v",
				tt.args, tt.first, tt.n, got, tt.want)
		}
		if fmt.Sprint(tt.args) != before {
			t.Errorf("Shift changes its argument: %s became %v", before, tt.args)
		}
	}
}

func TestWithout(t *testing.T) {
	for _, tt := range []struct {
		i    int
		want candidate.Program // nil if the statement is used
	}{
		{0, nil},
		{1, nil},
		{2, nil},
		{3, candidate.Program{
			{Op: number, Bits: 1}, {Op: number, Bits: 2}, {Op: swap, Args: []int{0, 0}},
		}},
	} {
		got, ok := Without(sample, tt.i, table)
		if ok != (tt.want != nil) || ok && !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Without(sample, %d) = %v, %v, want %v", tt.i, got, ok, tt.want)
		}
	}
	unused := candidate.Program{
		{Op: number}, {Op: number},
		{Op: swap, Args: []int{1, 1}}, {Op: swap, Args: []int{2, 3}},
	}
	want := candidate.Program{
		{Op: number}, {Op: swap, Args: []int{0, 0}}, {Op: swap, Args: []int{1, 2}},
	}
	if got, _ := Without(unused, 0, table); !reflect.DeepEqual(got, want) {
		t.Errorf("the arguments after a dropped statement are %v, want %v", got, want)
	}
}

func TestExtend(t *testing.T) {
	b := Extend(sample[:3], table)
	if got := b.Add(candidate.Stmt{Op: number}); got != 4 {
		t.Errorf("the next result is %d, want 4", got)
	}
	if len(sample) != 4 || sample[3].Op != swap {
		t.Error("Extend changes its argument")
	}
}
