package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/schemas"
)

// program writes a module with one file, and returns its directory.
func program(t *testing.T, path, source string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module " + path + "\n\ngo 1.22\n", "main.go": source}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// goRun runs go run on a module with one file, with a recording session. It fails unless the
// command ends with the status. It returns the session and the output.
func goRun(t *testing.T, dir string, opt Options, status int) (*Session, string) {
	t.Helper()
	s, err := Open(t.Context(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	var out strings.Builder
	got, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out)
	if err != nil || got != status {
		t.Fatalf("status %d (%v), want %d\n%.2000s", got, err, status, out.String())
	}
	return s, out.String()
}

// collect returns the recording of a session. It fails if there is none.
func collect(t *testing.T, s *Session) *schemas.Recording {
	t.Helper()
	doc, err := s.Collect()
	if err != nil {
		t.Fatal(err)
	}
	if doc == nil {
		t.Fatal("nothing is recorded")
	}
	return doc
}

// full panics in a program that may open no more files.
const full = `package main

import "syscall"

func main() {
	syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: 3})
	F(nil)
}

func F(a []int) int { return a[0] }
`

// TestLost records a program that cannot write its recording.
func TestLost(t *testing.T) {
	s, out := goRun(t, program(t, "example.com/full", full), Options{Packages: []string{"./..."}}, 1)
	if !strings.Contains(out, "the recording cannot be written: open ") {
		t.Errorf("the program does not say that it cannot write: %s", out)
	}
	if doc, err := s.Collect(); doc != nil || !errors.Is(err, ErrLost) {
		t.Errorf("got recording %v, error %v, want %v", doc, err, ErrLost)
	}
}

// concurrent panics many times, with values that other goroutines write at that time.
const concurrent = `package main

import (
	"fmt"
	"os"
)

type T struct {
	m    map[int][]*T
	any  any
	next *T
	hook func(int) int
}

func (t *T) Crash(n int) int { return []int{1}[n] }

func try(t *T) {
	defer func() { recover() }()
	t.Crash(3)
}

func main() {
	t := &T{m: map[int][]*T{}}
	t.next = t
	calls := 0
	t.hook = func(n int) int { calls++; return n + 1 }
	go func() { // recording asks the closure what it has captured, while others call it
		for n := 0; ; {
			if last := n; t.hook(last) != last+1 {
				os.Exit(4)
			}
		}
	}()
	for i := range 3 {
		go func() {
			for n := 0; ; n++ {
				if i == 0 { // one writes the map, the others the interface
					t.m[n%1000] = append(t.m[n%1000], &T{any: n})
					delete(t.m, (n*7)%1000)
				} else if n%2 == 0 {
					t.any = n
				} else {
					t.any = "text"
				}
			}
		}()
	}
	for range 200 {
		try(t)
	}
	fmt.Println("lived")
	os.Exit(0)
}
`

// TestConcurrent checks that recording values that other goroutines write neither ends the program
// nor hangs it.
func TestConcurrent(t *testing.T) {
	dir := program(t, "example.com/concurrent", concurrent)
	s, out := goRun(t, dir, Options{At: []string{"main.try"}}, 0)
	if !strings.Contains(out, "lived") {
		t.Fatalf("the program did not reach its end:\n%.2000s", out)
	}
	// A half written value may cost its recording.
	if n := len(collect(t, s).Crashes); n < 190 || n > 200 {
		t.Errorf("%d crashes are recorded, want 190 to 200", n)
	}
}

// torn has a slice as it looks while another goroutine writes it: the length is new, the capacity
// is still the old one.
const torn = `package main

import "unsafe"

type T struct{ items []int }

func (t *T) at(n int) string { return []string{"a"}[n+len(t.items)] }

func main() {
	t := &T{items: make([]int, 3)}
	(*[3]int)(unsafe.Pointer(&t.items))[2] = 0
	try(t)
}

func try(t *T) { println(t.at(1)) }
`

// TestTorn checks that of a half written slice only the slice is lost, not the recording.
func TestTorn(t *testing.T) {
	s, _ := goRun(t, program(t, "example.com/torn", torn), Options{}, 1)
	lost := collect(t, s).Crashes[0].Lost
	if len(lost) != 1 || lost[0].Reason != "written by another goroutine" {
		t.Errorf("lost are %v, want the slice", lost)
	}
}

// deferring has functions that return and then panic in a deferred call.
const deferring = `package main

import (
	"fmt"
	"os"
)

type late struct{ n int }

func (l *late) close() { fmt.Println([]int{1}[l.n]) }

func named(l *late, text string) (err error) {
	defer l.close()
	return nil
}

func literal(n int, text string) int {
	defer func() {
		if text != "" {
			fmt.Println([]int{1}[n])
		}
	}()
	return n
}

func deferred(text string) { // called by a panic, but returns
	defer func() { _ = len(text) }()
	fmt.Println(text)
}

func outer(n int) {
	defer deferred("bye")
	literal(n, "text")
}

func try(f func()) {
	defer func() { recover() }()
	f()
}

func main() {
	try(func() { named(&late{7}, "a") })
	try(func() { outer(8) })
	try(func() { outer(0) })
	os.Exit(0)
}
`

// TestDeferred checks that a call is recorded if the function returned and a deferred call panics.
func TestDeferred(t *testing.T) {
	dir := program(t, "example.com/deferring", deferring)
	for _, mode := range []string{"reference", "used", "deep"} {
		s, _ := goRun(t, dir, Options{At: []string{"main.try"}, Copy: mode}, 0)
		var got []string
		for _, c := range collect(t, s).Crashes {
			for _, f := range c.Frames {
				if len(f.Params) > 0 {
					got = append(got, strings.TrimPrefix(f.Func, "example.com/deferring."))
				}
			}
		}
		slices.Sort(got)
		if want := []string{"literal", "named", "outer"}; !slices.Equal(got, want) {
			t.Errorf("mode %s records calls of %q, want %q", mode, got, want)
		}
	}
}

// overflowing ends with a stack overflow.
const overflowing = `package main

import "runtime/debug"

type tree struct {
	name string
	kids []*tree
}

func (t *tree) depth() int {
	d := 0
	for _, k := range t.kids {
		d = max(d, k.depth())
	}
	return d + 1
}

func measure(t *tree, unit int) int { return t.depth() * unit }

func main() {
	debug.SetMaxStack(1 << 20)
	small := &tree{name: "small"}
	measure(small, 1)
	root := &tree{name: "root"}
	root.kids = []*tree{small, root}
	measure(root, 2)
}
`

// TestFatal checks that a fatal error is recorded when it happens for the second time, with the
// functions outside of the recursion.
func TestFatal(t *testing.T) {
	dir := program(t, "example.com/overflowing", overflowing)
	opt := Options{SecondChance: filepath.Join(t.TempDir(), "chance.txt")}
	first, _ := goRun(t, dir, opt, 1)
	if seen, err := first.SaveFirstCrash(); !seen || err != nil {
		t.Fatalf("SaveFirstCrash returns %v, %v, want true", seen, err)
	}
	second, _ := goRun(t, dir, opt, 1)
	doc := collect(t, second)
	if len(doc.Crashes) != 1 {
		t.Fatalf("%d crashes are recorded, want 1", len(doc.Crashes))
	}
	c := &doc.Crashes[0]
	if !strings.Contains(c.Panic, "fatal error: stack overflow") || c.Ended != "program" {
		t.Errorf("the crash ended %q, want the program:\n%.200s", c.Ended, c.Panic)
	}
	var got []string
	for _, f := range c.Frames {
		if len(f.Params) > 0 {
			root := &c.Objects[*f.Params[0].Ref]
			got = append(got, f.Func, root.Fields[0].Lit, f.Params[1].Lit)
		}
	}
	want := []string{"example.com/overflowing.measure", `"root"`, "2"}
	if !slices.Equal(got, want) {
		t.Errorf("recorded is %q, want %q", got, want)
	}
}

// server answers many requests at a time. One in fifty panics, and a middleware recovers.
const server = `package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

type shop struct {
	mu    sync.Mutex
	stock map[string][]int
}

func (s *shop) buy(id int, big []byte) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stock["all"][id]
}

func (s *shop) handle(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.Atoi(r.URL.Query().Get("id"))
	fmt.Fprint(w, s.buy(id, make([]byte, 100_000)))
}

func recovering(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if x := recover(); x != nil {
				w.WriteHeader(500)
			}
		}()
		h(w, r)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func main() {
	s := &shop{stock: map[string][]int{"all": make([]int, 49)}}
	srv := httptest.NewServer(recovering(s.handle))
	var ok, failed atomic.Int64
	round := func() {
		var wg sync.WaitGroup
		for i := range 200 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				r, err := http.Get(srv.URL + "?id=" + strconv.Itoa(i%50))
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, r.Body)
				r.Body.Close()
				if r.StatusCode == 200 {
					ok.Add(1)
				} else {
					failed.Add(1)
				}
			}()
		}
		wg.Wait()
	}
	round()
	before := heap()
	for range 10 {
		round()
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	fmt.Println(ok.Load(), failed.Load(), int64(heap()-before) < 4<<20)
}
`

// TestServer checks that of a server that recovers, every panic is recorded once, no request is
// lost, and memory does not grow.
func TestServer(t *testing.T) {
	dir := program(t, "example.com/server", server)
	// The name depends on whether the compiler inlines recovering.
	at := []string{"main.main.recovering.func1", "main.recovering.func1"}
	s, out := goRun(t, dir, Options{At: at}, 0)
	if got, want := strings.TrimSpace(out), "2156 44 true"; got != want {
		t.Fatalf("requests answered, failed, and little memory: %.2000s, want %s", got, want)
	}
	doc := collect(t, s)
	if len(doc.Crashes) != 44 {
		t.Errorf("%d crashes are recorded, want 44", len(doc.Crashes))
	}
	for _, c := range doc.Crashes {
		i := slices.IndexFunc(c.Frames, func(f schemas.RecordedFrame) bool {
			return f.Func == "example.com/server.(*shop).buy"
		})
		if i < 0 || c.Frames[i].Params[0].Lit != "49" {
			t.Fatalf("%s: buy is frame %d, want it with the argument 49", c.ID, i)
		}
	}
}
