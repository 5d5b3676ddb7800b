package search

import (
	"context"
	"go/types"
	"slices"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/internal/source"
)

// Options say how to test a package.
type Options struct {
	// Time is how long, the build aside.
	Time time.Duration
	// Seed makes runs repeatable, as far as time does not matter.
	Seed  int64
	Reset candidate.ResetMode
	// Open lets candidates do all that the user may.
	Open bool
	// All says that explicit panics and nil arguments that are dereferenced are made small, too; they are counted otherwise.
	All bool
	// Candidates is after how many to end; 0 is any number. With a number, what is found does not depend on time, unless
	// that runs out.
	Candidates int
	// Preconditions are what is known of the inputs of functions.
	Preconditions instrument.Preconditions
	// Goals are crashes that are looked for: half of the candidates are drawn for them, others of the crashes are not made
	// small, and crashes at one place are told apart by the function that the test calls last. It ends when all are found.
	Goals []Goal
	// ModSets says which functions write what goals constrain; they are called more often on the way there.
	ModSets ModSets
	// Only, if not nil, says which functions are tested; the others may still make values.
	Only func(*types.Func) bool
	// Observed are values that parameters had.
	Observed Observed
	// Literals are used besides the constants of the source: Go literals.
	Literals []string
	// Progress, if not nil, is called now and then.
	Progress func(Stats)
}

// Stats count.
type Stats struct {
	Candidates, Panics int
	// Blocks of the testee that were executed, of All.
	Blocks, All int
	// Crashes are different ones.
	Crashes int
	// Hangs, Exits and Deaths are candidates that had to be stopped, ended the process by choice, or by a fatal error.
	Hangs, Exits, Deaths int
	Processes            int
	// Elapsed is how long candidates were drawn.
	Elapsed time.Duration
}

// Result is what testing a package came to.
type Result struct {
	Graph   *Graph
	Stats   Stats
	Crashes []*Crash
	// Suppressed counts the crashes that were left alone: explicit panics, and nil arguments that are dereferenced.
	Suppressed int
	// Fault is why state leaks between candidates, "" if it does not.
	Fault string
}

// graceTime is how long an interrupted run goes on to make small what was found.
const graceTime = 10 * time.Second

// minBatch and maxBatch are how many candidates are sent at a time: fewer if they are slow.
const (
	minBatch = 8
	maxBatch = 4096
	// fixedBatch is how many if a number of candidates is wanted.
	fixedBatch = 256
)

// maxCorpus is how many candidates are kept to be changed.
const maxCorpus = 2000

// Run tests a package of prog until the time is over or ctx ends; then what was found is returned, with ctx's error. Other
// errors: the package does not build.
func Run(ctx context.Context, prog *source.Program, pkg *source.Package, opt Options) (*Result, error) {
	g := New(prog, pkg, opt.Goals, opt.Observed)
	if opt.Only != nil {
		g.Targets = slices.DeleteFunc(g.Targets, func(i int) bool { return !opt.Only(g.Table[i].Func) })
	}
	if len(g.Targets) == 0 {
		return &Result{Graph: g}, nil
	}
	var aims []*aim
	var goals []candidate.Goal
	if len(opt.Goals) > 0 {
		aims, goals = g.aims(opt.Goals, opt.ModSets)
	}
	h, err := candidate.Build(ctx, prog, pkg, g.Table, candidate.BuildOptions{Reset: opt.Reset, Preconditions: opt.Preconditions, Goals: goals})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if len(h.Dropped) > 0 {
		aims = g.Keep(h.Table, h.Dropped, aims)
	}
	if len(g.Targets) == 0 {
		return &Result{Graph: g}, nil
	}
	c := &campaign{prog: prog, h: h, g: g, aims: aims, s: newSampler(g, opt.Seed), opt: opt, found: map[string]*Crash{}, keys: map[uint64]*Crash{}, costly: [2]map[int]bool{{}, {}}}
	limits := candidate.DefaultLimits
	limits.Unconfined = opt.Open
	if len(aims) > 0 || len(opt.Preconditions) > 0 {
		limits.PanicsPerStack = maxSame
	}
	c.runner = h.NewRunner(limits)
	g.use(opt.Literals)
	defer c.runner.Close()
	c.stats.All, c.seen = h.Blocks, make([]bool, h.Blocks)
	err = c.run(ctx)
	c.stats.Elapsed = time.Since(c.begin)
	if ctx.Err() != nil { // what was found is still made small
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
		defer cancel()
		ctx = grace
	}
	refused := c.minimise(ctx)
	c.stats.Processes = c.runner.Processes
	res := &Result{Graph: g, Stats: c.stats, Suppressed: refused, Fault: c.runner.Fault}
	for _, k := range c.order {
		res.Crashes = append(res.Crashes, c.found[k])
	}
	return res, err
}

// campaign is the testing of one package.
type campaign struct {
	prog   *source.Program
	h      *candidate.Harness
	g      *Graph
	s      *sampler
	opt    Options
	runner *candidate.Runner
	aims   []*aim
	corpus []candidate.Program
	seen   []bool // blocks
	// found are the crashes by kind and stack, in order, nil if they are not kept; keys by what the runtime tells stacks apart by.
	found map[string]*Crash
	order []string
	keys  map[uint64]*Crash
	// costly are the operations that ended their process or were slow, in candidates with small numbers and with large ones;
	// lost is the time that this took.
	costly [2]map[int]bool
	lost   time.Duration
	begin  time.Time
	stats  Stats
}

