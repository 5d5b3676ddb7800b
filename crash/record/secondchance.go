package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"dsd/crash/stack"
	"dsd/internal/overlay"
	"dsd/internal/symbol"
)

// The second-chance mode [REC 2.3.2] needs two runs. The first one records nothing; if it crashes,
// the text of the crash is saved. The second one records only the functions on the stack of that
// crash. With Options.Running, a program that is only built need not be built again: its functions have
// switches, and a panic that a server recovers from turns on those on its stack; see keep.Running.
//
// It is also the only way to record a fatal error, since that ends the program without running
// deferred functions. The functions on its stack write their arguments on entry in the second run;
// see keep.Enter.

// firstCrashExt ends the names of the files for the text of the first crash, one for each process.
const firstCrashExt = ".chance"

// readFirstCrash reads the crash of an earlier run, in the second-chance mode, and decides what
// this run records.
func (s *Session) readFirstCrash() error {
	if s.opt.SecondChance == "" {
		return nil
	}
	s.only = map[string]bool{}
	text, err := os.ReadFile(s.opt.SecondChance)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	p := stack.Parse(string(text))
	if p == nil {
		s.waiting = true
		if len(bytes.TrimSpace(text)) > 0 {
			return fmt.Errorf("%w: --second-chance %s is not the text of a crash",
				ErrCommand, s.opt.SecondChance)
		}
		return nil
	}
	if isFatal(string(text)) {
		s.fatal, s.stack = string(text), p.Frames
	}
	for _, f := range p.Frames[s.outside():] {
		s.only[symbol.Plain(f.Func)] = true
	}
	return nil
}

// outside returns the index of the first frame on a fatal error's stack that is outside of all
// recursion. Functions inside are called too often to write their arguments on each entry.
func (s *Session) outside() int {
	first, n := map[string]bool{}, 0
	for i, f := range s.stack {
		if first[symbol.Plain(f.Func)] {
			n = i + 1
		} else {
			first[symbol.Plain(f.Func)] = true
		}
	}
	return n
}

// Waiting reports whether no crash has been seen yet, so that nothing is recorded except the text
// of the first crash.
func (s *Session) Waiting() bool { return s.waiting }

// firstCrashFile returns the absolute name of the file for the text of the first crash.
func (s *Session) firstCrashFile() string {
	name, err := filepath.Abs(s.opt.SecondChance)
	if err != nil {
		return s.opt.SecondChance
	}
	return name
}

// SaveFirstCrash writes the text of the first crash of the programs that ran to the file of
// Options.SecondChance, and reports whether there was a crash.
func (s *Session) SaveFirstCrash() (bool, error) {
	files, err := filepath.Glob(filepath.Join(overlay.Literally(s.out()), "*"+firstCrashExt))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if text := addFatalLine(string(text), s.fatalLine()); stack.Parse(text) != nil {
			text = s.originOf(text)
			return true, os.WriteFile(s.firstCrashFile(), []byte(text), 0o666)
		}
	}
	return false, nil
}

// A fatal error prints "fatal error: ..." first. The runtime writes that line to standard error,
// but not into the file that debug.SetCrashOutput sets.

var (
	fatalError = regexp.MustCompile(`(?m)^fatal error: .*`)
	panicLine  = regexp.MustCompile(`(?m)^panic: `)
)

// isFatal reports whether the text of a crash is that of a fatal error.
func isFatal(text string) bool {
	return fatalError.MatchString(text) && !panicLine.MatchString(text)
}

// fatalLines is a writer that keeps the lines that begin fatal errors.
type fatalLines struct {
	mu   sync.Mutex
	line []byte // the current line, cut off at maxLine
	kept strings.Builder
}

// maxLine is the number of bytes that are kept of a line.
const maxLine = 1000

// Write keeps the lines in p that begin fatal errors, as far as there is room.
func (f *fatalLines) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		f.line = append(f.line, line[:min(len(line), max(maxLine-len(f.line), 0))]...)
		if rest = after; !ended {
			break
		}
		if f.kept.Len() < maxLine && fatalError.Match(f.line) {
			f.kept.Write(append(f.line, '\n'))
		}
		f.line = f.line[:0]
	}
	return len(p), nil
}

// String returns the lines that were kept.
func (f *fatalLines) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept.String()
}

// addFatalLine puts the first line of a fatal error before what the runtime wrote into a file,
// unless that is empty or has its first line.
func addFatalLine(text, line string) string {
	if len(text) == 0 || panicLine.MatchString(text) || fatalError.MatchString(text) {
		return text
	}
	return line + "\n\n" + strings.TrimLeft(text, "\n")
}

// fatalLine returns the first line of the fatal error that the command printed.
func (s *Session) fatalLine() string {
	if line := fatalError.FindString(s.printed.String()); line != "" {
		return line
	}
	return "fatal error: (unknown)"
}
