package random

import (
	"go/types"
	"math/rand"
	"slices"

	"dsd/crash/exec"
)

// Drawing gives each operation its chance, unlike uniform access to all values, most of which are the deep ones that few
// operations with many arguments make.

// maxDrawn is the depth of the deepest values that are drawn.
const maxDrawn = 6

// sampler draws candidates.
type sampler struct {
	g *Graph
	r *rand.Rand
	// favourites are targets that half of the candidates call.
	favourites []int
}

// favour lets half of the candidates call one of the functions.
func (s *sampler) favour(list []*types.Func) {
	for _, i := range s.g.Targets {
		if slices.Contains(list, s.g.Table[i].Func.Origin()) {
			s.favourites = append(s.favourites, i)
		}
	}
}

// target draws a target.
func (s *sampler) target() int {
	if len(s.favourites) > 0 && s.r.Intn(2) == 0 {
		return s.favourites[s.r.Intn(len(s.favourites))]
	}
	return s.g.Targets[s.r.Intn(len(s.g.Targets))]
}

func newSampler(g *Graph, seed int64) *sampler {
	return &sampler{g: g, r: rand.New(rand.NewSource(seed))}
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
func (s *sampler) candidate() exec.Program {
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
		return b.add(exec.Stmt{Op: op, Bits: v.bits, Text: v.text}), nil
	case o.Variadic:
		if elem := s.g.in[op][0]; elem.cheapest != 0 && elem.cheapest <= depth {
			for range s.r.Intn(maxElems + 1) {
				args = append(args, s.value(b, elem, depth))
			}
		}
	default:
		for _, n := range s.g.in[op] {
			args = append(args, s.value(b, n, depth))
		}
	}
	return b.add(exec.Stmt{Op: op, Args: args}), args
}

// value adds what makes a value of a type, at most depth deep, and returns its number. The type must have one.
func (s *sampler) value(b *builder, n *node, depth int) int {
	fit := 0
	for _, p := range n.producers {
		if s.feasible(p.op, depth-1) {
			fit++
		}
	}
	nth := s.r.Intn(fit)
	var p producer
	for _, p = range n.producers {
		if s.feasible(p.op, depth-1) {
			if nth == 0 {
				break
			}
			nth--
		}
	}
	result, args := s.call(b, p.op, depth-1)
	if p.out < 0 {
		return args[0]
	}
	return result + p.out
}

// literal draws a value of a basic type: one of the constants, or one near it.
func (s *sampler) literal(n *node) value {
	list := n.values
	v := list[s.r.Intn(len(list))]
	if large(v.bits) && s.r.Intn(4) > 0 { // most numbers are small
		v = list[s.r.Intn(len(list))]
	}
	info := n.typ.Underlying().(*types.Basic).Info()
	switch {
	case s.r.Intn(4) > 0:
	case info&types.IsInteger != 0:
		v.bits += uint64(s.r.Intn(17) - 8)
	case info&types.IsString != 0:
		v.text = s.text(v.text, list)
	}
	return v
}

// large says that an integer is far from zero.
func large(bits uint64) bool { return int64(bits) > 1000 || int64(bits) < -1000 }

// text changes a string a little.
func (s *sampler) text(t string, list []value) string {
	if len(t) > 200 {
		return t[:s.r.Intn(len(t))]
	}
	at := s.r.Intn(len(t) + 1)
	switch s.r.Intn(6) {
	case 0:
		return t[:at]
	case 1:
		return t[at:]
	case 2:
		return t[:at] + list[s.r.Intn(len(list))].text + t[at:]
	case 3:
		return t[:at] + string(rune(s.r.Intn(128))) + t[at:]
	case 4:
		if at < len(t) {
			return t[:at] + t[at+1:]
		}
		return t + t
	}
	b := []byte(t)
	if at < len(b) {
		b[at] ^= 1 << s.r.Intn(8)
	}
	return string(b)
}
