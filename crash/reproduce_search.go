package crash

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/evolve"
	"dsd/internal/source"
	"dsd/schemas"
)

// tell tells now and then how far it is, until the function that it returns is called.
func (r *reproduction) tell() (stop func()) {
	if r.opt.Progress == nil {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				r.opt.Progress(ReproduceProgress{Candidates: r.count.Load(), Level: r.level(), Levels: r.levels(), Elapsed: time.Since(r.begin), Left: time.Until(r.deadline())})
			}
		}
	}()
	return func() { close(done); wg.Wait() }
}

// try is one search that was made.
type try struct {
	pkg      *source.Package
	searcher *evolve.Searcher
	found    *evolve.Result
	took     time.Duration
}

// search searches the packages of the stack, with as many workers as there are jobs.
func (r *reproduction) search(ctx context.Context) {
	r.searchers, r.nearest = map[*source.Package]*searcher{}, map[*source.Package]*near{}
	var packages []*source.Package // outermost first
	for i := len(r.want.Frames) - 1; i >= 0; i-- {
		if f := r.want.Frames[i].Fn; f != nil && !slices.Contains(packages, f.Pkg) {
			packages = append(packages, f.Pkg)
			r.searchers[f.Pkg] = &searcher{}
		}
	}
	var wg, workers sync.WaitGroup
	done := make(chan struct{}) // the searches are
	if r.opt.Along != nil && r.opt.Strategies.has(schemas.StrategySolve) && len(packages) > 0 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.solve(ctx, done)
		}()
	}
	for j := range r.opt.Jobs {
		if !r.opt.Strategies.has(schemas.StrategySearch) && !r.opt.Strategies.has(schemas.StrategyValues) {
			break
		}
		workers.Add(1)
		go func() {
			defer workers.Done()
			for n, s := range plan(packages, j, r.opt.Jobs) {
				r.step(ctx, s, int64(1000*j+100000*n))
			}
		}()
	}
	workers.Wait()
	close(done)
	wg.Wait()
	for _, s := range r.searchers {
		if s.Searcher != nil {
			s.Close()
		}
	}
}

// step is a part of a worker's time: on a package, up to a share of the time in all, with the outermost function alone or all.
type step struct {
	pkg   *source.Package
	until float64
	outer bool
}

// plan is what a worker does. The first looks for a crash of the outermost function, which says most. The second begins where
// the crash is, which is where it is found first, and goes outwards.
func plan(packages []*source.Package, worker, workers int) []step {
	if len(packages) == 0 {
		return nil
	}
	outermost := packages[0]
	switch {
	case workers == 1:
		return []step{{packages[len(packages)-1], 0.2, false}, {outermost, 0.6, true}, {outermost, 1, false}}
	case worker == 0:
		return []step{{outermost, 0.5, true}, {outermost, 1, false}}
	}
	var out []step
	for i := len(packages) - 1; i > 0; i-- {
		share := 0.4
		if i < len(packages)-1 {
			share += 0.2 * float64(len(packages)-1-i) / float64(len(packages)-2)
		}
		out = append(out, step{packages[i], share, false})
	}
	return append(out, step{outermost, 1, false})
}

// searcher is that of a package, built when it is wanted first; nil inside if the package cannot be searched.
type searcher struct {
	once sync.Once
	*evolve.Searcher
	// solved are candidates that the solver made of others; guarded by the reproduction's mutex.
	solved []candidate.Program
}

// searcher returns that of a package, nil if it cannot be searched.
func (r *reproduction) searcher(ctx context.Context, pkg *source.Package) *evolve.Searcher {
	of := r.searchers[pkg]
	of.once.Do(func() {
		s, err := evolve.NewSearcher(ctx, r.prog, pkg, r.want, nil)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.opt.Log, "%s is not searched: %s\n", pkg.Path, err)
		}
		of.Searcher = s
	})
	return of.Searcher
}

