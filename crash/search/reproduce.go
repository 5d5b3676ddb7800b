package search

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"sync/atomic"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// Searcher looks for inputs of one package that lead to a crash.
type Searcher struct {
	prog *source.Program
	pkg  *source.Package
	want *StackTrace
	g    *Graph
	h    *candidate.Harness
	// stack are the operations that call functions of the stack, innermost first, and hints what the stack says of their arguments.
	stack []int
	hints map[int][]stacktrace.Argument
	// levels are how many frames a crash can have in common with the wanted one at most, by the operation that is called.
	levels map[int]int
}

// NewSearcher builds the harness of a package for a wanted crash. Close it.
//
// Errors: no function of the stack can be called in the package, it does not build, or ctx ended.
func NewSearcher(ctx context.Context, prog *source.Program, pkg *source.Package, want *StackTrace, observed Observed) (*Searcher, error) {
	var goals []Goal
	for _, f := range want.Frames {
		if f.Fn != nil && f.Fn.Pkg == pkg {
			goals = append(goals, Goal{Func: f.Fn.Obj})
		}
	}
	if len(goals) == 0 {
		return nil, errors.New("no function of the stack is in it")
	}
	s := &Searcher{prog: prog, pkg: pkg, want: want, g: New(prog, pkg, goals, observed)}
	h, err := candidate.Build(ctx, prog, pkg, s.g.Table, candidate.BuildOptions{Reset: candidate.ResetReinit, Target: want.places()})
	if err != nil {
		return nil, err
	}
	s.h = h
	if len(h.Dropped) > 0 {
		s.g.Keep(h.Table, h.Dropped, nil)
	}
	s.find()
	if len(s.stack) == 0 {
		h.Close()
		return nil, s.why()
	}
	s.g.use(want.Literals)
	return s, nil
}

// why says why no function of the stack can be called.
func (s *Searcher) why() error {
	for _, f := range s.want.Frames {
		for _, l := range s.g.Skipped {
			if f.Fn != nil && f.Fn.Name == l.Func {
				return fmt.Errorf("%s cannot be called: %s", l.Func, l.Reason)
			}
		}
	}
	return errors.New("no function of the stack can be called")
}

// find finds the operations that call functions of the stack, directly or as methods of an interface.
func (s *Searcher) find() {
	s.hints, s.levels = map[int][]stacktrace.Argument{}, map[int]int{}
	for i, f := range s.want.Frames {
		if f.Fn == nil {
			continue
		}
		for _, t := range s.g.Targets {
			if !calls(s.g.Table[t].Func.Origin(), f.Fn.Obj) {
				continue
			}
			if !slices.Contains(s.stack, t) {
				s.stack = append(s.stack, t)
				if !f.Literal {
					s.hints[t] = stack.Arguments(stack.Words(f.Args), s.g.Table[t].Func)
				}
			}
			s.levels[t] = i + 1
		}
	}
	slices.SortStableFunc(s.stack, func(a, b int) int { return s.levels[a] - s.levels[b] })
}

// calls says that a call of fn may be one of wanted: it is that function, or the method of an interface that it implements.
func calls(fn, wanted *types.Func) bool {
	if fn == wanted {
		return true
	}
	recv, of := fn.Type().(*types.Signature).Recv(), wanted.Type().(*types.Signature).Recv()
	if recv == nil || of == nil || fn.Name() != wanted.Name() {
		return false
	}
	u, ok := recv.Type().Underlying().(*types.Interface)
	return ok && types.Implements(of.Type(), u)
}

// Levels is how many frames a crash of the package can have in common with the wanted one at most: up to the outermost
// function that can be called.
func (s *Searcher) Levels() int {
	most := 0
	for _, op := range s.stack {
		most = max(most, s.levels[op])
	}
	return most
}

// Close removes the harness.
func (s *Searcher) Close() error { return s.h.Close() }

// Unmet says what a candidate at a distance lacks: the frame whose function it entered, the innermost, and the conditions that it
// did not meet there; ok is false if it entered none.
func (s *Searcher) Unmet(distance float64) (frame stacktrace.Located, conditions []string, ok bool) {
	i, conditions, ok := s.h.MissedSteps(distance)
	if !ok {
		return stacktrace.Located{}, nil, false
	}
	place := s.want.places()[i]
	for _, f := range s.want.Frames {
		if f.Fn == place.Func && (f.Pos.Line == place.Line || place.Line == 0) && f.Literal == place.InLiteral {
			return f, conditions, true
		}
	}
	return stacktrace.Located{}, nil, false
}

// Graph is what the statements of candidates mean.
func (s *Searcher) Graph() *Graph { return s.g }

