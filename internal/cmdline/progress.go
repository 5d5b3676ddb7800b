package cmdline

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
)

// A Progress says what a command is doing: on a terminal, in a line that is rewritten; for programs, as a
// JSON object a second; otherwise, if that is asked for, in a line a minute. The nil Progress says nothing. Its
// methods may be called concurrently.
type Progress struct {
	w     io.Writer
	form  progressForm
	begun time.Time
	mu    sync.Mutex
	last  time.Time
	shown bool
}

// Report is what a Progress shows.
type Report struct {
	// Stage is what is being done, such as "check".
	Stage string `json:"stage"`
	// Done of Total units are done; Total is 0 if that is not known.
	Done  int    `json:"done,omitempty"`
	Total int    `json:"total,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// Found is how many of What were found so far.
	Found int    `json:"found,omitempty"`
	What  string `json:"what,omitempty"`
	// Left is the time that the rest may take, 0 if that is not known.
	Left time.Duration `json:"-"`
	// Busy is what takes long now.
	Busy string `json:"busy,omitempty"`
	// Nearest says how near what was tried came to what is looked for.
	Nearest string `json:"nearest,omitempty"`
	// More is more to say.
	More string `json:"more,omitempty"`
}

// progressForm is a way to show progress.
type progressForm int

const (
	asLine progressForm = iota
	asMinutes
	asJSON
)

// pauses are the times between two reports.
var pauses = map[progressForm]time.Duration{asLine: 200 * time.Millisecond, asMinutes: time.Minute, asJSON: time.Second}

// WithProgress returns the flags of a command, and --progress and -v.
func WithProgress(flags ...cli.Flag) []cli.Flag {
	return append(flags,
		&cli.StringFlag{Name: "progress", Usage: "report the progress on standard error as `FORM`: json, an object a " +
			"second; or none (default: a line on a terminal)"},
		&cli.BoolFlag{Name: "v", Usage: "where standard error is no terminal, report the progress in a line a minute"})
}

// NewProgress returns the progress of a command, nil if it is not to be shown. The error is one of usage.
func NewProgress(c *cli.Context) (*Progress, error) {
	p := &Progress{w: os.Stderr, begun: time.Now()}
	switch form := c.String("progress"); {
	case form == "json":
		p.form = asJSON
	case form == "none":
		return nil, nil
	case form != "":
		return nil, Usagef("unknown --progress %q (want json or none)", form)
	case IsTerminal(os.Stderr):
	case c.Bool("v"):
		p.form, p.last = asMinutes, p.begun
	default:
		return nil, nil
	}
	return p, nil
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

// Report shows a report, unless the last one is too new.
func (p *Progress) Report(r Report) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < pauses[p.form] {
		return
	}
	p.last = now
	switch p.form {
	case asLine:
		p.shown = true
		fmt.Fprint(p.w, "\r"+r.String()+eraseLine)
	case asMinutes:
		fmt.Fprintf(p.w, "%v: %v\n", now.Sub(p.begun).Round(time.Second), r)
	case asJSON:
		if r.Done == 0 && r.Total == 0 {
			r.Unit = ""
		}
		line, err := json.Marshal(struct {
			Report
			Seconds float64 `json:"seconds"`
			Left    float64 `json:"left,omitempty"`
		}{r, seconds(now.Sub(p.begun)), seconds(r.Left)})
		if err == nil {
			fmt.Fprintf(p.w, "%s\n", line)
		}
	}
}

// seconds returns a time in seconds, to a tenth.
func seconds(d time.Duration) float64 { return d.Round(100 * time.Millisecond).Seconds() }

func (r Report) String() string {
	var parts []string
	switch {
	case r.Total > 0:
		parts = append(parts, fmt.Sprintf("%d of %d %s", r.Done, r.Total, r.Unit))
	case r.Done > 0:
		parts = append(parts, fmt.Sprintf("%d %s", r.Done, r.Unit))
	}
	if r.What != "" {
		parts = append(parts, fmt.Sprintf("%d %s", r.Found, r.What))
	}
	if r.More != "" {
		parts = append(parts, r.More)
	}
	if r.Left > 0 {
		parts = append(parts, fmt.Sprintf("about %v left", r.Left.Round(time.Second)))
	}
	if r.Busy != "" {
		parts = append(parts, "busy with "+r.Busy)
	}
	if r.Nearest != "" {
		parts = append(parts, "nearest: "+r.Nearest)
	}
	if len(parts) == 0 {
		return r.Stage
	}
	return r.Stage + ": " + strings.Join(parts, ", ")
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
