package confirm

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"dsd/crash/compose"
	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// attempt is a warning with a test that may confirm it.
type attempt struct {
	warning *schemas.Warning
	test    schemas.Test
	ce      *schemas.Counterexample // that the test was composed for
	inputs  string                  // the body of the test
	builtBy schemas.BuiltBy
	rounds  int // the number of times that the solver was asked again
	// replaced is a type that the test cannot name; it has another value instead.
	replaced string
}

// newAttempt returns the attempt of a test in package pkg that was composed for a counterexample.
func newAttempt(
	w *schemas.Warning, pkg *source.Package, c *compose.Test, ce *schemas.Counterexample,
) *attempt {
	return &attempt{
		warning: w, ce: ce,
		test: schemas.Test{Package: pkg.Path, File: c.File, Name: c.Name,
			Source: c.Source},
		inputs: c.Inputs, builtBy: c.BuiltBy, replaced: c.Replaced,
	}
}

// expected returns the crash that the test should show.
func (a *attempt) expected() verify.Expected {
	return verify.Expected{Kind: a.warning.Kind, Pos: a.warning.Pos, File: a.test.File}
}

// crash returns the crash of an attempt whose test confirmed the warning.
func (a *attempt) crash(v verify.Verdict) schemas.Crash {
	w := a.warning
	return schemas.Crash{
		Kind: w.Kind, Func: w.Func, Pos: w.Pos, Message: v.Message, Stack: v.Stack,
		Level:   len(v.Stack),
		Warning: w.ID, SatisfiesInvariants: w.Preconditions,
		Inputs: a.inputs, BuiltBy: a.builtBy, Test: a.test,
		Strategy: schemas.StrategySolve, Rounds: a.rounds,
	}
}

// literals composes a test with literals for each counterexample, runs the tests, and judges them, package by package.
// The tests of several packages are compiled at the same time.
func (c *confirmer) literals(ctx context.Context) error {
	var runs []*literalRun
	for pkg, list := range c.compose() {
		runs = append(runs, &literalRun{pkg: pkg, list: list})
	}
	slices.SortFunc(runs, func(a, b *literalRun) int { return cmp.Compare(a.pkg.Path, b.pkg.Path) })
	c.progress("running tests", 0, len(c.warnings))
	var done atomic.Int64
	c.parallel(len(runs), func(i, jobs int) {
		c.runLiterals(ctx, runs[i], jobs)
		c.progress("running tests", int(done.Add(int64(len(runs[i].list)))), len(c.warnings))
	})
	for _, r := range runs {
		c.judgeLiterals(ctx, r)
	}
	return ctx.Err()
}

// literalRun is a run of the tests of a package.
type literalRun struct {
	pkg  *source.Package
	list []*attempt
	// results are parallel to list, and err is the error, of verify.Run.
	results []testrun.Result
	err     error
	log     bytes.Buffer
}

// compose returns the attempts of each package in the order of the warnings.
func (c *confirmer) compose() map[*source.Package][]*attempt {
	attempts := map[*source.Package][]*attempt{}
	for i := range c.warnings {
		w := &c.warnings[i]
		f, name := c.funcs[w.Func], symbol.Parse(w.Func)
		switch {
		case !c.isMine(w):
			continue
		case w.Ignored != "":
			c.reasons[w.ID] = reason{schemas.Ignored, w.Ignored}
			continue
		case w.Recovered:
			c.reasons[w.ID] = refuted(reasonRecovered)
			continue
		case w.Counterexample == nil:
			c.reasons[w.ID] = open(reasonNoCounterexample)
			continue
		case f == nil && c.tests && !c.outsideTests(w.Func):
			c.reasons[w.ID] = open(reasonTestFile)
			continue
		case f == nil && name.Func == "init" && strings.Trim(name.Suffix, ".0123456789") == "":
			c.reasons[w.ID] = open(reasonStart)
			continue
		case f == nil && name.Suffix != "":
			c.reasons[w.ID] = open(reasonLiteral)
			continue
		case f == nil:
			c.reasons[w.ID] = open(reasonNoFunction)
			continue
		}
		test, file := c.namer.Name(f.Name, f.Pkg, w.Kind)
		comment := verify.Comment(test, w.Pos, w.Message)
		cand, err := compose.Compose(c.prog, f, w.Counterexample, test, file, comment)
		if err != nil {
			c.reasons[w.ID] = reason{schemas.NoWay, err.Error()}
			continue
		}
		attempts[f.Pkg] = append(attempts[f.Pkg], newAttempt(w, f.Pkg, cand, w.Counterexample))
	}
	return attempts
}

