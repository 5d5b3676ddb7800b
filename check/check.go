package check

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"runtime"
	"sort"
	"strings"
	"sync"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/smt"
	"dsd/check/wp"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options say how to check. The zero value is the language level with the default bounds.
type Options struct {
	// Assume are invariants to assume; nil is the language level.
	Assume *schemas.Invariants
	// Jobs is how many functions are worked on at a time; 0 is one a processor. It does not change the result.
	Jobs int
	// Solver is the command of an external solver; "" is the libz3 that the program is linked with.
	Solver string
	// Rlimit is the budget of a query in the solver's units of work; 0 is DefaultRlimit.
	Rlimit int
	// Dump, if not nil, receives those intermediate forms of each function that Forms names, see Forms.
	Dump  func(fn, form, text string)
	Forms []string
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// DefaultRlimit is about a fifth of a second of libz3's work. With half of it, simple proofs about slices of slices are not
// found any more.
const DefaultRlimit = 200_000

// maxUnknown is the number of questions about one function that may go unanswered before no more are asked.
const maxUnknown = 4

// maxQueries is the number of questions asked about one function.
const maxQueries = 400

// Run checks every function and method with a body of prog.Packages, apart from their test files.
//
// The document lists every function that could not be analysed under Skipped. A warning is sat if the solver's model
// holds by our own evaluation too, unknown if the solver gave up. When ctx ends, what is finished is returned, marked
// incomplete, with ctx's error. Other errors: the solver cannot be had.
func Run(ctx context.Context, prog *source.Program, opt Options) (*schemas.Warnings, error) {
	if opt.Rlimit == 0 {
		opt.Rlimit = DefaultRlimit
	}
	c := &checker{prog: prog, opt: opt, w: lower.New(prog), session: func() (smt.Session, error) { return smt.NewZ3(), nil }}
	if opt.Solver != "" {
		c.session = func() (smt.Session, error) { return smt.NewProcess(opt.Solver) }
		s, err := c.session()
		if err != nil {
			return nil, err
		}
		stop := context.AfterFunc(ctx, s.Interrupt)
		_, err = s.Eval("")
		stop()
		s.Close()
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("--solver %q does not answer: %w", opt.Solver, err)
		}
	}
	return c.run(ctx)
}

// run checks the functions, several at a time.
func (c *checker) run(ctx context.Context) (*schemas.Warnings, error) {
	opt := c.opt
	c.prepare()
	results := make([]*result, len(c.roots))
	jobs := opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range next {
				results[i] = c.function(ctx, c.roots[i])
			}
		}()
	}
	for _, i := range c.lemmas.order {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return c.document(ctx, results), ctx.Err()
}

// checker holds what the functions of one run share; after prepare it is only read.
type checker struct {
	prog      *source.Program
	opt       Options
	w         *lower.World
	roots     []*lower.Root
	contracts map[string]*wp.Contract
	lemmas    *lemmas
	session   func() (smt.Session, error) // opens a session with the solver
}

// prepare lowers everything and turns the invariants into terms.
func (c *checker) prepare() {
	for _, err := range c.w.Faults {
		fmt.Fprintln(c.opt.Log, err)
	}
	var funcs []*source.Func
	for _, pkg := range c.prog.Packages {
		funcs = append(funcs, pkg.Funcs()...)
	}
	for _, f := range funcs {
		c.roots = append(c.roots, c.w.Root(f))
	}
	c.contracts = map[string]*wp.Contract{}
	if c.opt.Assume != nil {
		c.assumptions()
	}
	c.w.Close()
	c.lemmas = newLemmas(c.w, c.roots)
	if c.dumps("ir") {
		for _, r := range c.roots {
			if r.Err == nil {
				var text strings.Builder
				c.w.Func(r.Key).Dump(&text)
				c.opt.Dump(r.Func.Name, "ir", text.String())
			}
		}
	}
}

// result is what came of one function.
type result struct {
	warnings []*found
	bounded  []string
	stats    schemas.CheckStats
	err      error
	pre      bool
}

// found is an obligation that may fail: what is to be said of it, without its terms, which take much room.
type found struct {
	kind, message string
	pos           token.Pos
	calls         []wp.Call
	branches      []wp.Taken
	ptr           *logic.Var   // what a nil dereference dereferences, if it is an input
	model         *logic.Model // nil if unknown
	used          []string
	returned      []returned // by calls that were not followed, in order
}

// returned is what a call that was not followed is taken to return; from is where the function value was that it called.
type returned struct {
	callee  string
	results *types.Tuple
	vars    []*logic.Var
	from    place
}

// place is that of an input: a variable, or a slot of an object in the memory variable.
type place struct {
	v    *logic.Var
	obj  uint32
	slot uint64
}

// inputOf is the place that the value of t comes from under a model, the zero place if it is computed, or t nil.
func inputOf(t *logic.Term, m *logic.Model) place {
	for t != nil {
		switch t.Op {
		case logic.OpIte:
			if m.Eval(t.Args[0]) == 1 {
				t = t.Args[1]
			} else {
				t = t.Args[2]
			}
			continue
		case logic.OpVar:
			return place{v: t.Var}
		case logic.OpSelect:
			return place{t.Var, uint32(m.Eval(t.Args[0])), m.Eval(t.Args[1])}
		default:
			return place{}
		}
	}
	return place{}
}

