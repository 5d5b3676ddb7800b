package check

import (
	"slices"
	"strings"
	"testing"
)

// TestReplay: a counterexample is sat only if its inputs, executed by themselves, come to the panic. Here
// they panic before, in a call that is too deep to be followed for all inputs; which panics come first
// only an execution shows.
func TestReplay(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"go.mod": "module replay\n\ngo 1.24\n",
		"r.go": `package replay

type list struct{ first, last *int }

func one(l *list) int   { return two(l) + 1 }
func two(l *list) int   { return three(l) + 1 }
func three(l *list) int { return four(l) + 1 }
func four(l *list) int  { return five(l) + 1 }
func five(l *list) int  { return six(l) + 1 }
func six(l *list) int {
	n := 0
	for i := range 3 {
		n += i * *l.first
	}
	return n
}

func Late(l *list) int { return one(l) + *l.last }

func Early(l *list) int { return *l.last + one(l) }
`})
	var got []string
	for _, w := range run(t, dir, Options{}).Warnings {
		if strings.HasSuffix(w.Func, "ly") || strings.HasSuffix(w.Func, "te") {
			got = append(got, w.Func+" "+w.Pos+" "+string(w.Status))
		}
	}
	want := []string{"replay.Late r.go:18:42 free", "replay.Late r.go:18:43 free",
		"replay.Early r.go:20:34 sat", "replay.Early r.go:20:35 sat"}
	if !slices.Equal(got, want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
}
