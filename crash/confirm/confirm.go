package confirm

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"dsd/crash/blame"
	"dsd/crash/candidate"
	"dsd/crash/report"
	"dsd/crash/search/constants"
	"dsd/crash/verify"
	"dsd/internal/fingerprint"
	"dsd/internal/ignore"
	"dsd/internal/memo"
	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// DefaultTimeout bounds one test if Options.Timeout is 0.
const DefaultTimeout = 10 * time.Second

// Options configure Run. The zero value works.
type Options struct {
	// Tests is the directory for the tests of reported crashes, in the testee's layout; ""
	// writes none.
	Tests string
	// Jobs is the number of tests that run at the same time; 0 is one per processor.
	Jobs int
	// Timeout bounds one test; 0 is DefaultTimeout.
	Timeout time.Duration
	// Budget, if not 0, is the time after which other inputs, where those of a warning do not lead to its panic,
	// and smaller ones are no longer looked for.
	Budget time.Duration
	// Shard is the part of the packages whose warnings the document is to be about.
	Shard shard.Shard
	// Policy decides which confirmed crashes are reported; "" is report.Classic.
	Policy report.Policy
	// NoSequences skips the search for call sequences in place of literals.
	NoSequences bool
	// Assume holds the preconditions by which call sequences are judged; nil if there are none.
	// Without it, no sequence can confirm a warning with preconditions.
	Assume *schemas.Invariants
	// Observed holds values that parameters had in the testee's own tests; call sequences use
	// them.
	Observed constants.Observed
	// Models returns the usage models of the testee, which seed the search for call sequences;
	// nil skips that.
	Models func(context.Context) (*schemas.Models, error)
	// Refine computes other inputs where a test did not crash as warned; nil skips that step.
	Refine Refiner
	// Solve computes arguments of call sequences; nil skips that step.
	Solve Solver
	// Memo, if not nil, has what tests and candidates of earlier runs showed, and gets what those of this one do.
	Memo *memo.Memo
	// Unconfined lets tests do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Progress, if not nil, is called from time to time, perhaps concurrently: with what is being done, and
	// how many parts of it are, of how many; 0 if that is not known.
	Progress func(stage string, done, total int)
	// Log receives one line per problem; nil discards them.
	Log io.Writer
}

// Run writes the counterexample of each warning as a Go test, runs it, and returns the crashes, one
// per stack, as far as the policy reports them. A crash of the warned kind at the warned line
// confirms the warning. Each other warning is listed under Unconfirmed with a reason, also if its
// test crashed elsewhere.
//
// prog must contain the warned functions. The result does not depend on Options.Jobs. When ctx
// ends, Run returns the crashes so far in a document marked incomplete, together with ctx's error. If no
// test could be run at all, and Options.Shard is not a part, the error says so, and the document why. Other errors
// come from writing the tests.
func Run(
	ctx context.Context, prog *source.Program, doc *schemas.Warnings, opt Options,
) (*schemas.Crashes, error) {
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	if opt.Policy == "" {
		opt.Policy = report.Classic
	}
	if opt.Timeout == 0 {
		opt.Timeout = DefaultTimeout
	}
	opt.Log = verify.Log(opt.Log)
	c := &confirmer{
		prog: prog, opt: opt, warnings: doc.Warnings, tests: doc.Tests,
		mine: inShard(opt.Shard, doc.Warnings), funcs: verify.Funcs(prog), reasons: map[string]reason{},
		ways: map[string]way{}, solved: map[string]*attempt{},
	}
	judging := blame.Options{Assume: opt.Assume, Jobs: opt.Jobs, Unconfined: opt.Unconfined, Memo: opt.Memo, Log: opt.Log}
	c.observer = blame.NewObserver(prog, c.packages(), judging)
	defer c.observer.Wait()
	judging.Observer = c.observer
	if opt.Budget > 0 {
		c.end = time.Now().Add(opt.Budget)
		c.deadline = c.end.Add(-opt.Budget / minimizeShare)
	}
	prepared := c.prepare(ctx)
	err := c.literals(ctx)
	<-prepared
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.search(ctx)
	c.progress("minimizing inputs", 0, 0)
	if c.late() && ctx.Err() == nil {
		fmt.Fprintf(opt.Log, "the search for other inputs ended after the budget of %v\n", opt.Budget)
	}
	c.minimize(ctx)
	out := c.document()
	c.progress("judging crashes", 0, 0)
	out.Crashes = blame.Assess(ctx, prog, out.Crashes, judging)
	fingerprint.Crashes(prog, out.Crashes)
	verify.RenameTests(out.Crashes)
	ignore.Crashes(prog, out.Crashes)
	ended := ctx.Err() // once: a signal may come while the tests are written
	out.Module, out.Incomplete, out.Shards = doc.Module, ended != nil || doc.Incomplete, opt.Shard.Header()
	// Of a part of the packages, all may be programs that end by themselves: another part runs its tests.
	if ended == nil && opt.Shard.Header() == nil && !c.ran && c.notRun != "" && len(out.Crashes) == 0 {
		return out, fmt.Errorf("no test could be run: %s", c.notRun)
	}
	if opt.Tests != "" {
		if err := verify.WriteTests(prog, opt.Tests, out.Crashes); err != nil {
			return nil, err
		}
	}
	return out, ended
}

// prepare compiles what the search for call sequences needs, beside the tests of the warnings, which are one
// compilation after the other. It does nothing if only one thing is to run at a time. The channel is closed when it ends.
func (c *confirmer) prepare(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	if c.opt.NoSequences || c.opt.Jobs == 1 || !slices.Contains(slices.Collect(maps.Values(c.mine)), true) {
		close(done)
		return done
	}
	go func() {
		defer close(done)
		_ = candidate.Prepare(ctx, c.prog) // if that fails, the search says why
	}()
	return done
}

