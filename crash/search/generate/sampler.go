package generate

import (
	"cmp"
	"go/types"
	"math/rand"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/crash/search/constants"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/internal/stacktrace"
)

// Sampler draws and mutates candidates. It may not be used concurrently.
type Sampler struct {
	Graph *paramgraph.Graph
	Rand  *rand.Rand
	// Hints holds what a stack trace says about the arguments of operations, in the order of
	// the arguments.
	Hints map[int][]stacktrace.Argument
	// Behaviors are call sequences by the type of the object that they make.
	Behaviors map[*paramgraph.Node][]Behavior
	// BehaviorRate is the probability that an object is made by one of its behaviors.
	BehaviorRate float64

	// texts and numbers are literals that were added by AddLiterals.
	texts, numbers []constants.Value
	// UnusualOf is the number of values drawn per unusual one, such as nil; 0 is usualUnusualOf.
	UnusualOf int
	// isNil and unusual hold paramgraph.IsNil and IsUnusual of each operation; listsBytes is unusual, too.
	isNil, unusual []bool
	// named marks the operations that put a value of a preferred dynamic type into an interface, by their index in
	// Graph.Table; nil if no types are preferred. See Prefer.
	named   []bool
	choices map[choiceKey]*choice
	// callbacks are the operations that make functions which call a method of the first argument.
	callbacks map[argument][]int
	copies    bool // there are operations that copy a struct with a field set

	// Buffers that resultTypes and sweep reuse.
	registers []*paramgraph.Node
	used      []bool
	moved     []int
}

// argument is one of an operation, by its index.
type argument struct{ op, index int }

// choiceKey is a type and the depth that bounds its values.
type choiceKey struct {
	node  *paramgraph.Node
	depth int
}

// choice holds the producers that make values of a type up to a depth: all, those of usual ones, and those of named ones.
// If all are unusual, since only the package itself can name the type, those of usual ones are all but nil.
type choice struct{ all, usual, named []paramgraph.Producer }

// NewSampler returns a sampler of a graph with a source of random numbers of its own.
func NewSampler(g *paramgraph.Graph, seed int64) *Sampler {
	s := &Sampler{
		Graph: g, Rand: rand.New(rand.NewSource(seed)), choices: map[choiceKey]*choice{},
	}
	for _, o := range g.Table {
		s.isNil = append(s.isNil, paramgraph.IsNil(o))
		s.unusual = append(s.unusual, paramgraph.IsUnusual(o) || listsBytes(o))
		s.copies = s.copies || o.Copies
	}
	s.callbacks = callbacks(g)
	return s
}

// listsBytes reports whether an operation makes a slice of bytes of its elements. Most are texts, and mutated as such if
// they come from strings.
func listsBytes(o *candidate.Op) bool {
	return o.Variadic && isBytes(o.Out[0])
}

// callbacks finds, for the arguments of methods, the operations that make functions which call methods of the receiver.
func callbacks(g *paramgraph.Graph) map[argument][]int {
	out := map[argument][]int{}
	for op, o := range g.Table {
		if o.Func == nil || !o.OnFirst {
			continue
		}
		for i, n := range g.In[op] {
			for _, p := range n.Producers {
				if in := g.In[p.Op]; i > 0 && g.Table[p.Op].Captures && len(in) == 1 && in[0] == g.In[op][0] {
					out[argument{op, i}] = append(out[argument{op, i}], p.Op)
				}
			}
		}
	}
	return out
}

// AddLiterals adds Go literals to those that are drawn.
func (s *Sampler) AddLiterals(literals []string) {
	for _, text := range literals {
		if v, ok := constants.Parse(text); ok {
			if constants.IsString(text) {
				s.texts = append(s.texts, v)
			} else {
				s.numbers = append(s.numbers, v)
			}
		}
	}
}

// Prefer makes half of the values of interface types those of the dynamic types for which named is true, where there are
// any. Types are written as the runtime prints them; nil stands for an interface without a value.
func (s *Sampler) Prefer(named func(typ string) bool) {
	s.named, s.choices = make([]bool, len(s.Graph.Table)), map[choiceKey]*choice{}
	for i, o := range s.Graph.Table {
		switch {
		case o.Converts:
			s.named[i] = named(gofile.Printed(o.In[0]))
		case o.Nil && len(o.Out) > 0 && types.IsInterface(o.Out[0]):
			s.named[i] = named("nil")
		}
	}
}

// Candidate draws a candidate that calls a target. It returns nil if the depths that it draws are
// too small for the targets.
func (s *Sampler) Candidate() candidate.Program {
	b := &program.Builder{Table: s.Graph.Table}
	for range 10 {
		target := s.Target()
		depth := 1 + s.Rand.Intn(max(paramgraph.MaxDepth, s.Graph.DataDepth[target]))
		if s.Feasible(target, depth) {
			s.Call(b, target, depth)
			return b.Program
		}
	}
	return nil
}

// Target draws a target.
func (s *Sampler) Target() int { return s.Graph.Targets[s.Rand.Intn(len(s.Graph.Targets))] }

// Feasible reports whether an operation has arguments at most depth deep.
func (s *Sampler) Feasible(op, depth int) bool {
	if s.Graph.Table[op].Variadic {
		return true
	}
	for _, n := range s.Graph.In[op] {
		if d := n.MinDepth; d == 0 || d > depth {
			return false
		}
	}
	return true
}

// dataOf is N where one of N calls gets arguments as deep as their data, if that is deeper than they would be otherwise.
const dataOf = 4

