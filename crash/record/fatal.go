package record

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

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
