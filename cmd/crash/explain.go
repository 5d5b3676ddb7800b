package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash/fix"
	"dsd/crash/report"
	"dsd/crash/verify"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain one crash: what happens, what speaks for a bug, what would prevent it",
		UsageText: "crash explain [-C dir] [--assume FILE] [--diff] ID [CRASHES]",
		Description: "The missing check is computed: the weakest condition of a list, over the\n" +
			"parameters of the called function, under which check proves, within its\n" +
			"bounds, that the panic cannot happen. A change that makes this check is\n" +
			"shown if the crash's test passes with it; the module is not written to:\n\n" +
			"   crash explain --diff C5 crashes.json | git apply\n\n" +
			"Exit status: 0 unless usage or input is wrong (2) or the analysis could not\n" +
			"be carried out (3), or with --diff if no change is known (3).",
		Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			&cli.StringFlag{Name: "assume",
				Usage: "name the preconditions in `FILE` that hold in the tests"},
			&cli.BoolFlag{Name: "diff", Usage: "print only the change that prevents the crash, as a diff"},
			sandboxFlag(), allowReadFlag(),
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
		if c.Bool("diff") {
			_, err := io.WriteString(w, e.Diff)
			return err
		}
		return report.Explain(w, doc, &e, opt)
	})
}

// explain adds what the testee's source and the invariants show about a crash of the document in a
// file.
func explain(c *cli.Context, e *report.Explanation, file string, module *schemas.Module) error {
	prog, err := source.LoadModule(c.Context, c.String("C"), module, source.Options{})
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
	var change *fix.Change
	if e.Check, change, e.NoCheck, err = prevent(c, &fix.Trier{Prog: prog, Unconfined: c.Bool("no-sandbox")}, e.Crash); err != nil {
		return err
	}
	if change != nil {
		var diff strings.Builder
		if err := change.WriteDiff(&diff); err != nil {
			return err
		}
		e.Diff = diff.String()
	} else if c.Bool("diff") {
		return fmt.Errorf("%s: no change is known: %s", e.Crash.ID, e.NoCheck)
	}
	return nil
}

// prevent returns the condition that rules a crash out, and a change that makes the called function check it, under
// which the crash's test passes and the package's own do as before. If there is no condition or no change, why says so.
func prevent(c *cli.Context, trier *fix.Trier, crash *schemas.Crash) (
	cond string, change *fix.Change, why string, err error,
) {
	if bad := confine.Unsupported(); bad != "" && !trier.Unconfined {
		cond, why, err = fix.MissingCheck(c.Context, trier.Prog, crash, conditionProver(c, trier.Prog), nil)
		if cond != "" {
			why = "no change is tried: " + (&confine.Error{Why: bad}).Error()
		}
		return cond, nil, why, err
	}
	fn := verify.Func(verify.Funcs(trier.Prog), crash.Func)
	unwritten := ""
	cond, why, err = fix.MissingCheck(c.Context, trier.Prog, crash, conditionProver(c, trier.Prog),
		func(cond string) (string, error) {
			if change, unwritten = fix.Propose(trier.Prog, fn, cond); change == nil {
				return "", nil // the condition stands
			}
			why, err := trier.Try(c.Context, crash, change)
			return why, err
		})
	if cond == "" || err != nil {
		return "", nil, why, err
	}
	return cond, change, unwritten, nil
}

// conditionProver returns a prover that checks a function with a condition for a precondition.
func conditionProver(c *cli.Context, prog *source.Program) fix.Prover {
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