// Depth draws a depth at which an operation has arguments, up to two more than the least, or that of their data. It
// returns 0 if there is none.
func (s *Sampler) Depth(op int) int {
	least := 1
	in := s.Graph.In[op]
	for i, n := range in {
		variadic := s.Graph.Table[op].Variadic && i == len(in)-1
		if n.MinDepth == 0 && !variadic {
			return 0
		}
		least = max(least, n.MinDepth)
	}
	if data := s.Graph.DataDepth[op]; data > least+2 && s.Rand.Intn(dataOf) == 0 {
		return data
	}
	return least + s.Rand.Intn(3)
}

// Call adds the call of an operation with drawn arguments at most depth deep. It returns the number
// of the call's first result and the numbers of the arguments.
func (s *Sampler) Call(b *program.Builder, op, depth int) (result int, args []int) {
	o := s.Graph.Table[op]
	switch {
	case o.Lit:
		v := s.literal(s.Graph.Out[op][0])
		return b.Add(candidate.Stmt{Op: op, Bits: v.Bits, Text: v.Text}), nil

	case o.Variadic:
		if elem := s.Graph.In[op][0]; elem.MinDepth != 0 && elem.MinDepth <= depth {
			for range s.Rand.Intn(paramgraph.MaxElems + 1) {
				args = append(args, s.Value(b, elem, depth))
			}
		}

	default:
		args = make([]int, 0, len(s.Graph.In[op]))
		for i, n := range s.Graph.In[op] {
			r := s.tie(b, op, args)
			if r < 0 {
				r = s.argument(b, op, i, n, depth)
			}
			args = append(args, r)
		}
	}
	return b.Add(candidate.Stmt{Op: op, Args: args}), args
}

// tieShare is N where one of N values that are set in another one is that itself, if it can be.
const tieShare = 4

// tie draws whether the next argument of an operation has to do with the first one: a function that calls a method of
// it, or, of an operation that sets a part of it, that itself, which a recursion may follow without end: only where a
// recursion is looked for. args are the arguments so far; tie returns the number of the next one, or -1 if it is to be
// another value.
func (s *Sampler) tie(b *program.Builder, op int, args []int) int {
	o, in := s.Graph.Table[op], s.Graph.In[op]
	if list := s.callbacks[argument{op, len(args)}]; len(list) > 0 && s.Rand.Intn(tieShare) == 0 {
		return b.Add(candidate.Stmt{Op: list[s.Rand.Intn(len(list))], Args: []int{args[0]}})
	}
	if !s.Graph.Constants.Vocabulary.Deep || !o.OnFirst || o.Func != nil || len(args) == 0 || len(args) != len(in)-1 ||
		s.Rand.Intn(tieShare) > 0 {
		return -1
	}
	from, to := in[0], in[len(in)-1]
	if from == to {
		return args[0]
	}
	for _, p := range to.Producers {
		if in := s.Graph.In[p.Op]; s.Graph.Table[p.Op].Converts && len(in) == 1 && in[0] == from {
			return b.Add(candidate.Stmt{Op: p.Op, Args: []int{args[0]}})
		}
	}
	return -1
}

// Value adds what makes a value of a type, at most depth deep, and returns its number. The type
// must have values of that depth.
func (s *Sampler) Value(b *program.Builder, n *paramgraph.Node, depth int) int {
	return s.pickValue(b, n, depth, false)
}

const usualUnusualOf = 16

// namedOf is N where one of N values of an interface type is of a type that Prefer named, if it can be.
const namedOf = 2

// pickValue is Value. If proper is set, the value is a usual one if the type has such. In a candidate that is long already,
// it is of the least depth.
func (s *Sampler) pickValue(b *program.Builder, n *paramgraph.Node, depth int, proper bool) int {
	if len(b.Program) > MaxStatements {
		depth = n.MinDepth // that of data allows for thousands
	}
	if list := s.Behaviors[n]; len(list) > 0 && depth > 1 && len(b.Program) < MaxStatements &&
		s.Rand.Float64() < s.BehaviorRate {
		rate := s.BehaviorRate
		s.BehaviorRate = 0 // the values that the object needs are drawn without behaviors
		r := s.behave(b, n, list[s.Rand.Intn(len(list))], depth-1)
		s.BehaviorRate = rate
		if r >= 0 {
			return r
		}
	}
	c := s.producers(n, depth)
	list := c.all
	if len(c.usual) > 0 && (proper || s.Rand.Intn(cmp.Or(s.UnusualOf, usualUnusualOf)) > 0) {
		list = c.usual
	}
	if len(c.named) > 0 && s.Rand.Intn(namedOf) == 0 {
		list = c.named
	}
	p := list[s.Rand.Intn(len(list))]
	result, args := s.Call(b, p.Op, depth-1)
	if p.Out == paramgraph.AfterCall {
		return args[0]
	}
	return result + p.Out
}

// producers returns the producers that make values of a type at most depth deep.
func (s *Sampler) producers(n *paramgraph.Node, depth int) *choice {
	k := choiceKey{n, depth}
	c := s.choices[k]
	if c == nil {
		c = &choice{}
		var notNil []paramgraph.Producer
		for _, p := range n.Producers {
			if s.Feasible(p.Op, depth-1) {
				c.all = append(c.all, p)
				if !s.unusual[p.Op] {
					c.usual = append(c.usual, p)
				}
				if !s.isNil[p.Op] {
					notNil = append(notNil, p)
				}
				if s.named != nil && s.named[p.Op] {
					c.named = append(c.named, p)
				}
			}
		}
		if len(c.usual) == 0 {
			c.usual = notNil
		}
		s.choices[k] = c
	}
	return c
}
