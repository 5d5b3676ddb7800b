package search

import (
	"context"
	"go/token"
	"math"
	"time"

	"dsd/crash/candidate"
	"dsd/schemas"
)

// evolution is one search.
type evolution struct {
	*campaign
	want *StackTrace
	opt  EvolveOptions
	pop  population
	// stacks are what panics add to the fitness, by what tells them apart.
	stacks map[uint64]float64
	// others are panics that are not wanted, by what tells them apart.
	others map[uint64]bool
	// seeds are candidates made of the package's tests, of which the first cloned were tried.
	seeds  []candidate.Program
	cloned int
	// fresh runs candidates that crash once more, with all variables as they are at the start; doubts counts those that do not
	// crash then, by what tells their panics apart.
	fresh  *candidate.Runner
	doubts map[uint64]int
	// learned counts the literals that came while it ran, and solved are programs that did, of which the first given were tried.
	learned int
	solved  []candidate.Program
	given   int
	// origins say what made the candidates of the batch, and messages are what panics say, by what tells them apart.
	origins  []schemas.Strategy
	messages map[uint64]string
	// banned are the operations that candidates must not contain, and levels those of the searcher.
	banned map[int]bool
	levels map[int]int
	out    EvolveResult
}

// elsewhere is what a candidate is worse by that panics otherwise than one that does not panic.
const elsewhere = 0.01

// maxRun is how long a candidate may take, and maxPasses how many loop passes and calls it may make: most of those that take more
// never end.
const (
	maxRun    = 300 * time.Millisecond
	maxPasses = 1 << 20
)

// maxStale is after how many generations without a better candidate the population begins anew.
const maxStale = 200

// run draws and executes candidates, a generation at a time.
func (e *evolution) run(ctx context.Context) error {
	e.begin = time.Now()
	size := minBatch
	var batch []candidate.Program
	for !e.done(ctx) {
		batch, e.origins = batch[:0], e.origins[:0]
		for tries := 0; len(batch) < size && tries < 20*size; tries++ {
			if p, origin := e.next(); len(p) > 0 && !e.deadly(p) && !e.forbidden(p) {
				batch, e.origins = append(batch, p), append(e.origins, origin)
			}
		}
		if len(batch) == 0 {
			return nil
		}
		if e.opt.Literals != nil {
			e.learn(e.opt.Literals(e.learned))
		}
		if e.opt.SolverPrograms != nil {
			e.solved = append(e.solved, e.opt.SolverPrograms(len(e.solved))...)
		}
		sent := time.Now()
		e.runner.Climb.Bound = e.promising()
		events, err := e.runner.Run(ctx, batch)
		e.stats.Candidates += e.runner.Evaluated
		if e.opt.Count != nil {
			e.opt.Count.Add(int64(e.runner.Evaluated))
		}
		for _, ev := range events {
			origin := e.origins[ev.Index]
			if ev.Variant != nil {
				origin = schemas.StrategySearch
			}
			e.note(ev.Program(batch), ev)
			e.judge(ctx, ev.Program(batch), origin, ev)
		}
		e.keep(batch, e.slow(events))
		if err != nil {
			return err
		}
		if time.Since(sent) > 20*time.Millisecond {
			size = max(size/2, minBatch)
		} else {
			size = min(size*2, maxBatch)
		}
	}
	return ctx.Err()
}

// learn adds literals to those that are drawn.
func (e *evolution) learn(literals []string) {
	if len(literals) == 0 {
		return
	}
	e.learned += len(literals)
	if v := e.runner.Climb.Vocabulary; v != nil {
		e.runner.Climb.Vocabulary = extended(v, literals)
	}
	for _, text := range literals {
		if v, ok := valueOf(text); ok {
			if kindOfLiteral(text) == token.STRING {
				e.s.texts = append(e.s.texts, v)
			} else {
				e.s.numbers = append(e.s.numbers, v)
			}
		}
	}
}

// done says that the search is over.
func (e *evolution) done(ctx context.Context) bool {
	now := time.Now()
	switch {
	case ctx.Err() != nil || now.After(e.opt.Until) || e.opt.Enough != nil && e.opt.Enough():
		return true
	case e.out.Crash == nil:
		return false
	}
	return !e.out.Crash.Fabricated || now.Sub(e.begin) > 2*e.out.Crash.FoundAfter+time.Second
}

// maxTook is how long a candidate may take to be kept, once much was lost to such.
const maxTook = 20 * time.Millisecond

