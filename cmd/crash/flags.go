package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"dsd/crash/report"
	"dsd/internal/baseline"
	"dsd/internal/cmdline"
	"dsd/internal/confine"
	"dsd/schemas"
)

// testsFlag is the --tests flag for the tests of a command.
func testsFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "tests",
		Usage: "write " + what + " below `DIR`, in the module's layout"}
}

// sandboxFlag is the --no-sandbox flag.
func sandboxFlag() cli.Flag {
	return &cli.BoolFlag{
		Name:  "no-sandbox",
		Usage: "let candidates do whatever you may do: write files, dial, start processes",
	}
}

// allowReadFlag lets candidates read more. A dsd.json cannot set it.
func allowReadFlag() cli.Flag {
	return &cli.StringSliceFlag{
		Name:  "allow-read",
		Usage: "let candidates read `DIR`, too: they read the module, the module cache, the toolchain and files of the system",
		Action: func(_ *cli.Context, dirs []string) error {
			for _, dir := range dirs {
				abs, err := filepath.Abs(dir)
				if err == nil {
					_, err = os.Stat(abs)
				}
				if err != nil {
					return cmdline.Usagef("--allow-read: %v", err)
				}
				confine.AllowRead = append(confine.AllowRead, abs)
			}
			return nil
		},
	}
}

// policyFlag is the --policy flag.
func policyFlag(usage string) cli.Flag {
	return &cli.StringFlag{Name: "policy", Usage: usage, Value: string(report.Classic)}
}

// failOn says which crashes make the exit status 1.
type failOn string

// The values of --fail-on.
const (
	failOnLikelyBug failOn = "likely-bug"
	failOnLook      failOn = "look" // or a likely bug
	failOnAny       failOn = "any"
)

// failOnFlag is the --fail-on flag.
func failOnFlag() cli.Flag {
	return &cli.StringFlag{Name: "fail-on", Value: string(failOnAny),
		Usage: "exit with status 1 only for crashes of `RANK`: likely-bug; look, also likely bugs; any"}
}

// checkFailOn returns an error if --fail-on has an unknown value.
func checkFailOn(c *cli.Context) error {
	_, err := choice(c, "fail-on", []failOn{failOnLikelyBug, failOnLook, failOnAny})
	return err
}

// baselineFlag is the --baseline flag.
func baselineFlag() cli.Flag {
	return &cli.StringFlag{Name: "baseline", Usage: "mark the crashes that the document `FILE` of before has, too, and list those " +
		"that are gone; only new ones count for the exit status"}
}

// compared compares a document with that of --baseline, if the flag is set.
func compared(c *cli.Context, doc *schemas.Crashes) (*schemas.Crashes, error) {
	file := c.String("baseline")
	if file == "" {
		return doc, nil
	}
	before, _, err := cmdline.Document(c, file, schemas.ReadCrashes)
	if err != nil {
		return nil, err
	}
	doc, err = baseline.Crashes(doc, before)
	if err != nil {
		return nil, cmdline.Usagef("--baseline %s: %v", file, err)
	}
	return doc, nil
}

// seedFlag is the --seed flag.
func seedFlag() cli.Flag {
	return &cli.Int64Flag{Name: "seed", Usage: "seed the random numbers with `N`", Value: 1}
}

// choice returns the value of a flag that is one of want.
func choice[T ~string](c *cli.Context, flag string, want []T) (T, error) {
	v := T(c.String(flag))
	if !slices.Contains(want, v) {
		return "", cmdline.Usagef("unknown --%s %q (want %s)", flag, v, alternatives(want))
	}
	return v, nil
}

// choices returns the values of a flag with a list separated by commas, each one of want; nil if
// the flag is not set.
func choices[T ~string](c *cli.Context, flag string, want []T) ([]T, error) {
	text := c.String(flag)
	if text == "" {
		return nil, nil
	}
	var list []T
	for _, s := range strings.Split(text, ",") {
		if !slices.Contains(want, T(s)) {
			return nil, cmdline.Usagef("unknown --%s %q (want %s)", flag, s,
				alternatives(want))
		}
		list = append(list, T(s))
	}
	return list, nil
}

// alternatives joins words: "a, b or c".
func alternatives[T ~string](words []T) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// positive returns the value of a duration flag, which must be positive.
func positive(c *cli.Context, flag string) (time.Duration, error) {
	d := c.Duration(flag)
	if d <= 0 {
		return 0, cmdline.Usagef("invalid --%s %v: must be positive", flag, d)
	}
	return d, nil
}

// argument returns the command's only argument, "" if there is none. what names it in the error if
// there are more.
func argument(c *cli.Context, what string) (string, error) {
	if n := c.Args().Len(); n > 1 {
		return "", cmdline.Usagef("want one %s, got %d", what, n)
	}
	return c.Args().First(), nil
}

// checkSandbox returns an error if candidates are to be confined on a system that cannot confine
// them.
func checkSandbox(c *cli.Context) error {
	if why := confine.Unsupported(); why != "" && !c.Bool("no-sandbox") {
		return &cmdline.Status{Code: cmdline.Failed,
			Text: (&confine.Error{Why: why}).Error()}
	}
	if confine.Untested && !c.Bool("no-sandbox") {
		fmt.Fprintf(c.App.ErrWriter, "the confinement of tests is untested on %s\n", runtime.GOARCH)
	}
	return nil
}

// sameModule returns an error if a document, read from the file with that name, is about another
// module.
func sameModule(file, what, got, want string) error {
	if got != want {
		return cmdline.Usagef("%s: module.path: the %s are of module %s, want %s", file,
			what, got, want)
	}
	return nil
}

// assumed reads the invariants that --assume names, which must be those of a module; nil if the
// flag is not set.
func assumed(c *cli.Context, module string) (*schemas.Invariants, error) {
	file := c.String("assume")
	if file == "" {
		return nil, nil
	}
	doc, name, err := cmdline.Document(c, file, schemas.ReadInvariants)
	if err != nil {
		return nil, err
	}
	return doc, sameModule(name, "invariants", doc.Module.Path, module)
}
