package report

import (
	"fmt"
	"sort"
	"strings"

	"dsd/internal/symbol"
	"dsd/schemas"
)

// Policy is which confirmed crashes are reported [DSD 4.3, 5.4, 6.7.1.2].
type Policy string

// An explicit panic is how Go functions refuse arguments, and a nil that a function dereferences without asking is one that
// its author ruled out; both are bugs only if the inputs satisfy what the tests say about inputs. Classic leaves those out of
// which nothing is known, and Relaxed reports them. In both, random testing leaves out likely misuse, see Rank, and what is printed
// counts it; All reports and prints everything.
const (
	Classic Policy = "classic"
	Relaxed Policy = "relaxed"
	All     Policy = "all"
)

// ParsePolicy reads a policy; the error says which there are.
func ParsePolicy(s string) (Policy, error) {
	switch p := Policy(s); p {
	case Classic, Relaxed, All:
		return p, nil
	}
	return "", fmt.Errorf("--policy %s: there are classic, relaxed and all", s)
}

// Suppressed says why the confirmed crash of a warning is not reported, "" if it is.
func (p Policy) Suppressed(w *schemas.Warning) string {
	switch {
	case w.Preconditions || p != Classic:
		return ""
	case w.Kind == schemas.ExplicitPanic:
		return "policy: an explicit panic refuses the arguments, and nothing is known of the function's preconditions"
	case w.Kind == schemas.NilDeref && w.Param != "":
		return fmt.Sprintf("policy: the parameter %s is nil, and nothing is known of the function's preconditions", w.Param)
	}
	return ""
}

// Rank says what speaks for a crash being a bug: its inputs are such that users can make them, of a function that they can call, and
// meet what the tests show.
func Rank(c *schemas.Crash) schemas.Rank {
	switch {
	case c.Rank != "":
		return c.Rank
	case c.BuiltBy == schemas.BySequence && c.SatisfiesInvariants && symbol.Parse(c.Func).Exported() && !Refusal(c.Kind):
		return schemas.LikelyBug
	case c.BuiltBy == schemas.ByLiteral && !c.SatisfiesInvariants:
		return schemas.LikelyMisuse
	}
	return schemas.Look
}

// Refusal says that a panic of a kind may be how a function refuses what the tests happen not to show: it says so itself, or cannot
// compare what an interface holds.
func Refusal(kind schemas.Kind) bool {
	return kind == schemas.ExplicitPanic || kind == schemas.Uncomparable
}

// Group joins crashes with the same kind and stack, and returns the groups' representatives: the one that users of the
// package could write, then the shortest, then the first. Sorted by position and function, with ids.
func Group(crashes []schemas.Crash) []schemas.Crash {
	groups := map[string][]schemas.Crash{}
	var order []string
	for _, c := range crashes {
		var key strings.Builder
		key.WriteString(string(c.Kind))
		for _, f := range c.Stack {
			fmt.Fprintf(&key, " %s@%s", f.Func, f.Pos)
		}
		k := key.String()
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	out := []schemas.Crash{}
	for _, k := range order {
		g := groups[k]
		sort.SliceStable(g, func(i, j int) bool {
			if a, b := made(&g[i]), made(&g[j]); a != b {
				return a > b
			}
			return len(g[i].Inputs) < len(g[j].Inputs)
		})
		best := g[0]
		best.GroupSize = len(g)
		best.Rank = Rank(&best)
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

// made says how much of a crash's inputs users of the package could write themselves.
func made(c *schemas.Crash) int {
	switch {
	case c.BuiltBy == schemas.BySequence:
		return 2
	case c.UnexportedCalls:
		return 1
	}
	return 0
}
