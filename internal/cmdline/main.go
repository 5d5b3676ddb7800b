package cmdline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"dsd/internal/source"
)

// Exit statuses.
const (
	Nothing = 0 // nothing found
	Found   = 1 // warnings or crashes found
	Usage   = 2 // wrong usage or unreadable input
	Failed  = 3 // the analysis could not be carried out
)

// Status is an error that carries an exit status. An empty Text is not printed.
type Status struct {
	Code int
	Text string
}

func (s *Status) Error() string { return s.Text }

// Usagef returns an error for wrong usage or unreadable input.
func Usagef(format string,
	args ...any) error {
	return &Status{Usage, fmt.Sprintf(format, args...)}
}

// ErrFound makes the exit status Found and prints nothing: warnings or crashes are not a failure.
var ErrFound error = &Status{Code: Found}

// Main runs app with the arguments, of which args[0] is the program's name, and returns the exit
// status. An error becomes one line on app.ErrWriter; the compiler's errors keep their lines.
// Streams that app leaves nil are the process's own. SIGINT and SIGTERM cancel the actions'
// context.
//
// Main sets the cli package's VersionFlag and VersionPrinter, so two calls must not overlap.
func Main(app *cli.App, args []string) int {
	app.ExitErrHandler = func(*cli.Context, error) {} // by default Run exits the process
	app.Version = version()
	cli.VersionFlag = &cli.BoolFlag{Name: "version", Usage: "print the version and that of Go",
		DisableDefaultText: true}
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintln(c.App.Writer, c.App.Name, c.App.Version) }
	app.OnUsageError = usageError
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
	}
	app.CommandNotFound = nil
	configure(app)
	app.EnableBashCompletion = true // which the scripts of all shells ask for
	app.Setup()
	if printed, err := printsMan(app, args); printed {
		return report(app, err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := app.RunContext(ctx, args)
	for _, c := range opened {
		c.Close()
	}
	clear(opened)
	var s *Status
	if ctx.Err() != nil && errors.As(err, &s) && s.Code == Usage {
		err = ctx.Err() // what was to be read was not there yet
	}
	return report(app, err)
}

// report writes an error as a line, and returns the exit status.
func report(app *cli.App, err error) int {
	code, text := status(err)
	if text != "" {
		fmt.Fprintf(app.ErrWriter, "%s: %s\n", app.Name, text)
	}
	return code
}

func usageError(_ *cli.Context, err error, _ bool) error {
	return Usagef("%s; see --help", strings.TrimSuffix(err.Error(), "\n"))
}

// status returns the exit status and the message for an error.
func status(err error) (int, string) {
	var s *Status
	var compile *source.CompileError
	switch {
	case err == nil:
		return Nothing, ""
	case errors.As(err, &s):
		return s.Code, s.Text
	case errors.Is(err, context.Canceled):
		return Failed, "interrupted; what was finished is written"
	case errors.As(err, &compile):
		return Failed, "the testee does not compile:\n" + compile.Error()
	case errors.Is(err, source.ErrNoPackages):
		return Usage, err.Error()
	}
	return Failed, err.Error()
}
