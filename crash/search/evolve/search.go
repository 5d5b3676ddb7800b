package evolve

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/carve"
	"dsd/crash/search/constants"
	"dsd/crash/search/feedback"
	"dsd/crash/search/generate"
	"dsd/crash/search/modelseed"
	"dsd/crash/stack"
	"dsd/schemas"
)

// Options says how to search.
type Options struct {
	// Until is when the search ends.
	Until time.Time
	// Seed is the seed of all random choices.
	Seed int64
	// Open lets candidates do all that the user may: they are not confined.
	Open bool
	// Tests and Values choose the initial candidates: those carved from tests, and new ones.
	// Evolve continues with mutations and crossovers of them.
	Tests, Values, Evolve bool
	// Models, if not nil, are usage models. Some objects are made by call sequences from them.
	Models *schemas.Models
	// Literals, if not nil, returns the Go literals from index n on that became known during
	// the search, besides those of the source.
	Literals func(n int) []string
	// Improved, if not nil, is called for a candidate that is fitter than those before. It is
	// given the candidate up to its last call of a function on the stack, and the number of
	// frames that a crash of that call can match at most.
	Improved func(p candidate.Program, level int)
	// Nearer, if not nil, is called with the distance of each candidate that is fitter than those before.
	Nearer func(distance float64)
	// SolverPrograms, if not nil, returns the programs from index n on that a solver made
	// during the search.
	SolverPrograms func(n int) []candidate.Program
	// Above is the number of frames that the best crash so far matches. Functions whose calls
	// cannot lead to a crash that matches more are not called.
	Above int
	// Better, if not nil, reports whether a crash that matches more than Above frames is wanted.
	Better func(level int, same schemas.Sameness) bool
	// Count, if not nil, is increased by the number of candidates.
	Count *atomic.Int64
	// Enough, if not nil, is called for each generation and reports whether to end.
	Enough func() bool
}

// Result is the outcome of a search.
type Result struct {
	Stats feedback.Stats
	// Crash matches the target crash in Level frames. It is nil if none was found.
	Crash *feedback.Crash
	Level int
	Same  schemas.Sameness
	// Best is the fittest candidate, and Fitness its fitness [EVO definition 1].
	Best    candidate.Program
	Fitness float64
	// Distance is the distance of the fittest candidate along the stack; see Searcher.Unmet.
	Distance float64
	// Panic is the message with which the fittest candidate panics, "" if it does not.
	Panic string
	// Strategy is what found Crash, and FoundAfter the number of candidates until then.
	Strategy   schemas.Strategy
	FoundAfter int
	// Evaluated is the number of candidates whose fitness was computed.
	Evaluated int
}

const (
	// maxSameStack is the number of crashes with one stack that a process reports, besides those with nearer numbers.
	maxSameStack = 100
	// climbVariants is the number of variants of a candidate that the harness tries in vain
	// before it goes on, and maxClimb how long all variants of a candidate may take.
	climbVariants = 32
	maxClimb      = 5 * time.Millisecond
)

// Search looks for a candidate that reproduces the target crash, until it has one or the time is
// over. Several searches of one searcher may run at the same time.
//
// If it finds a crash, it returns no error. Else an error is that of ctx, or means that the harness
// cannot be run; the result is valid in either case.
func (s *Searcher) Search(ctx context.Context, opt Options) (*Result, error) {
	ops := &operators{
		s: generate.NewSampler(s.g, opt.Seed), isCrashOp: map[int]bool{}, writers: s.writers,
	}
	ops.s.Hints = s.hints
	ops.s.Prefer(func(typ string) bool {
		return stack.NamesType(s.trace.Message, typ) || slices.Contains(s.trace.Receivers, typ)
	})
	banned := map[int]bool{}
	for _, op := range s.crashOps {
		if s.levels[op] > opt.Above {
			ops.crashOps = append(ops.crashOps, op)
			ops.isCrashOp[op] = true
		} else {
			banned[op] = true
		}
	}
	for _, op := range s.misleading {
		banned[op] = !ops.isCrashOp[op]
	}
	if len(ops.crashOps) == 0 {
		return &Result{Fitness: worstFitness}, nil
	}
	limits := candidate.DefaultLimits
	limits.Unconfined, limits.LazyReset, limits.SingleCPU = opt.Open, true, true
	limits.PanicsPerStack, limits.Timeout, limits.Passes = maxSameStack, maxRun, maxPasses
	limits.Numbers = stack.Numbers(s.trace.Message)
	if s.trace.Kind == schemas.StackOverflow {
		limits.Timeout, limits.Passes = deepRun, deepPasses
	}
	runner := s.h.NewRunner(limits)
	if opt.Evolve {
		runner.Climb = candidate.Climb{
			Variants: climbVariants, Time: maxClimb,
			Vocabulary: s.g.Constants.Vocabulary,
		}
	}
	strict := limits
	strict.LazyReset = false
	verified := strict
	verified.PanicsPerStack, verified.Timeout, verified.Passes = 1<<30, deepRun, deepPasses
	verifier := s.h.NewRunner(verified)
	defer verifier.Close()
	e := &evolution{
		searcher: s, opt: opt, ops: ops, runner: runner, limits: limits, strict: strict, verifier: verifier, banned: banned,
		panics: map[uint64]*knownPanic{}, unrepeatable: map[uint64]int{},
	}
	defer func() { e.runner.Close() }()
	e.out.Fitness = worstFitness
	ops.s.Behaviors = modelseed.Select(s.g, opt.Models)
	if opt.Tests {
		e.testSeeds = carve.Programs(s.seeds, s.g.Table)
	}
	e.monitor = feedback.NewMonitor(s.g, s.h.Blocks, feedback.ByTime, ops.isCrashOp)
	err := e.run(ctx)
	if e.out.Crash != nil {
		e.shrinkCrash(ctx)
	} else if e.out.Best != nil {
		e.shrinkBest(ctx)
	}
	e.out.Stats = e.monitor.Stats
	e.out.Stats.Processes += e.runner.Processes
	if err != nil && e.out.Crash == nil {
		return &e.out, err
	}
	return &e.out, nil
}

// WithLiterals returns a program with other values of some literals: texts[i] is the Go literal for
// the statement of index literals[i], "" to leave its value as it is.
func WithLiterals(p candidate.Program, literals []int, texts []string) candidate.Program {
	out := slices.Clone(p)
	for i, at := range literals {
		if v, ok := constants.Parse(texts[i]); ok {
			out[at].Bits, out[at].Text = v.Bits, v.Text
		}
	}
	return out
}
