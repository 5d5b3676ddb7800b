package random_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"dsd/crash/random"
	"dsd/internal/source"
)

// Test the module in the current directory at random for ten seconds.
func ExampleRun() {
	ctx := context.Background()
	prog, err := source.Load(ctx, ".", nil)
	if err != nil {
		log.Fatal(err)
	}
	crashes, err := random.Run(ctx, prog, random.Options{Time: 10 * time.Second, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range crashes.Crashes {
		fmt.Printf("%s: %s\n%s", c.Pos, c.Kind, c.Test.Source)
	}
}
