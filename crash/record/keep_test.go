package record

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dsd/crash/record/keep"
	"dsd/schemas"
)

// TestSameDocument: what the runtime writes has the keys that the document has.
func TestSameDocument(t *testing.T) {
	var keys func(t reflect.Type, seen map[reflect.Type]bool) []string
	keys = func(t reflect.Type, seen map[reflect.Type]bool) []string {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return nil
		}
		seen[t] = true
		var out []string
		for i := range t.NumField() {
			f := t.Field(i)
			tag, ok := f.Tag.Lookup("json")
			if !ok && !f.Anonymous {
				continue
			}
			if name, _, _ := strings.Cut(tag, ","); name != "incomplete" && name != "dir" { // which it never writes
				if name != "" {
					out = append(out, tag)
				}
				for _, k := range keys(f.Type, seen) {
					out = append(out, name+"."+k)
				}
			}
		}
		return out
	}
	got, want := keys(reflect.TypeOf(keep.Recording{}), map[reflect.Type]bool{}), keys(reflect.TypeOf(schemas.Recording{}), map[reflect.Type]bool{})
	for i := range want { // the header is embedded there
		want[i] = strings.TrimPrefix(want[i], ".")
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the runtime writes\n%s\nthe document is\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// program writes a module with one file, and returns its directory.
func program(t *testing.T, path, source string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module " + path + "\n\ngo 1.22\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// concurrent changes a map while one that leads to it panics, many times.
const concurrent = `package main

import (
	"fmt"
	"os"
)

type T struct {
	m    map[int][]*T
	any  any
	next *T
}

func (t *T) Crash(n int) int { return []int{1}[n] }

func try(t *T) {
	defer func() { recover() }()
	t.Crash(3)
}

func main() {
	t := &T{m: map[int][]*T{}}
	t.next = t
	for i := range 3 {
		go func() {
			for n := 0; ; n++ {
				if i == 0 { // one writes the map, the others what is not a map
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

// TestConcurrent: what others write while a crash is recorded neither ends the program nor hangs
// it.
func TestConcurrent(t *testing.T) {
	dir := program(t, "example.com/concurrent", concurrent)
	s, err := Open(t.Context(), dir, Options{At: []string{"main.try"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out strings.Builder
	status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out)
	if err != nil || status != 0 || !strings.Contains(out.String(), "lived") {
		t.Fatalf("status %d, %v\n%.2000s", status, err, out.String())
	}
	doc, err := s.Collect()
	if err != nil || doc == nil {
		t.Fatal(doc, err)
	}
	if n := len(doc.Crashes); n < 190 || n > 200 { // a value that is torn may cost its recording
		t.Errorf("%d crashes are recorded of 200", n)
	}
}

// torn has a slice as it is seen while another goroutine writes it: the length is already of the
// new one, the capacity not yet.
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

// TestTorn: a slice that is half written is lost, not the recording.
func TestTorn(t *testing.T) {
	s, err := Open(t.Context(), program(t, "example.com/torn", torn), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out strings.Builder
	if status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out); err != nil || status == 0 {
		t.Fatalf("status %d, %v\n%s", status, err, out.String())
	}
	doc, err := s.Collect()
	if err != nil || doc == nil {
		t.Fatal(doc, err)
	}
	lost := doc.Crashes[0].Lost
	if len(lost) != 1 || lost[0].Reason != "written by another goroutine" {
		t.Errorf("lost are %v", lost)
	}
}

// deferring has functions that return, and panic then, by what they deferred.
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

func deferred(text string) { // is called by a panic, and returns
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

// TestDeferred: a panic is recorded too where a function has returned, and what it deferred panics.
func TestDeferred(t *testing.T) {
	dir := program(t, "example.com/deferring", deferring)
	for _, mode := range []string{"reference", "used", "deep"} {
		s, err := Open(t.Context(), dir, Options{At: []string{"main.try"}, Copy: mode})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var out strings.Builder
		if status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out); err != nil || status != 0 {
			t.Fatalf("status %d, %v\n%.2000s", status, err, out.String())
		}
		doc, err := s.Collect()
		if err != nil || doc == nil {
			t.Fatal(doc, err)
		}
		var got []string
		for _, c := range doc.Crashes {
			for _, f := range c.Frames {
				if len(f.Params) > 0 {
					got = append(got, strings.TrimPrefix(f.Func, "example.com/deferring."))
				}
			}
		}
		if want := []string{"literal", "named", "outer"}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%s: recorded are the calls of %q", mode, got)
		}
	}
}

// overflowing ends by a stack overflow.
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

// TestFatal: a fatal error is recorded when it happens for the second time, by the functions that
// were entered once.
func TestFatal(t *testing.T) {
	dir := program(t, "example.com/overflowing", overflowing)
	chance := filepath.Join(t.TempDir(), "chance.txt")
	run := func() *Session {
		t.Helper()
		s, err := Open(t.Context(), dir, Options{SecondChance: chance})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		var out strings.Builder
		if status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out); err != nil || status != 1 {
			t.Fatalf("status %d, %v\n%.2000s", status, err, out.String())
		}
		return s
	}
	if seen, err := run().SaveFirstCrash(); !seen || err != nil {
		t.Fatal(seen, err)
	}
	doc, err := run().Collect()
	if err != nil || doc == nil || len(doc.Crashes) != 1 {
		t.Fatal(doc, err)
	}
	c := &doc.Crashes[0]
	if !strings.Contains(c.Panic, "fatal error: stack overflow") || c.Ended != "program" {
		t.Errorf("ended %q by %.200s", c.Ended, c.Panic)
	}
	var got []string
	for _, f := range c.Frames {
		if len(f.Params) > 0 {
			root := &c.Objects[*f.Params[0].Ref]
			got = append(got, f.Func, root.Fields[0].Lit, f.Params[1].Lit)
		}
	}
	if want := []string{"example.com/overflowing.measure", "\"root\"", "2"}; !slices.Equal(got, want) {
		t.Errorf("recorded is %q", got)
	}
}

// server answers many requests at a time; one in fifty panics, and a middleware recovers.
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

// TestServer: of a server that recovers, every panic is recorded once, no request is lost, and
// memory does not grow.
func TestServer(t *testing.T) {
	dir := program(t, "example.com/server", server)
	s, err := Open(t.Context(), dir, Options{At: []string{"main.main.recovering.func1", "main.recovering.func1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var out strings.Builder
	status, err := s.Run(t.Context(), []string{"go", "run", "."}, nil, &out, &out)
	if err != nil || status != 0 || strings.TrimSpace(out.String()) != "2156 44 true" {
		t.Fatalf("status %d, %v\n%.2000s", status, err, out.String())
	}
	doc, err := s.Collect()
	if err != nil || doc == nil {
		t.Fatal(doc, err)
	}
	if len(doc.Crashes) != 44 {
		t.Errorf("%d crashes are recorded, of 44", len(doc.Crashes))
	}
	for _, c := range doc.Crashes {
		i := slices.IndexFunc(c.Frames, func(f schemas.RecordedFrame) bool { return f.Func == "example.com/server.(*shop).buy" })
		if i < 0 || c.Frames[i].Params[0].Lit != "49" {
			t.Fatalf("%s: buy is frame %d", c.ID, i)
		}
	}
}