func newFound(o *wp.Obligation, p *wp.Program, model *logic.Model) *found {
	f := &found{kind: o.Kind, message: o.Message, pos: o.Pos, calls: o.Calls, branches: o.Branches, model: model, used: o.Used}
	if model != nil {
		for _, open := range wp.Happen(model, p.Opens[:o.Opens]) {
			f.returned = append(f.returned, returned{open.Callee, open.Sig.Results(), open.Vars, inputOf(open.Fn, model)})
		}
	}
	if o.Ptr != nil && o.Ptr.Op == logic.OpVar {
		f.ptr = o.Ptr.Var
	}
	return f
}

// site identifies the warning that an obligation belongs to: unrolled copies share one.
type site struct {
	kind  string
	pos   token.Pos
	calls string
	param bool // of the dereference of an input itself, which is less telling than one of what it holds
}

func (c *checker) function(ctx context.Context, r *lower.Root) (res *result) {
	res = &result{}
	if r.Err != nil {
		res.err = r.Err
		return res
	}
	var shown map[*ir.Assert]fate
	defer func() { // a fault of ours costs this function, and is said
		if p := recover(); p != nil {
			res = &result{err: fmt.Errorf("internal error: %v", p)}
			shown = nil
		}
		c.lemmas.finish(r.Key, shown)
	}()
	b := logic.NewBuilder()
	opt := wp.DefaultOptions
	known := c.lemmas.known(r.Key)
	opt.Proved = func(a *ir.Assert) bool { return known(a) == holds }
	opt.Contracts = c.contracts
	inputs := r.Inputs(b)
	start := wp.Begin(c.w, r.Key, b, c.w.MemoryOrder, opt)
	var entry []wp.Clause
	if k := c.contracts[r.Key]; k != nil {
		entry = k.Bind(b, inputs, start)
		res.pre = len(entry) > 0
	}
	q := &questioner{ctx: ctx, c: c, b: b, res: res, name: r.Func.Name}
	defer q.close()
	var terms []*logic.Term
	for _, k := range entry {
		terms = append(terms, k.Term)
	}
	if len(entry) > 0 && !q.consistent(terms) {
		res.bounded = append(res.bounded, "the inferred invariants contradict each other here; none is assumed")
		entry, res.pre = nil, false
	}
	p := wp.Passify(c.w, r.Key, b, inputs, start, entry, opt)
	if len(p.ExitUsed) > len(entry) && !q.consistent(p.Exit) {
		opt.Contracts = nil
		if without := wp.Passify(c.w, r.Key, b, inputs, start, entry, opt); q.consistent(without.Exit) {
			p = without
			res.bounded = append(res.bounded, "with the inferred invariants of the functions that it calls it would never return; none is assumed of calls")
		}
	}
	c.dump(r.Func.Name, b, p)
	res.bounded = append(res.bounded, p.Bounded...)
	res.stats.Folded = p.Folded
	res.stats.Assertions = p.Folded + len(p.Obligations)
	done := map[site]*found{}
	failed := map[*ir.Assert]fate{}
	for a := range p.Unasked {
		failed[a] = mayFail
	}
	// What little leads to is easier to decide, so it comes first.
	sort.SliceStable(p.Obligations, func(i, j int) bool { return len(p.Obligations[i].Path) < len(p.Obligations[j].Path) })
	for i, o := range p.Obligations {
		if ctx.Err() != nil || q.dead {
			break
		}
		s := site{kind: o.Kind, pos: o.Pos, param: o.Ptr != nil && o.Ptr.Op == logic.OpVar}
		for _, call := range o.Calls {
			s.calls += fmt.Sprint(call.Pos, " ")
		}
		if old := done[s]; old != nil && old.model != nil {
			continue
		}
		if why := q.exhausted(); why != "" {
			res.bounded = append(res.bounded, why)
			for _, o := range p.Obligations[i:] {
				failed[o.Assert] = max(failed[o.Assert], hard)
			}
			break
		}
		verdict, model := q.ask(o.Failure(b), known(o.Assert) == hard)
		switch verdict {
		case smt.Unsat:
			continue
		case smt.Sat:
			failed[o.Assert] = max(failed[o.Assert], mayFail)
		default:
			failed[o.Assert] = hard
			if done[s] != nil {
				continue
			}
		}
		f := newFound(o, p, model)
		if done[s] == nil {
			done[s] = f
			res.warnings = append(res.warnings, f)
		} else {
			*done[s] = *f
		}
	}
	if ctx.Err() != nil {
		return nil // cut short
	}
	if !p.Cut && !q.dead && c.general(r.Key) {
		shown = failed
	}
	return res
}

// general says that what is shown of a function alone holds whenever it is called: that it does not ask whether it was
// deferred, and that nothing was assumed of package-level variables whose contents may change.
func (c *checker) general(key string) bool {
	inits, _ := c.w.Initials(key)
	return c.w.Func(key).ByDefer == nil && len(inits) == 0
}
