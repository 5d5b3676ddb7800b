package usage

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

func load(t *testing.T) *source.Program {
	t.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// lines returns the transitions of the models, one per line, each model followed by its values.
func lines(d *schemas.Models) string {
	var out strings.Builder
	short := strings.NewReplacer("used.", "", "(*Box).", "")
	for _, m := range d.Models {
		for _, t := range m.Transitions {
			fmt.Fprintf(&out, "%s > %s %d\n", short.Replace(t.From), short.Replace(t.To), t.Count)
		}
		for _, v := range m.Values {
			fmt.Fprintf(&out, "%s %d %s %d\n", short.Replace(v.Call), v.Param, v.Lit, v.Count)
		}
	}
	return out.String()
}

// TestStatic checks the paths through branches and loops, objects in several variables, and
// constants.
func TestStatic(t *testing.T) {
	l := New()
	l.Static(load(t))
	want := ` > grow 1
 > Box{} 1
 > New 2
Add > Add 1
Add > Sum 2
Sum > Close 2
Box{} > Add 1
New > Add 2
Add 0 1 2
Add 0 2 1
Add 0 3 1
New 0 4 1
`
	if got := lines(l.Models(schemas.Header{})); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestDynamic checks the calls that tests make on each object, directly or not, and that the
// testee's directory stays as it is.
func TestDynamic(t *testing.T) {
	prog := load(t)
	before, err := os.ReadDir(prog.Dir)
	if err != nil {
		t.Fatal(err)
	}
	l := New()
	if err := l.Dynamic(context.Background(), prog, io.Discard); err != nil {
		t.Fatal(err)
	}
	want := ` > Make 3
 > New 3
Add > grow 6
grow > Add 3
grow > Sum 3
Make > Add 3
`
	got := lines(l.Models(schemas.Header{}))
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if after, _ := os.ReadDir(prog.Dir); len(after) != len(before) {
		t.Errorf("%s has %d entries after the run, want %d", prog.Dir, len(after), len(before))
	}
}

// TestDOT checks the graph of a small model.
func TestDOT(t *testing.T) {
	got := DOT(&schemas.Model{Type: "a/b.T", Transitions: []schemas.Transition{
		{From: "", To: "a/b.New", Count: 2},
		{From: "a/b.New", To: "a/b.(*T).M", Count: 1},
	}})
	want := `digraph "b.T" {
	rankdir=LR
	node [shape=box]
	"" [shape=point]
	"" -> "b.New" [label="2"]
	"b.New" -> "b.(*T).M" [label="1"]
}
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
