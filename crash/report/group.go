package report

import (
	"fmt"
	"sort"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Group returns one crash for each kind and stack: among equals, the one whose inputs users of the
// package can write best, then the one with the shortest inputs, then the first. The result is
// sorted by position and function. Group sets ID, GroupSize and Rank.
func Group(crashes []schemas.Crash) []schemas.Crash {
	groups := map[string][]schemas.Crash{}
	var keys []string // in the order of the crashes
	for _, c := range crashes {
		k := groupKey(&c)
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], c)
	}
	out := []schemas.Crash{}
	for _, k := range keys {
		g := groups[k]
		sort.SliceStable(g, func(i, j int) bool {
			if a, b := writable(&g[i]), writable(&g[j]); a != b {
				return a > b
			}
			return len(g[i].Inputs) < len(g[j].Inputs)
		})
		best := g[0]
		best.GroupSize = len(g)
		out = append(out, best)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Pos != out[j].Pos {
			return symbol.PosLess(out[i].Pos, out[j].Pos)
		}
		return out[i].Func < out[j].Func
	})
	for i := range out {
		out[i].ID = fmt.Sprintf("C%d", i+1)
	}
	return out
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
