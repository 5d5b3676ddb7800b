package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/crash"
	"dsd/crash/record"
	"dsd/crash/report"
	"dsd/internal/cmdline"
	"dsd/schemas"
)

func recordCommand() *cli.Command {
	return &cli.Command{
		Name:      "record",
		Usage:     "run or build a program so that a crash writes what its functions were called with",
		UsageText: "crash record [-C dir] [-o FILE] [--packages P,...] -- go test|run|build ...",
		Description: "What a panic passes on its way is written down: the arguments of each function on the stack, as an object graph.\n" +
			"crash replay makes tests of that. A program that is only built writes its recording where it runs, to FILE, or\n" +
			"crash-PID.recording.json, or what DSD_RECORD says. The module is not written to. Exit status: 0 no crash, 1 crashes,\n" +
			"2 wrong usage, 3 it could not be carried out.",
		Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(),
			&cli.StringFlag{Name: "packages", Usage: "record the functions of the packages that match `PATTERNS`, separated by commas, also of dependencies", Value: "./..."},
			&cli.StringSliceFlag{Name: "at", Usage: "record also panics that are recovered in `FUNC`, as stack traces call it: net/http.(*conn).serve"},
			&cli.StringFlag{Name: "copy", Usage: "copy arguments as functions are entered, as `MODE` says: reference (not at all), used (the fields that the function writes), shallow, depth=N, deep", Value: "reference"},
			&cli.StringFlag{Name: "second-chance", Usage: "record nothing until a crash has been seen, whose text is kept in `FILE`; then the functions on its stack alone"},
			&cli.StringFlag{Name: "label", Usage: "keep `TEXT` in the recording: v1.2.3"}},
		Action: recordProgram,
	}
}

func recordProgram(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	command := c.Args().Slice()
	builds, err := record.Command(command)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	opt := record.Options{Packages: strings.Split(c.String("packages"), ","), At: c.StringSlice("at"), Copy: c.String("copy"), Label: c.String("label"), SecondChance: c.String("second-chance")}
	if builds {
		if opt.File = out; out == "" || out == "-" {
			opt.File = "crash-PID.recording.json"
		}
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
		fmt.Fprintf(os.Stderr, "%s is not recorded: %s\n", skipped.Name, skipped.Reason)
	}
	// What the program prints is the user's to see, and standard output the document's.
	stdout := os.Stdout
	if !builds && (out == "" || out == "-") {
		stdout = os.Stderr
	}
	status, err := s.Run(c.Context, command, os.Stdin, stdout, os.Stderr)
	if err != nil {
		return err
	}
	if builds {
		if status != 0 {
			return &cmdline.Status{Code: cmdline.Failed, Text: "it was not built"}
		}
		return nil
	}
	if s.Waiting() {
		seen, err := s.SaveFirstCrash()
		if err != nil {
			return err
		}
		if !seen {
			fmt.Fprintf(os.Stderr, "no crash yet (the command ended with status %d)\n", status)
			return nil
		}
		fmt.Fprintf(os.Stderr, "a crash: %s has its text; the same command records it when it happens again\n", c.String("second-chance"))
		return cmdline.ErrFound
	}
	doc, err := s.Collect()
	if err != nil {
		return err
	}
	if doc == nil {
		hint := ""
		if status != 0 && opt.SecondChance == "" {
			hint = "; fatal errors, as a stack overflow is one, are recorded with --second-chance FILE"
		}
		fmt.Fprintf(os.Stderr, "no panic of a function that is recorded (the command ended with status %d)%s\n", status, hint)
		return nil
	}
	if err := cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteRecording(w, doc) }); err != nil {
		return err
	}
	return cmdline.ErrFound
}

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "make tests of what a crash recorded",
		UsageText: "crash replay [-C dir] [-o FILE] [--tests DIR] [RECORDING]",
		Description: "There is one test for each function on the stack whose arguments were recorded; those that crash as it was\n" +
			"recorded are kept. The module is not written to. Exit status: 0 none crashes, 1 some do, otherwise as of confirm.",
		Flags: []cli.Flag{cmdline.Dir(), cmdline.Out(),
			&cli.StringFlag{Name: "tests", Usage: "write the tests below `DIR`, in the module's layout"},
			&cli.BoolFlag{Name: "minimise", Usage: "leave out of the tests what they crash without; it takes longer"}, sandbox()},
		Action: replay,
	}
}

func replay(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	if c.Args().Len() > 1 {
		return cmdline.Usagef("one recording is wanted, not %d", c.Args().Len())
	}
	if err := confined(c); err != nil {
		return err
	}
	recording, _, err := cmdline.Document(c, c.Args().First(), schemas.ReadRecording)
	if err != nil {
		return err
	}
	doc, runErr := crash.Replay(c.Context, dir, recording, crash.ReplayOptions{Tests: c.String("tests"), Minimise: c.Bool("minimise"), Open: c.Bool("no-sandbox"), Log: os.Stderr})
	if doc == nil {
		return runErr
	}
	return finish(c, out, doc, runErr)
}

// reportRecording prints a recording for people, or writes it without its texts.
func reportRecording(c *cli.Context, text []byte, name string) error {
	doc, err := schemas.ReadRecording(bytes.NewReader(text), name)
	if err != nil {
		return cmdline.Usagef("%v", err)
	}
	if err := cmdline.CheckOutput(c.String("o")); err != nil {
		return err
	}
	if c.Bool("redact") {
		record.Redact(doc)
		err = cmdline.Output(c, c.String("o"), func(w io.Writer) error { return schemas.WriteRecording(w, doc) })
	} else {
		err = cmdline.Output(c, c.String("o"), func(w io.Writer) error { return report.Recording(w, doc) })
	}
	if err != nil {
		return err
	}
	return cmdline.ErrFound
}
