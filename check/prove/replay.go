package prove

import (
	"dsd/check/finding"
	"dsd/check/logic"
	"dsd/check/vcgen"
)

// notFollowed is what a counterexample depends on that does not come through a replay.
const notFollowed = "calls or loops that are not followed to their end"

// replayed returns a finding, which depends on more than its inputs if a replay of these does not come to
// the panic.
func (a *analysis) replayed(
	site finding.Site, f *finding.Finding, opt vcgen.Options,
) *finding.Finding {
	if f.Sure() && !a.replay(site, f.Model, opt) {
		f.DependOn(notFollowed)
	}
	return f
}

// replayDepth is how much deeper calls are followed in a replay. It has few paths, and costs little.
const replayDepth = 3

// replay executes the function with the inputs of a model: constants, where the obligations had
// variables. It reports whether a panic at the site is still possible. It does not know what the
// execution invents, such as results of calls that are not followed. If following calls deeper costs too
// much, it follows them as far as the obligations do.
//
// The same execution, with constants, is what generated programs compare with real runs. So a
// counterexample that comes through it is one of Go's, as far as those programs show, and not one of
// how symbolic states were merged, loops summarized or terms simplified.
func (a *analysis) replay(site finding.Site, m *logic.Model, opt vcgen.Options) bool {
	deep := opt
	deep.Depth *= replayDepth
	p, possible := a.executeModel(site, m, deep)
	if !possible && p.Truncated {
		_, possible = a.executeModel(site, m, opt)
	}
	return possible
}

// executeModel executes the function with the inputs of a model. It reports whether a panic at the site
// is possible then.
func (a *analysis) executeModel(
	site finding.Site, m *logic.Model, opt vcgen.Options,
) (p *vcgen.Program, possible bool) {
	b := logic.NewBuilder()
	b.Contents = func(c logic.Cell) (uint64, bool) {
		if order := a.World.MemoryOrder; c.Var.Index >= len(order) || order[c.Var.Index] != c.Var { // not an initial one
			return 0, false
		}
		if v, ok := m.Cells[c]; ok || c.Var.Domain.Role != logic.RoleStrObj {
			return v, true
		}
		return uint64(c.Var.Domain.Region) << 16, true // the empty string is an object, too
	}
	var in []*logic.Term
	for _, p := range a.r.Params {
		for _, v := range p.Vars {
			in = append(in, b.Const(v.Sort, m.Vars[v]))
		}
	}
	start := vcgen.Begin(a.w, a.r.Key, b, a.World.MemoryOrder, opt)
	p = vcgen.Execute(a.w, a.r.Key, b, in, start, nil, opt)
	for _, o := range append(p.Obligations, p.Recovered...) {
		if finding.SiteOf(o).Same(site) && !b.And(o.Failure(b)...).IsFalse() {
			return p, true
		}
	}
	return p, false
}
