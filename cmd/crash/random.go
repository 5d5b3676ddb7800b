package main

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/urfave/cli/v2"

	"dsd/crash/candidate"
	"dsd/crash/random"
	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/internal/source"
)

// resets are the values of --reset.
var resets = []candidate.ResetMode{
	candidate.ResetReinit, candidate.ResetProcess, candidate.ResetNone,
}

func randomCommand() *cli.Command {
	return &cli.Command{
		Name:      "random",
		Usage:     "call the packages' functions at random, and report what crashes",
		UsageText: "crash random [-C dir] [-o FILE] [--tests DIR] [packages]",
		Description: "Candidates are sequences of calls of exported functions and methods. Those\n" +
			"that reach new code are kept and mutated. Those that crash are made as\n" +
			"short as possible. The module is not written to. A run that was made\n" +
			"before, of the same source with the same options, is not made again:\n" +
			"--seed draws other candidates. Exit status: as for confirm.",
		Flags: cmdline.WithProgress(cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			testsFlag("the tests of reported crashes"),
			&cli.DurationFlag{Name: "time",
				Usage: "draw candidates for `DURATION` in all, and run the tests of what crashed as long at most", Value: random.DefaultTime},
			&cli.IntFlag{Name: "candidates",
				Usage: "draw `N` candidates for each package, however long that takes without --time: the crashes, their " +
					"tests and ranks are then the same each time"},
			cmdline.ShardFlag("test only part `I/N` of the packages, such as 2/4, for all of --time; crash merge puts the "+
				"parts together"),
			cmdline.ExcludeFlag(),
			&cli.StringFlag{Name: "func",
				Usage: "test only functions whose names match `REGEXP`: example.com/m.(*T).Add"},
			&cli.StringFlag{Name: "assume",
				Usage: "rank crashes by whether the inputs satisfy the invariants in `FILE`"},
			traceFlag(),
			&cli.StringFlag{Name: "corpus",
				Usage: "begin with the inputs of native fuzz targets in `DIR`: testdata/fuzz is that of each package; " +
					"the go command's cache has others in $(go env GOCACHE)/fuzz"},
			&cli.StringFlag{Name: "new-inputs",
				Usage: "write inputs of these targets that reached new code or crash below `DIR`, in the module's layout"},
			&cli.StringFlag{Name: "state",
				Usage: "keep in `DIR` what reached new code, and begin with what it has from earlier runs"},
			seedFlag(),
			&cli.StringFlag{Name: "reset",
				Usage: "reset package-level variables by `MODE`: reinit, process (slow) or none",
				Value: string(candidate.ResetReinit)},
			policyFlag("report crashes by `POLICY`: classic; "+
				"relaxed, also panics by which functions refuse arguments; "+
				"all, also inputs that users cannot write"),
			failOnFlag(), baselineFlag(), sandboxFlag(), allowReadFlag())...),
		Action: runRandom,
	}
}

func runRandom(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutputOfTests(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	opt := random.Options{
		Seed: c.Int64("seed"), Tests: c.String("tests"), Jobs: c.Int("j"),
		Unconfined: c.Bool("no-sandbox"),
		Corpus:     c.String("corpus"), NewInputs: c.String("new-inputs"), State: c.String("state"),
	}
	if opt.Time, err = positive(c, "time"); err != nil {
		return err
	}
	if opt.Candidates = c.Int("candidates"); opt.Candidates < 0 {
		return cmdline.Usagef("--candidates %d: want a number from 1 on", opt.Candidates)
	}
	if opt.Candidates > 0 && !c.IsSet("time") {
		opt.Time = 0
	}
	if opt.NewInputs != "" && opt.Corpus == "" {
		return cmdline.Usagef("--new-inputs: want --corpus, too: testdata/fuzz is that of each package")
	}
	if opt.Shard, err = cmdline.Shard(c); err != nil {
		return err
	}
	if opt.Reset, err = choice(c, "reset", resets); err != nil {
		return err
	}
	if opt.Policy, err = choice(c, "policy", report.Policies); err != nil {
		return err
	}
	if err := checkFailOn(c); err != nil {
		return err
	}
	if text := c.String("func"); text != "" {
		if opt.Only, err = regexp.Compile(text); err != nil {
			return cmdline.Usagef("invalid --func %s: %v", text, err)
		}
	}
	if err := checkSandbox(c); err != nil {
		return err
	}
	var rerun *cmdline.Rerun // what begins with what others found may end otherwise
	if repeatable(opt.Unconfined) && opt.Corpus == "" && opt.State == "" {
		if rerun, err = cmdline.NewRerun(c, dir, packages, c.String("assume"), c.String("trace")); err != nil {
			return err
		}
	}
	if before := rerun.Before(); before != nil {
		fmt.Fprintln(c.App.ErrWriter, "crash random: as found before in the same source with the same options; "+
			"--seed draws others, DSDCACHE=off the same ones again")
		return writeBefore(c, out, before)
	}
	defer rerun.Close()
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	opt.Progress = randomProgress(line)
	log := cmdline.NewCopy(c.App.ErrWriter)
	opt.Log = log
	store, _, err := cmdline.Cache(c)
	if err != nil {
		return err
	}
	prog, err := source.LoadWith(c.Context, dir, packages, source.Options{Store: store})
	if err != nil {
		return err
	}
	if err := prog.Exclude(cmdline.List(c, "exclude")); err != nil {
		return cmdline.Usagef("--exclude %v", err)
	}
	if opt.Assume, err = assumed(c, prog.Module); err != nil {
		return err
	}
	if opt.Observed, err = observed(c, prog.Module); err != nil {
		return err
	}
	if opt.Only != nil && !anyFunc(prog, opt.Only) {
		return cmdline.Usagef("--func %s matches no function of the packages", opt.Only)
	}
	doc, runErr := random.Run(c.Context, prog, opt)
	line.Done()
	if in := (*random.InputError)(nil); errors.As(runErr, &in) {
		return cmdline.Usagef("%v", in)
	}
	if doc == nil {
		return runErr
	}
	err = finish(c, out, doc, runErr)
	// What was said may be of a package that another run can test, such as when the disk was full.
	if said, long := log.Bytes(); runErr == nil && long == nil && len(said) == 0 {
		keepRun(rerun, prog, doc, log)
	}
	return err
}

// anyFunc reports whether re matches the name of a function of the packages to test.
func anyFunc(prog *source.Program, re *regexp.Regexp) bool {
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			if re.MatchString(f.Name) {
				return true
			}
		}
	}
	return false
}

// randomProgress returns a function that updates a progress line; nil if there is none.
func randomProgress(line *cmdline.Progress) func(random.Progress) {
	if line == nil {
		return nil
	}
	return func(p random.Progress) {
		line.Report(cmdline.Report{Stage: "crash random", Done: int(p.Candidates), Unit: "candidates",
			Found: p.Crashes, What: "crashes", Left: p.Left,
			More: fmt.Sprintf("%.0f per second", float64(p.Candidates)/p.Elapsed.Seconds())})
	}
}
