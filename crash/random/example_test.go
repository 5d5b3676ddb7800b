package random_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dsd/crash/random"
	"dsd/internal/source"
)

// Test a module at random for half a second.
func ExampleRun() {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("testdata", "mod"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := random.Run(ctx, prog, random.Options{Time: time.Second / 2, Seed: 1})
	for _, c := range doc.Crashes {
		fmt.Printf("%s: %s in %s\n%s\n", c.Pos, c.Kind, c.Func, c.Inputs)
	}
	fmt.Println(err)
	// Output:
	// m.go:8: index in example.com/m.(*Stack).Pop
	// 	s := &Stack{}
	// 	s.Pop()
	// <nil>
}
