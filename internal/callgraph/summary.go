package callgraph

import (
	"go/types"
	"iter"

	"dsd/internal/source"
)

// Summary holds, for each function of a graph, a set of variables that the function and all
// functions that it calls touch in some way. What counts as touching is up to whoever made it.
// A nil Summary has empty sets.
type Summary struct {
	number map[*types.Var]int // index into vars
	vars   []*types.Var
	sets   map[node]Set
}

// Summarize computes
//
//	summary[f] = union of own(g) over all g with a path from f to g, f itself included
//
// along the edges of some kinds. The function own adds the variables that one function touches by
// itself: fields, package-level variables, or variables that stand for something else. Fields and
// variables of instances are replaced by those of the generic type or function.
//
// The callers' notions of touching differ on purpose, so they stay with the callers:
//   - the recorder must save each field that is overwritten, but nothing beyond it: of x.f[i] = v
//     it wants f only if f is an array, since it saves no elements;
//   - the search for crashes wants hints, so each field named on the left of an assignment counts;
//   - inference wants each field that a function can read or write, so reads count, too.
//
// The result is as sound as own and the graph are; see the package comment for the graph. The cost
// is that of calling own for each function and of Close.
func (g *Graph) Summarize(kinds Kind, own func(f *source.Func, add func(*types.Var))) *Summary {
	s := &Summary{number: map[*types.Var]int{}, sets: map[node]Set{}}
	for _, f := range g.Funcs {
		var set Set
		own(f, func(v *types.Var) {
			v = v.Origin()
			n, ok := s.number[v]
			if !ok {
				n = len(s.vars)
				s.number[v] = n
				s.vars = append(s.vars, v)
			}
			set.Add(n)
		})
		s.sets[node{fn: f.Obj}] = set
	}
	Close(g.nodes(), g.successors(kinds), s.sets)
	return s
}

// Of returns the variables that some of the functions touch.
func (s *Summary) Of(fns ...*types.Func) Vars {
	if s == nil {
		return Vars{}
	}
	if len(fns) == 1 {
		return Vars{s, s.sets[node{fn: fns[0].Origin()}]}
	}
	var all Set
	for _, fn := range fns {
		all.Union(s.sets[node{fn: fn.Origin()}])
	}
	return Vars{s, all}
}

// Vars is a set of variables. The zero value is empty.
type Vars struct {
	of  *Summary
	set Set
}

// Has reports whether a variable is in the set.
func (v Vars) Has(x *types.Var) bool {
	if v.of == nil {
		return false
	}
	n, ok := v.of.number[x.Origin()]
	return ok && v.set.Has(n)
}

// All returns the variables, in the order in which Summarize met them.
func (v Vars) All() iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for n := range v.set.All() {
			if !yield(v.of.vars[n]) {
				return
			}
		}
	}
}
