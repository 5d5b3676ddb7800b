package verify

import (
	"io"
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

// FirstLine returns the first line of an error's text. Documents and logs show one line per
// problem, but the errors of a build have many.
func FirstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
