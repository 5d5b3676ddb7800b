package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/invariant"
	"dsd/infer/page"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

// documentCommands returns the commands that read traces and documents.
func documentCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:      "show",
			Usage:     "print an invariants document for people, function by function",
			UsageText: "infer show [-o FILE] [--func NAME] [--panics] [--format text|html] [--models FILE] [INVARIANTS]",
			Description: "A question mark marks an invariant that check does not assume. The format html is a page\n" +
				"for a browser; with --models, it draws how objects are used, too.",
			Flags: []cli.Flag{cmdline.Out(),
				&cli.BoolFlag{Name: "panics",
					Usage: "only what distinguishes calls that panicked from calls that returned"},
				&cli.StringFlag{Name: "func", Usage: "only functions whose names contain `NAME`"},
				&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: text or html", Value: "text"},
				&cli.StringFlag{Name: "models", Usage: "draw the models in `FILE`, of infer models; needs --format html"}},
			Action: show,
		},
		{
			Name: "merge",
			Usage: "merge traces of one module, from different tests or machines, " +
				"or invariants documents",
			UsageText: "infer merge [-o FILE] TRACE...\ninfer merge [-o FILE] INVARIANTS...",
			Description: "Merged traces equal, byte for byte, the trace of one run of everything, " +
				"in any order. A\n" +
				"FILE that ends in .gz is compressed. A merged document has the invariants that all of the\n" +
				"documents imply; learning from merged traces finds more.",
			Flags:  []cli.Flag{cmdline.Out()},
			Action: merge,
		},
		{
			Name:      "check",
			Usage:     "report the invariants that a trace violates",
			UsageText: "infer check [-C dir] [-o FILE] [--format text|github] INVARIANTS TRACE",
			Description: "The exit status is 1 if there are any. This detects a change " +
				"that makes a function receive\n" +
				"or return what no test showed before: keep the invariants of the last release, and check\n" +
				"a trace of the next one against them. The format github annotates the lines of the functions\n" +
				"in a pull request; it needs the source, in -C.",
			Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(),
				&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: text or github", Value: "text"}),
			Action: checkTrace,
		},
		{
			Name:      "diff",
			Usage:     "report the invariants that appeared, vanished, or became weaker or stronger",
			UsageText: "infer diff [-o FILE] [--format text|json] OLD NEW",
			Description: "OLD and NEW are invariants documents, or traces to learn from. " +
				"For a trace, the call that\n" +
				"made the difference is shown, and the test that made the call. The exit status is 1 if\n" +
				"anything changed.",
			Flags: []cli.Flag{cmdline.Out(),
				&cli.StringFlag{Name: "format", Usage: "`FORMAT` to write: text or json", Value: "text"},
				&cli.Float64Flag{Name: "confidence",
					Usage: "learn invariants of at least confidence `P` from traces",
					Value: invariant.DefaultConfidence}},
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

// openTrace reads the header of a trace. The caller closes in after reading the samples.
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
		return cmdline.Usagef("show: %d arguments, want at most one document", c.Args().Len())
	}
	as := c.String("format")
	switch {
	case as != "text" && as != "html":
		return cmdline.Usagef("unknown --format %q (want text or html)", as)
	case as == "text" && c.String("models") != "":
		return cmdline.Usagef("--models: needs --format html")
	}
	doc, err := document(c, c.Args().First())
	if err != nil {
		return err
	}
	var models *schemas.Models
	if name := c.String("models"); name != "" {
		if models, name, err = cmdline.Document(c, name, schemas.ReadModels); err != nil {
			return err
		}
		if models.Module.Path != doc.Module.Path {
			return cmdline.Usagef("%s: models of module %s, want %s", name, models.Module.Path, doc.Module.Path)
		}
	}
	return output(c, c.String("o"), func(w io.Writer) error {
		if as == "html" {
			return page.Write(w, doc, models, c.String("func"))
		}
		return infer.Show(w, doc, c.String("func"), c.Bool("panics"))
	})
}

// output is cmdline.Output, but errors of write that are not the system's are those of input or usage.
func output(c *cli.Context, name string, write func(io.Writer) error) error {
	return cmdline.Output(c, name, func(w io.Writer) error {
		err := write(w)
		if system := syscall.Errno(0); err != nil && !errors.As(err, &system) {
			return cmdline.Usagef("%v", err)
		}
		return err
	})
}

func merge(c *cli.Context) error {
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	if c.Args().Len() == 0 {
		return cmdline.Usagef("merge: no arguments, want traces or documents")
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
		return cmdline.Output(c, out,
			func(w io.Writer) error { return schemas.WriteInvariants(w, joined) })
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
	return output(c, out, func(w io.Writer) error {
		return compressed(w, out, func(w io.Writer) error { return infer.Merge(w, traces) })
	})
}

// documents reads invariants documents. It returns nil if the first file is not one.
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
		return nil, nil // if it is no trace either, the reader of traces reports the error
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
		return cmdline.Usagef("check: want two arguments, an invariants document and a trace")
	}
	as := c.String("format")
	if as != "text" && as != "github" {
		return cmdline.Usagef("unknown --format %q (want text or github)", as)
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
		fmt.Fprintln(os.Stderr, "not checked:", u)
	}
	write := func(w io.Writer) error { return infer.ShowViolations(w, found) }
	if as == "github" && len(found) > 0 {
		dir, err := cmdline.SourceDir(c)
		if err != nil {
			return err
		}
		prog, err := source.Load(c.Context, dir, nil)
		if err != nil {
			return err
		}
		relative := cmdline.Relative(prog.Dir)
		write = func(w io.Writer) error { return infer.AnnotateViolations(w, prog, found, relative) }
	}
	if err := cmdline.Output(c, c.String("o"), write); err != nil {
		return err
	}
	if len(found) > 0 {
		return cmdline.ErrFound
	}
	return nil
}

func diff(c *cli.Context) error {
	if c.Args().Len() != 2 {
		return cmdline.Usagef("diff: want two arguments, the old and the new invariants or traces")
	}
	format := c.String("format")
	if format != "text" && format != "json" {
		return cmdline.Usagef("unknown --format %q (want text or json)", format)
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

// side reads an invariants document, or learns from a trace. The caller calls done when it no
// longer needs the side.
func side(c *cli.Context, name string, confidence float64) (s infer.Side, done func(), err error) {
	open, done, err := reopenable(c, name)
	if err != nil {
		return s, nil, err
	}
	t, traceErr := open()
	if traceErr != nil {
		done()
		s.Doc, err = document(c, name)
		return s, func() {}, err
	}
	first := t // already open, so it is the one for the first call
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
