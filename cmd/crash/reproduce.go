package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"dsd/check/stackpath"
	"dsd/crash/origin"
	"dsd/crash/report"
	"dsd/crash/reproduce"
	"dsd/crash/stack"
	"dsd/infer"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// maxPanicText is the greatest length of the text of a panic in bytes, logs around it included.
const maxPanicText = 64 << 20

// optimizations are the values of --without, the keys of stackpath.Options.Without.
var optimizations = []string{"slice", "core", "frames"}

func reproduceCommand() *cli.Command {
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "make a test that crashes like the text of a panic",
		UsageText: "crash reproduce [-C dir] [-o FILE] [--tests DIR] [PANIC]",
		Description: "PANIC is a text, or a recording of crash record, whose values are used\n" +
			"then. The panic is looked for in the build around dir: in its main module\n" +
			"and its dependencies. The module is not written to. Exit status: 0 not\n" +
			"reproduced, 1 reproduced, otherwise as for confirm.",
		Flags: cmdline.WithProgress(cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			testsFlag("the test"),
			&cli.DurationFlag{Name: "timeout", Usage: "stop after `DURATION` in all",
				Value: reproduce.DefaultTimeout},
			seedFlag(),
			&cli.StringFlag{Name: "strategies",
				Usage: "use only the strategies in `LIST`, separated by commas: values, search, solve"},
			&cli.StringFlag{Name: "without",
				Usage: "solve without the optimizations in `LIST`, to measure them: slice, core, frames"},
			&cli.StringFlag{Name: "models",
				Usage: "read the usage models of the module that crashed from `FILE` " +
					"instead of inferring them from its source"},
			&cli.StringFlag{Name: "seeding",
				Usage: "start the search from `WHAT` besides values: all, tests, models or none",
				Value: string(reproduce.SeedAll)},
			atFlag(), sandboxFlag(), allowReadFlag())...),
		Action: runReproduce,
	}
}

func atFlag() cli.Flag {
	return &cli.StringFlag{Name: "at", Usage: "look at `VERSION`: v1.2.3 of the dependency that the text is about, or a " +
		"revision of the repository"}
}

// at returns the build that --at asks for in place of dir, and lets the go command use it. The caller calls close.
func at(c *cli.Context, dir string, p *stack.Panic) (newDir string, close func(), err error) {
	version := c.String("at")
	if version == "" {
		return dir, func() {}, nil
	}
	if c.String("modfile") != "" {
		return "", nil, cmdline.Usagef("--at and --modfile exclude each other: let the file require %s", version)
	}
	v, err := origin.At(c.Context, dir, p, version)
	if err != nil {
		return "", nil, cmdline.Usagef("--at %s: %v", version, err)
	}
	return v.Dir, v.Close, nil
}

func stackCommand() *cli.Command {
	return &cli.Command{
		Name: "stack",
		Usage: "read the text of a panic, and write its values and frames, " +
			"and where they are in the build",
		UsageText: "crash stack [-C dir] [-o FILE] [PANIC]",
		Flags:     cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), atFlag()),
		Action:    runStack,
	}
}

func runReproduce(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutputOfTests(c)
	if err != nil {
		return err
	}
	file, err := argument(c, "text of a panic")
	if err != nil {
		return err
	}
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	opt := reproduce.Options{
		Seed: c.Int64("seed"), Tests: c.String("tests"), Jobs: c.Int("j"),
		Unconfined: c.Bool("no-sandbox"),
		Log:        c.App.ErrWriter, Progress: reproduceProgress(line),
	}
	if opt.Store, _, err = cmdline.Cache(c); err != nil {
		return err
	}
	if opt.Timeout, err = positive(c, "timeout"); err != nil {
		return err
	}
	if opt.Strategies, err = choices(c, "strategies", reproduce.Strategies); err != nil {
		return err
	}
	if opt.Seeding, err = choice(c, "seeding", reproduce.Seedings); err != nil {
		return err
	}
	without, err := choices(c, "without", optimizations)
	if err != nil {
		return err
	}
	opt.Solve = stackSolver(without)
	if err := checkSandbox(c); err != nil {
		return err
	}
	if opt.Models, err = models(c); err != nil {
		return err
	}
	p, recorded, err := readPanic(c, file)
	if err != nil {
		return err
	}
	if why := p.NotByInputs(); why != "" {
		return &cmdline.Status{Code: cmdline.Failed, Text: why}
	}
	opt.Recorded = recorded
	if len(p.Frames) == 0 {
		return cmdline.Usagef("the text has the panic %q but no stack: "+
			"include the lines after \"goroutine 1 [running]:\"", p.Message)
	}
	dir, closeVersion, err := at(c, dir, p)
	if err != nil {
		return err
	}
	defer closeVersion()
	doc, runErr := reproduce.Run(c.Context, dir, p, opt)
	line.Done()
	if errors.Is(runErr, origin.ErrNotInBuild) {
		return cmdline.Usagef("%v", runErr)
	}
	if doc == nil {
		return runErr
	}
	err = finish(c, out, doc, runErr)
	if out != "" && out != "-" { // otherwise standard output has the document
		fmt.Fprintln(c.App.ErrWriter, report.Summary(doc))
	}
	return err
}

