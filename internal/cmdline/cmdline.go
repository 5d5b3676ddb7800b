package cmdline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"dsd/internal/source"
)

// Exit statuses.
const (
	Nothing    = 0 // nothing found
	Found      = 1 // warnings or crashes found
	Usage      = 2 // wrong usage or unreadable input
	Impossible = 3 // the analysis could not be carried out
)

// Status is an error that carries an exit status. An empty text is not printed.
type Status struct {
	Code int
	Text string
}

func (s *Status) Error() string { return s.Text }

// Usagef is wrong usage or unreadable input.
func Usagef(format string, args ...any) error { return &Status{Usage, fmt.Sprintf(format, args...)} }

// ErrFound says that something was found; it is no failure.
var ErrFound error = &Status{Code: Found}

// Main runs the app and returns the exit status. Errors go to standard error, one line each, the compiler's as they
// are.
func Main(app *cli.App, args []string) int {
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.Version = version()
	cli.VersionFlag = &cli.BoolFlag{Name: "version", Usage: "print the version and that of Go", DisableDefaultText: true}
	cli.VersionPrinter = func(*cli.Context) { fmt.Fprintln(app.Writer, app.Name, app.Version) }
	app.OnUsageError = usageError
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
	}
	app.CommandNotFound = nil
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := app.RunContext(ctx, args)
	code, text := status(err)
	if text != "" {
		fmt.Fprintf(app.ErrWriter, "%s: %s\n", app.Name, text)
	}
	return code
}

func usageError(_ *cli.Context, err error, _ bool) error {
	return Usagef("%s; see --help", strings.TrimSuffix(err.Error(), "\n"))
}

// status is the exit status and message for an error.
func status(err error) (int, string) {
	var s *Status
	var compile *source.CompileError
	switch {
	case err == nil:
		return Nothing, ""
	case errors.As(err, &s):
		return s.Code, s.Text
	case errors.Is(err, context.Canceled):
		return Impossible, "interrupted; what was finished is written"
	case errors.As(err, &compile):
		return Impossible, "the testee does not compile:\n" + compile.Error()
	case errors.Is(err, source.ErrNoPackages):
		return Usage, err.Error()
	}
	return Impossible, err.Error()
}

// Input opens a document: a file, or standard input for "" and "-".
func Input(name string) (io.ReadCloser, string, error) {
	if name == "" || name == "-" {
		return io.NopCloser(os.Stdin), "standard input", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "", Usagef("%v", err)
	}
	if st, err := f.Stat(); err == nil && st.IsDir() {
		f.Close()
		return nil, "", Usagef("%s: is a directory, want a document", name)
	}
	return f, name, nil
}

// CheckOutput refuses, before any work is done, a file that cannot be written.
func CheckOutput(name string) error {
	if name == "" || name == "-" {
		return nil
	}
	dir := filepath.Dir(name)
	if st, err := os.Stat(dir); err != nil {
		return Usagef("-o %s: the directory %s does not exist: make it first", name, dir)
	} else if !st.IsDir() {
		return Usagef("-o %s: %s is not a directory", name, dir)
	}
	if st, err := os.Stat(name); err == nil && st.IsDir() {
		return Usagef("-o %s: is a directory, want the name of a file", name)
	}
	return nil
}

// Output passes a writer to write and puts what it wrote into the named file, whole or not at all, or on standard
// output for "" and "-".
func Output(name string, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		var buf bytes.Buffer
		if err := write(&buf); err != nil {
			return err
		}
		_, err := os.Stdout.Write(buf.Bytes())
		return err
	}
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	// A device or a pipe is written to, not replaced.
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		var buf bytes.Buffer
		if err := write(&buf); err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return Usagef("-o %s: %v", name, err)
		}
		defer f.Close()
		_, err = f.Write(buf.Bytes())
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return Usagef("-o %s: %v", name, err)
	}
	defer os.Remove(f.Name()) // gone already if all went well
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("-o %s: %w", name, err)
	}
	return os.Rename(f.Name(), name)
}

// Dir is the -C flag, Out the -o flag, Jobs the -j flag.
func Dir() cli.Flag {
	return &cli.StringFlag{Name: "C", Usage: "run in `DIR`", Value: "."}
}
func Out() cli.Flag {
	return &cli.StringFlag{Name: "o", Usage: "write to `FILE` instead of standard output"}
}
func Jobs() cli.Flag {
	return &cli.IntFlag{Name: "j", Usage: "work on `N` things at a time; 0 is one a processor"}
}

// Packages are the command's arguments, package patterns; a flag among them comes too late to be one.
func Packages(c *cli.Context) ([]string, error) { return patterns(c.Args().Slice()) }

func patterns(args []string) ([]string, error) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			return nil, Usagef("%s: flags go before the packages", a)
		}
	}
	return args, nil
}

// PackagesAndProgram are the arguments before --, package patterns, and the command after it; nil if there is none.
func PackagesAndProgram(c *cli.Context) (packages, program []string, err error) {
	args := c.Args().Slice()
	// Where flags stand right before --, it is gone from the arguments: the command line has it.
	if i := slices.Index(os.Args, "--"); i >= 0 {
		program = os.Args[i+1:]
		if args = args[:max(len(args)-len(program), 0)]; len(args) > 0 && args[len(args)-1] == "--" {
			args = args[:len(args)-1]
		}
		if len(program) == 0 {
			return nil, nil, Usagef("--: a program and its arguments come after it")
		}
	}
	packages, err = patterns(args)
	return packages, program, err
}

// Places are the values of Dir and Out, a directory that exists and a file that can be written.
func Places(c *cli.Context) (dir, out string, err error) {
	dir, out = c.String("C"), c.String("o")
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", "", Usagef("-C %s: no such directory", dir)
	}
	return dir, out, CheckOutput(out)
}

// Document reads the named document, or standard input, with one of the readers of package schemas.
func Document[T any](name string, read func(io.Reader, string) (T, error)) (doc T, shown string, err error) {
	in, shown, err := Input(name)
	if err != nil {
		return doc, shown, err
	}
	defer in.Close()
	if doc, err = read(in, shown); err != nil {
		return doc, shown, Usagef("%v", err)
	}
	return doc, shown, nil
}
