package crash

import (
	"context"
	"fmt"
	"go/types"
	"io"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/report"
	"dsd/crash/search/campaign"
	"dsd/crash/search/constants"
	"dsd/crash/search/feedback"
	"dsd/crash/testrun"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

// RandomOptions say how to test at random.
type RandomOptions struct {
	// Time is how long to draw candidates, over all packages; 0 is a minute.
	Time time.Duration
	// Seed makes runs repeatable, as far as time does not matter.
	Seed int64
	// Reset is how package-level variables are made anew between candidates; "" is candidate.Reinit.
	Reset candidate.ResetMode
	// Assume is what was inferred of the inputs of functions; nil if nothing was.
	Assume *schemas.Invariants
	// Policy is which crashes are reported; "" is Classic.
	Policy report.Policy
	// Tests is the directory for the tests of reported crashes; "" writes none.
	Tests string
	// Observed are values that parameters had in the testee's own tests.
	Observed constants.Observed
	// Only, if not nil, matches the names of the functions to test, as documents write them.
	Only *regexp.Regexp
	// Jobs is how many packages are tested at a time; 0 is one a processor.
	Jobs int
	// Open lets candidates do all that the user may; else they are confined.
	Open bool
	// Log receives what a person should know. Not nil.
	Log io.Writer
	// Progress, if not nil, is told now and then how far the run is.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Candidates, Crashes int
	Elapsed, Left       time.Duration
}

// Random tests the packages of prog at random and returns the crashes: each has a test as short as could be found, which
// has crashed three times in a process of its own [DSD 4].
//
// When ctx ends, what is finished is returned, marked incomplete, with ctx's error.
func Random(ctx context.Context, prog *source.Program, opt RandomOptions) (*schemas.Crashes, error) {
	if opt.Time == 0 {
		opt.Time = time.Minute
	}
	opt.Log = &locked{w: opt.Log}
	if opt.Policy == "" {
		opt.Policy = report.Classic
	}
	if opt.Reset == "" {
		opt.Reset = candidate.ResetReinit
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	r := &randomRun{prog: prog, opt: opt, start: time.Now(), pre: instrument.NewPreconditions(opt.Assume), results: make([]*campaign.Result, len(prog.Packages)), stats: make([]feedback.Stats, len(prog.Packages))}
	r.packages(ctx)
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(graceTime, cancel) })()
	out, err := r.finish(late)
	if err != nil {
		return nil, err
	}
	out.Incomplete = ctx.Err() != nil
	return out, ctx.Err()
}

// graceTime is how long an interrupted run goes on to verify what was found.
const graceTime = 20 * time.Second

