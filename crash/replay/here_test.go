package replay

import (
	"strings"
	"testing"

	"dsd/crash/record"
	"dsd/schemas"
)

// calledHere calls unexpected, which marks what should not happen, without a panic.
const calledHere = `package main

import (
	"os"
	"sync"
)

type op interface{ run(s *shop) int }

type buy struct{ name string }

func (b buy) run(s *shop) int { return s.take(b.name, 2) }

type shop struct {
	mu    sync.Mutex
	stock map[string]int
}

func (s *shop) take(name string, n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock[name] < n {
		unexpected()
		return 0
	}
	s.stock[name] -= n
	return n
}

// unexpected marks what should not happen.
func unexpected() {}

func all(s *shop, ops []op) (n int) {
	for _, o := range ops {
		n += o.run(s)
	}
	return n
}

func each(s *shop, words []string, f func(*shop, string) int) (n int) {
	for _, w := range words {
		n += f(s, w)
	}
	return n
}

func main() {
	s := &shop{stock: map[string]int{"tea": 3, "milk": 1}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); all(s, []op{buy{"tea"}, buy{"milk"}}) }()
	go func() {
		defer wg.Done()
		each(s, []string{"salt"}, func(s *shop, w string) int { return buy{w}.run(s) })
		all(s, []op{buy{"sugar"}})
	}()
	wg.Wait()
	if len(os.Args) > 5 {
		panic(s)
	}
}
`

// TestHere: where the program calls a function that the user names, the calls on the stack are recorded and repeated.
func TestHere(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module example.com/here\n\ngo 1.22\n", "main.go": calledHere})
	recording := goRun(t, dir, record.Options{Here: []string{"main.unexpected"}})
	var got []string
	for _, c := range recording.Crashes {
		var names []string
		for _, f := range c.Frames {
			if f.Func != "" && len(f.Params) > 0 {
				names = append(names, strings.TrimPrefix(f.Func, "example.com/here."))
			}
		}
		got = append(got, strings.Join(names, " "))
	}
	for _, want := range []string{"(*shop).take buy.run all", "(*shop).take buy.run each"} {
		if !strings.Contains(strings.Join(got, "\n")+"\n", want+"\n") {
			t.Errorf("recorded are\n%s\nwant %s", strings.Join(got, "\n"), want)
		}
	}
	doc, err := Run(t.Context(), dir, recording, Options{})
	if err != nil {
		t.Fatal(err)
	}
	funcs := map[string]int{}
	for _, c := range doc.Crashes {
		funcs[strings.TrimPrefix(c.Func, "example.com/here.")]++
		if !strings.Contains(c.Message, schemas.CalledHere+"main.unexpected") || !strings.Contains(c.Test.Name, "Recorded") {
			t.Errorf("got %s %q", c.Test.Name, c.Message)
		}
	}
	if len(recording.Crashes) != 3 || len(doc.Unreplayed) > 0 ||
		funcs["(*shop).take"] != 3 || funcs["buy.run"] != 3 || funcs["all"] != 2 || funcs["each"] != 1 {
		t.Errorf("%d are recorded, replayed %v, unreplayed %v", len(recording.Crashes), funcs, doc.Unreplayed)
	}
	recording.Crashes[0].Ended = "at main.other"
	recording.Crashes[0].Panic = strings.ReplaceAll(recording.Crashes[0].Panic, "main.unexpected", "main.other")
	doc, err = Run(t.Context(), dir, &schemas.Recording{Crashes: recording.Crashes[:1]}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Unreplayed) != 1 || !strings.HasSuffix(doc.Unreplayed[0].Reason, "has no function main.other") {
		t.Errorf("got %v", doc.Unreplayed)
	}
}
