// Package aim has crashes that want objects in a certain state.
package aim

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

// Put takes a ring that is not full for one that has room.
func (k *Keyed) Put(key string) {
	if !k.ring.full() {
		k.ring.keys[k.ring.size] = key
	}
}

// Shape is implemented by nobody here.
type Shape interface {
	Sides() int
	Name() (string, error)
}

// Angle divides by what a stub may say.
func Angle(s Shape) int { return 360 / s.Sides() }

// Options have more fields than one gives at once.
type Options struct {
	A, B, C, D, E, F, G int
	Strict              bool
}

// Apply indexes by an option.
func Apply(o *Options) int {
	list := []int{1, 2, 3}
	if o.Strict {
		return list[o.G]
	}
	return 0
}

// Queue loses track when it has grown once.
type Queue struct {
	items [40]int
	n     int
}

func (q *Queue) Put(x int) {
	q.items[q.n] = x
	q.n++
}

// Any believes that nobody says yes.
func Any(list []int, yes func(int) bool) int {
	n := 1
	for _, x := range list {
		if yes(x) {
			n = 0
		}
	}
	return 1 / n
}

// Walk believes what it is told.
func Walk(next func() (int, error)) int {
	n, err := next()
	if err != nil {
		return 0
	}
	return 1 / (n - 3)
}

// Set is made by pointer and used by value.
type Set struct{ m map[string]int }

func NewSet() *Set { return &Set{m: map[string]int{}} }

func (s Set) Share(key string) int { return 1 / s.m[key] }

// Room wants more room than there is.
func Room(c <-chan int) int { return 1 / (cap(c) - 1) }

// Handler is a function with a method.
type Handler func(int) int

func (h Handler) Handle(n int) int { return 1 / h(n) }
