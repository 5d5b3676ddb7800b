package panics

import "unsafe"

func ComplexProduct(n int) int {
	x, y := complex(2, 1), complex(3, -1)
	z := x * y                    // 7+i
	return n / (int(real(z)) - 7) // want div-zero
}

func ComplexQuotient(n int) int {
	x, y := complex64(complex(7, 1)), complex64(complex(3, -1))
	z := x / y // 2+i
	z++
	z = -z
	return n / (int(real(z)) + 3) // want div-zero
}

type point struct{ x, y int }

func Points(m map[point]*node) int {
	if n, ok := m[point{1, -2}]; ok {
		return n.val // want nil-deref
	}
	m = map[point]*node{{1, 2}: {val: 1}, {2, 1}: {val: 2}}
	if m[point{1, 2}].val == m[point{2, 1}].val {
		panic("the points are told apart")
	}
	return 0
}

func Floats(m map[float64]int) int {
	return 1 / (m[0.5] - 1) // want div-zero
}

func Zeros(zero float64) int {
	m := map[float64]int{0: 1}
	if zero == 0 {
		return 1 / m[zero] // of both signs
	}
	return 0
}

type mixed struct {
	name string
	on   bool
	n    uint16
}

func Mixed(m map[mixed]int) int {
	return 1 / (m[mixed{"ab", true, 7}] - 1) // want div-zero
}

func Pointers(m map[*node]int, n *node) int {
	return 1 / (m[n] - 1) // want div-zero
}

// A constraint that no plain type meets, on a parameter declared before the one that it mentions.
type holder[E any] interface {
	comparable
	Get() E
	Len() int
}

type texts []string

type textBox struct{ n int }

func (b textBox) Get() string { return "" }
func (b textBox) Len() int    { return b.n }

func First[H holder[E], E any](h H) int {
	return 1 / h.Len() // want div-zero
}

// By the instance in the build, not by the first type that would do.
func Sum[T int | uint8](a, b T) T {
	return 1 / (a + b) // want div-zero
}

var _ = Sum[uint8]

func Text(b []byte) int {
	s := *(*string)(unsafe.Pointer(&b))
	if s == "ab" {
		return 1 / (int(b[0]) - 'a') // want div-zero
	}
	return len(s)
}

func Bits(f float32) uint32 {
	return 1 / (*(*uint32)(unsafe.Pointer(&f)) - 0x3f800000) // want div-zero
}

type stringHeader struct {
	data unsafe.Pointer
	len  int
}

func Header(s string) int {
	h := (*stringHeader)(unsafe.Pointer(&s))
	return int(s[h.len]) // want index
}

func UnsafeSlice(p *byte) byte {
	return unsafe.Slice(p, 2)[2] // want index slice-bounds
}

func Bytes(b []byte) uint8 {
	for i := range (func(u []uint8) []uint8 { u[0] = 3; return u })(b[:1]) { // want slice-bounds
		return 1 / (b[i] - 3) // want div-zero index
	}
	return 0
}

type chained interface{ next() chained }

type link struct {
	inner chained
	n     int
}

func (l link) next() chained { return l.inner }

// Innermost follows interfaces that hold structs with such an interface. The solver may let a
// struct contain itself, which no value does.
func Innermost(c chained, list []int) int {
	a, ok := c.(link)
	if !ok {
		return 0
	}
	b, ok := a.inner.(link)
	if !ok {
		return 0
	}
	d, ok := b.inner.(link)
	if !ok {
		return 0
	}
	return list[d.n] // want index
}
