package search

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"dsd/crash/exec"
	"dsd/internal/source"
	"dsd/schemas"
)

// Searcher looks for inputs of one package that lead to a crash.
type Searcher struct {
	prog *source.Program
	pkg  *source.Package
	want *Wanted
	g    *Graph
	h    *exec.Harness
	// stack are the operations that call functions of the stack, innermost first, and hints what the stack says of their arguments.
	stack []int
	hints map[int][]Argument
	// levels are how many frames a crash can have in common with the wanted one at most, by the operation that is called.
	levels map[int]int
}

// NewSearcher builds the harness of a package for a wanted crash. Close it.
//
// Errors: no function of the stack can be called in the package, it does not build, or ctx ended.
func NewSearcher(ctx context.Context, prog *source.Program, pkg *source.Package, want *Wanted, observed Observed) (*Searcher, error) {
	var goals []Goal
	for _, f := range want.Frames {
		if f.Func != nil && f.Func.Pkg == pkg {
			goals = append(goals, Goal{Func: f.Func.Obj})
		}
	}
	if len(goals) == 0 {
		return nil, errors.New("no function of the stack is in it")
	}
	s := &Searcher{prog: prog, pkg: pkg, want: want, g: New(prog, pkg, goals, observed)}
	h, err := exec.Build(ctx, prog, pkg, s.g.Table, exec.BuildOptions{Reset: exec.Reinit, Places: want.places()})
	if err != nil {
		return nil, err
	}
	s.h = h
	if len(h.Dropped) > 0 {
		s.g.Keep(h.Table, h.Dropped, nil)
	}
	s.find()
	if len(s.stack) == 0 {
		h.Close()
		return nil, s.why()
	}
	s.g.use(want.Literals)
	return s, nil
}

// why says why no function of the stack can be called.
func (s *Searcher) why() error {
	for _, f := range s.want.Frames {
		for _, l := range s.g.Left {
			if f.Func != nil && f.Func.Name == l.Func {
				return fmt.Errorf("%s cannot be called: %s", l.Func, l.Reason)
			}
		}
	}
	return errors.New("no function of the stack can be called")
}

// find finds the operations that call functions of the stack, directly or as methods of an interface.
func (s *Searcher) find() {
	s.hints, s.levels = map[int][]Argument{}, map[int]int{}
	for i, f := range s.want.Frames {
		if f.Func == nil {
			continue
		}
		for _, t := range s.g.Targets {
			if !calls(s.g.Table[t].Func.Origin(), f.Func.Obj) {
				continue
			}
			if !slices.Contains(s.stack, t) {
				s.stack = append(s.stack, t)
				if !f.Literal {
					s.hints[t] = Arguments(f.Words, s.g.Table[t].Func)
				}
			}
			s.levels[t] = i + 1
		}
	}
	slices.SortStableFunc(s.stack, func(a, b int) int { return s.levels[a] - s.levels[b] })
}

// calls says that a call of fn may be one of wanted: it is that function, or the method of an interface that it implements.
func calls(fn, wanted *types.Func) bool {
	if fn == wanted {
		return true
	}
	recv, of := fn.Type().(*types.Signature).Recv(), wanted.Type().(*types.Signature).Recv()
	if recv == nil || of == nil || fn.Name() != wanted.Name() {
		return false
	}
	u, ok := recv.Type().Underlying().(*types.Interface)
	return ok && types.Implements(of.Type(), u)
}

// Levels is how many frames a crash of the package can have in common with the wanted one at most: up to the outermost
// function that can be called.
func (s *Searcher) Levels() int {
	most := 0
	for _, op := range s.stack {
		most = max(most, s.levels[op])
	}
	return most
}

// Close removes the harness.
func (s *Searcher) Close() error { return s.h.Close() }

