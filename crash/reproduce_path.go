package crash

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

// A search that comes near but does not know the last value, and a solver that knows the value but not how objects are made, help
// each other: the nearest candidate becomes a function of its literals, and the solver is asked for literals that lead on from its
// call of the stack's function to the crash. What it answers is tried by the search.

// near is the nearest candidate of a package, up to its last call of a function of the stack.
type near struct {
	pkg      *source.Package
	searcher *evolve.Searcher
	prog     candidate.Program
	// level is the number of the stack's frames up to the function that is called.
	level int
}

// pathPause is how long to wait between two candidates that are looked at: the searches want the processors, too.
const pathPause = 500 * time.Millisecond

// paths solves the nearest candidates as they come, until done is closed or ctx ends. prog is the solver's own load of the module.
func (r *reproduction) paths(ctx context.Context, done <-chan struct{}, prog *source.Program, values map[string]int64) {
	tick := time.NewTicker(pathPause)
	defer tick.Stop()
	for n := 0; ; {
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.mu.Lock()
		var next []*near
		for pkg, at := range r.nearest {
			if at != nil {
				next = append(next, at)
				r.nearest[pkg] = nil
			}
		}
		r.mu.Unlock()
		for _, at := range next {
			n++
			r.path(ctx, prog, at, fmt.Sprintf("zzPath%d", n), values)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// path asks the solver for literals of one candidate.
func (r *reproduction) path(ctx context.Context, prog *source.Program, at *near, name string, values map[string]int64) {
	own := prog.Package(at.pkg.Path)
	if own == nil || at.level > len(r.want.Frames) || len(at.prog) == 0 {
		return
	}
	open := at.prog.Parameterize(at.pkg.Types, at.searcher.Graph().Table, name)
	if len(open.Literals) == 0 {
		return
	}
	file := "zz_dsd_" + name + ".go"
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
	frames := append([]stacktrace.Located(nil), r.want.Frames[:at.level]...)
	for i := range frames {
		frames[i].Fn = nil // asked about already
	}
	pos := symbol.Pos{File: filepath.ToSlash(filepath.Join(rel, file)), Line: open.Line}
	frames = append(frames, stacktrace.Located{Frame: stacktrace.Frame{Func: fn.Name}, Fn: fn, Pos: pos})
	doc, err := r.opt.Along(ctx, prog, r.want.Kind, frames, values)
	if err != nil {
		return
	}
	for i := range doc.Warnings {
		r.solvedPath(at, open, doc.Warnings[i].Counterexample)
	}
}

// solvedPath hands a candidate with the literals of a counterexample to the searches of its package.
func (r *reproduction) solvedPath(at *near, open *candidate.ParamFunc, ce *schemas.Counterexample) {
	if ce == nil || len(ce.Params) != len(open.Literals) {
		return
	}
	texts := make([]string, len(ce.Params))
	for i := range ce.Params {
		texts[i] = ce.Params[i].Lit
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.searchers[at.pkg].solved = append(r.searchers[at.pkg].solved, evolve.WithLiterals(at.prog, open.Literals, texts))
}

// near notes a candidate that came nearer.
func (r *reproduction) near(pkg *source.Package, s *evolve.Searcher, p candidate.Program, level int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nearest[pkg] = &near{pkg, s, p, level}
}

// solvedPrograms are the candidates of a package that the solver made, from number n on.
func (r *reproduction) solvedPrograms(pkg *source.Package, n int) []candidate.Program {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.searchers[pkg].solved
	return list[min(n, len(list)):]
}