// slow are the candidates of a batch that are not to be kept: their like would take up the time.
func (e *evolution) slow(events []candidate.Event) map[int]bool {
	if e.lost.Seconds() < maxLost*time.Since(e.begin).Seconds() {
		return nil
	}
	slow := map[int]bool{}
	for _, ev := range events {
		if ev.Took > maxTook {
			slow[ev.Index] = true
		}
	}
	return slow
}

// forbidden says that a candidate contains a banned operation.
func (e *evolution) forbidden(p candidate.Program) bool {
	for i := range p {
		if e.banned[p[i].Op] {
			return true
		}
	}
	return false
}

// next is a candidate: one that tests make, an offspring of the population, a change of one that reached new code, or a new one;
// and what made it.
func (e *evolution) next() (candidate.Program, schemas.Strategy) {
	if e.given < len(e.solved) {
		e.given++
		return e.solved[e.given-1], schemas.StrategyPath
	}
	if e.cloned < len(e.seeds) { // as they are, and so that they call a function of the stack
		e.cloned++
		p := e.seeds[e.cloned-1]
		if !e.s.guides(p) {
			p = e.s.guided(p)
		}
		return p, schemas.StrategyTests
	}
	p, origin := e.draw()
	return e.upToStack(p), origin
}

// upToStack is a candidate without what follows its last call of a function of the stack.
func (e *evolution) upToStack(p candidate.Program) candidate.Program {
	for i := len(p) - 1; i >= 0; i-- {
		if e.s.onStack[p[i].Op] {
			return p[: i+1 : i+1]
		}
	}
	return p
}

// draw is a candidate that is not given.
func (e *evolution) draw() (candidate.Program, schemas.Strategy) {
	switch n := e.s.r.Intn(8); {
	case !e.opt.Evolve:
		if e.opt.Values {
			return e.s.initial(), schemas.StrategyValues
		}
		return nil, ""
	case n == 7 && len(e.seeds) > 0:
		return e.s.guidedMutation(e.seeds[e.s.r.Intn(len(e.seeds))]), schemas.StrategySearch
	case n < 4 && len(e.pop.list) > 1:
		return e.s.offspring(&e.pop), schemas.StrategySearch
	case n < 6 && len(e.corpus) > 0:
		return e.s.guidedMutation(e.corpus[e.s.r.Intn(len(e.corpus))]), schemas.StrategySearch
	}
	return e.s.initial(), schemas.StrategyValues
}

// judge keeps a panic that reproduces the wanted one, and what stacks add to the fitness.
func (e *evolution) judge(ctx context.Context, p candidate.Program, origin schemas.Strategy, ev candidate.Event) {
	if ev.Kind != "panic" && ev.Kind != "fatal" {
		return
	}
	if e.others[ev.StackKey] {
		return
	}
	x := e.read(ev.Text)
	if x == nil {
		return
	}
	level := e.want.MatchedFrames(x.Kind, x.Frames)
	if ev.StackKey != 0 && level <= e.opt.Above {
		e.others[ev.StackKey] = true
	}
	if ev.StackKey != 0 {
		if _, known := e.stacks[ev.StackKey]; !known {
			e.stacks[ev.StackKey], e.messages[ev.StackKey] = e.penalty(x, level), x.Message
		}
	}
	if level <= e.opt.Above {
		return
	}
	if ev.Stmt < len(p) {
		p = p[:ev.Stmt+1]
	}
	x.evidence, x.FoundAfter = e.evidence(p, ev), time.Since(e.begin)
	if old := e.out.Crash; old == nil || level > e.out.Level || level == e.out.Level && (old.Fabricated && !x.Fabricated || old.Fabricated == x.Fabricated && len(x.Program) < len(old.Program)) {
		if e.doubts[ev.StackKey] > maxDoubts || e.crashes(ctx, x, p, level) == 0 {
			e.doubts[ev.StackKey]++
			return
		}
		e.out.Crash, e.out.Level, e.out.Strategy, e.out.FoundAfter = x, level, origin, e.stats.Candidates
	}
}

// penalty is what a panic adds to the fitness, up to 3: 2 if it is another, and up to 1 for the distance of its stack.
func (e *evolution) penalty(x *Crash, level int) float64 {
	if x.Kind != e.want.Kind || level == 0 {
		return 3
	}
	return e.want.stackDistance(x.Frames)
}

