package search

import (
	"go/types"
	"math/rand"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/internal/stacktrace"
)

// Drawing gives each operation its chance, unlike uniform access to all values, most of which are the deep ones that few
// operations with many arguments make.

// maxDrawn is the depth of the deepest values that are drawn.
const maxDrawn = 6

// sampler draws candidates.
type sampler struct {
	g *Graph
	r *rand.Rand
	// stack are operations that candidates are to call, innermost of a stack first, and hints what is known of their arguments.
	stack   []int
	onStack map[int]bool
	hints   map[int][]stacktrace.Argument
	// texts and numbers are literals besides those of the source.
	texts, numbers []value
	// pool are behaviours of objects, and behaving is the probability with which one is made by them.
	pool     map[*node][]behaviour
	behaving float64
	// nils and odd say so of the operations; choices are the producers that a value may be drawn from.
	nils, odd []bool
	choices   map[choiceKey]*choice
	// regs, needed and moved are room.
	regs   []*node
	needed []bool
	moved  []int
}

// choiceKey is a type, and how deep its values may be.
type choiceKey struct {
	n     *node
	depth int
}

// choice are the producers of values, and those of them that are not odd.
type choice struct{ fit, open []producer }

// odd says that an operation is drawn less often than others: users of the package cannot do it, or it makes a nil pointer,
// interface or function.
func odd(o *candidate.Op) bool { return o.Internal || nils(o) }

// nils says that an operation makes a nil pointer, interface or function: slices and maps are often nil.
func nils(o *candidate.Op) bool {
	if !o.Nil {
		return false
	}
	switch o.Out[0].Underlying().(type) {
	case *types.Slice, *types.Map:
		return false
	}
	return !candidate.MayBeNil(o.Out[0])
}

// target draws a target.
func (s *sampler) target() int { return s.g.Targets[s.r.Intn(len(s.g.Targets))] }

func newSampler(g *Graph, seed int64) *sampler {
	s := &sampler{g: g, r: rand.New(rand.NewSource(seed)), choices: map[choiceKey]*choice{}}
	for _, o := range g.Table {
		s.nils, s.odd = append(s.nils, nils(o)), append(s.odd, odd(o))
	}
	return s
}

// choose returns what values of a type, at most depth deep, can be drawn from.
func (s *sampler) choose(n *node, depth int) *choice {
	k := choiceKey{n, depth}
	c := s.choices[k]
	if c == nil {
		c = &choice{}
		for _, p := range n.producers {
			if s.feasible(p.op, depth-1) {
				c.fit = append(c.fit, p)
				if !s.odd[p.op] {
					c.open = append(c.open, p)
				}
			}
		}
		s.choices[k] = c
	}
	return c
}

// feasible says that an operation has arguments at most depth deep.
func (s *sampler) feasible(op, depth int) bool {
	if s.g.Table[op].Variadic {
		return true
	}
	for _, n := range s.g.in[op] {
		if d := n.cheapest; d == 0 || d > depth {
			return false
		}
	}
	return true
}

// candidate draws a candidate that calls a target.
func (s *sampler) candidate() candidate.Program {
	b := &builder{table: s.g.Table}
	for range 10 {
		target := s.target()
		depth := 1 + s.r.Intn(maxDrawn)
		if s.feasible(target, depth) {
			s.call(b, target, depth)
			return b.prog
		}
	}
	return nil
}

// call adds the call of an operation with arguments at most depth deep, and returns the number of its first result and
// those of the arguments.
func (s *sampler) call(b *builder, op, depth int) (result int, args []int) {
	o := s.g.Table[op]
	switch {
	case o.Lit:
		v := s.literal(s.g.out[op][0])
		return b.add(candidate.Stmt{Op: op, Bits: v.bits, Text: v.text}), nil
	case o.Variadic:
		if elem := s.g.in[op][0]; elem.cheapest != 0 && elem.cheapest <= depth {
			for range s.r.Intn(maxElems + 1) {
				args = append(args, s.value(b, elem, depth))
			}
		}
	default:
		args = make([]int, 0, len(s.g.in[op]))
		for i, n := range s.g.in[op] {
			args = append(args, s.argument(b, op, i, n, depth))
		}
	}
	return b.add(candidate.Stmt{Op: op, Args: args}), args
}

