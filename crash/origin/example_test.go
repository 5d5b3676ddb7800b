package origin_test

import (
	"context"
	"fmt"
	"path/filepath"

	"dsd/crash/origin"
	"dsd/crash/stack"
)

// Where in the build around a directory did a panic come from?
func ExampleDescribe() {
	p := stack.Read(`panic: runtime error: integer divide by zero

goroutine 1 [running]:
example.com/dep.Half(...)
	/home/me/dep/dep.go:4
example.com/m.Start(0x0)
	/home/me/m/m.go:5 +0x1d
`)
	doc, err := origin.Describe(context.Background(), filepath.Join("testdata", "m"), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(doc.Kind)
	for _, f := range doc.Frames {
		fmt.Printf("%s in %s: %s\n", f.Func, f.Module, f.Source)
	}
	// Output:
	// div-zero
	// example.com/dep.Half in example.com/dep@v1.2.0: return 100 / n
	// example.com/m.Start in example.com/m: func Start(n int) int { return dep.Half(n) }
}
