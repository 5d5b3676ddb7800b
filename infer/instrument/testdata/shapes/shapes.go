// Package shapes has functions of every shape that is observed, and some that are not.
package shapes // the name is followed by an import

import (
	"errors"
	"runtime"
	"time"
)

// Limit and count are package-level variables.
var (
	Limit = 10
	count int
	last  *Node
)

// Node has fields of all sorts.
type Node struct {
	Value int
	name  string
	next  *Node
	kids  []*Node
	index map[string]int
	ok    bool
	ratio float32
	err   error
	_     int
}

func noInputs() {}

func oneResult(n int) int { return n + 1 }

func results(n uint8, s string) (int, string, error) {
	if n == 0 {
		return 0, "", errors.New("zero")
	}
	return int(n), s, nil
}

func namedResults(f float64) (half float64, _ error) {
	half = f / 2
	return
}

func blanks(_ int, _ string, b bool) (_ int, ok bool) { return 1, b }

func unnamed(int, string) (int, string) { return 1, "" }

func variadic(prefix string, list ...int) (n int) {
	for range list {
		n++
	}
	return n + len(prefix)
}

func functions(f func(int) int, c chan int, i any, e error) func() (int, error) {
	return func() (int, error) { return f(1), e }
}

func manyLines(
	first int, // of two
	second *Node,
) (
	sum int,
	_ error,
) {
	defer func() { count++ }()
	return first +
			second.Value,
		nil
}

func globals() int {
	count++
	last = &Node{Value: count}
	return Limit
}

func hidden(count int) int { return count + Limit }

func moment(t time.Time, d *time.Duration, tm *time.Timer) bool {
	return t.IsZero() && d == nil && tm == nil
}

func arrays(a [3]int, p *[3]int, m map[string]int) int { return a[0] + p[1] + len(m) }

func recovers(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = n + 4
		}
	}()
	panic(n)
}

func goexit(n int, done func()) {
	defer done()
	runtime.Goexit()
}

func fact(n int) int {
	if n < 2 {
		return 1
	}
	return n * fact(n-1)
}

// Value and pointer methods.
func (n Node) Get() int   { return n.Value }
func (n *Node) Set(v int) { n.Value = v; n.index = nil }
func (Node) Nothing()     {}

func (n *Node) Next() (next *Node, err error) {
	if n.next == nil {
		return nil, errors.New("no next")
	}
	return n.next, nil
}

// Pair and Map are generic.
type Pair[A any, B comparable] struct {
	First  A
	Second *B
}

func (p *Pair[A, B]) Swap(a A) (old A) { old, p.First = p.First, a; return }

func Map[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

//go:nosplit
func split(n int) int { return n }

func init() { count = 1 }

func _() {}

/* comments */
func /* anywhere */ commented( /* in */ n /* the */ int /* way */) /* of */ int /* text */ { /* here */
	return n // there
}

type ring struct{ head, spare *segment }

type segment struct{ at *position }

type position struct{ from, to int }

// Len is pure, and deeper than what is observed.
func (r *ring) Len() int {
	if r.head == nil {
		return 0
	}
	return r.head.at.to - r.head.at.from
}

// Grow is not pure.
func (r *ring) Grow() int {
	r.spare = nil
	return 1
}

// Get wants an index below the length.
func (r *ring) Get(i int) int { return i + r.head.at.from }
