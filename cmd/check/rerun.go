package main

import (
	"bytes"
	"io"

	"github.com/urfave/cli/v2"

	"dsd/internal/cmdline"
	"dsd/schemas"
)

// newRerun returns the run of check on packages of the module around dir; nil if it is never taken over: what it does
// depends on time, memory, a revision, single files or another program, or it writes more than the document.
func newRerun(c *cli.Context, dir string, packages []string) (*cmdline.Rerun, error) {
	for _, name := range []string{"max-memory", "since", "solver", "times", "dump"} {
		if c.String(name) != "" {
			return nil, nil
		}
	}
	if c.Duration("budget") > 0 || len(cmdline.GoFiles(c)) > 0 {
		return nil, nil
	}
	return cmdline.NewRerun(c, dir, packages, c.String("assume"))
}

// keepRun keeps a document about the module in the folder root, before it is compared with a baseline, and what was said.
func keepRun(rerun *cmdline.Rerun, doc *schemas.Warnings, root string, log *cmdline.Copy) {
	if rerun == nil {
		return
	}
	var text bytes.Buffer
	said, err := log.Bytes()
	if err != nil || schemas.WriteWarnings(&text, doc) != nil {
		return
	}
	rerun.Keep(&cmdline.Written{Document: text.Bytes(), Log: string(said), Dirs: map[string]string{"": root}}, nil)
}

// writeBefore writes, in a format, what an earlier run has written.
func writeBefore(c *cli.Context, out, as string, before *cmdline.Written) error {
	doc, err := schemas.ReadWarnings(bytes.NewReader(before.Document), "the cache")
	if err != nil {
		return err
	}
	io.WriteString(c.App.ErrWriter, before.Log)
	return finish(c, out, as, doc, before.Dirs[""], nil)
}

// finish writes the document about the module in the folder root, compared with the baseline, and returns how check
// ends. runErr is the error that ended the run.
func finish(c *cli.Context, out, as string, doc *schemas.Warnings, root string, runErr error) error {
	doc, err := compared(c, doc)
	if err != nil {
		return err
	}
	if err := cmdline.Output(c, out, func(w io.Writer) error { return writeWarnings(w, as, doc, root) }); err != nil {
		return err
	}
	switch {
	case runErr != nil:
		return runErr
	case anyNew(doc):
		return cmdline.ErrFound
	}
	return nil
}
