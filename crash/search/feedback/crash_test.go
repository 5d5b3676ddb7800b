package feedback

import (
	"strings"
	"testing"
)

// TestReadStackOverflow: where the stack is full in a call by which the rewritten testee reports something, the crash is
// that of the testee's functions below.
func TestReadStackOverflow(t *testing.T) {
	text := `runtime: goroutine stack exceeds 1000000000-byte limit
fatal error: stack overflow

runtime stack:
runtime.throw({0x5, 0x0})
	/go/src/runtime/panic.go:1229 +0x48

goroutine 1 [running]:
math.Abs(...)
	/go/src/math/abs.go:13
example.com/m/zz_dsd_run.report(0x1, 0x2)
	/m/zz_dsd_run/trail.go:100 +0x1
example.com/m/zz_dsd_run.Ints(0x1)
	/m/zz_dsd_run/trail.go:130 +0x2
example.com/m.Even(0x1)
	/m/even.go:12 +0x3
example.com/m.Odd(0x1)
	/m/even.go:20 +0x4
example.com/m/zz_dsd_run.call(0x1)
	/m/zz_dsd_run/op.go:30 +0x5
`
	place := func(file string) (string, bool) {
		if name, own := strings.CutPrefix(file, "/m/"); own {
			return name, true
		}
		return "", false
	}
	x := ReadCrash(place, text)
	if x == nil {
		t.Fatal("no crash is read")
	}
	var got []string
	for _, f := range x.Stack() {
		got = append(got, f.Func+" "+f.Pos)
	}
	if want := "example.com/m.Even even.go:12, example.com/m.Odd even.go:20"; strings.Join(got, ", ") != want {
		t.Errorf("got frames %v, want %s", got, want)
	}
}

// TestMishandled: a panic with a value that a deferred function cannot handle is no refusal of arguments.
func TestMishandled(t *testing.T) {
	const stack = "goroutine 1 [running]:\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:1 +0x1\n" +
		"example.com/m.F(0x1)\n\t/m/f.go:3 +0x1\n"
	place := func(file string) (string, bool) { return strings.CutPrefix(file, "/m/") }
	for text, refuses := range map[string]bool{
		"panic: bad\n\n": true,
		"panic: bad [recovered]\n\tpanic: bad\n\n":                                                     true,
		"panic: bad [recovered]\n\tpanic: F: it is bad\n\n":                                            true,
		"panic: bad [recovered]\n\tpanic: interface conversion: interface {} is error, not string\n\n": false,
	} {
		x := ReadCrash(place, text+stack)
		if x == nil || x.Message != "bad" || x.Refuses() != refuses {
			t.Errorf("%q: got %+v, want one that refuses: %v", text, x, refuses)
		}
	}
}
