package search

import (
	"slices"

	"dsd/crash/candidate"
)

// maxStatements is the length past which a candidate gets no more calls; the last change may repeat some of them.
const maxStatements = 60

// longEnough is the length past which more calls are dropped than added: what a candidate does not need costs time.
const longEnough = 12

// change makes a candidate like p but for something small. p itself stays as it is, and so do the arguments of its statements,
// which candidates share.
func (s *sampler) change(p candidate.Program) candidate.Program {
	out := slices.Clone(p)
	if len(out) > longEnough && s.r.Intn(2) == 0 {
		for range len(out) / 4 {
			out = s.drop(out)
		}
	}
	for range 1 + s.r.Intn(3) {
		kind := s.r.Intn(16)
		if len(out) > longEnough && kind >= 6 && kind <= 9 && s.r.Intn(3) > 0 {
			kind = 10
		}
		switch kind {
		case 0, 1, 2, 3:
			s.changeLiteral(out)
		case 4, 5:
			s.changeArgument(out)
		case 6, 7, 8, 9:
			out = s.callAgain(out)
		case 10, 11:
			out = s.drop(out)
		case 12:
			out = s.repeat(out)
		case 13, 14, 15:
			out = s.freshArgument(out)
		}
	}
	return s.sweep(out)
}

// sweep takes the values out of a candidate that nothing uses.
func (s *sampler) sweep(p candidate.Program) candidate.Program {
	total := 0
	for i := range p {
		total += len(s.g.out[p[i].Op])
	}
	if cap(s.needed) < total+len(p) {
		s.needed = make([]bool, 2*(total+len(p)))
	}
	needed, live := s.needed[:total], s.needed[total:total+len(p)]
	clear(needed)
	dead, at := 0, total
	for i := len(p) - 1; i >= 0; i-- {
		o := s.g.Table[p[i].Op]
		outs := len(s.g.out[p[i].Op])
		at -= outs
		live[i] = o.Func != nil || outs == 0 || slices.Contains(needed[at:at+outs], true)
		if !live[i] {
			dead++
			continue
		}
		for _, a := range p[i].Args {
			needed[a] = true
		}
	}
	if dead == 0 || dead == len(p) {
		return p
	}
	out := make(candidate.Program, 0, len(p)-dead)
	if cap(s.moved) < total {
		s.moved = make([]int, 2*total)
	}
	move := s.moved[:total] // the numbers of results
	clear(move)
	at, to := 0, 0
	for i := range p {
		outs := len(s.g.out[p[i].Op])
		if !live[i] {
			at += outs
			continue
		}
		st := p[i]
		for j, a := range st.Args {
			if move[a] != a {
				st.Args = slices.Clone(st.Args)
				for ; j < len(st.Args); j++ {
					st.Args[j] = move[st.Args[j]]
				}
				break
			}
		}
		for range outs {
			move[at] = to
			at, to = at+1, to+1
		}
		out = append(out, st)
	}
	return out
}

// changeLiteral gives a literal another value.
func (s *sampler) changeLiteral(p candidate.Program) {
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
	n := s.g.out[st.Op][0]
	v := s.near(value{st.Bits, st.Text}, n)
	if s.r.Intn(2) == 0 {
		v = s.literal(n)
	}
	st.Bits, st.Text = v.bits, v.text
}

// registers are the types of the results of p's first n statements; nil for a nil pointer and the like, which is not to be used
// again. They are good until it is called for another program.
func (s *sampler) registers(p candidate.Program, n int) []*node {
	out := s.regs[:0]
	for i := range p[:n] {
		if s.nils[p[i].Op] {
			out = append(out, nil)
		} else {
			out = append(out, s.g.out[p[i].Op]...)
		}
	}
	s.regs = out
	return out
}

