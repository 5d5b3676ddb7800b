//go:build go1.21

package run

import (
	"fmt"
	"testing"
)

// TestNumbers: integers in messages, and how near they are to those of a wanted one.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"runtime error: index out of range [-1]":                         "[-1]",
		"runtime error: slice bounds out of range [:77] with capacity 9": "[77 9]",
		"runtime error: slice bounds out of range [5:-3]":                "[5 -3]",
		"cart: no item 5-7, 0x1f, utf8, 12ab3 or a-4":                    "[5 7 4]",
		"9223372036854775807 9223372036854775808":                        "[9223372036854775807]",
		"": "[]",
	} {
		if got := fmt.Sprint(Numbers(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	defer func() { wantedNumbers = nil }()
	wantedNumbers = []int64{77, 9}
	before := float32(-1)
	for _, text := range []string{"[:77] with capacity 9\n3", "[:76] with capacity 9", "[:76] with capacity 7", "[:0] with capacity 0", "1"} {
		d := numbersDistance(text)
		if d <= before || d > numbersShare || before < 0 && d != 0 {
			t.Errorf("%s: %v, after %v", text, d, before)
		}
		before = d
	}
}
