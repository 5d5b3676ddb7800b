// Package names declares functions of every form that has a name in stack traces. Each calls Here.
package names

import (
	"runtime/debug"
	"strings"
)

// Seen are the names in stack traces of the functions that ran.
var Seen []string

// Here records the name of its caller.
//
//go:noinline
func Here() {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, l := range lines {
		if strings.Contains(l, "names%2ev1.Here(") {
			f := lines[i+2]
			Seen = append(Seen, f[:strings.LastIndexByte(f, '(')])
			return
		}
	}
}

func init() { Here() }

func _() { Here() }

func bodyless()

// All calls everything.
func All() {
	Here()
	plain()
	T{}.value()
	(&T{}).pointer()
	Ints{}.slice()
	(&Ints{}).slicePointer()
	Func(nil).function()
	generic[int]()
	generic[map[string][]int]()
	twoParameters[int, string]()
	Pair[int, string]{}.generic()
	(&Pair[int, string]{}).genericPointer()
	Alias{}.ofAlias()
	unexported{}.method()
	unexported{}.Exported()
	ähnlich()
	T{}.blank(1)
	variadic()
	named()
}

func plain() { Here() }

func variadic(...int) { Here() }

func named() (err error) { Here(); return }

func ähnlich() { Here() }

type T struct{ n int }

func (t T) value()    { Here() }
func (t *T) pointer() { Here() }
func (T) blank(_ int) { Here() }

type Ints []int

func (Ints) slice()         { Here() }
func (*Ints) slicePointer() { Here() }

type Func func()

func (f Func) function() { Here() }

func generic[E any]()          { Here() }
func twoParameters[A, B any]() { Here() }

type Pair[A, B any] struct {
	a A
	b B
}

func (p Pair[_, _]) generic()         { Here() }
func (p *Pair[A, B]) genericPointer() { Here() }

type unexported struct{ T }

func (unexported) method()   { Here() }
func (unexported) Exported() { Here() }

type Alias = T

func (Alias) ofAlias() { Here() }

// I and J have methods that callers name by the interface.
type (
	I interface {
		M()
		J
		error
	}
	J            interface{ N() }
	G[E any]     interface{ Get() E }
	Local[E any] struct{ g G[E] }
)
