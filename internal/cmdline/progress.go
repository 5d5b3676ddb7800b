package cmdline

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// A Progress is a line on a terminal that says what a command is doing. The nil Progress shows nothing.
// Its methods may be called concurrently.
type Progress struct {
	w     io.Writer
	mu    sync.Mutex
	last  time.Time
	shown bool
}

// progressPause is the time between two updates of the line.
const progressPause = 200 * time.Millisecond

// NewProgress returns the progress line on standard error; nil if that is not a terminal.
func NewProgress() *Progress {
	if !IsTerminal(os.Stderr) {
		return nil
	}
	return &Progress{w: os.Stderr}
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// eraseLine is the escape sequence that erases from the cursor to the end of the line.
const eraseLine = "\x1b[K"

// Update shows a text in place of the last one, unless that is too new.
func (p *Progress) Update(format string, args ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < progressPause {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprintf(p.w, "\r"+format+eraseLine, args...)
}

// Done erases the line.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r"+eraseLine)
		p.shown = false
	}
}
