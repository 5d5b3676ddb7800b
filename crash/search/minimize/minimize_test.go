package minimize

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// drop returns list without the n elements from index from on.
func drop(list []int, from, n int) ([]int, bool) {
	return slices.Delete(slices.Clone(list), from, from+n), true
}

func length(list []int) int { return len(list) }

func key(list []int) string { return fmt.Sprint(list) }

func upTo(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i)
	}
	return out
}

func ExampleMinimize() {
	needed := []int{3, 40, 41}
	list := Minimize(upTo(100), Config[[]int]{
		Pred: func(list []int) bool {
			for _, n := range needed {
				if !slices.Contains(list, n) {
					return false
				}
			}
			return true
		},
		Key: key,
	}, DropRuns(32, length, drop))
	fmt.Println(list)
	// Output: [3 40 41]
}

// TestMinimizeRandom uses a coin as predicate: no candidate may be asked about twice, none may cost
// more than the best, and the result is the last one that was accepted.
func TestMinimizeRandom(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		value := upTo(1 + r.Intn(60))
		last := value
		asked := map[string]bool{}
		got := Minimize(value, Config[[]int]{
			Pred: func(list []int) bool {
				if asked[key(list)] {
					t.Fatalf("seed %d: asked about %v twice", seed, list)
				}
				asked[key(list)] = true
				if len(list) > len(last) {
					t.Fatalf("seed %d: %v costs more than %v", seed, list, last)
				}
				if r.Intn(3) > 0 {
					return false
				}
				last = list
				return true
			},
			Cost: length, Key: key,
		}, DropRuns(8, length, drop), func(s *Search[[]int]) { // costs more
			s.Try(append(slices.Clone(s.Best()), 0))
		})
		if !slices.Equal(got, last) {
			t.Errorf("seed %d: got %v, want the last accepted %v", seed, got, last)
		}
	}
}

// TestMinimizeBudget checks that steps and Stop end the search with the best value so far.
func TestMinimizeBudget(t *testing.T) {
	always := func([]int) bool { return true }
	for _, tt := range []struct {
		name string
		cfg  Config[[]int]
		want int // length of the result
	}{
		{"no limit", Config[[]int]{Pred: always}, 0},
		{"three steps", Config[[]int]{Pred: always, MaxSteps: 3}, 7},
		{"stopped", Config[[]int]{Pred: always, Stop: func() bool { return true }}, 10},
	} {
		got := Minimize(upTo(10), tt.cfg, DropRuns(1, length, drop))
		if len(got) != tt.want {
			t.Errorf("%s: got %v, want %d elements", tt.name, got, tt.want)
		}
	}
}

// TestDroppable checks that the largest of the sets is found and that no set is asked about twice.
func TestDroppable(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		n := r.Intn(20)
		needed := map[int]bool{}
		for range r.Intn(n + 1) {
			needed[r.Intn(n)] = true
		}
		pair := [2]int{-1, -1} // one of them must stay
		if n > 1 && r.Intn(2) == 0 {
			pair = [2]int{0, 1}
		}
		holds := func(set []int) bool {
			for _, i := range set {
				if needed[i] {
					return false
				}
			}
			return !slices.Contains(set, pair[0]) || !slices.Contains(set, pair[1])
		}
		calls := 0
		asked := map[string]bool{}
		got, err := Droppable(n, PartsConfig{Pred: func(drops [][]int) ([]bool, error) {
			calls++
			var out []bool
			for _, set := range drops {
				if asked[key(set)] || !slices.IsSorted(set) {
					t.Errorf("seed %d: %v is repeated or unsorted", seed, set)
				}
				asked[key(set)] = true
				out = append(out, holds(set))
			}
			return out, nil
		}})
		if err != nil || calls > 2 || !holds(got) {
			t.Fatalf("seed %d: got %v after %d calls, %v", seed, got, calls, err)
		}
		if pair[0] < 0 && len(got) != n-len(needed) || len(got) == 0 && len(needed) < n {
			t.Errorf("seed %d: got %v of %d parts, needed are %v", seed, got, n, needed)
		}
	}
}

func TestDroppableError(t *testing.T) {
	want := errors.New("does not build")
	pred := func([][]int) ([]bool, error) { return nil, want }
	if _, err := Droppable(3, PartsConfig{Pred: pred}); err != want {
		t.Errorf("got error %v, want %v", err, want)
	}
}

// TestDroppableLimit checks that no call of the predicate gets more than MaxSets sets.
func TestDroppableLimit(t *testing.T) {
	pred := func(drops [][]int) ([]bool, error) {
		if len(drops) > 7 {
			t.Errorf("%d sets in one call, want at most 7", len(drops))
		}
		return slices.Repeat([]bool{true}, len(drops)), nil
	}
	got, err := Droppable(100, PartsConfig{MaxSets: 7, Pred: pred})
	if err != nil || len(got) != 7 {
		t.Errorf("got %v, %v, want 7 parts", got, err)
	}
}
