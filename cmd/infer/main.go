// Infer learns from a Go module's own tests: trace runs them and writes down what it sees, invariants learns what
// always held.
package main

import (
	"cmp"
	"errors"
	"io"
	"math"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/dtrace"
	"dsd/infer/instrument"
	"dsd/infer/invariant"
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
				UsageText: "infer trace [-C dir] [-o FILE] [packages]\ninfer trace [-C dir] -o FILE [packages] -- go run PACKAGE [arguments]\ninfer trace [-C dir] -o FILE [packages] -- BINARY [arguments]",
				Description: "The module is not written to. A FILE that ends in .gz is compressed. Tests that fail are left out of the\n" +
					"trace, which is said on standard error and in the trace.\n\n" +
					"After -- comes a program of the module that is run instead of the tests; a BINARY is built anew, instrumented.\n\n" +
					"With --format dtrace, declarations and samples are written as Daikon reads them (version 2).",
				Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
					&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: json, or dtrace for Daikon", Value: "json"},
					&cli.IntFlag{Name: "depth", Usage: "follow values for `N` steps through fields and pointers", Value: instrument.DefaultDepth},
					&cli.DurationFlag{Name: "timeout", Usage: "of the tests of one package; 0 is go test's own"}},
				Action: trace,
			},
			{
				Name:      "invariants",
				Usage:     "learn from traces what always held",
				UsageText: "infer invariants [-o FILE] [--confidence P] [TRACE...]",
				Description: "A TRACE is one of infer trace, gzipped or not; or they are the .decls and .dtrace files of one of Daikon's front ends.\n" +
					"An invariant is told if the probability that it held by chance alone is below 1-P.",
				Flags: []cli.Flag{cmdline.Out(),
					&cli.Float64Flag{Name: "confidence", Usage: "tell what is at least so certain: `P`", Value: invariant.DefaultConfidence}},
				Action: invariants,
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
				return cmdline.Usagef("no command %q; there are trace, invariants, models, show, merge, check and diff", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	app.Commands = append(app.Commands, readers()...)
	os.Exit(cmdline.Main(app, os.Args))
}

func trace(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	packages, program, err := cmdline.PackagesAndProgram(c)
	if err != nil {
		return err
	}
	format, depth := c.String("format"), c.Int("depth")
	switch {
	case format != "json" && format != "dtrace":
		return cmdline.Usagef("--format %s: there are json and dtrace", format)
	case depth < 1:
		return cmdline.Usagef("--depth %d: a number from 1 on is wanted", depth)
	case program != nil && (out == "" || out == "-"):
		return cmdline.Usagef("infer trace -- %s: name the trace with -o, as the standard output is the program's", strings.Join(program, " "))
	}
	opt := infer.TraceOptions{Dir: dir, Patterns: packages, Jobs: c.Int("j"), Depth: depth, Program: program, Log: os.Stderr}
	if d := c.Duration("timeout"); d > 0 {
		opt.Timeout = d.String()
	}
	var runErr error
	err = cmdline.Output(c, out, func(w io.Writer) error {
		n := &counter{w: w}
		err := packed(n, out, func(w io.Writer) error {
			if format == "dtrace" {
				runErr = exported(c, w, opt)
			} else {
				runErr = infer.Trace(c.Context, w, opt)
			}
			return nil
		})
		// What an interrupted run finished is kept.
		if err == nil && runErr != nil && (n.n == 0 || !errors.Is(runErr, c.Context.Err())) {
			return runErr
		}
		return err
	})
	if err != nil {
		return err
	}
	return runErr
}

// exported writes a trace in Daikon's form.
func exported(c *cli.Context, w io.Writer, opt infer.TraceOptions) error {
	r, pipe := io.Pipe()
	traced := make(chan error, 1)
	go func() {
		err := infer.Trace(c.Context, pipe, opt)
		pipe.CloseWithError(err)
		traced <- err
	}()
	t, err := schemas.NewTraceReader(r, "trace")
	if err == nil {
		err = dtrace.Write(w, t)
	}
	r.CloseWithError(err)
	return cmp.Or(<-traced, err)
}

func models(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
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
				return cmdline.Output(c, out, func(w io.Writer) error {
					_, err := io.WriteString(w, usage.DOT(&doc.Models[i]))
					return err
				})
			}
		}
		return cmdline.Usagef("--type %s: nothing is known of the use of such a type", c.String("type"))
	}
	if err := cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteModels(w, doc) }); err != nil {
		return err
	}
	return runErr
}

// learn learns from files: traces of ours, or those of one of Daikon's front ends.
func learn(c *cli.Context, names []string, confidence float64) (*schemas.Invariants, error) {
	foreign := 0
	for _, name := range names {
		if dtrace.Is(name) {
			foreign++
		}
	}
	if foreign > 0 {
		if foreign < len(names) {
			return nil, cmdline.Usagef("traces of infer and files of Daikon cannot be combined")
		}
		// The limit bounds memory, so there is no need to collect often; huge pages count for it, and leave room for what they do not hold.
		defer arrange(64<<20, 400, 0, 100<<20)()
		doc, err := infer.FromDaikon(names, confidence, os.Stderr)
		if err != nil {
			return nil, cmdline.Usagef("%v", err)
		}
		return doc, nil
	}
	// A module may have thousands of points, most of whose memory is kept: collecting often costs a little time and saves much memory.
	defer arrange(128<<20, 50, 32<<20, math.MaxInt64)()
	var traces []infer.Source
	for _, name := range names {
		open, done, err := again(c, name)
		if err != nil {
			return nil, err
		}
		defer done()
		traces = append(traces, open)
	}
	doc, err := infer.Invariants(traces, confidence, os.Stderr)
	if err != nil {
		return nil, cmdline.Usagef("%v", err)
	}
	return doc, nil
}

// again makes a trace readable more than once. What comes through a pipe is kept in a temporary file, which done removes.
func again(c *cli.Context, name string) (open infer.Source, done func(), err error) {
	in, shown, err := cmdline.Input(c, name)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	var files []*os.File
	temporary := ""
	done = func() {
		for _, f := range files {
			f.Close()
		}
		if temporary != "" {
			os.Remove(temporary)
		}
	}
	f, ok := in.(*os.File)
	if ok {
		st, err := f.Stat()
		ok = err == nil && st.Mode().IsRegular()
	}
	if !ok { // a pipe
		f, err := os.CreateTemp("", "dsd-trace-")
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		name, temporary = f.Name(), f.Name()
		if _, err := io.Copy(f, in); err != nil {
			done()
			return nil, nil, err
		}
	}
	var first *schemas.TraceReader
	return func() (t *schemas.TraceReader, err error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		if first != nil {
			return first.Reopen(f)
		}
		first, err = schemas.NewTraceReader(f, shown)
		return first, err
	}, done, nil
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
	confidence := c.Float64("confidence")
	if confidence < 0 || confidence >= 1 {
		return cmdline.Usagef("--confidence %v: a probability below 1 is wanted", confidence)
	}
	names := c.Args().Slice()
	if len(names) == 0 {
		names = []string{"-"}
	}
	doc, err := learn(c, names, confidence)
	if err != nil {
		return err
	}
	return cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteInvariants(w, doc) })
}