// EvolveOptions say how to search.
type EvolveOptions struct {
	// Until is when to end.
	Until time.Time
	Seed  int64
	// Open lets candidates do all that the user may.
	Open bool
	// Tests and Values are what candidates begin with: those carved from tests, as they are, and new ones; Evolve goes on with
	// changes of them.
	Tests, Values, Evolve bool
	// Models, if not nil, say how objects are used: some are made so.
	Models *schemas.Models
	// Literals, if not nil, returns Go literals to use besides those of the source, from number n on.
	Literals func(n int) []string
	// Improved, if not nil, is told of candidates that come nearer than those before: the program up to its last call of a function of the
	// stack, and how many frames a crash of that can have in common with the wanted one. Solved, if not nil, returns programs to
	// try besides, from number n on.
	Improved       func(p candidate.Program, level int)
	SolverPrograms func(n int) []candidate.Program
	// Above is how many frames are had already: functions whose calls cannot lead to more of them are not called.
	Above int
	// Count, if not nil, counts the candidates.
	Count *atomic.Int64
	// Enough, if not nil, is asked now and then whether to end.
	Enough func() bool
}

// EvolveResult is what a search came to.
type EvolveResult struct {
	Stats Stats
	// Crash reproduces the wanted one, nil if none does, in Level frames.
	Crash *Crash
	Level int
	// Fitness is that of the best candidate, Best [EVO definition 1].
	Fitness  float64
	Best     candidate.Program
	Distance float64
	// Panic is what the best candidate panics with, "" if it does not.
	Panic string
	// Strategy is what found Crash: tests, values, search, or path if it was among Solved; After is how many candidates were tried until then.
	Strategy   schemas.Strategy
	FoundAfter int
	// Evaluated counts the candidates whose fitness was computed.
	Evaluated int
}

// Search looks for a candidate that crashes as wanted, until it has one, or its time is over. Several searches of one searcher may run at the same time.
func (s *Searcher) Search(ctx context.Context, opt EvolveOptions) (*EvolveResult, error) {
	sam := newSampler(s.g, opt.Seed)
	sam.onStack, sam.hints = map[int]bool{}, s.hints
	banned := map[int]bool{}
	for _, op := range s.stack {
		if s.levels[op] > opt.Above {
			sam.stack = append(sam.stack, op)
			sam.onStack[op] = true
		} else {
			banned[op] = true
		}
	}
	if len(sam.stack) == 0 {
		return &EvolveResult{Fitness: worst}, nil
	}
	c := &campaign{prog: s.prog, h: s.h, g: s.g, s: sam, opt: Options{All: true, Open: opt.Open, Seed: opt.Seed}, costly: [2]map[int]bool{{}, {}}}
	limits := candidate.DefaultLimits
	limits.Unconfined, limits.PanicsPerStack, limits.LazyReset, limits.SingleCPU = opt.Open, maxSame, true, true
	limits.Timeout, limits.Passes = maxRun, maxPasses
	c.runner = s.h.NewRunner(limits)
	defer c.runner.Close()
	if opt.Evolve {
		c.runner.Climb = candidate.Climb{Variants: climbing, Time: maxClimb, Vocabulary: s.g.vocabulary}
	}
	c.stats.All, c.seen = s.h.Blocks, make([]bool, s.h.Blocks)
	e := &evolution{campaign: c, want: s.want, opt: opt, stacks: map[uint64]float64{}, others: map[uint64]bool{}, banned: banned, levels: s.levels, doubts: map[uint64]int{}, messages: map[uint64]string{}}
	e.out.Fitness = worst
	sam.pool = s.g.behaviours(opt.Models)
	if opt.Tests {
		e.seeds = programs(s.g.seeds, s.g.Table)
	}
	limits.PanicsPerStack, limits.LazyReset = 1<<30, false
	e.fresh = s.h.NewRunner(limits)
	defer e.fresh.Close()
	err := e.run(ctx)
	if e.out.Crash != nil {
		e.minimise(ctx)
	} else if e.out.Best != nil {
		e.shorten(ctx)
	}
	e.out.Stats = c.stats
	e.out.Stats.Processes = c.runner.Processes
	if err != nil && e.out.Crash == nil {
		return &e.out, err
	}
	return &e.out, nil
}

// WithLiterals is a program with other values in place of its literals: texts are Go literals for the statements that literals names, "" to
// leave it as it is.
func WithLiterals(p candidate.Program, literals []int, texts []string) candidate.Program {
	out := slices.Clone(p)
	for i, at := range literals {
		if v, ok := valueOf(texts[i]); ok {
			out[at].Bits, out[at].Text = v.bits, v.text
		}
	}
	return out
}
