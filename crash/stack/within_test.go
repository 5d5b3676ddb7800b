package stack

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dsd/internal/stacktrace"
)

func TestWithin(t *testing.T) {
	place := func(file string) (name string, own bool) {
		if name, ok := strings.CutPrefix(file, "/m/"); ok {
			return name, true
		}
		name, ok := strings.CutPrefix(file, "/v/")
		if ok {
			name = "v@v1.2.0/" + name
		}
		return strings.TrimPrefix(name, "/m2/"), false
	}
	frames := []stacktrace.Frame{
		{Func: "m/a.F", File: "/m/a/a.go", Line: 2},
		{Func: "v.G", File: "/v/v.go", Line: 3},
		{Func: "m2.H", File: "/m2/h.go", Line: 4},
		{Func: "m.I", File: "/m/i.go", Line: 5},
		{Func: "m.TestI", File: "/m/i_test.go", Line: 6},
		{Func: "m.J", File: "/m/j.go", Line: 7},
	}
	for skip, want := range []string{
		"[] [{m/a.F a/a.go:2} {m.I i.go:5}]",
		"[{v.G v@v1.2.0/v.go:3} {m2.H h.go:4}] [{m.I i.go:5}]", // raised in another module
	} {
		p := &Panic{Frames: frames[skip:]}
		above, own := p.Within(place, func(file string) bool { return filepath.Base(file) == "i_test.go" })
		if got := fmt.Sprint(above, own); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}
