package instrument

import (
	"sort"
	"strings"
	"testing"
)

// TestMutable checks which variables are reset between candidates.
func TestMutable(t *testing.T) {
	text := `package m

import "errors"

var (
	table    = []int{1, 2}            // read by index
	ranges   = []span{{1, 2}}         // passed to a function that reads
	names    = map[string]int{"a": 1} // looked up
	pointers = []*span{{1, 2}}        // changed through an element
	cache    = map[string]int{}       // written
	count    int                      // counted
	kept     = []int{1}               // kept elsewhere
	sorted   = []int{2, 1}            // passed to a function that writes
	method   = list{1}                // has a method that reads
	appender = list{1}                // has a method that writes
	errBad   = errors.New("bad")
	unused   = []int{1}
	hook     = func() { late[0]++ }
	late     = []int{1} // changed by a function literal
	deep     = &keeper{list: []int{1}}  // parts are read
	shallow  = &keeper{list: []int{1}}  // a part is written
	Exported = []int{1}
	early    int // counted by an init function
)

type span struct{ from, to int }

type list []int

func (l list) first() int { return l[0] }

func (l *list) add(x int) { *l = append(*l, x) }

func in(x int, r []span) bool {
	for _, s := range r {
		if s.from <= x && x <= s.to {
			return true
		}
	}
	return false
}

func order(l []int) { l[0], l[1] = l[1], l[0] }

func init() { early++ }

type keeper struct{ list []int }

func use(k *keeper, s string) (int, error) {
	for _, p := range pointers {
		p.from++
	}
	cache[s] = names[s]
	count++
	k.list = kept
	order(sorted)
	appender.add(1)
	hook()
	shallow.list[0] = len(deep.list) + deep.list[0]
	if in(table[0], ranges) && len(unused) > 0 {
		return method.first(), errBad
	}
	return 0, nil
}
`
	prog := loadFile(t, text)
	var got []string
	for id := range findMutable(prog, prog.Packages[0], false).vars {
		got = append(got, id.Name)
	}
	sort.Strings(got)
	if want := "appender cache count early kept late pointers shallow sorted"; strings.Join(got,
		" ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
}
