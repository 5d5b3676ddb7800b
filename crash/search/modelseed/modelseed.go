// Package modelseed selects call sequences from usage models, as seeds for a search [SEED 3.2].
//
// A usage model of a type is a transition system: its states are the calls that were seen on
// objects of the type, and its transitions have the counts with which one call followed another.
// For each type of a parameter graph that has a model, Select draws random walks through the model
// (transitions in proportion to their counts) as abstract object behaviors, and keeps the ones
// that have the fewest calls in common. Package generate concretises them.
//
// The selection is by dissimilarity, as in [SEED 3.2.1]. It is greedy: each time, Select chooses
// the behavior that is least similar to those chosen already.
package modelseed

import (
	"math/rand"
	"sort"
	"strings"

	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

const (
	maxBehaviors = 12  // behaviors that are kept of a type
	walks        = 100 // behaviors that are drawn of a type, to choose from
	maxCalls     = 10  // calls of a behavior
	maxSteps     = 30  // transitions of a walk
)

// Select returns behaviors for the types of a graph that have a model. It returns none if models
// is nil. Its choices do not depend on the seed of a search.
func Select(
	g *paramgraph.Graph, models *schemas.Models,
) map[*paramgraph.Node][]generate.Behavior {
	out := map[*paramgraph.Node][]generate.Behavior{}
	if models == nil {
		return out
	}
	s := &selector{g: g, ops: map[string]int{}, rand: rand.New(rand.NewSource(1))}
	for i, o := range g.Table {
		if o.Func != nil && !o.Internal {
			if _, ok := s.ops[source.FuncName(o.Func)]; !ok {
				s.ops[source.FuncName(o.Func)] = i
			}
		}
	}
	byType := map[string]*schemas.Model{}
	for i := range models.Models {
		byType[models.Models[i].Type] = &models.Models[i]
	}
	nodes := map[string]*paramgraph.Node{}
	var keys []string // in a fixed order, as the walks share one source of random numbers
	for k, n := range g.Nodes {
		nodes[k] = n
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		m := byType[symbol.Plain(strings.TrimPrefix(k, "*"))]
		if m == nil {
			continue
		}
		var list []generate.Behavior
		for range walks {
			if b := s.walk(m, nodes[k]); len(b) > 0 {
				list = append(list, b)
			}
		}
		if list = dissimilar(list, maxBehaviors); len(list) > 0 {
			out[nodes[k]] = list
		}
	}
	return out
}

type selector struct {
	g    *paramgraph.Graph
	ops  map[string]int // operations that users can do, by the name of the function
	rand *rand.Rand
}

// walk draws a walk through a model. It leaves out calls that the graph has no operation for, or
// that do not make or take an object of type n.
func (s *selector) walk(m *schemas.Model, n *paramgraph.Node) generate.Behavior {
	var out generate.Behavior
	state := ""
	for range maxSteps {
		total := int64(0)
		for _, t := range m.Transitions {
			if t.From == state {
				total += t.Count
			}
		}
		if total == 0 || len(out) == maxCalls ||
			len(out) > 0 && s.rand.Intn(maxCalls) == 0 {
			break
		}
		at := s.rand.Int63n(total)
		for _, t := range m.Transitions {
			if t.From != state {
				continue
			}
			if at -= t.Count; at < 0 {
				state = t.To
				break
			}
		}
		op, ok := s.ops[state]
		if !ok {
			continue
		}
		o := s.g.Table[op]
		switch {
		case o.OnFirst && s.g.In[op][0] == n:
			out = append(out, op)
		case !o.OnFirst && len(out) == 0 && len(s.g.Out[op]) > 0 && s.g.Out[op][0] == n:
			out = append(out, op)
		}
	}
	return out
}

// dissimilar chooses up to n behaviors. Each is the one with the greatest least distance to those
// chosen before it. It does not change the array of list.
func dissimilar(list []generate.Behavior, n int) []generate.Behavior {
	var out []generate.Behavior
	for len(out) < n && len(list) > 0 {
		best, farthest := 0, -1.0
		for i, b := range list {
			d := 1.0
			for _, o := range out {
				d = min(d, distance(b, o))
			}
			if d > farthest {
				best, farthest = i, d
			}
		}
		if farthest == 0 { // every other one has the same calls as a chosen one
			break
		}
		out = append(out, list[best])
		list = append(list[:best:best], list[best+1:]...)
	}
	return out
}

// distance returns the dissimilarity of two behaviors as sets of calls [SEED 3.2.1]: one less the
// Jaccard index,
//
//	d(a, b) = 1 - |a ∩ b| / |a ∪ b|
func distance(a, b generate.Behavior) float64 {
	const inA, inB = 1, 2
	calls := map[int]int{}
	for _, op := range a {
		calls[op] |= inA
	}
	for _, op := range b {
		calls[op] |= inB
	}
	both := 0
	for _, in := range calls {
		if in == inA|inB {
			both++
		}
	}
	return 1 - float64(both)/float64(len(calls))
}
