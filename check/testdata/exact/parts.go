package exact

import "unsafe"

// Slices, strings and pointers that begin inside an object, kept in memory.

type cursor struct {
	rest []int
	text string
	at   *int
}

var begun cursor

func (c *cursor) next() int {
	x := c.rest[0]
	c.rest = c.rest[1:]
	return x
}

func NeverPartsInFields() {
	c := &cursor{rest: []int{1, 2, 3}[1:], text: "abcd"[2:]}
	if c.rest[0] != 2 || c.text[0] != 'c' || c.text != "cd" || len(c.rest) != 2 {
		panic("begins elsewhere")
	}
	if c.next() != 2 || c.next() != 3 || len(c.rest) != 0 {
		panic("advances elsewhere")
	}
	list := []int{4, 5, 6}
	c.at = &list[2]
	*c.at = 7
	if list[0] != 4 || list[2] != 7 {
		panic("points elsewhere")
	}
	d := *c
	d.rest = append(list[:1], 8)
	c.rest = list[1:]
	if c.rest[0] != 8 || d.rest[1] != 8 {
		panic("appends elsewhere")
	}
}

func NeverPartsInContainers() {
	a := []int{1, 2, 3, 4}
	m := map[string][]int{"tail": a[2:]}
	lists := [][]int{a[1:], a[3:]}
	pair := [2]*int{&a[1], &a[3]}
	var box any = a[2:]
	ch := make(chan []int, 1)
	ch <- a[3:]
	if m["tail"][0] != 3 || lists[0][0] != 2 || lists[1][0] != 4 || *pair[0]+*pair[1] != 6 {
		panic("begins elsewhere")
	}
	if box.([]int)[1] != 4 || (<-ch)[0] != 4 {
		panic("another element")
	}
	for i, l := range lists {
		if l[0] != 2+2*i {
			panic("another list")
		}
	}
	*pair[1]++
	if m["tail"][1] != 5 || lists[1][0] != 5 {
		panic("not shared")
	}
}

func NeverPartsInVariables() {
	a := []int{1, 2, 3}
	p, s := &a[1], a[1:]
	advance := func() {
		p = &a[2]
		s = s[1:]
	}
	advance()
	if *p != 3 || s[0] != 3 {
		panic("captured elsewhere")
	}
	begun = cursor{rest: a[2:], text: "xyz"[1:], at: p}
	if begun.rest[0] != 3 || begun.text != "yz" || *begun.at != 3 {
		panic("kept elsewhere")
	}
	f := begun.next
	begun.rest = a
	if f() != 1 {
		panic("the method value has a copy")
	}
}

func CanPanicAtPart() {
	c := &cursor{rest: []int{1, 2, 3}[1:]}
	if c.rest[0] == 2 {
		panic("2")
	}
}

func CanDivideByElement() {
	a := []int{1, 0, 3}
	m := map[int]*int{1: &a[1]}
	println(1 / *m[1])
}

func CanRunOutOfPart() {
	lists := [][]int{{1, 2}, []int{1, 2, 3}[2:]}
	println(lists[1][lists[1][0]-2])
}

type padded[T any] struct {
	first byte
	inner struct {
		second byte
		value  T
	}
}

func offset[T any]() (int, int) {
	var p padded[T]
	return int(unsafe.Offsetof(p.inner.value)), int(unsafe.Alignof(p.inner))
}

func NeverOffsets() {
	small, one := offset[byte]()
	large, eight := offset[int64]()
	if small != 1 || one != 1 || large != 8 || eight != 8 {
		panic("another layout")
	}
}
