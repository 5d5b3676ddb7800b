package check

import (
	"dsd/check/logic"
	"dsd/check/smt"
	"dsd/check/vcgen"
)

// maxRaiseQueries is the number of questions about one function that raising its loops' bounds may cost.
const maxRaiseQueries = 60

// raise looks for panics past the first passes of the function's own loops. The bound is raised where a counterexample
// asks for it: one of the function with any number of passes taken at once (vcgen.Leap), which says how many passes it took;
// those are then looked at one by one, in the program that raise returns; nil if nothing asked for it.
//
// No answer is no warning here: it says no more than that the loop is bounded.
func (a *analysis) raise() *vcgen.Program {
	if len(a.c.w.Func(a.r.Key).Loops) == 0 {
		return nil
	}
	before := a.res.stats.Queries
	spent := func() bool {
		return a.ctx.Err() != nil || a.q.dead || a.q.exhausted() != "" || a.res.stats.Queries-before > maxRaiseQueries
	}
	opt := a.opt
	opt.SummarizeLoops = true
	p, _ := a.passify(opt)
	easyFirst(p.Obligations)
	passes := map[int]int{}
	wanted := map[site]bool{}
	for _, o := range p.Obligations {
		s := siteOf(o)
		if old := a.done[s]; old != nil || wanted[s] {
			continue
		}
		if spent() {
			break
		}
		if ask := a.demand(o, p.LoopSummaries); ask != nil {
			wanted[s] = true
			for head, n := range ask {
				passes[head] = max(passes[head], n)
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	opt = a.opt
	opt.Passes = passes
	p, _ = a.passify(opt)
	a.c.dump(a.r.Func.Name, a.q.b, p)
	easyFirst(p.Obligations)
	for _, o := range p.Obligations {
		s := siteOf(o)
		if !wanted[s] || o.Passes <= a.opt.Unroll {
			continue
		}
		if spent() {
			break
		}
		if verdict, model := a.q.ask(o.Failure(a.q.b), false); verdict == smt.Sat {
			a.failed[o.Assert] = max(a.failed[o.Assert], mayFail)
			a.warn(s, newFound(o, p, model))
			delete(wanted, s)
		}
	}
	return p
}

// fewPasses is the number of passes that a counterexample is looked for with first.
const fewPasses = 8

// demand asks for a counterexample of an obligation past the passes that were looked at, and returns how many passes it
// needs of which loops, by their heads; nil if there is none.
func (a *analysis) demand(o *vcgen.Obligation, leaps []vcgen.LoopSummary) map[int]int {
	b := a.q.b
	failure := o.Failure(b)
	terms := append(failure, vcgen.WellFormed(b, failure)...)
	in := map[*logic.Var]bool{}
	for _, t := range logic.Leaves(terms...) {
		in[t.Var] = true
	}
	var past, few []*logic.Term
	var ours []vcgen.LoopSummary
	for _, l := range leaps {
		if !in[l.More] {
			continue
		}
		ours = append(ours, l)
		n := b.Var(l.More)
		past = append(past, b.Cmp(logic.OpULe, b.Const(n.Sort, uint64(max(a.opt.Unroll-l.Done, 0))), n))
		few = append(few, b.Cmp(logic.OpULe, n, b.Const(n.Sort, fewPasses)))
	}
	if len(ours) == 0 {
		return nil
	}
	terms = append(terms, b.Or(past...))
	verdict, model := a.q.query(terms)
	if verdict != smt.Sat {
		return nil
	}
	if v, m := a.q.query(append(terms, few...)); v == smt.Sat {
		model = m
	}
	ask := map[int]int{}
	for _, l := range ours {
		n := l.Done + int(model.Eval(b.Var(l.More))) + 1
		ask[l.Head] = max(ask[l.Head], min(n, vcgen.MaxPasses))
	}
	return ask
}
