package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dsd/crash/compose"
	"dsd/crash/origin"
	"dsd/crash/stack"
	"dsd/crash/verify"
	"dsd/internal/cache"
	"dsd/internal/source"
	"dsd/schemas"
)

// DefaultTimeout bounds a reproduction if Options.Timeout is 0.
const DefaultTimeout = time.Minute

// maxVerifyTime is the part of the timeout that is reserved for testing what the search finds.
const maxVerifyTime = 8 * time.Second

// progressPause is the time between two calls of Options.Progress.
const progressPause = 200 * time.Millisecond

// Options configure Run. The zero value works, without solving.
type Options struct {
	// Timeout bounds the whole reproduction; 0 is DefaultTimeout.
	Timeout time.Duration
	// Seed seeds the random numbers. Runs with the same seed are alike as far as time does not
	// matter.
	Seed int64
	// Tests is the directory for the test; "" writes none.
	Tests string
	// Jobs is the number of searches that run at the same time; 0 is one per processor.
	Jobs int
	// Unconfined lets candidates do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Strategies are used to find the crash, see the variable Strategies; nil is all of them.
	Strategies []schemas.Strategy
	// Seeding is what the search starts from besides values; "" is SeedAll.
	Seeding Seeding
	// Models returns the usage models of the module that crashed, once it is loaded; nil if
	// there are none.
	Models func(ctx context.Context, prog *source.Program) (*schemas.Models, error)
	// Recorded, if not nil, is the recording of the panic. Its values are used as literals.
	Recorded *schemas.RecordedCrash
	// Solve computes inputs that lead along the stack; nil skips Solve.
	Solve Solver
	// Store, if not nil, keeps what the go command says of packages that do not change.
	Store *cache.Cache
	// Log receives one line per problem; nil discards them.
	Log io.Writer
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
}

// Progress is the state of a reproduction.
type Progress struct {
	Candidates int64
	// Level is the number of frames, of Levels, that the best verified crash has in common with
	// the panic.
	Level, Levels int
	// Nearest says what the nearest candidate lacks; "" as long as none enters a function on the stack.
	Nearest       string
	Elapsed, Left time.Duration
}

// Strategies lists the values of Options.Strategies: candidates with values of tests, of the stack,
// and small ones; mutations of them, guided by fitness; and inputs that are computed along the
// stack.
var Strategies = []schemas.Strategy{
	schemas.StrategyValues, schemas.StrategySearch, schemas.StrategySolve,
}

// Seeding is what a search starts from besides values: candidates carved from tests, behaviors of
// usage models, both, or neither [SEED].
type Seeding string

// The values of Seeding.
const (
	SeedAll    Seeding = "all"
	SeedTests  Seeding = "tests"
	SeedModels Seeding = "models"
	SeedNone   Seeding = "none"
)

// Seedings lists the values of Seeding.
var Seedings = []Seeding{SeedAll, SeedTests, SeedModels, SeedNone}

func (s Seeding) tests() bool  { return s == "" || s == SeedAll || s == SeedTests }
func (s Seeding) models() bool { return s == "" || s == SeedAll || s == SeedModels }

// Run looks for the smallest Go test that crashes like a panic, in the build around dir: with a
// panic of the same kind, at the same line, and with as many frames of the stack in common as
// possible [STAR, EVO].
//
// The test calls functions of the innermost module on the stack that is in the build. That is the
// main module or a dependency, which is copied. Frames of other modules are context.
//
// When ctx ends, Run returns what it found in a document marked incomplete, together with ctx's
// error. Other errors: one that wraps origin.ErrNotInBuild, and those of source.Load and
// Options.Models.
func Run(ctx context.Context, dir string, p *stack.Panic, opt Options) (*schemas.Crashes, error) {
	start := time.Now()
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	opt.Log = verify.Log(opt.Log)
	// Work that still runs near the end of the time cannot be used any more.
	bounded, cancel := context.WithDeadline(ctx, start.Add(opt.Timeout-opt.Timeout/20))
	defer cancel()
	build, err := source.Modules(bounded, dir)
	if err != nil {
		return nil, err
	}
	r := &reproduction{opt: opt, start: start}
	if err := r.open(bounded, dir, origin.Locate(bounded, build, p)); err != nil {
		return nil, err
	}
	defer r.Close()
	if c := opt.Recorded; c != nil {
		for i := range c.Frames {
			if c.Frames[i].Func != "" {
				r.addLiterals(compose.Prune(c.Call(i)))
			}
		}
	}
	searching, stop := context.WithCancel(bounded)
	defer stop()
	defer r.reportProgress()()
	r.stopSearch = stop
	r.search(searching)
	return r.document(ctx)
}

