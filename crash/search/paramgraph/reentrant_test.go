package paramgraph

import (
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestReentrant checks that the functions which a method on the stack is given call methods of its receiver, with their
// own parameters where they fit.
func TestReentrant(t *testing.T) {
	const src = `package m

type Item struct{ key string }

func (i *Item) Key() string { return i.key }

type List struct{ items []*Item }

func (l *List) Each(f func(*Item) bool)        {}
func (l *List) Remove(key string)              {}
func (l *List) Add(i *Item, at int) error      { return nil }
func (l *List) Clear()                         {}
func (l *List) hidden()                        {}
func (l *List) Sort(less func(a, b *Item) int) {}
`
	prog := loadFile(t, src)
	pkg := prog.Packages[0]
	list := pkg.Types.Scope().Lookup("List").Type().(*types.Named)
	required := []*types.Func{list.Method(0), list.Method(5)}
	b := NewThorough(prog, pkg, required, nil)
	var got []string
	for _, op := range b.Graph().Table {
		if strings.HasPrefix(op.Name, "callback of ") {
			_, text, _ := strings.Cut(op.Key(b.File), "{ a0.")
			text, _, _ = strings.Cut(text, " }")
			got = append(got, text)
		}
	}
	slices.Sort(got)
	want := []string{
		"Add(arg0, int(0)); return int(0)", "Add(arg0, int(0)); return true",
		"Clear(); return int(0)", "Clear(); return true",
		"Each(*new(func(*Item) bool)); return int(0)",
		"Remove(arg0.Key()); return int(0)", "Remove(arg0.Key()); return true",
		"Sort(*new(func(a *Item, b *Item) int)); return true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s", strings.Join(got, "\n"))
	}
}