// keep computes the fitness of a batch and keeps the fittest, but slow ones.
func (e *evolution) keep(batch []candidate.Program, slow map[int]bool) {
	if e.runner.Distances == nil {
		return
	}
	bound := e.worstKept()
	var fit []individual
	same := map[float64]int{} // no more than a part of the population is equal anyway
	e.out.Evaluated += e.runner.Evaluated
	for i, p := range batch {
		d := float64(e.runner.Distances[i])
		if math.IsInf(d, 1) || slow[i] {
			continue
		}
		if v := e.runner.Best[i]; v != nil {
			p = v
		}
		f := 3*d/(d+1) + 3
		if key := e.runner.Stacks[i]; key != 0 {
			if penalty, ok := e.stacks[key]; ok {
				f += penalty - 3
			}
			if f > 3 { // it ends before it could do more
				f = min(f+elsewhere, worst)
			}
		}
		if f < e.out.Fitness {
			e.out.Fitness, e.out.Best, e.out.Distance, e.out.Panic = f, p, d, e.messages[e.runner.Stacks[i]]
			e.tell(p)
		}
		if f <= bound && same[f] < maxEqual {
			same[f]++
			fit = append(fit, individual{p, f, float32(d)})
		}
	}
	e.pop.insert(fit)
	if e.pop.stale > maxStale {
		e.pop.restart()
	}
}

// tell tells of a candidate that came nearer.
func (e *evolution) tell(p candidate.Program) {
	if p = e.upToStack(p); e.opt.Improved != nil && e.s.onStack[p[len(p)-1].Op] {
		e.opt.Improved(p, e.levels[p[len(p)-1].Op])
	}
}

// climbing is how many variants of a candidate are tried in vain, and maxClimb how long all of them may take.
const (
	climbing = 32
	maxClimb = 5 * time.Millisecond
)

// promising is the distance up to which candidates are climbed around: that of the median of the population.
func (e *evolution) promising() float32 {
	if len(e.pop.list) < populationSize {
		return float32(math.Inf(1))
	}
	return e.pop.list[populationSize/2].distance
}

// worstKept is the fitness that a candidate must have to get into the population.
func (e *evolution) worstKept() float64 {
	if len(e.pop.list) < populationSize {
		return worst
	}
	return e.pop.list[len(e.pop.list)-1].fitness
}

// maxDoubts is how many candidates with a panic that does not happen again are tried.
const maxDoubts = 20

// crashes runs a candidate by itself and returns how many of its statements it takes to crash as x does, with a level, and
// without fabricating anything if x does not; 0 if it does not crash so. x is given the message and the stack.
func (e *evolution) crashes(ctx context.Context, x *Crash, p candidate.Program, level int) int {
	events, err := e.fresh.Run(ctx, []candidate.Program{p})
	if err != nil {
		return 0
	}
	for _, ev := range events {
		if ev.Kind != "panic" && ev.Kind != "fatal" {
			continue
		}
		y := e.read(ev.Text)
		if y == nil || e.want.MatchedFrames(y.Kind, y.Frames) < level {
			continue
		}
		end := min(ev.Stmt+1, len(p))
		if w := e.evidence(p[:end], ev); w.Fabricated && !x.Fabricated {
			continue
		}
		x.Message, x.Frames = y.Message, y.Frames
		return end
	}
	return 0
}

// minimise makes the candidate that crashes small.
func (e *evolution) minimise(ctx context.Context) {
	x := e.out.Crash
	until := time.Now().Add(maxMinimise)
	end := len(x.Program)
	same := func(p candidate.Program) bool {
		if time.Now().After(until) || ctx.Err() != nil {
			return false
		}
		n := e.crashes(ctx, x, p, e.out.Level)
		if n > 0 {
			end = n
		}
		return n > 0
	}
	x.Program = minimise(x.Program, e.g.Table, same)
	x.Program = x.Program[:min(end, len(x.Program))]
	e.describe(x)
}

// shorten makes the best candidate small, as near as it is.
func (e *evolution) shorten(ctx context.Context) {
	until := time.Now().Add(maxMinimise)
	e.out.Best = minimise(e.out.Best, e.g.Table, func(p candidate.Program) bool {
		if time.Now().After(until) || ctx.Err() != nil {
			return false
		}
		_, err := e.fresh.Run(ctx, []candidate.Program{p})
		return err == nil && len(e.fresh.Distances) == 1 && float64(e.fresh.Distances[0]) <= e.out.Distance && (e.fresh.Stacks[0] != 0) == (e.out.Panic != "")
	})
}
