package observe

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/version"
	"path"
	"strconv"
	"strings"

	"dsd/crash/observe/run"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/fact"
	"dsd/internal/source"
	"dsd/schemas"
)

// runtimeFiles is the source of the runtime.
//
//go:embed run/*.go
var runtimeFiles embed.FS

// Event is something that happened in a run: a condition that came out, or a call that returned.
type Event struct {
	// Pos is where, "file:line:col": the position of the condition or call.
	Pos string
	// Holds is how a condition came out.
	Holds bool
	// Operands are those of a condition that compares integers, nil if they are not known.
	Operands *fact.Operands
	// Call is the call that returned, nil for a condition.
	Call *fact.Call
}

// Observation is what a test's run showed.
type Observation struct {
	testrun.Result
	// Events are the first events of the run, in order.
	Events []Event
}

// Observer holds a package whose runs can be observed.
type Observer struct {
	prog   *source.Program
	pkg    *source.Package
	testee *testee
	// conditions holds the positions at which conditions report, and whether they also report
	// that they do not hold.
	conditions map[string]bool
}

// New rewrites a package of prog. follow reports whether the calls of a function of the module are
// reported, too, as stack traces call it; others that leave the module always are.
func New(prog *source.Program, pkg *source.Package, follow func(callee string) bool) *Observer {
	o := &Observer{prog: prog, pkg: pkg, testee: rewrite(prog, pkg, follow),
		conditions: map[string]bool{}}
	for _, s := range o.testee.sites {
		if s.callee == "" {
			o.conditions[s.pos] = s.both
		}
	}
	return o
}

// Run runs tests as verify.Run does, and returns what each showed. The package's own tests are
// compiled, too.
func (o *Observer) Run(
	ctx context.Context, tests []schemas.Test, opt testrun.Options,
) ([]Observation, error) {
	opt.Overlay = map[string][]byte{}
	for name, text := range o.testee.files {
		opt.Overlay[name] = text
	}
	entries, err := runtimeFiles.ReadDir("run")
	if err != nil {
		return nil, err
	}
	dir, _ := o.prog.Generated(runtimeDir)
	for _, e := range entries {
		text, err := runtimeFiles.ReadFile("run/" + e.Name())
		if err != nil {
			return nil, err
		}
		opt.Overlay[path.Join(dir, e.Name())] = text
	}
	opt.Overlay[path.Join(dir, "sites.go")] =
		[]byte("//go:build go1.21\n\npackage run\n" + o.testee.returns.String())
	if v := o.prog.GoVersion; v == "" || version.Compare("go"+v, "go1.18") < 0 {
		opt.CompilerFlags = "-lang=go1.18" // the calls of the runtime infer type arguments
	}
	list := make([]schemas.Test, len(tests))
	for i, t := range tests {
		t.Source = o.flushing(t)
		list[i] = t
	}
	results, err := verify.Run(ctx, o.prog, o.pkg, list, opt)
	out := make([]Observation, len(results))
	for i, r := range results {
		out[i].Result = r
		out[i].Output, out[i].Events = o.read(r.Output)
	}
	return out, err
}

// flushing returns the source of a test that writes what it reported when it ends.
func (o *Observer) flushing(t schemas.Test) string {
	head := "func " + t.Name + "("
	at := strings.Index(t.Source, head)
	if at < 0 {
		return t.Source
	}
	brace := strings.IndexByte(t.Source[at:], '{')
	clause := strings.Index(t.Source, "\n") // the package clause ends there
	if p := strings.Index(t.Source, "\npackage "); p >= 0 {
		clause = p + 1 + strings.Index(t.Source[p+1:], "\n")
	}
	if brace < 0 || clause < 0 {
		return t.Source
	}
	at += brace + 1
	_, importPath := o.prog.Generated(runtimeDir)
	return t.Source[:clause] + fmt.Sprintf("; import %s %q", rtName, importPath) +
		t.Source[clause:at] + fmt.Sprintf(" defer %s.Flush(); ", rtName) + t.Source[at:]
}

// read separates what a test printed from what it reported. Lines that do not fit are skipped: the
// test may print anything.
func (o *Observer) read(output string) (rest string, events []Event) {
	var text strings.Builder
	lines := bufio.NewScanner(strings.NewReader(output))
	lines.Buffer(nil, len(output)+1)
	for lines.Scan() {
		line, ok := strings.CutPrefix(lines.Text(), run.Mark)
		switch {
		case !ok:
			text.WriteString(lines.Text() + "\n")
		case strings.HasPrefix(line, "{"):
			if c := o.call([]byte(line)); c != nil {
				events = append(events, *c)
			}
		default:
			for _, word := range strings.Fields(line) {
				if e := o.condition(word); e != nil {
					events = append(events, *e)
				}
			}
		}
	}
	return text.String(), events
}

// condition reads what a condition reported, like 7+ or 7-3,5; nil if it does not fit.
func (o *Observer) condition(word string) *Event {
	sign := strings.IndexAny(word, "+-")
	if sign < 0 {
		return nil
	}
	n, err := strconv.Atoi(word[:sign])
	if err != nil || n < 0 || n >= len(o.testee.sites) {
		return nil
	}
	s := &o.testee.sites[n]
	e := &Event{Pos: s.pos, Holds: word[sign] == '+'}
	if x, y, ok := strings.Cut(word[sign+1:], ","); ok {
		var operands fact.Operands
		for i, text := range []string{x, y} {
			if c := s.operands[i]; c != nil {
				operands[i] = *c
			} else if operands[i], err = strconv.ParseUint(text, 10, 64); err != nil {
				return e
			}
		}
		e.Operands = &operands
	}
	return e
}

// call reads a line about a call; nil if it does not fit.
func (o *Observer) call(line []byte) *Event {
	var c struct {
		Site    int           `json:"s"`
		Args    []*fact.Value `json:"a"`
		Results []fact.Value  `json:"r"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if d.Decode(&c) != nil || c.Site < 0 || c.Site >= len(o.testee.sites) {
		return nil
	}
	s := o.testee.sites[c.Site]
	if s.callee == "" {
		return nil
	}
	out := &fact.Call{Callee: s.callee, Results: c.Results}
	if s.method {
		out.Recv = &fact.Value{Opaque: true}
		if len(c.Args) > 0 && c.Args[0] != nil {
			out.Recv = c.Args[0]
		}
	}
	for i, known := range s.constants {
		switch {
		case known != nil:
			out.Args = append(out.Args, *known)
		case i+1 < len(c.Args) && c.Args[i+1] != nil:
			out.Args = append(out.Args, *c.Args[i+1])
		default:
			out.Args = append(out.Args, fact.Value{Opaque: true})
		}
	}
	if s.fixed >= 0 && s.fixed <= len(out.Args) {
		rest := fact.Value{Nil: true}
		if n := len(out.Args) - s.fixed; n > 0 {
			rest = fact.Value{Len: &n, Elems: out.Args[s.fixed:]}
		}
		out.Args = append(out.Args[:s.fixed:s.fixed], rest)
	}
	return &Event{Pos: s.pos, Call: out}
}
