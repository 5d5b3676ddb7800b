package confirm

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/search/campaign"
	"dsd/crash/search/feedback"
	"dsd/crash/search/goal"
	"dsd/crash/search/paramgraph"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// A counterexample gives values to fields, and a literal can do so, too. But a user of the package
// cannot write that literal if the fields are not exported, nor call a function that is not. This
// step runs sequences of calls that any user could write: of the warned function and of those that
// lead there, guided by the values of the counterexamples [STAR 4] and by the way to the panic, like
// the search that reproduces a crash [EVO III]. What nothing else confirms is sought as well. The
// candidates of a package count for all its warnings, so that a hundred of them cost one build.

// Budget of the search per package. Variants that the harness tries of a candidate count, too.
const (
	baseSequences      = 20_000           // candidates
	sequencesPerTarget = 1_500            // more candidates for each warning
	maxSequences       = 200_000          // at most
	sequenceProcessor  = 4 * time.Minute  // of the processor
	sequenceTime       = 10 * time.Minute // wall time, the last guard
	minSequenceTime    = 5 * time.Second  // wall time if less of Options.Budget is left
)

// maxCallers is the number of calls by which an exported function may be away from the warned one.
const maxCallers = 4

// target is a warning for which a call sequence is sought.
type target struct {
	warning *schemas.Warning
	// fn is the warned function, or the declared one around it if that is a function literal, of
	// whose arguments the counterexample speaks.
	fn        *source.Func
	inLiteral bool
	// literal is the element of confirmer.crashes that a literal shows; nil if none is
	// reported.
	literal *schemas.Crash
	// way is how public the inputs that confirm the warning are so far.
	way way
}

// targets returns, by package, the warnings whose inputs no user of the package would write, so far.
func (c *confirmer) targets() map[*source.Package][]*target {
	out := map[*source.Package][]*target{}
	crashes := map[string]*schemas.Crash{}
	for i := range c.crashes {
		crashes[c.crashes[i].Warning] = &c.crashes[i]
	}
	for i := range c.warnings {
		w := &c.warnings[i]
		f, inLiteral := verify.Enclosing(c.funcs, w.Func)
		if f == nil || w.Recovered || w.Ignored != "" || !c.isMine(w) {
			continue
		}
		if by := c.ways[w.ID]; by < publicWay {
			t := &target{warning: w, fn: f, inLiteral: inLiteral, literal: crashes[w.ID], way: by}
			out[f.Pkg] = append(out[f.Pkg], t)
		}
	}
	return out
}

// sequences searches for call sequences, opt.Jobs packages at a time.
func (c *confirmer) sequences(ctx context.Context) {
	targets := c.targets()
	if len(targets) == 0 || ctx.Err() != nil || c.late() {
		return
	}
	writes := goal.FindModSets(c.prog)
	models := c.models(ctx)
	callers := callersOf(callgraph.New(c.prog))
	// The crashes found, by package: targets point into c.crashes, which must not grow yet.
	packages := slices.DeleteFunc(slices.Clone(c.prog.All), func(pkg *source.Package) bool { return len(targets[pkg]) == 0 })
	found := make([][]schemas.Crash, len(packages))
	total := 0
	for _, list := range targets {
		total += len(list)
	}
	var done atomic.Int64 // warnings
	var mu sync.Mutex     // guards c.namer and what replace and accept change
	c.parallel(len(packages), func(i, _ int) {
		if ctx.Err() != nil || c.late() {
			return
		}
		pkg := packages[i]
		c.progress("looking for calls", int(done.Load()), total)
		s := &sequenceSearch{c, pkg, targets[pkg], models, &mu}
		crashes, err := s.run(ctx, writes, callers)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(c.opt.Log, "%s: cannot search for call sequences: %s\n", pkg.Path, verify.FirstLine(err))
		}
		found[i] = crashes
		done.Add(int64(len(targets[pkg])))
	})
	for _, list := range found {
		c.crashes = append(c.crashes, list...)
	}
}

// sequenceSearch is the search for call sequences in one package.
type sequenceSearch struct {
	*confirmer
	pkg     *source.Package
	targets []*target
	models  *schemas.Models
	mu      *sync.Mutex // of all packages
}

