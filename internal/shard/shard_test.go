package shard

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Shard{"": {}, "1/1": {1, 1}, "2/4": {2, 4}} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"0/4", "5/4", "2", "a/b", "2/", "/4", "-1/4", "1/4/2"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

// TestParts checks that each thing is in one shard, that those that belong together are, and that shards are
// about equal.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, of := 1+r.IntN(300), 1+r.IntN(9)
		weights, pairs := make([]int, n), make([]bool, n)
		total, largest := 0, 0
		for i := range weights {
			weights[i] = 1 + r.IntN(20)
			pairs[i] = r.IntN(5) == 0
			total += weights[i]
			largest = max(largest, weights[i])
		}
		each, runs := make([]int, n), make([]int, n)
		for number := range of {
			s := Shard{number + 1, of}
			sum := 0
			for i, mine := range s.Each(n) {
				if mine {
					each[i]++
				}
			}
			for i, mine := range s.Runs(weights, func(i int) bool { return pairs[i] }) {
				if mine {
					runs[i] += s.Number
					sum += weights[i]
				}
			}
			if sum > total/of+12*largest {
				t.Errorf("shard %v of %d has weight %d of %d", s, n, sum, total)
			}
		}
		for i := range n {
			if each[i] != 1 {
				t.Fatalf("%d of %d is in %d shards", i, n, each[i])
			}
			if runs[i] < 1 || runs[i] > of || i > 0 && (runs[i] < runs[i-1] || pairs[i] && runs[i] != runs[i-1]) {
				t.Fatalf("shards of %d things: %v", n, fmt.Sprint(runs))
			}
		}
	}
	var all Shard
	for i, mine := range append(all.Each(3), all.Runs([]int{1, 2}, func(int) bool { return false })...) {
		if !mine {
			t.Errorf("%d is not in the zero Shard", i)
		}
	}
}
