package half

import "testing"

func TestHalf(t *testing.T) {
	for _, n := range []int{2, 4, 4, 4} {
		if Half(n) != n/2 {
			t.Error(n)
		}
	}
}
