package invariant

import (
	"math/rand"
	"slices"
	"testing"

	"dsd/schemas"
)

// TestDistinct checks that a column keeps the first maxDistinct different values, in their order,
// and that a clone does not share them.
func TestDistinct(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	limits := []int{
		1, linearSearchLimit - 1, linearSearchLimit, linearSearchLimit + 1,
		maxDistinct, maxDistinct + 1, 1 << 20,
	}
	for _, most := range limits {
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
			if !slices.Equal(clone.values, before) {
				t.Fatalf("below %d: clone has %v, want %v", most, clone.values, before)
			}
			if len(before) > 0 && !clone.hasValue(before[0]) {
				t.Fatalf("below %d: clone.hasValue(%d) = false, want true", most, before[0])
			}
			if clone.hasValue(-1) {
				t.Fatalf("below %d: clone.hasValue(-1) = true, want false", most)
			}
		}
		if !slices.Equal(c.values, want) || c.many != many {
			t.Errorf("below %d: got %v, many %v, want %v, many %v", most, c.values, c.many, want, many)
		}
		for _, x := range want {
			if !c.hasValue(x) {
				t.Errorf("below %d: hasValue(%d) = false, want true", most, x)
			}
		}
	}
}
