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
	"dsd/internal/symbol"
)

// chance reads what is known of an earlier crash.
func (s *Session) chance() error {
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
			return fmt.Errorf("%w: --second-chance %s: is not the text of a crash", ErrCommand, s.opt.SecondChance)
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

// outside is the first frame of a fatal error's stack that is outside of all that calls itself: what is inside is entered too often.
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

// Waiting says that there was no crash yet, so that nothing is recorded but the text of the first.
func (s *Session) Waiting() bool { return s.waiting }

// chanceFile is the absolute name of the file with the first crash.
func (s *Session) chanceFile() string {
	name, err := filepath.Abs(s.opt.SecondChance)
	if err != nil {
		return s.opt.SecondChance
	}
	return name
}

// Remember keeps the text of the first crash that one of the programs wrote; false if none did.
func (s *Session) Remember() (bool, error) {
	files, err := filepath.Glob(filepath.Join(s.out(), "*.chance"))
	if err != nil {
		return false, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if text := s.ended(string(text), s.fatalLine()); stack.Parse(text) != nil {
			return true, os.WriteFile(s.chanceFile(), []byte(s.origin(text)), 0o666)
		}
	}
	return false, nil
}

// Fatal errors are no panics: the runtime ends the program, and nothing that is deferred runs. What it writes into the file that is set
// for crashes lacks the line that says what happened.

var (
	fatalError = regexp.MustCompile(`(?m)^fatal error: .*`)
	panicLine  = regexp.MustCompile(`(?m)^panic: `)
)

// isFatal says that what ended a program is a fatal error.
func isFatal(text string) bool { return fatalError.MatchString(text) && !panicLine.MatchString(text) }

// fatalLines keeps the lines of what is written to it that begin fatal errors.
type fatalLines struct {
	mu   sync.Mutex
	line []byte
	kept strings.Builder
}

// maxLine is how much of a line is kept.
const maxLine = 1000

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

func (f *fatalLines) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept.String()
}

// ended is what ended a program, as the runtime wrote it into a file of its own: without its first line, if that was a fatal error.
func (s *Session) ended(text, fatal string) string {
	if len(text) == 0 || panicLine.MatchString(text) || fatalError.MatchString(text) {
		return text
	}
	return fatal + "\n\n" + strings.TrimLeft(text, "\n")
}

// fatalLine is the first line of a fatal error that the command printed.
func (s *Session) fatalLine() string {
	if line := fatalError.FindString(s.printed.String()); line != "" {
		return line
	}
	return "fatal error: (unknown)"
}
