package replay

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dsd/crash/compose"
	"dsd/crash/search/minimize"
	"dsd/schemas"
)

// Parts are left out in groups, since a recording may have many: first in at most maxGroups of them, then in smaller
// and smaller ones. maxSets is the number of tests that are compiled together.
const (
	maxGroups = 64
	maxSets   = 200
)

// graceTime is how long the smallest test may still be verified when the time is over or the user interrupts.
const graceTime = 5 * time.Second

// minimization is the work on one test.
type minimization struct {
	f    *frame
	v    *variant
	call *schemas.Counterexample // without what was left out so far
	best *schemas.Crash          // of the test of call
	runs int                     // of Droppable
}

// minimize leaves out of the recorded call of a variant the parts without which its test still crashes in as many
// frames. It returns the crash of the smallest test found until ctx ends, and reports the number of parts left from
// time to time. Its only error says why tests cannot be run.
//
// The tests of a round are compiled together, so a round does not depend on results within it, unlike delta
// debugging; see minimize.Droppable.
func (f *frame) minimize(ctx context.Context, v *variant, left func(parts, of int)) (*schemas.Crash, error) {
	m := &minimization{f: f, v: v, call: v.call, best: v.crash}
	all := countParts(m.call)
	size := max((all+maxGroups-1)/maxGroups, 1)
	for {
		m.call = compose.Prune(m.call)
		n := countParts(m.call)
		left(n, all)
		some, err := m.round(ctx, groups(n, size))
		switch {
		case ctx.Err() != nil:
			grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), graceTime)
			defer cancel()
			if crash, err := m.verified(grace); err == nil {
				return crash, nil
			}
			return v.crash, nil
		case err != nil:
			return m.best, err
		case !some && size == 1:
			return m.verified(ctx)
		case !some:
			size = max(size/4, 1)
		}
	}
}

// groups returns the numbers 0 to n-1 in groups of a size, the last one of which may be smaller.
func groups(n, size int) (out [][]int) {
	for from := 0; from < n; from += size {
		var group []int
		for i := from; i < min(from+size, n); i++ {
			group = append(group, i)
		}
		out = append(out, group)
	}
	return out
}

// round tries to leave out each of some groups of parts, maxSets of them at a time, and reports whether it could leave
// out any. It begins with the last ones: what is inside of a part has greater numbers.
func (m *minimization) round(ctx context.Context, groups [][]int) (some bool, err error) {
	for len(groups) > 0 && ctx.Err() == nil {
		at := max(len(groups)-maxSets, 0)
		dropped, err := m.leaveOut(ctx, groups[at:])
		if err != nil {
			return some, err
		}
		some, groups = some || dropped, groups[:at]
	}
	return some, nil
}

// leaveOut leaves out as many of some groups as it finds, and reports whether there are any.
func (m *minimization) leaveOut(ctx context.Context, groups [][]int) (any bool, err error) {
	parts := func(drop []int) (out []int) {
		for _, g := range drop {
			out = append(out, groups[g]...)
		}
		return out
	}
	m.runs++
	crashes := map[string]*schemas.Crash{} // by the groups left out
	cfg := minimize.PartsConfig{MaxSets: maxSets, Pred: func(drops [][]int) ([]bool, error) {
		list, err := m.runWithout(ctx, drops, parts)
		ok := make([]bool, len(drops))
		for i, c := range list {
			if ok[i] = c != nil && c.Level >= m.v.crash.Level; ok[i] {
				crashes[fmt.Sprint(drops[i])] = c
			}
		}
		return ok, err
	}}
	drop, err := minimize.Droppable(len(groups), cfg)
	if err != nil || len(drop) == 0 {
		return false, err
	}
	m.best, m.call = crashes[fmt.Sprint(drop)], without(m.call, parts(drop))
	return true, nil
}

// runWithout runs the call without each of some sets of groups. The result is parallel to sets: the crash if the test
// crashes like the original, nil otherwise.
func (m *minimization) runWithout(
	ctx context.Context, sets [][]int, parts func([]int) []int,
) ([]*schemas.Crash, error) {
	out := make([]*schemas.Crash, len(sets))
	var list []*schemas.Crash
	var indexes []int // parallel to list: into sets
	for i, s := range sets {
		crash, _, err := m.f.write(m.v.write, without(m.call, parts(s)), fmt.Sprintf("Zz%dx%d", m.runs, i))
		if err != nil {
			continue
		}
		list, indexes = append(list, crash), append(indexes, i)
	}
	if len(list) == 0 {
		return out, nil
	}
	mismatches, err := m.f.module.VerifyOnce(ctx, m.f.fn.Pkg, list)
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

// verified returns the best crash whose test crashes each time: with its values as literals, if few are left, with those
// in a file, or else the one as recorded.
func (m *minimization) verified(ctx context.Context) (*schemas.Crash, error) {
	list := []*schemas.Crash{m.best}
	plain, _, err := m.f.write(compose.Recorded, m.call, "ZzPlain")
	if err == nil && len(m.best.Test.Files) > 0 && readable(m.call, plain) {
		list = []*schemas.Crash{plain, m.best}
	}
	mismatches, err := m.f.module.Verify(ctx, m.f.fn.Pkg, list)
	if err != nil {
		return m.v.crash, err
	}
	if i := slices.Index(mismatches, nil); i >= 0 {
		return list[i], nil
	}
	return m.v.crash, nil
}
