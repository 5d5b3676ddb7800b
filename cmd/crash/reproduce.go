package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/crash"
	"dsd/crash/report"
	"dsd/crash/stack"
	"dsd/infer"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// panicText reads the text of a panic: the file that is the command's argument, or standard input. If it is a recording, the panic is the
// last one in it, which is returned, too.
func panicText(c *cli.Context) (*stack.Panic, *schemas.RecordedCrash, error) {
	if c.Args().Len() > 1 {
		return nil, nil, cmdline.Usagef("one text of a panic is wanted, not %d", c.Args().Len())
	}
	in, name, err := cmdline.Input(c, c.Args().First())
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, maxText+1))
	if err != nil {
		return nil, nil, cmdline.Usagef("%s: %v", name, err)
	}
	if len(text) > maxText {
		return nil, nil, cmdline.Usagef("%s: has more than %d MiB: cut out the panic", name, maxText>>20)
	}
	var recorded *schemas.RecordedCrash
	if schemas.NameOf(text) == schemas.RecordingName {
		doc, err := schemas.ReadRecording(bytes.NewReader(text), name)
		if err != nil {
			return nil, nil, cmdline.Usagef("%v", err)
		}
		if len(doc.Crashes) == 0 {
			return nil, nil, cmdline.Usagef("%s: crashes: there is none", name)
		}
		recorded = &doc.Crashes[len(doc.Crashes)-1]
		text = []byte(recorded.Panic)
	}
	p := stack.Read(string(text))
	if p == nil {
		return nil, nil, cmdline.Usagef("%s: has no line that begins with \"panic: \" or \"fatal error: \"", name)
	}
	return p, recorded, nil
}

// maxText is how long the text of a panic may be, logs around it included.
const maxText = 64 << 20

func reproduce(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	if err := confined(c); err != nil {
		return err
	}
	if c.Duration("timeout") <= 0 {
		return cmdline.Usagef("--timeout %v: want more than nothing", c.Duration("timeout"))
	}
	for _, name := range strings.Split(c.String("without"), ",") {
		if name != "" && name != "slice" && name != "core" && name != "frames" {
			return cmdline.Usagef("--without %s: there are slice, core and frames", name)
		}
	}
	models, err := modelsOf(c)
	if err != nil {
		return err
	}
	strategies, err := strategiesOf(c)
	if err != nil {
		return err
	}
	seeding := crash.Seeding(c.String("seeding"))
	switch seeding {
	case crash.SeedAll, crash.SeedTests, crash.SeedModels, crash.SeedNone:
	default:
		return cmdline.Usagef("--seeding %s: there are all, tests, models and none", seeding)
	}
	p, recorded, err := panicText(c)
	if err != nil {
		return err
	}
	if len(p.Frames) == 0 {
		return cmdline.Usagef("the text has a panic, %q, but no stack: paste the lines after \"goroutine 1 [running]:\", too", p.Message)
	}
	doc, runErr := crash.Reproduce(c.Context, dir, p, crash.ReproduceOptions{Timeout: c.Duration("timeout"), Seed: c.Int64("seed"), Tests: c.String("tests"),
		Jobs: c.Int("j"), Open: c.Bool("no-sandbox"), Strategies: strategies, Seeding: seeding, Along: along(c.String("without")), Models: models, Recorded: recorded, Log: os.Stderr, Progress: reproduceProgress()})
	if terminal() {
		fmt.Fprintln(os.Stderr)
	}
	if errors.Is(runErr, crash.ErrElsewhere) {
		return cmdline.Usagef("%v", runErr)
	}
	if doc == nil {
		return runErr
	}
	err = finish(c, out, doc, runErr)
	if out != "" && out != "-" { // otherwise who reads the document says so
		fmt.Fprintln(os.Stderr, report.Summary(doc))
	}
	return err
}

// along checks the functions on a stack for crash, without some optimisations.
func along(without string) crash.Along {
	return func(ctx context.Context, prog *source.Program, kind schemas.Kind, frames []stacktrace.Located, values map[string]int64) (*schemas.Warnings, error) {
		trail := &check.Trail{Kind: kind, Frames: frames, Values: values, Without: map[string]bool{}}
		for _, name := range strings.Split(without, ",") {
			trail.Without[name] = true
		}
		doc, _, err := check.Along(ctx, prog, trail, check.Options{Log: io.Discard})
		return doc, err
	}
}

// reproduceProgress keeps a line on the terminal up to date; nil if standard error is none.
func reproduceProgress() func(crash.ReproduceProgress) {
	if !terminal() {
		return nil
	}
	return func(p crash.ReproduceProgress) {
		fmt.Fprintf(os.Stderr, "\r%d candidates, %d of %d frames, %v left   ", p.Candidates, p.Level, p.Levels, max(p.Left, 0).Round(time.Second))
	}
}

// modelsOf reads the usage models that --models names, or returns how to learn them from the source.
func modelsOf(c *cli.Context) (func(context.Context, *source.Program) (*schemas.Models, error), error) {
	file := c.String("models")
	if file == "" {
		return func(ctx context.Context, prog *source.Program) (*schemas.Models, error) {
			return infer.Models(ctx, prog, infer.ModelOptions{Static: true, Log: io.Discard})
		}, nil
	}
	doc, name, err := cmdline.Document(c, file, schemas.ReadModels)
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, prog *source.Program) (*schemas.Models, error) {
		if doc.Module.Path != prog.Module {
			return nil, cmdline.Usagef("%s: module.path: the models are of module %s, the crash is in %s", name, doc.Module.Path, prog.Module)
		}
		return doc, nil
	}, nil
}

// strategiesOf reads --strategies; nil is all.
func strategiesOf(c *cli.Context) (crash.Strategies, error) {
	text := c.String("strategies")
	if text == "" {
		return nil, nil
	}
	var list crash.Strategies
	for _, s := range strings.Split(text, ",") {
		if !slices.Contains(crash.AllStrategies, schemas.Strategy(s)) {
			return nil, cmdline.Usagef("--strategies %s: there are %s", text, schemas.Join(crash.AllStrategies, ", "))
		}
		list = append(list, schemas.Strategy(s))
	}
	return list, nil
}

func readStack(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	p, _, err := panicText(c)
	if err != nil {
		return err
	}
	doc, err := crash.Located(c.Context, dir, p)
	if err != nil {
		return err
	}
	return cmdline.Output(c, out, func(w io.Writer) error { return schemas.WritePanic(w, doc) })
}
