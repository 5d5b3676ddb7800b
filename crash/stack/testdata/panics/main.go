// Command panics crashes in the way that its argument names. The archives beside this directory hold its
// output; see TestParse.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	dotted "example.com/panics/dotted.v2"
)

type T struct{ n int }

func (t T) Value() int     { return t.n }
func (t *T) Pointer() int  { return t.n }
func (t T) String() string { return fmt.Sprint("T", t.n) }
func (e E) Error() string  { return "E: " + string(e) }
func (f F) Error() string  { panic("in Error") }
func (g G) String() string { return g.s }

type (
	E      string
	F      struct{}
	G      struct{ s string }
	key    struct{ s []int }
	Level  int
	Valuer interface{ Value() int }
	Closer interface{ Close() error }
)

var (
	nilT    *T
	nilMap  map[string]int
	nilFunc func()
	nilVal  Valuer
	numbers = []int{1, 2, 3}
	five    = 5
	minus   = -1
	zero    int
	sink    any
	nilChan chan int
)

//go:noinline
func use(v any) { sink = v }

var initialised = []int{len(os.Args)}

// package-level initialiser of the case "init"
var _ = initialise()

func initialise() any {
	if os.Args[1] == "init" {
		return initialised[five]
	}
	return nil
}

func main() {
	switch os.Args[1] {
	case "nil-deref-field":
		use(nilT.n)
	case "nil-deref-method":
		use(nilVal.Value())
	case "nil-deref-func":
		nilFunc()
	case "nil-deref-wrapper":
		nilVal = nilT
		use(nilVal.Value())
	case "nil-deref-array":
		var p *[4]int
		use(p[five-2])
	case "index-slice":
		use(numbers[five])
	case "index-negative":
		use(numbers[minus])
	case "index-array":
		var a [3]int
		use(a[five])
	case "index-string":
		use("abc"[five])
	case "slice-high":
		use(numbers[:five])
	case "slice-order":
		use(numbers[five-2 : 1])
	case "slice-string":
		use("abc"[five:])
	case "slice-three":
		use(numbers[:2:five])
	case "slice-negative":
		use(numbers[minus:])
	case "div-zero":
		use(five / zero)
	case "mod-zero":
		use(uint8(five) % uint8(zero))
	case "assert-type":
		var x any = "s"
		use(x.(int))
	case "assert-nil":
		var x any
		use(x.(int))
	case "assert-method":
		var x any = T{}
		use(x.(Closer))
	case "assert-iface":
		nilVal = T{}
		use(nilVal.(*T))
	case "makeslice-len":
		use(make([]int, minus))
	case "makeslice-cap":
		use(make([]int, 0, minus))
	case "makechan":
		use(make(chan int, minus))
	case "growslice":
		use(append(make([]struct{}, five), make([]struct{}, uint(1)<<63-1)...))
	case "nil-map":
		nilMap["x"] = 1
	case "array":
		use([4]int(numbers))
	case "array-pointer":
		use((*[4]int)(numbers))
	case "shift":
		use(1 << minus)
	case "close-nil":
		close(nilChan)
	case "close-closed":
		c := make(chan int)
		close(c)
		close(c)
	case "send-closed":
		c := make(chan int)
		close(c)
		c <- 1
	case "compare":
		var x, y any = numbers, numbers
		use(x == y)
	case "compare-struct":
		var x, y any = key{}, key{}
		use(x == y)
	case "hash":
		m := map[any]int{}
		m[numbers] = 1
	case "stack-overflow":
		use(forever(1))
	case "explicit-string":
		panic("no such thing")
	case "explicit-empty":
		panic("")
	case "explicit-lines":
		panic("first\nsecond\n\nfourth")
	case "explicit-error":
		panic(errors.New("broken"))
	case "explicit-wrapped":
		panic(fmt.Errorf("saving: %w", os.ErrNotExist))
	case "explicit-custom":
		panic(E("custom"))
	case "explicit-stringer":
		panic(G{"stringer"})
	case "explicit-number":
		panic(five)
	case "explicit-named":
		panic(Level(3))
	case "explicit-float":
		panic(1.5)
	case "explicit-struct":
		panic(struct{ a, b int }{1, 2})
	case "explicit-pointer":
		panic(&T{})
	case "explicit-nil":
		panic(nil)
	case "explicit-in-error":
		panic(F{})
	case "explicit-quoting":
		panic("job failed: runtime error: index out of range [5] with length 3")
	case "explicit-about-map":
		panic("config: assignment to entry in nil map")
	case "library":
		use(strings.Repeat("x", minus))
	case "rwmutex":
		var mu sync.RWMutex
		mu.RUnlock()
	case "unsafe-slice":
		use(unsafe.Slice(&five, minus))
	case "repanicked":
		defer func() {
			r := recover()
			panic(r)
		}()
		use(numbers[five])
	case "recovered-other":
		defer func() {
			recover()
			panic("while cleaning up")
		}()
		use(numbers[five])
	case "deferred-other":
		defer func() { use(five / zero) }()
		use(numbers[five])
	case "deferred-call":
		defer cleanup()
		use(numbers[five])
	case "recovered-wrapped":
		defer func() { panic(fmt.Errorf("wrapped: %v", recover())) }()
		use(nilT.n)
	case "inlined":
		use(inlinedOuter(five))
	case "closure":
		each(numbers, func(i int) { func() { use(numbers[i+1]) }() })
	case "generic":
		use(last([]string{}))
	case "generic-method":
		var s dotted.Stack[map[string][]int]
		use(s.Pop())
	case "generic-closure":
		use(dotted.Map(numbers, func(i int) string { return "abc"[i:][:1] }))
	case "dotted-pointer":
		use((&dotted.Box{}).Get(five))
	case "dotted-value":
		use(dotted.Box{}.Value(five))
	case "method-value":
		f := nilT.Pointer
		use(f())
	case "goroutine":
		go work(five)
		time.Sleep(time.Second)
	case "goroutine-closure":
		go func() { use(numbers[five]) }()
		time.Sleep(time.Second)
	case "many-arguments":
		many(1, "two", []int{3}, nilT, 5.5, nil, key{}, func() {}, 9, 10, 11, 12)
	case "iterator":
		for range broken {
			break
		}
	case "output-before":
		fmt.Fprintln(os.Stderr, "starting: panic: not yet")
		fmt.Fprintln(os.Stderr, "goroutine 1 [running]:")
		use(numbers[five])
	case "deadlock":
		<-make(chan int)
	case "unlock":
		var mu sync.Mutex
		mu.Unlock()
	case "map-race":
		m := map[int]int{}
		go race(m)
		race(m)
	case "nil-deref-go":
		go nilFunc()
		time.Sleep(time.Second)
	default:
		fmt.Println("no such case")
	}
}

//go:noinline
func forever(i int) int { return forever(i+1) + 1 }

func cleanup() { use(numbers[minus]) }

func inlinedOuter(i int) int { return inlinedInner(i) + 1 }
func inlinedInner(i int) int { return numbers[i] }

//go:noinline
func each(list []int, f func(int)) {
	for _, i := range list {
		f(i)
	}
}

//go:noinline
func last[T any](list []T) T { return list[len(list)-1] }

//go:noinline
func work(i int) { use(numbers[i]) }

//go:noinline
func many(a int, b string, c []int, d *T, e float64, f any, g key, h func(), i, j, k, l int) {
	use(c[a])
}

func broken(yield func() bool) {
	yield()
	yield()
}

func race(m map[int]int) {
	for i := 0; ; i++ {
		m[i&7]++
	}
}