// maxSame is how many crashes of a stack are looked at if one with certain inputs is wanted.
const maxSame = 100

// maxLost is the share of the time that may go into candidates that end their process or are slow.
const maxLost = 0.25

// run draws and executes candidates.
func (c *campaign) run(ctx context.Context) error {
	c.begin = time.Now()
	size := minBatch
	var batch []candidate.Program
	for time.Since(c.begin) < c.opt.Time && !c.finished() && (c.opt.Candidates == 0 || c.stats.Candidates < c.opt.Candidates) {
		batch = batch[:0]
		for tries := 0; len(batch) < size && tries < 20*size; tries++ {
			if p := c.next(); p != nil && !c.deadly(p) {
				batch = append(batch, p)
			}
		}
		if len(batch) == 0 {
			return nil
		}
		sent := time.Now()
		events, err := c.runner.Run(ctx, batch)
		c.stats.Candidates += len(batch)
		for _, e := range events {
			c.note(batch[e.Index], e)
		}
		if err != nil {
			return err
		}
		if c.opt.Candidates > 0 {
			size = fixedBatch
		} else if time.Since(sent) > 20*time.Millisecond {
			size = max(size/2, minBatch)
		} else {
			size = min(size*2, maxBatch)
		}
		c.stats.Panics, c.stats.Crashes = c.runner.Panics, len(c.found)
		if c.opt.Progress != nil {
			c.opt.Progress(c.stats)
		}
	}
	return nil
}

// finished says that all that was looked for is found.
func (c *campaign) finished() bool {
	for _, a := range c.aims {
		if !a.done {
			return false
		}
	}
	return len(c.opt.Goals) > 0
}

// next is a new candidate, or one that is changed.
func (c *campaign) next() candidate.Program {
	if len(c.aims) > 0 && c.s.r.Intn(4) > 0 {
		if a := c.aims[c.s.r.Intn(len(c.aims))]; !a.done {
			return c.s.toward(a)
		}
	}
	if len(c.corpus) > 0 && c.s.r.Intn(2) == 0 {
		return c.s.change(c.corpus[c.s.r.Intn(len(c.corpus))])
	}
	return c.s.candidate()
}

// deadly says that a candidate would probably cost much, and that enough was lost to such already.
func (c *campaign) deadly(p candidate.Program) bool {
	costly := c.costly[c.largest(p)]
	switch {
	case len(costly) == 0:
		return false
	case c.opt.Candidates == 0 && c.lost.Seconds() < maxLost*time.Since(c.begin).Seconds():
		return false
	}
	for i := range p {
		if costly[p[i].Op] && !c.s.onStack[p[i].Op] { // what the stack has must be called
			return true
		}
	}
	return false
}

// largest is 1 if a candidate has a large number, else 0.
func (c *campaign) largest(p candidate.Program) int {
	for i := range p {
		if c.g.Table[p[i].Op].Lit && large(p[i].Bits) && kindOf(c.g.Table[p[i].Op]) == "number" {
			return 1
		}
	}
	return 0
}

// note keeps what a candidate came to.
func (c *campaign) note(p candidate.Program, e candidate.Event) {
	switch e.Kind {
	case "new":
		fresh := 0
		for _, b := range e.Blocks {
			if !c.seen[b] { // by an earlier process
				c.seen[b] = true
				fresh++
			}
		}
		c.stats.Blocks += fresh
		if fresh > 0 && len(c.corpus) < maxCorpus {
			c.corpus = append(c.corpus, p)
		}
		return
	case "near":
		for _, n := range e.ImprovedGoals {
			c.nearer(p, n)
		}
		return
	case "slow":
		if c.opt.Candidates > 0 { // what is found must not depend on time
			return
		}
		fallthrough
	case "hang", "exit", "fatal":
		c.lost += e.Took
		if e.Stmt < len(p) {
			p = p[:e.Stmt+1]
			c.costly[c.largest(p)][p[e.Stmt].Op] = true
		}
	}
	switch e.Kind {
	case "hang":
		c.stats.Hangs++
	case "exit":
		c.stats.Exits++
	case "fatal":
		c.stats.Deaths++
		c.crash(p, e)
	case "panic":
		if e.Stmt < len(p) {
			p = p[:e.Stmt+1]
		}
		c.crash(p, e)
	}
}

// nearer keeps a candidate that came nearer to a goal, up to the call.
func (c *campaign) nearer(p candidate.Program, goal int) {
	for _, a := range c.aims {
		if a.number != goal {
			continue
		}
		for i := len(p) - 1; i >= 0; i-- {
			if p[i].Op == a.op {
				if len(a.near) == maxNear {
					a.near = a.near[1:]
				}
				a.near = append(a.near, p[:i+1:i+1])
				break
			}
		}
	}
}

// kindOf is the kind of a literal's type.
func kindOf(op *candidate.Op) string {
	b, ok := op.Out[0].Underlying().(*types.Basic)
	switch {
	case !ok:
		return ""
	case b.Info()&(types.IsFloat|types.IsComplex) != 0:
		return "float"
	}
	return "number"
}
