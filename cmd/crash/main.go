// Crash runs the inputs that check found and reports only what really crashes, each with a Go test.
//
// It also tests at random, reproduces a crash from the text of a panic, and records and replays
// crashes. See crash --help, and crash COMMAND --help. The exit status is 0 if nothing crashed, 1
// if something did, 2 for wrong usage or unreadable input, and 3 if the analysis could not be
// carried out.
package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/internal/text"
	"dsd/schemas"
)

func main() {
	confine.Init() // this process may have been started to become a confined program
	if os.Getenv("GOGC") == "" {
		// Drawing candidates makes much garbage next to a large live heap, the loaded
		// program.
		debug.SetGCPercent(300)
	}
	os.Exit(cmdline.Main(newApp(), os.Args))
}

// newApp returns the command line.
func newApp() *cli.App {
	commands := []*cli.Command{
		confirmCommand(), randomCommand(), fuzzTargetsCommand(), reproduceCommand(), recordCommand(),
		replayCommand(), stackCommand(),
		reportCommand(), explainCommand(), mergeCommand(), diffCommand(), keepCommand(), verifyCommand(),
	}
	var names []string
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return &cli.App{
		Name:     "crash",
		Usage:    "run the inputs that check found and report what really crashes, each with a Go test",
		Commands: commands,
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return cli.ShowAppHelp(c)
			}
			return cmdline.Usagef("unknown command %q (want %s)", c.Args().First(),
				alternatives(names))
		},
	}
}

// finish writes a crashes document, and returns the error with which the command ends.
func finish(c *cli.Context, out string, doc *schemas.Crashes, runErr error) error {
	doc, err := compared(c, doc)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return schemas.WriteCrashes(w, doc) }
	if (out == "" || out == "-") && cmdline.IsTerminal(c.App.Writer) { // for a person
		root := ""
		if dir, err := filepath.Abs(c.String("C")); err == nil {
			root = report.Root(dir, &doc.Module)
		}
		opt := report.TextOptions{Root: root, Pos: cmdline.Relative(root), Style: textStyle(c), Tests: c.String("tests")}
		write = func(w io.Writer) error { return report.Text(w, doc, opt) }
	}
	if err := cmdline.Output(c, out, write); err != nil {
		return err
	}
	if runErr != nil {
		return runErr
	}
	return found(c, doc)
}

// textStyle returns the style of text: colors on a terminal, unless it goes to a file.
func textStyle(c *cli.Context) text.Style {
	if out := c.String("o"); out != "" && out != "-" {
		return false
	}
	return cmdline.Style(c.App.Writer)
}

// found returns the error that gives the exit status 1, if the document has a crash for which
// --fail-on asks for that, and that the baseline does not have and
// no comment in the source ignores.
func found(c *cli.Context, doc *schemas.Crashes) error {
	for i := range doc.Crashes {
		if doc.Crashes[i].Known || doc.Crashes[i].Ignored != "" {
			continue
		}
		rank := report.Rank(&doc.Crashes[i])
		switch failOn(c.String("fail-on")) {
		case failOnLikelyBug:
			if rank == schemas.LikelyBug {
				return cmdline.ErrFound
			}
		case failOnLook:
			if rank == schemas.LikelyBug || rank == schemas.Look {
				return cmdline.ErrFound
			}
		default:
			return cmdline.ErrFound
		}
	}
	return nil
}
