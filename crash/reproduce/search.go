package reproduce

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/evolve"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/schemas"
)

// packageSearch is what the searches of one package share.
type packageSearch struct {
	once     sync.Once
	searcher *evolve.Searcher // nil if the package cannot be searched; set by once

	// Guarded by reproduction.mu:
	// unsolved is the best candidate, nil once the solver has seen it.
	unsolved *bestCandidate
	// solved are candidates that the solver made from others.
	solved []candidate.Program
}

// finishedSearch is one search that ended.
type finishedSearch struct {
	pkg      *source.Package
	searcher *evolve.Searcher
	found    *evolve.Result
	took     time.Duration
}

// search searches the packages on the stack, with one worker per job, and solves along the stack at
// the same time.
func (r *reproduction) search(ctx context.Context) {
	r.packages = map[*source.Package]*packageSearch{}
	var packages []*source.Package // outermost first
	innermost := r.Target.Innermost()
	for i := len(r.Target.Frames) - 1; i >= innermost; i-- {
		if f := r.Target.Frames[i].Fn; f != nil && r.packages[f.Pkg] == nil {
			packages = append(packages, f.Pkg)
			r.packages[f.Pkg] = &packageSearch{}
		}
	}
	var solver, workers sync.WaitGroup
	searched := make(chan struct{})
	if r.uses(schemas.StrategySolve) && len(packages) > 0 {
		solver.Add(1)
		go func() {
			defer solver.Done()
			r.solve(ctx, searched)
		}()
	}
	if r.uses(schemas.StrategySearch) || r.uses(schemas.StrategyValues) {
		for j := range r.opt.Jobs {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for n, p := range schedule(packages, j, r.opt.Jobs) {
					r.searchPhase(ctx, p, int64(1000*j+100000*n))
				}
			}()
		}
	}
	workers.Wait()
	close(searched)
	solver.Wait()
	for _, p := range r.packages {
		if p.searcher != nil {
			p.searcher.Close()
		}
	}
}

// phase is a part of a worker's schedule.
type phase struct {
	pkg *source.Package
	// until is when it ends, as a fraction of the time for the search.
	until float64
	// outermost restricts the calls to the outermost function of the package that is on the
	// stack.
	outermost bool
}

// schedule returns the phases of a worker. packages are those on the stack, outermost first.
//
// The first worker tries the outermost function, because a crash of it has most frames in common.
// The others begin with the innermost package, where a crash is found fastest, and proceed
// outwards.
func schedule(packages []*source.Package, worker, workers int) []phase {
	if len(packages) == 0 {
		return nil
	}
	outer, inner := packages[0], packages[len(packages)-1]
	switch {
	case workers == 1:
		return []phase{{inner, 0.2, false}, {outer, 0.6, true}, {outer, 1, false}}
	case worker == 0:
		return []phase{{outer, 0.5, true}, {outer, 1, false}}
	}
	var out []phase
	for i := len(packages) - 1; i > 0; i-- {
		until := 0.4
		if i < len(packages)-1 {
			until += 0.2 * float64(len(packages)-1-i) / float64(len(packages)-2)
		}
		out = append(out, phase{packages[i], until, false})
	}
	return append(out, phase{outer, 1, false})
}

// searcher returns the searcher of a package, which is built once; nil if the package cannot be
// searched.
func (r *reproduction) searcher(ctx context.Context, pkg *source.Package) *evolve.Searcher {
	p := r.packages[pkg]
	p.once.Do(func() {
		// One package at a time: what several of them import is compiled once, and then in the go command's cache.
		r.building.Lock()
		defer r.building.Unlock()
		s, err := evolve.NewSearcher(ctx, r.Prog, pkg, r.Target, nil)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "cannot search %s: %s\n", pkg.Path, err)
		}
		p.searcher = s
	})
	return p.searcher
}

// searchPhase searches until the phase is over, or a crash is verified that has all frames in
// common that the package allows.
func (r *reproduction) searchPhase(ctx context.Context, p phase, seed int64) {
	until := r.start.Add(time.Duration(p.until * float64(r.deadline().Sub(r.start))))
	if time.Now().After(until) || ctx.Err() != nil {
		return
	}
	s := r.searcher(ctx, p.pkg)
	if s == nil {
		return
	}
	for ; ctx.Err() == nil && time.Now().Before(until) && !r.reached(s.Levels()); seed += 7 {
		start := time.Now()
		found, err := s.Search(ctx, r.searchOptions(p, s, until, seed))
		if found != nil {
			r.mu.Lock()
			r.finished = append(r.finished,
				finishedSearch{p.pkg, s, found, time.Since(start)})
			r.mu.Unlock()
		}
		if err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(r.opt.Log, "%s: %s\n", p.pkg.Path,
					verify.FirstLine(err))
			}
			return
		}
		if found.Crash == nil || found.Crash.Target == nil {
			if found.Evaluated == 0 {
				return
			}
			continue
		}
		if err := r.verifyFound(ctx, p.pkg, s, found); err != nil {
			if ctx.Err() == nil {
				fmt.Fprintln(r.opt.Log, err)
			}
			return
		}
	}
}

// searchOptions returns the options of one search in a phase, given the best crash so far.
func (r *reproduction) searchOptions(
	p phase, s *evolve.Searcher, until time.Time, seed int64,
) evolve.Options {
	level := r.level()
	opt := evolve.Options{
		Until: until, Seed: r.opt.Seed + seed, Open: r.opt.Unconfined, Above: level,
		Tests: r.opt.Seeding.tests(), Values: true, Evolve: r.uses(schemas.StrategySearch),
		Literals: r.literalsFrom, Models: r.models, Count: &r.candidates,
	}
	opt.Better = func(level int, same schemas.Sameness) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		b := r.best
		return b == nil || level > b.Level || !reliable(b) || same.Better(b.Sameness)
	}
	if r.opt.Progress != nil {
		opt.Nearer = func(distance float64) { r.setNearest(s, distance) }
	}
	if p.outermost {
		opt.Above = max(opt.Above, s.Levels()-1)
	}
	if r.uses(schemas.StrategySolve) {
		opt.Improved = func(prog candidate.Program, level int) {
			r.setUnsolved(p.pkg, s, prog, level)
		}
		opt.SolverPrograms = func(n int) []candidate.Program {
			return r.solvedFrom(p.pkg, n)
		}
	}
	above := opt.Above
	opt.Enough = func() bool {
		now := r.level()
		return r.reached(s.Levels()) || above < now && now > level
	}
	return opt
}

// maxLevel returns the number of frames that a crash can have in common with the panic: those up to
// the outermost function of the module.
func (r *reproduction) maxLevel() int {
	for i := len(r.Target.Frames) - 1; i >= 0; i-- {
		if r.Target.Frames[i].Fn != nil {
			return i + 1
		}
	}
	return 0
}

// level returns the number of frames that the best crash has in common with the panic, 0 without
// one. For an unreliable crash, and for one that is not the panic itself, it is one less, so that the
// search goes on for another with as many frames.
func (r *reproduction) level() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.best == nil {
		return 0
	}
	if !reliable(r.best) || r.best.Sameness != schemas.Identical {
		return r.best.Level - 1
	}
	return r.best.Level
}

// reached reports whether a crash is verified of which nothing better is to be looked for where that many frames can be
// in common.
func (r *reproduction) reached(level int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.enough(level)
}

// literalsFrom returns the literals for the searches from index n on.
func (r *reproduction) literalsFrom(n int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.literals[min(n, len(r.literals)):])
}
