package localsearch

import (
	"math"

	"dsd/check/logic"
)

// random draws numbers by xorshift; their quality hardly matters.
type random uint64

// pick returns a number below n.
func (r *random) pick(n int) int {
	x := *r
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*r = x
	return int(uint64(x) % uint64(n))
}

// corners draws values of inputs from the corners of their types.
type corners struct {
	*random
	objects uint32 // objects so far
	tag     uint64 // dynamic type of the interface whose object is drawn next
}

// object draws an object of a region: in a quarter of the draws the region's first one, so that
// inputs alias.
func (c *corners) object(region uint32) uint64 {
	if c.pick(4) == 0 {
		return uint64(region) << 16
	}
	c.objects++
	return uint64(region)<<16 + uint64(c.objects%60+1)
}

// choose draws the value of an input.
func (c *corners) choose(leaf *logic.Term) uint64 {
	d := leaf.Var.Domain
	switch d.Role {
	case logic.RoleObj:
		if c.pick(4) == 0 {
			return 0
		}
		return c.object(d.Region)
	case logic.RoleStrObj:
		return c.object(d.Region)
	case logic.RoleSlot:
		return 0
	case logic.RoleLen, logic.RoleStrLen, logic.RoleMapLen:
		return [...]uint64{0, 1, 2, 3, 1, 8}[c.pick(6)]
	case logic.RoleCap:
		return [...]uint64{0, 1, 2, 4, 8, 8}[c.pick(6)]
	case logic.RoleTag:
		if len(d.Tags) == 0 || c.pick(4) == 0 {
			return 0
		}
		c.tag = uint64(d.Tags[c.pick(len(d.Tags))])
		return c.tag
	case logic.RoleIfaceObj:
		for i, t := range d.Tags {
			if uint64(t) == c.tag {
				return c.object(d.Regions[i])
			}
		}
		return 0
	case logic.RoleFn:
		return 0
	}
	bits := leaf.Sort.Bits()
	switch leaf.Sort.Kind {
	case logic.KBool:
		return uint64(c.pick(2))
	case logic.KFloat:
		f := [...]float64{0, 1, -1, math.NaN(), math.Inf(1)}[c.pick(5)]
		return logic.FloatBits(f, bits)
	}
	top := uint64(1) << (bits - 1)
	values := [...]uint64{
		0, 1, ^uint64(0), 2, 3, top, top - 1, top + 1, ^uint64(1), 10, uint64(c.pick(256)),
	}
	v := values[c.pick(len(values))]
	return v << (64 - bits) >> (64 - bits)
}
