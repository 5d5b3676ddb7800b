package check

import (
	"dsd/check/logic"
)

// Guessing finds models without a solver: by trying the zero value of all inputs, which is often enough (and the
// smallest input there is), and, where the solver gives up, by trying the values at the corners of types.

// guessWork bounds the work of the guesses for one question, in evaluations of a term.
const guessWork = 400_000

// maxGuesses is the number of models that are tried for one question.
const maxGuesses = 400

func newModel() *logic.Model {
	return &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.Cell]uint64{}}
}

// zeroModel returns the model in which all inputs are zero if the terms hold there, else nil.
func zeroModel(terms []*logic.Term) *logic.Model {
	m := newModel()
	m.Assign(logic.Leaves(terms...), func(l *logic.Term) uint64 {
		if l.Var.Domain.Role == logic.RoleStrObj { // the empty string has a place, too
			return uint64(l.Var.Domain.Region) << 16
		}
		return 0
	})
	if !satisfies(m, terms) {
		return nil
	}
	return m
}

// guess tries models with values from the corners of the inputs' types. The sequence is the same each time.
func guess(terms []*logic.Term) *logic.Model {
	leaves := logic.Leaves(terms...)
	g := &guesser{state: 1}
	tries := min(maxGuesses, guessWork/max(logic.Size(terms...), 1))
	for range tries {
		g.objects = 0
		m := newModel()
		m.Assign(leaves, g.choose)
		if satisfies(m, terms) {
			return m
		}
	}
	return nil
}

type guesser struct {
	state   uint64
	objects uint32 // made in this model
	tag     uint64 // of the interface whose object comes next
}

// pick returns a number below n (xorshift; the quality hardly matters).
func (g *guesser) pick(n int) int {
	g.state ^= g.state << 13
	g.state ^= g.state >> 7
	g.state ^= g.state << 17
	return int(g.state % uint64(n))
}

func (g *guesser) object(region uint32) uint64 {
	if g.pick(4) == 0 {
		return uint64(region) << 16 // shared by all that choose so
	}
	g.objects++
	return uint64(region)<<16 + uint64(g.objects%60+1)
}

func (g *guesser) choose(leaf *logic.Term) uint64 {
	d := leaf.Var.Domain
	switch d.Role {
	case logic.RoleObj:
		if g.pick(4) == 0 {
			return 0
		}
		return g.object(d.Region)
	case logic.RoleStrObj:
		return g.object(d.Region)
	case logic.RoleSlot:
		return 0
	case logic.RoleLen, logic.RoleStrLen, logic.RoleMapLen:
		return [...]uint64{0, 1, 2, 3, 1, 8}[g.pick(6)]
	case logic.RoleCap:
		return [...]uint64{0, 1, 2, 4, 8, 8}[g.pick(6)]
	case logic.RoleTag:
		if len(d.Tags) == 0 || g.pick(4) == 0 {
			return 0
		}
		g.tag = uint64(d.Tags[g.pick(len(d.Tags))])
		return g.tag
	case logic.RoleIfaceObj:
		for i, t := range d.Tags {
			if uint64(t) == g.tag {
				return g.object(d.Regions[i])
			}
		}
		return 0
	case logic.RoleFn:
		return 0
	}
	bits := leaf.Sort.Bits
	switch leaf.Sort.Kind {
	case logic.KBool:
		return uint64(g.pick(2))
	case logic.KFloat:
		return [...]uint64{0, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff8000000000000, 0x7ff0000000000000}[g.pick(5)] >> (64 - bits)
	}
	top := uint64(1) << (bits - 1)
	v := [...]uint64{0, 1, ^uint64(0), 2, 3, top, top - 1, top + 1, ^uint64(1), 10, uint64(g.pick(256))}[g.pick(11)]
	return v << (64 - bits) >> (64 - bits)
}
