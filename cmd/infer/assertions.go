package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/build/constraint"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"dsd/infer"
	"dsd/infer/assertion"
	"dsd/internal/cmdline"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// sourceCommands returns the commands that put invariants and the source together.
func sourceCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name:  "assertions",
			Usage: "write an overlay with which a program checks invariants while it runs",
			UsageText: "infer assertions [-C dir] -o DIR [--ids LIST] [--mode log|panic|count] " +
				"INVARIANTS [packages]",
			Description: "Then go build -overlay DIR/overlay.json -tags assertions builds a program that checks the\n" +
				"invariants that check assumes, or those of --ids; without the tag it is the program that it\n" +
				"was. go test needs -vet=off, too. The module is not written to. DIR/left-out.txt says which\n" +
				"invariants are not checked, and why.",
			Flags: cmdline.WithBuild(cmdline.Dir(),
				&cli.StringFlag{Name: "o", Usage: "write the overlay to `DIR`"},
				&cli.StringFlag{Name: "ids", Usage: "check the invariants with the IDs of `LIST`, separated by commas"},
				&cli.StringFlag{Name: "func", Usage: "only functions whose names contain `NAME`"},
				&cli.StringFlag{Name: "mode", Value: string(assertion.Log),
					Usage: "what a violation does: `MODE` is log (by package log, the 1st, 10th, 100th and so on), " +
						"panic, or count (in the map dsd of package expvar)"},
				&cli.StringFlag{Name: "tag", Usage: "build `TAG` that turns the assertions on", Value: assertion.DefaultTag},
				cmdline.ExcludeFlag()),
			Action: assertions,
		},
		{
			Name:      "annotate",
			Usage:     "print the source with invariants as comments beside it",
			UsageText: "infer annotate [-C dir] [-o FILE] [--func NAME] INVARIANTS [packages]",
			Description: "Files follow each other, each after a line -- name --. " +
				"A question mark marks an invariant that\ncheck does not assume.",
			Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(), cmdline.ExcludeFlag(),
				&cli.StringFlag{Name: "func", Usage: "only functions whose names contain `NAME`"}),
			Action: annotate,
		},
	}
}

// documentAndSource reads the document that is the first argument, and the packages of the others.
func documentAndSource(c *cli.Context) (*schemas.Invariants, *source.Program, error) {
	if c.Args().Len() == 0 {
		return nil, nil, cmdline.Usagef("%s: no arguments, want an invariants document", c.Command.Name)
	}
	dir, err := cmdline.SourceDir(c)
	if err != nil {
		return nil, nil, err
	}
	doc, err := document(c, c.Args().First())
	if err != nil {
		return nil, nil, err
	}
	prog, err := source.Load(c.Context, dir, c.Args().Tail())
	if err != nil {
		return nil, nil, err
	}
	if err := prog.Exclude(cmdline.List(c, "exclude")); err != nil {
		return nil, nil, err
	}
	if h := prog.Header(); h.Module.Path != doc.Module.Path {
		return nil, nil, cmdline.Usagef("invariants of module %s, want %s as in %s", doc.Module.Path, h.Module.Path, dir)
	}
	return doc, prog, nil
}

func assertions(c *cli.Context) error {
	opt := assertion.Options{
		IDs: cmdline.List(c, "ids"), Func: c.String("func"), Mode: assertion.Mode(c.String("mode")), Tag: c.String("tag"),
	}
	if !slices.Contains(assertion.Modes, opt.Mode) {
		return cmdline.Usagef("unknown --mode %q (want log, panic or count)", opt.Mode)
	}
	if x, err := constraint.Parse("//go:build " + opt.Tag); err != nil {
		return cmdline.Usagef("invalid --tag %q: %v", opt.Tag, err)
	} else if _, ok := x.(*constraint.TagExpr); !ok {
		return cmdline.Usagef("invalid --tag %q: want one tag", opt.Tag)
	}
	to := c.String("o")
	if to == "" {
		return cmdline.Usagef("assertions: want -o DIR")
	}
	doc, prog, err := documentAndSource(c)
	if err != nil {
		return err
	}
	res, err := assertion.Rewrite(prog, doc, opt)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	if err := overlay.Export(to, prog.Dir, res.Files); err != nil {
		return cmdline.Usagef("-o %s: %v", to, err)
	}
	var list bytes.Buffer
	reasons := map[string]int{}
	for _, l := range res.LeftOut {
		fmt.Fprintf(&list, "%s\t%s\n", l.Name, l.Reason)
		reasons[l.Reason]++
	}
	if err := os.WriteFile(filepath.Join(to, "left-out.txt"), list.Bytes(), 0o666); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "invariants checked: %d, in %d functions, with:\n  go test -vet=off -overlay %s -tags %s ./...\n",
		res.Checked, res.Funcs, filepath.Join(to, "overlay.json"), opt.Tag)
	if n := len(res.LeftOut); n > 0 {
		fmt.Fprintf(os.Stderr, "left out: %d, see %s; most often:\n", n, filepath.Join(to, "left-out.txt"))
		often := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
			return cmp.Or(reasons[b]-reasons[a], cmp.Compare(a, b))
		})
		for _, r := range often[:min(3, len(often))] {
			fmt.Fprintf(os.Stderr, "%6d  %s\n", reasons[r], r)
		}
	}
	return nil
}

func annotate(c *cli.Context) error {
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	doc, prog, err := documentAndSource(c)
	if err != nil {
		return err
	}
	return output(c, out, func(w io.Writer) error { return infer.Annotate(w, prog, doc, c.String("func")) })
}
