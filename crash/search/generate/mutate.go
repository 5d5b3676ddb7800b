package generate

import (
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/crash/search/program"
)

const (
	// MaxStatements is the length past which a candidate gets no more calls. The last mutation
	// may repeat some of them, so candidates can be longer.
	MaxStatements = 60
	// longEnough is the length past which more calls are dropped than added: unneeded calls
	// cost time.
	longEnough = 12
)

// Mutate returns a candidate that differs a little from p. It does not change p, nor the arguments
// of its statements, which candidates share.
//
// It applies one to three mutations, with these weights of 16: change a literal 4, use another
// result, or a copy with a field set, 2, add a call 4, drop a statement 2, repeat calls 1, draw an argument again 3.
func (s *Sampler) Mutate(p candidate.Program) candidate.Program {
	out := slices.Clone(p)
	if len(out) > longEnough && s.Rand.Intn(2) == 0 {
		for range len(out) / 4 {
			out = s.drop(out)
		}
	}
	for range 1 + s.Rand.Intn(3) {
		kind := s.Rand.Intn(16)
		if len(out) > longEnough && kind >= 6 && kind <= 9 && s.Rand.Intn(3) > 0 {
			kind = 10
		}
		switch kind {
		case 0, 1, 2, 3:
			s.changeLiteral(out)
		case 4, 5:
			if s.copies && s.Rand.Intn(2) == 0 {
				out = s.setField(out)
			} else {
				s.changeArgument(out)
			}
		case 6, 7, 8, 9:
			out = s.CallAgain(out)
		case 10, 11:
			out = s.drop(out)
		case 12:
			out = s.repeat(out)
		case 13, 14, 15:
			out = s.drawArgument(out)
		}
	}
	return s.sweep(out)
}

// changeLiteral gives a literal of p another value, in place.
func (s *Sampler) changeLiteral(p candidate.Program) {
	var at []int
	for i := range p {
		if s.Graph.Table[p[i].Op].Lit {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return
	}
	st := &p[at[s.Rand.Intn(len(at))]]
	n := s.Graph.Out[st.Op][0]
	v := s.mutateValue(constants.Value{Bits: st.Bits, Text: st.Text}, n)
	if s.Rand.Intn(2) == 0 {
		v = s.literal(n)
	}
	st.Bits, st.Text = v.Bits, v.Text
}

// changeArgument lets a statement of p use another result of the same type, in place.
func (s *Sampler) changeArgument(p candidate.Program) {
	i := s.Rand.Intn(len(p))
	in := s.Graph.In[p[i].Op]
	if len(p[i].Args) == 0 {
		return
	}
	j := s.Rand.Intn(len(p[i].Args))
	if r := s.Reuse(p[:i], in[min(j, len(in)-1)]); r >= 0 {
		p[i].Args = slices.Clone(p[i].Args)
		p[i].Args[j] = r
	}
}

// setField lets a statement of p use a copy of an argument, a struct, in which a field has another value.
func (s *Sampler) setField(p candidate.Program) candidate.Program {
	if len(p) > MaxStatements {
		return p
	}
	type use struct{ statement, argument int }
	var uses []use
	for i := range p {
		for j, n := range s.Graph.In[p[i].Op] {
			if len(n.Copies) > 0 && j < len(p[i].Args) {
				uses = append(uses, use{i, j})
			}
		}
	}
	if len(uses) == 0 {
		return p
	}
	at := uses[s.Rand.Intn(len(uses))]
	st := p[at.statement]
	list := s.Graph.In[st.Op][at.argument].Copies
	op := list[s.Rand.Intn(len(list))]
	field := s.Graph.In[op][1]
	if field.MinDepth == 0 {
		return p
	}
	b := program.Extend(p[:at.statement], s.Graph.Table)
	before := b.Results
	v := s.argument(b, op, 1, field, field.MinDepth+1)
	st.Args = slices.Clone(st.Args)
	st.Args[at.argument] = b.Add(candidate.Stmt{Op: op, Args: []int{st.Args[at.argument], v}})
	return s.insert(b, st, p[at.statement+1:], before)
}

// insert adds a statement and those that follow it, after others were added since there were before results.
func (s *Sampler) insert(b *program.Builder, st candidate.Stmt, rest candidate.Program, before int) candidate.Program {
	added := b.Results - before
	b.Add(st)
	for _, later := range rest {
		later.Args = program.Shift(later.Args, before, added)
		b.Add(later)
	}
	return b.Program
}

// drawArgument draws an argument of a statement again, or another element of a slice, or removes an
// element.
func (s *Sampler) drawArgument(p candidate.Program) candidate.Program {
	if len(p) > MaxStatements {
		return p
	}
	i := s.Rand.Intn(len(p))
	st := p[i]
	op := s.Graph.Table[st.Op]
	if len(s.Graph.In[st.Op]) == 0 {
		return p
	}
	b := program.Extend(p[:i], s.Graph.Table)
	before := b.Results
	j := s.Rand.Intn(len(st.Args) + 1)
	switch {
	case op.Variadic && j < len(st.Args) && s.Rand.Intn(2) == 0:
		st.Args = slices.Delete(slices.Clone(st.Args), j, j+1)

	case op.Variadic:
		elem := s.Graph.In[st.Op][0]
		if elem.MinDepth == 0 {
			return p
		}
		r := s.Value(b, elem, elem.MinDepth+1)
		st.Args = slices.Insert(slices.Clone(st.Args), j, r)

	case j == len(st.Args) || j == 0 && op.OnFirst:
		return p

	default:
		n := s.Graph.In[st.Op][j]
		st.Args = slices.Clone(st.Args)
		st.Args[j] = s.argument(b, st.Op, j, n, max(n.MinDepth, 1)+1)
	}
	return s.insert(b, st, p[i+1:], before)
}

// repeat repeats one to three consecutive calls of p, up to 128 times: tables grow, and buffers are
// filled. The copies come directly after the calls, or at the end.
func (s *Sampler) repeat(p candidate.Program) candidate.Program {
	if len(p) > MaxStatements {
		return p
	}
	from := s.Rand.Intn(len(p))
	to := from
	for to < len(p) && to < from+3 && s.Graph.Table[p[to].Op].Func != nil {
		to++
		if s.Rand.Intn(2) == 0 {
			break
		}
	}
	at := len(p)
	if s.Rand.Intn(2) == 0 {
		at = to
	}
	b := program.Extend(p[:at], s.Graph.Table)
	before := b.Results
	for range 1 << s.Rand.Intn(1+s.Rand.Intn(8)) {
		for _, st := range p[from:to] {
			b.Add(st)
		}
	}
	added := b.Results - before
	for _, later := range p[at:] {
		later.Args = program.Shift(later.Args, before, added)
		b.Add(later)
	}
	return b.Program
}

// drop removes a statement. It returns p itself if the statement that it draws is used.
func (s *Sampler) drop(p candidate.Program) candidate.Program {
	if len(p) < 2 {
		return p
	}
	if q, ok := program.Without(p, s.Rand.Intn(len(p)), s.Graph.Table); ok {
		return q
	}
	return p
}