// outsideTests reports whether a package of the testee declares the function of that name, or the one
// around a function literal of that name, outside of its test files.
func (c *confirmer) outsideTests(name string) bool {
	n := symbol.Parse(name)
	fn, _ := verify.Enclosing(c.funcs, name)
	return fn != nil || n.Func == "init" && c.prog.Package(n.Package) != nil
}

// runLiterals runs the attempts of one package, some tests at a time.
func (c *confirmer) runLiterals(ctx context.Context, r *literalRun, jobs int) {
	tests := make([]schemas.Test, len(r.list))
	for i, a := range r.list {
		tests[i] = a.test
	}
	r.results, r.err = verify.Run(ctx, c.prog, r.pkg, tests, testrun.Options{
		Timeout: c.opt.Timeout, Jobs: jobs, Unconfined: c.opt.Unconfined, Memo: c.opt.Memo,
		Log: &r.log,
	})
}

// judgeLiterals judges what a run showed. That a package cannot be tested is a reason for its warnings, not an error.
func (c *confirmer) judgeLiterals(ctx context.Context, r *literalRun) {
	io.Copy(c.opt.Log, &r.log)
	if r.err != nil && ctx.Err() == nil {
		fmt.Fprintln(c.opt.Log, r.err)
		for _, a := range r.list {
			c.reasons[a.warning.ID] = open(verify.FirstLine(r.err))
		}
		c.notRun = verify.FirstLine(r.err)
		return
	}
	results := r.results
	for i, a := range r.list {
		if results != nil && !results[i].NotBuilt {
			if results[i].Started || stack.Parse(results[i].Output) != nil {
				c.ran = true
			} else {
				c.notRun = results[i].Err
			}
		}
		if ctx.Err() != nil &&
			(results == nil || results[i].Output == "" || results[i].Err != "") {
			c.reasons[a.warning.ID] = open(reasonInterrupted)
			continue
		}
		c.judge(a, verify.Compare(c.prog, a.expected(), results[i]))
	}
}

// judge records what the run of a literal's test showed.
func (c *confirmer) judge(a *attempt, v verify.Verdict) {
	if v.Status != verify.NotBuilt {
		c.stats.Candidates++
	}
	switch v.Status {
	case verify.NotBuilt:
		c.reasons[a.warning.ID] = open(v.Reason)
	case verify.NoPanic:
		if v.Reason == verify.ReasonNoPanic { // it ended
			c.missed = append(c.missed, a)
		}
		c.reasons[a.warning.ID] = open(v.Reason)
	case verify.Other:
		c.missed = append(c.missed, a)
		c.stats.Elsewhere++
		c.reasons[a.warning.ID] = refuted(v.Reason)
		if x, ok := c.elsewhere(a, v); ok {
			c.others = append(c.others, x)
		}
	case verify.Same:
		if x := a.crash(v); c.accept(a.warning, &x, v.RaisedOutside) {
			c.solved[a.warning.ID] = a
			c.crashes = append(c.crashes, x)
		}
	}
}

// elsewhere returns the crash of an attempt that panicked at another place or with another kind of
// panic than the warned one. The crash does not confirm the warning. ok is false if it lies outside
// the testee, or if the policy suppresses it.
func (c *confirmer) elsewhere(a *attempt, v verify.Verdict) (x schemas.Crash, ok bool) {
	if len(v.Stack) == 0 {
		return x, false
	}
	x = a.crash(v)
	x.Kind, x.Pos = v.Kind, v.Stack[0].Pos
	// The policy is that of a warning of this panic, if there is one.
	warned := schemas.Warning{Kind: x.Kind, Preconditions: x.SatisfiesInvariants}
	for _, w := range c.warnings {
		if w.Kind == x.Kind && symbol.SameLine(w.Pos, x.Pos) && w.Param != "" {
			warned.Param = w.Param
		}
	}
	refuses := x.Kind != schemas.ExplicitPanic || !v.RaisedOutside
	if refuses && c.opt.Policy.Suppressed(&warned) != "" {
		c.stats.Suppressed++
		return x, false
	}
	// The same body in a test whose name and comment are of this panic.
	f := c.funcs[a.warning.Func]
	name, file := c.namer.Name(f.Name, f.Pkg, x.Kind)
	test, err := compose.Compose(c.prog, f, a.ce, name, file,
		verify.Comment(name, x.Pos, x.Message))
	if err != nil {
		return x, false
	}
	x.Test, x.Inputs = newAttempt(a.warning, f.Pkg, test, a.ce).test, test.Inputs
	return x, true
}
