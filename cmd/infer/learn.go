package main

import (
	"io"
	"math"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/dtrace"
	"dsd/infer/usage"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func invariants(c *cli.Context) error {
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	confidence := c.Float64("confidence")
	if confidence < 0 || confidence >= 1 {
		return cmdline.Usagef("invalid --confidence %v: must be at least 0 and below 1", confidence)
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

// learn learns from files: either traces of ours, or files of Daikon's front ends.
func learn(c *cli.Context, names []string, confidence float64) (*schemas.Invariants, error) {
	daikon := 0
	for _, name := range names {
		if dtrace.IsDaikonFile(name) {
			daikon++
		}
	}
	if daikon > 0 {
		if daikon < len(names) {
			return nil, cmdline.Usagef("traces of infer and files of Daikon cannot be combined")
		}
		// The limit bounds memory, so there is no need to collect often. It includes the
		// huge pages, and leaves room for memory outside of them.
		defer tuneHeap(64<<20, 400, 0, 100<<20)()
		doc, err := infer.FromDaikon(names, confidence, os.Stderr)
		if err != nil {
			return nil, cmdline.Usagef("%v", err)
		}
		return doc, nil
	}
	// A module may have thousands of points, and most of their memory stays in use. Collecting
	// often costs a little time and saves much memory.
	defer tuneHeap(128<<20, 50, 32<<20, math.MaxInt64)()
	var traces []infer.Source
	for _, name := range names {
		open, done, err := reopenable(c, name)
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

// reopenable returns a function that opens a trace, as often as it is called. Input from a pipe is
// kept in a temporary file, which done removes.
func reopenable(c *cli.Context, name string) (open infer.Source, done func(), err error) {
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
		return cmdline.Usagef("unknown --format %q (want json or dot)", format)
	}
	if format == "dot" && c.String("type") == "" {
		return cmdline.Usagef("--format dot: needs --type NAME")
	}
	prog, err := source.Load(c.Context, dir, packages)
	if err != nil {
		return err
	}
	if err := prog.Exclude(cmdline.List(c, "exclude")); err != nil {
		return cmdline.Usagef("--exclude %v", err)
	}
	doc, runErr := infer.Models(c.Context, prog,
		infer.ModelOptions{Static: c.Bool("static"), Log: os.Stderr})
	if doc == nil {
		return runErr
	}
	if format == "dot" {
		for i := range doc.Models {
			t, name := doc.Models[i].Type, c.String("type")
			if t == name || strings.HasSuffix(t, "/"+name) || strings.HasSuffix(t, "."+name) {
				return cmdline.Output(c, out, func(w io.Writer) error {
					_, err := io.WriteString(w, usage.DOT(&doc.Models[i]))
					return err
				})
			}
		}
		return cmdline.Usagef("unknown --type %q: no model has such a type", c.String("type"))
	}
	if err := cmdline.Output(c, out,
		func(w io.Writer) error { return schemas.WriteModels(w, doc) }); err != nil {
		return err
	}
	return runErr
}
