package cmdline

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/internal/goenv"
	"dsd/internal/shard"
	"dsd/internal/source"
)

// Dir returns the flag -C.
func Dir() cli.Flag {
	return &cli.StringFlag{Name: "C", Usage: "run in `DIR`", Value: "."}
}

// buildFlags are the flags of the go command that decide which files and modules a testee consists of.
var buildFlags = []struct{ name, usage string }{
	{"tags", "build with the tags in `LIST`, separated by commas, as in the go command"},
	{"mod", "the go command's `MODE` of modules: readonly, vendor or mod"},
	{"modfile", "read `FILE` in place of go.mod, as in the go command"},
}

// WithBuild returns the flags of a command that loads or builds a testee: those that are given, and
// the go command's own. DirAndOutput puts the values of those into GOFLAGS.
func WithBuild(flags ...cli.Flag) []cli.Flag {
	for _, f := range buildFlags {
		flags = append(flags, &cli.StringFlag{Name: f.name, Usage: f.usage})
	}
	return flags
}

// setBuild adds the values of the flags of WithBuild to GOFLAGS, so that every call of the go command
// in dir has them.
func setBuild(c *cli.Context, dir string) error {
	var add []string
	for _, f := range buildFlags {
		if v := c.String(f.name); v != "" {
			text := "-" + f.name + "=" + v
			if strings.ContainsAny(v, " \t") {
				text = "'" + text + "'"
			}
			add = append(add, text)
		}
	}
	if len(add) == 0 {
		return nil
	}
	env, err := goenv.Read(c.Context, dir)
	if err != nil {
		return err
	}
	return os.Setenv("GOFLAGS", strings.Join(append([]string{env["GOFLAGS"]}, add...), " "))
}

// Out returns the flag -o.
func Out() cli.Flag {
	return &cli.StringFlag{Name: "o", Usage: "write to `FILE` instead of standard output"}
}

// Jobs returns the flag -j. Whoever says how many things to work on wants to leave the other processors alone, so the
// collector and the loading of packages keep to as many, too.
func Jobs() cli.Flag {
	return &cli.IntFlag{
		Name: "j", Usage: "work on `N` things at a time, on as many processors; 0 is one per processor",
		Action: func(_ *cli.Context, n int) error {
			if n > 0 && n < runtime.GOMAXPROCS(0) {
				runtime.GOMAXPROCS(n)
			}
			return nil
		},
	}
}

// ExcludeFlag returns the flag --exclude, whose value List returns.
func ExcludeFlag() cli.Flag {
	return &cli.StringFlag{Name: "exclude", Usage: "leave out the packages in the folders of `LIST`, separated by commas, such as " +
		"internal/gen/..."}
}

// ShardFlag returns the flag --shard.
func ShardFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "shard", Usage: usage} }

// Shard returns the value of the flag --shard.
func Shard(c *cli.Context) (shard.Shard, error) {
	s, err := shard.Parse(c.String("shard"))
	if err != nil {
		return s, Usagef("--shard %v", err)
	}
	return s, nil
}

// SourceDir returns the value of the flag -C. It checks that the directory exists, and makes the flags of
// WithBuild known to the go command.
func SourceDir(c *cli.Context) (dir string, err error) {
	dir = c.String("C")
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", Usagef("-C %s: no such directory", dir)
	}
	return dir, setBuild(c, dir)
}

// DirAndOutput returns the values of the flags -C, as SourceDir does, and -o. It checks that the file can be
// written.
func DirAndOutput(c *cli.Context) (dir, out string, err error) {
	if dir, err = SourceDir(c); err != nil {
		return "", "", err
	}
	out = c.String("o")
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

// Packages returns the command's arguments, which are package patterns. Those that are Go files stand for
// the packages in their directories. A flag among them is an error, since flags are only parsed
// before the first argument.
func Packages(c *cli.Context) ([]string, error) { return patterns(c.Args().Slice()) }

func patterns(args []string) ([]string, error) {
	var out []string
	files := goFiles(args)
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
			return nil, Usagef("%s: flags go before the packages", a)
		case len(files) == 0:
			out = append(out, a)
			continue
		case len(files) < len(args):
			return nil, Usagef("%s: want Go files or packages, not both", files[0])
		}
		dir := filepath.Dir(a)
		if !filepath.IsAbs(dir) {
			dir = "." + string(filepath.Separator) + dir
		}
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out, nil
}

// GoFiles returns those of the command's arguments that are Go files.
func GoFiles(c *cli.Context) []string { return goFiles(c.Args().Slice()) }

func goFiles(args []string) (files []string) {
	for _, a := range args {
		if strings.HasSuffix(a, ".go") {
			files = append(files, a)
		}
	}
	return files
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
