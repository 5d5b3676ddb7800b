package exact

// Values of more scalars than are followed one by one.

type wide [2000]int

type page struct {
	n     int
	cells [3000]byte
	next  *page
}

func filled(n int) wide {
	var t wide
	for i := range 3 {
		t[i] = n
	}
	return t
}

func (t wide) at(i int) int { return t[i] }

func (t wide) set(i, v int) { t[i] = v }

func (p page) first() byte { return p.cells[0] }

func NeverLargeValues() {
	a := filled(3)
	b := a
	b[1] = 7
	if a[1] != 3 || b[1] != 7 || a.at(2) != 3 || a[1999] != 0 || filled(2)[2] != 2 {
		panic("copies are shared")
	}
	a.set(1, 9)
	if a[1] != 3 {
		panic("the receiver is shared")
	}
	p := page{n: 1, next: &page{n: 2}}
	p.cells[0] = 5
	q := p
	q.cells[0], q.n = 6, 8
	if p.first() != 5 || q.first() != 6 || p.n != 1 || q.next.n != 2 {
		panic("copies of structs are shared")
	}
	var box any = p
	p.cells[0] = 1
	if box.(page).cells[0] != 5 || box.(page).next.n != 2 {
		panic("boxes are shared")
	}
	m := map[string]page{"a": q}
	q.cells[0] = 9
	if m["a"].cells[0] != 6 || m["b"].cells[0] != 0 {
		panic("entries are shared")
	}
	list := []wide{a}
	list = append(list, b)
	a[1] = 4
	if list[0][1] != 3 || list[1][1] != 7 {
		panic("elements are shared")
	}
	for i, x := range b {
		if i > 1 {
			break
		}
		b[1] = 0
		if i == 1 && x != 7 {
			panic("the loop is over a copy")
		}
	}
	c := make(chan wide, 1)
	c <- list[1]
	if (<-c)[1] != 7 {
		panic("channels have copies")
	}
	f := func(t wide) (out wide) {
		defer func() { out[2] = 1 }()
		return t
	}
	if f(list[0])[2] != 1 || list[0][2] != 3 {
		panic("results are shared")
	}
}

func CanLargeParam(n int) int {
	p := page{n: n}
	q := p
	return 10 / (q.n - 7)
}

func CanLargeElement(n int) int {
	a := filled(n)
	return 10 / (a.at(1) - 3)
}

func nilTable() *wide { return nil }

func CanLargeNil() int { return (*nilTable())[1] }

func CanLargeCopyNil() wide { return *nilTable() }
