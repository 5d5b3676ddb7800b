package stack

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestCompareMessages: which messages are of the same fault, with the same values or others.
func TestCompareMessages(t *testing.T) {
	const i, v, c = schemas.Identical, schemas.OtherValues, schemas.OtherCause
	for _, tt := range []struct {
		want, got string
		same      schemas.Sameness
	}{
		{"runtime error: index out of range [5] with length 3", "runtime error: index out of range [5] with length 3", i},
		{"runtime error: index out of range [5] with length 3", "runtime error: index out of range [0] with length 0", v},
		{"runtime error: index out of range [-1]", "runtime error: index out of range [5] with length 3", c},
		{"runtime error: index out of range [-1]", "runtime error: index out of range [-2]", v},
		{"runtime error: index out of range", "runtime error: index out of range [5] with length 3", i}, // old Go
		{"runtime error: slice bounds out of range [:77] with capacity 9", "runtime error: slice bounds out of range [1:0]", c},
		{"runtime error: slice bounds out of range [:77] with capacity 9",
			"runtime error: slice bounds out of range [:77] with length 9", c},
		{"runtime error: slice bounds out of range [5:3]", "runtime error: slice bounds out of range [1:0]", v},
		{"interface conversion: interface {} is float64, not string", "interface conversion: interface {} is nil, not string", c},
		{"interface conversion: interface {} is float64, not string", "interface conversion: interface {} is int, not string", v},
		{"interface conversion: interface {} is float64, not string", "interface conversion: interface {} is float64, not bool", c},
		{"interface conversion: main.T is not main.I: missing method A",
			"interface conversion: main.T is not main.I: missing method B", c},
		{"runtime error: cannot convert slice with length 2 to array or pointer to array with length 4",
			"runtime error: cannot convert slice with length 1 to array or pointer to array with length 4", v},
		{"runtime error: hash of unhashable type []int", "runtime error: hash of unhashable type []string", v},
		{"runtime error: integer divide by zero", "runtime error: integer divide by zero", i},
		{"assignment to entry in nil map", "assignment to entry in nil map", i},
		{`cart: no item "a"`, `cart: no item "b"`, v},
		{`cart: no item 5`, `cart: no item -7`, v},
		{`cart: no item "a"`, `cart: closed`, c},
		{"(*main.T) 0xc000012345", "(*main.T) 0xc000099999", i},
		{"first line\nsecond", "first line", i},
		{"", "anything", i},
	} {
		if got := CompareMessages(tt.want, tt.got); got != tt.same {
			t.Errorf("%q, %q: %s, want %s", tt.want, tt.got, got, tt.same)
		}
	}
}

// TestValueDistance: a message is the nearer to a wanted one, the less its numbers differ.
func TestValueDistance(t *testing.T) {
	const want = "runtime error: slice bounds out of range [:77] with capacity 9"
	before := -1.0
	for _, got := range []string{
		want,
		"runtime error: slice bounds out of range [:78] with capacity 9",
		"runtime error: slice bounds out of range [:70] with capacity 9",
		"runtime error: slice bounds out of range [:70] with capacity 8",
		"runtime error: slice bounds out of range [:10000] with capacity 0",
		"runtime error: index out of range [5] with length 3 too many",
	} {
		d := ValueDistance(want, got)
		if d <= before || d > 1 || (d == 0) != (got == want) {
			t.Errorf("%s: %v, after %v", got, d, before)
		}
		before = d
	}
}

// TestMutated: a message of a real panic with another number, type or quoted text is not identical to it.
func TestMutated(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	messages := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if p := Read(string(text)); p != nil && p.Message != "" {
			messages[firstLine(p.Message)] = true
		}
	}
	value := regexp.MustCompile(`"[^"]*"|\b\d+\b|\*?\b[a-z]\w*\.[A-Z]\w*\b|\b(?:string|int|float64|bool)\b`)
	mutated := 0
	for m := range messages {
		for _, at := range value.FindAllStringIndex(m, -1) {
			old := m[at[0]:at[1]]
			change := old + "7"
			if strings.HasPrefix(old, `"`) {
				change = `"other ` + old[1:]
			}
			mutated++
			if other := m[:at[0]] + change + m[at[1]:]; CompareMessages(m, other) == schemas.Identical {
				t.Errorf("%q and %q: identical", m, other)
			}
		}
	}
	if len(messages) < 40 || mutated < 40 {
		t.Errorf("%d messages, %d of them changed: too few", len(messages), mutated)
	}
	t.Logf("%d messages, %d changed", len(messages), mutated)
}

// TestCompare: the address of a nil dereference tells which field was meant.
func TestCompare(t *testing.T) {
	nilAt := func(addr string) *Panic {
		return &Panic{Kind: schemas.NilDeref, Addr: addr,
			Message: "runtime error: invalid memory address or nil pointer dereference"}
	}
	for _, tt := range []struct {
		want, got string
		same      schemas.Sameness
	}{
		{"0x18", "0x18", schemas.Identical},
		{"0x18", "0x10", schemas.Identical}, // the length and the pointer of a slice
		{"0x18", "0x0", schemas.OtherValues},
		{"", "0x0", schemas.Identical},
		{"0xc000123456", "0x0", schemas.Identical}, // no offset
	} {
		if got := Compare(nilAt(tt.want), nilAt(tt.got), func(a, b uint64) bool { return a >= 0x10 && b >= 0x10 }); got != tt.same {
			t.Errorf("%s, %s: %s, want %s", tt.want, tt.got, got, tt.same)
		}
	}
}
