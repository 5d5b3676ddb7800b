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
	"time"

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
	// Dump, if not nil, receives the intermediate forms of each function: "ir" and "smt" texts.
	Dump func(fn, form, text string)
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// DefaultRlimit is about a fifth of a second of libz3's work.
const DefaultRlimit = 200_000

// maxUnknown is the number of questions about one function that may go unanswered before no more are asked.
const maxUnknown = 6

// queryMillis is the guard in wall time; the budget in work runs out long before on any machine in use.
const queryMillis = 5_000

// maxFloatOps is the number of floating-point operations that a query may contain; with more, their results are free.
const maxFloatOps = 6

// maxSession is the number of questions in one session, which keeps what it ever heard of.
const maxSession = 25

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
	for i := range c.roots {
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
	session   func() (smt.Session, error) // opens a session with the solver
}

// prepare lowers everything and turns the invariants into terms.
func (c *checker) prepare() {
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
	if c.opt.Dump != nil {
		for _, r := range c.roots {
			if r.Err == nil {
				var text strings.Builder
				c.w.Func(r.Key).Dump(&text)
				c.opt.Dump(r.Func.Name, "ir", text.String())
			}
		}
	}
}

// assumptions builds the contracts: of functions under analysis, by their key, and of the testee's interfaces'
// methods, by their name.
func (c *checker) assumptions() {
	points := map[string][]schemas.Point{}
	for _, p := range c.opt.Assume.Points {
		points[p.Func] = append(points[p.Func], p)
	}
	for _, r := range c.roots {
		if r.Err != nil {
			continue
		}
		sig := r.Func.Obj.Type().(*types.Signature)
		m := c.w.Bindings(r.Func.Obj, r.TypeArgs)
		if ps := points[r.Func.Name]; ps != nil {
			c.contracts[r.Key] = c.contract(ps, r.Func.Pkg.Types, sig, sig.Recv(), m)
		} else if im, ps := c.inherited(r, points); im != nil {
			c.contracts[r.Key] = c.contract(ps, im.Pkg(), im.Type().(*types.Signature), sig.Recv(), m)
		}
	}
	for _, pkg := range c.prog.All {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			named, ok := scope.Lookup(name).Type().(*types.Named)
			if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 {
				continue
			}
			iface := named.Underlying().(*types.Interface)
			for i := range iface.NumMethods() {
				m := iface.Method(i)
				key := source.InterfaceMethodName(named, m)
				if ps := points[key]; ps != nil {
					c.contracts[key] = c.contract(ps, pkg.Types, m.Type().(*types.Signature), nil, nil)
				}
			}
		}
	}
}

// inherited finds, for a method that no test ran, a method of an interface of the testee that it implements and that
// the tests called: what callers keep to there, they keep to here [DSD 7].
func (c *checker) inherited(r *lower.Root, points map[string][]schemas.Point) (*types.Func, []schemas.Point) {
	recv := r.Func.Obj.Type().(*types.Signature).Recv()
	if recv == nil {
		return nil, nil
	}
	for _, pkg := range c.prog.All {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			named, ok := scope.Lookup(name).Type().(*types.Named)
			if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 {
				continue
			}
			iface := named.Underlying().(*types.Interface)
			if !types.Implements(recv.Type(), iface) {
				continue
			}
			for i := range iface.NumMethods() {
				m := iface.Method(i)
				if ps := points[source.InterfaceMethodName(named, m)]; ps != nil && m.Name() == r.Func.Obj.Name() {
					return m, ps
				}
			}
		}
	}
	return nil, nil
}

func (c *checker) contract(points []schemas.Point, pkg *types.Package, sig *types.Signature, recv *types.Var, m map[*types.TypeParam]types.Type) *wp.Contract {
	b, err := c.w.Contract(pkg, sig, recv, m)
	if err != nil {
		return nil
	}
	for _, p := range points {
		for _, inv := range p.Invariants {
			if inv.Assumed {
				// What cannot be expressed is not assumed, which errs on the side of warning.
				_ = b.Clause(inv.ID, p.At, inv.Expr)
			}
		}
	}
	return b.Done()
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
	ptr           *logic.Var   // what a nil dereference dereferences, if it is an input
	model         *logic.Model // nil if unknown
	used          []string
	opens         []wp.Open
}

