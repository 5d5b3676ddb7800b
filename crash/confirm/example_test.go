package confirm_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"dsd/crash/confirm"
	"dsd/internal/source"
	"dsd/schemas"
)

// Confirm two warnings, of which one is false.
func ExampleRun() {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("testdata", "mod"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	in := func(name string, value string) schemas.Input {
		return schemas.Input{Name: name, Node: schemas.Node{Type: "int", Lit: value}}
	}
	warning := schemas.Warning{
		ID: "W1", Kind: schemas.DivZero, Status: schemas.Sat,
		Func: "example.com/m.Div", Pos: "m.go:32:34",
	}
	crashes, passes := warning, warning
	crashes.Counterexample = &schemas.Counterexample{
		Params: []schemas.Input{in("a", "7"), in("b", "0")},
	}
	passes.ID, passes.Kind = "W2", schemas.Index
	passes.Counterexample = &schemas.Counterexample{
		Params: []schemas.Input{in("a", "7"), in("b", "2")},
	}
	warnings := &schemas.Warnings{Warnings: []schemas.Warning{crashes, passes}}
	warnings.Module.Path = "example.com/m"
	doc, err := confirm.Run(ctx, prog, warnings, confirm.Options{})
	for _, c := range doc.Crashes {
		fmt.Printf("%s: %s: %s in %s\n", c.Warning, c.Pos, c.Message,
			strings.TrimSpace(c.Inputs))
	}
	for _, u := range doc.Unconfirmed {
		fmt.Printf("%s: %s\n", u.Warning, u.Reason)
	}
	fmt.Println(err)
	// Output:
	// W1: m.go:32:34: runtime error: integer divide by zero in Div(7, 0)
	// W2: the run took the path of the counterexample, and did not panic
	// <nil>
}
