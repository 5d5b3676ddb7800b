package main

import (
	"bytes"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"dsd/crash/verify"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/internal/source"
	"dsd/schemas"
)

// repeatable reports whether what tests and candidates show depends on nothing but what a Rerun looks at: unconfined they
// may read anything, and with --allow-read other files.
func repeatable(unconfined bool) bool { return !unconfined && len(confine.AllowRead) == 0 }

// keepRun keeps a document and what was said about it.
func keepRun(rerun *cmdline.Rerun, prog *source.Program, doc *schemas.Crashes, log *cmdline.Copy) {
	var text bytes.Buffer
	said, err := log.Bytes()
	if err != nil || rerun == nil || schemas.WriteCrashes(&text, doc) != nil {
		return
	}
	w := &cmdline.Written{Document: text.Bytes(), Log: string(said), Dirs: map[string]string{}}
	for _, c := range doc.Crashes {
		if w.Dirs[c.Test.Package], err = verify.TestDir(prog, &c); err != nil {
			return
		}
	}
	rerun.Keep(w, nil)
}

// writeBefore writes what an earlier run has written.
func writeBefore(c *cli.Context, out string, before *cmdline.Written) error {
	doc, err := schemas.ReadCrashes(bytes.NewReader(before.Document), "the cache")
	if err != nil {
		return err
	}
	io.WriteString(c.App.ErrWriter, before.Log)
	if root := c.String("tests"); root != "" {
		for _, crash := range doc.Crashes {
			if err := verify.WriteTest(filepath.Join(root, before.Dirs[crash.Test.Package]), &crash.Test); err != nil {
				return err
			}
		}
	}
	return finish(c, out, doc, nil)
}
