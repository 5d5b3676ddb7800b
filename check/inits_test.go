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
