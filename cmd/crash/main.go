// Crash runs the inputs that check found and reports only what really crashes, each with a Go test.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash"
	"dsd/crash/candidate"
	"dsd/crash/confine"
	"dsd/crash/report"
	"dsd/crash/search/constants"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func main() {
	confine.Init() // this process may be meant to become a confined one
	if os.Getenv("GOGC") == "" {
		// Drawing candidates makes much garbage beside a large program in memory.
		debug.SetGCPercent(300)
	}
	app := &cli.App{
		Name:  "crash",
		Usage: "run the inputs that check found and report what really crashes, each with a Go test",
		Commands: []*cli.Command{
			{
				Name:      "confirm",
				Usage:     "turn warnings into Go tests, run them, and report the crashes",
				UsageText: "crash confirm [-C dir] [-o FILE] [--tests DIR] [WARNINGS]",
				Description: "The module is not written to. Exit status: 0 no crash, 1 crashes, 2 wrong usage or unreadable input, 3 it\n" +
					"could not be carried out. Tests run confined: they write to a scratch directory alone, and have no network.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.StringFlag{Name: "tests", Usage: "write the tests of reported crashes below `DIR`, in the module's layout"},
					&cli.DurationFlag{Name: "timeout", Usage: "of one test", Value: 10e9},
					&cli.BoolFlag{Name: "no-sequences", Usage: "do not look for sequences of calls in place of literals that set unexported fields"},
					&cli.StringFlag{Name: "assume", Usage: "judge sequences of calls by the invariants in `FILE` that check assumed"},
					policy("report crashes by `POLICY`: classic; relaxed or all, also panics by which functions refuse arguments"), sandbox()},
				Action: confirm,
			},
			{
				Name:      "random",
				Usage:     "call the packages' functions at random, and report what crashes",
				UsageText: "crash random [-C dir] [-o FILE] [--tests DIR] [packages]",
				Description: "Candidates are sequences of calls of exported functions and methods. Those that reach new code are kept and\n" +
					"changed; what crashes is made as short as can be. The module is not written to. Exit status: as of confirm.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.StringFlag{Name: "tests", Usage: "write the tests of reported crashes below `DIR`, in the module's layout"},
					&cli.DurationFlag{Name: "time", Usage: "how long to draw candidates, in all", Value: time.Minute},
					&cli.StringFlag{Name: "func", Usage: "test the functions whose names match `REGEXP` alone: example.com/m.(*T).Add"},
					&cli.StringFlag{Name: "assume", Usage: "rank crashes by the invariants in `FILE`: do the inputs meet what the tests show?"},
					&cli.StringFlag{Name: "trace", Usage: "use the values that parameters have in the trace in `FILE`"},
					&cli.Int64Flag{Name: "seed", Usage: "of the random numbers", Value: 1},
					&cli.StringFlag{Name: "reset", Usage: "make package-level variables anew by `WAY`: reinit, process (slow), none", Value: string(candidate.ResetReinit)},
					policy("report crashes by `POLICY`: classic; relaxed, also panics by which functions refuse arguments; all, with likely misuse"), sandbox()},
				Action: randomTest,
			},
			{
				Name:      "reproduce",
				Usage:     "make of the text of a panic a test that crashes the same way",
				UsageText: "crash reproduce [-C dir] [-o FILE] [--tests DIR] [PANIC]",
				Description: "PANIC is a text, or what crash record wrote, whose values are used then. The panic is looked for in the build\n" +
					"around dir: in its main module and its dependencies. The module is not written to. Exit status: 0 not reproduced, 1 reproduced, otherwise as of confirm.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.StringFlag{Name: "tests", Usage: "write the test below `DIR`, in the module's layout"},
					&cli.DurationFlag{Name: "timeout", Usage: "how long it may take in all", Value: time.Minute},
					&cli.Int64Flag{Name: "seed", Usage: "of the random numbers", Value: 1},
					&cli.StringFlag{Name: "strategies", Usage: "try `LIST` alone, separated by commas: values, search, solve"},
					&cli.StringFlag{Name: "without", Usage: "solve without the optimisations in `LIST`, to measure them: slice, core, frames"},
					&cli.StringFlag{Name: "models", Usage: "usage models of the module that crashes in `FILE`; otherwise they are learned from its source"},
					&cli.StringFlag{Name: "seeding", Usage: "begin the search with `WHAT` besides values: all, tests, models, none", Value: string(crash.SeedAll)}, sandbox()},
				Action: reproduce,
			},
			recordCommand(), replayCommand(),
			{
				Name:      "stack",
				Usage:     "read the text of a panic and say what it tells, and what the build has there",
				UsageText: "crash stack [-C dir] [-o FILE] [PANIC]",
				Flags:     []cli.Flag{cmdline.Dir(), cmdline.Out()},
				Action:    readStack,
			},
			{
				Name:      "report",
				Usage:     "print a crashes document for people, likely bugs first",
				UsageText: "crash report [-C dir] [--format text] [--warnings FILE] [--tests DIR] [CRASHES]\n   crash report [--redact -o FILE] [RECORDING]",
				Description: "Of a recording it prints every string and number, by frame: look at it before you send it. --redact writes it\n" +
					"without the contents of strings; crash replay says whether it still crashes.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(),
					&cli.BoolFlag{Name: "redact", Usage: "write a recording with other texts in place of its own, as long, and equal where they were"},
					policy("show crashes by `POLICY`: all shows likely misuse, too"),
					&cli.StringFlag{Name: "format", Usage: "`FORMAT` to print: text", Value: "text"},
					&cli.StringFlag{Name: "warnings", Usage: "say what was looked at, from the warnings in `FILE`"},
					&cli.StringFlag{Name: "tests", Usage: "`DIR` where crash confirm wrote the tests"}},
				Action: printReport,
			},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return cmdline.Usagef("no command %q; there are confirm, random, reproduce, record, replay, stack and report", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	os.Exit(cmdline.Main(app, os.Args))
}

