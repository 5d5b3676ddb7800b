package campaign

import (
	"cmp"
	"context"
	"go/types"
	"slices"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/candidate/run"
	"dsd/crash/search/carve"
	"dsd/crash/search/constants"
	"dsd/crash/search/feedback"
	"dsd/crash/search/generate"
	"dsd/crash/search/goal"
	"dsd/crash/search/modelseed"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options says how to test a package.
type Options struct {
	// Time is how long to draw candidates and to shrink those that crash, without the build. It is
	// kept within a second. Candidates are the same ones each time, and time says how many there are.
	Time time.Duration
	// Seed is the seed of all random choices.
	Seed int64
	// Reset is how package-level variables are reset between candidates.
	Reset candidate.ResetMode
	// Open lets candidates do all that the user may: they are not confined.
	Open bool
	// All includes explicit panics, and dereferences of nil arguments. They are only counted
	// otherwise.
	All bool
	// Candidates is the number of candidates to run, 0 for any number. One that hangs, exits or
	// dies counts as passesCost or processCost of them. With a number, Time bounds only how long candidates are
	// drawn, and nothing else depends on time.
	Candidates int
	// Processor is how much processor time candidates may take in all, 0 for any: unlike Time, it does not depend on
	// what else runs on the machine.
	Processor time.Duration
	// Preconditions are the known preconditions of functions.
	Preconditions instrument.Preconditions
	// Goals are crashes to find. Most candidates are drawn towards one of them. Crashes at one
	// position are told apart by the last call of the candidate, and only crashes that reach a
	// goal are returned. The campaign ends when all goals are reached.
	Goals []goal.Goal
	// ModSets holds what functions write, so that those that write what a goal constrains are
	// called more often.
	ModSets goal.ModSets
	// Only, if not nil, reports whether a function is tested. The others may still make values.
	Only func(*types.Func) bool
	// Observed holds values that parameters had.
	Observed constants.Observed
	// Literals are Go literals to use besides the constants of the source.
	Literals []string
	// Inputs are test files whose candidates run first.
	Inputs []carve.Source
	// State is the Result.State of an earlier run, whose candidates run first; nil for none.
	State []byte
	// Keep asks for Result.State.
	Keep bool
	// Models are usage models by which objects are used as the source uses them; nil for none.
	Models *schemas.Models
	// Progress, if not nil, is called after each batch.
	Progress func(feedback.Stats)
	// Memo, if not nil, has what candidates of an earlier run showed, and gets what those of this one do.
	Memo *memo.Memo
}

// Result is the outcome of a campaign.
type Result struct {
	Graph *paramgraph.Graph
	Stats feedback.Stats
	// Crashes are sorted by position. Each happened again, and its candidate is shrunk.
	Crashes []*feedback.Crash
	// Inputs are the candidates made of Options.Inputs, and Kept those that reached new code or crashed.
	Inputs []carve.Named
	Kept   []candidate.Program
	// State is what another run needs to go on from here, if Options.Keep asks for it.
	State []byte
	// Cut is set if Options.Time or Options.Processor ended the search.
	Cut bool
	// Suppressed is the number of crashes that Options.All excludes.
	Suppressed int
	// Fault is why the package-level variables of a package cannot be reset between candidates,
	// "" if all can.
	Fault string
}

// processCost is the cost of a candidate that ends its process, in candidates, and passesCost that of
// one that runs out of passes: most of the time of a campaign with many such candidates goes there.
const (
	processCost = 1000
	passesCost  = 100
)

// graceTime is how long an interrupted campaign may take to shrink the crashes.
const graceTime = 500 * time.Millisecond

// Rounds have minRound to maxRound candidates: more and more, but fewer where most of the work is lost in costly ones.
// Those that are drawn for one of several goals have goalRound.
const (
	minRound  = 8
	maxRound  = 1024
	goalRound = 64
)

// climbVariants is the number of variants of a candidate that are tried in vain.
const climbVariants = 16

// behaviorRate is the probability that an object with a usage model is made as the model has it. On
// logrus, 0.1 loses four of 32 call sequences, because long behaviors leave fewer other candidates.
const behaviorRate = 0.03

// goalTimeout and goalPasses bound a candidate in a campaign with goals, where many candidates call
// the same function: most that take more never end.
const (
	goalTimeout = time.Second
	goalPasses  = 1 << 20
)

// countedProcessor is the processor time of a candidate in a campaign that is not bounded by time. The limits of passes
// and memory end nearly all that do not end by themselves within a second or two.
const countedProcessor = 5 * time.Second

// maxSameStack is the number of crashes with one stack that a process reports in a campaign with
// goals or preconditions: there, only crashes with certain inputs count.
const maxSameStack = 100

// Run tests a package of prog until the time is over, the goals are reached, or ctx ends. In the
// last case it returns what was found and the error of ctx. Any other error means that the package
// does not build, or that its harness cannot be run.
func Run(
	ctx context.Context, prog *source.Program, pkg *source.Package, opt Options,
) (*Result, error) {
	res, outdated, err := runOnce(ctx, prog, pkg, opt, false)
	if outdated && ctx.Err() == nil {
		res, _, err = runOnce(ctx, prog, pkg, opt, true)
	}
	return res, err
}

// runOnce is Run. outdated reports whether candidates were drawn otherwise than in the earlier run that was to answer
// for them: then all else means nothing. Where fresh is set, none is asked.
func runOnce(
	ctx context.Context, prog *source.Program, pkg *source.Package, opt Options, fresh bool,
) (res *Result, outdated bool, err error) {
	var required []*types.Func
	for _, g := range opt.Goals {
		required = append(required, g.Func)
	}
	for _, g := range opt.Goals {
		required = append(required, g.Callers...)
	}
	g, seeds := carve.Graph(prog, pkg, required, opt.Observed, opt.Inputs...)
	if opt.Only != nil {
		excluded := func(i int) bool { return !opt.Only(g.Table[i].Func) }
		g.Targets = slices.DeleteFunc(g.Targets, excluded)
	}
	if len(g.Targets) == 0 {
		return &Result{Graph: g}, false, nil
	}
	var plans []*goal.Plan
	var goals []candidate.Goal
	var targets [][]instrument.TargetFrame
	if len(opt.Goals) > 0 {
		plans, goals = goal.Plans(g, opt.Goals, opt.ModSets)
		for _, g := range opt.Goals {
			targets = append(targets, g.Trail)
		}
	}
	h, err := candidate.Build(ctx, prog, pkg, g.Table, candidate.BuildOptions{
		Reset: opt.Reset, Preconditions: opt.Preconditions, Goals: goals,
		Targets: targets, Memo: opt.Memo, Fresh: fresh,
	})
	if err != nil {
		return nil, false, err
	}
	defer h.Close()
	if len(h.Dropped) > 0 {
		plans = goal.Renumber(plans, g, g.Keep(h.Table, h.Dropped))
	}
	if len(g.Targets) == 0 {
		return &Result{Graph: g}, false, nil
	}
	c := &campaign{
		pkg: pkg, h: h, g: g, plans: plans, s: generate.NewSampler(g, opt.Seed), opt: opt,
		crashes: map[string]*feedback.Crash{}, sites: map[string][]string{},
		byStack: map[uint64]*feedback.Crash{}, batch: feedback.MinBatch,
	}
	limits := candidate.DefaultLimits
	limits.Unconfined = opt.Open
	limits.SingleCPU = true // goroutines take turns in the same order each time
	limits.Repeatable = true
	if len(plans) > 0 || len(opt.Preconditions) > 0 {
		limits.PanicsPerStack = maxSameStack
	}
	if len(plans) > 0 {
		limits.Timeout, limits.Passes = goalTimeout, goalPasses
	}
	if opt.Candidates > 0 {
		limits.Processor = countedProcessor
	}
	c.runner = h.NewRunner(limits)
	defer c.runner.Close()
	if len(plans) > 0 {
		c.seeds = carve.Programs(seeds, g.Table)
		c.runner.AllTargets = true
		c.runner.Climb = candidate.Climb{Variants: climbVariants, Time: time.Hour,
			Vocabulary: g.Constants.Vocabulary}
	}
	var inputs []carve.Named
	if len(opt.Inputs) > 0 {
		inputs = slices.DeleteFunc(carve.NamedPrograms(seeds, g.Table), func(n carve.Named) bool { return !n.More })
		for _, n := range inputs {
			c.seeds = append(c.seeds, n.Program)
		}
	}
	if opt.State != nil {
		before, err := decodeState(pkg.Types, g.Table, opt.State)
		if err != nil {
			return nil, false, err
		}
		c.seeds = append(c.seeds, before...)
	}
	// They are mutated whether they reach new code or not: native fuzzing sees more of a way than blocks, and
	// of an earlier run all that was kept is of use.
	given := program.Distinct(c.seeds, g.Table)
	given = given[:min(len(given), maxGiven)]
	c.s.Behaviors, c.s.BehaviorRate = modelseed.Select(g, opt.Models), behaviorRate
	g.AddLiterals(opt.Literals)
	costs := feedback.ByWork
	switch {
	case len(plans) > 0:
		costs = feedback.Never
	case opt.Candidates > 0:
		costs = feedback.ByWorkAlone
	}
	c.monitor = feedback.NewMonitor(g, h.Blocks, costs, nil)
	if len(opt.Goals) == 0 {
		c.monitor.Corpus = given
	}
	// The deadline ends a batch that would take longer, such as one whose candidates hang.
	draw, stop := context.WithTimeout(ctx, opt.Time)
	if err = c.run(draw); ctx.Err() == nil && draw.Err() != nil {
		err = nil
	}
	stop()
	cut := err == nil && c.timeOver()
	if ctx.Err() != nil { // still shrink what was found
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		ctx = grace
	}
	suppressed := c.shrink(ctx)
	c.monitor.Stats.Elapsed = c.monitor.Elapsed()
	c.monitor.Stats.Processes = c.runner.Processes
	res = &Result{
		Graph: g, Stats: c.monitor.Stats, Crashes: c.repeatable(), Suppressed: suppressed,
		Inputs: inputs, Kept: c.monitor.Corpus, Fault: c.runner.Fault, Cut: cut,
	}
	for _, x := range res.Crashes {
		res.Kept = append(res.Kept, x.Program)
	}
	res.Kept = program.Distinct(res.Kept, g.Table)
	if opt.Keep {
		var encoded error
		if res.State, encoded = encodeState(pkg.Types, g.Table, res.Kept); encoded != nil && err == nil {
			err = encoded
		}
	}
	return res, h.Outdated(), err
}

// maxGiven is the number of candidates from inputs and earlier runs that are mutated.
const maxGiven = 1500

// campaign is the working state of Run.
type campaign struct {
	pkg    *source.Package
	h      *candidate.Harness
	g      *paramgraph.Graph
	s      *generate.Sampler
	opt    Options
	runner *candidate.Runner
	plans  []*goal.Plan
	// seeds are the candidates made of the package's tests that are still to run, and focus is
	// the plan that the batch is drawn for; nil without goals.
	seeds   []candidate.Program
	focus   *goal.Plan
	turn    int // its index
	monitor *feedback.Monitor
	batch   int // the size of the next batch
	// crashes are the different crashes by site and way, keys their keys in the order in which
	// they were found, and sites those of each site.
	crashes map[string]*feedback.Crash
	keys    []string
	sites   map[string][]string
	// byStack holds the crashes by the key that the runtime reports for their stack.
	byStack map[uint64]*feedback.Crash
}

// run draws and runs candidates, a round at a time. What a round shows is used to draw the next one. Rounds depend on
// what candidates do, not on how long they take, so that a run that is given more time begins as one that is given less.
func (c *campaign) run(ctx context.Context) error {
	size := minRound
	var round []candidate.Program
	for !c.done() {
		round = round[:0]
		c.aim()
		for tries := 0; len(round) < size && tries < 20*size; tries++ {
			if p := c.draw(); p != nil && !c.monitor.TooCostly(p) {
				round = append(round, p)
			}
		}
		if len(round) == 0 {
			return nil
		}
		before := c.monitor.Lost()
		if err := c.test(ctx, round); err != nil {
			return err
		}
		switch {
		case len(c.plans) > 0:
			size = goalRound
		case c.monitor.Lost()-before > float64(len(round)):
			size = max(size/2, minRound)
		default:
			size = min(2*size, maxRound)
		}
	}
	return nil
}

// test runs the candidates of a round, a batch at a time: as much as takes little time. It stops when the time is over.
//
// A round towards goals is one batch. When a candidate ends the process, the others of its batch run again in the next
// process, which does not know how near earlier candidates came, and reports others as nearer. If time divided the
// rounds, the search would depend on it.
func (c *campaign) test(ctx context.Context, round []candidate.Program) error {
	for c.runner.Continues = false; len(round) > 0; c.runner.Continues = true {
		if c.timeOver() {
			return nil
		}
		size := min(c.batch, len(round))
		if len(c.plans) > 0 {
			size = len(round)
		}
		batch := round[:size]
		round = round[len(batch):]
		sent := time.Now()
		events, err := c.runner.Run(ctx, batch)
		before := c.monitor.Stats.Candidates
		c.monitor.Stats.Candidates += max(len(batch), c.runner.Evaluated)
		// In the order of the candidates, however they are divided into batches.
		slices.SortStableFunc(events, func(a, b candidate.Event) int { return cmp.Compare(a.Index, b.Index) })
		for _, e := range events {
			c.note(e.Program(batch), e, before+e.Index+1)
		}
		if err != nil {
			return err
		}
		c.batch = feedback.NextBatch(c.batch, time.Since(sent))
		c.monitor.Stats.Panics, c.monitor.Stats.Crashes = c.runner.Panics, len(c.sites)
		if c.opt.Progress != nil {
			c.opt.Progress(c.monitor.Stats)
		}
	}
	return nil
}

// done reports whether the budget is spent or all goals are reached.
func (c *campaign) done() bool {
	if c.timeOver() || c.opt.Candidates > 0 && c.work() >= c.opt.Candidates {
		return true
	}
	for _, p := range c.plans {
		if !p.Done {
			return false
		}
	}
	return len(c.opt.Goals) > 0
}

// timeOver reports whether what is left of the time is needed to shrink the crashes, or the processor time is spent.
func (c *campaign) timeOver() bool {
	return c.monitor.Elapsed() >= c.opt.Time-c.shrinkTime() ||
		c.opt.Processor > 0 && c.runner.Processor() >= c.opt.Processor
}

// work returns how much of Options.Candidates is spent.
func (c *campaign) work() int {
	s := &c.monitor.Stats
	return s.Candidates + processCost*(s.Killed+s.Exits+s.Deaths) + passesCost*(s.Hangs-s.Killed)
}

// aim chooses the plan that the next batch is drawn for: each in turn, as long as it is not done.
// The runtime tries variants of the candidates that come as near to it as any.
func (c *campaign) aim() {
	if len(c.plans) == 0 {
		return
	}
	for range c.plans {
		c.turn = (c.turn + 1) % len(c.plans)
		if c.focus = c.plans[c.turn]; !c.focus.Done {
			break
		}
	}
	c.runner.Target, c.runner.Climb.Bound = c.focus.Number, c.focus.Bound()
}

// draw draws a candidate towards a goal, a mutation of one that reached new code, or a new one. The
// candidates made of tests come first.
func (c *campaign) draw() candidate.Program {
	if n := len(c.seeds); n > 0 {
		p := c.seeds[n-1]
		c.seeds = c.seeds[:n-1]
		return p
	}
	if c.focus != nil && c.s.Rand.Intn(4) > 0 {
		return c.focus.Draw(c.s)
	}
	if corpus := c.monitor.Corpus; len(corpus) > 0 && c.s.Rand.Intn(2) == 0 {
		return c.s.Mutate(corpus[c.s.Rand.Intn(len(corpus))])
	}
	return c.s.Candidate()
}

// note records what happened to the n-th candidate.
func (c *campaign) note(p candidate.Program, e candidate.Event, n int) {
	c.monitor.Note(p, e)
	switch e.Kind {
	case run.KindNear:
		for _, number := range e.ImprovedGoals {
			for _, plan := range c.plans {
				if plan.Number == number {
					plan.Keep(p)
				}
			}
		}
		for _, near := range e.NearerTargets {
			for _, plan := range c.plans {
				if plan.Number == near.Trail {
					plan.Nearer(p, near.Distance)
				}
			}
		}

	case run.KindFatal, run.KindPanic:
		if e.Stmt < len(p) {
			p = p[:e.Stmt+1]
		}
		c.crash(p, e, n)
	}
}
