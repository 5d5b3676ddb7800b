package run

import (
	"runtime"
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
