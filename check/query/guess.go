package query

import "dsd/check/logic"

// Models are guessed in two ways, without the solver: all inputs zero, which is often enough and
// the smallest input there is; and, where the solver gives up, values from the corners of types.

// Limits of the guesses for one obligation.
const (
	guessWork  = 400_000 // evaluations of a term
	maxGuesses = 400     // models
)

func newModel() *logic.Model {
	return &logic.Model{Vars: map[*logic.Var]uint64{}, Cells: map[logic.Cell]uint64{}}
}

// zeroModel returns the model in which all inputs are zero, or nil if it does not satisfy the
// terms.
func zeroModel(terms []*logic.Term) *logic.Model {
	m := newModel()
	m.Assign(logic.Leaves(terms...), func(l *logic.Term) uint64 {
		if l.Var.Domain.Role == logic.RoleStrObj { // the empty string is an object, too
			return uint64(l.Var.Domain.Region) << 16
		}
		return 0
	})
	if !satisfies(m, terms) {
		return nil
	}
	return m
}

// guess returns a model with values from the corners of the inputs' types that satisfies the
// terms, or nil. The sequence of the models is the same each time.
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

// guesser draws the values of one model.
type guesser struct {
	state   uint64 // of the random numbers
	objects uint32 // objects in this model
	tag     uint64 // dynamic type of the interface whose object is drawn next
}

// pick returns a random number below n by xorshift; its quality hardly matters.
func (g *guesser) pick(n int) int {
	g.state ^= g.state << 13
	g.state ^= g.state >> 7
	g.state ^= g.state << 17
	return int(g.state % uint64(n))
}

// object draws an object of a region: in a quarter of the draws the region's first one, so that
// inputs alias.
func (g *guesser) object(region uint32) uint64 {
	if g.pick(4) == 0 {
		return uint64(region) << 16
	}
	g.objects++
	return uint64(region)<<16 + uint64(g.objects%60+1)
}

// choose draws the value of an input.
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
		const one, minusOne, nan, inf = 0x3ff0 << 48, 0xbff0 << 48, 0x7ff8 << 48, 0x7ff0 << 48
		return [...]uint64{0, one, minusOne, nan, inf}[g.pick(5)] >> (64 - bits)
	}
	top := uint64(1) << (bits - 1)
	corners := [...]uint64{
		0, 1, ^uint64(0), 2, 3, top, top - 1, top + 1, ^uint64(1), 10, uint64(g.pick(256)),
	}
	v := corners[g.pick(len(corners))]
	return v << (64 - bits) >> (64 - bits)
}
