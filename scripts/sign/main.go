// Sign assesses the crashes of documents again, and writes the documents: after a change of the
// signs or their weights, without another search.
//
// usage: go run ./scripts/sign [-C dir] [-assume FILE] CRASHES...
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"dsd/crash/blame"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/schemas"
)

func main() {
	confine.Init()
	dir := flag.String("C", ".", "the module's `directory`")
	assume := flag.String("assume", "", "judge the inputs by the invariants in `FILE`")
	flag.Parse()
	if err := run(*dir, *assume, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sign:", err)
		os.Exit(3)
	}
}

func run(dir, assume string, files []string) error {
	ctx := context.Background()
	prog, err := source.Load(ctx, dir, nil)
	if err != nil {
		return err
	}
	opt := blame.Options{Jobs: 2, Log: os.Stderr}
	if assume != "" {
		if opt.Assume, err = read(assume, schemas.ReadInvariants); err != nil {
			return err
		}
	}
	for _, name := range files {
		doc, err := read(name, schemas.ReadCrashes)
		if err != nil {
			return err
		}
		doc.Crashes = blame.Assess(ctx, prog, doc.Crashes, opt)
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		if err := schemas.WriteCrashes(f, doc); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// read reads a document from a file.
func read[T any](name string, parse func(io.Reader, string) (T, error)) (T, error) {
	f, err := os.Open(name)
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return parse(f, name)
}