// progress reports what is being done.
func (c *confirmer) progress(stage string, done, total int) {
	if c.opt.Progress != nil {
		c.opt.Progress(stage, done, total)
	}
}

// search looks for other inputs where those of a warning do not lead to its panic.
func (c *confirmer) search(ctx context.Context) {
	if err := c.refine(ctx); err != nil && ctx.Err() == nil {
		fmt.Fprintf(c.opt.Log, "cannot look for other inputs: %s\n", verify.FirstLine(err))
	}
	if c.opt.NoSequences {
		return
	}
	c.sequences(ctx)
	if c.opt.Solve != nil && ctx.Err() == nil && !c.late() {
		if err := c.solve(ctx); err != nil && ctx.Err() == nil {
			fmt.Fprintf(c.opt.Log, "cannot solve for call sequences: %s\n", verify.FirstLine(err))
		}
	}
}

// parallel calls run for each i in [0, n), up to Options.Jobs at a time, and returns when all have returned. One compilation
// does not keep several processors busy. jobs is how many tests each call may run at a time.
func (c *confirmer) parallel(n int, run func(i, jobs int)) {
	atOnce := max(min(c.opt.Jobs, n), 1)
	next := make(chan int)
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for i := range next {
				run(i, max(c.opt.Jobs/atOnce, 1))
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// late reports whether no more is to be searched for. A build, a test or the solver that has begun then is finished.
func (c *confirmer) late() bool { return !c.deadline.IsZero() && time.Now().After(c.deadline) }

// confirmer is the state of one run. A warning is identified by its ID.
type confirmer struct {
	prog     *source.Program
	opt      Options
	warnings []schemas.Warning
	mine     map[string]bool         // the packages that the document is about; nil if it is about all
	tests    bool                    // whether test files were checked
	funcs    map[string]*source.Func // by name
	namer    verify.Namer

	// deadline is when the search for other inputs ends, and end when making inputs smaller does; zero if there
	// is no budget.
	deadline, end time.Time

	// ran reports whether the test of any counterexample was run, and notRun why one was not.
	ran    bool
	notRun string

	crashes []schemas.Crash     // to be reported, of warned panics
	others  []schemas.Crash     // to be reported, of other panics
	missed  []*attempt          // whose tests did not crash as warned
	solved  map[string]*attempt // whose tests confirm a warning and are reported, by its ID
	stats   schemas.CrashStats
	// observer sees what tests do that will probably be reported, while others are sought.
	observer *blame.Observer
	// reasons says why a warning is unconfirmed or suppressed.
	reasons map[string]reason
	// ways says how public the best inputs are that confirm a warning; absent if none do.
	ways map[string]way
}

// inShard returns the packages with warnings that belong to a shard, so that each shard has about as many
// warnings. What the tests of a package show counts for its other warnings, so it is not divided.
func inShard(s shard.Shard, warnings []schemas.Warning) map[string]bool {
	count := map[string]int{}
	for i := range warnings {
		count[packageOf(&warnings[i])]++
	}
	packages := slices.Sorted(maps.Keys(count))
	weights := make([]int, len(packages))
	for i, path := range packages {
		weights[i] = count[path]
	}
	mine := map[string]bool{}
	for i, ok := range s.Runs(weights, func(int) bool { return false }) {
		mine[packages[i]] = ok
	}
	return mine
}

// packages returns the packages of the warnings.
func (c *confirmer) packages() []*source.Package {
	var out []*source.Package
	for _, pkg := range c.prog.All {
		if c.mine[pkg.Path] {
			out = append(out, pkg)
		}
	}
	return out
}

// isMine reports whether the document is about a warning.
func (c *confirmer) isMine(w *schemas.Warning) bool { return c.mine == nil || c.mine[packageOf(w)] }

// packageOf returns the path of the package that a warning is about.
func packageOf(w *schemas.Warning) string { return symbol.Parse(w.Func).Package }

// accept records that a test confirms a warning, and reports whether the policy lets its crash be
// reported. outside reports whether a library raised the panic: then it is no refusal of arguments
// by the testee.
func (c *confirmer) accept(w *schemas.Warning, x *schemas.Crash, outside bool) bool {
	c.stats.Confirmed++
	c.ways[w.ID] = c.wayOf(x)
	if x.BuiltBy == schemas.BySequence {
		c.stats.BySequence++
	}
	why := c.opt.Policy.Suppressed(w)
	if why != "" && !(outside && w.Kind == schemas.ExplicitPanic) {
		c.reasons[w.ID] = reason{schemas.HeldBack, why}
		c.stats.Suppressed++
		return false
	}
	delete(c.reasons, w.ID)
	return true
}

// document returns the crashes, grouped, and the unconfirmed warnings.
func (c *confirmer) document() *schemas.Crashes {
	out := &schemas.Crashes{
		Crashes:     report.Group(slices.Concat(c.crashes, c.others)),
		Unconfirmed: []schemas.Unconfirmed{},
		Stats:       c.stats,
	}
	for _, w := range c.warnings {
		if !c.isMine(&w) {
			continue
		}
		if r, ok := c.reasons[w.ID]; ok {
			out.Unconfirmed = append(out.Unconfirmed,
				schemas.Unconfirmed{Warning: w.ID, Outcome: r.outcome, Reason: r.text})
		} else if c.ways[w.ID] < zeroWay {
			out.Stats.NoPublicWay++
		}
	}
	report.SortUnconfirmed(out.Unconfirmed)
	return out
}
