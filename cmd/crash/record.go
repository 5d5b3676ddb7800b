package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/crash/record"
	"dsd/internal/cmdline"
	"dsd/internal/text"
	"dsd/schemas"
)

// defaultRecording is the recording of a program that is only built. The program replaces PID by
// its process id.
const defaultRecording = "crash-PID.recording.json"

func recordCommand() *cli.Command {
	return &cli.Command{
		Name: "record",
		Usage: "run or build a program so that a crash writes " +
			"the arguments of the functions on its stack",
		UsageText: "crash record [-C dir] [-o FILE] [--packages P,...] -- go test|run|build ...",
		Description: "A panic writes the arguments of each function that it passes on its way up\n" +
			"the stack, as an object graph. crash replay makes tests from them. A\n" +
			"program that is only built writes its recording where it runs, to FILE, to\n" +
			defaultRecording + ", or to the file that DSD_RECORD names. The module\n" +
			"is not written to. Exit status: 0 no crash, 1 crashes, 2 wrong usage, 3\n" +
			"the analysis could not be carried out.",
		Flags: cmdline.WithBuild(cmdline.Dir(), cmdline.Out(),
			&cli.StringFlag{Name: "packages", Value: "./...",
				Usage: "record the functions of the packages that match `PATTERNS`, " +
					"separated by commas, dependencies included"},
			&cli.StringSliceFlag{Name: "at",
				Usage: "also record panics that are recovered in `FUNC`, " +
					"named as in stack traces; in the servers of net/http, gRPC and fasthttp anyway"},
			&cli.StringSliceFlag{Name: "here",
				Usage: "also record the stack, without a panic, when `FUNC` is called: an empty function of yours, " +
					"named as in stack traces"},
			&cli.StringFlag{Name: "max-size", Value: "32MiB",
				Usage: "leave values out of a recording that would be larger than `SIZE`"},
			&cli.IntFlag{Name: "last",
				Usage: "of the panics that a server recovers from, keep the last `N`; 0 keeps the first 1,000"},
			&cli.StringFlag{Name: "copy", Value: "reference",
				Usage: "copy arguments when functions are entered, by `MODE`: " +
					"reference (not at all), used (the fields that the function writes), shallow, depth=N, deep"},
			&cli.StringFlag{Name: "second-chance",
				Usage: "record nothing until a crash was seen, whose text is kept in `FILE`; " +
					"then only the functions on its stack"},
			&cli.BoolFlag{Name: "without-rebuild",
				Usage: "with --second-chance and go build: start to record while the program runs, which costs time before a crash, too"},
			&cli.StringFlag{Name: "label",
				Usage: "keep `TEXT` in the recording: v1.2.3"}),
		Action: runRecord,
	}
}

func runRecord(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	command := c.Args().Slice()
	builds, err := record.Command(command)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	opt := record.Options{
		Packages: strings.Split(c.String("packages"), ","), At: c.StringSlice("at"), Here: c.StringSlice("here"),
		Copy:  c.String("copy"),
		Label: c.String("label"), SecondChance: c.String("second-chance"), Running: builds && c.Bool("without-rebuild"),
	}
	if c.Bool("without-rebuild") && (opt.SecondChance == "" || !builds) {
		return cmdline.Usagef("--without-rebuild: needs --second-chance FILE and go build")
	}
	if len(opt.Here) > 0 && opt.SecondChance != "" {
		return cmdline.Usagef("--here: not with --second-chance, which waits for a crash")
	}
	size, err := text.ParseSize(c.String("max-size"))
	if err != nil {
		return cmdline.Usagef("--max-size %v", err)
	}
	if opt.MaxSize, opt.Last = int(size), c.Int("last"); opt.Last < 0 {
		return cmdline.Usagef("--last %d: is negative", opt.Last)
	}
	if builds {
		if opt.File = out; out == "" || out == "-" {
			opt.File = defaultRecording
		}
	}
	if opt.Store, _, err = cmdline.Cache(c); err != nil {
		return err
	}
	s, err := record.Open(c.Context, dir, opt)
	if errors.Is(err, record.ErrCommand) {
		return cmdline.Usagef("%v", err)
	}
	if err != nil {
		return err
	}
	defer s.Close()
	for _, skipped := range s.Skipped() {
		fmt.Fprintf(c.App.ErrWriter, "%s is not recorded: %s\n", skipped.Name,
			skipped.Reason)
	}
	// Standard output is the document's, unless that goes to a file.
	stdout := c.App.Writer
	if !builds && (out == "" || out == "-") {
		stdout = c.App.ErrWriter
	}
	status, err := s.Run(c.Context, command, c.App.Reader, stdout, c.App.ErrWriter)
	if err != nil {
		return err
	}
	switch {
	case builds && status != 0:
		return &cmdline.Status{Code: cmdline.Failed, Text: "the build failed"}
	case builds:
		return nil
	case s.Waiting():
		return rememberCrash(c.App.ErrWriter, s, status, opt.SecondChance)
	}
	doc, err := s.Collect()
	if err != nil {
		return err
	}
	if doc == nil {
		hint := ""
		if status != 0 && opt.SecondChance == "" {
			hint = "; fatal errors, such as a stack overflow, are recorded with --second-chance FILE"
		}
		if unknown := s.UnknownAt(); len(unknown) > 0 {
			hint += fmt.Sprintf("; --at %s: its package has no such function (write it as stack traces do: main.F, p/q.(*T).M)", unknown[0])
		}
		fmt.Fprintf(c.App.ErrWriter,
			"no panic in a recorded function (the command ended with status %d)%s\n", status, hint)
		return nil
	}
	write := func(w io.Writer) error { return schemas.WriteRecording(w, doc) }
	if err := cmdline.Output(c, out, write); err != nil {
		return err
	}
	return cmdline.ErrFound
}

// rememberCrash keeps the text of the first crash in a file, so that the next run records it.
func rememberCrash(log io.Writer, s *record.Session, status int, file string) error {
	seen, err := s.SaveFirstCrash()
	if err != nil {
		return err
	}
	if !seen {
		fmt.Fprintf(log, "no crash yet (the command ended with status %d)\n", status)
		return nil
	}
	fmt.Fprintf(log,
		"a crash: its text is in %s; the same command records it when it happens again\n", file)
	return cmdline.ErrFound
}
