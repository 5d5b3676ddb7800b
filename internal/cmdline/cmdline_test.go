package cmdline

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/urfave/cli/v2"

	"dsd/schemas"
)

// run runs an app with one command "do", which takes -o and calls action.
func run(action cli.ActionFunc, stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	app := &cli.App{
		Name: "tool", Reader: strings.NewReader(stdin), Writer: &out, ErrWriter: &errs,
		Commands: []*cli.Command{{Name: "do", Flags: []cli.Flag{Out()}, Action: action}},
	}
	status = Main(app, append([]string{"tool", "do"}, args...))
	return status, out.String(), errs.String()
}

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		err    error
		status int
		stderr string
	}{
		{nil, Nothing, ""},
		{ErrFound, Found, ""},
		{Usagef("-x %d: too small", 3), Usage, "tool: -x 3: too small\n"},
		{errors.New("no solver"), Failed, "tool: no solver\n"},
	} {
		status, _, stderr := run(func(*cli.Context) error { return tt.err }, "")
		if status != tt.status || stderr != tt.stderr {
			t.Errorf("%v: got status %d and %q, want %d and %q", tt.err, status, stderr, tt.status,
				tt.stderr)
		}
	}
}

// TestInterruptedInput: a signal ends a command that waits for its input.
func TestInterruptedInput(t *testing.T) {
	in, out := io.Pipe() // nothing is ever written
	defer out.Close()
	var errs bytes.Buffer
	app := &cli.App{
		Name: "tool", Reader: in, Writer: io.Discard, ErrWriter: &errs,
		Action: func(c *cli.Context) error {
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			_, _, err := Document(c, "", schemas.ReadWarnings)
			return err
		},
	}
	if status := Main(app, []string{"tool"}); status != Failed ||
		!strings.HasPrefix(errs.String(), "tool: interrupted") {
		t.Errorf("got status %d and %q", status, errs.String())
	}
}

func TestPackagesAndProgram(t *testing.T) {
	for _, tt := range []struct {
		args              string
		packages, program []string
		err               string
	}{
		{"", nil, nil, ""},
		{"./a ./b", []string{"./a", "./b"}, nil, ""},
		{"-o x ./a", []string{"./a"}, nil, ""},
		{"-o x -- go run .", nil, []string{"go", "run", "."}, ""},
		{"-- go run .", nil, []string{"go", "run", "."}, ""},
		{"-o x ./a -- go run -v .", []string{"./a"}, []string{"go", "run", "-v", "."}, ""},
		{"./a -- prog -- x", []string{"./a"}, []string{"prog", "--", "x"}, ""},
		{"./a --", nil, nil, "tool: --: want a program and its arguments after it\n"},
		{"./a -v", nil, nil, "tool: -v: flags go before the packages\n"},
	} {
		var packages, program []string
		_, _, stderr := run(func(c *cli.Context) (err error) {
			packages, program, err = PackagesAndProgram(c)
			return err
		}, "", strings.Fields(tt.args)...)
		if len(packages) == 0 {
			packages = nil
		}
		if !reflect.DeepEqual(packages, tt.packages) || !reflect.DeepEqual(program, tt.program) ||
			stderr != tt.err {
			t.Errorf("%q: got %q, %q, %q, want %q, %q, %q", tt.args, packages, program, stderr, tt.packages,
				tt.program, tt.err)
		}
	}
}

func TestOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	copied := func(c *cli.Context) error {
		in, name, err := Input(c, c.Args().First())
		if err != nil {
			return err
		}
		defer in.Close()
		return Output(c, c.String("o"), func(w io.Writer) error {
			if _, err := io.Copy(w, in); err != nil {
				return err
			}
			if name == "standard input" {
				return nil
			}
			return errors.New("cut off")
		})
	}
	if status, stdout, _ := run(copied, "text", "-"); status != Nothing || stdout != "text" {
		t.Errorf("standard input to output: got status %d and %q", status, stdout)
	}
	if status, stdout, _ := run(copied, "text", "-o", file); status != Nothing || stdout != "" {
		t.Errorf("standard input to a file: got status %d and %q", status, stdout)
	}
	// A write that fails leaves the file as it was, and no temporary one beside it.
	if status, stdout, _ := run(copied, "", file); status != Failed || stdout != "" {
		t.Errorf("failing: got status %d and %q", status, stdout)
	}
	if status, _, _ := run(copied, "", "-o", file, file); status != Failed {
		t.Errorf("failing: got status %d", status)
	}
	text, err := os.ReadFile(file)
	if files, _ := os.ReadDir(filepath.Dir(file)); err != nil || string(text) != "text" ||
		len(files) != 1 {
		t.Errorf("the file holds %q, %v; its directory %d files", text, err, len(files))
	}
}

// TestJobs: a command that is to work on one thing at a time uses one processor.
func TestJobs(t *testing.T) {
	all := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(all)
	for _, tc := range []struct {
		args []string
		want int
	}{{nil, 2}, {[]string{"-j", "0"}, 2}, {[]string{"-j", "5"}, 2}, {[]string{"-j", "1"}, 1}} {
		got := 0
		app := &cli.App{Flags: []cli.Flag{Jobs()}, Action: func(*cli.Context) error {
			got = runtime.GOMAXPROCS(0)
			return nil
		}}
		if err := app.Run(append([]string{"check"}, tc.args...)); err != nil || got != tc.want {
			t.Errorf("%v: %d processors, %v; want %d", tc.args, got, err, tc.want)
		}
	}
}
