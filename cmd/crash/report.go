package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"dsd/crash/record"
	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/internal/format"
	"dsd/schemas"
)

// formats are the values of --format.
var formats = append([]string{"text", "json"}, format.Names...)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "print a crashes document for people, likely bugs first",
		UsageText: "crash report [-C dir] [--rank LIST] [--warnings FILE] [--tests DIR]\n" +
			"                [--unconfirmed] [--fail-on RANK] [--baseline FILE] [CRASHES]\n" +
			"   crash report [--redact -o FILE] [RECORDING]",
		Description: "For a recording it prints every string and number, by frame: read it\n" +
			"before you send the recording to others. --redact writes the recording\n" +
			"without the contents of strings; crash replay shows whether it still\n" +
			"crashes.",
		Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(),
			&cli.BoolFlag{Name: "redact",
				Usage: "write a recording whose strings are replaced by others of the same length; " +
					"equal strings stay equal"},
			&cli.StringFlag{Name: "redact-numbers",
				Usage: "with --redact, replace by 0 the numbers whose names match `REGEXP`: of fields, " +
					"example.com/m.User.Salary, parameters, example.com/m.Pay.amount, and variables"},
			&cli.StringFlag{Name: "rank",
				Usage: "show the crashes of the ranks in `LIST`, separated by commas: likely-bug, look, " +
					"contract, unreachable; or all"},
			failOnFlag(), baselineFlag(),
			&cli.BoolFlag{Name: "ignored", Usage: "print also the crashes that comments in the source ignore"},
			&cli.BoolFlag{Name: "known", Usage: "print also the crashes that the baseline has"},
			&cli.StringFlag{Name: "format", Usage: "print in `FORMAT`: " + alternatives(formats) + "; all but text " +
				"print the crashes of all ranks, or of those of --rank", Value: formats[0]},
			&cli.BoolFlag{Name: "fixes", Usage: "compute for each likely bug, and each crash to look at, a change " +
				"that prevents it (sarif; seconds for each)"},
			cmdline.Jobs(), sandboxFlag(), allowReadFlag(),
			&cli.StringFlag{Name: "warnings",
				Usage: "summarize the warnings in `FILE` that the crashes come from"},
			&cli.BoolFlag{Name: "unconfirmed",
				Usage: "also list the warnings that are no crash, and why"},
			&cli.StringFlag{Name: "tests",
				Usage: "`DIR` to which crash confirm wrote the tests"}},
		Action: runReport,
	}
}

func runReport(c *cli.Context) error {
	as, err := choice(c, "format", formats)
	if err != nil {
		return err
	}
	file, err := argument(c, "crashes document")
	if err != nil {
		return err
	}
	ranks, err := shownRanks(c)
	if err != nil {
		return err
	}
	if err := checkFailOn(c); err != nil {
		return err
	}
	in, name, err := cmdline.Input(c, file)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return cmdline.Usagef("%s: %v", name, err)
	}
	if schemas.NameOf(text) == schemas.RecordingName {
		return reportRecording(c, text, name)
	}
	if c.Bool("redact") {
		return cmdline.Usagef("--redact: %s is not a recording", name)
	}
	doc, err := schemas.ReadCrashes(bytes.NewReader(text), name)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	if doc, err = compared(c, doc); err != nil {
		return err
	}
	var warnings *schemas.Warnings
	if file := c.String("warnings"); file != "" {
		if warnings, _, err = cmdline.Document(c, file, schemas.ReadWarnings); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(c.String("C"))
	if err != nil {
		return err
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	if c.Bool("fixes") && as != "sarif" {
		return cmdline.Usagef("--fixes: only --format sarif has fixes; crash explain shows that of one crash")
	}
	root := report.Root(dir, &doc.Module)
	opt := report.TextOptions{
		Pos: cmdline.Relative(root), Style: textStyle(c),
		Warnings: warnings, Tests: c.String("tests"),
		Root: root, Ranks: ranks, File: file,
		Unconfirmed: c.Bool("unconfirmed"), Known: c.Bool("known"), Ignored: c.Bool("ignored"),
	}
	write, err := reportWriter(c, as, doc, opt)
	if err != nil {
		return err
	}
	if err := cmdline.Output(c, c.String("o"), write); err != nil {
		return err
	}
	return found(c, doc)
}

// reportWriter returns the function that writes a document in a format.
func reportWriter(c *cli.Context, as string, doc *schemas.Crashes, opt report.TextOptions) (func(io.Writer) error, error) {
	switch as {
	case "text":
		return func(w io.Writer) error { return report.Text(w, doc, opt) }, nil
	case "json":
		return func(w io.Writer) error { return schemas.WriteCrashes(w, doc) }, nil
	}
	shown := func(c *schemas.Crash) bool {
		return (opt.Ranks == nil || slices.Contains(opt.Ranks, report.Rank(c))) && (as == "sarif" || (opt.Known || !c.Known) && (opt.Ignored || c.Ignored == ""))
	}
	r := format.Crashes(doc, shown, report.MoreLikely)
	if c.Bool("fixes") {
		if err := addFixes(c, r); err != nil {
			return nil, err
		}
	}
	return func(w io.Writer) error { return format.Write(w, as, r) }, cmdline.Place(r, opt.Root)
}

// shownRanks returns the ranks of --rank, nil if the flag is not set.
func shownRanks(c *cli.Context) ([]schemas.Rank, error) {
	if c.String("rank") == "all" {
		return schemas.Ranks, nil
	}
	return choices(c, "rank", schemas.Ranks)
}

// reportRecording prints a recording for people, or writes it without the contents of its strings.
func reportRecording(c *cli.Context, text []byte, name string) error {
	doc, err := schemas.ReadRecording(bytes.NewReader(text), name)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	out := c.String("o")
	if err := cmdline.CheckOutput(out); err != nil {
		return err
	}
	write := report.Recording
	if c.Bool("redact") {
		var numbers *regexp.Regexp
		if text := c.String("redact-numbers"); text != "" {
			if numbers, err = regexp.Compile(text); err != nil {
				return cmdline.Usagef("invalid --redact-numbers %s: %v", text, err)
			}
		}
		record.Redact(doc, numbers)
		write = schemas.WriteRecording
	}
	err = cmdline.Output(c, out, func(w io.Writer) error { return write(w, doc) })
	if err != nil {
		return err
	}
	return cmdline.ErrFound
}
