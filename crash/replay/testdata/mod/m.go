// Package m has functions on the stack of a recorded crash.
package m

// Ring is a list of numbers with a name.
type Ring struct {
	name  string
	items []int
}

func (r *Ring) at(i int) int { return r.items[i] }

func Sum(r *Ring, n int, label string) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += r.at(i)
	}
	return sum
}

func Start(n int) int { return Sum(&Ring{items: []int{1}}, n, "") }
