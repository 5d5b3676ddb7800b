// Infer learns likely invariants of Go functions from a module's own tests: infer trace runs the
// tests and records the inputs and results of functions, and infer invariants learns what always
// held. Further commands learn usage models, and show, compare and merge what was learned.
package main

import (
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"dsd/infer/instrument"
	"dsd/infer/invariant"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
)

func main() {
	confine.Init()
	app := &cli.App{
		Name:     "infer",
		Usage:    "learn likely invariants of Go functions from the module's own tests",
		Commands: slices.Concat(learningCommands(), documentCommands(), sourceCommands()),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return cmdline.Usagef("unknown command %q "+
					"(want trace, invariants, models, show, merge, check, diff, assertions or annotate)", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	os.Exit(cmdline.Main(app, os.Args))
}

// learningCommands returns the commands that run tests and learn.
func learningCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:  "trace",
			Usage: "run the tests, instrumented, and record the inputs and results of functions",
			UsageText: "infer trace [-C dir] [-o FILE] [packages]\n" +
				"infer trace [-C dir] -o FILE [packages] -- go run PACKAGE [arguments]\n" +
				"infer trace [-C dir] -o FILE [packages] -- BINARY [arguments]",
			Description: "Runs the module's tests with your rights, as go test does; with --sandbox they cannot do harm.\n" +
				"The module is not written to. A FILE that ends in .gz is compressed. " +
				"Tests that fail are\n" +
				"left out of the trace; standard error and the trace name them.\n\n" +
				"The program after -- is run instead of the tests. It must belong to the module; a BINARY\n" +
				"is rebuilt with instrumentation.\n\n" +
				"With --format dtrace, the trace is written in Daikon's format (declarations of version 2).",
			Flags: cmdline.WithProgress(cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.Jobs(), cmdline.CacheProg(),
				&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: json, or dtrace for Daikon",
					Value: "json"},
				&cli.IntFlag{Name: "depth", Usage: "follow values for `N` steps through fields and pointers",
					Value: instrument.DefaultDepth},
				&cli.StringFlag{Name: "run", Usage: "run only tests that match `REGEXP`, as go test does"},
				&cli.StringFlag{Name: "skip", Usage: "leave out tests that match `REGEXP`, as go test does"},
				cmdline.ShardFlag("run only the tests of part `I/N` of the packages, such as 2/4; infer merge puts "+
					"the traces together"),
				cmdline.ExcludeFlag(),
				&cli.BoolFlag{Name: "sandbox", Usage: "confine the tests: no network, no processes, no writing but in a copy of " +
					"their folder, no reading but of the module and what it needs"},
				&cli.BoolFlag{Name: "bench", Usage: "run benchmarks, too, once each"},
				&cli.DurationFlag{Name: "timeout",
					Usage: "stop the tests of a package after `DURATION`, and keep what they showed until then " +
						"(default: 5m, and a test that prints nothing for a minute is left out)"})...),
			Action: trace,
		},
		{
			Name:      "invariants",
			Usage:     "learn from traces what always held",
			UsageText: "infer invariants [-o FILE] [--confidence P] [TRACE...]",
			Description: "A TRACE is a file of infer trace, gzipped or not. " +
				"Files of Daikon's front ends work, too:\n" +
				".decls and .dtrace. An invariant is reported if the probability that it held by chance is\n" +
				"below 1-P.",
			Flags: []cli.Flag{cmdline.Out(),
				&cli.Float64Flag{Name: "confidence", Usage: "report invariants of at least confidence `P`",
					Value: invariant.DefaultConfidence}},
			Action: invariants,
		},
		{
			Name:  "models",
			Usage: "learn how objects are used: which calls follow which",
			UsageText: "infer models [-C dir] [-o FILE] [--static] [--format json|dot] " +
				"[--type NAME] [packages]",
			Description: "Sequences of calls come from the paths through the source, " +
				"and from objects in the tests,\n" +
				"which are run. The module is not written to.",
			Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(),
				cmdline.ExcludeFlag(),
				&cli.BoolFlag{Name: "static", Usage: "do not run the tests"},
				&cli.StringFlag{Name: "format",
					Usage: "`FORMAT` to write: json, or dot for a graph of one type", Value: "json"},
				&cli.StringFlag{Name: "type",
					Usage: "draw the type with this `NAME`, or a name that ends so, such as ring.Ring"}),
			Action: models,
		},
	}
}
