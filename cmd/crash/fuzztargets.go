package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/crash/compose"
	"dsd/crash/fuzztarget"
	"dsd/crash/search/carve"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

func fuzzTargetsCommand() *cli.Command {
	return &cli.Command{
		Name:  "fuzz-targets",
		Usage: "write native fuzz targets for functions, with a seed corpus",
		UsageText: "crash fuzz-targets [-C dir] -o DIR [--trace FILE] [--warnings FILE] [--crashes FILE] " +
			"[packages]",
		Description: "Each target calls one exported function; its parameters are the numbers and\n" +
			"strings of a call in the tests, or else of one drawn at random. The files go\n" +
			"below DIR where they belong below the module's root: -o . writes them into\n" +
			"their packages, and nothing is overwritten. Standard output lists the targets,\n" +
			"and why other functions have none. A seed from a crash fails until the crash is\n" +
			"mended.",
		Flags: cmdline.WithBuild(cmdline.Dir(),
			&cli.StringFlag{Name: "o", Usage: "write the targets below `DIR`"},
			&cli.StringFlag{Name: "func",
				Usage: "only functions whose names match `REGEXP`: example.com/m.(*T).Add"},
			traceFlag(),
			&cli.StringFlag{Name: "warnings", Usage: "use the counterexamples of the warnings in `FILE` as seeds"},
			&cli.StringFlag{Name: "crashes", Usage: "use the inputs of the crashes in `FILE` as seeds"},
			cmdline.ExcludeFlag(), sandboxFlag(), allowReadFlag()),
		Action: runFuzzTargets,
	}
}

func runFuzzTargets(c *cli.Context) error {
	dir, err := cmdline.SourceDir(c)
	if err != nil {
		return err
	}
	to := c.String("o")
	if to == "" {
		return cmdline.Usagef("fuzz-targets: want -o DIR")
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	if err := checkSandbox(c); err != nil {
		return err
	}
	opt := fuzztarget.Options{Tests: map[string][]carve.Source{}, Unconfined: c.Bool("no-sandbox")}
	if text := c.String("func"); text != "" {
		if opt.Only, err = regexp.Compile(text); err != nil {
			return cmdline.Usagef("invalid --func %s: %v", text, err)
		}
	}
	prog, err := source.Load(c.Context, dir, packages)
	if err != nil {
		return err
	}
	if err := prog.Exclude(cmdline.List(c, "exclude")); err != nil {
		return cmdline.Usagef("--exclude %v", err)
	}
	if opt.Only != nil && !anyFunc(prog, opt.Only) {
		return cmdline.Usagef("--func %s matches no function of the packages", opt.Only)
	}
	if opt.Observed, err = observed(c, prog.Module); err != nil {
		return err
	}
	if err := seedsOfCrashes(c, prog, opt.Tests); err != nil {
		return err
	}
	if err := seedsOfWarnings(c, prog, opt.Tests); err != nil {
		return err
	}
	targets, skipped, err := fuzztarget.Write(c.Context, prog, opt)
	if err != nil {
		return err
	}
	for _, t := range targets {
		file := filepath.Join(to, filepath.FromSlash(t.Dir), t.File)
		if err := writeNew(file, t.Source); err != nil {
			return cmdline.Usagef("-o %s: %v", to, err)
		}
	}
	return cmdline.Output(c, "", func(w io.Writer) error {
		p := &text.Printer{W: w}
		for _, t := range targets {
			pkg := strings.TrimSuffix("./"+t.Dir, "/.")
			p.Printf("%s: %s, go test -fuzz '^%s$' %s\n", filepath.Join(to, filepath.FromSlash(t.Dir), t.File),
				text.Count(t.Seeds, "seed"), t.Name, pkg)
		}
		for _, s := range skipped {
			p.Printf("%s: none: %s\n", s.Func, s.Reason)
		}
		return p.Err
	})
}

// writeNew writes a file that is not there yet, and its folder.
func writeNew(name, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(f, content); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// seedsOfCrashes adds the tests of the document of --crashes.
func seedsOfCrashes(c *cli.Context, prog *source.Program, tests map[string][]carve.Source) error {
	name := c.String("crashes")
	if name == "" {
		return nil
	}
	doc, name, err := cmdline.Document(c, name, schemas.ReadCrashes)
	if err != nil {
		return err
	}
	if err := sameModule(name, "crashes", doc.Module.Path, prog.Module); err != nil {
		return err
	}
	for _, x := range doc.Crashes {
		t := &x.Test
		tests[t.Package] = append(tests[t.Package], carve.Source{Name: "crash_" + t.File, Text: t.Source})
	}
	return nil
}

// seedsOfWarnings adds tests of the counterexamples of the document of --warnings. Those that cannot be
// written in Go are left out.
func seedsOfWarnings(c *cli.Context, prog *source.Program, tests map[string][]carve.Source) error {
	name := c.String("warnings")
	if name == "" {
		return nil
	}
	doc, name, err := cmdline.Document(c, name, schemas.ReadWarnings)
	if err != nil {
		return err
	}
	if err := sameModule(name, "warnings", doc.Module.Path, prog.Module); err != nil {
		return err
	}
	funcs := map[string]*source.Func{}
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			funcs[f.Name] = f
		}
	}
	for i, w := range doc.Warnings {
		f := funcs[w.Func]
		if f == nil || w.Counterexample == nil {
			continue
		}
		file := fmt.Sprintf("warning_%d_test.go", i)
		t, err := compose.Compose(prog, f, w.Counterexample, fmt.Sprintf("TestWarning%d", i), file, w.ID)
		if err == nil {
			tests[f.Pkg.Path] = append(tests[f.Pkg.Path], carve.Source{Name: file, Text: t.Source})
		}
	}
	return nil
}