func runStack(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	file, err := argument(c, "text of a panic")
	if err != nil {
		return err
	}
	p, _, err := readPanic(c, file)
	if err != nil {
		return err
	}
	dir, closeVersion, err := at(c, dir, p)
	if err != nil {
		return err
	}
	defer closeVersion()
	doc, err := origin.Describe(c.Context, dir, p)
	if err != nil {
		return err
	}
	return cmdline.Output(c, out, func(w io.Writer) error { return schemas.WritePanic(w, doc) })
}

// readPanic reads the text of a panic from a file, or from standard input for "" and "-". If it is
// a recording, the panic is the last one in it, which is returned, too.
func readPanic(c *cli.Context, file string) (*stack.Panic, *schemas.RecordedCrash, error) {
	in, name, err := cmdline.Input(c, file)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxPanicText+1))
	if err != nil {
		return nil, nil, cmdline.Usagef("%s: %v", name, err)
	}
	if len(text) > maxPanicText {
		return nil, nil, cmdline.Usagef("%s: longer than %d MiB: cut out the panic", name,
			maxPanicText>>20)
	}
	var recorded *schemas.RecordedCrash
	if schemas.NameOf(text) == schemas.RecordingName {
		doc, err := schemas.ReadRecording(bytes.NewReader(text), name)
		if err != nil {
			return nil, nil, cmdline.Usagef("%v", err)
		}
		if len(doc.Crashes) == 0 {
			return nil, nil, cmdline.Usagef("%s: crashes: want a recorded crash", name)
		}
		recorded = &doc.Crashes[len(doc.Crashes)-1]
		text = []byte(recorded.Panic)
	}
	p := stack.Read(string(text))
	if p == nil {
		return nil, nil, cmdline.Usagef("%s: %s", name, stack.Missing(string(text)))
	}
	return p, recorded, nil
}

// stackSolver solves along a stack for reproduce, which does not import package stackpath.
func stackSolver(without []string) reproduce.Solver {
	disabled := map[string]bool{}
	for _, name := range without {
		disabled[name] = true
	}
	return func(ctx context.Context, prog *source.Program, kind schemas.Kind,
		frames []stacktrace.Located, values map[string]int64,
	) (*schemas.Warnings, error) {
		stack := &stackpath.Stack{Kind: kind, Frames: frames, Values: values}
		doc, _, err := stackpath.Solve(ctx, prog, stack, stackpath.Options{Without: disabled})
		return doc, err
	}
}

// models returns a function that reads the usage models in the file of --models, or infers them
// from the source.
func models(
	c *cli.Context,
) (func(context.Context, *source.Program) (*schemas.Models, error), error) {
	file := c.String("models")
	if file == "" {
		return func(ctx context.Context, prog *source.Program) (*schemas.Models, error) {
			return infer.Models(ctx, prog,
				infer.ModelOptions{Static: true, Log: io.Discard})
		}, nil
	}
	doc, name, err := cmdline.Document(c, file, schemas.ReadModels)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, prog *source.Program) (*schemas.Models, error) {
		return doc, sameModule(name, "models", doc.Module.Path, prog.Module)
	}, nil
}

// reproduceProgress returns a function that updates a progress line; nil if there is none.
func reproduceProgress(line *cmdline.Progress) func(reproduce.Progress) {
	if line == nil {
		return nil
	}
	return func(p reproduce.Progress) {
		line.Report(cmdline.Report{Stage: "crash reproduce", Done: int(p.Candidates), Unit: "candidates",
			More: fmt.Sprintf("%d of %d frames", p.Level, p.Levels), Nearest: p.Nearest, Left: max(p.Left, 0)})
	}
}
