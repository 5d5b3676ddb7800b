package confirm_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"dsd/crash/confirm"
	"dsd/internal/source"
	"dsd/schemas"
)

// Confirm the warnings that check wrote about the module in the current directory.
func ExampleRun() {
	ctx := context.Background()
	in, err := os.Open("warnings.json")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	warnings, err := schemas.ReadWarnings(in, in.Name())
	if err != nil {
		log.Fatal(err)
	}
	prog, err := source.Load(ctx, ".", nil)
	if err != nil {
		log.Fatal(err)
	}
	crashes, err := confirm.Run(ctx, prog, warnings, confirm.Options{Tests: "tests"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range crashes.Crashes {
		fmt.Printf("%s: %s in tests/%s\n", c.Pos, c.Kind, c.Test.File)
	}
}
