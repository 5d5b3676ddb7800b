package invariant

import "slices"

// maxDistinct is the number of different values that a column keeps. The column is marked as having
// many if there are more.
const maxDistinct = 64

// valueTable is an open-addressing hash table of a column's values. It holds their indices plus
// one; 0 marks a free slot.
type valueTable [2 * maxDistinct]uint8

// linearSearchLimit is the number of values from which on a column has a hash table.
const linearSearchLimit = 8

// find returns the slot of a value, or the free slot where it belongs. Multiplication by 2^64 over
// the golden ratio spreads values that are close together. At least half of
// the slots are free, so the search ends.
func (s *valueTable) find(x int64, values []int64) *uint8 {
	for at := uint64(x) * 0x9e3779b97f4a7c15 >> 32; ; at++ {
		slot := &s[at%uint64(len(s))]
		if *slot == 0 || values[*slot-1] == x {
			return slot
		}
	}
}

// hasValue reports whether the column keeps a value.
func (c *column) hasValue(x int64) bool {
	if c.table == nil {
		return slices.Contains(c.values, x)
	}
	return *c.table.find(x, c.values) != 0
}

// keepValue adds a value that the column does not keep yet.
func (c *column) keepValue(x int64) {
	c.values = append(c.values, x)
	n := len(c.values)
	if c.table != nil {
		*c.table.find(x, c.values) = uint8(n)
	} else if n == linearSearchLimit {
		c.table = new(valueTable)
		for i, x := range c.values {
			*c.table.find(x, c.values) = uint8(i + 1)
		}
	}
}

// updateDistinct updates values and many, the literals of the values and, for strings, affix.
func (c *column) updateDistinct(v *vector) {
	if c.many && c.kind != text || c.many && c.affix.isEmpty() {
		return
	}
	for i, x := range v.code {
		if i > 0 && x == v.code[i-1] && v.present(i-1) || !v.present(i) {
			continue
		}
		if c.hasValue(x) {
			continue
		}
		if i < len(v.texts) {
			if c.kind == text {
				c.affix.add(v.texts[i])
			}
			if v.texts[i] != "" && len(c.texts) <= maxOneOf {
				if c.texts == nil {
					c.texts = map[int64]string{}
				}
				c.texts[x] = v.texts[i]
			}
		}
		if len(c.values) == maxDistinct {
			if c.many = true; c.kind != text || c.affix.isEmpty() {
				return
			}
			continue
		}
		c.keepValue(x)
	}
}
