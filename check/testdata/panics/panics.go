// Package panics has functions that can panic where a comment says so ("want" and the kind, on the line), and
// nowhere else.
package panics

import "errors"

func Index(a []int, i int) int {
	return a[i] // want index
}

func IndexGuarded(a []int, i int) int {
	if i < 0 || i >= len(a) {
		return 0
	}
	return a[i]
}

func IndexArray(a [4]int, i uint8) int {
	return a[i&3] + a[i>>5] // want index
}

func LoopBound(a []int) int {
	sum := 0
	for i := 0; i <= len(a); i++ {
		sum += a[i] // want index
	}
	return sum
}

func LoopGuarded(a []int) (sum int) {
	for i := range a {
		sum += a[i]
	}
	for i := len(a) - 1; i >= 0; i-- {
		sum -= a[i]
	}
	return sum
}

func Slice(a []int, lo, hi int) []int {
	return a[lo:hi] // want slice-bounds
}

func SliceString(s string) string {
	if len(s) > 2 {
		return s[2:]
	}
	return s[:3] // want slice-bounds
}

func Apart(x, y string) int {
	if x == y {
		return 0
	}
	return len(x) / len(y) // want div-zero
}

func Full(a []int) []int {
	if cap(a) < 3 {
		return nil
	}
	return a[:0:3]
}

func Div(x, y int) int {
	return x / y // want div-zero
}

func DivWrap(x int8) int8 {
	if x == 0 {
		return 0
	}
	return 1 / (x * 2) // want div-zero
}

func DivMin(x int) int {
	if x != -1 {
		return 1
	}
	return (-1 << 63) / x
}

func Mod(x uint, y uint) uint {
	if y > 0 {
		return x % y
	}
	return x % (y + 1)
}

func Assert(v any) string {
	return v.(string) // want type-assert
}

func AssertOK(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	switch v := v.(type) {
	case int:
		return "int"[v&1:]
	case nil:
		return ""
	}
	return "?"
}

func Make(n int) []int {
	return make([]int, n) // want makeslice
}

func MakeGuarded(n uint8) []int {
	return make([]int, n, 300)
}

func NilMap(m map[string]int, k string) {
	m[k] = 1 // want nil-map
}

func MapRead(m map[string]int, k string) int {
	delete(m, k)
	if v, ok := m["a"]; ok {
		return 10 / len(m) * v
	}
	return m[k]
}

func MapWrite() int {
	m := map[string]int{"a": 1}
	m["b"] = 2
	if m["a"] != 1 || len(m) != 2 {
		panic("unreachable")
	}
	return m["b"]
}

func Convert(a []byte) [2]byte {
	return [2]byte(a) // want conversion
}

func Shift(x, n int) int {
	return x << n // want shift
}

func ShiftUnsigned(x int, n uint8) int { return x >> n }

func Explicit(x int) {
	if x*x == 49 {
		panic("seven") // want explicit-panic
	}
}

type node struct {
	next *node
	val  int
}

func Second(n *node) int {
	if n == nil {
		return 0
	}
	return n.next.val // want nil-deref
}

func Chain(n *node) int {
	for n != nil && n.next != nil {
		n = n.next
	}
	if n == nil {
		return 0
	}
	if n.next != nil {
		panic("unreachable but for the bound on loops")
	}
	return n.val
}

func Alias(p, q *int) int {
	if p == nil || q == nil {
		return 0
	}
	*p, *q = 1, 0
	return 1 / *p // want div-zero
}

func NoAlias() int {
	x, y := 1, 0
	p, q := &x, &y
	*q = 0
	return 1 / *p
}

func Append(a []int) int {
	b := append(a, 7)
	if b[len(a)] != 7 {
		panic("unreachable")
	}
	return b[len(a)+1] // want index
}

func Copy(a []int) int {
	b := make([]int, 2)
	n := copy(b, a)
	return 1 / (3 - n) / (2 - n) // want div-zero
}

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

type empty struct{}

func (*empty) area() int { return 0 }

func Ratio(s shape) int {
	if s == nil {
		return 0
	}
	return 100 / s.area() // want div-zero nil-deref
}

func RatioSquare() int {
	var s shape = square{3}
	return 100 / s.area()
}

func Closure(x int) int {
	f := func(d int) int { x -= d; return x }
	f(1)
	return 10 / f(1) // want div-zero
}

func Deferred(a []int) (n int) {
	defer func() { n = 10 / (n - 5) }() // want div-zero
	return len(a)
}

func ErrorPair(x int) (*node, error) {
	if x < 0 {
		return nil, errors.New("negative")
	}
	return &node{val: x}, nil
}

func UsePair(x int) int {
	n, err := ErrorPair(x)
	if err != nil {
		return -1
	}
	return n.val
}

func UsePairBadly(x int) int {
	n, _ := ErrorPair(x)
	return n.val // want nil-deref
}

type number interface{ ~int | ~uint8 }

func Max[T number](a []T) T {
	m := a[0] // want index
	for _, v := range a[1:] {
		m = max(m, v)
	}
	return m
}

func Label(rows [][]int) int {
	for i, row := range rows {
		for _, v := range row {
			if v == 0 {
				return 10 / (i - 1) // want div-zero
			}
		}
	}
	return 0
}

func Switch(x int) int {
	switch {
	case x > 10:
		return 1 / (x - 10)
	case x == 3:
		fallthrough
	case x == 4:
		return 1 / (x - 4) // want div-zero
	}
	return 0
}

func Runes(s string) int {
	n := 0
	for i, r := range s {
		if r == 'é' && i == 1 {
			n = 1 / (len(s) - 3) // want div-zero
		}
	}
	return n
}

func Compare(s, t string) int {
	if s == t {
		return 1 / (len(s) - len(t) + 1)
	}
	if s < t && s == "b" && t == "a" {
		panic("unreachable")
	}
	return 0
}

func Float(x float64) int {
	if x != x {
		return 0
	}
	if x > 0.5 && x < 0.75 {
		panic("between") // want explicit-panic
	}
	return 1
}

type embedded struct{ *node }

func Promoted(e embedded) int {
	return e.val // want nil-deref
}

func MethodValue(s square) int {
	f := s.area
	s.side = 0
	return 1 / (f() - 4) // want div-zero
}
