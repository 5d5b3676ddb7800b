package random

import (
	"slices"

	"dsd/crash/exec"
)

// maxStatements is the length of the longest candidate that is made by changing others.
const maxStatements = 60

// change makes a candidate like p but for something small. p itself stays as it is.
func (s *sampler) change(p exec.Program) exec.Program {
	out := make(exec.Program, len(p))
	for i, st := range p {
		st.Args = slices.Clone(st.Args)
		out[i] = st
	}
	for range 1 + s.r.Intn(3) {
		switch s.r.Intn(6) {
		case 0, 1:
			s.changeLiteral(out)
		case 2:
			s.changeArgument(out)
		case 3, 4:
			out = s.callAgain(out)
		case 5:
			out = s.drop(out)
		}
	}
	return out
}

// changeLiteral gives a literal another value.
func (s *sampler) changeLiteral(p exec.Program) {
	var at []int
	for i := range p {
		if s.g.Table[p[i].Op].Lit {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return
	}
	st := &p[at[s.r.Intn(len(at))]]
	v := s.literal(s.g.out[st.Op][0])
	st.Bits, st.Text = v.bits, v.text
}

// registers are the types of the results of p's first n statements.
func (s *sampler) registers(p exec.Program, n int) []*node {
	var out []*node
	for i := range p[:n] {
		out = append(out, s.g.out[p[i].Op]...)
	}
	return out
}

// pick returns a result of type t among those given, -1 if there is none.
func (s *sampler) pick(results []*node, n *node) int {
	var fit []int
	for i, r := range results {
		if r == n {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return -1
	}
	return fit[s.r.Intn(len(fit))]
}

// changeArgument lets a statement use another result of the same type.
func (s *sampler) changeArgument(p exec.Program) {
	i := s.r.Intn(len(p))
	in := s.g.in[p[i].Op]
	if len(p[i].Args) == 0 {
		return
	}
	j := s.r.Intn(len(p[i].Args))
	if r := s.pick(s.registers(p, i), in[min(j, len(in)-1)]); r >= 0 {
		p[i].Args[j] = r
	}
}

// callAgain adds a call at the end, of a target that can use what is there already.
func (s *sampler) callAgain(p exec.Program) exec.Program {
	if len(p) > maxStatements {
		return p
	}
	results := s.registers(p, len(p))
	b := &builder{table: s.g.Table, prog: p, results: len(results)}
	for range 10 {
		target := s.target()
		in := s.g.in[target]
		depth := 1 + s.r.Intn(3)
		if len(in) == 0 || !s.feasible(target, depth) || s.pick(results, in[0]) < 0 {
			continue
		}
		var args []int
		for i, n := range in {
			r := -1
			if i == 0 || s.r.Intn(2) == 0 {
				r = s.pick(results, n)
			}
			if r < 0 {
				r = s.value(b, n, depth)
			}
			args = append(args, r)
		}
		b.add(exec.Stmt{Op: target, Args: args})
		break
	}
	return b.prog
}

// drop takes a statement out whose results nobody uses.
func (s *sampler) drop(p exec.Program) exec.Program {
	if len(p) < 2 {
		return p
	}
	if q, ok := without(p, s.r.Intn(len(p)), s.g.Table); ok {
		return q
	}
	return p
}

// without is p without its i-th statement; false if others use its results.
func without(p exec.Program, i int, table []*exec.Op) (exec.Program, bool) {
	first := 0
	for _, st := range p[:i] {
		first += len(table[st.Op].Out)
	}
	n := len(table[p[i].Op].Out)
	out := slices.Clone(p[:i])
	for _, st := range p[i+1:] {
		args := slices.Clone(st.Args)
		for j, a := range args {
			switch {
			case a >= first+n:
				args[j] = a - n
			case a >= first:
				return nil, false
			}
		}
		st.Args = args
		out = append(out, st)
	}
	return out, true
}
