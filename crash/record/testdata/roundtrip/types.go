// Package roundtrip has values of many kinds.
package roundtrip

import (
	"errors"
	"fmt"
	"math/big"
	"os"
	"runtime"
	"strings"
	"time"

	keep "roundtrip/zz_dsd_keep"
)

// ErrKnown is an error that programs compare by identity.
var ErrKnown = errors.New("known")

// Shared is a variable that values point to.
var Shared Small

// Double is a function in values.
func Double(n int) int { return 2 * n }

// Small is a struct without pointers.
type Small struct {
	A    int8
	b    uint16
	C    string
	_    int
	flag bool
}

// Kind is a named number, and Name a named string.
type (
	Kind uint32
	Name string
	// Names is a named slice, and Set a named map.
	Names []Name
	Set   map[Name]*Small
)

// Shape is implemented by values and pointers.
type Shape interface{ Area() float64 }

// Square is a Shape.
type Square float64

// Area returns the area.
func (s Square) Area() float64 { return float64(s * s) }

// Circle is a Shape if a pointer points to it.
type Circle struct{ r float64 }

// Area returns the area.
func (c *Circle) Area() float64 { return c.r }

// Node is a node of a graph with cycles.
type Node struct {
	Small
	next  *Node
	Peers []*Node
	kids  map[string]*Node
	word  *string // of this or another node
	any   any
	shape Shape
	err   error
}

// Slices has slices that share arrays.
type Slices struct {
	all    []int
	part   []int
	rest   []int
	first  *int
	bytes  []byte
	raw    []byte
	array  [3]Small
	of     []Small
	inside *Small
	nested [][]string
	names  Names
}

// Odd has rare types.
type Odd struct {
	f32    float32
	f64    float64
	c64    complex64
	c128   complex128
	r      rune
	kind   Kind
	set    Set
	byPtr  map[*Small]int
	floats map[float64]string
	arrays map[[2]int8]Name
	ifaces map[any]int
	ch     chan int
	in     <-chan *Small
	double func(int) int
	shared *Small
	pp     **Small
	empty  struct{}
	none   *struct{}
	zero   []struct{}
	nilled []int
	made   []int
}

// Library has values of the standard library that cannot be written as literals.
type Library struct {
	when  time.Time
	big   *big.Int
	build *strings.Builder
	list  []any
}

// Pair is generic.
type Pair[K comparable, V any] struct {
	key   K
	value V
	again *Pair[K, V]
}

// The functions that values are passed to.
func TakeNode(v *Node)                           { take(v) }
func TakeSlices(v Slices, w *Slices)             { take(v, w) }
func TakeOdd(v *Odd, m map[string]any)           { take(v, m) }
func TakeLibrary(v Library)                      { take(v) }
func TakeValues(a Small, b []Shape, c [2]*Small) { take(a, b, c) }
func TakePair(p *Pair[Name, []*Small], q Pair[int, error]) {
	take(p, q)
}

// take writes the arguments that a test passes to a file, as one line.
func take(args ...any) {
	pc, _, _, _ := runtime.Caller(2)
	name := runtime.FuncForPC(pc).Name()
	f, err := os.OpenFile(os.Getenv("TAKEN"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, "%s %s\n", name[strings.LastIndexByte(name, '.')+1:], keep.Graph(args...))
}
