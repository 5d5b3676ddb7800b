package evolve

import (
	"context"
	"math"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/search/constants"
	"dsd/crash/search/feedback"
	"dsd/schemas"
)

// evolution is the working state of one search.
type evolution struct {
	searcher *Searcher
	opt      Options
	ops      *operators
	runner   *candidate.Runner
	monitor  *feedback.Monitor
	pop      population
	out      Result

	// leaks is set when what candidates leave in package-level variables seems to mislead the search. strict are the limits
	// of a runner that resets these between all candidates; isStrict is set once the runner has them.
	leaks    bool
	strict   candidate.Limits
	isStrict bool
	limits   candidate.Limits // of runner

	patience patience

	// verifier runs candidates that crash again, with all package-level variables reset.
	verifier *candidate.Runner
	// unrepeatable counts how often a panic did not happen again, by stack key.
	unrepeatable map[uint64]int

	// testSeeds are candidates carved from tests, the first testsUsed of which were tried.
	testSeeds []candidate.Program
	testsUsed int
	// solverPrograms are the programs that arrived during the search, the first solverUsed of
	// which were tried.
	solverPrograms []candidate.Program
	solverUsed     int
	// literals counts the literals that arrived during the search.
	literals int

	// origins are the strategies that made the candidates of the batch.
	origins []schemas.Strategy
	// banned are the operations that candidates must not contain.
	banned map[int]bool

	// panics holds the panics that candidates met, by stack key.
	panics map[uint64]*knownPanic
}

// knownPanic holds what is known about a panic that candidates met.
type knownPanic struct {
	message string
	penalty float64 // its share of the fitness
	// other is set if the panic does not reproduce the target crash well enough to be kept.
	other bool
}

// maxStale is the number of generations without improvement before the search restarts.
const maxStale = 200

// run draws and runs candidates, a generation at a time.
//
// It is the main loop of [EVO algorithm 1], with these departures: the size of a generation depends
// on the time that it takes; crossover makes one offspring, not two; each generation has new
// candidates, too; and the population restarts when it stops improving.
func (e *evolution) run(ctx context.Context) error {
	size := feedback.MinBatch
	var batch []candidate.Program
	for !e.done(ctx) {
		batch = e.generation(batch[:0], size)
		if len(batch) == 0 && e.monitor.Forgive() {
			batch = e.generation(batch, size) // on a busy machine, anything may be slow once
		}
		if len(batch) == 0 {
			return nil
		}
		e.receive()
		sent := time.Now()
		events, err := e.evaluate(ctx, batch)
		e.selectFittest(batch, e.tooSlow(events))
		if err != nil {
			return err
		}
		if e.leaks && !e.isStrict {
			e.resetAlways()
		}
		if e.patience.changes() {
			e.newRunner(e.limits)
		}
		size = feedback.NextBatch(size, time.Since(sent))
	}
	return ctx.Err()
}

// maxLeaked is how often the same panic may fail to repeat before all package-level variables are reset between
// candidates, and not only as far as there is time for it.
const maxLeaked = 3

// resetAlways resets package-level variables between all candidates from now on. The population is dropped: what earlier
// candidates left behind may be why its candidates come so near.
func (e *evolution) resetAlways() {
	e.isStrict = true
	e.newRunner(e.strict)
	e.pop = population{}
	e.out.Best, e.out.Fitness, e.out.Panic = nil, worstFitness, ""
}

// newRunner replaces the runner by one with these limits, and those of the search's patience.
func (e *evolution) newRunner(limits candidate.Limits) {
	if e.searcher.trace.Kind != schemas.StackOverflow {
		limits.Timeout, limits.Passes = e.patience.limits()
	}
	e.limits = limits
	climb := e.runner.Climb
	e.monitor.Stats.Processes += e.runner.Processes
	e.runner.Close()
	e.runner = e.searcher.h.NewRunner(limits)
	e.runner.Climb = climb
}

