package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"dsd/crash/search/constants"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

// traceFlag is the flag that observed reads.
func traceFlag() cli.Flag {
	return &cli.StringFlag{Name: "trace",
		Usage: "use the values that parameters have in the trace in `FILE`"}
}

// observed reads the values of parameters from the trace of a module that --trace names; nil if the
// flag is not set.
func observed(c *cli.Context, module string) (constants.Observed, error) {
	file := c.String("trace")
	if file == "" {
		return nil, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	defer in.Close()
	t, err := schemas.NewTraceReader(in, file)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	if got := t.Header.Module.Path; got != module {
		return nil, cmdline.Usagef("%s: module.path: the trace is of module %s, want %s",
			file, got, module)
	}
	values, err := constants.Observe(t)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	return values, nil
}
