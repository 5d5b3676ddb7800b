package expr_test

import (
	"fmt"

	"dsd/internal/expr"
)

func ExampleParse() {
	e, err := expr.Parse("implies(err==nil, forall(i, list[i] < list[ i + 1 ]))")
	fmt.Println(e, err)
	_, err = expr.Parse("x <")
	fmt.Println(err)
	// Output:
	// implies(err == nil, forall(i, list[i] < list[i+1])) <nil>
	// x <: column 4: want an operand
}

func ExampleNegate() {
	e, _ := expr.Parse(`s == "a < b" || n > 3`)
	fmt.Println(expr.Negate(e))
	// Output: s != "a < b" && n <= 3
}

func ExampleEntails() {
	sorted, _ := expr.Parse("forall(i, s[i] < s[i+1])")
	distinct, _ := expr.Parse("distinct(s)")
	fmt.Println(expr.Entails(sorted, distinct), expr.Entails(distinct, sorted))
	// Output: true false
}

// env has one variable, n, which was 1 at the function's entry and is 2 now.
type env struct{}

func (env) Lookup(name string, old, list bool) (v expr.Value, known bool) {
	switch {
	case name != "n" || list:
		return v, false
	case old:
		return expr.Value{Kind: expr.IntValue, Int: 1}, true
	}
	return expr.Value{Kind: expr.IntValue, Int: 2}, true
}

func (env) TextCode(string) int64   { return 0 }
func (env) FloatCode(float64) int64 { return 0 }
func (env) FloatOf(int64) float64   { return 0 }
func (env) Unchanged(string) bool   { return false }

func ExampleCondition_Holds() {
	for _, text := range []string{"n == old(n) + 1", "n < old(n)", "m > 0"} {
		e, _ := expr.Parse(text)
		fmt.Println(expr.NewCondition(e).Holds(env{}))
	}
	// Output:
	// true <nil>
	// false <nil>
	// false m is not understood
}
