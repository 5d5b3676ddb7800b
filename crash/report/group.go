package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Group returns one crash for each kind and stack: among equals, the one whose inputs users of the
// package can write best, then the one with the shortest inputs, then the first. The result is
// sorted by position and function. Group sets ID and GroupSize.
func Group(crashes []schemas.Crash) []schemas.Crash {
	byPackage := map[string][]schemas.Crash{}
	for _, c := range crashes {
		byPackage[c.Test.Package] = append(byPackage[c.Test.Package], c)
	}
	var list []schemas.Crash
	for _, path := range slices.Sorted(maps.Keys(byPackage)) {
		list = append(list, groupPackage(byPackage[path])...)
	}
	return Join(list)
}

// groupPackage groups the crashes in tests of one package, in the order in which their stacks appear.
func groupPackage(crashes []schemas.Crash) (out []schemas.Crash) {
	groups := map[string][]schemas.Crash{}
	var keys []string // in the order of the crashes
	for _, c := range crashes {
		k := groupKey(&c)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], c)
	}
	for _, k := range keys {
		g := groups[k]
		slices.SortStableFunc(g, func(a, b schemas.Crash) int { return better(&a, &b) })
		best := g[0]
		best.GroupSize = len(g)
		out = append(out, best)
	}
	return out
}

// Join groups the groups of packages, each of which has one for a kind and a stack at most. It does so
// whatever the order of the packages, and in any number of steps.
func Join(groups []schemas.Crash) []schemas.Crash {
	best := map[string]*schemas.Crash{}
	size := map[string]int{}
	for i := range groups {
		c := &groups[i]
		k := groupKey(c)
		size[k] += c.GroupSize
		if b := best[k]; b == nil || cmp.Or(better(c, b), cmp.Compare(c.Test.Package, b.Test.Package)) < 0 {
			best[k] = c
		}
	}
	out := []schemas.Crash{}
	for i := range groups {
		c := groups[i]
		if k := groupKey(&c); best[k] == &groups[i] {
			c.GroupSize = size[k]
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b schemas.Crash) int {
		if a.Pos != b.Pos {
			if symbol.PosLess(a.Pos, b.Pos) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Test.Package, b.Test.Package))
	})
	for i := range out {
		out[i].ID = fmt.Sprintf("C%d", i+1)
	}
	return out
}

// better is negative if users can write the inputs of a better than those of b, or if a's are shorter.
func better(a, b *schemas.Crash) int {
	return cmp.Or(cmp.Compare(writable(b), writable(a)), cmp.Compare(len(a.Inputs), len(b.Inputs)))
}

// groupKey returns the kind and the stack of a crash.
func groupKey(c *schemas.Crash) string {
	var key strings.Builder
	key.WriteString(string(c.Kind))
	for _, f := range c.Stack {
		fmt.Fprintf(&key, " %s@%s", f.Func, f.Pos)
	}
	return key.String()
}

// writable returns how far users of the package can write the inputs: 2 if they use exported names
// only, 1 if they call unexported functions, 0 if they set unexported fields or variables.
func writable(c *schemas.Crash) int {
	switch {
	case c.BuiltBy == schemas.BySequence:
		return 2
	case c.UnexportedCalls:
		return 1
	}
	return 0
}

// SortUnconfirmed sorts warnings by ID: W2 before W10.
func SortUnconfirmed(list []schemas.Unconfirmed) {
	slices.SortStableFunc(list, func(a, b schemas.Unconfirmed) int {
		return cmp.Or(cmp.Compare(len(a.Warning), len(b.Warning)), cmp.Compare(a.Warning, b.Warning))
	})
}

// SortSkipped sorts functions by name and reason.
func SortSkipped(list []schemas.Skipped) {
	slices.SortFunc(list, func(a, b schemas.Skipped) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Reason, b.Reason))
	})
}
