package used

import "testing"

func fill(b *Box) {
	b.Add(1)
	b.Add(2)
}

func TestBox(t *testing.T) {
	for range 3 {
		b, _ := Make(2)
		fill(b)
		if b.Sum() != 3 {
			t.Error(b.Sum())
		}
	}
}