// argument adds what makes an argument of an operation, and returns its number: a value that it usually has, one that is there
// already, or any.
func (s *sampler) argument(b *builder, op, i int, n *node, depth int) int {
	if list := s.hints[op]; i < len(list) && s.r.Intn(2) == 0 {
		if r := s.hinted(b, list[i], n, depth); r >= 0 {
			return r
		}
	}
	if usual := s.g.usual[op][i]; len(usual) > 0 && s.r.Intn(2) == 0 {
		for _, p := range n.producers {
			if s.g.Table[p.op].Lit {
				v := usual[s.r.Intn(len(usual))]
				if s.r.Intn(4) == 0 {
					v = s.near(v, n)
				}
				return b.add(candidate.Stmt{Op: p.op, Bits: v.bits, Text: v.text})
			}
		}
	}
	if len(b.prog) > 0 && s.r.Intn(8) == 0 {
		if r := s.pick(s.registers(b.prog, len(b.prog)), n); r >= 0 {
			return r
		}
	}
	return s.pickValue(b, n, depth, i == 0 && s.g.Table[op].OnFirst)
}

// hinted adds what makes a value as it was on the stack, and returns its number, -1 if nothing does.
func (s *sampler) hinted(b *builder, h stacktrace.Argument, n *node, depth int) int {
	for _, p := range n.producers {
		o := s.g.Table[p.op]
		switch {
		case o.Lit && h.Known:
			return b.add(candidate.Stmt{Op: p.op, Bits: h.Bits})
		case o.Lit && h.Length >= 0:
			v := s.literal(n)
			if len(v.text) > h.Length {
				v.text = v.text[:h.Length]
			}
			for len(v.text) < h.Length {
				v.text += s.literal(n).text
				if len(v.text) == 0 {
					return -1
				}
			}
			v.text = v.text[:h.Length]
			return b.add(candidate.Stmt{Op: p.op, Text: v.text})
		case h.Nil && o.Nil:
			return b.add(candidate.Stmt{Op: p.op})
		case o.Variadic && h.Length >= 0 && h.Length <= 64 && n.cheapest > 0:
			elem := s.g.in[p.op][0]
			if elem.cheapest == 0 || elem.cheapest > depth {
				return -1
			}
			var args []int
			for range h.Length {
				args = append(args, s.value(b, elem, depth))
			}
			return b.add(candidate.Stmt{Op: p.op, Args: args})
		}
	}
	if h.Set && n.cheapest <= depth {
		return s.pickValue(b, n, depth, true)
	}
	return -1
}

// value adds what makes a value of a type, at most depth deep, and returns its number. The type must have one.
func (s *sampler) value(b *builder, n *node, depth int) int { return s.pickValue(b, n, depth, false) }

// pickValue does so; proper says that it must not be nil, nor otherwise odd, if anything else is to be had.
func (s *sampler) pickValue(b *builder, n *node, depth int, proper bool) int {
	if list := s.pool[n]; len(list) > 0 && depth > 1 && len(b.prog) < maxStatements && s.r.Float64() < s.behaving {
		was := s.behaving
		s.behaving = 0 // what the object needs is made otherwise
		r := s.behave(b, n, list[s.r.Intn(len(list))], depth-1)
		s.behaving = was
		if r >= 0 {
			return r
		}
	}
	c := s.choose(n, depth)
	list := c.fit
	if len(c.open) > 0 && (proper || s.r.Intn(16) > 0) {
		list = c.open
	}
	p := list[s.r.Intn(len(list))]
	result, args := s.call(b, p.op, depth-1)
	if p.out < 0 {
		return args[0]
	}
	return result + p.out
}

// literal draws a value of a basic type: one of the constants, or one near it.
func (s *sampler) literal(n *node) value {
	list := n.values
	if s.r.Intn(16) == 0 {
		switch info := n.typ.Underlying().(*types.Basic).Info(); {
		case info&types.IsString != 0 && len(s.texts) > 0:
			return s.texts[s.r.Intn(len(s.texts))]
		case info&types.IsInteger != 0 && len(s.numbers) > 0:
			return s.numbers[s.r.Intn(len(s.numbers))]
		}
	}
	v := list[s.r.Intn(len(list))]
	if s.r.Intn(8) == 0 { // a corner
		return list[s.r.Intn(min(3, len(list)))]
	}
	if large(v.bits) && s.r.Intn(4) > 0 { // most numbers are small
		v = list[s.r.Intn(len(list))]
	}
	if s.r.Intn(4) == 0 {
		v = s.near(v, n)
	}
	return v
}

// near is a value that differs a little from another of a basic type.
func (s *sampler) near(v value, n *node) value {
	switch info := n.typ.Underlying().(*types.Basic).Info(); {
	case info&types.IsInteger != 0:
		v.bits = run.MutateInt(s.r, v.bits)
	case info&types.IsString != 0:
		v.text = s.g.vocabulary.Mutate(s.r, v.text)
	}
	return v
}

// large says that an integer is far from zero.
func large(bits uint64) bool { return int64(bits) > 1000 || int64(bits) < -1000 }
