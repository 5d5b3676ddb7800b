package random

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"

	"dsd/crash/blame"
	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/report"
	"dsd/crash/search/campaign"
	"dsd/crash/search/constants"
	"dsd/crash/search/feedback"
	"dsd/crash/verify"
	"dsd/internal/fingerprint"
	"dsd/internal/ignore"
	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

// DefaultTime is the time to draw candidates if Options.Time is 0.
const DefaultTime = time.Minute

// noLimit is more time than anybody has.
const noLimit = 1000 * time.Hour

// minVerifying is how long crashes are verified at least. More time than to draw candidates they get only if that is
// shorter.
const minVerifying = 5 * time.Second

// graceTime is how long an interrupted run still verifies what it found: a user waits for its end.
const graceTime = 1200 * time.Millisecond

// Reasons for which functions are skipped, and crashes not reported, besides those of
// verify.Verdict.
const (
	reasonNotTested = "its package could not be tested"
	reasonNoTime    = "the time was over before its package was tested"
	reasonFlaky     = "its test crashed in %d of %d runs"
)

// Options configure Run. The zero value works.
type Options struct {
	// Time is how long to draw candidates, over all packages of the shard, and how long at most to verify what
	// crashed; 0 is DefaultTime, or any time if Candidates are given.
	Time time.Duration
	// Candidates is the number of candidates of each package, 0 for as many as there is time for. Another run with as
	// many finds the same.
	Candidates int
	// Shard is the part of the packages to test.
	Shard shard.Shard
	// Seed seeds the random numbers. Runs with the same seed draw the same candidates, one of them more than the
	// other.
	Seed int64
	// Reset is how package-level variables are reset between candidates; "" is
	// candidate.ResetReinit.
	Reset candidate.ResetMode
	// Assume holds the inferred preconditions of functions; nil if there are none.
	Assume *schemas.Invariants
	// Policy decides which crashes are reported; "" is report.Classic.
	Policy report.Policy
	// Tests is the directory for the tests of reported crashes, in the testee's layout; ""
	// writes none.
	Tests string
	// Corpus is the folder of native fuzzing's inputs, see fuzztarget.ReadCorpus; "" for none. NewInputs is
	// the folder for inputs of the same targets that the run kept, in the testee's layout; "" writes none.
	Corpus, NewInputs string
	// State is a folder for what each package's run keeps, which another run begins with; "" for none.
	State string
	// Observed holds values that parameters had in the testee's own tests; candidates use them.
	Observed constants.Observed
	// Only, if not nil, matches the names of the functions to test, as documents write them.
	Only *regexp.Regexp
	// Jobs is the number of packages that are tested at the same time; 0 is one per processor.
	Jobs int
	// Unconfined lets candidates do whatever the user may do; otherwise they are confined.
	Unconfined bool
	// Log receives one line per problem; nil discards them.
	Log io.Writer
	// Progress, if not nil, is called from time to time, never concurrently.
	Progress func(Progress)
}

// Progress is the state of a run.
type Progress struct {
	Candidates, Crashes int
	Elapsed, Left       time.Duration
}