// generation appends up to size candidates to batch, and sets their origins. It leaves out those
// that are too costly or contain banned operations.
func (e *evolution) generation(batch []candidate.Program, size int) []candidate.Program {
	e.origins = e.origins[:0]
	for tries := 0; len(batch) < size && tries < 20*size; tries++ {
		p, origin := e.next()
		if len(p) > 0 && !e.monitor.TooCostly(p) && !e.isBanned(p) {
			batch, e.origins = append(batch, p), append(e.origins, origin)
		}
	}
	return batch
}

// receive takes over the literals and programs that arrived during the last generation.
func (e *evolution) receive() {
	if e.opt.Literals != nil {
		e.addLiterals(e.opt.Literals(e.literals))
	}
	if e.opt.SolverPrograms != nil {
		more := e.opt.SolverPrograms(len(e.solverPrograms))
		e.solverPrograms = append(e.solverPrograms, more...)
	}
}

// evaluate runs a batch and keeps what happened to its candidates and their variants.
func (e *evolution) evaluate(
	ctx context.Context, batch []candidate.Program,
) ([]candidate.Event, error) {
	e.runner.Climb.Bound = e.climbBound()
	events, err := e.runner.Run(ctx, batch)
	e.monitor.Stats.Candidates += e.runner.Evaluated
	if e.opt.Count != nil {
		e.opt.Count.Add(int64(e.runner.Evaluated))
	}
	for _, ev := range events {
		origin := e.origins[ev.Index]
		if ev.Variant != nil {
			origin = schemas.StrategySearch
		}
		if ev.Kind == run.KindHang && ev.Variant == nil && e.runner.Distances != nil {
			e.patience.hung(float64(e.runner.Distances[ev.Index]) <= e.out.Distance)
		}
		e.monitor.Note(ev.Program(batch), ev)
		e.judge(ctx, ev.Program(batch), origin, ev)
	}
	return events, err
}

// valueTime is how long a search goes on after a crash that is the wanted one but for the values in its message.
const valueTime = 10 * time.Second

// done reports whether the search is over. After a fabricated crash, or one that is not the wanted one exactly, the
// search goes on for as long as it took to find that one and a second more, since another one may be better; and for
// valueTime at least if only the values in the message are others.
func (e *evolution) done(ctx context.Context) bool {
	switch {
	case ctx.Err() != nil || time.Now().After(e.opt.Until) ||
		e.opt.Enough != nil && e.opt.Enough():
		return true
	case e.out.Crash == nil:
		return false
	}
	more := e.out.Crash.FoundAfter + time.Second
	if e.out.Same == schemas.OtherValues {
		more = max(more, valueTime)
	}
	return !e.out.Crash.Fabricated && e.out.Same == schemas.Identical ||
		e.monitor.Elapsed() > e.out.Crash.FoundAfter+more
}

// addLiterals adds literals that became known during the search to those that are drawn.
func (e *evolution) addLiterals(literals []string) {
	if len(literals) == 0 {
		return
	}
	e.literals += len(literals)
	if v := e.runner.Climb.Vocabulary; v != nil {
		e.runner.Climb.Vocabulary = constants.Learn(v, literals)
	}
	e.ops.s.AddLiterals(literals)
}

// isBanned reports whether a candidate contains a banned operation.
func (e *evolution) isBanned(p candidate.Program) bool {
	for i := range p {
		if e.banned[p[i].Op] {
			return true
		}
	}
	return false
}

// next returns the next candidate and the strategy that made it: a program of the solver, a seed
// from tests, or a drawn one. As in [SEED 3.4], a test that calls no function on the stack is given
// such a call.
func (e *evolution) next() (candidate.Program, schemas.Strategy) {
	if e.solverUsed < len(e.solverPrograms) {
		e.solverUsed++
		return e.solverPrograms[e.solverUsed-1], schemas.StrategyPath
	}
	if e.testsUsed < len(e.testSeeds) {
		e.testsUsed++
		p := e.testSeeds[e.testsUsed-1]
		if !e.ops.callsStack(p) {
			p = e.ops.withStackCall(p)
		}
		return p, schemas.StrategyTests
	}
	p, origin := e.draw()
	return e.upToStackCall(p), origin
}

