package exact

import "runtime"

// The order of evaluation, lengths, shifts, and what the runtime panics with.

type cell struct{ x int }

func NeverFieldAfterCall() {
	var p *cell
	f := func() int { p = &cell{}; return 5 }
	p.x = f()
	must(p.x == 5)
	var q *int
	g := func() int { q = new(int); return 6 }
	*q = g()
	must(*q == 6)
}

func NeverIndexAfterCall() {
	var s []int
	f := func() int { s = []int{1, 2}; return 1 }
	s[1] = f()
	must(s[1] == 1)
	i := 9
	g := func() int { i = 0; return 7 }
	s[i] = g()
	must(s[0] == 7)
}

func NeverParallelRange() {
	list := []int{10, 20}
	i := 1
	for i, list[i] = range []int{99} {
	}
	must(i == 0 && list[1] == 99)
}

func NeverNilArray() {
	var p *[4]int
	n := 0
	for range *p {
		n++
	}
	for i := range p {
		n += i
	}
	must(n == 10 && len(p) == 4 && cap(*p) == 4)
}

func NeverShift(x int) {
	_ = 1 << (1 << (1 << uint(x&3)))
	var y uint8 = 1 << (2 + 1<<uint(x&1))
	must(y == 8 || y == 16)
}

func NeverEmptyElements(n int) {
	if n >= 0 {
		s := make([]struct{}, n)
		must(len(s) == n)
	}
	_ = make([][0]string, 1<<61)
}

func NeverRuntimeError(d int) {
	defer func() {
		if r := recover(); r != nil {
			_, ok := r.(runtime.Error)
			must(ok)
			_, ok = r.(error)
			must(ok)
			_, ok = r.(interface{ Timeout() bool })
			must(!ok)
		}
	}()
	_ = 1 / d
}

func NeverPanicNil() {
	defer func() {
		_, ok := recover().(*runtime.PanicNilError)
		must(ok)
	}()
	panic(nil)
}

func CanLenOfCall() {
	_ = len(func() [2]int { panic("called") }())
}

func CanRangeOfCall() {
	for range func() [2]int { panic("called") }() {
	}
}

func CanShift() {
	x := -1
	_ = 1 << (1 << x)
}

func CanMakeEmpty() {
	n := -1
	_ = make([]struct{}, n)
}

func CanAssignAfterCall() {
	p := &cell{}
	f := func() int { p = nil; return 5 }
	p.x = f()
}

func two() ([]int, []int) { return make([]int, 2), []int{7, 8, 9} }

func NeverSpread() {
	must(copy(two()) == 2)
	m := map[int]int{4: 4}
	delete(func() (map[int]int, int) { return m, 4 }())
	must(len(m) == 0 && max(1, 2) == 2)
}

// The compiler copies some keys of maps before it makes calls, and reads others after them.
func NeverKeyAfterCall() {
	key, number := "a", 1
	var any1 any = 1
	names, numbers, others := map[string]int{}, map[int]int{}, map[any]int{}
	names[key] = func() int { key = "b"; return 1 }()
	numbers[number] = func() int { number = 2; return 1 }()
	others[any1] = func() int { any1 = 2; return 1 }()
	must(names["b"] == 1 && numbers[2] == 1 && others[1] == 1)
}

type assigned struct {
	n    int
	next *assigned
	list []int
	arr  [3]int
	in   struct{ n int }
}

// counted returns the number of entries of a map after f, which may panic.
func counted(f func(m map[int]int)) (n int) {
	m := map[int]int{}
	defer func() {
		recover()
		n = len(m)
	}()
	f(m)
	return 0
}

// NeverLeftToRight: what stands left is assigned before a pointer on the right is followed, or an index
// checked; pointers on the way to it are followed before.
func NeverLeftToRight(i int) {
	var p *int
	var r *assigned
	var rs []assigned
	var ps []*assigned
	var pa *[3]int
	zero := &assigned{}
	if i < 3 {
		i = 3
	}
	for k, n := range []int{
		counted(func(m map[int]int) { m[2], *p = 1, 2 }),
		counted(func(m map[int]int) { m[2], zero.list[i] = 1, 2 }),
		counted(func(m map[int]int) { m[2], r.n = 1, 2 }),
		counted(func(m map[int]int) { m[2], r.in.n = 1, 2 }),
		counted(func(m map[int]int) { m[2], zero.next.n = 1, 2 }),
		counted(func(m map[int]int) { m[2], rs[i].arr[1] = 1, 2 }),
		counted(func(m map[int]int) { m[2], pa[1] = 1, 2 }),
		counted(func(m map[int]int) { m[2], zero.arr[i] = 1, 2 }),
	} {
		if n != 1 {
			panic(k)
		}
	}
	for k, n := range []int{
		counted(func(m map[int]int) { m[2], r.next.n = 1, 2 }),
		counted(func(m map[int]int) { m[2], ps[i].n = 1, 2 }),
		counted(func(m map[int]int) { m[2], r.list[1] = 1, 2 }),
	} {
		if n != 0 {
			panic(k)
		}
	}
}