func newFound(o *wp.Obligation, p *wp.Program, model *logic.Model) *found {
	f := &found{kind: o.Kind, message: o.Message, pos: o.Pos, calls: o.Calls, model: model, used: o.Used, opens: p.Opens}
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
	defer func() { // a fault of ours costs this function, and is said
		if p := recover(); p != nil {
			res = &result{err: fmt.Errorf("internal error: %v", p)}
		}
	}()
	b := logic.NewBuilder()
	opt := wp.DefaultOptions
	opt.Contracts = c.contracts
	inputs := r.Inputs(b)
	var entry []wp.Clause
	if k := c.contracts[r.Key]; k != nil {
		entry = k.Bind(b, inputs, c.w.MemoryOrder)
		res.pre = len(entry) > 0
	}
	q := &questioner{ctx: ctx, c: c, b: b, res: res, name: r.Func.Name}
	defer q.close()
	if len(entry) > 0 && !q.consistent(entry) {
		res.bounded = append(res.bounded, "the inferred invariants contradict each other here; none is assumed")
		entry, res.pre = nil, false
	}
	p := wp.Passify(c.w, r.Key, b, inputs, c.w.MemoryOrder, entry, opt)
	res.bounded = append(res.bounded, p.Bounded...)
	res.stats.Folded = p.Folded
	res.stats.Assertions = p.Folded + len(p.Obligations)
	done := map[site]*found{}
	for _, o := range p.Obligations {
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
		if res.stats.Queries >= maxQueries {
			res.bounded = append(res.bounded, fmt.Sprintf("%d questions were asked, no more", maxQueries))
			break
		}
		if q.unanswered >= maxUnknown {
			res.bounded = append(res.bounded, "the solver's budget for the function is spent")
			break
		}
		verdict, model := q.ask(o.Failure(b))
		if verdict == smt.Unsat || verdict == smt.Unknown && done[s] != nil {
			continue
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
	return res
}

// questioner asks the solver about one function. The session is opened when the first question comes; each function
// has its own, so that answers do not depend on what was asked before.
type questioner struct {
	ctx     context.Context
	c       *checker
	b       *logic.Builder
	res     *result
	name    string
	session smt.Session
	solver  *smt.Solver
	asked   int // questions in this session
	// unanswered counts the obligations of which nothing is known.
	unanswered int
	dead       bool // the session is lost
	log        strings.Builder
}

func (q *questioner) close() {
	if q.session != nil {
		q.session.Close()
	}
	if q.c.opt.Dump != nil && q.log.Len() > 0 {
		q.c.opt.Dump(q.name, "smt", q.log.String())
	}
}

func (q *questioner) open() bool {
	if q.dead {
		return false
	}
	if q.solver != nil && q.asked < maxSession {
		q.asked++
		return true
	}
	if q.session != nil {
		q.session.Close()
	}
	q.asked = 1
	s, err := q.c.session()
	if err != nil {
		q.session, q.dead = nil, true
		return false
	}
	q.session = s
	defer context.AfterFunc(q.ctx, s.Interrupt)()
	q.solver = smt.NewSolver(q.session, q.c.opt.Rlimit, queryMillis)
	if q.c.opt.Dump != nil {
		q.solver.Log = func(text string) { q.log.WriteString(text) }
	}
	return true
}

// consistent says that the entry clauses can hold together; the solver's doubt counts for them.
func (q *questioner) consistent(entry []wp.Clause) bool {
	var terms []*logic.Term
	for _, c := range entry {
		terms = append(terms, c.Term)
	}
	v, _ := q.query(append(terms, wp.WellFormed(q.b, terms)...))
	return v != smt.Unsat
}

// ask asks whether an obligation can fail; of a yes it looks for a small model, and believes none that does not hold
// by our own evaluation.
func (q *questioner) ask(failure []*logic.Term) (smt.Verdict, *logic.Model) {
	terms := append(failure, wp.WellFormed(q.b, failure)...)
	v, model := q.query(terms)
	if v == smt.Unsat {
		return v, nil
	}
	if model != nil && !holds(model, terms) {
		model = nil
	}
	// Small inputs are also easier to find, so they are looked for when the question as it is was too hard.
	for _, size := range []struct {
		length uint64
		number int64
	}{{4, 16}, {16, 0}} {
		if v == smt.Unknown && size.number == 0 {
			break
		}
		small := append(append([]*logic.Term{}, terms...), wp.Small(q.b, terms, size.length, size.number)...)
		if model != nil && holds(model, small) {
			break // small as it is
		}
		if v, m := q.query(small); v == smt.Sat && holds(m, small) {
			return smt.Sat, m
		}
	}
	if model == nil {
		q.unanswered++
		return smt.Unknown, nil
	}
	return smt.Sat, model
}

func holds(m *logic.Model, terms []*logic.Term) bool {
	for _, v := range m.EvalAll(terms) {
		if v != 1 {
			return false
		}
	}
	return true
}

func (q *questioner) query(terms []*logic.Term) (smt.Verdict, *logic.Model) {
	if !q.open() {
		return smt.Unknown, nil
	}
	q.res.stats.Queries++
	for _, t := range terms {
		if t.IsFalse() {
			q.res.stats.Unsat++
			return smt.Unsat, nil
		}
	}
	// The last guard, for solvers that do not keep to their budget.
	ctx, cancel := context.WithTimeout(q.ctx, 2*queryMillis*time.Millisecond)
	defer cancel()
	defer context.AfterFunc(ctx, q.session.Interrupt)()
	v, m, err := q.solver.Check(logic.AbstractFloats(q.b, terms, maxFloatOps))
	if err != nil {
		if q.ctx.Err() == nil {
			fmt.Fprintf(q.c.opt.Log, "%s: %v\n", q.name, err)
		}
		q.dead = true
	}
	switch v {
	case smt.Sat:
		q.res.stats.Sat++
	case smt.Unsat:
		q.res.stats.Unsat++
	default:
		q.res.stats.Unknown++
	}
	return v, m
}

// document puts the results together, in an order that depends on the testee alone.
func (c *checker) document(ctx context.Context, results []*result) *schemas.Warnings {
	doc := &schemas.Warnings{
		Header:   schemas.Header{Module: schemas.Module{Path: c.prog.Module, Go: c.prog.GoVersion}, Incomplete: ctx.Err() != nil},
		Assumed:  c.opt.Assume != nil,
		Warnings: []schemas.Warning{}, Skipped: []schemas.Skipped{}, Bounded: []schemas.Skipped{},
	}
	for i, res := range results {
		r := c.roots[i]
		if res == nil {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: r.Func.Name, Reason: "interrupted"})
			continue
		}
		if res.err != nil {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: r.Func.Name, Reason: res.err.Error()})
			continue
		}
		doc.Functions++
		for _, b := range res.bounded {
			doc.Bounded = append(doc.Bounded, schemas.Skipped{Func: r.Func.Name, Reason: b})
		}
		st := &doc.Stats
		st.Assertions += res.stats.Assertions
		st.Folded += res.stats.Folded
		st.Queries += res.stats.Queries
		st.Unsat += res.stats.Unsat
		st.Sat += res.stats.Sat
		st.Unknown += res.stats.Unknown
		for _, f := range res.warnings {
			doc.Warnings = append(doc.Warnings, c.warning(r, res, f))
		}
	}
	sort.SliceStable(doc.Warnings, func(i, j int) bool {
		a, b := &doc.Warnings[i], &doc.Warnings[j]
		if a.Pos != b.Pos {
			return source.PosLess(a.Pos, b.Pos)
		}
		return a.Func < b.Func
	})
	for i := range doc.Warnings {
		doc.Warnings[i].ID = fmt.Sprintf("W%d", i+1)
	}
	byName := func(l []schemas.Skipped) func(i, j int) bool {
		return func(i, j int) bool { return l[i].Func < l[j].Func }
	}
	sort.SliceStable(doc.Skipped, byName(doc.Skipped))
	sort.SliceStable(doc.Bounded, byName(doc.Bounded))
	return doc
}

