package shapes

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"example.com/shapes/store"
)

// here is where it is called.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprint(file[strings.LastIndexByte(file, '/')+1:], ":", line)
}

// Run calls everything and returns what came of it.
func Run() (out []string) {
	say := func(list ...any) { out = append(out, fmt.Sprint(list...)) }
	defer func() {
		// A panic's place is that in the source, and the panic is not swallowed.
		say("recovered ", recover())
		var frames []uintptr = make([]uintptr, 20)
		at := runtime.CallersFrames(frames[:runtime.Callers(0, frames)])
		for f, more := at.Next(); more; f, more = at.Next() {
			if strings.Contains(f.Function, "manyLines") && !strings.Contains(f.Function, "func") {
				say(f.Line)
			}
		}
	}()
	noInputs()
	say(oneResult(1), here())
	say(results(0, "a"))
	say(results(1, strings.Repeat("long", 30)))
	say(namedResults(3))
	say(blanks(1, "", true))
	say(unnamed(1, ""))
	say(variadic("a"), variadic("b", 1, 2), variadic("c", []int{1}...))
	f := functions(oneResult, nil, 3, nil)
	say(f())
	n := &Node{Value: 2, next: &Node{Value: 3}}
	say(manyLines(1, n))
	say(globals(), globals(), hidden(5))
	say(moment(time.Time{}, nil, nil))
	say(arrays([3]int{1}, &[3]int{1, 2}, nil))
	n.Set(7)
	n.Nothing()
	say(n.Get())
	next, err := n.Next()
	say(next == n.next, err)
	next, err = next.Next()
	say(next, err)
	p := &Pair[string, int]{First: "x"}
	say(p.Swap("y"), p.First, Map([]int{1, 2}, func(i int) bool { return i > 1 }))
	say(split(3), commented(4), ours(), unused)
	say(calls(Square{2}, []any{3, 4}), here())
	say(calls(Box{Square{1}}, nil))
	say(foreign(strings.NewReader("x"), store.Map{}, nil))
	say(make2(3))
	say(recovers(1), fact(3))
	done := make(chan int)
	go goexit(1, func() { close(done) })
	<-done
	m := store.Map{"k": {Size: 4}}
	store.Double(m, "k")
	say(m["k"].Size, local(), genericCall[int](Node{Value: 5}, Square{}))
	manyLines(1, nil)
	return nil
}
