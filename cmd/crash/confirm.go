package main

import (
	"context"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash/confirm"
	"dsd/crash/report"
	"dsd/infer"
	"dsd/internal/cmdline"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

func confirmCommand() *cli.Command {
	return &cli.Command{
		Name:      "confirm",
		Usage:     "turn warnings into Go tests, run them, and report the crashes",
		UsageText: "crash confirm [-C dir] [-o FILE] [--tests DIR] [WARNINGS]",
		Description: "The module is not written to. Tests run confined: they write to a scratch\n" +
			"directory only, and have no network. Exit status: 0 no crash, 1 crashes, 2\n" +
			"wrong usage or unreadable input, 3 the analysis could not be carried out.",
		Flags: cmdline.WithProgress(cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(), cmdline.CacheProg(),
			testsFlag("the tests of reported crashes"),
			&cli.DurationFlag{Name: "timeout", Usage: "stop a test after `DURATION`",
				Value: confirm.DefaultTimeout},
			&cli.DurationFlag{Name: "budget",
				Usage: "stop looking for other inputs after `DURATION`, such as 10m, where a test does not crash, and for smaller ones"},
			cmdline.ShardFlag("confirm only the warnings of part `I/N` of the packages, such as 2/4; crash merge puts the "+
				"parts together"),
			&cli.BoolFlag{Name: "no-sequences",
				Usage: "do not look for call sequences in place of literals that set unexported fields"},
			&cli.StringFlag{Name: "assume",
				Usage: "judge call sequences by the invariants in `FILE` that check assumed"},
			traceFlag(),
			policyFlag("report crashes by `POLICY`: classic; relaxed or all, "+
				"also panics by which functions refuse arguments"),
			failOnFlag(), baselineFlag(), sandboxFlag(), allowReadFlag())...),
		Action: runConfirm,
	}
}

func runConfirm(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutputOfTests(c)
	if err != nil {
		return err
	}
	file, err := argument(c, "warnings document")
	if err != nil {
		return err
	}
	opt := confirm.Options{
		Tests: c.String("tests"), Jobs: c.Int("j"), Timeout: c.Duration("timeout"),
		NoSequences: c.Bool("no-sequences"), Solve: templateSolver(c.Int("j")),
		Unconfined: c.Bool("no-sandbox"), Budget: c.Duration("budget"),
		Log: c.App.ErrWriter,
	}
	if opt.Budget < 0 {
		return cmdline.Usagef("--budget %v: want a positive duration", opt.Budget)
	}
	if opt.Shard, err = cmdline.Shard(c); err != nil {
		return err
	}
	if opt.Policy, err = choice(c, "policy", report.Policies); err != nil {
		return err
	}
	if err := checkFailOn(c); err != nil {
		return err
	}
	if err := checkSandbox(c); err != nil {
		return err
	}
	var rerun *cmdline.Rerun // what runs for a time may end otherwise
	if repeatable(opt.Unconfined) && opt.Budget == 0 {
		if rerun, err = cmdline.NewRerun(c, dir, nil, file, c.String("assume"), c.String("trace")); err != nil {
			return err
		}
	}
	if before := rerun.Before(); before != nil {
		return writeBefore(c, out, before)
	}
	defer rerun.Close()
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	opt.Progress = func(stage string, done, total int) {
		line.Report(cmdline.Report{Stage: "crash confirm", Done: done, Total: total, Unit: "warnings", More: stage})
	}
	log := cmdline.NewCopy(c.App.ErrWriter)
	opt.Log = log
	warnings, name, err := cmdline.Document(c, file, schemas.ReadWarnings)
	if err != nil {
		return err
	}
	store, program, err := cmdline.Cache(c)
	if err != nil {
		return err
	}
	prog, err := source.LoadModule(c.Context, dir, &warnings.Module, source.Options{Store: store})
	if err != nil {
		return err
	}
	if err := sameModule(name, "warnings", warnings.Module.Path, prog.Module); err != nil {
		return err
	}
	if warnings.Platform != "" && warnings.Platform != prog.Platform {
		return cmdline.Usagef("%s: platform: the warnings are about %s, and tests run here on %s", name,
			warnings.Platform, prog.Platform)
	}
	if opt.Assume, err = assumed(c, prog.Module); err != nil {
		return err
	}
	if opt.Observed, err = observed(c, prog.Module); err != nil {
		return err
	}
	if rerun != nil {
		opt.Memo = memo.New(c.Context, store, program, prog)
		defer opt.Memo.Wait()
	}
	debug.SetMemoryLimit(softLimit())
	opt.Refine = refiner(prog, warnings, opt)
	opt.Models = func(ctx context.Context) (*schemas.Models, error) {
		return infer.Models(ctx, prog, infer.ModelOptions{Static: true, Log: io.Discard})
	}
	doc, runErr := confirm.Run(c.Context, prog, warnings, opt)
	line.Done()
	if doc == nil {
		return runErr
	}
	err = finish(c, out, doc, runErr)
	if runErr == nil {
		keepRun(rerun, prog, doc, log)
	}
	return err
}

// softMemory is the size of the heap, in bytes, from which on garbage is collected more often: the
// checker lowers the open functions anew in each round. The solver has its memory elsewhere.
const softMemory = 400 << 20

// softLimit returns that size for what is loaded: softMemory, or twice as much as that takes. A module that alone is larger
// would be collected all the time.
func softLimit() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return max(softMemory, 2*int64(m.HeapAlloc))
}

// refiner checks functions again for confirm, under the invariants that were assumed before.
func refiner(
	prog *source.Program, warnings *schemas.Warnings, opt confirm.Options,
) confirm.Refiner {
	return func(ctx context.Context, funcs []*source.Func, known confirm.Known,
		asks func(fn string, kind schemas.Kind, pos string) bool,
	) (*schemas.Warnings, error) {
		o := check.Options{Functions: funcs, Select: asks, Jobs: opt.Jobs, Log: io.Discard,
			Facts: known.Calls, OnlyFacts: known.Only, Comparisons: known.Comparisons}
		if warnings.Assumed {
			o.Assume = opt.Assume
		}
		return check.Run(ctx, prog, o)
	}
}

// templateSolver checks functions for confirm, which does not import check.
func templateSolver(jobs int) confirm.Solver {
	return func(ctx context.Context, prog *source.Program, funcs []*source.Func,
		asks func(fn string, kind schemas.Kind, pos string) bool,
	) (*schemas.Warnings, error) {
		opt := check.Options{Functions: funcs, Select: asks, Jobs: jobs, Log: io.Discard}
		return check.Run(ctx, prog, opt)
	}
}
