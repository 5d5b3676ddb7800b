package prove

import (
	"dsd/check/finding"
	"dsd/check/logic"
	"dsd/check/smt"
	"dsd/check/vcgen"
)

// Limits of following loops further than vcgen.Options.Unroll.
const (
	// maxDeepenQueries is the number of queries about one function, and of models found without one.
	maxDeepenQueries = 60
	// fewPasses is the number of passes that a counterexample is looked for with first.
	fewPasses = 8
)

// deepenLoops looks for panics beyond the first passes of the function's own loops, in two steps:
//
//  1. Loop summaries stand for any number of passes (vcgen.LoopSummary). A counterexample of an
//     obligation beyond them says how many passes it took.
//  2. Those loops are followed for that many passes, one by one, and the obligations are decided.
//
// It returns the program of the second step, nil if no counterexample asked for more passes. An
// obligation that stays undecided is no finding: the loop is bounded, no more is known.
func (a *analysis) deepenLoops() *vcgen.Program {
	if len(a.w.Func(a.r.Key).Loops) == 0 {
		return nil
	}
	before := a.q.Answers()
	spent := func() bool {
		return a.ctx.Err() != nil || a.q.Dead || a.q.Exhausted() != "" ||
			a.q.Answers()-before > maxDeepenQueries
	}
	opt := a.opt
	opt.SummarizeLoops = true
	p, _ := a.execute(opt)
	EasyFirst(p.Obligations)
	passes := map[int]int{}
	reachable := map[finding.Site]bool{} // with more passes
	for _, o := range p.Obligations {
		site := finding.SiteOf(o)
		if a.sites[site] != nil || reachable[site] {
			continue
		}
		if spent() {
			break
		}
		if required := a.requiredPasses(o, p.LoopSummaries); required != nil {
			reachable[site] = true
			for head, n := range required {
				passes[head] = max(passes[head], n)
			}
		}
	}
	if len(reachable) == 0 {
		return nil
	}
	p = a.follow(passes, reachable, spent)
	if len(reachable) > 0 && !spent() && widen(passes) {
		p = a.follow(passes, reachable, spent)
	}
	return p
}

// widen raises numbers of passes to fewPasses, and reports whether any was lower. The number in a
// counterexample is too low where a loop inside counts, too: a summary lets that count further than
// the passes that are followed.
func widen(passes map[int]int) bool {
	raised := false
	for head, n := range passes {
		if n < fewPasses {
			passes[head], raised = fewPasses, true
		}
	}
	return raised
}

// follow follows loops for those numbers of passes, by their heads, and decides the obligations beyond
// the passes already followed at the sites in reachable. It removes the sites that may fail.
func (a *analysis) follow(
	passes map[int]int, reachable map[finding.Site]bool, spent func() bool,
) *vcgen.Program {
	opt := a.opt
	opt.Passes = passes
	p, _ := a.execute(opt)
	a.dump(p)
	EasyFirst(p.Obligations)
	for _, o := range p.Obligations {
		site := finding.SiteOf(o)
		if !reachable[site] || o.Passes <= a.opt.Unroll {
			continue
		}
		if spent() {
			break
		}
		if verdict, model := a.q.Ask(o.Failure(a.q.B), false); verdict == smt.Sat {
			a.failed[o.Assert] = max(a.failed[o.Assert], MayFail)
			a.keep(site, a.replayed(site, finding.New(o, p, model), opt))
			delete(reachable, site)
		}
	}
	return p
}

// requiredPasses returns the number of passes that a counterexample of an obligation takes, beyond
// those already followed, by the heads of the loops; nil if there is no counterexample.
func (a *analysis) requiredPasses(o *vcgen.Obligation, all []vcgen.LoopSummary) map[int]int {
	b := a.q.B
	failure := o.Failure(b)
	terms := append(failure, a.q.WellFormed(failure)...)
	mentioned := map[*logic.Var]bool{}
	for _, t := range logic.Leaves(terms...) {
		mentioned[t.Var] = true
	}
	var beyond, few []*logic.Term
	var summaries []vcgen.LoopSummary
	for _, l := range all {
		if !mentioned[l.More] {
			continue
		}
		summaries = append(summaries, l)
		n := b.Var(l.More)
		followed := b.Const(n.Sort, uint64(max(a.opt.Unroll-l.Done, 0)))
		beyond = append(beyond, b.Cmp(logic.OpULe, followed, n))
		few = append(few, b.Cmp(logic.OpULe, n, b.Const(n.Sort, fewPasses)))
	}
	if len(summaries) == 0 {
		return nil
	}
	terms = append(terms, b.Or(beyond...))
	model := a.q.Prefer(terms, few)
	if model == nil {
		return nil
	}
	required := map[int]int{}
	for _, l := range summaries {
		n := l.Done + int(model.Eval(b.Var(l.More))) + 1
		required[l.Head] = max(required[l.Head], min(n, vcgen.MaxPasses))
	}
	return required
}