func (c *checker) warning(r *lower.Root, res *result, f *found) schemas.Warning {
	w := schemas.Warning{
		Kind: f.kind, Func: r.Func.Name, Pos: c.prog.Pos(f.pos), Message: f.message, Status: "unknown",
		Path: []schemas.Step{}, Assumed: []string{}, Preconditions: res.pre,
	}
	for _, call := range f.calls {
		if call.Pos.IsValid() {
			w.Path = append(w.Path, schemas.Step{Pos: c.prog.Pos(call.Pos), Note: "calls " + call.Callee})
		}
	}
	seen := map[string]bool{}
	for _, id := range f.used {
		if !seen[id] {
			seen[id] = true
			w.Assumed = append(w.Assumed, id)
		}
	}
	sort.Slice(w.Assumed, func(i, j int) bool {
		if len(w.Assumed[i]) != len(w.Assumed[j]) {
			return len(w.Assumed[i]) < len(w.Assumed[j])
		}
		return w.Assumed[i] < w.Assumed[j]
	})
	if f.ptr != nil {
		for _, param := range r.Params {
			if _, isStruct := param.Type.Underlying().(*types.Struct); !isStruct && len(param.Vars) > 0 && param.Vars[0] == f.ptr {
				w.Param = param.Name
			}
		}
	}
	if f.model != nil {
		w.Status = "sat"
		w.Counterexample = c.counterexample(r, f)
	}
	return w
}
