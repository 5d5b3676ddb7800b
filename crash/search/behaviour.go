package search

import (
	"math/rand"
	"sort"

	"dsd/crash/candidate"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Behaviours are sequences of calls that usage models have of objects. Searches make some of their objects by them, the calls with
// random arguments [SEED 3.2].

// behaviour is a sequence of operations that are called on an object; the first makes it if it is a function's.
type behaviour []int

// maxBehaviours is how many are kept of a type, walks how many are drawn to choose from, and maxCalls the length of each.
const (
	maxBehaviours = 12
	walks         = 100
	maxCalls      = 10
)

// The probabilities with which an object is made by a behaviour, in new candidates and in changes [SEED 3.3].
const (
	pickInitial  = 0.5
	pickMutation = 0.3
)

// behaviours draws sequences from the models of the types in a graph, and keeps of each type those that are least alike.
func (g *Graph) behaviours(models *schemas.Models) map[*node][]behaviour {
	out := map[*node][]behaviour{}
	if models == nil {
		return out
	}
	ops := map[string]int{} // exported functions and methods, by name
	for i, o := range g.Table {
		if o.Func != nil && !o.Internal {
			if _, ok := ops[source.FuncName(o.Func)]; !ok {
				ops[source.FuncName(o.Func)] = i
			}
		}
	}
	byType := map[string]*schemas.Model{}
	for i := range models.Models {
		byType[models.Models[i].Type] = &models.Models[i]
	}
	var keys []string
	for k := range g.nodes {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	r := rand.New(rand.NewSource(1))
	for _, k := range keys {
		n := g.nodes[k]
		name := k
		if name != "" && name[0] == '*' {
			name = name[1:]
		}
		name = symbol.Plain(name)
		m := byType[name]
		if m == nil {
			continue
		}
		var list []behaviour
		for range walks {
			if b := g.walk(m, n, ops, r); len(b) > 0 {
				list = append(list, b)
			}
		}
		if list = dissimilar(list, maxBehaviours); len(list) > 0 {
			out[n] = list
		}
	}
	return out
}

// walk draws a way through a model; calls that users cannot make, as another makes them, are passed over.
func (g *Graph) walk(m *schemas.Model, n *node, ops map[string]int, r *rand.Rand) behaviour {
	var out behaviour
	from := ""
	for range 3 * maxCalls {
		total := int64(0)
		for _, t := range m.Transitions {
			if t.From == from {
				total += t.Count
			}
		}
		if total == 0 || len(out) == maxCalls || len(out) > 0 && r.Intn(maxCalls) == 0 {
			break
		}
		at := r.Int63n(total)
		for _, t := range m.Transitions {
			if t.From != from {
				continue
			}
			if at -= t.Count; at < 0 {
				from = t.To
				break
			}
		}
		op, ok := ops[from]
		if !ok {
			continue
		}
		switch {
		case g.Table[op].OnFirst && g.in[op][0] == n:
			out = append(out, op)
		case !g.Table[op].OnFirst && len(out) == 0 && len(g.out[op]) > 0 && g.out[op][0] == n:
			out = append(out, op)
		}
	}
	return out
}

// dissimilar chooses n of some behaviours, each the one whose calls have least in common with those of the ones before.
func dissimilar(list []behaviour, n int) []behaviour {
	var out []behaviour
	for len(out) < n && len(list) > 0 {
		best, far := 0, -1.0
		for i, b := range list {
			d := 1.0
			for _, o := range out {
				d = min(d, jaccard(b, o))
			}
			if d > far {
				best, far = i, d
			}
		}
		if far == 0 {
			break // all calls are there
		}
		out = append(out, list[best])
		list = append(list[:best:best], list[best+1:]...)
	}
	return out
}

// jaccard is the distance of two behaviours: 1 less the share of their calls that both have.
func jaccard(a, b behaviour) float64 {
	in := map[int]int{}
	for _, op := range a {
		in[op] |= 1
	}
	for _, op := range b {
		in[op] |= 2
	}
	both := 0
	for _, x := range in {
		if x == 3 {
			both++
		}
	}
	return 1 - float64(both)/float64(len(in))
}

// behave adds what makes an object by a behaviour, and returns its number; -1 if it needs deeper values.
func (s *sampler) behave(bl *builder, n *node, b behaviour, depth int) int {
	object := -1
	for _, op := range b {
		if !s.feasible(op, depth) {
			if object < 0 {
				return -1
			}
			continue
		}
		o := s.g.Table[op]
		if object < 0 && o.OnFirst { // any object will do
			if n.cheapest > depth {
				return -1
			}
			object = s.pickValue(bl, n, depth, true)
		}
		var args []int
		for i, in := range s.g.in[op] {
			if i == 0 && o.OnFirst {
				args = append(args, object)
				continue
			}
			args = append(args, s.argument(bl, op, i, in, depth))
		}
		r := bl.add(candidate.Stmt{Op: op, Args: args})
		if object < 0 {
			object = r
		}
	}
	return object
}
