package confirm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"dsd/crash/compose"
	"dsd/crash/observe"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/fact"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// A counterexample may rest on results that a function never returns: the checker does not follow
// every call, and invents what it does not know. Where the test of a counterexample does not crash
// as warned, it runs again and is observed; the solver is asked again, under what the calls
// returned; and its new counterexample is tried. These rounds end when the test crashes as warned,
// when no inputs agree with what is known, or after maxRounds. This is higher-order test generation
// with samples of unknown functions [HOTG]: the samples of all tests of a package count for all its
// warnings, and in the last round the functions are called with sampled arguments only.
//
// Where a run leaves the path at a comparison, and what calls returned does not help, the solver is
// asked about that comparison: an operand that no input determines, such as what a call wrote, is
// what it was in the runs, and the solver chooses the other one accordingly [DART].

// maxRounds is the number of times that the solver is asked for other inputs of a warning.
const maxRounds = 3

// maxFacts is the number of calls that are kept for a run, and maxCallFacts that of one function.
// maxComparisons is the number of comparisons.
const (
	maxFacts       = 2000
	maxCallFacts   = 60
	maxComparisons = 2000
)

// Known is what real runs showed.
type Known struct {
	// Calls are what calls returned. Only restricts the calls of functions that are among them
	// to arguments of these.
	Calls []fact.Call
	Only  bool
	// Comparisons are the operands of comparisons at which runs left the path of a warning.
	Comparisons []fact.Comparison
}

// Refiner checks funcs for panics with asks(function, kind, position) true, as check does, given
// what is known.
type Refiner func(ctx context.Context, funcs []*source.Func, known Known,
	asks func(fn string, kind schemas.Kind, pos string) bool) (*schemas.Warnings, error)

// missed is a warning whose test did not crash as warned.
type missed struct {
	*attempt
	// path is the way to the panic that the counterexample takes.
	path []schemas.Step
	// bodies are the bodies of the tests that were tried.
	bodies map[string]bool
	// compared reports whether the last run left the path at a comparison of integers.
	compared bool
}

// knowledge is what the tests of a package showed.
type knowledge struct {
	calls []fact.Call
	known map[string]bool
	count map[string]int // by callee

	comparisons []fact.Comparison
	compared    map[fact.Comparison]bool
}

func newKnowledge() knowledge {
	return knowledge{known: map[string]bool{}, count: map[string]int{}, compared: map[fact.Comparison]bool{}}
}

// size is the number of facts.
func (k *knowledge) size() int { return len(k.calls) + len(k.comparisons) }

// compare adds comparisons.
func (k *knowledge) compare(list []fact.Comparison) {
	for _, c := range list {
		if len(k.comparisons) < maxComparisons && !k.compared[c] {
			k.compared[c] = true
			k.comparisons = append(k.comparisons, c)
		}
	}
}

// add adds the calls of a run.
func (k *knowledge) add(events []observe.Event) {
	for _, e := range events {
		if e.Call == nil || len(k.calls) >= maxFacts || k.count[e.Call.Callee] >= maxCallFacts ||
			!e.Call.Tells() {
			continue
		}
		if text := showCall(e.Call); !k.known[text] {
			k.known[text] = true
			k.count[e.Call.Callee]++
			k.calls = append(k.calls, *e.Call)
		}
	}
}

// refinement looks for other inputs of the warnings of one package. Packages know nothing of each other, so
// that each may be confirmed by another machine.
type refinement struct {
	pkg  *source.Package
	list []*missed // whose tests are to run
	know knowledge
	size int // of know when the solver was last asked
	// observer runs the tests.
	observer *observe.Observer
	crashed  []*missed // as warned or otherwise, while observed

	// results of the last run are parallel to list, and err is its error.
	results []observe.Observation
	err     error
	log     bytes.Buffer
}

