package generate

import (
	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// Behavior is an abstract object behavior [SEED 3.2]: a sequence of operations that are called on
// one object. If the first is a function, it makes the object.
type Behavior []int

// behave concretises a behavior: it adds the calls with drawn arguments and returns the number of
// the object. It returns -1 if the object needs deeper values. It leaves out other calls that need
// deeper values.
//
// [SEED 3.2.2] concretises each behavior once, into a pool of objects. Here each object that is
// drawn has arguments of its own.
func (s *Sampler) behave(b *program.Builder, n *paramgraph.Node, seq Behavior, depth int) int {
	object := -1
	for _, op := range seq {
		if !s.Feasible(op, depth) {
			if object < 0 {
				return -1
			}
			continue
		}
		o := s.Graph.Table[op]
		if object < 0 && o.OnFirst { // the sequence has no constructor: any object will do
			if n.MinDepth > depth {
				return -1
			}
			object = s.pickValue(b, n, depth, true)
		}
		var args []int
		for i, in := range s.Graph.In[op] {
			if i == 0 && o.OnFirst {
				args = append(args, object)
				continue
			}
			args = append(args, s.argument(b, op, i, in, depth))
		}
		r := b.Add(candidate.Stmt{Op: op, Args: args})
		if object < 0 {
			object = r
		}
	}
	return object
}
