package compose_test

import (
	"context"
	"fmt"
	"path/filepath"

	"dsd/crash/compose"
	"dsd/internal/source"
	"dsd/schemas"
)

// Write the inputs of a counterexample as a test: a node that is its own successor.
func ExampleCompose() {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "inputs"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	object := 0
	node := schemas.Node{Ref: &object}
	inputs := &schemas.Counterexample{
		Receiver: &schemas.Input{Name: "n", Node: node},
		Params:   []schemas.Input{{Name: "depth", Node: schemas.Node{Lit: "-1"}}},
		Objects:  []schemas.Node{{Fields: []schemas.Input{{Name: "next", Node: node}}}},
	}
	for _, f := range prog.Package("inputs").Funcs() {
		if f.Name != "inputs.(*Node).Walk" {
			continue
		}
		test, err := compose.Compose(prog, f, inputs, "TestCrashWalk", "crash_walk_test.go",
			"TestCrashWalk panics.")
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(test.Source)
	}
	// Output:
	// package inputs
	//
	// import "testing"
	//
	// // TestCrashWalk panics.
	// func TestCrashWalk(*testing.T) {
	// 	p := &Node{}
	// 	p.next = p
	// 	p.Walk(-1)
	// }
}
