package fuzztarget

import (
	"fmt"
	"strings"

	"dsd/crash/candidate"
)

// callSlice returns the part of a program that matters for its k-th statement: it, what makes its
// arguments, and what changes these.
func callSlice(p candidate.Program, k int, table []*candidate.Op) candidate.Program {
	producer := []int{} // of each result
	for i := range p[:k+1] {
		for range table[p[i].Op].Out {
			producer = append(producer, i)
		}
	}
	keep := make([]bool, k+1)
	for i := k; i >= 0; i-- {
		s := &p[i]
		changes := table[s.Op].OnFirst && keep[producer[s.Args[0]]]
		if i != k && !keep[i] && !changes {
			continue
		}
		keep[i] = true
		for _, a := range s.Args {
			keep[producer[a]] = true
		}
	}
	var out candidate.Program
	numbers := make([]int, len(producer))
	next, first := 0, 0
	for i := range p[:k+1] {
		n := len(table[p[i].Op].Out)
		if keep[i] {
			s := p[i]
			s.Args = make([]int, len(p[i].Args))
			for j, a := range p[i].Args {
				s.Args[j] = numbers[a]
			}
			out = append(out, s)
			for j := range n {
				numbers[first+j] = next + j
			}
			next += n
		}
		first += n
	}
	return out
}

// skeleton returns a text that programs share if they differ in their literals alone.
func skeleton(p candidate.Program) string {
	var b strings.Builder
	for i := range p {
		fmt.Fprint(&b, p[i].Op, p[i].Args, ";")
	}
	return b.String()
}
