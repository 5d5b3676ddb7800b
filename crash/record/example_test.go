package record_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"dsd/crash/record"
)

// Record the crash of a program, with the arguments of the functions on the stack.
func ExampleOpen() {
	ctx := context.Background()
	dir := filepath.Join("testdata", "crashes")
	s, err := record.Open(ctx, dir, record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	status, err := s.Run(ctx, []string{"go", "run", "."}, strings.NewReader(""),
		io.Discard, io.Discard)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := s.Collect()
	if err != nil || doc == nil {
		fmt.Println("no crash:", err)
		return
	}
	fmt.Println("status", status)
	for _, f := range doc.Crashes[0].Frames {
		for _, p := range f.Params {
			fmt.Printf("%s: %s %s is %q\n", f.Symbol, p.Name, p.Type, p.Lit)
		}
	}
	// Output:
	// status 1
	// main.pick: list []int is ""
	// main.pick: i int is "5"
}
