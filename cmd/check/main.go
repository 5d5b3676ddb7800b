// Check warns of panics that Go functions can run into, each with inputs that lead to the panic.
//
// It is the second of three commands: infer learns what holds in a module's tests, check proves
// the absence of panics or warns, under those assumptions, and crash runs the inputs of the
// warnings and reports the panics that really happen.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"dsd/check"
	"dsd/check/explain"
	"dsd/check/prove"
	"dsd/internal/cmdline"
	"dsd/internal/format"
	"dsd/internal/kind"
	"dsd/internal/since"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/internal/text"
	"dsd/schemas"
)

func main() {
	if isVet(os.Args[1:]) {
		os.Exit(vet(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(cmdline.Main(newApp(), os.Args))
}

func newApp() *cli.App {
	return &cli.App{
		Name:  "check",
		Usage: "warn of panics that Go functions can run into, with inputs that lead there",
		UsageText: "check [-C dir] [--assume FILE] [-o FILE] [packages | files.go]\ncheck explain ID|KIND [WARNINGS]\n" +
			"check list\ncheck merge [-o FILE] WARNINGS...\n" +
			"check diff OLD NEW",
		Description: "Exit status: 0 no warnings, 1 warnings, 2 wrong usage or unreadable input, " +
			"3 the analysis could not be\n" +
			"carried out. The document lists functions that could not be analyzed, with the reason.",
		Flags: cmdline.WithProgress(cmdline.WithBuild(
			cmdline.Dir(), cmdline.Out(), cmdline.Jobs(), cmdline.CacheProg(),
			&cli.StringFlag{Name: "assume", Usage: "assume the invariants in `FILE`"},
			&cli.BoolFlag{Name: "recovered",
				Usage: "warn also of panics that deferred functions may recover"},
			&cli.BoolFlag{Name: "tests", Usage: "check the functions of test files, too"},
			&cli.BoolFlag{Name: "deps", Usage: "follow calls into the source of other modules, too"},
			&cli.StringFlag{Name: "solver",
				Usage: "run the SMT-LIB 2 solver `COMMAND`, such as \"z3 -in\", instead of the built-in libz3"},
			&cli.IntFlag{Name: "rlimit", Usage: "let the solver spend `N` units of work on a query",
				Value: check.DefaultRlimit},
			&cli.DurationFlag{Name: "budget", Usage: "analyze for `DURATION`, such as 10m, exported functions " +
				"first, with --since those that changed, and list what was not reached as skipped"},
			&cli.StringFlag{Name: "max-memory", Usage: "use at most `SIZE` of memory, such as 2GiB, and list the functions " +
				"that need more as skipped"},
			cmdline.ShardFlag("analyze only part `I/N` of the functions, such as 2/4; check merge puts the parts "+
				"together"),
			&cli.StringFlag{Name: "format",
				Usage: "write `FORMAT`: " + strings.Join(formats(), ", ") + " (default: text on a terminal, otherwise json)"},
			baselineFlag(), cmdline.ExcludeFlag(),
			&cli.StringFlag{Name: "kinds", Usage: "warn only of the kinds in `LIST`, separated by commas; see check list"},
			&cli.StringFlag{Name: "since", Usage: "check only functions that can behave otherwise since the git revision `REV`: those " +
				"that changed, and what depends on them"},
			&cli.StringFlag{Name: "func",
				Usage: "check only functions whose names match `REGEXP`: example.com/m.(*T).Add"},
			&cli.StringFlag{Name: "times", Usage: "write to `FILE` how many seconds each function took, a JSON object a " +
				"line; use -j 1"},
			&cli.StringFlag{Name: "dump", Usage: "write `FORMS` of each function to files: a list of " +
				strings.Join(prove.Forms, ", ")},
			&cli.StringFlag{Name: "dump-to",
				Usage: "`DIR` for --dump (default: a new directory, printed on standard error)"},
		)...),
		Action: run,
		Commands: []*cli.Command{{
			Name: "explain",
			Usage: "print everything about one warning: " +
				"the path through the source, the inputs, the assumptions; or about a kind of panic",
			UsageText: "check explain [--assume FILE] ID [WARNINGS]\ncheck explain KIND",
			Flags: []cli.Flag{&cli.StringFlag{Name: "assume",
				Usage: "show the assumed invariants from `FILE`"}},
			Action: explainWarning,
		}, {
			Name:      "list",
			Usage:     "list the kinds of panics",
			UsageText: "check list",
			Action:    func(c *cli.Context) error { return kind.List(c.App.Writer) },
		}, {
			Name:      "merge",
			Usage:     "put the documents of shards together",
			UsageText: "check merge [-o FILE] WARNINGS...",
			Description: "The documents of all parts make that of one run without --shard, byte by byte, in any order; " +
				"those of some\nmake a document that can be merged with the others.",
			Flags:  []cli.Flag{cmdline.Out(), baselineFlag()},
			Action: merge,
		}, {
			Name:        "diff",
			Usage:       "compare two warnings documents of a module: what is new, and what is gone",
			UsageText:   "check diff [--format FORMAT] [-o FILE] OLD NEW",
			Description: "Warnings are the same if their fingerprints are. Exit status: 1 if any is new, otherwise 0.",
			Flags: []cli.Flag{cmdline.Out(), &cli.StringFlag{Name: "format", Value: "text",
				Usage: "print in `FORMAT`: text; json, the new document with the baseline"}},
			Action: diff,
		}},
	}
}

func run(c *cli.Context) error {
	dir, out, err := cmdline.DirAndOutput(c)
	if err != nil {
		return err
	}
	packages, err := cmdline.Packages(c)
	if err != nil {
		return err
	}
	as, err := outputFormat(c.String("format"), c.App.Writer, out)
	if err != nil {
		return err
	}
	asked, err := readFlags(c)
	if err != nil {
		return err
	}
	opt, times := asked.Options, asked.times
	line, err := cmdline.NewProgress(c)
	if err != nil {
		return err
	}
	defer line.Done()
	rerun, err := newRerun(c, dir, packages)
	if err != nil {
		return err
	}
	if before := rerun.Before(); before != nil {
		return writeBefore(c, out, as, before)
	}
	defer rerun.Close()
	log := cmdline.NewCopy(c.App.ErrWriter)
	opt.Log = log
	cache, program, err := cmdline.Cache(c)
	if err != nil {
		return err
	}
	if cache != nil {
		opt.Store, opt.Program = cache, program
	}
	if line != nil {
		opt.Progress = showProgress(line)
	}
	line.Report(cmdline.Report{Stage: "check", More: "loading"})
	prog, err := source.LoadWith(c.Context, dir, packages,
		source.Options{Tests: c.Bool("tests"), Deps: c.Bool("deps"), Store: cache})
	if err != nil {
		return err
	}
	if err := prog.Exclude(cmdline.List(c, "exclude")); err != nil {
		return cmdline.Usagef("--exclude %v", err)
	}
	if err := choose(c, prog, asked.only, &opt); err != nil {
		return err
	}
	if opt.Assume != nil && opt.Assume.Module.Path != prog.Module {
		return cmdline.Usagef("%s: module.path: the invariants are of module %s, want %s",
			c.String("assume"), opt.Assume.Module.Path, prog.Module)
	}
	opt.Lowered = func() { paceCollector(opt.MaxMemory); times.begin() }
	doc, runErr := check.Run(c.Context, prog, opt)
	line.Done()
	if err := times.close(); err != nil {
		return err
	}
	if doc == nil {
		return runErr
	}
	if runErr == nil {
		keepRun(rerun, doc, prog.Dir, log)
	}
	return finish(c, out, as, doc, prog.Dir, runErr)
}

// request holds the options that the flags set, except those that depend on the loaded program (see choose).
type request struct {
	check.Options
	// only is the pattern of --func, and times the log of --times. They are nil if the flags are not set.
	only  *regexp.Regexp
	times *timeLog
}

// readFlags parses the flags and reads the documents that they name. The errors are errors of usage.
func readFlags(c *cli.Context) (asked request, err error) {
	asked.Options = check.Options{
		Jobs: c.Int("j"), Solver: c.String("solver"), Rlimit: c.Int("rlimit"), Log: c.App.ErrWriter,
		Recovered: c.Bool("recovered"), Budget: c.Duration("budget"),
	}
	if asked.Shard, err = cmdline.Shard(c); err != nil {
		return asked, err
	}
	for _, k := range cmdline.List(c, "kinds") {
		if !slices.Contains(schemas.Kinds, schemas.Kind(k)) {
			return asked, cmdline.Usagef("--kinds: unknown kind %q: see check list", k)
		}
		asked.Kinds = append(asked.Kinds, schemas.Kind(k))
	}
	if re := c.String("func"); re != "" {
		if asked.only, err = regexp.Compile(re); err != nil {
			return asked, cmdline.Usagef("invalid --func %s: %v", re, err)
		}
	}
	if size := c.String("max-memory"); size != "" {
		if asked.MaxMemory, err = text.ParseSize(size); err != nil {
			return asked, cmdline.Usagef("--max-memory %v", err)
		}
	}
	if asked.Budget < 0 {
		return asked, cmdline.Usagef("--budget %v: want a positive duration", asked.Budget)
	}
	if asked.Assume, err = assumed(c); err != nil {
		return asked, err
	}
	if list := c.String("dump"); list != "" {
		asked.Forms = strings.Split(list, ",")
		if asked.Dump, err = dumper(c.App.ErrWriter, asked.Forms, c.String("dump-to")); err != nil {
			return asked, err
		}
	} else if c.IsSet("dump-to") {
		return asked, cmdline.Usagef("--dump-to needs --dump with the forms to write")
	}
	if file := c.String("times"); file != "" {
		if asked.times, err = newTimeLog(file); err != nil {
			return asked, err
		}
		asked.Took = asked.times.took
	}
	return asked, nil
}

// choose sets the options that say for which functions --func, which is compiled, --since and Go files among the
// arguments ask, and which of them come first: those that changed, and what is next to them.
func choose(c *cli.Context, prog *source.Program, name *regexp.Regexp, opt *check.Options) error {
	var changes *since.Changes
	if rev := c.String("since"); rev != "" {
		var err error
		if changes, err = since.Read(c.Context, prog, rev); err != nil {
			return cmdline.Usagef("--since %s: %v", rev, err)
		}
		opt.Rank = changes.Distance
	}
	files, err := argumentFiles(c, prog)
	if err != nil {
		return err
	}
	if name == nil && changes == nil && files == nil {
		return nil
	}
	opt.Only = func(f *source.Func) bool {
		return (name == nil || name.MatchString(f.Name)) && (changes == nil || changes.Has(f)) &&
			(files == nil || files[prog.Fset.PositionFor(f.Decl.Pos(), false).Filename])
	}
	return nil
}

// argumentFiles returns the absolute names of the Go files among the arguments, nil if there are none.
func argumentFiles(c *cli.Context, prog *source.Program) (map[string]bool, error) {
	var files map[string]bool
	for _, name := range cmdline.GoFiles(c) {
		abs := name
		if !filepath.IsAbs(name) {
			dir, err := filepath.Abs(c.String("C"))
			if err != nil {
				return nil, err
			}
			abs = filepath.Join(dir, name)
		}
		if !slices.ContainsFunc(prog.Packages, func(p *source.Package) bool { return slices.Contains(p.Filenames, abs) }) {
			return nil, cmdline.Usagef("%s: no such file in the build: it does not exist, is a test file without --tests, or "+
				"is excluded by a build constraint", name)
		}
		if files == nil {
			files = map[string]bool{}
		}
		files[abs] = true
	}
	return files, nil
}

// assumed reads the document of --assume. It returns nil if the flag is not set.
func assumed(c *cli.Context) (*schemas.Invariants, error) {
	if c.String("assume") == "" {
		return nil, nil
	}
	doc, _, err := cmdline.Document(c, c.String("assume"), schemas.ReadInvariants)
	return doc, err
}

// formats returns the values of --format: HTML shows crashes.
func formats() []string {
	return slices.DeleteFunc(append([]string{"text", "json"}, format.Names...), func(s string) bool { return s == "html" })
}

// outputFormat checks the value of --format. The default is text on a terminal and otherwise JSON.
func outputFormat(as string, stdout io.Writer, out string) (string, error) {
	names := formats()
	switch {
	case as == "" && (out == "" || out == "-") && cmdline.IsTerminal(stdout):
		return "text", nil
	case as == "":
		return "json", nil
	case !slices.Contains(names, as):
		return "", cmdline.Usagef("unknown --format %q (want %s)", as, strings.Join(names, ", "))
	}
	return as, nil
}

// writeWarnings writes warnings, whose positions are relative to root, in a format.
func writeWarnings(w io.Writer, as string, doc *schemas.Warnings, root string) error {
	switch as {
	case "json":
		return schemas.WriteWarnings(w, doc)
	case "text":
		return explain.Text(w, doc, explain.Options{
			Pos: cmdline.Relative(root), Style: cmdline.Style(w), Quiet: !cmdline.IsTerminal(w),
		})
	}
	r := format.Warnings(doc)
	if err := cmdline.Place(r, root); err != nil {
		return err
	}
	return format.Write(w, as, r)
}

// showProgress returns a function that updates a progress line.
func showProgress(line *cmdline.Progress) func(check.Progress) {
	return func(p check.Progress) {
		r := cmdline.Report{Stage: "check", Done: p.Functions, Total: p.Total, Unit: "functions",
			Found: p.Warnings, What: "warnings", Left: p.Left}
		if p.Busy != "" {
			r.Busy = symbol.Short(p.Busy)
		}
		line.Report(r)
	}
}

func explainWarning(c *cli.Context) error {
	id := c.Args().First()
	if doc := kind.Of(schemas.Kind(id)); doc != nil && c.Args().Len() == 1 {
		return doc.Explain(c.App.Writer)
	}
	if id == "" || c.Args().Len() > 2 {
		return cmdline.Usagef("explain: want the ID of a warning, such as W12, " +
			"and at most one document, or a kind of panic of check list; see --help")
	}
	doc, name, err := cmdline.Document(c, c.Args().Get(1), schemas.ReadWarnings)
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
	_, err = io.WriteString(c.App.Writer, text.String())
	return err
}

// merge puts the documents of shards together.
func merge(c *cli.Context) error {
	out := c.String("o")
	docs, err := cmdline.Parts(c, "warnings", schemas.ReadWarnings)
	if err != nil {
		return err
	}
	doc, err := check.Merge(docs, c.Args().Slice())
	if err != nil {
		return cmdline.Usagef("merge: %v", err)
	}
	if doc, err = compared(c, doc); err != nil {
		return err
	}
	err = cmdline.Output(c, out, func(w io.Writer) error { return schemas.WriteWarnings(w, doc) })
	if err == nil && anyNew(doc) {
		return cmdline.ErrFound
	}
	return err
}

// dumper returns a function that writes a form of a function to a file of its own in dir, or in a
// new directory if dir is "". It reports the new directory and files that cannot be written on
// stderr.
func dumper(stderr io.Writer, forms []string, dir string) (func(fn, form, text string), error) {
	for _, f := range forms {
		if !slices.Contains(prove.Forms, f) {
			return nil, cmdline.Usagef("--dump: unknown form %q (want %s)", f,
				strings.Join(prove.Forms, ", "))
		}
	}
	var err error
	if dir == "" {
		if dir, err = os.MkdirTemp("", "dsd-dump-"); err == nil {
			fmt.Fprintln(stderr, "check: --dump writes to", dir)
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
			fmt.Fprintln(stderr, "check: --dump:", err)
		}
	}, nil
}
