package check

import (
	"slices"
	"testing"
)

// TestInits: an init function begins after the initializers and the init functions before it. What one
// writes that is not followed to its end has any value afterwards.
func TestInits(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module inits\n\ngo 1.24\n",
		"i.go": `package inits

import "os"

var count, list = 0, []int{1}

func init() {
	count++
	println(1/count, list[0])
	list = append(list, 2)
}

func init() {
	println(1/(count-1), list[1])
	count = 5
}

func init() {
	println(list[len(os.Args)])
	for range os.Args {
		count++
	}
}

func init() {
	println(1 / (count - 5))
}
`})
	var got []string
	for _, w := range run(t, dir, Options{}).Warnings {
		got = append(got, w.Func+" "+w.Pos+" "+string(w.Status))
	}
	want := []string{"inits.init.1 i.go:14:11 sat", "inits.init.2 i.go:19:10 sat",
		"inits.init.3 i.go:26:12 free"}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

// TestInitializers: an initializer of package-level variables is a function under analysis, called
// init in stack traces. It begins after those before it.
func TestInitializers(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module inits\n\ngo 1.24\n",
		"i.go": `package inits

import (
	"errors"
	"fmt"
	"os"
)

var registry = map[string]int{"a": 1}

func register(name string) int {
	registry[name]++
	return registry[name]
}

var (
	b        = register("b")
	_        = 1 / (b - 1)
	again    = register("b")
	fine     = 1 / (again - 1)
	byA      = 1 / (registry["a"] - 1)
	x, _     = pair()
	failed   = fmt.Errorf("%w: %d", errFirst, x.(int))
	errFirst = errors.New("first")
	arg      = os.Args[1]
	nilNames map[string]string
	name     = set(nilNames)
	later    = func() int { return list[3] }
	list     = []int{1, 2, 3}
	index    = list[later0]
	later0   = len(list)
	must     = mustParse("x")
)

func pair() (any, error) { return "text", nil }

func set(m map[string]string) string {
	m["x"] = "y"
	return ""
}

func mustParse(s string) int {
	if s != "0" {
		panic("not a number")
	}
	return 0
}

var table = []*struct{ n int }{nil, {1}}

var first, second = table[1].n, table[0].n
`})
	var got []string
	for _, w := range run(t, dir, Options{}).Warnings {
		if w.Func == "inits.init" {
			got = append(got, w.Pos+" "+string(w.Kind)+" "+string(w.Status))
		}
	}
	want := []string{"i.go:18:15 div-zero sat", "i.go:21:15 div-zero sat", "i.go:23:44 type-assert sat",
		"i.go:25:16 index sat", "i.go:30:13 index sat", "i.go:38:2 nil-map sat",
		"i.go:44:3 explicit-panic sat", "i.go:51:33 nil-deref sat"}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}
