package replay_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"dsd/crash/replay"
	"dsd/schemas"
)

// Replay a crash that was recorded with the arguments of the function.
func ExampleRun() {
	recording := &schemas.Recording{Crashes: []schemas.RecordedCrash{{
		ID: "R1",
		Panic: `panic: runtime error: index out of range [1] with length 1

goroutine 1 [running]:
example.com/m.(*Ring).at(...)
	/build/m/m.go:10
example.com/m.Sum(...)
	/build/m/m.go:15
example.com/m.Start(0x2)
	/build/m/m.go:20 +0x1d
`,
		Frames: []schemas.RecordedFrame{{
			Symbol: "example.com/m.Start", Func: "example.com/m.Start",
			File: "/build/m/m.go", Line: 20,
			Params: []schemas.Input{{Name: "n", Node: schemas.Node{Type: "int", Lit: "2"}}},
		}},
	}}}
	doc, err := replay.Run(context.Background(), filepath.Join("testdata", "mod"), recording,
		replay.Options{})
	for _, c := range doc.Crashes {
		fmt.Printf("%s: %s in %s\n", c.Func, c.Message, strings.TrimSpace(c.Inputs))
	}
	for _, u := range doc.Unreplayed {
		fmt.Printf("%s is not replayed: %s\n", u.Func, u.Reason)
	}
	fmt.Println(err)
	// Output:
	// example.com/m.Start: runtime error: index out of range [1] with length 1 in Start(2)
	// <nil>
}
