package fuzzed

import "testing"

func TestBell(t *testing.T) {
	for _, name := range []string{"big", "small"} {
		b, err := NewBell(name, 2)
		if err != nil {
			t.Fatal(err)
		}
		b.Ring(3)
		if b.Last() != 3 {
			t.Error(b)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("bell"), false, 1)
	f.Fuzz(func(t *testing.T, data []byte, strict bool, n int) {
		if Parse(data, strict, n) < 0 {
			t.Error("negative")
		}
	})
}
