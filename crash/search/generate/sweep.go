package generate

import (
	"slices"

	"dsd/crash/candidate"
)

// sweep removes the statements of p that make values which nothing uses. Calls and statements
// without results stay for their side effects. A candidate that would be empty is returned as it
// is.
func (s *Sampler) sweep(p candidate.Program) candidate.Program {
	total := 0 // results
	for i := range p {
		total += len(s.Graph.Out[p[i].Op])
	}
	if cap(s.used) < total+len(p) {
		s.used = make([]bool, 2*(total+len(p)))
	}
	used, live := s.used[:total], s.used[total:total+len(p)] // by result, by statement
	clear(used)
	dead, at := 0, total
	for i := len(p) - 1; i >= 0; i-- {
		o := s.Graph.Table[p[i].Op]
		outs := len(s.Graph.Out[p[i].Op])
		at -= outs
		live[i] = o.Func != nil || outs == 0 || slices.Contains(used[at:at+outs], true)
		if !live[i] {
			dead++
			continue
		}
		for _, a := range p[i].Args {
			used[a] = true
		}
	}
	if dead == 0 || dead == len(p) {
		return p
	}
	return s.keepLive(p, live, total, len(p)-dead)
}

// keepLive returns the n live statements of p, which has a total number of results.
func (s *Sampler) keepLive(p candidate.Program, live []bool, total, n int) candidate.Program {
	out := make(candidate.Program, 0, n)
	if cap(s.moved) < total {
		s.moved = make([]int, 2*total)
	}
	moved := s.moved[:total] // the new numbers of results
	clear(moved)
	at, to := 0, 0
	for i := range p {
		outs := len(s.Graph.Out[p[i].Op])
		if !live[i] {
			at += outs
			continue
		}
		st := p[i]
		for j, a := range st.Args {
			if moved[a] != a {
				st.Args = slices.Clone(st.Args)
				for ; j < len(st.Args); j++ {
					st.Args[j] = moved[st.Args[j]]
				}
				break
			}
		}
		for range outs {
			moved[at] = to
			at, to = at+1, to+1
		}
		out = append(out, st)
	}
	return out
}
