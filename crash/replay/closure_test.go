package replay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dsd/crash/record"
	"dsd/schemas"
)

// closures panics in functions whose arguments hold closures, which decide about the panic.
const closures = `package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	str "strings"

	"example.com/closures/above"
	"example.com/closures/lib"
)

type shape interface{ area() int }
type square int

func (s square) area() int { return int(s) * int(s) }

type config struct {
	name string
	hook func(string, ...int) (int, error)
	next *config
}

var double = func(n int) int { return 2 * n }

var list = []int{1, 2, 3}

func plain(f func(int) int, n int) int          { n = f(n); return list[n] }
func named(c *config) int                       { n, _ := c.hook(c.name, 2, 3); return list[n] }
func shared(fs []func() int) int                { fs[0](); return list[fs[1]()] }
func recursive(f func(int) int, pad string) int { n := f(4) + len(pad); return list[n] }
func any1(x any) int                            { n := x.(func() int)(); return list[n] }
func sorter(less func(i, j int) bool) int {
	if less(1, 0) {
		return list[4]
	}
	return 0
}
func method(f func() int) int { n := f() + 1; return list[n] }
func big(c *config, xs []int) int {
	n, _ := c.next.hook("", xs...)
	return list[n]
}
func foreign(f func(int) bool) int {
	if f(3) {
		return list[9]
	}
	return 0
}

func plus(n int) func(int) int { return func(x int) int { return x + n } }

func two(a, b int) (func(int) int, func(int) int) { return func(x int) int { return a }, func(x int) int { return b } }

func long(
	text string, more map[string]int, s shape, err error,
) func(string, ...int) (int, error) {
	return func(
		name string, // of the config
		rest ...int,
	) (n int, _ error) {
		defer func() { n++ }()
		if errors.Is(err, os.ErrNotExist) {
			n = s.area() + more[str.ToUpper(text)]
		}
		for _, r := range rest {
			n += r
		}
		return n + len(name), err
	}
}

func factorial() func(int) int {
	var f func(int) int
	f = func(n int) int {
		if n < 2 {
			return 1
		}
		return n * f(n-1)
	}
	return f
}

func generic[T any](x T, n int) func() int {
	return func() int { return n + len(fmt.Sprint(x)) }
}

func try(f func()) {
	defer func() { recover() }()
	f()
}

func main() {
	try(func() { plain(plus(5), 1) })
	try(func() { plain(double, 7) })
	try(func() {
		_, second := two(0, 8)
		plain(second, 0)
	})
	try(func() {
		hook := long("a", map[string]int{"A": 2}, square(3), fmt.Errorf("x: %w", os.ErrNotExist))
		named(&config{name: "it", hook: hook})
	})
	try(func() {
		n := 1
		shared([]func() int{func() int { n += 2; return n }, func() int { return n }})
	})
	try(func() { recursive(factorial(), "") })
	try(func() {
		n := 6
		any1(func() int { return n })
	})
	try(func() {
		words := []string{"b", "a"}
		sort.Strings(words[1:])
		sorter(func(i, j int) bool { return words[i] < words[j] })
	})
	try(func() { method(generic("a", 4)) })
	try(func() { method(square(3).area) })
	try(func() {
		xs := make([]int, 1000)
		for i := range xs {
			xs[i] = 1 + i%2
		}
		c := &config{}
		c.next = &config{hook: long("b", map[string]int{"B": 7}, square(1), os.ErrNotExist), next: c}
		big(c, xs)
	})
	try(func() { foreign(lib.Above(2)) })
	most := lib.Limit(3)
	try(func() { lib.Each(func(l lib.Limit) bool { return l > most+lib.Least }, []lib.Limit{1, 5}) })
	try(func() { lib.Last(func(l lib.Limit) bool { return above.Is(l) }, []lib.Limit{1, 5}) })
	os.Exit(0)
}
`

// library has closures of another package.
const library = `package lib

import "strconv"

type Limit int

// Above returns whether numbers are above n.
func Above(n int) func(int) bool {
	limit := Limit(n)
	return func(x int) bool { return Limit(x) > limit && strconv.Itoa(x) != Word }
}

var Word = "none"

const Least Limit = 1

// Each panics where f returns true.
func Each(f func(Limit) bool, list []Limit) Limit {
	for i, l := range list {
		if f(l) {
			return list[i+9]
		}
	}
	return 0
}

// Last is like Each.
func Last(f func(Limit) bool, list []Limit) Limit { return Each(f, list) }
`

// importer imports that package.
const importer = `package above

import "example.com/closures/lib"

// Is reports whether a limit is above the least.
func Is(l lib.Limit) bool { return l > lib.Least }
`

// module writes a module, and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goRun runs go run in a module, recorded, and returns the recording.
func goRun(t *testing.T, dir string, opt record.Options) *schemas.Recording {
	t.Helper()
	s, err := record.Open(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out strings.Builder
	if status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out); status != 0 || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, out.String())
	}
	recording, err := s.Collect()
	if err != nil || recording == nil {
		t.Fatalf("nothing is recorded, %v\n%s", err, out.String())
	}
	return recording
}

// TestClosures: closures are repeated with what they captured; what cannot be repeated is said.
func TestClosures(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/closures\n\ngo 1.22\n", "main.go": closures, "lib/lib.go": library,
		"above/above.go": importer,
	})
	recording := goRun(t, dir, record.Options{At: []string{"main.try"}})
	doc, err := Run(t.Context(), dir, recording, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, c := range doc.Crashes {
		name := c.Func[strings.LastIndexByte(c.Func, '.')+1:]
		sources[name] += c.Test.Source
	}
	for _, test := range []struct{ fn, want string }{
		{"plain", "var n int = 5"}, // of plus
		{"plain", "return 2 * n"},  // of double
		{"plain", "return b"},
		{"named", `ToUpper(text)`},
		{"recursive", "f = func(n int) int {"},
		{"any1", "return n"},
		{"sorter", `words := []string{"b", "a"}`},
		{"big", `more": &more`}, // loaded
		{"Each", "return l > most+Least"},
		{"foreign", "lib.Limit(x) > limit && strconv.Itoa(x) != lib.Word"},
	} {
		if !strings.Contains(sources[test.fn], test.want) {
			t.Errorf("no test of %s has %s:\n%s", test.fn, test.want, sources[test.fn])
		}
	}
	var reasons []string
	for _, u := range doc.Unreplayed {
		reasons = append(reasons, u.Func+": "+u.Reason)
	}
	const stub = " does not panic when run alone; not as recorded: a closure, in place of which a function returns zero values"
	want := []string{
		// A literal in a generic function, and a method value
		"example.com/closures.method: TestCrashClosuresMethodIndex" + stub,
		"example.com/closures.method: TestCrashClosuresMethodIndex_2" + stub,
		// A literal that mentions a package which imports the one of the test.
		"example.com/closures/lib.Each: TestCrashEachIndex_2" + stub,
		"example.com/closures/lib.Last: TestCrashLastIndex" + stub,
	}
	if strings.Join(reasons, "\n") != strings.Join(want, "\n") {
		t.Errorf("unreplayed are\n%s\nwant\n%s", strings.Join(reasons, "\n"), strings.Join(want, "\n"))
	}
}
