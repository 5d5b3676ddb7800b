package logic_test

import (
	"fmt"

	"dsd/check/logic"
)

func ExampleBuilder() {
	b := logic.NewBuilder()
	x := b.Var(&logic.Var{Name: "x", Sort: logic.Int})
	one := b.Const(logic.Int, 1)
	fmt.Println(b.Sub(b.Add(x, one), one))
	fmt.Println(b.Cmp(logic.OpULt, b.Bin(logic.OpURem, x, b.Const(logic.Int, 8)),
		b.Const(logic.Int, 9)))
	fmt.Println(b.Add(x, one) == b.Add(one, x))
	// Output:
	// x
	// true
	// true
}

func ExampleBuilder_Select() {
	b := logic.NewBuilder()
	m := b.Var(&logic.Var{Name: "m", Sort: logic.Memory(logic.Int)})
	p := b.Var(&logic.Var{Name: "p", Sort: logic.Obj})
	q := b.Var(&logic.Var{Name: "q", Sort: logic.Obj})
	slot := b.Const(logic.Slot, 0)
	written := b.Store(m, p, slot, b.Const(logic.Int, 7)) // p[0] = 7
	fmt.Println(b.Select(written, p, slot))
	fmt.Println(b.Select(written, q, slot)) // p and q may be equal
	// Output:
	// 7
	// (ite (= p q) 7 m[q,0])
}

func ExampleWriter() {
	b := logic.NewBuilder()
	x := b.Var(&logic.Var{Name: "x", Sort: logic.BV(8)})
	decls, equations, texts := logic.NewWriter().Query([]*logic.Term{b.Eq(x, b.Const(logic.BV(8), 3))})
	fmt.Printf("%s%s(assert %s)\n", decls, equations, texts[0])
	// Output:
	// ; v0 = x
	// (declare-const v0 (_ BitVec 8))
	// (assert (= v0 #x03))
}
