// Crash runs the inputs that check found and reports only what really crashes, each with a Go test.
package main

import (
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"dsd/crash"
	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func main() {
	app := &cli.App{
		Name:  "crash",
		Usage: "run the inputs that check found and report what really crashes, each with a Go test",
		Commands: []*cli.Command{
			{
				Name:      "confirm",
				Usage:     "turn warnings into Go tests, run them, and report the crashes",
				UsageText: "crash confirm [-C dir] [-o FILE] [--tests DIR] [WARNINGS]",
				Description: "The module is not written to. Exit status: 0 no crash, 1 crashes, 2 wrong usage or unreadable input, 3 it\n" +
					"could not be carried out. Candidates run with your rights, in a scratch directory.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.StringFlag{Name: "tests", Usage: "write the tests of reported crashes below `DIR`, in the module's layout"},
					&cli.DurationFlag{Name: "timeout", Usage: "of one test", Value: 10e9}},
				Action: confirm,
			},
			{
				Name:      "report",
				Usage:     "print a crashes document for people, likely bugs first",
				UsageText: "crash report [--format text] [--warnings FILE] [--tests DIR] [CRASHES]",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "format", Usage: "`FORMAT` to print: text", Value: "text"},
					&cli.StringFlag{Name: "warnings", Usage: "say what was looked at, from the warnings in `FILE`"},
					&cli.StringFlag{Name: "tests", Usage: "`DIR` where crash confirm wrote the tests"}},
				Action: printReport,
			},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return cmdline.Usagef("no command %q; there are confirm and report", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	os.Exit(cmdline.Main(app, os.Args))
}

func confirm(c *cli.Context) error {
	dir, out, err := cmdline.Places(c)
	if err != nil {
		return err
	}
	if c.Args().Len() > 1 {
		return cmdline.Usagef("one warnings document is wanted, not %d", c.Args().Len())
	}
	warnings, name, err := cmdline.Document(c.Args().First(), schemas.ReadWarnings)
	if err != nil {
		return err
	}
	prog, err := source.Load(c.Context, dir, nil)
	if err != nil {
		return err
	}
	if warnings.Module.Path != prog.Module {
		return cmdline.Usagef("%s: module.path: the warnings are of module %s, this is %s", name, warnings.Module.Path, prog.Module)
	}
	doc, runErr := crash.Confirm(c.Context, prog, warnings, crash.Options{
		Tests: c.String("tests"), Jobs: c.Int("j"), Timeout: c.Duration("timeout"), Log: os.Stderr})
	if doc == nil {
		return runErr
	}
	if err := cmdline.Output(out, func(w io.Writer) error { return schemas.WriteCrashes(w, doc) }); err != nil {
		return err
	}
	switch {
	case runErr != nil:
		return runErr
	case len(doc.Crashes) > 0:
		return cmdline.ErrFound
	}
	return nil
}

func printReport(c *cli.Context) error {
	if f := c.String("format"); f != "text" {
		return cmdline.Usagef("--format %s: is not one of text", f)
	}
	if c.Args().Len() > 1 {
		return cmdline.Usagef("one crashes document is wanted, not %d", c.Args().Len())
	}
	doc, _, err := cmdline.Document(c.Args().First(), schemas.ReadCrashes)
	if err != nil {
		return err
	}
	var warnings *schemas.Warnings
	if file := c.String("warnings"); file != "" {
		if warnings, _, err = cmdline.Document(file, schemas.ReadWarnings); err != nil {
			return err
		}
	}
	if err := report.Text(os.Stdout, doc, warnings, c.String("tests")); err != nil {
		return err
	}
	if len(doc.Crashes) > 0 {
		return cmdline.ErrFound
	}
	return nil
}
