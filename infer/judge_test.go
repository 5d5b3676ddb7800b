package infer

import (
	"slices"
	"testing"

	"dsd/schemas"
)

// TestJudge: an invariant about an element means that its index is in range, one about a field that
// its pointer is not nil, if that was so in every sample that the invariant was learned from.
func TestJudge(t *testing.T) {
	points := []schemas.TracePoint{{Func: "m.F", At: schemas.AtEntry, Vars: []schemas.TraceVar{
		{Name: "i", Type: "int", Rep: schemas.RepInt},
		{Name: "c", Type: "[]int", Rep: schemas.RepRef},
		{Name: "len(c)", Type: "int", Rep: schemas.RepInt},
		{Name: "c", Type: "[]int", Rep: schemas.RepInts},
		{Name: "p", Type: "*T", Rep: schemas.RepRef},
		{Name: "p.n", Type: "int", Rep: schemas.RepInt},
	}}}
	inv := func(expr string, samples int64) schemas.Invariant {
		return schemas.Invariant{Expr: expr, Samples: samples}
	}
	doc := &schemas.Invariants{Points: []schemas.Point{{
		Func: "m.F", At: schemas.AtEntry, Samples: 10, Invariants: []schemas.Invariant{
			inv("c[i] > 0", 10), inv("p.n > 0", 10), inv("p.n < 9", 8), inv("len(c) <= 3", 10),
		},
	}}}
	j := NewJudge(doc, points)
	for _, tt := range []struct {
		name   string
		values []string
		want   []string
	}{
		{"all hold", []string{"1", "0", "2", "[3 4]", "0", "5"}, nil},
		{"out of range", []string{"2", "0", "2", "[3 4]", "0", "5"}, []string{"c[i] > 0"}},
		{"nil", []string{"1", "0", "2", "[3 4]", "nil", "-"}, []string{"p.n > 0"}},
		{"false", []string{"0", "0", "4", "[3 4 5 6]", "0", "9"},
			[]string{"p.n < 9", "len(c) <= 3"}},
	} {
		var got []string
		for _, inv := range j.Violated(0, tt.values) {
			got = append(got, inv.Expr)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	if n := j.Known(0); n != 4 {
		t.Errorf("got %d invariants, want 4", n)
	}
}