// terminal says that standard error is one.
func terminal() bool {
	st, err := os.Stderr.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// sandbox is the --no-sandbox flag.
func sandbox() cli.Flag {
	return &cli.BoolFlag{Name: "no-sandbox", Usage: "let candidates do all that you may: write, dial, start processes"}
}

// policy is the --policy flag.
func policy(usage string) cli.Flag {
	return &cli.StringFlag{Name: "policy", Usage: usage, Value: string(report.Classic)}
}

func policyOf(c *cli.Context) (report.Policy, error) {
	p, err := report.ParsePolicy(c.String("policy"))
	if err != nil {
		return "", cmdline.Usagef("%v", err)
	}
	return p, nil
}

// confined says why candidates cannot be confined though they are to be.
func confined(c *cli.Context) error {
	if why := confine.Unsupported(); why != "" && !c.Bool("no-sandbox") {
		return &cmdline.Status{Code: cmdline.Failed, Text: (&confine.Error{Why: why}).Error()}
	}
	return nil
}

func confirm(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	if c.Args().Len() > 1 {
		return cmdline.Usagef("one warnings document is wanted, not %d", c.Args().Len())
	}
	if err := confined(c); err != nil {
		return err
	}
	warnings, name, err := cmdline.Document(c, c.Args().First(), schemas.ReadWarnings)
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
	policy, err := policyOf(c)
	if err != nil {
		return err
	}
	invariants, err := assumed(c, prog.Module)
	if err != nil {
		return err
	}
	doc, runErr := crash.Confirm(c.Context, prog, warnings, crash.Options{Assume: invariants,
		Tests: c.String("tests"), Jobs: c.Int("j"), Timeout: c.Duration("timeout"), NoSequences: c.Bool("no-sequences"), Solve: solver(c.Int("j")), Policy: policy, Open: c.Bool("no-sandbox"), Log: os.Stderr})
	if doc == nil {
		return runErr
	}
	return finish(c, out, doc, runErr)
}

// finish writes a crashes document, and returns what the command is to end with.
func finish(c *cli.Context, out string, doc *schemas.Crashes, runErr error) error {
	if err := cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteCrashes(w, doc) }); err != nil {
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

// solver checks sequences of calls that crash asks about. The two do not know each other.
func solver(jobs int) crash.Solver {
	return func(ctx context.Context, prog *source.Program, funcs []*source.Func, asks func(fn string, kind schemas.Kind, pos string) bool) (*schemas.Warnings, error) {
		return check.Run(ctx, prog, check.Options{Functions: funcs, Asks: asks, Jobs: jobs, Log: io.Discard})
	}
}

func randomTest(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	opt := crash.RandomOptions{Time: c.Duration("time"), Seed: c.Int64("seed"), Reset: candidate.ResetMode(c.String("reset")),
		Tests: c.String("tests"), Jobs: c.Int("j"), Open: c.Bool("no-sandbox"), Log: os.Stderr, Progress: progress()}
	switch opt.Reset {
	case candidate.ResetReinit, candidate.ResetProcess, candidate.ResetNone:
	default:
		return cmdline.Usagef("--reset %s: there are reinit, process and none", opt.Reset)
	}
	if opt.Policy, err = policyOf(c); err != nil {
		return err
	}
	if text := c.String("func"); text != "" {
		if opt.Only, err = regexp.Compile(text); err != nil {
			return cmdline.Usagef("--func %s: %v", text, err)
		}
	}
	if err := confined(c); err != nil {
		return err
	}
	if opt.Time <= 0 {
		return cmdline.Usagef("--time %v: want more than nothing", opt.Time)
	}
	prog, err := source.Load(c.Context, dir, packages)
	if err != nil {
		return err
	}
	if opt.Assume, err = assumed(c, prog.Module); err != nil {
		return err
	}
	if file := c.String("trace"); file != "" {
		if opt.Observed, err = observed(file, prog.Module); err != nil {
			return err
		}
	}
	if opt.Only != nil && !anyFunc(prog, opt.Only) {
		return cmdline.Usagef("--func %s: no function of the packages has such a name", opt.Only)
	}
	doc, runErr := crash.Random(c.Context, prog, opt)
	if opt.Progress != nil {
		fmt.Fprintln(os.Stderr)
	}
	if doc == nil {
		return runErr
	}
	return finish(c, out, doc, runErr)
}

// assumed reads the document that --assume names, which must be of a module; nil if there is none.
func assumed(c *cli.Context, module string) (*schemas.Invariants, error) {
	file := c.String("assume")
	if file == "" {
		return nil, nil
	}
	doc, name, err := cmdline.Document(c, file, schemas.ReadInvariants)
	if err != nil {
		return nil, err
	}
	if doc.Module.Path != module {
		return nil, cmdline.Usagef("%s: module.path: the invariants are of module %s, this is %s", name, doc.Module.Path, module)
	}
	return doc, nil
}

// observed reads the values of parameters from a trace of a module.
func observed(file, module string) (constants.Observed, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	defer in.Close()
	t, err := schemas.NewTraceReader(in, file)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	if t.Header.Module.Path != module {
		return nil, cmdline.Usagef("%s: module.path: the trace is of module %s, this is %s", file, t.Header.Module.Path, module)
	}
	values, err := constants.Observe(t)
	if err != nil {
		return nil, cmdline.Usagef("--trace: %v", err)
	}
	return values, nil
}

// anyFunc says that a function of the packages to test has a name that re matches.
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

// progress keeps a line on the terminal up to date; nil if standard error is none.
func progress() func(crash.Progress) {
	if !terminal() {
		return nil
	}
	var last time.Time
	return func(p crash.Progress) {
		if time.Since(last) < 200*time.Millisecond {
			return
		}
		last = time.Now()
		fmt.Fprintf(os.Stderr, "\r%d candidates, %.0f a second, %d crashes, %v left   ", p.Candidates, float64(p.Candidates)/p.Elapsed.Seconds(), p.Crashes, p.Left.Round(time.Second))
	}
}

func printReport(c *cli.Context) error {
	if f := c.String("format"); f != "text" {
		return cmdline.Usagef("--format %s: is not one of text", f)
	}
	if c.Args().Len() > 1 {
		return cmdline.Usagef("one crashes document is wanted, not %d", c.Args().Len())
	}
	in, name, err := cmdline.Input(c, c.Args().First())
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return cmdline.Usagef("%s: %v", name, err)
	}
	if schemas.NameOf(text) == schemas.RecordingName {
		return reportRecording(c, text, name)
	}
	if c.Bool("redact") {
		return cmdline.Usagef("--redact is for recordings; %s is none", name)
	}
	doc, err := schemas.ReadCrashes(bytes.NewReader(text), name)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	var warnings *schemas.Warnings
	if file := c.String("warnings"); file != "" {
		if warnings, _, err = cmdline.Document(c, file, schemas.ReadWarnings); err != nil {
			return err
		}
	}
	policy, err := policyOf(c)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(c.String("C"))
	if err != nil {
		return err
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	opt := report.TextOptions{Warnings: warnings, Tests: c.String("tests"), Root: report.Root(dir, doc.Module.Path), Policy: policy}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error { return report.Text(w, doc, opt) }); err != nil {
		return err
	}
	if len(doc.Crashes) > 0 {
		return cmdline.ErrFound
	}
	return nil
}