// pick returns a result of type t among those given, -1 if there is none.
func (s *sampler) pick(results []*node, n *node) int {
	fit := 0
	for _, r := range results {
		if r == n {
			fit++
		}
	}
	if fit == 0 {
		return -1
	}
	nth := s.r.Intn(fit)
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

// changeArgument lets a statement use another result of the same type.
func (s *sampler) changeArgument(p candidate.Program) {
	i := s.r.Intn(len(p))
	in := s.g.in[p[i].Op]
	if len(p[i].Args) == 0 {
		return
	}
	j := s.r.Intn(len(p[i].Args))
	if r := s.pick(s.registers(p, i), in[min(j, len(in)-1)]); r >= 0 {
		p[i].Args = slices.Clone(p[i].Args)
		p[i].Args[j] = r
	}
}

// freshArgument makes a new value for an argument of a statement, or another element of a slice.
func (s *sampler) freshArgument(p candidate.Program) candidate.Program {
	if len(p) > maxStatements {
		return p
	}
	i := s.r.Intn(len(p))
	st := p[i]
	op := s.g.Table[st.Op]
	if len(s.g.in[st.Op]) == 0 {
		return p
	}
	b := s.extend(p[:i])
	before := b.results
	j := s.r.Intn(len(st.Args) + 1)
	switch {
	case op.Variadic:
		elem := s.g.in[st.Op][0]
		if elem.cheapest == 0 {
			return p
		}
		r := s.value(b, elem, elem.cheapest+1)
		st.Args = slices.Insert(slices.Clone(st.Args), j, r)
	case j == len(st.Args) || j == 0 && op.OnFirst:
		return p
	default:
		n := s.g.in[st.Op][j]
		st.Args = slices.Clone(st.Args)
		st.Args[j] = s.argument(b, st.Op, j, n, max(n.cheapest, 1)+1)
	}
	added := b.results - before
	b.add(st)
	for _, later := range p[i+1:] {
		later.Args = shifted(later.Args, before, added)
		b.add(later)
	}
	return b.prog
}

// shifted are numbers of results, those from a first one on by n greater.
func shifted(args []int, first, n int) []int {
	for j, a := range args {
		if a < first || n == 0 {
			continue
		}
		args = slices.Clone(args)
		for ; j < len(args); j++ {
			if args[j] >= first {
				args[j] += n
			}
		}
		break
	}
	return args
}

// callAgain adds a call at the end, of a target that can use what is there already.
func (s *sampler) callAgain(p candidate.Program) candidate.Program {
	if len(p) > maxStatements {
		return p
	}
	b := s.extend(p)
	for range 10 {
		op := s.target()
		if n := len(s.g.setters); n > 0 && s.r.Intn(4) == 0 {
			op = s.g.setters[s.r.Intn(n)]
		}
		if s.callOn(b, op) {
			break
		}
	}
	return b.prog
}

// repeat adds one to three of the calls once more, up to 64 times: tables grow, and buffers run full.
func (s *sampler) repeat(p candidate.Program) candidate.Program {
	if len(p) > maxStatements {
		return p
	}
	from := s.r.Intn(len(p))
	to := from
	for to < len(p) && to < from+3 && s.g.Table[p[to].Op].Func != nil {
		to++
		if s.r.Intn(2) == 0 {
			break
		}
	}
	b := s.extend(p)
	for range 1 << s.r.Intn(1+s.r.Intn(7)) {
		for _, st := range p[from:to] {
			b.add(st)
		}
	}
	return b.prog
}

// extend begins a candidate with the statements of p.
func (s *sampler) extend(p candidate.Program) *builder {
	b := &builder{table: s.g.Table, prog: make(candidate.Program, len(p), len(p)+8)}
	copy(b.prog, p)
	for i := range p {
		b.results += len(s.g.out[p[i].Op])
	}
	return b
}

// callOn adds a call of an operation whose first argument is there already; false if it is not. One that has no arguments can
// be called again, too.
func (s *sampler) callOn(b *builder, op int) bool {
	results := s.registers(b.prog, len(b.prog))
	in := s.g.in[op]
	depth := 1 + s.r.Intn(3)
	if !s.feasible(op, depth) || len(in) > 0 && s.pick(results, in[0]) < 0 {
		return false
	}
	args := make([]int, 0, len(in))
	for i, n := range in {
		r := -1
		if i == 0 || s.r.Intn(2) == 0 {
			r = s.pick(results, n)
		}
		if r < 0 {
			r = s.argument(b, op, i, n, depth)
		}
		args = append(args, r)
	}
	b.add(candidate.Stmt{Op: op, Args: args})
	return true
}

// drop takes a statement out whose results nobody uses.
func (s *sampler) drop(p candidate.Program) candidate.Program {
	if len(p) < 2 {
		return p
	}
	if q, ok := without(p, s.r.Intn(len(p)), s.g.Table); ok {
		return q
	}
	return p
}

// without is p without its i-th statement; false if others use its results.
func without(p candidate.Program, i int, table []*candidate.Op) (candidate.Program, bool) {
	first := 0
	for _, st := range p[:i] {
		first += len(table[st.Op].Out)
	}
	n := len(table[p[i].Op].Out)
	out := append(make(candidate.Program, 0, len(p)), p[:i]...)
	for _, st := range p[i+1:] {
		for _, a := range st.Args {
			if a >= first && a < first+n {
				return nil, false
			}
		}
		st.Args = shifted(st.Args, first+n, -n)
		out = append(out, st)
	}
	return out, true
}
