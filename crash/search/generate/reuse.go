package generate

import (
	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// Reuse draws one of the results of p that have a type and returns its number, -1 if there is none.
func (s *Sampler) Reuse(p candidate.Program, n *paramgraph.Node) int {
	return s.pick(s.resultTypes(p), n)
}

// resultTypes returns the types of the results of p, nil for a nil pointer, interface or function:
// those are not worth using again. The slice is valid until the next call for
// another program.
func (s *Sampler) resultTypes(p candidate.Program) []*paramgraph.Node {
	out := s.registers[:0]
	for i := range p {
		if s.isNil[p[i].Op] {
			out = append(out, nil)
		} else {
			out = append(out, s.Graph.Out[p[i].Op]...)
		}
	}
	s.registers = out
	return out
}

// pick draws one of the results that have a type, -1 if there is none.
func (s *Sampler) pick(results []*paramgraph.Node, n *paramgraph.Node) int {
	fit := 0
	for _, r := range results {
		if r == n {
			fit++
		}
	}
	if fit == 0 {
		return -1
	}
	nth := s.Rand.Intn(fit)
	for i, r := range results {
		if r == n {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	return -1
}

// CallOn adds a call of an operation with a result that exists as its first argument. It reports
// false if there is no such result. An operation without arguments needs none.
func (s *Sampler) CallOn(b *program.Builder, op int) bool {
	results := s.resultTypes(b.Program)
	in := s.Graph.In[op]
	depth := 1 + s.Rand.Intn(3)
	if !s.Feasible(op, depth) || len(in) > 0 && s.pick(results, in[0]) < 0 {
		return false
	}
	args := make([]int, 0, len(in))
	for i, n := range in {
		r := s.tie(b, op, args)
		if r < 0 && (i == 0 || s.Rand.Intn(2) == 0) {
			r = s.pick(results, n)
		}
		if r < 0 {
			r = s.argument(b, op, i, n, depth)
		}
		args = append(args, r)
	}
	b.Add(candidate.Stmt{Op: op, Args: args})
	return true
}

// CallAgain adds a call of a target, or sets a field, at the end, on a result that exists. It
// returns p itself if p is too long.
func (s *Sampler) CallAgain(p candidate.Program) candidate.Program {
	if len(p) > MaxStatements {
		return p
	}
	b := program.Extend(p, s.Graph.Table)
	for range 10 {
		op := s.Target()
		if n := len(s.Graph.Setters); n > 0 && s.Rand.Intn(4) == 0 {
			op = s.Graph.Setters[s.Rand.Intn(n)]
		}
		if s.CallOn(b, op) {
			break
		}
	}
	return b.Program
}
