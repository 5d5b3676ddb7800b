package smt_test

import (
	"fmt"

	"dsd/check/logic"
	"dsd/check/smt"
)

// Which index is out of range of a slice of length 3, and not negative?
func ExampleSolver_Check() {
	b := logic.NewBuilder()
	index := &logic.Var{Name: "i", Sort: logic.Int}
	i, length := b.Var(index), b.Const(logic.Int, 3)
	notNegative := b.Cmp(logic.OpSLe, b.Const(logic.Int, 0), i)
	outOfRange := b.Not(b.Cmp(logic.OpULt, i, length))

	session, _ := smt.NewZ3()
	defer session.Close()
	solver := smt.NewSolver(session, 200_000, 10_000)
	verdict, model, err := solver.Check([]*logic.Term{notNegative, outOfRange})
	if err != nil || verdict != smt.Sat {
		fmt.Println(verdict, err)
		return
	}
	fmt.Println(model.Vars[index] >= 3, model.EvalAll([]*logic.Term{notNegative, outOfRange}))

	verdict, _, err = solver.Check([]*logic.Term{outOfRange, b.Eq(i, b.Const(logic.Int, 2))})
	fmt.Println(verdict == smt.Unsat, err)
	// Output:
	// true [1 1]
	// true <nil>
}
