package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"dsd/internal/baseline"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

// diffFormats are the values of --format.
var diffFormats = []string{"text", "json"}

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "compare two crashes documents of a module: what is new, and what is gone",
		UsageText: "crash diff [--format FORMAT] [-o FILE] [--fail-on RANK] OLD NEW",
		Description: "Crashes are the same if their fingerprints are. Exit status: 1 if any is\n" +
			"new that --fail-on asks for, otherwise 0.",
		Flags: []cli.Flag{cmdline.Out(), failOnFlag(),
			&cli.StringFlag{Name: "format", Value: diffFormats[0],
				Usage: "print in `FORMAT`: text; json, the new document with the baseline"}},
		Action: runDiff,
	}
}

func runDiff(c *cli.Context) error {
	as, err := choice(c, "format", diffFormats)
	if err != nil {
		return err
	}
	if err := checkFailOn(c); err != nil {
		return err
	}
	if c.Args().Len() != 2 {
		return cmdline.Usagef("diff: want two arguments, the old and the new crashes document")
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	before, _, err := cmdline.Document(c, c.Args().First(), schemas.ReadCrashes)
	if err != nil {
		return err
	}
	doc, _, err := cmdline.Document(c, c.Args().Get(1), schemas.ReadCrashes)
	if err != nil {
		return err
	}
	if doc, err = baseline.Crashes(doc, before); err != nil {
		return cmdline.Usagef("diff: %v", err)
	}
	write := baseline.CrashesText
	if as == "json" {
		write = schemas.WriteCrashes
	}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error { return write(w, doc) }); err != nil {
		return err
	}
	return found(c, doc)
}
