package shapes

import (
	"fmt"
	"io"

	"example.com/shapes/store"
)

// Shape has an embedded interface and methods of all sorts.
type Shape interface {
	Area() float64
	Scale(by float64) Shape
	Label(format string, args ...any) string
	Reset()
	fmt.Stringer
}

// Box embeds an interface.
type Box struct{ Shape }

// Square is a Shape.
type Square struct{ side float64 }

func (s Square) Area() float64                      { return s.side * s.side }
func (s Square) Scale(by float64) Shape             { return Square{s.side * by} }
func (s Square) Label(f string, args ...any) string { return fmt.Sprintf(f, args...) }
func (s Square) Reset()                             { s.side = 0 }
func (s Square) String() string                     { return fmt.Sprintf("%v x %[1]v", s.side) }
func make2(side float64) (Shape, error)             { return Square{side}, nil }
func each(shapes []Shape, f func(Shape) float64) (t float64) {
	for _, s := range shapes {
		t += f(s)
	}
	return
}

func calls(s Shape, list []any) (text string) {
	s.Reset()
	text = s.Label("a")
	text += s.Label("%d%d", 1, 2) + s.Label("%v%v", list...)
	text += (s).String()
	big := s.
		Scale(2). // twice
		Scale(
			3,
		).
		Scale(4)
	text += big.
		String()
	area := each([]Shape{s, big}, func(x Shape) float64 { return x.Area() })
	go s.Reset()
	defer s.Reset()
	f := s.Area // a method value is not a call
	g := Shape.Area
	text += fmt.Sprint(s.Scale(s.Area()).Area(), area, f(), g(s))
	if b, ok := s.(Box); ok {
		text += b.String() // by way of a struct
	}
	return text
}

func foreign(r io.Reader, kv store.Store, e error) (n int, err error) {
	if n, err = r.Read(nil); err != nil { // not of this module
		return 0, e
	}
	kv.Put("key", store.Item{Size: n}, nil)
	size, ok := kv.Get(
		"key")
	if !ok {
		return 0, fmt.Errorf(e.Error())
	}
	return size.Size, nil
}

func local() int {
	type getter interface{ Get() int } // has no name outside
	var g getter = Node{Value: 3}
	return g.Get()
}

func genericCall[T any](b store.Box[T], s interface{ Area() float64 }) T {
	var instance store.Box[int] = Node{}
	_, _ = s.Area(), instance.Get()
	return b.Get()
}
