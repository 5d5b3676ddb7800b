package invariant_test

import (
	"fmt"
	"strconv"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// A point learns from samples of its variables. Here j is always 2*i+1.
func ExamplePoint() {
	p := invariant.NewPoint(schemas.TracePoint{At: schemas.AtEntry, Vars: []schemas.TraceVar{
		{Name: "i", Type: "int", Rep: schemas.RepInt},
		{Name: "j", Type: "int", Rep: schemas.RepInt},
	}})
	for i := range 20 {
		p.Add([]string{strconv.Itoa(i), strconv.Itoa(2*i + 1)}, 1)
	}
	for _, inv := range p.Invariants() {
		fmt.Println(inv.Expr, inv.Template)
	}
	// Output:
	// i >= 0 lower-bound
	// j % 2 == 1 modulus
	// j >= 1 lower-bound
	// j == 2 * i + 1 linear
}
