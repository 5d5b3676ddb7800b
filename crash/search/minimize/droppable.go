package minimize

import "slices"

// PartsConfig says what Droppable looks for.
type PartsConfig struct {
	// Pred reports, for each set of indices, whether the value without the parts of these
	// indices has the property to preserve. The indices of a set are sorted. An error ends the
	// search.
	Pred func(drops [][]int) ([]bool, error)
	// MaxSets is the number of sets in one call of Pred, 0 for any number. Parts past the first
	// MaxSets are kept.
	MaxSets int
}

// Droppable returns a large set of the parts 0 to n-1 of a value that can be dropped together, in
// increasing order. It is empty if no part can be dropped.
//
// It calls Pred at most twice. First it asks about each part by itself. Then it asks about sets of
// the parts that can be dropped by themselves: all of them, halves, quarters and so on. It returns
// the largest that can be dropped, the first of several. Parts may depend on each other, so a
// caller repeats it with what is left until nothing can be dropped.
func Droppable(n int, cfg PartsConfig) ([]int, error) {
	if cfg.MaxSets > 0 {
		n = min(n, cfg.MaxSets)
	}
	if n == 0 {
		return nil, nil
	}
	var drops [][]int
	for i := range n {
		drops = append(drops, []int{i})
	}
	ok, err := cfg.Pred(drops)
	if err != nil {
		return nil, err
	}
	var each []int
	for i := range n {
		if ok[i] {
			each = append(each, i)
		}
	}
	if len(each) < 2 { // each is known to be droppable
		return each, nil
	}
	drops = nil
	asked := map[[2]int]bool{} // by first and last index: chunks of two sizes may be equal
	for size := len(each); size > 1; size = (size + 1) / 2 {
		for set := range slices.Chunk(each, size) {
			ends := [2]int{set[0], set[len(set)-1]}
			full := cfg.MaxSets > 0 && len(drops) == cfg.MaxSets
			if len(set) > 1 && !asked[ends] && !full {
				asked[ends] = true
				drops = append(drops, set)
			}
		}
	}
	if ok, err = cfg.Pred(drops); err != nil {
		return nil, err
	}
	best := each[:1]
	for i, set := range drops {
		if ok[i] && len(set) > len(best) {
			best = set
		}
	}
	return best, nil
}
