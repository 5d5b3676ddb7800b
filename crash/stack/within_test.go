package stack

import (
	"path/filepath"
	"slices"
	"testing"

	"dsd/internal/stacktrace"
	"dsd/schemas"
)

func TestWithin(t *testing.T) {
	p := &Panic{Frames: []stacktrace.Frame{
		{Func: "fmt.Sprint", File: "/go/src/fmt/print.go", Line: 1},
		{Func: "m/a.F", File: "/m/a/a.go", Line: 2},
		{Func: "v.G", File: "/m/vendor/v/v.go", Line: 3},
		{Func: "m2.H", File: "/m2/h.go", Line: 4},
		{Func: "m.I", File: "/m/i.go", Line: 5},
		{Func: "m.TestI", File: "/m/i_test.go", Line: 6},
		{Func: "m.J", File: "/m/j.go", Line: 7},
	}}
	got := p.Within("/m", func(file string) bool { return filepath.Base(file) == "i_test.go" })
	want := []schemas.Frame{{Func: "m/a.F", Pos: "a/a.go:2"}, {Func: "m.I", Pos: "i.go:5"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
