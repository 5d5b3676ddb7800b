package schemas_test

import (
	"fmt"

	"dsd/schemas"
)

// Count the strings in a cyclic graph.
func ExampleCounterexample_Walk() {
	first := 0
	call := &schemas.Counterexample{
		Params: []schemas.Input{{Name: "list", Node: schemas.Node{Type: "*m.List", Ref: &first}}},
		Objects: []schemas.Node{{Type: "m.List", Fields: []schemas.Input{
			{Name: "text", Node: schemas.Node{Type: "string", Lit: `"a"`}},
			{Name: "next", Node: schemas.Node{Type: "*m.List", Ref: &first}},
		}}},
	}
	strings := 0
	call.Walk(func(n *schemas.Node) {
		if n.Type == "string" {
			strings++
		}
	})
	fmt.Println(strings)
	// Output: 1
}
