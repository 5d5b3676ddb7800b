package evolve

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/search/carve"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/crash/stack"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/schemas"
)

// Searcher looks for calls of one package that lead to a crash.
type Searcher struct {
	prog  *source.Program
	pkg   *source.Package
	trace *StackTrace
	g     *paramgraph.Graph
	seeds []carve.Seed // from the tests
	h     *candidate.Harness
	// crashOps are the operations that call functions on the stack, innermost first: the set
	// Mcrash of [EVO III-C].
	crashOps []int
	// misleading are operations that call functions on the stack, and cannot lead to the crash; see StackTrace.misleading.
	misleading []int
	// writers are operations that write fields which decide about the way to the crash.
	writers []int
	// hints holds what the stack trace says about the arguments of the crashOps.
	hints map[int][]stacktrace.Argument
	// levels holds, for each of the crashOps, the number of frames that a crash of its call can
	// match at most.
	levels map[int]int
}

// NewSearcher builds the harness of a package for a target crash. The caller closes it.
//
// It returns an error if no function on the stack can be called in the package, if the package does
// not build, or if ctx ends.
func NewSearcher(
	ctx context.Context, prog *source.Program, pkg *source.Package, trace *StackTrace,
	observed constants.Observed,
) (*Searcher, error) {
	var required []*types.Func
	for _, f := range trace.Frames {
		if f.Fn != nil && f.Fn.Pkg == pkg {
			required = append(required, f.Fn.Obj)
		}
	}
	if len(required) == 0 {
		return nil, errors.New("no function on the stack is in it")
	}
	s := &Searcher{prog: prog, pkg: pkg, trace: trace}
	decide := make(chan deciders, 1)
	go func() { decide <- findDeciders(prog, trace) }() // while the harness is built
	s.g, s.seeds = carve.ThoroughGraph(prog, pkg, required, observed)
	h, err := candidate.Build(ctx, prog, pkg, s.g.Table, candidate.BuildOptions{
		Reset: candidate.ResetReinit, Targets: [][]instrument.TargetFrame{trace.target()}, Dynamic: stack.DynamicType(trace.Message),
	})
	if err != nil {
		return nil, err
	}
	s.h = h
	if len(h.Dropped) > 0 {
		s.g.Keep(h.Table, h.Dropped)
	}
	s.findCrashOps()
	if len(s.crashOps) == 0 {
		h.Close()
		return nil, s.uncallable()
	}
	s.findWriters(<-decide)
	s.g.AddLiterals(trace.Literals)
	s.g.Constants.Vocabulary.Deep = trace.Kind == schemas.StackOverflow
	return s, nil
}

// uncallable returns the reason why no function on the stack can be called.
func (s *Searcher) uncallable() error {
	for _, f := range s.trace.Frames {
		for _, fn := range s.g.Skipped {
			if f.Fn != nil && f.Fn.Name == fn.Func {
				return fmt.Errorf("%s cannot be called: %s", fn.Func, fn.Reason)
			}
		}
	}
	return errors.New("no function on the stack can be called")
}

// findCrashOps finds the targets that call functions on the stack, directly or as methods of an
// interface.
func (s *Searcher) findCrashOps() {
	s.hints, s.levels, s.misleading = map[int][]stacktrace.Argument{}, map[int]int{}, nil
	misleading := s.trace.misleading()
	for i, f := range s.trace.Frames {
		if f.Fn == nil {
			continue
		}
		for _, t := range s.g.Targets {
			if !mayCall(s.g.Table[t].Func.Origin(), f.Fn.Obj) {
				continue
			}
			if misleading[i] {
				s.misleading = append(s.misleading, t)
				continue
			}
			if !slices.Contains(s.crashOps, t) {
				s.crashOps = append(s.crashOps, t)
				if !f.Literal || f.Fn.Literal {
					fn := s.g.Table[t].Func
					s.hints[t] = stack.Arguments(stack.Words(f.Args), fn)
				}
			}
			s.levels[t] = i + 1
		}
	}
	slices.SortStableFunc(s.crashOps, func(a, b int) int { return s.levels[a] - s.levels[b] })
}

// mayCall reports whether a call of fn may execute target: fn is target, or the method of an
// interface that target implements.
func mayCall(fn, target *types.Func) bool {
	if fn == target {
		return true
	}
	recv, of := fn.Type().(*types.Signature).Recv(), target.Type().(*types.Signature).Recv()
	if recv == nil || of == nil || fn.Name() != target.Name() {
		return false
	}
	u, ok := recv.Type().Underlying().(*types.Interface)
	return ok && types.Implements(of.Type(), u)
}

// Levels returns the number of frames that a crash in the package can match at most: those up to
// the outermost function that can be called.
func (s *Searcher) Levels() int {
	most := 0
	for _, op := range s.crashOps {
		most = max(most, s.levels[op])
	}
	return most
}

// Graph returns the parameter graph, which holds the operations of the candidates.
func (s *Searcher) Graph() *paramgraph.Graph { return s.g }

// Unmet explains the distance of a candidate. It returns the innermost frame whose function the
// candidate enters, and the conditions on the way to the frame's line that it does not meet. It
// reports false if the candidate enters none of the functions.
func (s *Searcher) Unmet(
	distance float64,
) (frame stacktrace.Located, conditions []string, ok bool) {
	i, conditions, ok := s.h.MissedSteps(0, distance)
	if !ok {
		return stacktrace.Located{}, nil, false
	}
	target := s.trace.target()[i]
	for _, f := range s.trace.Frames {
		if f.Fn == target.Func && (f.Pos.Line == target.Line || target.Line == 0) &&
			f.Literal == target.InLiteral {
			return f, conditions, true
		}
	}
	return stacktrace.Located{}, nil, false
}

// Close removes the harness.
func (s *Searcher) Close() error { return s.h.Close() }
