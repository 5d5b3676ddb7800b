package shrink

import (
	"go/types"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// maxFit is the number of observed values of each place that Fit tries.
const maxFit = 3

// Fit returns a candidate like p in which parameters, and fields of structs that it writes, have values that they had when the tests
// of the testee ran, if the predicate holds of that; otherwise p. It does not change p. observed returns these values
// for an argument of an operation; where there are none, the argument stays.
//
// A crash is often found first with numbers that no test gives to a configuration. If they have no part in it, the
// crash is more credible without them.
func Fit(
	p candidate.Program, observed func(o *candidate.Op, arg int, b *types.Basic) []constants.Value, cfg Config,
) candidate.Program {
	literals := map[string]int{} // by type
	for i, o := range cfg.Table {
		if o.Lit {
			literals[paramgraph.Key(o.Out[0])] = i
		}
	}
	var last candidate.Program
	for choice := range maxFit {
		q := p
		for i := len(p) - 1; i >= 0; i-- {
			q = fit(q, i, choice, observed, literals, cfg.Table)
		}
		if key := q.Append(nil, cfg.Table); slices.Equal(key, p.Append(nil, cfg.Table)) ||
			last != nil && slices.Equal(key, last.Append(nil, cfg.Table)) {
			break
		}
		if cfg.Stop != nil && cfg.Stop() {
			break
		}
		if cfg.Pred(q) {
			return q
		}
		last = q
	}
	return p
}

// fit returns p with observed values as arguments of its i-th statement: the choice-th, or the last one.
func fit(
	p candidate.Program, i, choice int, observed func(o *candidate.Op, arg int, b *types.Basic) []constants.Value,
	literals map[string]int, table []*candidate.Op,
) candidate.Program {
	st := p[i]
	o := table[st.Op]
	b := program.Extend(p[:i], table)
	first := b.Results
	st.Args = slices.Clone(st.Args)
	for j := range st.Args {
		if j >= len(o.In) || o.Variadic && j == len(o.In)-1 {
			break
		}
		basic, ok := o.In[j].Underlying().(*types.Basic)
		lit, known := literals[paramgraph.Key(o.In[j])]
		if !ok || !known {
			continue
		}
		if values := observed(o, j, basic); len(values) > 0 {
			v := values[min(choice, len(values)-1)]
			st.Args[j] = b.Add(candidate.Stmt{Op: lit, Bits: v.Bits, Text: v.Text})
		}
	}
	inserted := b.Results - first
	b.Program = append(b.Program, st)
	for _, later := range p[i+1:] {
		later.Args = program.Shift(later.Args, first, inserted)
		b.Program = append(b.Program, later)
	}
	return b.Program
}
