package callgraph

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// ExampleComponents shows a call graph with the cycle b, c.
func ExampleComponents() {
	calls := map[string][]string{"a": {"b", "d"}, "b": {"c"}, "c": {"b", "d"}}
	fmt.Println(Components([]string{"a"}, func(f string) []string { return calls[f] }))
	// Output: [[d] [b c] [a]]
}

// TestClose compares Components and Close with the transitive closure on random graphs.
func TestClose(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		n := 1 + r.Intn(12)
		var roots []int
		edges := make([][]int, n)
		reach := make([][]bool, n) // reach[i][j]: there is a path from i to j
		for i := range n {
			roots = append(roots, i)
			reach[i] = make([]bool, n)
			reach[i][i] = true
			for range r.Intn(3) {
				j := r.Intn(n)
				edges[i] = append(edges[i], j)
				reach[i][j] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		successors := func(i int) []int { return edges[i] }

		at := map[int]int{}
		for k, component := range Components(roots, successors) {
			for _, i := range component {
				at[i] = k
			}
		}
		sets := map[int]Set{}
		for i := range n {
			var s Set
			s.Add(100 * i)
			sets[i] = s
		}
		Close(roots, successors, sets)
		for i := range n {
			var want []int
			for j := range n {
				if reach[i][j] {
					want = append(want, 100*j)
				}
				if (at[i] == at[j]) != (reach[i][j] && reach[j][i]) {
					t.Errorf("%v: %d and %d are in components %d and %d", edges, i, j, at[i], at[j])
				}
				if reach[i][j] && at[i] < at[j] {
					t.Errorf("%v: the component of %d comes before that of its callee %d", edges, i, j)
				}
			}
			if got := slices.Collect(sets[i].All()); !slices.Equal(got, want) {
				t.Errorf("%v: Close gives %d the set %v, want %v", edges, i, got, want)
			}
		}
	}
}

// TestHeights checks heights with and without cycles; these depend on where the search starts.
func TestHeights(t *testing.T) {
	for _, test := range []struct {
		roots string
		edges map[rune]string
		want  string
	}{
		{"a", map[rune]string{'a': "bc", 'b': "c"}, "a2 b1 c0"},
		{"ab", map[rune]string{'a': "b", 'b': "a"}, "a2 b1"},
		{"ba", map[rune]string{'a': "b", 'b': "a"}, "a1 b2"},
		{"a", map[rune]string{'a': "a"}, "a1"},
	} {
		h := Heights([]rune(test.roots), func(n rune) []rune { return []rune(test.edges[n]) })
		got := ""
		for n := 'a'; n <= 'z'; n++ {
			if height, ok := h[n]; ok {
				got += fmt.Sprintf(" %c%d", n, height)
			}
		}
		if got != " "+test.want {
			t.Errorf("heights of %v from %s:%s, want %s", test.edges, test.roots, got, test.want)
		}
	}
}
