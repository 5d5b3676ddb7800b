package run

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// ping and pong call each other n times each, then last.
func ping(n int, last func()) {
	if n == 0 {
		last()
		return
	}
	pong(n, last)
}

func pong(n int, last func()) { ping(n-1, last) }

// chain calls itself n times, then last.
func chain(n int, last func()) {
	if n == 0 {
		last()
		return
	}
	chain(n-1, last)
}

// TestActiveCycles: calls of other functions than those of the cycle do not count, and the function counts that is
// active least.
func TestActiveCycles(t *testing.T) {
	const path = "dsd/crash/candidate/run."
	both := []string{path + "ping", path + "pong"}
	for _, tt := range []struct {
		cycle        []string
		pings, chain int
		want         int
	}{
		{both, 7, 0, 7},
		{both, 7, 40, 7},
		{both[:1], 7, 40, 8},
		{[]string{path + "chain"}, 7, 40, 41},
		{append(both, path+"absent"), 7, 40, 0},
	} {
		got := 0
		chain(tt.chain, func() {
			ping(tt.pings, func() {
				calls := make([]uintptr, 100)
				got = activeCycles(calls[:runtime.Callers(0, calls)], tt.cycle)
			})
		})
		if got != tt.want {
			t.Errorf("%v in %d and %d calls: got %d, want %d", tt.cycle, tt.pings, tt.chain, got, tt.want)
		}
	}
}

// TestGuarded: a condition that a guard decides is as far from coming out as needed as the last call of the guard was, and
// what was compared there is what a mutation may replace.
func TestGuarded(t *testing.T) {
	defer func(s []float64, tr [][]int, b []float64, c []operands, n []float32) {
		steps, trails, bestLeft, compared, nearest = s, tr, b, c, n
	}(steps, trails, bestLeft, compared, nearest)
	steps, trails = nil, nil
	Trails([]int{1, 2}, [][]int{{0}}) // a frame with one step, and its guard with two
	left := func(calls ...string) float64 {
		resetDistance()
		At(0, 2)
		for _, s := range calls {
			Begin(1, 3)
			ok := Texts(1, 2, Equal, true, s, "magic", s == "magic") && Ints(1, 1, Equal, true, int64(len(s)), 7, false)
			Guarded(0, 1, 1, true, ok)
		}
		return bestLeft[0]
	}
	far, near, past := left("maple"), left("magik"), left("magic")
	if !(2 > far && far > near && near > past && past > 1) {
		t.Errorf("got %v, %v and %v, want less and less from 2 on", far, near, past)
	}
	if o := failedAt([]int{0}); o.a != 5 || o.b != 7 {
		t.Errorf("got operands %+v, want 5 and 7", o)
	}
	if again := left("magik", "maple"); again != near {
		t.Errorf("got %v after a worse call, want %v", again, near)
	}
	if Guarded(0, 1, 1, true, true); bestLeft[0] != 1 {
		t.Errorf("got %v, want 1 past the condition", bestLeft[0])
	}
}

// TestMade: at the line of the panic, a candidate is nearer if it made a value of the dynamic type, most so if the same
// statement did; not before it comes there, and not in another frame.
func TestMade(t *testing.T) {
	defer func(s []float64, tr [][]int, b []float64, c []operands, n []float32) {
		steps, trails, bestLeft, compared, nearest, trail = s, tr, b, c, n, nil
		resetDistance()
	}(steps, trails, bestLeft, compared, nearest)
	steps, trails = nil, nil
	Trails([]int{1, 1}, [][]int{{0, 1}})
	setTarget(0)
	made := func() { Made = true }
	at := func(frame, rest int) func() { return func() { At(frame, rest) } }
	for _, tt := range []struct {
		name string
		do   []func()
		want float32
	}{
		{"at the line", []func(){at(0, 1)}, 1},
		{"made on the way to the line", []func(){made, at(0, 1)}, madeThere},
		{"made after it, by the same statement", []func(){at(0, 1), made}, madeThere},
		{"made by the statement before", []func(){made, endStatement, at(0, 1)}, madeElsewhere},
		{"made by the statement after it", []func(){at(0, 1), endStatement, made}, madeElsewhere},
		{"made by both", []func(){made, at(0, 1), endStatement, made}, madeThere},
		{"made on the way, before the line", []func(){made, at(0, 2)}, 2},
		{"made, at the line of the caller", []func(){made, at(1, 1)}, 4},
	} {
		resetDistance()
		for _, f := range tt.do {
			f()
		}
		if got := distance(trails[0]); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestTexts: where texts should be equal, the distance shrinks as they come nearer to that; where they should differ, equal
// ones have a distance.
func TestTexts(t *testing.T) {
	defer func(s []float64, tr [][]int, b []float64, c []operands, n []float32) {
		steps, trails, bestLeft, compared, nearest = s, tr, b, c, n
	}(steps, trails, bestLeft, compared, nearest)
	steps, trails = nil, nil
	Trails([]int{1}, [][]int{{0}})
	for _, tt := range []struct {
		op   int
		want bool // what the comparison should come out as
		s, t string
		far  bool // whether it does not
	}{
		{Equal, true, "ab", "ab", false},
		{Equal, true, "ab", "xy", true},
		{Equal, false, "ab", "ab", true},
		{NotEqual, true, "ab", "ab", true},
		{NotEqual, false, "ab", "xy", true},
		{NotEqual, false, "ab", "ab", false},
		{Less, true, "b", "a", true},
	} {
		resetDistance()
		Texts(0, 1, tt.op, tt.want, tt.s, tt.t, map[int]bool{Equal: tt.s == tt.t, NotEqual: tt.s != tt.t, Less: tt.s < tt.t}[tt.op])
		if far := bestLeft[0] > 1; far != tt.far {
			t.Errorf("%v: got %v left", tt, bestLeft[0])
		}
	}
	left := func(report func()) float64 {
		resetDistance()
		report()
		return bestLeft[0]
	}
	near := left(func() { Texts(0, 1, NotEqual, false, "magik", "magic", true) })
	far := left(func() { Texts(0, 1, NotEqual, false, "m", "magic", true) })
	prefix := left(func() { Prefix(0, 1, true, strings.HasPrefix, "magik and more", "magic") })
	suffix := left(func() { BytesSuffix(0, 1, true, bytes.HasSuffix, []byte("more magik"), []byte("magic")) })
	if !(1 < near && near < far) || prefix != near || suffix != near {
		t.Errorf("got %v, %v, %v and %v, want less for near ones", near, far, prefix, suffix)
	}
	if o := failedAt([]int{0}); !o.known || o.s != "magik" || o.t != "magic" {
		t.Errorf("got operands %+v", o)
	}
}
