package check_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"dsd/check"
	"dsd/internal/source"
)

// ExampleRun checks a module of one function, without invariants.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.22\n",
		"m.go":   "package m\n\nfunc Last(list []int) int { return list[len(list)-1] }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			fmt.Println(err)
			return
		}
	}
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := check.Run(context.Background(), prog, check.Options{})
	for _, w := range doc.Warnings {
		in := w.Counterexample.Params[0]
		fmt.Printf("%s: %s in %s, %s = %s\n", w.Pos, w.Kind, w.Func, in.Name, in.Lit)
	}
	fmt.Println(doc.Functions, "function checked,", err)
	// Output:
	// m.go:3:36: index in example.com/m.Last, list = nil
	// 1 function checked, <nil>
}
