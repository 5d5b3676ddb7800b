package reproduce_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"dsd/crash/origin"
	"dsd/crash/reproduce"
	"dsd/crash/stack"
)

// Reproduce a panic that a log file contains, in the module in the current directory.
func ExampleRun() {
	text, err := os.ReadFile("server.log")
	if err != nil {
		log.Fatal(err)
	}
	p := stack.Read(string(text))
	if p == nil {
		log.Fatal("the log has no panic")
	}
	doc, err := reproduce.Run(context.Background(), ".", p, reproduce.Options{})
	if errors.Is(err, origin.ErrNotInBuild) {
		log.Fatal("the panic is that of another program: ", err)
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range doc.Crashes {
		fmt.Printf("%d of %d frames in common:\n%s", c.Level, doc.Reproduction.Levels,
			c.Test.Source)
	}
}
