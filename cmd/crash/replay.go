package main

import (
	"github.com/urfave/cli/v2"

	"dsd/crash/replay"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "make tests from the recording of a crash",
		UsageText: "crash replay [-C dir] [-o FILE] [--tests DIR] [RECORDING]",
		Description: "There is one test for each function on the stack whose arguments were\n" +
			"recorded. Tests that crash as recorded are kept. The module is not written\n" +
			"to. Exit status: 0 no test crashes, 1 some do, otherwise as for confirm.",
		Flags: cmdline.WithProgress(cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), testsFlag("the tests"),
			&cli.BoolFlag{Name: "minimise", Aliases: []string{"minimize"},
				Usage: "leave out of the tests whatever they crash without; takes longer"},
			&cli.DurationFlag{Name: "budget", Value: replay.DefaultBudget,
				Usage: "minimise for `DURATION` in all"},
			sandboxFlag(), allowReadFlag())...),
		Action: runReplay,
	}
}

func runReplay(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutputOfTests(c)
	if err != nil {
		return err
	}
	file, err := argument(c, "recording")
	if err != nil {
		return err
	}
	if err := checkSandbox(c); err != nil {
		return err
	}
	recording, _, err := cmdline.Document(c, file, schemas.ReadRecording)
	if err != nil {
		return err
	}
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	opt := replay.Options{
		Tests: c.String("tests"), Minimize: c.Bool("minimise"),
		Unconfined: c.Bool("no-sandbox"), Log: c.App.ErrWriter,
	}
	if opt.Store, _, err = cmdline.Cache(c); err != nil {
		return err
	}
	if opt.Budget, err = positive(c, "budget"); err != nil {
		return err
	}
	if line != nil {
		opt.Progress = func(p replay.Progress) {
			line.Report(cmdline.Report{Stage: "crash replay", Done: p.All - p.Parts, Total: p.All,
				Unit: "values left out", Busy: p.Func, Left: max(p.Left, 0)})
		}
	}
	doc, runErr := replay.Run(c.Context, dir, recording, opt)
	line.Done()
	if doc == nil {
		return runErr
	}
	return finish(c, out, doc, runErr)
}
