package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/crash/keep"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func keepCommand() *cli.Command {
	return &cli.Command{
		Name:      "keep",
		Usage:     "write the test of a crash into its package, as one that passes once the crash is mended",
		UsageText: "crash keep [-C dir] [-o FILE] ID|all [CRASHES]",
		Description: "The test fails with the panic's text, and lets the other tests run. It is in the\n" +
			"external test package if exported names suffice, and named after the function\n" +
			"and the fault. No file is overwritten. With -o, it is written there: - is\n" +
			"standard output.",
		Flags:  cmdline.WithBuild(cmdline.Dir(), cmdline.Out()),
		Action: runKeep,
	}
}

func runKeep(c *cli.Context) error {
	if n := c.Args().Len(); n < 1 || n > 2 {
		return cmdline.Usagef("keep: want the ID of a crash and a crashes document, got %d arguments", n)
	}
	id := c.Args().First()
	doc, name, err := cmdline.Document(c, c.Args().Get(1), schemas.ReadCrashes)
	if err != nil {
		return err
	}
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	var wanted []*schemas.Crash
	for i := range doc.Crashes {
		if x := &doc.Crashes[i]; id == "all" || strings.EqualFold(x.ID, id) || x.Fingerprint != "" && x.Fingerprint == id {
			wanted = append(wanted, x)
		}
	}
	if len(wanted) == 0 {
		return cmdline.Usagef("%s: no crash %s: the document has %d", name, id, len(doc.Crashes))
	}
	if out != "" && len(wanted) > 1 {
		return cmdline.Usagef("keep: -o is for one crash")
	}
	prog, err := source.LoadModule(c.Context, dir, &doc.Module, source.Options{})
	if err != nil {
		return err
	}
	if err := sameModule(name, "crashes", doc.Module.Path, prog.Module); err != nil {
		return err
	}
	for _, x := range wanted {
		t, err := keep.Test(prog, x)
		if err != nil {
			return fmt.Errorf("%s: %w", x.ID, err)
		}
		if out != "" {
			return cmdline.Output(c, out, func(w io.Writer) error {
				_, err := io.WriteString(w, t.Source)
				return err
			})
		}
		file, err := writeKept(prog, t)
		if err != nil {
			return fmt.Errorf("%s: %w", x.ID, err)
		}
		fmt.Fprintf(c.App.Writer, "%s: go test -run '^%s$' %s\n", file, t.Name, t.Package)
		prog.Package(t.Package).Kept(file, t.Name)
	}
	return nil
}

// writeKept writes a test into its package, and returns the name of its file. It overwrites nothing.
func writeKept(prog *source.Program, t *schemas.Test) (string, error) {
	dir := prog.Package(t.Package).Dir
	write := func(name, text string) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return err
		}
		_, err = io.WriteString(f, text)
		if e := f.Close(); err == nil {
			err = e
		}
		return err
	}
	for _, f := range t.Files {
		if err := write(f.File, f.Content); err != nil && !os.IsExist(err) {
			return "", err
		}
	}
	return filepath.Join(dir, t.File), write(t.File, t.Source)
}
