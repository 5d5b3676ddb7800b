// Package state has crashes that need inputs which are hard to make, as objects in a certain state.
package state

// Ring keeps the last keys.
type Ring struct {
	keys []string
	size int
	max  int
}

// NewRing makes a ring of n keys that may grow to max.
func NewRing(n, max int) *Ring { return &Ring{keys: make([]string, n&7), max: max & 15} }

func (r *Ring) Add(key string) {
	if r.size == len(r.keys) {
		return
	}
	r.keys[r.size] = key
	r.size++
}

func (r *Ring) full() bool { return r.size >= r.max }

// Keyed decorates a ring.
type Keyed struct{ ring *Ring }

func NewKeyed(r *Ring) *Keyed { return &Keyed{r} }

// Put assumes that a ring which is not full has room.
func (k *Keyed) Put(key string) {
	if !k.ring.full() {
		k.ring.keys[k.ring.size] = key
	}
}

// Shape has no implementation in the module.
type Shape interface {
	Sides() int
	Name() (string, error)
}

// Angle divides by a number that a stub may return as 0.
func Angle(s Shape) int { return 360 / s.Sides() }

// Options has more fields than one composite literal sets.
type Options struct {
	A, B, C, D, E, F, G int
	Strict              bool
}

// Apply uses an option as an index.
func Apply(o *Options) int {
	list := []int{1, 2, 3}
	if o.Strict {
		return list[o.G]
	}
	return 0
}

// Queue overflows after 40 calls of Put.
type Queue struct {
	items [40]int
	n     int
}

func (q *Queue) Put(x int) {
	q.items[q.n] = x
	q.n++
}

// Any divides by zero if yes holds for an element.
func Any(list []int, yes func(int) bool) int {
	n := 1
	for _, x := range list {
		if yes(x) {
			n = 0
		}
	}
	return 1 / n
}

// Walk divides by zero if next returns 3.
func Walk(next func() (int, error)) int {
	n, err := next()
	if err != nil {
		return 0
	}
	return 1 / (n - 3)
}

// Set is created as a pointer and has methods on values.
type Set struct{ m map[string]int }

func NewSet() *Set { return &Set{m: map[string]int{}} }

func (s Set) Share(key string) int { return 1 / s.m[key] }

// Room divides by zero for a channel with a capacity of 1.
func Room(c <-chan int) int { return 1 / (cap(c) - 1) }

// Handler is a function with a method.
type Handler func(int) int

func (h Handler) Handle(n int) int { return 1 / h(n) }
