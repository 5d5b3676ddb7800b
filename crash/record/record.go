package record

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/cache"
	"dsd/internal/scratch"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// Options are the settings of a recording.
type Options struct {
	// Packages are patterns for the packages whose functions are recorded, in the main module
	// and in its dependencies. No patterns mean ./...
	Packages []string
	// At are functions, as stack traces name them. Panics that are recovered there are
	// recorded, too; Servers are always among them.
	At []string
	// Here are functions, as stack traces name them, whose calls are recorded with their stacks, although nothing
	// panics: in the program, their bodies are empty. It excludes SecondChance.
	Here []string
	// MaxSize is the number of bytes of the recording of one panic, 0 for any. Last is the number of recovered
	// panics that a program keeps, the last ones; 0 keeps the first thousand.
	MaxSize, Last int
	// Copy is the copying mode: reference (the default), shallow, used, depth=N or deep. It
	// decides what is saved of the arguments when a function is entered [REC 2.3.1].
	Copy string
	// Label is a text to keep in the recording.
	Label string
	// File is where a program that is only built writes its recording. PID in it stands for the
	// process id.
	File string
	// SecondChance is a file for the text of a crash, or "" for none. While the file is
	// missing, nothing is recorded, which costs nothing, and SaveFirstCrash writes the file.
	// Afterwards only the functions on the stack of that crash are recorded [REC 2.3.2].
	SecondChance string
	// Running says to give a program that is only built its second chance while it runs: it records the
	// functions on the stack of the first crash that it, or an earlier process, saw.
	Running bool
	// Store, if not nil, keeps what the go command says of packages that do not change.
	Store *cache.Cache
}

// Session is a build that records. It belongs to one goroutine.
type Session struct {
	opt     Options
	dir     string
	build   []*source.Module
	main    *source.Module
	scratch string            // a temporary directory
	depth   int               // keep.Depth
	replace map[string]string // the overlay: the files to read in place of others
	funcs   []function        // the recorded functions
	lits    []literal         // the function literals
	found   map[string]bool   // the functions of Options.Here that there are
	at      map[string]bool   // whether there are the functions of Options.At; those of packages that are not recorded are absent
	skipped []schemas.LeftOut
	errors  map[string]bool // error variables of the standard library, as path.Name

	// only are the functions to record, by symbol; nil for all.
	only map[string]bool
	// waiting reports whether the second-chance mode still waits for the first crash.
	waiting bool
	// switched reports whether the recorded functions have switches, which are off until a crash is seen.
	switched bool
	// fatal is the text of the first crash if it was a fatal error, which runs no deferred
	// functions, and stack has its frames.
	fatal string
	stack []stacktrace.Frame
	// printed are the first lines of fatal errors that the command printed.
	printed fatalLines

	// origins are the directories of copied modules, each with the name of its module. modfile
	// is the go.mod file that replaces the modules, or "".
	origins [][2]string
	modfile string
}

// ErrCommand is the error for a command or an option that cannot be recorded.
var ErrCommand = errors.New("not a command to record")

// Open rewrites the packages to record in the build around a directory. The caller must Close the
// session.
//
// Errors: ErrCommand (wrapped) for bad options, those of source.Load, and an error for a module
// whose files are not on this machine.
func Open(ctx context.Context, dir string, opt Options) (*Session, error) {
	if opt.Copy == "" {
		opt.Copy = "reference"
	}
	depth, err := depthOf(opt.Copy)
	if err != nil {
		return nil, err
	}
	build, err := source.Modules(ctx, dir)
	if err != nil {
		return nil, err
	}
	temp, err := scratch.New()
	if err != nil {
		return nil, err
	}
	s := &Session{
		opt: opt, dir: dir, build: build, scratch: temp, depth: depth,
		errors: map[string]bool{}, replace: map[string]string{}, found: map[string]bool{}, at: map[string]bool{},
	}
	if len(s.opt.Packages) == 0 {
		s.opt.Packages = []string{"./..."}
	}
	for _, m := range build {
		if m.Main {
			s.main = m
			break
		}
	}
	if err = s.readFirstCrash(); err == nil {
		if s.switched = s.waiting && opt.Running; s.switched {
			s.only = nil
		}
		if s.main == nil {
			err = fmt.Errorf("%w: %s is in no module", source.ErrNoPackages, dir)
		} else {
			err = s.rewrite(ctx)
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// depthOf returns the number of references up to which a mode copies arguments, -1 for any. The
// mode used copies no memory that way: the functions save fields themselves.
func depthOf(mode string) (int, error) {
	switch mode {
	case "reference", "used":
		return 0, nil
	case "shallow":
		return 1, nil
	case "deep":
		return -1, nil
	}
	if text, ok := strings.CutPrefix(mode, "depth="); ok {
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			return n, nil
		}
	}
	const modes = "reference, shallow, used, depth=N or deep"
	return 0, fmt.Errorf("%w: unknown --copy %q (want %s)", ErrCommand, mode, modes)
}

// Close removes the temporary files of the session.
func (s *Session) Close() error { return scratch.Remove(s.scratch) }

// Functions returns the number of recorded functions.
func (s *Session) Functions() int { return len(s.funcs) }

// Skipped returns the functions and files that cannot be recorded, with the reasons. Functions that
// are trivial are not among them.
func (s *Session) Skipped() []schemas.LeftOut { return s.skipped }

// Command checks the arguments of a command to record, and reports whether it only builds a
// program. The error is an ErrCommand.
func Command(args []string) (builds bool, err error) {
	if len(args) < 2 || filepath.Base(args[0]) != "go" {
		const want = "want go test, go run or go build, with its arguments, after --"
		return false, fmt.Errorf("%w: %s", ErrCommand, want)
	}
	switch args[1] {
	case "test", "run":
		builds = slices.Contains(args, "-c")
	case "build", "install":
		builds = true
	default:
		return false, fmt.Errorf("%w: go %s (want go test, run, build or install)",
			ErrCommand, args[1])
	}
	for _, a := range args[2:] {
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if a == "--" || !strings.HasPrefix(a, "-") && args[1] == "run" {
			break
		}
		if strings.HasPrefix(a, "-") && (name == "overlay" || name == "modfile") {
			return false, fmt.Errorf("%w: crash record sets -%s itself", ErrCommand, name)
		}
		if a == "-C" || strings.HasPrefix(a, "-C=") {
			return false, fmt.Errorf("%w: give -C to crash record", ErrCommand)
		}
	}
	return builds, nil
}
