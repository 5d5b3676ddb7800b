package evolve_test

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dsd/crash/search/evolve"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Search for calls that crash along a stack of two functions.
func ExampleSearcher() {
	ctx := context.Background()
	dir := filepath.Join("..", "..", "reproduce", "testdata", "mod")
	prog, err := source.Load(ctx, dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pkg := prog.Packages[0]
	trace := &evolve.StackTrace{Kind: schemas.Index}
	for _, f := range pkg.Funcs() {
		line := map[string]int{
			"example.com/m.(*Ring).At": 9, "example.com/m.(*Ring).Sum": 14,
		}[f.Name]
		if line > 0 { // the functions are in the order of the source: crash first
			trace.Frames = append(trace.Frames, stacktrace.Located{
				Frame: stacktrace.Frame{Func: f.Name},
				Fn:    f,
				Pos:   symbol.Pos{File: "m.go", Line: line},
			})
		}
	}
	s, err := evolve.NewSearcher(ctx, prog, pkg, trace, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	result, err := s.Search(ctx, evolve.Options{
		Values: true, Evolve: true, Seed: 1, Until: time.Now().Add(20 * time.Second),
		Above: 1, // a crash of At alone is not enough
	})
	if err != nil || result.Crash == nil {
		fmt.Println("no crash:", err)
		return
	}
	fmt.Printf("%d of %d frames match\n", result.Level, s.Levels())
	// Output: 2 of 2 frames match
}
