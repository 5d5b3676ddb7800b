package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash/blame"
	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain one crash: what happens, what speaks for a bug, what would prevent it",
		UsageText: "crash explain [-C dir] [--assume FILE] ID [CRASHES]",
		Description: "The missing check is computed: the weakest condition of a list, over the\n" +
			"parameters of the called function, under which check proves, within its\n" +
			"bounds, that the panic cannot happen. Exit status: 0 unless usage or input\n" +
			"is wrong (2) or the analysis could not be carried out (3).",
		Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			&cli.StringFlag{Name: "assume",
				Usage: "name the preconditions in `FILE` that hold in the tests"},
		),
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
	dir, _, err := cmdline.DirAndOutput(c)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return err
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	root := report.Root(dir, &doc.Module)
	opt := report.TextOptions{Root: root, Pos: cmdline.Relative(root), Style: cmdline.Style(c.App.Writer)}
	e := report.Explanation{Crash: crash}
	if err := explain(c, &e, name, &doc.Module); err != nil {
		return err
	}
	return cmdline.Output(c, c.String("o"), func(w io.Writer) error {
		return report.Explain(w, doc, &e, opt)
	})
}

// explain adds what the testee's source and the invariants show about a crash of the document in a
// file.
func explain(c *cli.Context, e *report.Explanation, file string, module *schemas.Module) error {
	prog, err := source.LoadModule(c.Context, c.String("C"), module)
	if err != nil {
		return err
	}
	if err := sameModule(file, "crashes", module.Path, prog.Module); err != nil {
		return err
	}
	known, err := assumed(c, prog.Module)
	if err != nil {
		return err
	}
	if known != nil {
		for _, p := range known.Points {
			if p.Func == e.Crash.Func && p.At == schemas.AtEntry {
				e.Preconditions, e.Samples, e.Tests = p.Invariants, p.Samples, p.Tests
			}
		}
	}
	e.Check, e.NoCheck, err = blame.MissingCheck(c.Context, prog, e.Crash, conditionProver(c, prog))
	return err
}

// conditionProver returns a prover that checks a function with a condition for a precondition.
func conditionProver(c *cli.Context, prog *source.Program) blame.Prover {
	return func(ctx context.Context, fn *source.Func, kind schemas.Kind, pos, cond string) (bool, error) {
		opt := check.Options{
			Functions: []*source.Func{fn}, Jobs: c.Int("j"), Log: io.Discard,
			Select: func(_ string, k schemas.Kind, at string) bool {
				return k == kind && symbol.SameLine(at, pos)
			},
		}
		if cond != "" {
			opt.Assume = &schemas.Invariants{Points: []schemas.Point{{
				Func: fn.Name, At: schemas.AtEntry, Samples: 1,
				Invariants: []schemas.Invariant{{ID: "I1", Template: "condition", Expr: cond,
					Samples: 1, Assumed: true}},
			}}}
			opt.Assume.Module.Path = prog.Module
		}
		doc, err := check.Run(ctx, prog, opt)
		if err != nil {
			return false, err
		}
		return len(doc.Warnings) == 0 && len(doc.Skipped) == 0, nil
	}
}