// draw draws a candidate: half of them are offspring of the population, a quarter mutations of
// candidates that reached new code, an eighth mutations of tests, and an eighth new candidates. New
// candidates replace those of a kind that has no parents yet.
func (e *evolution) draw() (candidate.Program, schemas.Strategy) {
	r, corpus := e.ops.s.Rand, e.monitor.Corpus
	switch n := r.Intn(8); {
	case !e.opt.Evolve:
		if e.opt.Values {
			return e.ops.initial(), schemas.StrategyValues
		}
		return nil, ""
	case n == 7 && len(e.testSeeds) > 0:
		return e.ops.mutate(e.testSeeds[r.Intn(len(e.testSeeds))]), schemas.StrategySearch
	case n < 4 && len(e.pop.list) > 1:
		return e.ops.offspring(&e.pop), schemas.StrategySearch
	case n < 6 && len(corpus) > 0:
		return e.ops.mutate(corpus[r.Intn(len(corpus))]), schemas.StrategySearch
	}
	return e.ops.initial(), schemas.StrategyValues
}

// upToStackCall returns a candidate without what follows its last call of a function on the stack.
func (e *evolution) upToStackCall(p candidate.Program) candidate.Program {
	for i := len(p) - 1; i >= 0; i-- {
		if e.ops.isCrashOp[p[i].Op] {
			return p[: i+1 : i+1]
		}
	}
	return p
}

// maxKeptTime is how long a candidate may take to stay in the population, once too much time was
// lost in costly ones.
const maxKeptTime = 20 * time.Millisecond

// tooSlow returns the candidates of a batch that took too long to be worth breeding from, by index.
func (e *evolution) tooSlow(events []candidate.Event) map[int]bool {
	if !e.monitor.OverBudget() {
		return nil
	}
	slow := map[int]bool{}
	for _, ev := range events {
		if ev.Took > maxKeptTime {
			slow[ev.Index] = true
		}
	}
	return slow
}

// selectFittest computes the fitness of a batch and inserts the fittest candidates into the
// population, or the best variants that the harness found of them. It leaves out the slow ones.
func (e *evolution) selectFittest(batch []candidate.Program, slow map[int]bool) {
	if e.runner.Distances == nil {
		return
	}
	bound := e.pop.bound()
	var fit []individual
	equal := map[float64]int{} // candidates by fitness: the population takes at most maxEqual
	e.out.Evaluated += e.runner.Evaluated
	for i, p := range batch {
		d := float64(e.runner.Distances[i])
		if math.IsInf(d, 1) || slow[i] {
			continue
		}
		if v := e.runner.Best[i]; v != nil {
			p = v
		}
		key := e.runner.Stacks[i]
		met := knownPanic{penalty: maxExceptionPenalty}
		if known := e.panics[key]; known != nil {
			met = *known
		}
		f := fitness(d, key != 0, met.penalty)
		if f < e.out.Fitness {
			e.out.Fitness, e.out.Best, e.out.Distance = f, p, d
			e.out.Panic = met.message
			e.reportImproved(p)
			if e.opt.Nearer != nil {
				e.opt.Nearer(d)
			}
		}
		if f <= bound && equal[f] < maxEqual {
			equal[f]++
			fit = append(fit, individual{p, f, float32(d)})
		}
	}
	e.pop.insert(fit)
	if e.pop.stale > maxStale {
		e.pop.restart()
	}
}

// reportImproved reports a candidate that is fitter than any before.
func (e *evolution) reportImproved(p candidate.Program) {
	p = e.upToStackCall(p)
	op := p[len(p)-1].Op
	if e.opt.Improved != nil && e.ops.isCrashOp[op] {
		e.opt.Improved(p, e.searcher.levels[op])
	}
}

// climbBound returns the distance up to which the harness climbs from a candidate: that of the
// median of the population.
func (e *evolution) climbBound() float32 {
	if len(e.pop.list) < populationSize {
		return float32(math.Inf(1))
	}
	return e.pop.list[populationSize/2].distance
}
