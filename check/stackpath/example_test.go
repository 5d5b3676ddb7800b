package stackpath_test

import (
	"context"
	"fmt"
	"path/filepath"

	"dsd/check/stackpath"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// The function Never calls middle with at most 2, and middle indexes a list of 3: no input of Never
// leads to a panic along this stack.
func ExampleSolve() {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("..", "testdata", "trail"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	funcs := map[string]*source.Func{}
	for _, f := range prog.Packages[0].Funcs() {
		funcs[f.Name] = f
	}
	frame := func(name string, line int) stacktrace.Located {
		return stacktrace.Located{
			Frame: stacktrace.Frame{Func: name},
			Fn:    funcs[name],
			Pos:   symbol.Pos{File: "trail.go", Line: line},
		}
	}
	stack := &stackpath.Stack{
		Kind:   schemas.Index,
		Values: map[string]int64{"index": 3, "length": 3},
		Frames: []stacktrace.Located{
			frame("trailed.inner", 29), frame("trailed.middle", 22), frame("trailed.Never", 37),
		},
	}
	doc, levels, err := stackpath.Solve(ctx, prog, stack, stackpath.Options{})
	for _, l := range levels {
		fmt.Println(stack.Frames[l.Frame].Func, l.Verdict)
	}
	for _, w := range doc.Warnings {
		list, i := w.Counterexample.Params[0], w.Counterexample.Params[1]
		fmt.Printf("%s: %s with len(%s) = %d, %s = %s\n", w.ID, w.Func, list.Name, *list.Len,
			i.Name, i.Lit)
	}
	fmt.Println(err)
	// Output:
	// trailed.inner sat
	// trailed.middle sat
	// trailed.Never unsat
	// W1: trailed.inner with len(list) = 3, i = 3
	// W2: trailed.middle with len(list) = 3, i = 3
	// <nil>
}
