// Literals prints the names of function literals. Each is called as ALONE or as USES, which uses
// what a function around it declares.
package main

import (
	"fmt"
	"runtime"
)

//go:noinline
func here(kind string) {
	pc, _, _, _ := runtime.Caller(1)
	fmt.Println(kind, runtime.FuncForPC(pc).Name())
}

var table = []func(){
	func() { here("ALONE") },
	func() {
		inner := func() { here("ALONE") }
		run(inner)
		here("ALONE")
	},
}

var byName = map[string]func(){"a": func() { here("ALONE") }}

//go:noinline
func run(f func()) { f() }

type shape struct{}

func (*shape) each() {
	run(func() { here("ALONE") })
	n := 1
	run(func() { _ = n; here("USES"); run(func() { here("ALONE") }) })
}

func (shape) value() { run(func() { here("ALONE") }) }

func generic[T any]() {
	run(func() { here("ALONE") })
	run(func() { var x T; _ = x; here("USES") })
	type local struct{ x T }
	run(func() { _ = local{}; here("USES") })
}

func init() { run(func() { here("ALONE") }) }

func init() { run(func() { here("ALONE") }) }

func main() {
	for _, f := range table {
		run(f)
	}
	run(byName["a"])
	(&shape{}).each()
	shape{}.value()
	generic[int]()
	const limit = 3
	type local struct{ x int }
	run(func() { _ = local{limit}; here("ALONE") })
	func() { here("USES") }()
	defer func() { here("USES") }()
}
