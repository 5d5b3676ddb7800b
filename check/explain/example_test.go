package explain_test

import (
	"fmt"
	"os"

	"dsd/check/explain"
	"dsd/schemas"
)

// document is what check writes about a function Last.
func document() *schemas.Warnings {
	return &schemas.Warnings{Functions: 1, Warnings: []schemas.Warning{{
		ID: "W1", Kind: schemas.Index, Func: "example.com/m.Last", Pos: "m.go:3:36",
		Message: "index out of range", Status: schemas.Sat,
		Path: []schemas.Step{{Pos: "m.go:3:36", Note: "list[len(list)-1]: index out of range"}},
		Counterexample: &schemas.Counterexample{
			Params: []schemas.Input{{Name: "list", Node: schemas.Node{Type: "[]int", Lit: "nil"}}},
		},
	}}}
}

func ExampleText() {
	if err := explain.Text(os.Stdout, document(), explain.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// m.go:3:36: index: index out of range [W1]
	// 1 function checked, 1 warning with a counterexample, 0 without
}

func ExampleWarning() {
	if err := explain.Warning(os.Stdout, document(), "W1", nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// W1  m.go:3:36: index
	//     index out of range, when example.com/m.Last is called
	//
	// Path:
	//     m.go:3:36                list[len(list)-1]: index out of range
	//
	// Inputs (all others may have any value):
	//     list = nil
}
