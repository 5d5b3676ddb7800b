package replay

import (
	"context"
	"fmt"

	"dsd/crash/compose"
	"dsd/crash/search/minimize"
	"dsd/schemas"
)

// Budget of the minimization of one test.
const (
	maxParts  = 200 // parts of a call that are left out one by one in a round
	maxRounds = 5
)

// minimize leaves out of the recorded call of a variant the parts without which its test still
// crashes in as many frames. It returns the crash of the smallest test found.
//
// A round leaves out a set of parts that can be left out together; see minimize.Droppable. The
// tests of a round are compiled together, so a round does not depend on results within it, unlike
// delta debugging.
func (f *frame) minimize(ctx context.Context, v *variant) (*schemas.Crash, error) {
	best, call := v.crash, compose.Prune(v.call)
	for round := range maxRounds {
		crashes := map[string]*schemas.Crash{} // by the parts left out
		cfg := minimize.PartsConfig{MaxSets: maxParts, Pred: func(drops [][]int) ([]bool, error) {
			list, err := f.runWithout(ctx, v, call, drops, round)
			ok := make([]bool, len(drops))
			for i, c := range list {
				if ok[i] = c != nil && c.Level >= v.crash.Level; ok[i] {
					crashes[fmt.Sprint(drops[i])] = c
				}
			}
			return ok, err
		}}
		drops, err := minimize.Droppable(countParts(call), cfg)
		if err != nil {
			return nil, err
		}
		if len(drops) == 0 {
			break
		}
		best, call = crashes[fmt.Sprint(drops)], without(call, drops)
	}
	return best, nil
}

// runWithout runs the call without each of some sets of parts. The result is parallel to sets: the
// crash if the test crashes like the original, nil otherwise.
func (f *frame) runWithout(
	ctx context.Context, v *variant, call *schemas.Counterexample, sets [][]int, round int,
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
