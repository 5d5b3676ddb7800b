// Same prints the same whether it is recorded or not.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
)

var errOdd = errors.New("odd")

func main() {
	for n := range 20 {
		fmt.Println(n, redeclares(n), fmt.Sprint(many(n)), fmt.Sprint(shadowed(n)), deferred(n), labels(n))
	}
	fmt.Println(catch(func() { outer(3) }), catch(func() { panics(nil) }), catch(func() { nested(2) }))
	fmt.Println(where(), whereInClosure())
	fmt.Println(each(7), each(30), blank(1, 2, "x"), variadic("a", 1, 2), List[string]{}.Add("z").At(0))
	fmt.Println(catch(func() { List[int]{1}.At(5) }), Pair[string, int]{"k", 1}.Swap(), Pair[string, int]{}.Size(1, 2))
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		goexit()
	}()
	wg.Wait()
	fmt.Println(loop(3), fmt.Sprint(constants(true)), fmt.Sprint(two()), fmt.Sprint(named(2)))
	fmt.Println(strings.Repeat("-", once.get(4)), recursive(10), point{1, 2}.moved(3))
	select1()
	p := &pair{}
	p.add(&pair{1, 2}, 3)
	fmt.Println(*p)
	requests(context.Background())
	os.Exit(exit(3))
}

// requests prints what functions and function literals do through which requests come in.
func requests(ctx context.Context) {
	for n := range 4 {
		fmt.Println(n, save(ctx, n), fmt.Sprint(catch(func() { serve(ctx, n) })))
	}
	fmt.Println(handler(ctx, 3), handler(ctx, -1), fmt.Sprint(catch(func() { handler(ctx, 0) })))
}

// save has a result that a literal with a result of its own sets, and that another variable hides.
func save(ctx context.Context, n int) (err error) {
	do := func(ctx context.Context) error {
		if n == 1 {
			err = errOdd
		}
		return nil
	}
	if err := do(ctx); err != nil {
		return err
	}
	if err := func(_ context.Context) error { return map[bool]error{true: errors.New("two")}[n == 2] }(ctx); err != nil {
		return err
	}
	return
}

// serve panics in its body, in a deferred call, or not at all.
func serve(ctx context.Context, n int) (sum int) {
	defer func() {
		if n == 2 {
			panic(fmt.Sprint("late ", sum))
		}
	}()
	for i := range func(yield func(int) bool) {
		for k := 0; k < 5 && yield(k); k++ {
		}
	} {
		if i == 3 {
			return sum
		}
		sum += []int{1, 2, 3}[i*n]
	}
	return sum
}

// handler is a package-level variable with a literal that recovers.
var handler = func(ctx context.Context, n int) (text string) {
	defer func() {
		if x := recover(); x != nil && n < 0 {
			text = fmt.Sprint("recovered ", x)
		} else if x != nil {
			panic(x)
		}
	}()
	return fmt.Sprint(6/n, []string{"a"}[min(n, 0)])
}

// catch returns the value that a function panics with.
func catch(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return "nothing"
}

// redeclares assigns to its result by := in the body, after a closure captured it.
func redeclares(n int) (r int) {
	show := func() int { return r }
	r, w := n*2, 1
	if n > 3 {
		return show() + w
	}
	switch n {
	case 0:
		return 10
	case 1:
		return 11
	case 2:
		return 12
	}
	if n < 0 {
		return 1
	} else if n > 100 {
		return 2
	}
	for range n {
		if r > 1 {
			return r
		}
		return 5
	}
	if r == 1 {
		return 7
	}
	if r == 2 {
		return 8
	}
	if r == 3 {
		return 9
	}
	if r == 4 {
		return 13
	}
	if r == 5 {
		return 14
	}
	if r == 6 {
		return 15
	}
	return r
}

// many has many returns.
func many(n int) (string, error) {
	defer func() { n++ }()
	switch {
	case n == 0:
		return "zero", nil
	case n == 1:
		return "one", errOdd
	case n == 2:
		return two()
	case n == 3:
		return func() (string, error) { return "three", errOdd }()
	case n == 4:
		if n > 3 {
			return "four", nil
		}
		return "", nil
	case n == 5:
		for {
			return "five", errOdd
		}
	case n == 6:
		for i := range n {
			if i == 4 {
				return "six", nil
			}
		}
	case n == 7, n == 9:
		return "odd", errOdd
	}
	x := n * 2
	if x > 30 {
		return fmt.Sprint(x), nil
	}
	return "many", nil
}

func two() (string, error) { return "two", nil }

