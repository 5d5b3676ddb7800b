package exact

import (
	"io"
	"strings"
)

// Comparisons: of interfaces by type and contents, in Go's order.

type pair struct{ a, b any }

type code int

func (c code) Error() string { return "code" }

type wrapped struct{ inner error }

func (w wrapped) Error() string { return "wrapped" }

func must(ok bool) {
	if !ok {
		panic("not as Go has it")
	}
}

// NeverEqualBoxes compares values in boxes.
func NeverEqualBoxes() {
	var a, b any = 2.5, 2.5
	must(a == b)
	a, b = uint8(3), uint8(3)
	must(a == b)
	a, b = code(3), 3
	must(a != b)
	a, b = [2]string{"x", "y"}, [2]string{"x", "y"}
	must(a == b)
	a, b = pair{1, "x"}, pair{1, "x"}
	must(a == b)
	a, b = pair{1, "x"}, pair{1, "y"}
	must(a != b)
	a, b = struct{}{}, struct{}{}
	must(a == b)
	a, b = true, false
	must(a != b)
	a, b = 'x', int32('x')
	must(a == b)
	a, b = 1+2i, 1+2i
	must(a == b)
}

// NeverEqualErrors compares errors that are values.
func NeverEqualErrors() {
	var a, b error = code(1), code(1)
	must(a == b)
	a, b = wrapped{io.EOF}, wrapped{io.EOF}
	must(a == b)
	a, b = wrapped{code(2)}, wrapped{code(3)}
	must(a != b)
}

// NeverNaN compares what differs from itself.
func NeverNaN(x float64) {
	var a any = x
	if x != x {
		must(a != a)
	} else {
		must(a == a)
	}
}

// NeverFirstDiffers stops at the first difference.
func NeverFirstDiffers() {
	x, y := pair{1, []int{}}, pair{2, []int{}}
	must(x != y)
	p, q := [2]any{1, func() {}}, [2]any{2, func() {}}
	must(p != q)
	var i, j any = x, y
	must(i != j)
	i, j = []int{}, map[int]int{}
	must(i != j)
}

// NeverConcrete compares an interface with a value of another type.
func NeverConcrete() {
	var a any = [2]int{1, 2}
	must(a == [2]int{1, 2})
	must(a != [2]int{2, 1})
	must(a != "x")
	var r io.Reader = strings.NewReader("")
	must(r != io.Reader(nil))
	switch a {
	case 1, "x", [2]int{}:
		panic("no case is equal")
	case [2]int{1, 2}:
	default:
		panic("one case is equal")
	}
}

// NeverBlank ignores blank fields.
func NeverBlank(n int) {
	type t struct {
		a int
		_ func() int
	}
	type u struct{ _, b int }
	must(u{b: n} == u{b: n})
	_ = t{}
}

func CanSliceInBox() {
	var a, b any = []int{}, []int{}
	_ = a == b
}

func CanMapInBox() {
	var a any = map[string]bool{}
	_ = a == a
}

func CanFuncInBox() {
	var a any = func() {}
	must(a != a)
}

func CanField() {
	x, y := pair{1, []int{}}, pair{1, []int{}}
	_ = x == y
}

func CanFieldInBox() {
	var x, y any = pair{nil, map[int]int{}}, pair{nil, map[int]int{}}
	_ = x == y
}

func CanElement() {
	x := [2]any{0, []string{}}
	_ = x == [2]any{0, []string{}}
}

func CanCase() {
	var x, y any = []int{}, []int{}
	switch x {
	case y:
	}
}

func CanKey() {
	m := map[any]bool{}
	m[func() {}] = true
}

func CanKeyOfArray() {
	m := map[[1]any]bool{}
	m[[1]any{[]int{}}] = true
}

func CanDeepDifference() {
	var x, y any = pair{pair{1, 2}, 3}, pair{pair{1, 3}, 3}
	must(x == y)
}
