package record

import "testing"

// printing ends with a panic whose value calls unexpected when it is printed.
const printing = `package main

import "strconv"

type fault struct{ n int }

func (f *fault) Error() string {
	unexpected()
	return "fault " + strconv.Itoa(f.n)
}

func unexpected() {}

func fail(n int) { panic(&fault{n}) }

func main() { fail(3) }
`

// TestHereWhilePrinting: a call that recording itself causes, when a value prints itself, is not recorded; it
// would wait for the recording to end.
func TestHereWhilePrinting(t *testing.T) {
	s, _ := goRun(t, program(t, "example.com/printing", printing), Options{Here: []string{"main.unexpected"}}, 1)
	ended := 0
	for _, c := range collect(t, s).Crashes {
		if c.Ended == "program" {
			ended++
		}
	}
	if ended != 1 {
		t.Errorf("%d panics that ended the program are recorded, want 1", ended)
	}
}
