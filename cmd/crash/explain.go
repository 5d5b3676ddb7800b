package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain one crash: what happens, what speaks for a bug, what would prevent it",
		UsageText: "crash explain [-C dir] [--assume FILE] ID [CRASHES]",
		Description: "The missing check is computed: the weakest condition of a list, over the\n" +
			"parameters of the called function, under which check proves that the panic\n" +
			"cannot happen.",
		Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			&cli.StringFlag{Name: "assume",
				Usage: "name the invariants in `FILE` that hold for the inputs, and the tests behind them"},
			&cli.StringFlag{Name: "tests", Usage: "`DIR` to which the tests were written"}},
		Action: runExplain,
	}
}

func runExplain(c *cli.Context) error {
	if n := c.Args().Len(); n < 1 || n > 2 {
		return cmdline.Usagef("want the ID of a crash and a crashes document, got %d arguments", n)
	}
	id := c.Args().First()
	doc, name, err := cmdline.Document(c, c.Args().Get(1), schemas.ReadCrashes)
	if err != nil {
		return err
	}
	var crash *schemas.Crash
	for i := range doc.Crashes {
		if doc.Crashes[i].ID == id {
			crash = &doc.Crashes[i]
		}
	}
	if crash == nil {
		has := "none"
		if n := len(doc.Crashes); n > 0 {
			has = fmt.Sprintf("C1 to C%d", n)
		}
		return cmdline.Usagef("%s: no crash %s: the document has %s", name, id, has)
	}
	dir, err := filepath.Abs(c.String("C"))
	if err != nil {
		return err
	}
	opt := report.TextOptions{Tests: c.String("tests"), Root: report.Root(dir, doc.Module.Path)}
	e := report.Explanation{Crash: crash}
	return cmdline.Output(c, c.String("o"), func(w io.Writer) error {
		return report.Explain(w, doc, &e, opt)
	})
}