// Run tests the packages of prog at random and returns the crashes. The test of each crash is as
// short as the search could make it and crashed in each of verify.Repeats processes of its own [DSD
// 4]; under report.All, it may be flaky.
//
// When ctx ends, Run verifies what it found, for graceTime at most, and returns that in a document
// marked incomplete, together with ctx's error. Other errors: an *InputError; writing the tests, or what is kept.
func Run(ctx context.Context, prog *source.Program, opt Options) (*schemas.Crashes, error) {
	switch {
	case opt.Time == 0 && opt.Candidates > 0:
		opt.Time = noLimit
	case opt.Time == 0:
		opt.Time = DefaultTime
	}
	if opt.Policy == "" {
		opt.Policy = report.Classic
	}
	if opt.Reset == "" {
		opt.Reset = candidate.ResetReinit
	}
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.GOMAXPROCS(0)
	}
	opt.Log = verify.Log(opt.Log)
	t := &tester{
		prog: prog, opt: opt, start: time.Now(),
		preconditions: instrument.NewPreconditions(opt.Assume),
	}
	for i, mine := range opt.Shard.Each(len(prog.Packages)) {
		if mine {
			t.pkgs = append(t.pkgs, prog.Packages[i])
		}
	}
	if err := t.readInputs(); err != nil {
		return nil, err
	}
	t.results, t.stats = make([]*campaign.Result, len(t.pkgs)), make([]feedback.Stats, len(t.pkgs))
	t.packages(ctx)
	grace, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(graceTime, cancel) })()
	out, err := t.document(grace)
	if err != nil {
		return nil, err
	}
	out.Incomplete = ctx.Err() != nil
	if !out.Incomplete && t.failure != nil &&
		!slices.ContainsFunc(t.results, func(r *campaign.Result) bool { return r != nil }) {
		return out, fmt.Errorf("no package can be tested: %w", t.failure)
	}
	if out.Incomplete {
		return out, ctx.Err()
	}
	return out, t.writeFailure
}

// tester is the state of one run.
type tester struct {
	prog          *source.Program
	opt           Options
	preconditions instrument.Preconditions
	start         time.Time
	namer         verify.Namer
	pkgs          []*source.Package // to test
	inputs        []inputs          // of pkgs

	mu sync.Mutex // guards the following while packages are tested
	// results and stats are parallel to pkgs. A result is nil if the package could not
	// be tested.
	results []*campaign.Result
	stats   []feedback.Stats
	failure error // why the last of those could not be tested
	// writeFailure is why what a run keeps could not be written.
	writeFailure error
}

// packages tests the packages, opt.Jobs at a time.
func (t *tester) packages(ctx context.Context) {
	shares := &shares{
		left: t.opt.Time * time.Duration(min(t.opt.Jobs, len(t.pkgs))), packages: len(t.pkgs),
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range t.opt.Jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				share := shares.take()
				res := t.test(ctx, i, share)
				t.mu.Lock()
				t.results[i] = res
				t.mu.Unlock()
				if res == nil {
					shares.giveBack(share)
				} else {
					shares.giveBack(share - res.Stats.Elapsed) // below 0 if it took longer
				}
			}
		}()
	}
	for i := range t.pkgs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// shares divides the time of a run among its packages.
type shares struct {
	mu       sync.Mutex
	left     time.Duration // that no package has
	packages int           // that have no share yet
}

// take returns the share of the next package: an equal part of what is left. Which of the packages asks first does not
// matter.
func (s *shares) take() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	share := max(s.left/time.Duration(s.packages), 0)
	s.left -= share
	s.packages--
	return share
}

// giveBack returns what a package did not need.
func (s *shares) giveBack(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left += d
}

// test tests the i-th package for a duration; it returns nil if that is impossible.
func (t *tester) test(ctx context.Context, i int, d time.Duration) *campaign.Result {
	pkg := t.pkgs[i]
	opt := campaign.Options{
		Time: d, Candidates: t.opt.Candidates, Seed: t.opt.Seed, Reset: t.opt.Reset, Open: t.opt.Unconfined,
		All:           t.opt.Policy != report.Classic,
		Preconditions: t.preconditions, Observed: t.opt.Observed,
		Progress: func(s feedback.Stats) { t.progress(i, s) },
	}
	in := &t.inputs[i]
	opt.State, opt.Keep = in.state, t.opt.State != ""
	if in.corpus != nil {
		opt.Inputs = in.corpus.Sources()
	}
	if t.opt.Only != nil {
		opt.Only = func(fn *types.Func) bool {
			return t.opt.Only.MatchString(source.FuncName(fn))
		}
	}
	res, err := campaign.Run(ctx, t.prog, pkg, opt)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(t.opt.Log, "cannot test %s: %s\n", pkg.Path, verify.FirstLine(err))
		t.mu.Lock()
		t.failure = errors.New(verify.FirstLine(err))
		t.mu.Unlock()
		if res != nil && res.Stats.Blocks+res.Stats.Panics == 0 { // nothing ran
			return nil
		}
	}
	if res != nil {
		if err := t.writeInputs(i, res); err != nil {
			fmt.Fprintf(t.opt.Log, "%s: what the run keeps cannot be written: %v\n", pkg.Path, err)
			t.mu.Lock()
			t.writeFailure = err
			t.mu.Unlock()
		}
	}
	return res
}

