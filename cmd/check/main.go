// Check warns of panics that a Go function can run into, each with inputs that lead there.
//
// It is the second of three: infer learns what holds in the tests, check proves or warns under those assumptions, and
// crash runs the warnings' inputs and reports what really crashes.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/check/explain"
	"dsd/internal/cmdline"
	"dsd/internal/source"
	"dsd/schemas"
)

func main() {
	app := &cli.App{
		Name:      "check",
		Usage:     "warn of panics that Go functions can run into, with inputs that lead there",
		UsageText: "check [-C dir] [--assume FILE] [-o FILE] [packages]\ncheck explain ID [WARNINGS]",
		Description: "Exit status: 0 no warnings, 1 warnings, 2 wrong usage or unreadable input, 3 the analysis could not be\n" +
			"carried out. Functions that could not be analysed are listed in the document, with the reason.",
		Flags: []cli.Flag{
			cmdline.Dir(), cmdline.Out(), cmdline.Jobs(),
			&cli.StringFlag{Name: "assume", Usage: "assume the invariants in `FILE`"},
			&cli.StringFlag{Name: "solver", Usage: "an SMT-LIB 2 solver `COMMAND` instead of the built-in libz3, such as \"z3 -in\""},
			&cli.IntFlag{Name: "rlimit", Usage: "units of work that the solver may spend on a question", Value: check.DefaultRlimit},
			&cli.StringFlag{Name: "format", Usage: "text or json; text is what a terminal gets, json all else"},
			&cli.StringFlag{Name: "dump", Usage: "write `FORMS` of each function to files, a list of ir, passive, wp and smt"},
			&cli.StringFlag{Name: "dump-to", Usage: "`DIR` for --dump (default: a new directory, which is said)"},
		},
		Action: run,
		Commands: []*cli.Command{{
			Name:      "explain",
			Usage:     "tell the whole of one warning: the way through the source, the inputs, what was assumed",
			UsageText: "check explain [--assume FILE] ID [WARNINGS]",
			Flags:     []cli.Flag{&cli.StringFlag{Name: "assume", Usage: "the invariants in `FILE` that were assumed, to show them"}},
			Action:    explainOne,
		}},
	}
	os.Exit(cmdline.Main(app, os.Args))
}

func run(c *cli.Context) error {
	dir, out, err := cmdline.Places(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	write, err := writer(c.String("format"), out)
	if err != nil {
		return err
	}
	opt := check.Options{Jobs: c.Int("j"), Solver: c.String("solver"), Rlimit: c.Int("rlimit"), Log: os.Stderr}
	if opt.Assume, err = assumed(c); err != nil {
		return err
	}
	if list := c.String("dump"); list != "" {
		opt.Forms = strings.Split(list, ",")
		if opt.Dump, err = dumper(opt.Forms, c.String("dump-to")); err != nil {
			return err
		}
	} else if c.IsSet("dump-to") {
		return cmdline.Usagef("--dump-to needs --dump, which says what is written")
	}
	prog, err := source.Load(c.Context, dir, packages)
	if err != nil {
		return err
	}
	if opt.Assume != nil && opt.Assume.Module.Path != prog.Module {
		return cmdline.Usagef("%s: module.path: the invariants are of module %s, this is %s", c.String("assume"), opt.Assume.Module.Path, prog.Module)
	}
	doc, runErr := check.Run(c.Context, prog, opt)
	if doc == nil {
		return runErr
	}
	if err := cmdline.Output(out, func(w io.Writer) error { return write(w, doc) }); err != nil {
		return err
	}
	switch {
	case runErr != nil:
		return runErr
	case len(doc.Warnings) > 0:
		return cmdline.ErrFound
	}
	return nil
}

// assumed reads the document of --assume, nil if there is none.
func assumed(c *cli.Context) (*schemas.Invariants, error) {
	if c.String("assume") == "" {
		return nil, nil
	}
	doc, _, err := cmdline.Document(c.String("assume"), schemas.ReadInvariants)
	return doc, err
}

// writer chooses how warnings are written: as text for a terminal, else as a document.
func writer(format, out string) (func(io.Writer, *schemas.Warnings) error, error) {
	if format == "" {
		format = "json"
		if st, err := os.Stdout.Stat(); (out == "" || out == "-") && err == nil && st.Mode()&os.ModeCharDevice != 0 {
			format = "text"
		}
	}
	switch format {
	case "json":
		return schemas.WriteWarnings, nil
	case "text":
		return explain.Text, nil
	}
	return nil, cmdline.Usagef("--format %s: there are text and json", format)
}

func explainOne(c *cli.Context) error {
	id := c.Args().First()
	if id == "" || c.Args().Len() > 2 {
		return cmdline.Usagef("explain takes the ID of a warning, such as W12, and a warnings document; see --help")
	}
	doc, name, err := cmdline.Document(c.Args().Get(1), schemas.ReadWarnings)
	if err != nil {
		return err
	}
	invariants, err := assumed(c)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := explain.Warning(&text, doc, id, invariants); err != nil {
		return cmdline.Usagef("%s: %v", name, err)
	}
	_, err = io.WriteString(os.Stdout, text.String())
	return err
}

// dumper writes each form of each function to a file of its own.
func dumper(forms []string, dir string) (func(fn, form, text string), error) {
	for _, f := range forms {
		if !slices.Contains(check.Forms, f) {
			return nil, cmdline.Usagef("--dump: no form %q; there are %s", f, strings.Join(check.Forms, ", "))
		}
	}
	var err error
	if dir == "" {
		if dir, err = os.MkdirTemp("", "dsd-dump-"); err == nil {
			fmt.Fprintln(os.Stderr, "check: --dump writes to", dir)
		}
	} else {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return nil, cmdline.Usagef("--dump-to: %v", err)
	}
	return func(fn, form, text string) {
		name := strings.NewReplacer("/", "_", "*", "", "(", "", ")", "").Replace(fn)
		if err := os.WriteFile(filepath.Join(dir, name+"."+form), []byte(text), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "check: --dump:", err)
		}
	}, nil
}
