package main

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash/confirm"
	"dsd/crash/mended"
	"dsd/crash/report"
	"dsd/crash/verify"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

// verifyFormats are the values of --format.
var verifyFormats = []string{"text", "json"}

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "tell which crashes of before are mended: their tests are run, and check is asked about other inputs",
		UsageText: "crash verify [-C dir] [--assume FILE] [--tests DIR] [--format FORMAT] [-o FILE] [CRASHES]",
		Description: "The module is not written to. Exit status: 0 if all are mended, 1 if a test\n" +
			"still panics or other inputs do, 2 wrong usage or unreadable input, 3 the\n" +
			"analysis could not be carried out.",
		Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			testsFlag("the tests with other inputs"),
			&cli.StringFlag{Name: "assume", Usage: "prove it for inputs that satisfy the invariants in `FILE`"},
			&cli.StringFlag{Name: "format", Value: verifyFormats[0], Usage: "print in `FORMAT`: text; json, a list of verdicts"},
			sandboxFlag(), allowReadFlag()),
		Action: runVerify,
	}
}

func runVerify(c *cli.Context) error {
	as, err := choice(c, "format", verifyFormats)
	if err != nil {
		return err
	}
	dir, out, err := cmdline.DirAndOutputOfTests(c)
	if err != nil {
		return err
	}
	file, err := argument(c, "crashes document")
	if err != nil {
		return err
	}
	if err := checkSandbox(c); err != nil {
		return err
	}
	doc, name, err := cmdline.Document(c, file, schemas.ReadCrashes)
	if err != nil {
		return err
	}
	prog, err := source.LoadModule(c.Context, dir, &doc.Module, source.Options{})
	if err != nil {
		return err
	}
	if err := sameModule(name, "crashes", doc.Module.Path, prog.Module); err != nil {
		return err
	}
	known, err := assumed(c, prog.Module)
	if err != nil {
		return err
	}
	opt := mended.Options{
		Jobs: c.Int("j"), Unconfined: c.Bool("no-sandbox"), Log: c.App.ErrWriter,
		Assumed: func(fn string) bool { return known != nil && hasEntry(known, fn) },
		Check: func(ctx context.Context, fn *source.Func, kind schemas.Kind, asks func(string) bool) (*schemas.Warnings, error) {
			return check.Run(ctx, prog, check.Options{
				Assume: known, Functions: []*source.Func{fn}, Jobs: c.Int("j"), Log: io.Discard,
				Select: func(_ string, k schemas.Kind, pos string) bool { return k == kind && asks(pos) },
			})
		},
	}
	opt.Confirm = func(ctx context.Context, w *schemas.Warnings) (*schemas.Crashes, error) {
		o := confirm.Options{Jobs: opt.Jobs, Unconfined: opt.Unconfined, Log: io.Discard, Assume: known, Policy: report.All,
			Solve: templateSolver(opt.Jobs)}
		o.Refine = refiner(prog, w, o)
		return confirm.Run(ctx, prog, w, o)
	}
	verdicts, err := mended.Run(c.Context, prog, doc, opt)
	if err != nil {
		return err
	}
	var now []schemas.Crash
	bad := false
	for _, v := range verdicts {
		bad = bad || !v.Mended()
		if v.Now != nil {
			now = append(now, *v.Now)
		}
	}
	if root := c.String("tests"); root != "" {
		if err := verify.WriteTests(prog, root, now); err != nil {
			return err
		}
	}
	write := func(w io.Writer) error { return verdictsText(w, doc, verdicts) }
	if as == "json" {
		write = func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			return e.Encode(verdicts)
		}
	}
	if err := cmdline.Output(c, out, write); err != nil {
		return err
	}
	if bad {
		return cmdline.ErrFound
	}
	return nil
}

// hasEntry reports whether a document has preconditions of a function.
func hasEntry(doc *schemas.Invariants, fn string) bool {
	for _, p := range doc.Points {
		if p.Func == fn && p.At == schemas.AtEntry {
			return true
		}
	}
	return false
}

// outcomeWords begin the lines of verdicts.
var outcomeWords = map[mended.Outcome]string{
	mended.Proved: "fixed, and proved", mended.Fixed: "fixed for this input", mended.Still: "fixed for this input only",
	mended.Not: "not fixed", mended.Otherwise: "panics otherwise", mended.Unknown: "not known",
}

// verdictsText writes a line for each crash, and the inputs of those that still panic.
func verdictsText(w io.Writer, doc *schemas.Crashes, verdicts []mended.Verdict) error {
	p := &text.Printer{W: w}
	count := map[mended.Outcome]int{}
	for i, v := range verdicts {
		c := &doc.Crashes[i]
		count[v.Outcome]++
		p.Printf("%s %s in %s: %s: %s\n", c.ID, c.Kind, c.Func, outcomeWords[v.Outcome], v.Detail)
		if v.Now != nil {
			for _, line := range strings.Split(v.Now.Inputs, "\n") {
				p.Printf("    %s\n", strings.TrimPrefix(line, "\t"))
			}
		}
	}
	fixed := count[mended.Proved] + count[mended.Fixed]
	p.Printf("%s: %d fixed (%d proved), %d not\n", text.Count(len(verdicts), "crash"), fixed, count[mended.Proved],
		len(verdicts)-fixed)
	return p.Err
}