// Missing says what a candidate at a distance lacks: the frame whose function it entered, the innermost, and the conditions that it
// did not meet there; ok is false if it entered none.
func (s *Searcher) Missing(distance float64) (frame WantedFrame, conditions []string, ok bool) {
	i, conditions, ok := s.h.Missing(distance)
	if !ok {
		return WantedFrame{}, nil, false
	}
	place := s.want.places()[i]
	for _, f := range s.want.Frames {
		if f.Func == place.Func && (f.Number == place.Line || place.Line == 0) && f.Literal == place.Literal {
			return f, conditions, true
		}
	}
	return WantedFrame{}, nil, false
}

// Graph is what the statements of candidates mean.
func (s *Searcher) Graph() *Graph { return s.g }

// SearchOptions say how to search.
type SearchOptions struct {
	// Until is when to end.
	Until time.Time
	Seed  int64
	// Open lets candidates do all that the user may.
	Open bool
	// Tests and Values are what candidates begin with: those carved from tests, as they are, and new ones; Evolve goes on with
	// changes of them.
	Tests, Values, Evolve bool
	// Models, if not nil, say how objects are used: some are made so.
	Models *schemas.Models
	// Literals, if not nil, returns Go literals to use besides those of the source, from number n on.
	Literals func(n int) []string
	// Near, if not nil, is told of candidates that come nearer than those before: the program up to its last call of a function of the
	// stack, and how many frames a crash of that can have in common with the wanted one. Solved, if not nil, returns programs to
	// try besides, from number n on.
	Near   func(p exec.Program, level int)
	Solved func(n int) []exec.Program
	// Above is how many frames are had already: functions whose calls cannot lead to more of them are not called.
	Above int
	// Count, if not nil, counts the candidates.
	Count *atomic.Int64
	// Enough, if not nil, is asked now and then whether to end.
	Enough func() bool
}

// Found is what a search came to.
type Found struct {
	Stats Stats
	// Crash reproduces the wanted one, nil if none does, in Level frames.
	Crash *Crash
	Level int
	// Fitness is that of the best candidate, Best [EVO definition 1].
	Fitness  float64
	Best     exec.Program
	Distance float64
	// Panic is what the best candidate panics with, "" if it does not.
	Panic string
	// Strategy is what found Crash: tests, values, search, or path if it was among Solved; After is how many candidates were tried until then.
	Strategy string
	After    int
	// Evaluated counts the candidates whose fitness was computed.
	Evaluated int
}

// Search looks for a candidate that crashes as wanted, until it has one, or its time is over. Several searches of one searcher may run at the same time.
func (s *Searcher) Search(ctx context.Context, opt SearchOptions) (*Found, error) {
	sam := newSampler(s.g, opt.Seed)
	sam.onStack, sam.hints = map[int]bool{}, s.hints
	banned := map[int]bool{}
	for _, op := range s.stack {
		if s.levels[op] > opt.Above {
			sam.stack = append(sam.stack, op)
			sam.onStack[op] = true
		} else {
			banned[op] = true
		}
	}
	if len(sam.stack) == 0 {
		return &Found{Fitness: worst}, nil
	}
	c := &campaign{prog: s.prog, h: s.h, g: s.g, s: sam, opt: Options{All: true, Open: opt.Open, Seed: opt.Seed}, found: map[string]*Crash{}, keys: map[uint64]*Crash{}, costly: [2]map[int]bool{{}, {}}}
	limits := exec.DefaultLimits
	limits.Open, limits.Same, limits.Lazy = opt.Open, maxSame, true
	limits.Candidate, limits.Passes = maxRun, maxPasses
	c.runner = s.h.NewRunner(limits)
	defer c.runner.Close()
	c.stats.All, c.seen = s.h.Blocks, make([]bool, s.h.Blocks)
	e := &evolution{campaign: c, want: s.want, opt: opt, stacks: map[uint64]float64{}, others: map[uint64]bool{}, banned: banned, levels: s.levels, doubts: map[uint64]int{}, messages: map[uint64]string{}}
	e.out.Fitness = worst
	sam.pool = s.g.behaviours(opt.Models)
	if opt.Tests {
		e.seeds = programs(s.g.seeds, s.g.Table)
	}
	limits.Same, limits.Lazy = 1<<30, false
	e.fresh = s.h.NewRunner(limits)
	defer e.fresh.Close()
	err := e.run(ctx)
	if e.out.Crash != nil {
		e.minimise(ctx)
	} else if e.out.Best != nil {
		e.shorten(ctx)
	}
	e.out.Stats = c.stats
	e.out.Stats.Processes = c.runner.Processes
	if err != nil && e.out.Crash == nil {
		return &e.out, err
	}
	return &e.out, nil
}

