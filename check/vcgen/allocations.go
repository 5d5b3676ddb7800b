package vcgen

import (
	"hash/fnv"
	"maps"

	"dsd/check/logic"
)

// allocations numbers the objects that the program allocates. A number depends on the calls that lead to
// the allocation, its place in its function (ir.Alloc.Place), and how often it was executed there, unless that number is
// taken. So an object keeps its number where another function allocates more or less than in an earlier
// run, and what the solver answered about it still holds.
type allocations struct {
	taken map[uint32]bool
	// visits counts the allocations, by place.
	visits map[uint64]uint64
}

func newAllocations() *allocations {
	return &allocations{map[uint32]bool{}, map[uint64]uint64{}}
}

func (a *allocations) clone() *allocations {
	return &allocations{maps.Clone(a.taken), maps.Clone(a.visits)}
}

// maxAllocations is the number of objects of one region.
const maxAllocations = 1 << 16

// next returns the identity of the object that an allocation makes. place is that of the command and of the
// calls that lead there. If there is no number left, the execution is given up as too large.
func (a *allocations) next(place uint64) uint32 {
	if len(a.taken) == maxAllocations {
		panic(logic.TooLarge{})
	}
	a.visits[place]++
	n := uint32(mix(place+a.visits[place])) % maxAllocations
	for a.taken[n] {
		n = (n + 1) % maxAllocations
	}
	a.taken[n] = true
	return logic.RegionFresh<<16 + n
}

// within returns the path of a call of the function named key that is made at place, 0 for the outermost.
func within(place uint64, key string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(key))
	return mix(place ^ h.Sum64())
}

// mix spreads the differences of x over all bits: the last steps of the generator SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