// refine looks for other inputs of the warnings whose tests did not crash as warned.
func (c *confirmer) refine(ctx context.Context) error {
	var open []*refinement
	for _, pkg := range c.prog.All {
		r := &refinement{pkg: pkg, know: newKnowledge()}
		for _, a := range c.missed {
			if f := c.funcs[a.warning.Func]; f != nil && f.Pkg == pkg {
				r.list = append(r.list, &missed{attempt: a, path: a.warning.Path,
					bodies: map[string]bool{a.inputs: true}})
			}
		}
		if len(r.list) > 0 {
			r.observer = observe.New(c.prog, pkg, follows(r.list))
			open = append(open, r)
		}
	}
	c.missed = nil
	all := slices.Clone(open)
	for round := 1; len(open) > 0; round++ {
		var next []*refinement
		c.progress(fmt.Sprintf("observing tests, round %d", round), 0, len(open))
		c.parallel(len(open), func(i, jobs int) {
			if ctx.Err() == nil && !c.late() {
				c.runObserved(ctx, open[i], jobs)
			}
		})
		for i, r := range open {
			if ctx.Err() != nil || c.late() {
				break
			}
			c.progress(fmt.Sprintf("asking for other inputs, round %d", round), i, len(open))
			more, err := c.refineOnce(ctx, r, round)
			if err != nil {
				return err
			}
			if more {
				next = append(next, r)
			}
		}
		open = next
	}
	for _, r := range all {
		c.settle(ctx, r)
	}
	return nil
}

// refineOnce asks for other inputs after the tests of a package have run, and reports whether there are any.
func (c *confirmer) refineOnce(ctx context.Context, r *refinement, round int) (more bool, err error) {
	same, elsewhere, slow, err := c.observed(ctx, r)
	if err != nil {
		return false, err
	}
	r.crashed = append(append(r.crashed, same...), elsewhere...)
	left := without(r.list, append(slow, same...))
	if c.opt.Refine == nil || round > maxRounds || r.know.size() == r.size {
		return false, nil // without new facts, the solver would find the same inputs
	}
	r.size = r.know.size()
	facts := Known{Calls: r.know.calls, Only: round == maxRounds}
	if r.list, err = c.ask(ctx, left, facts, round); err != nil {
		return false, err
	}
	parted := slices.DeleteFunc(without(left, r.list), func(o *missed) bool { return !o.compared })
	facts.Comparisons = r.know.comparisons
	others, err := c.ask(ctx, parted, facts, round)
	if err != nil {
		return false, err
	}
	r.list = append(r.list, others...)
	return len(r.list) > 0, nil
}

// follows returns a predicate for the functions whose results counterexamples invent.
func follows(list []*missed) func(string) bool {
	names := map[string]bool{}
	for _, o := range list {
		for _, r := range o.ce.Returns {
			names[r.Name] = true
		}
	}
	return func(callee string) bool { return names[callee] }
}

// without returns list without the elements of other.
func without(list, other []*missed) (out []*missed) {
	for _, o := range list {
		if !slices.Contains(other, o) {
			out = append(out, o)
		}
	}
	return out
}

// runObserved runs the tests of a package, some at a time.
func (c *confirmer) runObserved(ctx context.Context, r *refinement, jobs int) {
	tests := make([]schemas.Test, len(r.list))
	for i, a := range r.list {
		tests[i] = a.test
	}
	r.results, r.err = r.observer.Run(ctx, tests, testrun.Options{
		Timeout: min(c.opt.Timeout, verify.Timeout), Jobs: jobs,
		Unconfined: c.opt.Unconfined, Memo: c.opt.Memo, Log: &r.log,
	})
}

