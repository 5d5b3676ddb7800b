package feedback

import (
	"strings"
	"testing"

	"dsd/crash/candidate"
)

// TestImprove checks the order of evidence: preconditions hold, users can write it, no nil
// argument, little written by hand, and then the shorter one.
func TestImprove(t *testing.T) {
	of := func(length int, violates, fabricated, nilArgument bool, byHand int) Evidence {
		return Evidence{make(candidate.Program, length), violates, violates, fabricated, nilArgument, byHand}
	}
	order := []Evidence{ // best first
		of(5, false, false, false, 0), of(6, false, false, false, 0), of(1, false, false, false, 1), of(1, false, false, false, 2),
		of(1, false, false, true, 0), of(1, false, true, false, 0), of(1, false, true, true, 0),
		of(1, true, false, false, 0), of(1, true, true, true, 0),
	}
	same := func(x, y Evidence) bool {
		return len(x.Program) == len(y.Program) && x.ViolatesPre == y.ViolatesPre &&
			x.Fabricated == y.Fabricated && x.NilArgument == y.NilArgument && x.ByHand == y.ByHand
	}
	for i, x := range order {
		for j, y := range order {
			got := x
			got.Improve(y)
			if want := order[min(i, j)]; !same(got, want) {
				t.Errorf("%+v improved by %+v is %+v, want %+v", x, y, got, want)
			}
		}
	}
}

func TestReadCrash(t *testing.T) {
	place := func(file string) (name string, own bool) {
		name, own = strings.CutPrefix(file, "/src/m/")
		if !own || strings.HasPrefix(name, "vendor/") {
			return "", false
		}
		return name, true
	}
	const frames = "goroutine 1 [running]:\n" +
		"m/p.F(...)\n\t/src/m/p/f.go:7 +0x1d\n" +
		"dep.G(...)\n\t/src/m/vendor/dep/g.go:3 +0x1d\n" +
		"m/p.H(0x1)\n\t/src/m/p/h.go:9 +0x1d\n"
	const index = "panic: runtime error: index out of range [5] with length 3\n\n"
	x := ReadCrash(place, index+frames)
	if x == nil || x.Kind != "index" || len(x.Frames) != 2 ||
		x.Frames[0].Pos != "p/f.go:7" || x.Frames[1].Func != "m/p.H" {
		t.Errorf("got %+v, want the frames of F and H", x)
	}
	const repeat = "panic: strings: negative Repeat count\n\n"
	const library = "goroutine 1 [running]:\n" +
		"strings.Repeat({0x1, 0x1}, 0x1)\n\t/go/src/strings/strings.go:7 +0x1d\n" +
		"m/p.F(...)\n\t/src/m/p/f.go:7 +0x1d\n"
	for text, want := range map[string]bool{repeat + library: true, repeat + frames: false} {
		if x := ReadCrash(place, text); x == nil || x.RaisedOutside != want || x.Refuses() == want {
			t.Errorf("ReadCrash(%q) = %+v, want RaisedOutside %v", text, x, want)
		}
	}
	for _, text := range []string{
		"no panic",
		"panic: x\n\ngoroutine 1 [running]:\nother.F()\n\t/elsewhere/f.go:7 +0x1d\n",
		"fatal error: runtime: out of memory\n\n" + frames,
	} {
		if x := ReadCrash(place, text); x != nil {
			t.Errorf("ReadCrash(%q) = %+v, want nil", text, x)
		}
	}
}
