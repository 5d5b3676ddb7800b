// Package pkg has bugs that random testing finds.
package pkg

// Bounded is a bounded stack.
type Bounded struct {
	items [4]int
	size  int
}

func New() *Bounded { return &Bounded{} }

func (b *Bounded) Push(x int) {
	if b.size < len(b.items) {
		b.items[b.size] = x
		b.size++
	}
}

// Pop does not check whether the stack is empty.
func (b *Bounded) Pop() { b.size-- }

func (b *Bounded) Len() int { return b.size }

type Kilo int8

func Weigh(k Kilo) int { return 100 / int(k) }

// Magic panics for a string that is in the source.
func Magic(s string) {
	if s == "open sesame" {
		panic("it opens")
	}
}

type Tree[T any] struct {
	Value T
	Left  *Tree[T]
}

// Leftmost does not check whether there is a left subtree.
func (t *Tree[T]) Leftmost() T { return t.Left.Value }

type Op int

// Ops.
const (
	Once Op = iota
	Twice
)

func Sum(list []int, op Op) (n int) {
	for i := range list {
		n += list[i]
		if op == Twice {
			n += list[i+1]
		}
	}
	return n
}

func Endless(n int) int {
	if n%2 == 0 {
		return Endless(n+2) + 1
	}
	return n
}

func Fine(a, b string) string { return a + b }

type Less func(a, b int) bool

// Least calls less, which is not nil in generated candidates.
func Least(list []int, less Less) int {
	if len(list) == 0 {
		return 0
	}
	n := list[0]
	for _, x := range list {
		if less(x, n) {
			n = x
		}
	}
	return n
}

// First returns at once if the channel is empty.
func First(c <-chan int) int {
	select {
	case n := <-c:
		return n
	default:
		return 0
	}
}
