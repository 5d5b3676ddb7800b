package invariant

import (
	"math/rand"
	"slices"
	"testing"

	"dsd/schemas"
)

// What a column keeps of its values is the first maxDistinct different ones, in their order, be they few or many, and a clone keeps its own.
func TestDistinct(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, most := range []int{1, linearSearchLimit - 1, linearSearchLimit, linearSearchLimit + 1, maxDistinct, maxDistinct + 1, 1 << 20} {
		c := newColumn(Variable{TraceVar: schemas.TraceVar{Name: "x", Rep: "int"}}, "i")
		var want []int64
		many := false
		for range 20 {
			v := &vector{}
			for range 50 {
				x := int64(random.Intn(most)) << random.Intn(2) * 32
				v.code = append(v.code, x)
				if !slices.Contains(want, x) {
					if len(want) == maxDistinct {
						many = true
					} else {
						want = append(want, x)
					}
				}
			}
			clone := c.clone(c.v)
			before := slices.Clone(clone.values)
			c.updateDistinct(v)
			if !slices.Equal(clone.values, before) || len(before) > 0 && !clone.hasValue(before[0]) || clone.hasValue(-1) {
				t.Fatalf("of %d: a clone has %v, want %v", most, clone.values, before)
			}
		}
		if !slices.Equal(c.values, want) || c.many != many {
			t.Errorf("of %d: %v, many %v, want %v, %v", most, c.values, c.many, want, many)
		}
		for _, x := range want {
			if !c.hasValue(x) {
				t.Errorf("of %d: %d is not found", most, x)
			}
		}
	}
}
