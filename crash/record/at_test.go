package record

import (
	"slices"
	"testing"

	"dsd/schemas"
)

// action is a program whose helper is called in a function literal only, as those of a command line's actions are.
const action = `package main

func third(l []int) int { return l[3] }

var run = func() int { return third([]int{1, 2}) }

func main() {
	defer func() { recover() }()
	run()
}
`

// TestAt checks that a panic which a function of Options.At recovers is recorded, and that misspelled ones are named.
func TestAt(t *testing.T) {
	dir := program(t, "example.com/action", action)
	s, _ := goRun(t, dir, Options{At: []string{"main.main", "main.mian", "example.com/action.main", "net/http.x"}}, 0)
	doc := collect(t, s)
	if len(doc.Crashes) != 1 {
		t.Fatalf("%d crashes are recorded, want one", len(doc.Crashes))
	}
	isThird := func(f schemas.RecordedFrame) bool { return f.Func == "example.com/action.third" && len(f.Params) == 1 }
	if !slices.ContainsFunc(doc.Crashes[0].Frames, isThird) {
		t.Errorf("the arguments of third are not recorded: %+v", doc.Crashes[0].Frames)
	}
	if got, want := s.UnknownAt(), []string{"main.mian", "example.com/action.main"}; !slices.Equal(got, want) {
		t.Errorf("unknown are %v, want %v", got, want)
	}
}
