package reproduce

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/evolve"
	"dsd/internal/source"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// A search finds the calls that make an object but not the number that a branch wants; the solver
// finds the number but not the calls. So the search's best candidate becomes a function of its
// literals, whose last statement calls a function on the stack. The solver computes literals with
// which that call leads along the stack to the panic. The search tries what the solver answers.

// bestCandidate is the best candidate of a package, up to its last call of a function on the stack.
type bestCandidate struct {
	pkg      *source.Package
	searcher *evolve.Searcher
	prog     candidate.Program
	// level is the number of frames of the stack up to the function that is called.
	level int
}

// solvePause is the time between two rounds of solveCandidates, because the searches need the
// processors, too.
const solvePause = 500 * time.Millisecond

// Names of the function and the file that are added for the solver, by number.
const (
	pathFunc = "zzPath%d"
	pathFile = "zz_dsd_%s.go"
)

// solveCandidates solves for the literals of the best candidates as the searches find them, until
// searched is closed or ctx ends. prog is the solver's load of the module.
func (r *reproduction) solveCandidates(
	ctx context.Context, searched <-chan struct{}, prog *source.Program,
	values map[string]int64,
) {
	tick := time.NewTicker(solvePause)
	defer tick.Stop()
	for n := 0; ; {
		select {
		case <-searched:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, best := range r.takeUnsolved() {
			n++
			r.solveCandidate(ctx, prog, best, fmt.Sprintf(pathFunc, n), values)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// setUnsolved records the best candidate of a package for the solver.
func (r *reproduction) setUnsolved(
	pkg *source.Package, s *evolve.Searcher, p candidate.Program, level int,
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages[pkg].unsolved = &bestCandidate{pkg, s, p, level}
}

// takeUnsolved returns the best candidates that the solver has not seen.
func (r *reproduction) takeUnsolved() []*bestCandidate {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*bestCandidate
	for _, p := range r.packages {
		if p.unsolved != nil {
			out = append(out, p.unsolved)
			p.unsolved = nil
		}
	}
	return out
}

// solveCandidate solves for the literals of one candidate, which it adds to prog as a function
// called name.
func (r *reproduction) solveCandidate(
	ctx context.Context, prog *source.Program, best *bestCandidate, name string,
	values map[string]int64,
) {
	own := prog.Package(best.pkg.Path)
	if own == nil || best.level > len(r.Target.Frames) || len(best.prog) == 0 {
		return
	}
	open := best.prog.Parameterize(best.pkg.Types, best.searcher.Graph().Table, name)
	if len(open.Literals) == 0 {
		return
	}
	file := fmt.Sprintf(pathFile, name)
	if err := prog.Extend(own, file, []byte(open.Source)); err != nil {
		return // it mentions a package that the testee does not import
	}
	var fn *source.Func
	for _, f := range own.Funcs() {
		if f.Name == own.Path+"."+name {
			fn = f
		}
	}
	rel, err := filepath.Rel(prog.Dir, own.Dir)
	if fn == nil || err != nil {
		return
	}
	frames := append([]stacktrace.Located(nil), r.Target.Frames[:best.level]...)
	for i := range frames {
		frames[i].Fn = nil // solved for already
	}
	frames = append(frames, stacktrace.Located{
		Frame: stacktrace.Frame{Func: fn.Name}, Fn: fn,
		Pos: symbol.Pos{File: filepath.ToSlash(filepath.Join(rel, file)), Line: open.Line},
	})
	doc, err := r.opt.Solve(ctx, prog, r.Target.Kind, frames, values)
	if err != nil {
		return
	}
	for i := range doc.Warnings {
		r.addSolved(best, open.Literals, doc.Warnings[i].Counterexample)
	}
}

// addSolved makes a candidate with the literals of a counterexample available to the searches of
// its package. literals are the indexes of the statements to replace, one for each parameter of the
// counterexample.
func (r *reproduction) addSolved(best *bestCandidate, literals []int, ce *schemas.Counterexample) {
	if ce == nil || len(ce.Params) != len(literals) {
		return
	}
	values := make([]string, len(ce.Params))
	for i := range ce.Params {
		values[i] = ce.Params[i].Lit
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.packages[best.pkg]
	p.solved = append(p.solved, evolve.WithLiterals(best.prog, literals, values))
}

// solvedFrom returns the candidates of a package that the solver made, from index n on.
func (r *reproduction) solvedFrom(pkg *source.Package, n int) []candidate.Program {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.packages[pkg].solved
	return list[min(n, len(list)):]
}
