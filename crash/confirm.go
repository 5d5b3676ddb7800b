package crash

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"

	"dsd/crash/compose"
	"dsd/crash/report"
	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Options say how to confirm.
type Options struct {
	// Tests is the directory for the tests of reported crashes, in the testee's layout; "" writes none.
	Tests string
	// Jobs is how many tests run at a time; 0 is one a processor.
	Jobs int
	// Timeout of one test; 0 is 10 s.
	Timeout time.Duration
	// Policy is which confirmed crashes are reported; "" is Classic.
	Policy report.Policy
	// NoSequences does without looking for sequences of calls in place of literals.
	NoSequences bool
	// Assume is what was inferred of the inputs of functions, to judge sequences of calls by; nil if nothing was, or it is not at
	// hand: then the tests of warnings with preconditions are made as the solver says.
	Assume *schemas.Invariants
	// Solve, if not nil, is asked for the arguments of sequences of calls.
	Solve Solver
	// Open lets tests do all that the user may; else they are confined.
	Open bool
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// Confirm turns each warning with a counterexample into a Go test, runs it, and returns the crashes: those of the
// warned kind at the warned position, one for each stack, as the policy has it. Every warning that does not appear
// among the crashes or their groups is listed under Unconfirmed, with the reason.
//
// prog must contain the warned functions. When ctx ends, what is finished is returned, marked incomplete, with ctx's
// error.
func Confirm(ctx context.Context, prog *source.Program, doc *schemas.Warnings, opt Options) (*schemas.Crashes, error) {
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	if opt.Policy == "" {
		opt.Policy = report.Classic
	}
	opt.Log = &locked{w: opt.Log}
	if opt.Timeout == 0 {
		opt.Timeout = 10 * time.Second
	}
	c := &confirmer{prog: prog, opt: opt, reasons: map[string]string{}, names: names{}, funcs: map[string]*source.Func{}, unwritten: map[string]bool{}, builtBy: map[string]schemas.BuiltBy{}}
	c.compose(doc)
	runErr := c.run(ctx)
	if runErr != nil && ctx.Err() == nil {
		return nil, runErr
	}
	if !opt.NoSequences && ctx.Err() == nil {
		c.sequences(ctx, doc)
		if opt.Solve != nil && ctx.Err() == nil {
			if err := c.solve(ctx, doc); err != nil && ctx.Err() == nil {
				fmt.Fprintf(opt.Log, "no sequences of calls are solved: %s\n", firstLine(err.Error()))
			}
		}
	}
	out := &schemas.Crashes{
		Header:      schemas.Header{Module: doc.Module, Incomplete: ctx.Err() != nil || doc.Incomplete},
		Crashes:     report.Group(c.crashes),
		Unconfirmed: []schemas.Unconfirmed{},
		Stats:       c.stats,
	}
	for _, w := range doc.Warnings {
		if r := c.reasons[w.ID]; r != "" {
			out.Unconfirmed = append(out.Unconfirmed, schemas.Unconfirmed{Warning: w.ID, Reason: r})
		}
	}
	if opt.Tests != "" {
		if err := writeTests(c.prog, c.opt.Tests, out.Crashes); err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// confirmer works on one warnings document.
type confirmer struct {
	prog *source.Program
	opt  Options
	// attempts are by package, in the order of the warnings.
	packages []*source.Package
	attempts map[*source.Package][]*attempt
	crashes  []schemas.Crash
	reasons  map[string]string // warning id -> why it is unconfirmed
	names    names
	funcs    map[string]*source.Func // by name
	// builtBy says of the confirmed warnings how the inputs are made.
	builtBy map[string]schemas.BuiltBy
	// unwritten are the warnings whose counterexample no literal can say.
	unwritten map[string]bool
	stats     schemas.CrashStats
}

// attempt is a warning and the test for it.
type attempt struct {
	warning   *schemas.Warning
	candidate *compose.Test
}

// compose writes the tests.
func (c *confirmer) compose(doc *schemas.Warnings) {
	funcs := c.funcs
	for _, pkg := range c.prog.All {
		for _, f := range pkg.Funcs() {
			funcs[f.Name] = f
		}
	}
	c.attempts = map[*source.Package][]*attempt{}
	for i := range doc.Warnings {
		w := &doc.Warnings[i]
		f := funcs[w.Func]
		switch {
		case w.Counterexample == nil:
			c.reasons[w.ID] = "the solver found no counterexample"
			continue
		case f == nil:
			c.reasons[w.ID] = "the testee has no such function: the source has changed since"
			continue
		}
		name, file := c.names.next(f.Name, f.Pkg, w.Kind)
		comment := fmt.Sprintf("%s panics at %s: %s.", name, w.Pos, w.Message)
		cand, err := compose.Compose(c.prog, f, w.Counterexample, name, file, comment)
		if err != nil {
			c.reasons[w.ID] = err.Error()
			c.unwritten[w.ID] = true
			continue
		}
		if c.attempts[f.Pkg] == nil {
			c.packages = append(c.packages, f.Pkg)
		}
		c.attempts[f.Pkg] = append(c.attempts[f.Pkg], &attempt{w, cand})
	}
	sort.Slice(c.packages, func(i, j int) bool { return c.packages[i].Path < c.packages[j].Path })
}

// run runs the tests, package by package.
func (c *confirmer) run(ctx context.Context) error {
	for _, pkg := range c.packages {
		list := c.attempts[pkg]
		var tests []testrun.Test
		for _, a := range list {
			tests = append(tests, testrun.Test{Name: a.candidate.Name, File: a.candidate.File, Source: a.candidate.Source})
		}
		dir, err := filepath.Rel(c.prog.Dir, pkg.Dir)
		if err != nil {
			return err
		}
		results, err := testrun.Run(ctx, c.prog.Dir, pkg.Path, dir, tests, testrun.Options{Timeout: c.opt.Timeout, Jobs: c.opt.Jobs, Unconfined: c.opt.Open, OwnTests: pkg.TestFiles, Log: c.opt.Log})
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(c.opt.Log, err)
			for _, a := range list {
				c.reasons[a.warning.ID] = firstLine(err.Error())
			}
			continue
		}
		for i, a := range list {
			if ctx.Err() != nil && (results == nil || results[i].Output == "" || results[i].Err != "") {
				c.reasons[a.warning.ID] = "interrupted"
				continue
			}
			c.judge(pkg, a, results[i])
		}
	}
	return ctx.Err()
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// judge decides what the run of a test says about its warning.
func (c *confirmer) judge(pkg *source.Package, a *attempt, r testrun.Result) {
	w := a.warning
	if strings.HasPrefix(r.Err, "the test does not compile") {
		c.reasons[w.ID] = r.Err
		return
	}
	c.stats.Candidates++
	p := stack.Parse(r.Output)
	if p == nil {
		if r.Err == "" {
			r.Err = "the test did not panic"
		}
		c.reasons[w.ID] = r.Err
		return
	}
	frames, pos := testeeFrames(c.prog, a.candidate.File, p)
	if p.Kind == schemas.StackOverflow { // any frame of the recursion may be the last
		for _, f := range frames {
			if symbol.SameLine(f.Pos, w.Pos) {
				frames, pos = shorten(frames), w.Pos
				break
			}
		}
	}
	if p.Kind != w.Kind || len(frames) == 0 || !symbol.SameLine(w.Pos, pos) {
		c.stats.Elsewhere++
		if pos == "" {
			pos = "a place outside the testee"
		}
		c.reasons[w.ID] = fmt.Sprintf("the test panicked otherwise: %s at %s: %s", p.Kind, pos, p.Message)
		return
	}
	x := schemas.Crash{
		Kind: p.Kind, Func: w.Func, Pos: w.Pos, Message: p.Message, Stack: frames, Warning: w.ID,
		SatisfiesInvariants: w.Preconditions, Inputs: a.candidate.Inputs, BuiltBy: a.candidate.BuiltBy, Level: len(frames),
		Test: schemas.Test{Package: pkg.Path, File: a.candidate.File, Name: a.candidate.Name, Source: a.candidate.Source},
	}
	if c.confirmed(w, &x) {
		c.crashes = append(c.crashes, x)
	}
}

// confirmed notes that a warning is confirmed by a crash, and says whether that is to be reported.
func (c *confirmer) confirmed(w *schemas.Warning, x *schemas.Crash) bool {
	c.stats.Confirmed++
	c.builtBy[w.ID] = x.BuiltBy
	if w.Param != "" && x.BuiltBy == schemas.BySequence { // the parameter itself is nil: the invariants do not rule it out, but may only not say so
		x.Rank = schemas.Look
	}
	if x.BuiltBy == schemas.BySequence {
		c.stats.BySequence++
	}
	if why := c.opt.Policy.Suppressed(w); why != "" {
		c.reasons[w.ID] = why
		c.stats.Suppressed++
		return false
	}
	delete(c.reasons, w.ID)
	return true
}

// locked is a writer that goroutines may share.
type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
