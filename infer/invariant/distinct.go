package invariant

import "slices"

// maxDistinct is how many different values of a variable are told apart; there are just many when there are more.
const maxDistinct = 64

// slots is an open-addressing hash table of a column's values: their numbers, from 1; 0 is free.
type valueTable [2 * maxDistinct]uint8

// someValues is how many values are looked through one by one.
const linearSearchLimit = 8

// find is the slot of a value, or the one where it would go. The factor (2^64 over the golden ratio) spreads values that are close together; half of
// the slots at least are free, so the search ends.
func (s *valueTable) find(x int64, values []int64) *uint8 {
	for at := uint64(x) * 0x9e3779b97f4a7c15 >> 32; ; at++ {
		slot := &s[at%uint64(len(s))]
		if *slot == 0 || values[*slot-1] == x {
			return slot
		}
	}
}

// has says that a value is among those that are kept.
func (c *column) hasValue(x int64) bool {
	if c.table == nil {
		return slices.Contains(c.values, x)
	}
	return *c.table.find(x, c.values) != 0
}

// keep adds a value that is not among them.
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

// distinct keeps the different values.
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
