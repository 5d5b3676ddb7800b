package mod

import (
	"os"
	"testing"
)

func TestAt(t *testing.T) {
	if At([]int{1, 2}, 0) != 1 {
		t.Error("wrong element")
	}
	if At([]int{4, 1, 2}, 0) != 4 {
		t.Error("wrong element")
	}
}

// TestFails fails with any change, and without.
func TestFails(t *testing.T) {
	if _, err := os.Stat("mod.go"); err != nil {
		t.Error("not in a copy of the package's directory")
	}
	t.Error("fails")
}
