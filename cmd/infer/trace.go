package main

import (
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/dtrace"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/schemas"
)

func trace(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutputOfTests(c)
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
		return cmdline.Usagef("unknown --format %q (want json or dtrace)", format)
	case depth < 1:
		return cmdline.Usagef("invalid --depth %d: must be at least 1", depth)
	case program != nil && (out == "" || out == "-"):
		return cmdline.Usagef("trace -- %s: needs -o FILE, "+
			"because standard output belongs to the program",
			strings.Join(program, " "))
	}
	opt := infer.TraceOptions{
		Dir: dir, Patterns: packages, Jobs: c.Int("j"), Depth: depth, Program: program, Log: os.Stderr,
		Run: c.String("run"), Skip: c.String("skip"), Timeout: c.Duration("timeout"), Bench: c.Bool("bench"),
		Sandbox: c.Bool("sandbox"),
	}
	if why := confine.Unsupported(); opt.Sandbox && why != "" {
		return &cmdline.Status{Code: cmdline.Failed, Text: "the tests cannot be confined here: " + why}
	}
	if opt.Sandbox && program != nil {
		return cmdline.Usagef("--sandbox: a program is not confined, tests are")
	}
	opt.Exclude = cmdline.List(c, "exclude")
	if opt.Shard, err = cmdline.Shard(c); err != nil {
		return err
	}
	if program != nil && opt.Shard.Of > 0 {
		return cmdline.Usagef("--shard: a program has no parts")
	}
	var rerun *cmdline.Rerun
	if program == nil {
		if rerun, err = cmdline.NewRerun(c, dir, packages); err != nil {
			return err
		}
		if opt.Store, opt.Digest, err = cmdline.Cache(c); err != nil {
			return err
		}
	}
	if before := rerun.Before(); before != nil {
		io.WriteString(os.Stderr, before.Log)
		return cmdline.Output(c, out, func(w io.Writer) error {
			return compressed(w, out, func(w io.Writer) error {
				_, err := w.Write(before.Document)
				return err
			})
		})
	}
	defer rerun.Close()
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	line.Report(cmdline.Report{Stage: "infer trace", More: "building the tests"})
	opt.Progress = func(done, total int) {
		line.Report(cmdline.Report{Stage: "infer trace", Done: done, Total: total, Unit: "packages"})
	}
	var runErr error
	var text *cmdline.Copy // before compression
	log := cmdline.NewCopy(os.Stderr)
	opt.Log, opt.Basis = log, &infer.Basis{}
	err = cmdline.Output(c, out, func(w io.Writer) error {
		n := &counter{} // before compression, which makes some bytes of none
		err := compressed(w, out, func(w io.Writer) error {
			text = cmdline.NewCopy(w)
			n.w = text
			if format == "dtrace" {
				runErr = traceForDaikon(c, n, opt)
			} else {
				runErr = infer.Trace(c.Context, n, opt)
			}
			return nil
		})
		// The output of an interrupted run is kept.
		if err == nil && runErr != nil && (n.n == 0 || !errors.Is(runErr, c.Context.Err())) {
			return runErr
		}
		return err
	})
	if err != nil {
		return err
	}
	if runErr == nil && !opt.Basis.Open {
		keep(rerun, text, log, opt.Basis)
	}
	return runErr
}

// keep keeps a trace and what was said about it.
func keep(rerun *cmdline.Rerun, text, log *cmdline.Copy, basis *infer.Basis) {
	w := &cmdline.Written{}
	if basis.LeftOut {
		w.Until = time.Now().Add(infer.FailedFor)
	}
	document, err := text.Bytes()
	said, logErr := log.Bytes()
	if err == nil && logErr == nil {
		w.Document, w.Log = document, string(said)
		rerun.Keep(w, basis.Variables)
	}
}

// traceForDaikon runs the tests and writes the trace in Daikon's format.
func traceForDaikon(c *cli.Context, w io.Writer, opt infer.TraceOptions) error {
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

// compressed calls write with w, or with a gzip writer to w if the name ends in .gz.
func compressed(w io.Writer, name string, write func(io.Writer) error) error {
	if !strings.HasSuffix(name, ".gz") {
		return write(w)
	}
	z := gzip.NewWriter(w)
	if err := write(z); err != nil {
		return err
	}
	return z.Close()
}

// counter counts the bytes that are written.
type counter struct {
	w io.Writer
	n int
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}