// models returns the usage models of the testee, or nil without them.
func (c *confirmer) models(ctx context.Context) *schemas.Models {
	if c.opt.Models == nil {
		return nil
	}
	models, err := c.opt.Models(ctx)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(c.opt.Log, "cannot infer usage models: %s\n", verify.FirstLine(err))
	}
	return models
}

// run searches, runs the tests of what is found, and replaces the literals of the targets. It
// returns the crashes of targets that no literal shows.
func (s *sequenceSearch) run(
	ctx context.Context, writes goal.ModSets, callers callers,
) ([]schemas.Crash, error) {
	opt := campaign.Options{
		Time: s.time(), Processor: sequenceProcessor, Seed: 1,
		Candidates: min(baseSequences+sequencesPerTarget*len(s.targets), maxSequences),
		Reset:      candidate.ResetReinit, Open: s.opt.Unconfined, All: true, ModSets: writes, Models: s.models,
		Preconditions: instrument.NewPreconditions(s.opt.Assume), Observed: s.opt.Observed,
		Memo: s.opt.Memo,
	}
	for _, t := range s.targets {
		opt.Goals = append(opt.Goals, s.goal(t, callers))
		if ce := t.warning.Counterexample; ce != nil {
			opt.Literals = appendLiterals(opt.Literals, ce)
		}
	}
	res, err := campaign.Run(ctx, s.prog, s.pkg, opt)
	if err != nil {
		return nil, err
	}
	if res.Cut && !s.late() {
		fmt.Fprintf(s.opt.Log, "%s: looking for calls ended after %v of processor time, or %v, before all candidates were tried: "+
			"another run may find others\n", s.pkg.Path, sequenceProcessor, sequenceTime)
	}
	var tests []schemas.Test
	var matched []*target
	var crashes []schemas.Crash
	for _, t := range s.targets {
		x := t.best(res.Crashes)
		if x == nil {
			continue
		}
		if cr, ok := s.write(t, x, res.Graph); ok {
			tests = append(tests, cr.Test)
			matched = append(matched, t)
			crashes = append(crashes, cr)
		}
	}
	if len(tests) == 0 {
		return nil, nil
	}
	s.observer.Begin(ctx, s.pkg, slices.Concat(tests, s.settled(matched)))
	results, err := verify.Run(ctx, s.prog, s.pkg, tests, testrun.Options{
		Timeout: s.opt.Timeout, Jobs: 1, Repeat: verify.Repeats,
		Unconfined: s.opt.Unconfined, Memo: s.opt.Memo, Log: s.opt.Log,
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []schemas.Crash
	for i, t := range matched {
		x := &crashes[i]
		want := verify.Expected{Kind: x.Kind, Pos: x.Pos, File: x.Test.File}
		v := verify.Compare(s.prog, want, results[i])
		if v.Status != verify.Same || results[i].Crashes < verify.Repeats {
			continue
		}
		x.Message, x.Stack, x.Level = v.Message, v.Stack, len(v.Stack)
		if s.replace(t, x, v.RaisedOutside) {
			out = append(out, *x)
		}
	}
	return out, nil
}

// settled returns the tests of crashes of the package that will probably stay as they are: no sequence replaces
// them, and their inputs are small.
func (s *sequenceSearch) settled(replaced []*target) (tests []schemas.Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range slices.Concat(s.crashes, s.others) {
		isOf := func(t *target) bool { return t.warning.ID == x.Warning }
		a := s.solved[x.Warning]
		if x.Test.Package == s.pkg.Path && !slices.ContainsFunc(replaced, isOf) && (a == nil || !isLarge(a.ce)) {
			tests = append(tests, x.Test)
		}
	}
	return tests
}

// time returns how long to search.
func (s *sequenceSearch) time() time.Duration {
	if s.deadline.IsZero() {
		return sequenceTime
	}
	return min(sequenceTime, max(minSequenceTime, time.Until(s.deadline)))
}

// best returns the crash of list that is the warned one and that most users could write, if that is
// as good as what confirms the warning; nil if there is none.
func (t *target) best(list []*feedback.Crash) (best *feedback.Crash) {
	for _, x := range list {
		if t.matches(x) && (best == nil || candidateWay(x) > candidateWay(best)) {
			best = x
		}
	}
	if best == nil || candidateWay(best) < t.way || candidateWay(best) == t.way && t.way == packageWay {
		return nil
	}
	return best
}

// matches reports whether x is the warned crash: same kind and line, below a call of the warned
// function. Inputs for a warning with preconditions must violate no precondition about the arguments
// of the functions that the candidate calls.
func (t *target) matches(x *feedback.Crash) bool {
	w := t.warning
	g := goal.Goal{Func: t.fn.Obj, Kind: w.Kind, Line: symbol.Line(w.Pos)}
	return g.ReachedBy(x.Kind, x.Stack()) &&
		(!w.Preconditions || x.ArgsHeld >= x.PreChecked)
}

// write returns the crash x of a search with its test. ok is false if the candidate cannot be
// written as Go. The test keeps the name of the literal's test, if there is one.
func (s *sequenceSearch) write(
	t *target, x *feedback.Crash, graph *paramgraph.Graph,
) (cr schemas.Crash, ok bool) {
	w := t.warning
	if t.literal != nil {
		cr = *t.literal
	} else {
		cr = schemas.Crash{
			Kind: x.Kind, Func: w.Func, Pos: w.Pos, Warning: w.ID,
			SatisfiesInvariants: w.Preconditions,
		}
		s.mu.Lock()
		cr.Test.Name, cr.Test.File = s.namer.Name(t.fn.Name, s.pkg, x.Kind)
		s.mu.Unlock()
		cr.Test.Package = s.pkg.Path
	}
	comment := verify.Comment(cr.Test.Name, w.Pos, w.Message)
	test, err := x.Program.WriteTest(s.pkg, graph.Table, cr.Test.Name, comment, x.Goroutine)
	if err != nil {
		return cr, false
	}
	cr.Func = source.FuncName(x.Target)
	cr.SatisfiesInvariants = w.Preconditions && x.PreChecked > 0 && x.PreHeld >= x.PreChecked
	cr.Inputs, cr.Test.Source, cr.BuiltBy = test.Body, test.Source, schemas.BySequence
	cr.UnexportedCalls = !x.Target.Exported()
	cr.Strategy, cr.Rounds = schemas.StrategySearch, 0
	if x.Fabricated {
		cr.BuiltBy, cr.UnexportedCalls = schemas.ByLiteral, true
	}
	return cr, true
}

// replace records that x confirms a target, and puts x in the place of the literal's crash. It
// reports whether x is to be added to the reported crashes instead, because no literal confirmed
// the warning.
func (c *confirmer) replace(t *target, x *schemas.Crash, outside bool) bool {
	before := c.ways[t.warning.ID]
	if before == noWay {
		c.stats.Candidates++
		return c.accept(t.warning, x, outside)
	}
	c.ways[t.warning.ID] = c.wayOf(x)
	if x.BuiltBy == schemas.BySequence && before == literalWay {
		c.stats.BySequence++
	}
	if t.literal != nil {
		*t.literal = *x
	}
	return false
}

// appendLiterals appends the integers and strings of a counterexample, as Go literals, that list
// does not contain. It leaves out package-level variables and the results of calls, because a goal
// compares only the arguments of a call and the objects.
func appendLiterals(list []string, ce *schemas.Counterexample) []string {
	add := func(n *schemas.Node) {
		isString := strings.HasPrefix(n.Lit, `"`)
		isInteger := strings.Trim(n.Lit, "-0123456789") == ""
		if n.Lit != "" && (isString || isInteger) && !slices.Contains(list, n.Lit) {
			list = append(list, n.Lit)
		}
	}
	for i := range ce.Params {
		ce.Params[i].Walk(add)
	}
	if ce.Receiver != nil {
		ce.Receiver.Walk(add)
	}
	for i := range ce.Objects {
		ce.Objects[i].Walk(add)
	}
	return list
}
