package run

import (
	"fmt"
	"testing"
)

// TestWords: messages that differ in a type are told apart, those that differ in a number or in later lines are not; and
// not more than maxWords.
func TestWords(t *testing.T) {
	w := &worker{texts: map[uint64]bool{}}
	an := w.words("interface conversion: interface {} is int, not string")
	if an == w.words("interface conversion: interface {} is bool, not string") {
		t.Error("two dynamic types are not told apart")
	}
	if a, b := w.words("index out of range [3] with length 2"), w.words("index out of range [45] with length 7\nmore"); a != b {
		t.Errorf("got %d and %d, want the same", a, b)
	}
	for i := range 2 * maxWords {
		w.words(fmt.Sprint("key ", string(rune('a'+i))))
	}
	if got := w.words("one more"); got != 0 || len(w.texts) != maxWords {
		t.Errorf("got %d after %d texts, want 0 after %d", got, len(w.texts), maxWords)
	}
	if w.words("interface conversion: interface {} is int, not string") != an {
		t.Error("a text that was known is no more")
	}
}