// finish verifies the crashes of all packages, and returns the document.
func (r *randomRun) finish(ctx context.Context) (*schemas.Crashes, error) {
	prog, opt := r.prog, r.opt
	out := &schemas.Crashes{
		Header:  schemas.Header{Module: schemas.Module{Path: prog.Module, Go: prog.GoVersion}},
		Crashes: []schemas.Crash{}, Unconfirmed: []schemas.Unconfirmed{},
	}
	all := names{}
	for i, pkg := range prog.Packages {
		res := r.results[i]
		if res == nil {
			for _, f := range pkg.Funcs() {
				if f.Obj.Exported() {
					out.Skipped = append(out.Skipped, schemas.Skipped{Func: f.Name, Reason: "its package could not be tested"})
				}
			}
			continue
		}
		out.Stats.Candidates += res.Stats.Candidates
		out.Stats.Suppressed += res.Suppressed
		out.Skipped = append(out.Skipped, res.Graph.Skipped...)
		if res.Fault != "" {
			fmt.Fprintf(opt.Log, "%s: %s: state may leak from one candidate to the next\n", pkg.Path, res.Fault)
		}
		crashes, err := r.verify(ctx, pkg, res, all, &out.Stats)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(opt.Log, "%s: %s found, but none can be verified: %s\n", pkg.Path, text.Count(len(res.Crashes), "crash"), firstLine(err.Error()))
		}
		out.Crashes = append(out.Crashes, crashes...)
	}
	out.Crashes = report.Group(out.Crashes)
	if opt.Tests != "" {
		if err := writeTests(prog, opt.Tests, out.Crashes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// randomRun is the testing of the packages.
type randomRun struct {
	prog    *source.Program
	opt     RandomOptions
	pre     instrument.Preconditions
	start   time.Time
	results []*campaign.Result // by package; nil if it could not be tested
	mu      sync.Mutex
	stats   []feedback.Stats
}

// packages tests the packages, some at a time. Each gets its share of the time; what one does not use goes to those after it.
func (r *randomRun) packages(ctx context.Context) {
	list := r.prog.Packages
	left := r.opt.Time * time.Duration(min(r.opt.Jobs, len(list)))
	share := func(i int) time.Duration {
		r.mu.Lock()
		defer r.mu.Unlock()
		n := left / time.Duration(len(list)-i)
		left -= n
		return n
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range r.opt.Jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				n := share(i)
				res := r.test(ctx, i, n)
				r.mu.Lock()
				r.results[i] = res
				if res == nil {
					left += n
				} else {
					left += max(n-res.Stats.Elapsed, 0)
				}
				r.mu.Unlock()
			}
		}()
	}
	for i := range list {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// test tests the i-th package; nil if that cannot be done.
func (r *randomRun) test(ctx context.Context, i int, t time.Duration) *campaign.Result {
	pkg := r.prog.Packages[i]
	opt := campaign.Options{Time: t, Seed: r.opt.Seed, Reset: r.opt.Reset, All: r.opt.Policy != report.Classic, Open: r.opt.Open,
		Preconditions: r.pre, Observed: r.opt.Observed, Progress: func(s feedback.Stats) { r.progress(i, s) }}
	if r.opt.Only != nil {
		opt.Only = func(fn *types.Func) bool { return r.opt.Only.MatchString(source.FuncName(fn)) }
	}
	res, err := campaign.Run(ctx, r.prog, pkg, opt)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(r.opt.Log, "%s is not tested: %s\n", pkg.Path, firstLine(err.Error()))
	}
	return res
}

func (r *randomRun) progress(i int, s feedback.Stats) {
	if r.opt.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stats[i] = s
	p := Progress{Elapsed: time.Since(r.start)}
	p.Left = max(r.opt.Time-p.Elapsed, 0)
	for _, s := range r.stats {
		p.Candidates += s.Candidates
		p.Crashes += s.Crashes
	}
	r.opt.Progress(p)
}

// repeats is how often a test is run before it is reported, and testTime how long it may take: as a candidate it took no more
// than a second.
const (
	repeats  = 3
	testTime = 5 * time.Second
)

// verify writes the crashes of a package as tests, runs each in processes of its own, and returns those that crash as seen;
// those that do not every time are marked, and returned if the policy is All.
func (r *randomRun) verify(ctx context.Context, pkg *source.Package, res *campaign.Result, all names, stats *schemas.CrashStats) ([]schemas.Crash, error) {
	var crashes []schemas.Crash
	var tests []testrun.Test
	for _, x := range res.Crashes {
		rank := rank(x, r.opt.Policy)
		if r.opt.Policy != report.All && rank == schemas.LikelyMisuse {
			stats.Suppressed++
			continue
		}
		name, file := all.next(source.FuncName(x.Target), pkg, x.Kind)
		comment := fmt.Sprintf("%s panics at %s: %s.", name, x.Frames[0].Pos, x.Message)
		test, err := x.Program.WriteTest(pkg.Types, res.Graph.Table, name, comment)
		if err != nil {
			fmt.Fprintln(r.opt.Log, err)
			continue
		}
		builtBy := schemas.BySequence
		if x.Fabricated {
			builtBy = schemas.ByLiteral
		}
		frames := x.Frames
		if x.Kind == schemas.StackOverflow {
			frames = shorten(frames)
		}
		tests = append(tests, testrun.Test{Name: name, File: file, Source: test.Source})
		crashes = append(crashes, schemas.Crash{
			Rank: rank, SatisfiesInvariants: x.PreChecked > 0 && x.PreChecked == x.Called && x.PreHeld == x.PreChecked,
			FoundAfter: x.FoundAfter.Seconds(), Kind: x.Kind, Func: source.FuncName(x.Target), Pos: x.Frames[0].Pos, Message: x.Message, Stack: frames,
			Inputs: test.Body, BuiltBy: builtBy, Level: len(frames), Test: schemas.Test{Package: pkg.Path, File: file, Name: name, Source: test.Source},
		})
	}
	if len(tests) == 0 {
		return nil, nil
	}
	dir, err := filepath.Rel(r.prog.Dir, pkg.Dir)
	if err != nil {
		return nil, err
	}
	results, err := testrun.Run(ctx, r.prog.Dir, pkg.Path, dir, tests, testrun.Options{Timeout: testTime, Jobs: r.opt.Jobs, Repeat: repeats, Unconfined: r.opt.Open, OwnTests: pkg.TestFiles, Log: r.opt.Log})
	if err != nil && (ctx.Err() == nil || results == nil) {
		return nil, err
	}
	var out []schemas.Crash
	for i, c := range crashes {
		if why := differs(r.prog, &c, results[i]); why != "" {
			fmt.Fprintf(r.opt.Log, "%s: %s at %s is not reported: %s\n", c.Test.Name, c.Kind, c.Pos, why)
			if results[i].Crashes > 0 {
				stats.Elsewhere++
			}
			continue
		}
		c.Message, c.Stack = seen(r.prog, c.Test.File, results[i]) // the first such panic may have come another way
		c.Level = len(c.Stack)
		if results[i].Crashes < repeats {
			c.Flaky = true
			if r.opt.Policy != report.All {
				fmt.Fprintf(r.opt.Log, "%s: %s at %s is not reported: its test crashed in %d of %d runs\n", c.Test.Name, c.Kind, c.Pos, results[i].Crashes, repeats)
				stats.Suppressed++
				continue
			}
		}
		stats.Confirmed++
		out = append(out, c)
	}
	return out, nil
}

// rank says what speaks for a crash being a bug. Of a function of which nothing is known, an explicit panic is how it refuses
// arguments, and a nil that is passed to it one that its author ruled out.
func rank(x *feedback.Crash, policy report.Policy) schemas.Rank {
	known := x.PreChecked > 0 && x.PreChecked == x.Called
	switch {
	case x.Fabricated || x.PreHeld < x.PreChecked:
		return schemas.LikelyMisuse
	case known && !report.Refusal(x.Kind) && x.Kind != schemas.TypeAssert && !(x.Kind == schemas.NilDeref && x.NilArgument):
		return schemas.LikelyBug // invariants do not say of all that may be nil, nor what interfaces hold
	case known:
		return schemas.Look
	case policy != report.Relaxed && (x.Kind == schemas.ExplicitPanic || x.Kind == schemas.NilDeref && x.NilArgument):
		return schemas.LikelyMisuse
	}
	return schemas.Look
}
