package campaign

import (
	"dsd/crash/candidate"
	"dsd/crash/search/feedback"
	"dsd/schemas"
)

// crash records the crash of the n-th candidate, or only the evidence if the crash is known.
func (c *campaign) crash(p candidate.Program, e candidate.Event, n int) {
	fn := c.g.Table[p[len(p)-1].Op].Func
	if c.opt.Only != nil && (fn == nil || !c.opt.Only(fn)) {
		return // in a call that only makes a value
	}
	known := c.byStack[e.StackKey]
	if known != nil && e.StackKey != 0 && len(c.opt.Goals) == 0 {
		known.Improve(feedback.NewEvidence(c.g, p, e))
		return
	}
	x := feedback.ReadCrash(c.h.Place, e.Text)
	if x == nil {
		return
	}
	site := siteKey(x)
	k := site + c.way(p)
	if c.crashes[k] == nil && len(c.opt.Goals) == 0 && len(c.sites[site]) == maxWays {
		k = c.sites[site][0]
	}
	if old := c.crashes[k]; old != nil {
		old.Improve(feedback.NewEvidence(c.g, p, e))
		x = old
	} else {
		x.Evidence = feedback.NewEvidence(c.g, p, e)
		x.FoundAfter, x.Candidates = c.monitor.Elapsed(), n
		c.crashes[k] = x
		c.keys = append(c.keys, k)
		c.sites[site] = append(c.sites[site], k)
	}
	c.byStack[e.StackKey] = x
	for _, plan := range c.plans {
		if !plan.Done && plan.Goal.ReachedBy(x.Kind, x.Stack()) {
			x.Goal = true
			plan.Done = !x.Fabricated && !x.ViolatesPre &&
				(len(plan.Goal.Callers) == 0 || !c.g.Table[p[len(p)-1].Op].Internal)
		}
	}
}

// maxRecursion is the number of innermost frames of an endless recursion that are compared.
const maxRecursion = 50

// maxWays is the number of functions by whose calls a panic is kept: which of them shows it best is
// known when all is known.
const maxWays = 4

// siteKey identifies a panic by its kind and position. Any function of an endless recursion may be
// the innermost one, so such a panic is identified by the first of them in the order of their names.
func siteKey(x *feedback.Crash) string {
	at := x.Stack()[0]
	if x.Kind == schemas.StackOverflow {
		at.Pos = ""
		for _, f := range x.Frames[:min(len(x.Frames), maxRecursion)] {
			at.Func = min(at.Func, f.Func)
		}
	}
	return string(x.Kind) + " " + at.Func + "@" + at.Pos
}

// way identifies the function by whose call a candidate crashes.
func (c *campaign) way(p candidate.Program) string { return " by " + c.g.Table[p[len(p)-1].Op].Name }
