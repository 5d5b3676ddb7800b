package goal

import (
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/schemas"
)

// nilUnusualOf says how often an unusual value is drawn for a plan whose goal is the dereference of a
// nil: one value of so many.
const nilUnusualOf = 5

// Draw draws a candidate towards the goal: a mutation of one that came close, or a new one.
func (p *Plan) Draw(s *generate.Sampler) candidate.Program {
	if p.Goal.Kind == schemas.NilDeref {
		s.UnusualOf = nilUnusualOf
		defer func() { s.UnusualOf = 0 }()
	}
	if len(p.closest) > 0 && s.Rand.Intn(2) == 0 {
		return p.mutate(s, p.closest[s.Rand.Intn(len(p.closest))])
	}
	b := &program.Builder{Table: s.Graph.Table}
	if p.own < 0 || s.Rand.Intn(2) == 0 {
		op := p.Ops[s.Rand.Intn(len(p.Ops))]
		if depth := s.Depth(op); depth > 0 {
			s.Call(b, op, depth)
		}
		return b.Program
	}
	c := &composer{
		s: s, b: b, objects: p.Goal.Counterexample.Objects, made: map[int]int{},
	}
	var args []int
	for i, n := range s.Graph.In[p.own] {
		args = append(args, c.value(n, &p.args[i], 1+s.Rand.Intn(paramgraph.MaxDepth)))
	}
	b.Add(candidate.Stmt{Op: p.own, Args: args})
	return b.Program
}

// mutate mutates a candidate whose last statement calls the function: it adds calls before that
// one, or gives it another argument.
func (p *Plan) mutate(s *generate.Sampler, c candidate.Program) candidate.Program {
	if s.Rand.Intn(2) == 0 {
		return s.Mutate(c)
	}
	last := c[len(c)-1]
	b := program.Extend(c[:len(c)-1], s.Graph.Table)
	for range 1 + s.Rand.Intn(3) {
		if len(b.Program) < generate.MaxStatements {
			p.addCall(s, b)
		}
	}
	last.Args = slices.Clone(last.Args)
	if s.Rand.Intn(4) == 0 {
		i := s.Rand.Intn(max(len(last.Args), 1))
		if i < len(last.Args) {
			if r := s.Reuse(b.Program, s.Graph.In[last.Op][i]); r >= 0 {
				last.Args[i] = r
			}
		}
	}
	b.Add(last)
	return b.Program
}

// addCall adds a call on a result that exists: of a function that writes a field that the goal
// constrains, or of any target.
func (p *Plan) addCall(s *generate.Sampler, b *program.Builder) {
	for range 10 {
		op := s.Target()
		if len(p.writers) > 0 && s.Rand.Intn(4) > 0 {
			op = p.writers[s.Rand.Intn(len(p.writers))]
		}
		if s.CallOn(b, op) {
			return
		}
	}
}