// evolution is one search.
type evolution struct {
	*campaign
	want *Wanted
	opt  SearchOptions
	pop  population
	// stacks are what panics add to the fitness, by what tells them apart.
	stacks map[uint64]float64
	// others are panics that are not wanted, by what tells them apart.
	others map[uint64]bool
	// seeds are candidates made of the package's tests, of which the first cloned were tried.
	seeds  []exec.Program
	cloned int
	// fresh runs candidates that crash once more, with all variables as they are at the start; doubts counts those that do not
	// crash then, by what tells their panics apart.
	fresh  *exec.Runner
	doubts map[uint64]int
	// learned counts the literals that came while it ran, and solved are programs that did, of which the first given were tried.
	learned int
	solved  []exec.Program
	given   int
	// origins say what made the candidates of the batch, and messages are what panics say, by what tells them apart.
	origins  []string
	messages map[uint64]string
	// banned are the operations that candidates must not contain, and levels those of the searcher.
	banned map[int]bool
	levels map[int]int
	out    Found
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
	var batch []exec.Program
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
		if e.opt.Solved != nil {
			e.solved = append(e.solved, e.opt.Solved(len(e.solved))...)
		}
		sent := time.Now()
		events, err := e.runner.Run(ctx, batch)
		e.stats.Candidates += len(batch)
		if e.opt.Count != nil {
			e.opt.Count.Add(int64(len(batch)))
		}
		for _, ev := range events {
			e.note(batch[ev.Index], ev)
			e.judge(ctx, batch[ev.Index], e.origins[ev.Index], ev)
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
	e.learned += len(literals)
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
	return !e.out.Crash.Fabricated || now.Sub(e.begin) > 2*e.out.Crash.After+time.Second
}

// maxTook is how long a candidate may take to be kept, once much was lost to such.
const maxTook = 20 * time.Millisecond

// slow are the candidates of a batch that are not to be kept: their like would take up the time.
func (e *evolution) slow(events []exec.Event) map[int]bool {
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
func (e *evolution) forbidden(p exec.Program) bool {
	for i := range p {
		if e.banned[p[i].Op] {
			return true
		}
	}
	return false
}

// next is a candidate: one that tests make, an offspring of the population, a change of one that reached new code, or a new one;
// and what made it.
func (e *evolution) next() (exec.Program, string) {
	if e.given < len(e.solved) {
		e.given++
		return e.solved[e.given-1], "path"
	}
	if e.cloned < len(e.seeds) { // as they are, and so that they call a function of the stack
		e.cloned++
		p := e.seeds[e.cloned-1]
		if !e.s.guides(p) {
			p = e.s.guided(p)
		}
		return p, "tests"
	}
	switch n := e.s.r.Intn(8); {
	case !e.opt.Evolve:
		if e.opt.Values {
			return e.s.initial(), "values"
		}
		return nil, ""
	case n == 7 && len(e.seeds) > 0:
		return e.s.guidedMutation(e.seeds[e.s.r.Intn(len(e.seeds))]), "search"
	case n < 4 && len(e.pop.list) > 1:
		return e.s.offspring(&e.pop), "search"
	case n < 6 && len(e.corpus) > 0:
		return e.s.guidedMutation(e.corpus[e.s.r.Intn(len(e.corpus))]), "search"
	}
	return e.s.initial(), "values"
}

// judge keeps a panic that reproduces the wanted one, and what stacks add to the fitness.
func (e *evolution) judge(ctx context.Context, p exec.Program, origin string, ev exec.Event) {
	if ev.Kind != "panic" && ev.Kind != "fatal" {
		return
	}
	if e.others[ev.Key] {
		return
	}
	x := e.read(ev.Text)
	if x == nil {
		return
	}
	level := e.want.Reproduces(x.Kind, x.Frames)
	if ev.Key != 0 && level <= e.opt.Above {
		e.others[ev.Key] = true
	}
	if ev.Key != 0 {
		if _, known := e.stacks[ev.Key]; !known {
			e.stacks[ev.Key], e.messages[ev.Key] = e.penalty(x, level), x.Message
		}
	}
	if level <= e.opt.Above {
		return
	}
	if ev.Stmt < len(p) {
		p = p[:ev.Stmt+1]
	}
	x.evidence, x.After = e.evidence(p, ev), time.Since(e.begin)
	if old := e.out.Crash; old == nil || level > e.out.Level || level == e.out.Level && (old.Fabricated && !x.Fabricated || old.Fabricated == x.Fabricated && len(x.Program) < len(old.Program)) {
		if e.doubts[ev.Key] > maxDoubts || e.crashes(ctx, x, p, level) == 0 {
			e.doubts[ev.Key]++
			return
		}
		e.out.Crash, e.out.Level, e.out.Strategy, e.out.After = x, level, origin, e.stats.Candidates
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
func (e *evolution) keep(batch []exec.Program, slow map[int]bool) {
	if e.runner.Distances == nil {
		return
	}
	bound := e.worstKept()
	var fit []individual
	same := map[float64]int{} // no more than a part of the population is equal anyway
	for i, p := range batch {
		d := float64(e.runner.Distances[i])
		if math.IsInf(d, 1) || slow[i] {
			continue
		}
		e.out.Evaluated++
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
			fit = append(fit, individual{p, f})
		}
	}
	e.pop.insert(fit)
	if e.pop.stale > maxStale {
		e.pop.restart()
	}
}

// tell tells of a candidate that came nearer.
func (e *evolution) tell(p exec.Program) {
	if e.opt.Near == nil {
		return
	}
	for i := len(p) - 1; i >= 0; i-- {
		if e.s.onStack[p[i].Op] {
			e.opt.Near(p[:i+1:i+1], e.levels[p[i].Op])
			return
		}
	}
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
func (e *evolution) crashes(ctx context.Context, x *Crash, p exec.Program, level int) int {
	events, err := e.fresh.Run(ctx, []exec.Program{p})
	if err != nil {
		return 0
	}
	for _, ev := range events {
		if ev.Kind != "panic" && ev.Kind != "fatal" {
			continue
		}
		y := e.read(ev.Text)
		if y == nil || e.want.Reproduces(y.Kind, y.Frames) < level {
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
	same := func(p exec.Program) bool {
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
	e.out.Best = minimise(e.out.Best, e.g.Table, func(p exec.Program) bool {
		if time.Now().After(until) || ctx.Err() != nil {
			return false
		}
		_, err := e.fresh.Run(ctx, []exec.Program{p})
		return err == nil && len(e.fresh.Distances) == 1 && float64(e.fresh.Distances[0]) <= e.out.Distance && (e.fresh.Stacks[0] != 0) == (e.out.Panic != "")
	})
}

// With is a program with other values in place of its literals: texts are Go literals for the statements that literals names, "" to
// leave it as it is.
func With(p exec.Program, literals []int, texts []string) exec.Program {
	out := slices.Clone(p)
	for i, at := range literals {
		if v, ok := valueOf(texts[i]); ok {
			out[at].Bits, out[at].Text = v.bits, v.text
		}
	}
	return out
}
