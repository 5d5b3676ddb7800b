// Package inputs has functions with parameters of many types.
package inputs

import (
	"bufio"
	html "html/template"
	"io"
	"reflect"
	"text/template"

	"inputs/sub"
)

type Node struct {
	Val  int
	next *Node
	Tags []string
}

func (n *Node) Walk(depth int8) int { return n.Val }

type Celsius float64

func Basic(i int, u uint8, f float64, s string, b bool)       {}
func Named(c Celsius, v any)                                  {}
func Pointers(p, q *Node, i *int)                             {}
func Slices(a, b []int, rows [][]byte)                        {}
func Maps(m map[string]*Node)                                 {}
func Funcs(less func(a, b int) bool, done func())             {}
func Ifaces(r io.Reader, v any, w any)                        {}
func Variadic(first int, rest ...string)                      {}
func Generic[K comparable, V any](m map[K]V, keys ...K) (v V) { return }
func Foreign(o sub.Open, c *sub.Closed)                       {}

// Tree can refer to itself through a slice, a map and a pointer.
type Tree struct {
	Kids   []*Tree
	Names  map[string]*Tree
	Parent *Tree
}

func Trees(t *Tree) {}

func Writer(w *bufio.Writer, v reflect.Value) {}

func Templates(t *template.Template, h *html.Template) {}

func Chans(c <-chan int) {}

// Counter is made by a constructor.
type Counter struct{ n, limit int }

func NewCounter(n int) *Counter { return &Counter{n: n} }

func (c *Counter) Limit(limits ...int) { c.limit = len(limits) }

func (c *Counter) Add(n int) int { return n / c.limit }

// Types whose values are functions and channels, with methods.
type (
	Handler  func(n int) int
	Queue    chan int
	Received <-chan int
)

func (h Handler) Serve(n int) int { return h(n) }
func (q Queue) Size() int         { return len(q) }
func (r Received) First() int     { return <-r }

// Beyond returns a comparison that a test can repeat.
func Beyond(limit int, names map[string]int) func(a, b int) bool {
	return func(a, b int) bool { return a > b+limit || names["forbid"] > a }
}
