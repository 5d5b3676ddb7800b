package lower

import "hash/fnv"

// A numbering gives names numbers from 1 to a limit. A number depends on the name alone, unless it is
// taken: so that a function is lowered to the same terms whatever else the testee mentions, and
// what is known of it from an earlier run still holds; see World.Digest.
type numbering struct {
	limit uint32
	of    map[string]uint32
	names map[uint32]string
	list  []uint32 // in the order in which they were given
}

func newNumbering(limit uint32) *numbering {
	return &numbering{limit: limit, of: map[string]uint32{}, names: map[uint32]string{}}
}

// number returns the number of a name, and reports whether it is a new one. It is 0 if all numbers are
// taken.
func (n *numbering) number(name string) (x uint32, isNew bool) {
	if x, ok := n.of[name]; ok {
		return x, false
	}
	if len(n.of) == int(n.limit) {
		return 0, false
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	x = scramble(h.Sum32())%n.limit + 1
	for n.names[x] != "" {
		x = x%n.limit + 1
	}
	n.of[name], n.names[x] = x, name
	n.list = append(n.list, x)
	return x, true
}

// scramble spreads the differences of similar names over all bits.
func scramble(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}
