package verify

import (
	"fmt"
	"strings"
	"unicode"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// TestPrefix begins the name of each generated test function.
const TestPrefix = "TestCrash"

// Namer returns names for generated tests and their files, unique within a package. The zero value
// is ready for use. A Namer must not be used by several goroutines at the same time.
type Namer struct {
	used map[string]int // by import path and lower-case name, as file systems may ignore case
}

// Name returns names derived from a function, as stack traces call it, and a panic kind:
// TestCrashCanvasWriteIndex in crash_canvas_write_index_test.go. The second test of that name ends
// in _2, and so on.
func (n *Namer) Name(fn string, pkg *source.Package, kind schemas.Kind) (name, file string) {
	local := strings.TrimPrefix(symbol.Short(symbol.Plain(fn)), pkg.Name)
	words := strings.FieldsFunc(local+" "+string(kind), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	var camel strings.Builder
	for _, w := range words {
		first := []rune(w)
		first[0] = unicode.ToUpper(first[0])
		camel.WriteString(string(first))
	}
	name = TestPrefix + camel.String()
	file = "crash_" + strings.ToLower(strings.Join(words, "_"))
	if n.used == nil {
		n.used = map[string]int{}
	}
	key := pkg.Path + " " + strings.ToLower(name)
	n.used[key]++
	if i := n.used[key]; i > 1 {
		name = fmt.Sprintf("%s_%d", name, i)
		file = fmt.Sprintf("%s_%d", file, i)
	}
	return name, file + "_test.go"
}

// Comment returns the doc comment of a generated test: the test's name, where it panics and with
// which message.
func Comment(name, pos, message string) string {
	return fmt.Sprintf("%s panics at %s: %s.", name, pos, strings.TrimSuffix(message, "."))
}