// step searches until a crash with all frames that the package allows is verified, or the step's time is over.
func (r *reproduction) step(ctx context.Context, at step, seed int64) {
	until := r.begin.Add(time.Duration(at.until * float64(r.deadline().Sub(r.begin))))
	if time.Now().After(until) || ctx.Err() != nil {
		return
	}
	s := r.searcher(ctx, at.pkg)
	if s == nil {
		return
	}
	for n := int64(0); ctx.Err() == nil && time.Now().Before(until) && !r.enough(s.Levels()); n++ {
		start := time.Now()
		opt := evolve.Options{Until: until, Seed: r.opt.Seed + seed + 7*n, Open: r.opt.Open, Above: r.level(),
			Tests: r.opt.Seeding.tests(), Values: true, Literals: r.literals, Models: r.models, Count: &r.count, Evolve: r.opt.Strategies.has(schemas.StrategySearch)}
		if r.opt.Along != nil && r.opt.Strategies.has(schemas.StrategySolve) {
			opt.Improved = func(p candidate.Program, level int) { r.near(at.pkg, s, p, level) }
			opt.SolverPrograms = func(n int) []candidate.Program { return r.solvedPrograms(at.pkg, n) }
		}
		if at.outer {
			opt.Above = max(opt.Above, s.Levels()-1)
		}
		above := r.level()
		opt.Enough = func() bool { return r.enough(s.Levels()) || opt.Above < r.level() && r.level() > above }
		found, err := s.Search(ctx, opt)
		if found != nil {
			r.mu.Lock()
			r.tries = append(r.tries, try{at.pkg, s, found, time.Since(start)})
			r.mu.Unlock()
		}
		if err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(r.opt.Log, "%s: %s\n", at.pkg.Path, firstLine(err.Error()))
			}
			return
		}
		if found.Crash == nil || found.Crash.Target == nil {
			if found.Evaluated == 0 {
				return
			}
			continue
		}
		if err := r.verify(ctx, at.pkg, s, found); err != nil {
			if ctx.Err() == nil {
				fmt.Fprintln(r.opt.Log, err.Error())
			}
			return
		}
	}
}

// literals are those that the solver suggests, from number n on.
func (r *reproduction) literals(n int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.suggested[min(n, len(r.suggested)):])
}

// levels is how many frames a crash can have in common with the wanted one: up to the outermost function of the module.
func (r *reproduction) levels() int {
	for i := len(r.want.Frames) - 1; i >= 0; i-- {
		if r.want.Frames[i].Fn != nil {
			return i + 1
		}
	}
	return 0
}

// level is how many frames of the best crash are verified, 0 without one; of one that sets unexported fields, or
// does not crash each time, one less, as another with as many is better.
func (r *reproduction) level() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.best == nil {
		return 0
	}
	if !proper(r.best) {
		return r.best.Level - 1
	}
	return r.best.Level
}

// enough says that a crash with as many frames in common is verified.
func (r *reproduction) enough(levels int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.best != nil && r.best.Level >= levels && proper(r.best)
}

// verify writes a crash as a test, runs that, and keeps it if it is the best so far.
func (r *reproduction) verify(ctx context.Context, pkg *source.Package, s *evolve.Searcher, found *evolve.Result) error {
	x := found.Crash
	name, file := names{}.next(source.FuncName(x.Target), pkg, x.Kind)
	comment := fmt.Sprintf("%s panics at %s: %s.", name, x.Frames[0].Pos, x.Message)
	test, err := x.Program.WriteTest(pkg.Types, s.Graph().Table, name, comment)
	if err != nil {
		return err
	}
	builtBy := schemas.BySequence
	if x.Fabricated {
		builtBy = schemas.ByLiteral
	}
	return r.run(ctx, pkg, &schemas.Crash{Func: source.FuncName(x.Target), Inputs: test.Body, BuiltBy: builtBy, UnexportedCalls: !x.Target.Exported(),
		Strategy: found.Strategy, Candidates: found.FoundAfter, Test: schemas.Test{Package: pkg.Path, File: file, Name: name, Source: test.Source}})
}