// shadowed hides its results at a return.
func shadowed(n int) (sum int, err error) {
	defer func() {
		if err != nil {
			sum = -sum
		}
	}()
	for i := range n {
		sum, err := sum+i, error(nil)
		if sum > 5 {
			err = errOdd
			return sum, err
		}
	}
	if n > 10 {
		return
	}
	{
		err := errOdd
		if n%5 == 4 {
			return n, err
		}
	}
	sum = 1
	return
}

// deferred changes its result in a deferred call.
func deferred(n int) (out string) {
	defer func() { out += "!" }()
	if n%2 == 0 {
		return "even"
	}
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint("recovered ", r)
		}
	}()
	if n%3 == 0 {
		panic(n)
	}
	return "odd"
}

func labels(n int) int {
	total := 0
outer:
	for i := range 5 {
		for j := range 5 {
			switch {
			case i*j > n:
				break outer
			case j > i:
				continue outer
			}
			total += j
		}
	}
	if total > 8 {
		goto end
	}
	return total
end:
	return -total
}

func outer(n int) int { return 1 + middle(n) }

func middle(n int) (m int) {
	defer func() { m = 4 }()
	list := []int{1, 2}
	return list[n]
}

func panics(m map[string]int) { m["a"] = 1 }

func nested(n int) (err error) {
	defer func() {
		r := recover()
		panic(fmt.Sprint("again ", r, " ", n))
	}()
	panic("first")
}

func where() string {
	_, file, line, _ := runtime.Caller(0)
	return fmt.Sprint(file[strings.LastIndexByte(file, '/'):], line)
}

func whereInClosure() string {
	return func() string {
		pc, _, line, _ := runtime.Caller(1)
		return fmt.Sprint(runtime.FuncForPC(pc).Name(), line)
	}()
}

func numbers(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func each(n int) int {
	for i := range numbers(n) {
		if i == 20 {
			return -i
		}
		for j := range numbers(i) {
			if j*i == 12 {
				return j
			}
		}
	}
	return n
}

func blank(_, n int, _ string) int {
	if n > 100 {
		return n
	}
	return n + len(fmt.Sprint())
}

func variadic(s string, list ...int) int {
	list = append(list, len(s), len(fmt.Sprint(list)))
	return len(list)
}

// List is generic.
type List[T any] []T

// Add adds.
func (l List[T]) Add(x T) List[T] {
	fmt.Fprint(os.Stderr)
	return append(l, x)
}

// At returns an element.
func (l List[T]) At(i int) T {
	fmt.Fprint(os.Stderr)
	return l[i]
}

// Pair has two type parameters.
type Pair[K comparable, V any] struct {
	key   K
	value V
}

// Swap swaps.
func (p Pair[K, V]) Swap() (out Pair[V2, K2]) {
	fmt.Fprint(os.Stderr)
	return Pair[V2, K2]{}
}

type (
	V2 = int
	K2 = string
)

// Size does not name its type parameter.
func (p Pair[_, V]) Size(list ...V) int { return len(list) + len(fmt.Sprint()) }

func goexit() (n int) {
	defer func() { fmt.Println("leaving", n) }()
	n = 5
	runtime.Goexit()
	return 6
}

func loop(n int) int {
	for {
		if n--; n < 0 {
			return n + len(fmt.Sprint(n))
		}
	}
}

func constants(b bool) (uint8, float32, any, error) {
	if b {
		return 255, 1 << 20, 7, nil
	}
	return 0, 0, nil, errOdd
}

func named(n int) (_ int, second string, _ error) {
	if n > 1 {
		second = fmt.Sprint(n)
		return n, second + "x", nil
	}
	return
}

type lazy struct {
	once  sync.Once
	value int
}

var once lazy

func (l *lazy) get(n int) int {
	l.once.Do(func() { l.value = n })
	return l.value
}

func recursive(n int) int {
	if n == 0 {
		return len(fmt.Sprint())
	}
	return n + recursive(n-1)
}

type point struct{ x, y int }

func (p point) moved(by int) point {
	p.x += by
	p = point{p.x, p.y + len(fmt.Sprint(by))}
	return p
}

func select1() {
	c := make(chan int, 1)
	select {
	case c <- 1:
		fmt.Println("sent")
		return
	default:
	}
	fmt.Println("full")
}

func exit(n int) (code int) {
	if code = n; code > 2 {
		return code
	}
	return
}

type pair struct{ x, y int }

// add has a receiver that hides its type.
func (pair *pair) add(other *pair2, by int) {
	for i := range by {
		pair.x += other.x * i
		pair.y += len(fmt.Sprint(i))
	}
}

type pair2 = pair
