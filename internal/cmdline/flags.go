package cmdline

import (
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/internal/source"
)

// Dir returns the flag -C.
func Dir() cli.Flag {
	return &cli.StringFlag{Name: "C", Usage: "run in `DIR`", Value: "."}
}

// Out returns the flag -o.
func Out() cli.Flag {
	return &cli.StringFlag{Name: "o", Usage: "write to `FILE` instead of standard output"}
}

// Jobs returns the flag -j.
func Jobs() cli.Flag {
	return &cli.IntFlag{Name: "j", Usage: "work on `N` things at a time; 0 is one per processor"}
}

// DirAndOutput returns the values of the flags -C and -o. It checks that the directory exists and
// that the file can be written.
func DirAndOutput(c *cli.Context) (dir, out string, err error) {
	dir, out = c.String("C"), c.String("o")
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", "", Usagef("-C %s: no such directory", dir)
	}
	return dir, out, CheckOutput(out)
}

// DirAndOutputOfTests is DirAndOutput for commands that run tests. It also checks that GOOS and GOARCH
// do not ask for tests of another machine.
func DirAndOutputOfTests(c *cli.Context) (dir, out string, err error) {
	if dir, out, err = DirAndOutput(c); err != nil {
		return "", "", err
	}
	return dir, out, source.RunsHere(c.Context, dir)
}

// Packages returns the command's arguments, which are package patterns. A flag among them is an
// error, since flags are only parsed before the first argument.
func Packages(c *cli.Context) ([]string, error) { return patterns(c.Args().Slice()) }

func patterns(args []string) ([]string, error) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return nil, Usagef("%s: flags go before the packages", a)
		}
	}
	return args, nil
}

// PackagesAndProgram returns the arguments of a subcommand before "--", which are package patterns,
// and the program with its arguments after it; the program is nil if there is no "--".
func PackagesAndProgram(c *cli.Context) (packages, program []string, err error) {
	args := c.Args().Slice()
	// A "--" right after the flags ends them and is gone from the arguments. The arguments of
	// the app, among which this command's flags are, still have it.
	app := c.Lineage()[1].Args().Slice()
	if i := slices.Index(app, "--"); i >= 0 {
		program = app[i+1:]
		if args = args[:max(len(args)-len(program), 0)]; len(args) > 0 && args[len(args)-1] == "--" {
			args = args[:len(args)-1]
		}
		if len(program) == 0 {
			return nil, nil, Usagef("--: want a program and its arguments after it")
		}
	}
	packages, err = patterns(args)
	return packages, program, err
}
