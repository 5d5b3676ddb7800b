package reproduce_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dsd/crash/origin"
	"dsd/crash/reproduce"
	"dsd/crash/stack"
)

// Reproduce a panic of which only the text is known, here among the lines of a log.
func ExampleRun() {
	const log = `2026/01/01 10:00:00 starting
panic: runtime error: index out of range [0] with length 0

goroutine 1 [running]:
example.com/m.(*Ring).At(...)
	/build/m/m.go:9
main.main()
	/build/main.go:3 +0x1d
exit status 2
`
	p := stack.Read(log)
	if p == nil {
		fmt.Println("the log has no panic")
		return
	}
	doc, err := reproduce.Run(context.Background(), filepath.Join("testdata", "mod"), p,
		reproduce.Options{Timeout: 20 * time.Second, Seed: 1, Jobs: 1})
	if errors.Is(err, origin.ErrNotInBuild) {
		fmt.Println("the panic is that of another program:", err)
		return
	}
	for _, c := range doc.Crashes {
		fmt.Printf("%d of %d frames in common: %s\n", c.Level, doc.Reproduction.Levels, c.Message)
	}
	fmt.Println(err)
	// Output:
	// 1 of 1 frames in common: runtime error: index out of range [0] with length 0
	// <nil>
}