// observed returns the tests of the last run that crash as warned, those new ones that
// crash otherwise, and those that do not end. It adds to what is known what calls returned, and records as
// the reason of the others what contradicts their counterexamples.
func (c *confirmer) observed(ctx context.Context, r *refinement) (crashed, elsewhere, slow []*missed, err error) {
	io.Copy(c.opt.Log, &r.log)
	if ctx.Err() != nil {
		return nil, nil, nil, ctx.Err()
	}
	if r.err != nil { // the rewritten package does not build: its warnings stay open
		fmt.Fprintf(c.opt.Log, "%s: tests cannot be observed: %s\n", r.pkg.Path, verify.FirstLine(r.err))
		return nil, nil, nil, nil
	}
	o, results := r.observer, r.results
	for i, a := range r.list {
		v := verify.Compare(c.prog, a.expected(), results[i].Result)
		if v.Status == verify.Same {
			crashed = append(crashed, a)
			continue
		}
		r.know.add(results[i].Events)
		a.compared = false
		if parting := o.Parting(a.path, results[i].Events); parting != nil && parting.Evaluated {
			list := parting.Comparisons(results[i].Events)
			r.know.compare(list)
			a.compared = len(list) > 0
		}
		if results[i].Err != "" { // another run would take as long
			slow = append(slow, a)
		}
		if v.Status == verify.Other && len(a.bodies) > 1 {
			elsewhere = append(elsewhere, &missed{attempt: a.attempt})
		}
		c.reasons[a.warning.ID] = contradiction(o, a, v, results[i].Events)
	}
	return crashed, elsewhere, slow, nil
}

// ask asks the solver for other inputs, given what is known, and returns the warnings with a test
// that was not tried yet.
func (c *confirmer) ask(
	ctx context.Context, list []*missed, known Known, round int,
) ([]*missed, error) {
	var funcs []*source.Func
	wanted := map[string]bool{}
	for _, o := range list {
		w := o.warning
		if f := c.funcs[w.Func]; !slices.Contains(funcs, f) {
			funcs = append(funcs, f)
		}
		wanted[w.Func+" "+string(w.Kind)+" "+w.Pos] = true
	}
	if len(funcs) == 0 {
		return nil, nil
	}
	doc, err := c.opt.Refine(ctx, funcs, known,
		func(fn string, kind schemas.Kind, pos string) bool {
			return wanted[fn+" "+string(kind)+" "+pos]
		})
	if err != nil {
		return nil, err
	}
	var out []*missed
	for _, o := range list {
		for _, w := range doc.Warnings {
			if sameSite(o.warning, &w) && w.Counterexample != nil && c.retry(o, &w, round) {
				out = append(out, o)
				break
			}
		}
	}
	return out, nil
}

// sameSite reports whether two warnings are of the same panic on the same way of calls.
func sameSite(a, b *schemas.Warning) bool {
	return a.Func == b.Func && a.Kind == b.Kind && symbol.SameLine(a.Pos, b.Pos) &&
		a.Preconditions == b.Preconditions
}

// retry composes the test of the counterexample of a round, and reports whether it was not tried
// yet.
func (c *confirmer) retry(o *missed, w *schemas.Warning, round int) bool {
	f := c.funcs[w.Func]
	cand, err := compose.Compose(c.prog, f, w.Counterexample, o.test.Name, o.test.File,
		verify.Comment(o.test.Name, o.warning.Pos, o.warning.Message))
	if err != nil || o.bodies[cand.Inputs] {
		return false
	}
	o.bodies[cand.Inputs] = true
	o.path = w.Path
	o.attempt = newAttempt(o.warning, f.Pkg, cand, w.Counterexample)
	o.rounds = round
	return true
}

// settle runs the tests that crashed while they were observed once more, as they will be reported,
// and records what they showed.
func (c *confirmer) settle(ctx context.Context, r *refinement) {
	var list []*attempt
	for _, o := range r.crashed {
		list = append(list, o.attempt)
	}
	for len(list) > 0 { // attempts of one warning have one file: each runs by itself
		var now, later []*attempt
		files := map[string]bool{}
		for _, a := range list {
			if files[a.test.File] {
				later = append(later, a)
				continue
			}
			files[a.test.File] = true
			now = append(now, a)
		}
		again := &literalRun{pkg: r.pkg, list: now}
		c.runLiterals(ctx, again, c.opt.Jobs)
		c.judgeLiterals(ctx, again)
		list = later
	}
}
