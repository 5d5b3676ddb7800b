package invariant

import "dsd/internal/expr"

// withoutImplied removes the comparisons that follow from two others by transitivity: a < c where
// a < b and b < c. Conditional comparisons neither imply others nor are removed.
func withoutImplied(list []learned) []learned {
	type edge struct{ from, to string }
	strict := map[edge]bool{} // true for from < to, false for from <= to
	next := map[string][]string{}
	for _, inv := range list {
		if isPlainComparison(inv) {
			e := edge{inv.Vars[0], inv.Vars[1]}
			strict[e] = inv.Template == "less"
			next[e.from] = append(next[e.from], e.to)
		}
	}
	if len(strict) < 3 {
		return list
	}
	out := list[:0:0]
	for _, inv := range list {
		implied := false
		if isPlainComparison(inv) {
			isStrict := inv.Template == "less"
			for _, b := range next[inv.Vars[0]] {
				second, ok := strict[edge{b, inv.Vars[1]}]
				if ok && (!isStrict || second || strict[edge{inv.Vars[0], b}]) {
					implied = true
					break
				}
			}
		}
		if !implied {
			out = append(out, inv)
		}
	}
	return out
}

// isPlainComparison reports whether an invariant is a comparison by < or <= without a condition.
func isPlainComparison(inv learned) bool {
	return (inv.Template == "less" || inv.Template == "less-equal") && expr.Guards(inv.cond) == nil
}
