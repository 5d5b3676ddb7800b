package check

import (
	"context"
	"fmt"
	"sort"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/check/smt"
	"dsd/check/vcgen"
)

// maxUnknown is the number of obligations of one function that may stay open before no more are asked about.
const maxUnknown = 4

// maxQueries is the number of questions asked about one function.
const maxQueries = 400

// analysis is that of one function.
type analysis struct {
	c     *checker
	ctx   context.Context
	r     *lower.Root
	q     *questioner
	known func(*ir.Assert) fate
	// opt say how to follow the function, and bare that the contract of its own is not assumed.
	opt  vcgen.Options
	bare bool
	res  *result
	done map[site]*found
	// failed are the assertions of the function that may fail.
	failed map[*ir.Assert]fate
}

// function analyses one function; nil if ctx ended before it was done.
func (c *checker) function(ctx context.Context, r *lower.Root) (res *result) {
	if r.Err != nil {
		return &result{err: r.Err}
	}
	var shown map[*ir.Assert]fate
	defer func() { // a fault of ours costs this function, and is said
		if p := recover(); p != nil {
			res = &result{err: fmt.Errorf("internal error: %v", p)}
			shown = nil
		}
		c.lemmas.finish(r.Key, shown)
	}()
	a := &analysis{c: c, ctx: ctx, r: r, known: c.lemmas.known(r.Key), res: &result{}, done: map[site]*found{}, failed: map[*ir.Assert]fate{}}
	a.q = &questioner{ctx: ctx, c: c, res: a.res, name: r.Func.Name}
	defer a.q.close()
	a.opt = vcgen.DefaultOptions
	a.opt.Proved = func(x *ir.Assert) bool { return a.known(x) == holds }
	a.opt.Contracts = c.contracts
	p := a.program()
	a.res.stats.Folded = p.Folded
	a.res.stats.Assertions = p.Folded + len(p.Obligations)
	bounded := p.Bounded
	if raised := a.raise(); raised != nil {
		bounded = raised.Bounded
	}
	if ctx.Err() != nil {
		return nil // cut short
	}
	a.res.bounded = append(a.res.bounded, bounded...)
	if !p.Truncated && !a.q.dead && c.general(r.Key) {
		shown = a.failed
	}
	return a.res
}

// passify makes the function's obligations, with a builder of their own; questions are about them from now on. entry is
// what was assumed of the inputs.
func (a *analysis) passify(opt vcgen.Options) (p *vcgen.Program, entry []*logic.Term) {
	b := logic.NewBuilder()
	a.q.begin(b)
	inputs := a.r.Inputs(b)
	start := vcgen.Begin(a.c.w, a.r.Key, b, a.c.w.MemoryOrder, opt)
	var clauses []vcgen.Clause
	if k := a.c.contracts[a.r.Key]; k != nil && !a.bare {
		clauses = k.Bind(b, inputs, start)
	}
	for _, k := range clauses {
		entry = append(entry, k.Term)
	}
	return vcgen.Execute(a.c.w, a.r.Key, b, inputs, start, clauses, opt), entry
}

// program makes the function's obligations and asks about them, under those invariants that do not contradict each other.
// That they do is only looked for where they could have ruled out anything.
func (a *analysis) program() *vcgen.Program {
	p, entry := a.passify(a.opt)
	a.check(p)
	more := len(p.ExitUsed) > len(entry) // invariants of callees
	if more && a.q.consistent(p.Exit) || !more && (a.found() || a.q.consistent(entry)) {
		a.res.pre = len(entry) > 0
		return p
	}
	switch {
	case !a.q.consistent(entry):
		a.again("the inferred invariants contradict each other here; none is assumed")
		a.bare = true
		p, _ = a.passify(a.opt)
	default:
		opt := a.opt
		opt.Contracts = nil
		without, _ := a.passify(opt)
		a.res.pre = len(entry) > 0
		if !a.q.consistent(without.Exit) { // it never returns anyway
			return p
		}
		a.again("with the inferred invariants of the functions that it calls it would never return; none is assumed of calls")
		a.opt, p = opt, without
	}
	a.check(p)
	return p
}

// found says that a counterexample was found, which all that is assumed of the inputs holds of.
func (a *analysis) found() bool {
	for _, f := range a.res.warnings {
		if f.model != nil {
			return true
		}
	}
	return false
}

// again forgets what came of the function, but why that was.
func (a *analysis) again(why string) {
	a.res.warnings, a.res.bounded = nil, []string{why}
	a.done, a.failed = map[site]*found{}, map[*ir.Assert]fate{}
	a.q.unanswered = 0
}

// check asks about the obligations, and keeps the warnings.
func (a *analysis) check(p *vcgen.Program) {
	a.c.dump(a.r.Func.Name, a.q.b, p)
	for x := range p.Unchecked {
		a.failed[x] = mayFail
	}
	easyFirst(p.Obligations)
	for i, o := range p.Obligations {
		if a.ctx.Err() != nil || a.q.dead {
			return
		}
		if asks := a.c.opt.Asks; asks != nil && !asks(a.r.Func.Name, o.Kind, a.c.prog.Pos(o.Pos)) {
			continue
		}
		s := siteOf(o)
		if old := a.done[s]; old != nil && old.model != nil {
			continue
		}
		if why := a.q.exhausted(); why != "" {
			a.res.bounded = append(a.res.bounded, why)
			for _, o := range p.Obligations[i:] {
				a.failed[o.Assert] = max(a.failed[o.Assert], hard)
			}
			return
		}
		verdict, model := a.q.ask(o.Failure(a.q.b), a.known(o.Assert) == hard)
		switch {
		case verdict == smt.Unsat:
		case verdict == smt.Sat:
			a.failed[o.Assert] = max(a.failed[o.Assert], mayFail)
			a.warn(s, newFound(o, p, model))
		default:
			a.failed[o.Assert] = hard
			if a.done[s] == nil {
				a.warn(s, newFound(o, p, nil))
			}
		}
	}
}

// easyFirst sorts obligations: what little leads to is easier to decide.
func easyFirst(list []*vcgen.Obligation) {
	sort.SliceStable(list, func(i, j int) bool { return len(list[i].Path) < len(list[j].Path) })
}

// warn keeps what was found at a site, in place of what was found there before.
func (a *analysis) warn(s site, f *found) {
	if old := a.done[s]; old != nil {
		*old = *f
		return
	}
	a.done[s] = f
	a.res.warnings = append(a.res.warnings, f)
}

// general says that what is shown of a function alone holds whenever it is called: that it does not ask whether it was
// deferred, and that nothing was assumed of package-level variables whose contents may change.
func (c *checker) general(key string) bool {
	inits, _ := c.w.Initials(key)
	return c.w.Func(key).ByDefer == nil && len(inits) == 0
}
