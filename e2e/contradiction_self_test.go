package e2e_test

import (
	"slices"
	"testing"

	"dsd/schemas"
)

// TestContradictions has invariants that contradict each other, and some that only seem to.
func TestContradictions(t *testing.T) {
	for _, test := range []struct {
		exprs []string
		bad   bool
	}{
		{exprs: []string{"n >= 0", "n <= 3", "n != 2"}},
		{exprs: []string{"n >= 4", "n <= 3"}, bad: true},
		{exprs: []string{"a < b", "b < c", "c <= a"}, bad: true},
		{exprs: []string{"n == 1 || n == 2", "n % 2 == 1", "n != 1"}, bad: true},
		{exprs: []string{"n % 4 == -3", "n >= -3", "n < 0"}},
		{exprs: []string{"p != nil", "implies(p != nil, p.n > 0)", "p.n == 0"}, bad: true},
		{exprs: []string{"p == nil", "implies(p != nil, p.n > 0)", "p.n == 0"}},
		{exprs: []string{"ok", "implies(ok, !found)", "found"}, bad: true},
		{exprs: []string{`s == "a"`, `s == "b" || s == "c"`}, bad: true},
		{exprs: []string{"x >= 0.5", "x <= 0.25"}, bad: true},
		{exprs: []string{"x >= 0.5", "x <= n", "n <= 1"}},
		{exprs: []string{"c == max(a, b)", "c < a"}, bad: true},
		{exprs: []string{"len(s) == 0", "forall(i, s[i] > 0)", "sum(s) == 0", "a & b == a",
			"distinct(s)"}},
		{exprs: []string{`typeof(err) == "*a.E"`, `implies(err != nil, typeof(err) == "*b.E")`,
			"err != nil"}, bad: true},
	} {
		doc := &schemas.Invariants{Points: []schemas.Point{{Func: "m.F", At: "entry"}}}
		for _, e := range test.exprs {
			doc.Points[0].Invariants = append(doc.Points[0].Invariants, schemas.Invariant{Expr: e})
		}
		got, err := contradictions(doc)
		if want := []string{"m.F entry"}; err != nil || slices.Equal(got, want) != test.bad {
			t.Errorf("%q: contradictory: %v, %v; want %v", test.exprs, got, err, test.bad)
		}
	}
}
