package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/invariant"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

// readers are the commands that look at what others wrote.
func readers() []*cli.Command {
	return []*cli.Command{
		{
			Name:        "show",
			Usage:       "print an invariants document for people, function by function",
			UsageText:   "infer show [-o FILE] [--func NAME] [--panics] [INVARIANTS]",
			Description: "A question mark stands before what check does not assume.",
			Flags: []cli.Flag{cmdline.Out(),
				&cli.BoolFlag{Name: "panics", Usage: "only what distinguishes the calls that panicked from those that returned"},
				&cli.StringFlag{Name: "func", Usage: "only functions whose names contain `NAME`"}},
			Action: show,
		},
		{
			Name:      "merge",
			Usage:     "join traces of one module, made by different tests or machines, into one; or invariants documents",
			UsageText: "infer merge [-o FILE] TRACE...\ninfer merge [-o FILE] INVARIANTS...",
			Description: "The result is what one run that did all of it had written, byte for byte, whatever is merged first. A FILE that ends in .gz is\n" +
				"compressed. Of documents, it is what all of them say together; merged traces tell more.",
			Flags:  []cli.Flag{cmdline.Out()},
			Action: merge,
		},
		{
			Name:      "check",
			Usage:     "tell which invariants a trace violates",
			UsageText: "infer check [-o FILE] INVARIANTS TRACE",
			Description: "The exit status is 1 if there are any. So a change that makes a function see or return what no test saw before is noticed:\n" +
				"keep the invariants of the last release, and check a trace of the next against them.",
			Flags:  []cli.Flag{cmdline.Out()},
			Action: checkTrace,
		},
		{
			Name:      "diff",
			Usage:     "tell which invariants appeared, vanished, or became weaker or stronger",
			UsageText: "infer diff [-o FILE] [--format text|json] OLD NEW",
			Description: "OLD and NEW are invariants documents, or traces to learn from. Where a trace is given, a call is shown that made the difference,\n" +
				"and the test that made the call. The exit status is 1 if anything changed.",
			Flags: []cli.Flag{cmdline.Out(),
				&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: text or json", Value: "text"},
				&cli.Float64Flag{Name: "confidence", Usage: "learn from traces what is at least so certain: `P`", Value: invariant.DefaultConfidence}},
			Action: diff,
		},
	}
}

// document reads an invariants document.
func document(c *cli.Context, name string) (*schemas.Invariants, error) {
	in, name, err := cmdline.Input(c, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	doc, err := schemas.ReadInvariants(in, name)
	if err != nil {
		return nil, cmdline.Usagef("%v", err)
	}
	return doc, nil
}

// openTrace reads the header of a trace; in is to be closed when the rest has been read.
func openTrace(c *cli.Context, name string) (t *schemas.TraceReader, in io.Closer, err error) {
	r, name, err := cmdline.Input(c, name)
	if err != nil {
		return nil, nil, err
	}
	if t, err = schemas.NewTraceReader(r, name); err != nil {
		r.Close()
		return nil, nil, cmdline.Usagef("%v", err)
	}
	return t, r, nil
}

func show(c *cli.Context) error {
	if c.Args().Len() > 1 {
		return cmdline.Usagef("infer show reads one document, not %d", c.Args().Len())
	}
	doc, err := document(c, c.Args().First())
	if err != nil {
		return err
	}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error { return infer.Show(w, doc, c.String("func"), c.Bool("panics")) }); err != nil {
		return cmdline.Usagef("%v", err)
	}
	return nil
}

func merge(c *cli.Context) error {
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	if c.Args().Len() == 0 {
		return cmdline.Usagef("infer merge: name the traces")
	}
	docs, err := documents(c, c.Args().Slice())
	if err != nil {
		return err
	}
	if docs != nil {
		joined, err := infer.Join(docs)
		if err != nil {
			return cmdline.Usagef("%v", err)
		}
		return cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteInvariants(w, joined) })
	}
	var traces []*schemas.TraceReader
	for _, name := range c.Args().Slice() {
		t, in, err := openTrace(c, name)
		if err != nil {
			return err
		}
		defer in.Close()
		traces = append(traces, t)
	}
	var failed error
	err = cmdline.Output(c, out, func(w io.Writer) error {
		return packed(w, out, func(w io.Writer) error {
			failed = infer.Merge(w, traces)
			return failed
		})
	})
	if failed != nil {
		return cmdline.Usagef("%v", failed)
	}
	return err
}

// documents reads invariants documents, if that is what the first file is; nil if it is something else.
func documents(c *cli.Context, names []string) ([]*schemas.Invariants, error) {
	if names[0] == "-" {
		return nil, nil
	}
	in, shown, err := cmdline.Input(c, names[0])
	if err != nil {
		return nil, err
	}
	first, err := schemas.ReadInvariants(in, shown)
	in.Close()
	if err != nil {
		return nil, nil // the reader of traces says what is wrong
	}
	docs := []*schemas.Invariants{first}
	for _, name := range names[1:] {
		doc, err := document(c, name)
		if err != nil {
			return nil, err
		}
		docs = append(docs, doc)
	}
	return docs, nil
}

func checkTrace(c *cli.Context) error {
	if c.Args().Len() != 2 {
		return cmdline.Usagef("infer check: name the invariants, then the trace")
	}
	doc, err := document(c, c.Args().First())
	if err != nil {
		return err
	}
	t, in, err := openTrace(c, c.Args().Get(1))
	if err != nil {
		return err
	}
	defer in.Close()
	found, unknown, err := infer.Violations(doc, t)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	for _, u := range unknown {
		fmt.Fprintln(os.Stderr, "not judged:", u)
	}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error { return infer.ShowViolations(w, found) }); err != nil {
		return err
	}
	if len(found) > 0 {
		return cmdline.ErrFound
	}
	return nil
}

func diff(c *cli.Context) error {
	if c.Args().Len() != 2 {
		return cmdline.Usagef("infer diff: name the old invariants, then the new ones")
	}
	format := c.String("format")
	if format != "text" && format != "json" {
		return cmdline.Usagef("--format %s: there are text and json", format)
	}
	var sides [2]infer.Side
	for i := range sides {
		side, done, err := side(c, c.Args().Get(i), c.Float64("confidence"))
		if err != nil {
			return err
		}
		defer done()
		sides[i] = side
	}
	changes, err := infer.Diff(sides[0], sides[1])
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	if err := cmdline.Output(c, c.String("o"), func(w io.Writer) error {
		if format == "json" {
			return schemas.WriteChanges(w, changes)
		}
		return infer.ShowChanges(w, changes)
	}); err != nil {
		return err
	}
	if len(changes.Changes) > 0 {
		return cmdline.ErrFound
	}
	return nil
}

// side reads an invariants document, or learns from a trace. done is to be called when it is not needed any more.
func side(c *cli.Context, name string, confidence float64) (s infer.Side, done func(), err error) {
	open, done, err := again(c, name)
	if err != nil {
		return s, nil, err
	}
	t, traceErr := open()
	if traceErr != nil {
		done()
		s.Doc, err = document(c, name)
		return s, func() {}, err
	}
	first := t // that has been opened is the first that is read
	s.Trace = func() (*schemas.TraceReader, error) {
		if t := first; t != nil {
			first = nil
			return t, nil
		}
		return open()
	}
	s.Doc, err = infer.Invariants([]infer.Source{s.Trace}, confidence, os.Stderr)
	if err != nil {
		done()
		return s, nil, cmdline.Usagef("%v", err)
	}
	return s, done, nil
}

// packed gives write a compressing writer if the file's name asks for it.
func packed(w io.Writer, name string, write func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return write(w)
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}
