package exact

import (
	"fmt"
	"io"
	"strings"
)

// Type assertions: by method set, for every type of the build.

type namer interface{ Name() string }

type named struct{ name string }

func (n *named) Name() string { return n.name }

type embeds struct{ *named }

func NeverUnnamed() {
	var x any = struct{ *named }{&named{"a"}}
	_, ok := x.(namer)
	must(ok)
	x = &embeds{&named{"a"}}
	_, ok = x.(namer)
	must(ok)
	x = named{"a"}
	_, ok = x.(namer)
	must(!ok)
}

func NeverLibrary() {
	var x any = strings.NewReader("abc")
	_, ok := x.(io.Reader)
	must(ok)
	_, ok = x.(io.Writer)
	must(!ok)
	var r io.Reader = new(strings.Reader)
	_, ok = r.(io.ByteScanner)
	must(ok)
	_, ok = r.(fmt.Stringer)
	must(!ok)
}

func NeverLocal() {
	type local struct{ named }
	var x any = &local{}
	_, ok := x.(namer)
	must(ok)
	func() {
		type local struct{ n int }
		_, ok := x.(*local)
		must(!ok)
		_, ok = any(local{1}).(local)
		must(ok)
	}()
}

func NeverFuncTypes() {
	var x any = func(a, b int) (c bool) { return a < b }
	f, ok := x.(func(x, y int) bool)
	must(ok && f(1, 2))
	_, ok = x.(func(int) bool)
	must(!ok)
	x = func(func(a int) error) {}
	_, ok = x.(func(func(b int) (err error)))
	must(ok)
}

func NeverAliases() {
	type bytes = []byte
	var x any = bytes("x")
	_, ok := x.([]uint8)
	must(ok)
	x = map[rune]interface{}{}
	_, ok = x.(map[int32]any)
	must(ok)
	x = struct{ A int }{}
	_, ok = x.(struct {
		A int `json:"a"`
	})
	must(!ok)
}

func CanOther() {
	var x any = named{"a"}
	_ = x.(namer)
}

func CanMissing() {
	var x any = strings.NewReader("")
	_ = x.(io.Writer)
}

func CanFuncType() {
	var x any = func(int) {}
	_ = x.(func(int) int)
}

func localOf[T comparable](x T) any {
	type local struct{ x T }
	return local{x}
}

func NeverLocalOfGeneric() {
	must(localOf(1) == localOf(1))
	must(localOf(1) != localOf(2))
	must(localOf(1) != localOf("1"))
	must(localOf(1) != localOf(uint(1)))
}

func CanLocalOfGeneric() {
	must(localOf(1) == localOf(int8(1)))
}

type counter int

func (c counter) count() int { return int(c) }

func hasCount[T any](x any) bool {
	_, ok := x.(interface{ count() T })
	return ok
}

func NeverInterfaceOfGeneric() {
	must(hasCount[int](counter(1)))
	must(!hasCount[string](counter(1)))
}

type doesNothing struct{}

func (doesNothing) Do() {}

type doesMany struct{ done int }

func (d *doesMany) Do(n int) int {
	d.done += n
	return d.done
}

func do(x any) int {
	switch x := x.(type) {
	case interface{ Do() }:
		x.Do()
		return 1
	case interface{ Do(int) int }:
		return x.Do(2)
	}
	if d, ok := x.(*doesMany); ok {
		return d.done
	}
	return 0
}

func NeverMethodsOfOneName() {
	if do(doesNothing{}) != 1 || do(&doesMany{}) != 2 || do(3) != 0 {
		panic("another method")
	}
}

func CanMethodOfOneName() {
	var nobody *doesMany
	do(nobody)
}
