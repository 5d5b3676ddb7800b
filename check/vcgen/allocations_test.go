package vcgen

import (
	"slices"
	"testing"

	"dsd/check/ir"
	"dsd/check/logic"
)

// TestAllocations: an object keeps its number where a function that is called before allocates more, and the
// objects of two calls and of two passes of a loop differ.
func TestAllocations(t *testing.T) {
	b := logic.NewBuilder()
	object := func(i int) *logic.Var { return &logic.Var{Name: "o", Sort: logic.Obj, Index: i} }
	i, r := local("i", 1), object(0)
	// caller returns the identities of what two calls of g return, and of what it allocates in two passes of a
	// loop.
	caller := &ir.Func{Name: "caller", Results: []*logic.Var{object(2), object(3), object(4), object(5)}, NumVars: 6,
		Loops: map[int]*ir.Loop{1: {Head: 1, Last: 2}}, Blocks: []*ir.Block{
			block(0, ir.Jump{To: 1},
				&ir.Call{Static: "g", Results: []*logic.Var{object(2)}}, &ir.Call{Static: "g", Place: 1, Results: []*logic.Var{object(3)}},
				&ir.Assign{Dst: i, Src: b.Const(logic.Int, 0)}, &ir.Assign{Dst: object(5), Src: b.Const(logic.Obj, 0)}),
			block(1, ir.Branch{Cond: b.Cmp(logic.OpSLt, b.Var(i), b.Const(logic.Int, 2)), Then: 2, Else: 3}),
			block(2, ir.Jump{To: 1},
				&ir.Assign{Dst: object(4), Src: b.Var(object(5))}, &ir.Alloc{Var: object(5)},
				&ir.Assign{Dst: i, Src: b.Add(b.Var(i), b.Const(logic.Int, 1))}),
			block(3, ir.Return{}),
		}}
	run := func(cmds ...ir.Cmd) (objects []uint64) {
		g := &ir.Func{Name: "g", Results: []*logic.Var{r}, NumVars: 1, Blocks: []*ir.Block{block(0, ir.Return{}, cmds...)}}
		p, _ := passify(tiny{"caller": caller, "g": g}, "caller", 0)
		for _, x := range p.Results {
			v, ok := x.Const()
			if !ok || v>>16 != logic.RegionFresh {
				t.Fatalf("%v is not a new object", x)
			}
			objects = append(objects, v)
		}
		return objects
	}
	one := run(&ir.Alloc{Var: r})
	if two := run(&ir.Alloc{Var: r}, &ir.Alloc{Var: r, Place: 1}); !slices.Equal(one[2:], two[2:]) {
		t.Errorf("%x became %x where a callee allocates more", one[2:], two[2:])
	}
	slices.Sort(one)
	if len(slices.Compact(one)) != 4 {
		t.Errorf("%x: two objects with one number", one)
	}
}
