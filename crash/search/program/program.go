// Package program builds and edits candidates: sequences of statements over a table of operations.
//
// The results of all statements of a candidate are numbered from 0 in order, and arguments refer to
// them by these numbers. So a statement that is inserted or dropped shifts the numbers that the
// later statements use. Edits never change a candidate or its argument slices in place: candidates
// share them.
package program

import (
	"go/types"
	"slices"

	"dsd/crash/candidate"
)

// Builder builds a candidate statement by statement.
type Builder struct {
	Table   []*candidate.Op
	Program candidate.Program
	Results int // number of results of the statements so far
}

// Extend returns a builder that appends to a copy of p.
func Extend(p candidate.Program, table []*candidate.Op) *Builder {
	const room = 8 // statements that are appended without another allocation
	b := &Builder{Table: table, Program: make(candidate.Program, len(p), len(p)+room)}
	copy(b.Program, p)
	for i := range p {
		b.Results += len(table[p[i].Op].Out)
	}
	return b
}

// Add appends a statement and returns the number of its first result.
func (b *Builder) Add(s candidate.Stmt) int {
	b.Program = append(b.Program, s)
	first := b.Results
	b.Results += len(b.Table[s.Op].Out)
	return first
}

// Shift returns args with n added to each result number that is at least first. It returns args
// itself if no number changes.
func Shift(args []int, first, n int) []int {
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

// Without returns p without its i-th statement. It reports false if a later statement uses a result
// of that one.
func Without(p candidate.Program, i int, table []*candidate.Op) (candidate.Program, bool) {
	first := FirstResult(p, i, table)
	n := len(table[p[i].Op].Out)
	out := append(make(candidate.Program, 0, len(p)), p[:i]...)
	for _, st := range p[i+1:] {
		for _, a := range st.Args {
			if a >= first && a < first+n {
				return nil, false
			}
		}
		st.Args = Shift(st.Args, first+n, -n)
		out = append(out, st)
	}
	return out, true
}

// FirstResult returns the number of the first result of the i-th statement of p.
func FirstResult(p candidate.Program, i int, table []*candidate.Op) int {
	n := 0
	for _, st := range p[:i] {
		n += len(table[st.Op].Out)
	}
	return n
}

// IsFloat reports whether an operation makes literals of a floating-point or complex type.
func IsFloat(op *candidate.Op) bool {
	b, ok := op.Out[0].Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// Distinct returns the candidates without repetitions, in their order.
func Distinct(list []candidate.Program, table []*candidate.Op) []candidate.Program {
	seen := map[string]bool{}
	var out []candidate.Program
	for _, p := range list {
		key := string(p.Append(nil, table))
		if !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}
