// Infer learns from a Go module's own tests: trace runs them and writes down what it sees, invariants learns what
// always held.
package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/usage"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func main() {
	app := &cli.App{
		Name:  "infer",
		Usage: "learn likely invariants of Go functions from the module's own tests",
		Commands: []*cli.Command{
			{
				Name:      "trace",
				Usage:     "run the tests, instrumented, and write a trace of what functions saw and returned",
				UsageText: "infer trace [-C dir] [-o FILE] [packages]",
				Description: "The module is not written to. A FILE that ends in .gz is compressed. Tests that fail are left out of the\n" +
					"trace, which is said on standard error and in the trace.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.DurationFlag{Name: "timeout", Usage: "of the tests of one package; 0 is go test's own"}},
				Action: trace,
			},
			{
				Name:      "invariants",
				Usage:     "learn from traces what always held",
				UsageText: "infer invariants [-o FILE] [TRACE...]",
				Flags:     []cli.Flag{cmdline.Out()},
				Action:    invariants,
			},
			{
				Name:      "models",
				Usage:     "learn how objects are used: which calls follow which",
				UsageText: "infer models [-C dir] [-o FILE] [--static] [--format json|dot] [--type NAME] [packages]",
				Description: "Sequences of calls come from the paths through the source and from objects in the tests, which are run. The\n" +
					"module is not written to.",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(),
					&cli.BoolFlag{Name: "static", Usage: "do not run the tests"},
					&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: json, or dot for a drawing of one type's model", Value: "json"},
					&cli.StringFlag{Name: "type", Usage: "the type whose `NAME`, or end of it, the drawing is of: ring.Ring"}},
				Action: models,
			},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return cmdline.Usagef("no command %q; there are trace, invariants and models", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	os.Exit(cmdline.Main(app, os.Args))
}

func trace(c *cli.Context) error {
	dir, out, err := cmdline.Places(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	opt := infer.TraceOptions{Dir: dir, Patterns: packages, Jobs: c.Int("j"), Log: os.Stderr}
	if d := c.Duration("timeout"); d > 0 {
		opt.Timeout = d.String()
	}
	var runErr error
	err = cmdline.Output(out, func(w io.Writer) error {
		n := &counter{w: w}
		w = n
		if !strings.HasSuffix(out, ".gz") {
			runErr = infer.Trace(c.Context, w, opt)
		} else {
			z := gzip.NewWriter(w)
			runErr = infer.Trace(c.Context, z, opt)
			if err := z.Close(); err != nil {
				return err
			}
		}
		// What an interrupted run finished is kept.
		if runErr != nil && (n.n == 0 || !errors.Is(runErr, c.Context.Err())) {
			return runErr
		}
		return nil
	})
	if err != nil {
		return err
	}
	return runErr
}

func models(c *cli.Context) error {
	dir, out, err := cmdline.Places(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	format := c.String("format")
	if format != "json" && format != "dot" {
		return cmdline.Usagef("--format %s: there are json and dot", format)
	}
	if format == "dot" && c.String("type") == "" {
		return cmdline.Usagef("--format dot: name the type to draw with --type")
	}
	prog, err := source.Load(c.Context, dir, packages)
	if err != nil {
		return err
	}
	doc, runErr := infer.Models(c.Context, prog, infer.ModelOptions{Static: c.Bool("static"), Log: os.Stderr})
	if doc == nil {
		return runErr
	}
	if format == "dot" {
		for i := range doc.Models {
			if t := doc.Models[i].Type; t == c.String("type") || strings.HasSuffix(t, "/"+c.String("type")) || strings.HasSuffix(t, "."+c.String("type")) {
				return cmdline.Output(out, func(w io.Writer) error {
					_, err := io.WriteString(w, usage.DOT(&doc.Models[i]))
					return err
				})
			}
		}
		return cmdline.Usagef("--type %s: nothing is known of the use of such a type", c.String("type"))
	}
	if err := cmdline.Output(out, func(w io.Writer) error { return schemas.WriteModels(w, doc) }); err != nil {
		return err
	}
	return runErr
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}

func invariants(c *cli.Context) error {
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	names := c.Args().Slice()
	if len(names) == 0 {
		names = []string{"-"}
	}
	var traces []*schemas.TraceReader
	for _, name := range names {
		in, name, err := cmdline.Input(name)
		if err != nil {
			return err
		}
		defer in.Close()
		t, err := schemas.NewTraceReader(in, name)
		if err != nil {
			return cmdline.Usagef("%v", err)
		}
		traces = append(traces, t)
	}
	doc, err := infer.Invariants(traces)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	return cmdline.Output(out, func(w io.Writer) error { return schemas.WriteInvariants(w, doc) })
}