// progress reports the sum over all packages after the i-th made progress.
func (t *tester) progress(i int, s feedback.Stats) {
	if t.opt.Progress == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats[i] = s
	p := Progress{Elapsed: time.Since(t.start)}
	if t.opt.Time < noLimit {
		p.Left = max(t.opt.Time-p.Elapsed, 0)
	}
	for _, s := range t.stats {
		p.Candidates += s.Candidates
		p.Crashes += s.Crashes
	}
	t.opt.Progress(p)
}

// document verifies the crashes of all packages, writes their tests, and returns the document.
func (t *tester) document(ctx context.Context) (*schemas.Crashes, error) {
	out := &schemas.Crashes{
		Crashes: []schemas.Crash{}, Unconfirmed: []schemas.Unconfirmed{},
	}
	out.Module, out.Shards = t.prog.Header().Module, t.opt.Shard.Header()
	for _, b := range t.prog.Broken {
		if !t.opt.Shard.First() {
			break
		}
		fmt.Fprintf(t.opt.Log, "cannot test %s: %s\n", b.Path, b.Reason())
		out.Skipped = append(out.Skipped, schemas.Skipped{Func: b.Path, Reason: b.Reason()})
	}
	verifying := shares{left: max(t.opt.Time, minVerifying), packages: len(t.pkgs)}
	for i, pkg := range t.pkgs {
		share, began := verifying.take(), time.Now()
		res := t.results[i]
		if res == nil {
			verifying.giveBack(share)
			out.Skipped = append(out.Skipped, skipped(pkg, reasonNotTested)...)
			continue
		}
		if res.Cut && res.Stats.Candidates == 0 {
			out.Skipped = append(out.Skipped, skipped(pkg, reasonNoTime)...)
		}
		out.Stats.Candidates += res.Stats.Candidates
		out.Stats.Suppressed += res.Suppressed
		out.Skipped = append(out.Skipped, res.Graph.Skipped...)
		if res.Fault != "" {
			fmt.Fprintf(t.opt.Log, "%s: %s: state may leak between candidates\n",
				pkg.Path, res.Fault)
		}
		crashes, err := t.verify(ctx, share, pkg, res, &out.Stats)
		verifying.giveBack(share - time.Since(began))
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(t.opt.Log, "%s: cannot verify %s: %s\n",
				pkg.Path, text.Count(len(res.Crashes), "crash"),
				verify.FirstLine(err))
		}
		out.Crashes = append(out.Crashes, crashes...)
	}
	report.SortSkipped(out.Skipped)
	out.Crashes = report.Group(out.Crashes)
	out.Crashes = blame.Assess(ctx, t.prog, out.Crashes, blame.Options{
		OnePerPanic: true, Assume: t.opt.Assume, Jobs: t.opt.Jobs, Unconfined: t.opt.Unconfined, Log: t.opt.Log,
	})
	if n := out.Stats.Unverified; n > 0 && ctx.Err() == nil {
		fmt.Fprintf(t.opt.Log, "%s more found; there was no time to run their tests: give more --time\n", text.Count(n, "crash"))
	}
	fingerprint.Crashes(t.prog, out.Crashes)
	verify.RenameTests(out.Crashes)
	ignore.Crashes(t.prog, out.Crashes)
	if t.opt.Tests != "" {
		if err := verify.WriteTests(t.prog, t.opt.Tests, out.Crashes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// skipped returns the exported functions and methods of a package that was not tested, with the reason.
func skipped(pkg *source.Package, reason string) []schemas.Skipped {
	var out []schemas.Skipped
	for _, f := range pkg.Funcs() {
		if f.Obj.Exported() {
			out = append(out, schemas.Skipped{Func: f.Name, Reason: reason})
		}
	}
	return out
}
