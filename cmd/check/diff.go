package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"dsd/internal/baseline"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

func baselineFlag() cli.Flag {
	return &cli.StringFlag{Name: "baseline", Usage: "mark the warnings that the document `FILE` of before has, too, and list those " +
		"that are gone; only new ones count for the exit status"}
}

// compared compares a document with that of --baseline, if the flag is set.
func compared(c *cli.Context, doc *schemas.Warnings) (*schemas.Warnings, error) {
	file := c.String("baseline")
	if file == "" {
		return doc, nil
	}
	before, _, err := cmdline.Document(c, file, schemas.ReadWarnings)
	if err != nil {
		return nil, err
	}
	doc, err = baseline.Warnings(doc, before)
	if err != nil {
		return nil, cmdline.Usagef("--baseline %s: %v", file, err)
	}
	return doc, nil
}

// anyNew reports whether a document has a warning that the baseline does not have and no comment in the source
// ignores, or such a comment without effect.
func anyNew(doc *schemas.Warnings) bool {
	for i := range doc.Warnings {
		if w := &doc.Warnings[i]; !w.Known && w.Ignored == "" {
			return true
		}
	}
	return len(doc.Useless()) > 0
}

func diff(c *cli.Context) error {
	write := baseline.WarningsText
	switch as := c.String("format"); as {
	case "json":
		write = schemas.WriteWarnings
	case "text":
	default:
		return cmdline.Usagef("diff: unknown --format %q (want text or json)", as)
	}
	if c.Args().Len() != 2 {
		return cmdline.Usagef("diff: want two arguments, the old and the new warnings document")
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	before, _, err := cmdline.Document(c, c.Args().First(), schemas.ReadWarnings)
	if err != nil {
		return err
	}
	doc, _, err := cmdline.Document(c, c.Args().Get(1), schemas.ReadWarnings)
	if err != nil {
		return err
	}
	if doc, err = baseline.Warnings(doc, before); err != nil {
		return cmdline.Usagef("diff: %v", err)
	}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error { return write(w, doc) }); err != nil {
		return err
	}
	if anyNew(doc) {
		return cmdline.ErrFound
	}
	return nil
}