// reproduction is the state of one run.
type reproduction struct {
	opt   Options
	start time.Time
	*origin.Module
	models *schemas.Models // nil if there are none

	candidates atomic.Int64 // executed so far
	stopSearch func()       // cancels all searches

	building  sync.Mutex // held while the search of a package is prepared
	verifying sync.Mutex // held while a crash of a search is verified

	mu sync.Mutex // guards the following
	// best is the best verified crash; nil if there is none.
	best *schemas.Crash
	// nearest says what the nearest candidate lacks, whose distance is the least so far; "" at first.
	nearest  string
	distance float64
	// finished are the searches that ended, in that order.
	finished []finishedSearch
	// packages are the packages with functions on the stack. The keys do not change.
	packages map[*source.Package]*packageSearch
	// literals are Go literals from counterexamples and recordings, for the searches.
	literals []string
	// solving describes the solver's work, nil before it ends; solvedLevel is the greatest
	// level of its crashes.
	solving     *schemas.Search
	solvedLevel int
}

// open loads the innermost module on the stack, and its usage models.
func (r *reproduction) open(ctx context.Context, dir string, t *origin.Trace) error {
	module, err := t.Innermost()
	if err != nil {
		return err
	}
	fmt.Fprintln(r.opt.Log, describe(t, module))
	if v := t.TextVersion(module); v != "" && v != module.Version && !module.Main {
		fmt.Fprintf(r.opt.Log, "the text is of %s@%s: with --at %s it is looked for there\n", module.Path, v, v)
	}
	if v := t.Panic.Revision; v != "" && module.Main {
		fmt.Fprintf(r.opt.Log, "the text is of revision %.12s: with --at %.12s it is looked for there\n", v, v)
	}
	for _, f := range t.Frames {
		if s := cmp.Or(f.Misfit, f.Assumed); s != "" && f.Module == module {
			fmt.Fprintf(r.opt.Log, "%s: %s\n", f.Func, s)
		}
	}
	r.Module, err = t.Open(ctx, dir, module, origin.Options{
		Tests: r.opt.Tests, Unconfined: r.opt.Unconfined, Start: r.start, Log: r.opt.Log, Store: r.opt.Store,
	})
	if err != nil {
		return err
	}
	if r.opt.Models != nil && r.opt.Seeding.models() {
		if r.models, err = r.opt.Models(ctx, r.Prog); err != nil {
			r.Close()
			return err
		}
	}
	return nil
}

// uses reports whether a strategy is to be used.
func (r *reproduction) uses(s schemas.Strategy) bool {
	if s == schemas.StrategySolve && r.opt.Solve == nil {
		return false
	}
	return r.opt.Strategies == nil || slices.Contains(r.opt.Strategies, s)
}

// deadline returns when to stop searching.
func (r *reproduction) deadline() time.Time {
	return r.start.Add(r.opt.Timeout - min(maxVerifyTime, r.opt.Timeout/4))
}

// reportProgress calls Options.Progress from time to time until the function that it returns is
// called.
func (r *reproduction) reportProgress() (stop func()) {
	if r.opt.Progress == nil {
		return func() {}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		tick := time.NewTicker(progressPause)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				r.mu.Lock()
				nearest := r.nearest
				r.mu.Unlock()
				r.opt.Progress(Progress{
					Nearest:    nearest,
					Candidates: r.candidates.Load(),
					Level:      r.level(),
					Levels:     r.maxLevel(),
					Elapsed:    time.Since(r.start),
					Left:       time.Until(r.deadline()),
				})
			}
		}
	}()
	return func() { close(done); wg.Wait() }
}
