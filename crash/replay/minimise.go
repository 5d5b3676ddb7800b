package replay

import (
	"context"
	"fmt"
	"slices"

	"dsd/crash/compose"
	"dsd/schemas"
)

// Budget of the minimisation of one test.
const (
	maxParts  = 200 // parts of a call that are left out one by one in a round
	maxRounds = 5
)

// set is a set of parts of a call, by number.
type set map[int]bool

// minimise leaves out of the recorded call of a variant the parts without which its test still
// crashes in as many frames. It returns the crash of the smallest test found.
//
// A round leaves out each part by itself, and then all those parts together that were not needed by
// themselves. That may fail, as one of two parts may be needed. So the same round also leaves out
// halves of them, quarters and so on, and continues from the largest set that worked. All tests of
// a step are compiled together, which is why a round does not depend on results within it, unlike
// delta debugging.
func (f *frame) minimise(ctx context.Context, v *variant) (*schemas.Crash, error) {
	best, call := v.crash, compose.Prune(v.call)
	for round := range maxRounds {
		var single []set
		for i := range min(countParts(call), maxParts) {
			single = append(single, set{i: true})
		}
		crashes, err := f.runWithout(ctx, v, call, single, round)
		if err != nil {
			return nil, err
		}
		var unneeded []int
		for i, c := range crashes {
			if c != nil && c.Level >= v.crash.Level {
				unneeded = append(unneeded, i)
			}
		}
		if len(unneeded) == 0 {
			return best, nil
		}
		sets := halvings(unneeded)
		if crashes, err = f.runWithout(ctx, v, call, sets, round); err != nil {
			return nil, err
		}
		largest := -1
		for i, c := range crashes {
			if c != nil && c.Level >= v.crash.Level &&
				(largest < 0 || len(sets[i]) > len(sets[largest])) {
				largest = i
			}
		}
		if largest < 0 {
			return best, nil
		}
		best, call = crashes[largest], without(call, sets[largest])
	}
	return best, nil
}

// halvings returns the set of all parts, its halves, its quarters and so on, until there are more
// than maxParts.
func halvings(parts []int) []set {
	var out []set
	for size := len(parts); size > 0 && len(out) <= maxParts; size /= 2 {
		for chunk := range slices.Chunk(parts, size) {
			s := set{}
			for _, i := range chunk {
				s[i] = true
			}
			out = append(out, s)
		}
	}
	return out
}

// runWithout runs the call without each of some sets of parts. The result is parallel to sets: the
// crash if the test crashes like the original, nil otherwise.
func (f *frame) runWithout(
	ctx context.Context, v *variant, call *schemas.Counterexample, sets []set, round int,
) ([]*schemas.Crash, error) {
	out := make([]*schemas.Crash, len(sets))
	var list []*schemas.Crash
	var indexes []int // parallel to list: into sets
	for i, s := range sets {
		crash, err := f.write(v.write, without(call, s), fmt.Sprintf("Zz%dx%d", round, i))
		if err != nil {
			continue
		}
		list, indexes = append(list, crash), append(indexes, i)
	}
	if len(list) == 0 {
		return out, nil
	}
	mismatches, err := f.module.Verify(ctx, f.fn.Pkg, list)
	if err != nil {
		return nil, err
	}
	for j, c := range list {
		if mismatches[j] == nil {
			out[indexes[j]] = c
		}
	}
	return out, nil
}
