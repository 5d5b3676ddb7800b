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
)

// Searcher looks for calls of one package that lead to a crash.
type Searcher struct {
	prog  *source.Program
	pkg   *source.Package
	trace *StackTrace
	g     *paramgraph.Graph
	seeds []carve.Seed // from the tests
	// h is the harness, whose target of that number is trace. Other searchers may share it.
	h      *candidate.Harness
	number int
	// crashOps are the operations that call functions on the stack, innermost first: the set
	// Mcrash of [EVO III-C].
	crashOps []int
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
	if len(callable(pkg, trace)) == 0 {
		return nil, errors.New("no function on the stack is in it")
	}
	list, err := NewSearchers(ctx, prog, pkg, []*StackTrace{trace}, observed, nil)
	if err != nil {
		return nil, err
	}
	s := list[0]
	if len(s.crashOps) == 0 {
		s.Close()
		return nil, s.uncallable()
	}
	return s, nil
}

// callable returns the functions on a stack that belong to a package.
func callable(pkg *source.Package, trace *StackTrace) (out []*types.Func) {
	for _, f := range trace.Frames {
		if f.Fn != nil && f.Fn.Pkg == pkg {
			out = append(out, f.Fn.Obj)
		}
	}
	return out
}

// NewSearchers builds one harness of a package for several target crashes, and returns a searcher
// for each, in order. They share the harness, which closing any of them closes. A searcher for whose
// crash no function can be called finds nothing. Candidates report whether they satisfy the
// preconditions.
//
// It returns an error if the package does not build, or if ctx ends.
func NewSearchers(
	ctx context.Context, prog *source.Program, pkg *source.Package, traces []*StackTrace,
	observed constants.Observed, pre instrument.Preconditions,
) ([]*Searcher, error) {
	var required []*types.Func
	var targets [][]instrument.TargetFrame
	for _, t := range traces {
		required = append(required, callable(pkg, t)...)
		targets = append(targets, t.target())
	}
	g, seeds := carve.Graph(prog, pkg, required, observed)
	h, err := candidate.Build(ctx, prog, pkg, g.Table, candidate.BuildOptions{
		Reset: candidate.ResetReinit, Targets: targets, Preconditions: pre,
	})
	if err != nil {
		return nil, err
	}
	if len(h.Dropped) > 0 {
		g.Keep(h.Table, h.Dropped)
	}
	out := make([]*Searcher, len(traces))
	for i, t := range traces {
		out[i] = &Searcher{prog: prog, pkg: pkg, trace: t, g: g, seeds: seeds, h: h, number: i}
		out[i].findCrashOps()
		g.AddLiterals(t.Literals)
	}
	return out, nil
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
	s.hints, s.levels = map[int][]stacktrace.Argument{}, map[int]int{}
	for i, f := range s.trace.Frames {
		if f.Fn == nil {
			continue
		}
		for _, t := range s.g.Targets {
			if !mayCall(s.g.Table[t].Func.Origin(), f.Fn.Obj) {
				continue
			}
			if !slices.Contains(s.crashOps, t) {
				s.crashOps = append(s.crashOps, t)
				if !f.Literal {
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
	i, conditions, ok := s.h.MissedSteps(s.number, distance)
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
