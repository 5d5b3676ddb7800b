package search

import (
	"cmp"
	"slices"

	"dsd/crash/candidate"
)

// The guided genetic algorithm of [EVO III-C]: a population of candidates, each of which calls a function of the stack, is
// crossed and mutated, and the fittest are kept.

// populationSize is N of [EVO algorithm 1].
const populationSize = 100

// maxEqual is how many of the population may be equally fit.
const maxEqual = populationSize / 3

// individual is a candidate of the population.
type individual struct {
	prog    candidate.Program
	fitness float64
	// distance is how far it is from the trail; see candidate.Runner.
	distance float32
}

// population is a set of candidates, fittest first.
type population struct {
	list []individual
	// stale counts the generations since the best became better.
	stale int
}

// insert adds candidates and keeps the fittest, of equal ones the shorter, and of those the newer: drifting on a plateau finds
// its edge.
func (p *population) insert(offspring []individual) {
	best := p.best()
	p.list = append(slices.Clone(offspring), p.list...)
	slices.SortStableFunc(p.list, func(a, b individual) int {
		return cmp.Or(cmp.Compare(a.fitness, b.fitness), len(a.prog)-len(b.prog))
	})
	// Many that are equally fit would crowd out the others.
	var kept []individual
	same := 0
	for _, x := range p.list {
		if len(kept) > 0 && kept[len(kept)-1].fitness == x.fitness {
			if same++; same >= maxEqual {
				continue
			}
		} else {
			same = 0
		}
		if kept = append(kept, x); len(kept) == populationSize {
			break
		}
	}
	p.list = kept
	if p.stale++; p.best() < best {
		p.stale = 0
	}
}

// best is the least fitness value, that of no candidate if there are none.
func (p *population) best() float64 {
	if len(p.list) == 0 {
		return worst
	}
	return p.list[0].fitness
}

// worst is the greatest value of the fitness function [EVO definition 1].
const worst = 6

// restart forgets all but a few of the fittest.
func (p *population) restart() {
	p.list = p.list[:min(len(p.list), populationSize/20)]
	p.stale = 0
}

// parent draws one of the population, the fitter of a few.
func (s *sampler) parent(p *population) candidate.Program {
	at := len(p.list)
	for range 3 {
		at = min(at, s.r.Intn(len(p.list)))
	}
	return p.list[at].prog
}

// offspring crosses two parents, or takes one of them, and mutates it.
func (s *sampler) offspring(p *population) candidate.Program {
	q := s.parent(p)
	if s.r.Intn(4) == 0 {
		q = s.cross(q, s.parent(p))
	}
	return s.guidedMutation(q)
}

// guidedMutation changes a candidate so that it still calls a function of the stack [EVO algorithm 4].
func (s *sampler) guidedMutation(p candidate.Program) candidate.Program {
	s.behaving = pickMutation
	for range 5 {
		if q := s.change(p); s.guides(q) {
			return q
		}
	}
	return s.guided(p)
}

// guides says that a candidate calls a function of the stack.
func (s *sampler) guides(p candidate.Program) bool {
	for i := range p {
		if s.onStack[p[i].Op] {
			return true
		}
	}
	return false
}

// guided lets a candidate call a function of the stack at its end, on what is there if that can be.
func (s *sampler) guided(p candidate.Program) candidate.Program {
	op := s.stackOp()
	b := s.extend(p)
	if len(s.g.in[op]) > 0 && s.callOn(b, op) {
		return b.prog
	}
	if depth := s.enough(op); depth > 0 {
		s.call(b, op, depth)
	}
	return b.prog
}

// stackOp draws an operation that calls a function of the stack, the outermost as often as all others.
func (s *sampler) stackOp() int {
	if s.r.Intn(2) == 0 {
		return s.stack[len(s.stack)-1]
	}
	return s.stack[s.r.Intn(len(s.stack))]
}

// enough is a depth at which an operation has arguments, 0 if there is none.
func (s *sampler) enough(op int) int {
	need := 1
	for i, n := range s.g.in[op] {
		if n.cheapest == 0 && !(s.g.Table[op].Variadic && i == len(s.g.in[op])-1) {
			return 0
		}
		need = max(need, n.cheapest)
	}
	return need + s.r.Intn(3)
}

// initial draws a candidate that calls a function of the stack [EVO algorithm 2].
func (s *sampler) initial() candidate.Program {
	s.behaving = pickInitial
	if s.r.Intn(4) > 0 {
		return s.guided(nil)
	}
	p := s.candidate()
	for s.r.Intn(3) > 0 && p != nil && len(p) < maxStatements {
		p = s.callAgain(p)
	}
	return s.guided(p)
}

// cross joins the beginning of one candidate and the end of another; what that end used of its own beginning is replaced by
// values of the same types [EVO algorithm 3].
func (s *sampler) cross(p, q candidate.Program) candidate.Program {
	cut := s.r.Intn(len(p) + 1)
	b := s.extend(p[:cut])
	cut = min(s.r.Intn(len(p)+1), len(q)-1)
	all := make([]*node, 0, 2*len(q)) // the types of q's results
	for i := range q {
		all = append(all, s.g.out[q[i].Op]...)
	}
	place := map[int]int{} // results of q that are there
	at := 0
	for i := range q {
		st := q[i]
		outs := len(s.g.out[st.Op])
		if i < cut {
			at += outs
			continue
		}
		st.Args = slices.Clone(st.Args)
		for j, a := range st.Args {
			if to, ok := place[a]; ok {
				st.Args[j] = to
				continue
			}
			n := all[a]
			r := -1
			if s.r.Intn(2) == 0 {
				r = s.pick(s.registers(b.prog, len(b.prog)), n)
			}
			if r < 0 { // as it was made there
				r = s.carry(b, q, a, all, place)
			}
			place[a] = r
			st.Args[j] = r
		}
		first := b.add(st)
		for k := range outs {
			place[at+k] = first + k
		}
		at += outs
	}
	if len(b.prog) > 2*maxStatements || !s.guides(b.prog) {
		return p
	}
	return b.prog
}

// carry adds the statements of q that make its result a, and returns its number.
func (s *sampler) carry(b *builder, q candidate.Program, a int, all []*node, place map[int]int) int {
	at := 0
	for i := range q {
		outs := len(s.g.out[q[i].Op])
		if a >= at+outs {
			at += outs
			continue
		}
		st := q[i]
		st.Args = slices.Clone(st.Args)
		for j, arg := range st.Args {
			to, ok := place[arg]
			if !ok {
				to = s.carry(b, q, arg, all, place)
				place[arg] = to
			}
			st.Args[j] = to
		}
		first := b.add(st)
		for k := range outs {
			place[at+k] = first + k
		}
		return first + a - at
	}
	return 0
}
