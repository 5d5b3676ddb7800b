package verify

import (
	"io"
	"regexp"
	"strings"
	"sync"
)

// Log returns a writer to w that several goroutines may use at the same time. A nil w discards what
// is written.
func Log(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return &lockedWriter{w: w}
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// buildHeader matches the line by which the go command says which package does not build.
var buildHeader = regexp.MustCompile(`(?m)^(.*: )?# .*\n`)

// FirstLine returns the first line of an error's text that says what is wrong. Documents and logs
// show one line per problem, but the errors of a build have many, below a line that only names the
// package.
func FirstLine(err error) string {
	text := buildHeader.ReplaceAllString(err.Error(), "$1")
	line, _, _ := strings.Cut(text, "\n")
	return line
}
