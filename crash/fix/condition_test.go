package fix

import (
	"context"
	"slices"
	"strings"
	"testing"

	"dsd/internal/source"
	"dsd/schemas"
)

// TestMissingCheck: the first condition that the prover accepts is the answer, single ones first.
func TestMissingCheck(t *testing.T) {
	prog := load(t)
	for _, tt := range []struct {
		fn      string
		kind    schemas.Kind
		accepts string // the condition that the prover accepts
		want    string
		why     string // a part of the reason
	}{
		{"At", schemas.Index, "i < len(list)", "i < len(list)", ""},
		{"At", schemas.Index, "i >= 0 && i < len(list)", "i >= 0 && i < len(list)", ""},
		{"(*Stack).Push", schemas.Index, "s.size >= 0", "s.size >= 0", ""},
		{"Div", schemas.DivZero, "b != 0", "b != 0", ""},
		{"Record.Share", schemas.DivZero, "r.Low != r.High", "r.Low != r.High", ""},
		{"Low", schemas.NilDeref, "r != nil", "r != nil", ""},
		{"At", schemas.Index, "never", "", "no simple condition"},
		{"At", schemas.Index, "", "", "within its bounds"},
		{"Gone", schemas.Index, "", "", "has no function"},
	} {
		c := &schemas.Crash{Func: "example.com/mod." + tt.fn, Kind: tt.kind, Pos: "mod.go:1"}
		prove := func(_ context.Context, _ *source.Func, _ schemas.Kind, _, cond string) (bool, error) {
			return cond == tt.accepts, nil
		}
		got, why, err := MissingCheck(context.Background(), prog, c, prove, nil)
		if err != nil || got != tt.want || !strings.Contains(why, tt.why) {
			t.Errorf("%s, %q: got %q, %q, %v, want %q, %q", tt.fn, tt.accepts, got, why, err, tt.want,
				tt.why)
		}
	}
}

// TestMissingCheckRefused: conditions that are refused are passed over, and named if no other one is left.
func TestMissingCheckRefused(t *testing.T) {
	prog := load(t)
	c := &schemas.Crash{Func: "example.com/mod.At", Kind: schemas.Index, Pos: "mod.go:1"}
	prove := func(_ context.Context, _ *source.Func, _ schemas.Kind, _, cond string) (bool, error) {
		return cond == "len(list) > 0" || cond == "i < len(list)", nil
	}
	refuse := func(cond string) (string, error) {
		if cond == "len(list) > 0" {
			return "then TestAt fails", nil
		}
		return "", nil
	}
	if got, why, err := MissingCheck(context.Background(), prog, c, prove, refuse); got != "i < len(list)" || err != nil {
		t.Errorf("got %q, %q, %v", got, why, err)
	}
	all := func(string) (string, error) { return "then TestAt fails", nil }
	got, why, err := MissingCheck(context.Background(), prog, c, prove, all)
	if got != "" || err != nil || !strings.Contains(why, "(len(list) > 0 does, but then TestAt fails)") {
		t.Errorf("got %q, %q, %v", got, why, err)
	}
}

// TestConditions: weaker conditions come before stronger ones.
func TestConditions(t *testing.T) {
	prog := load(t)
	for _, f := range prog.Package("example.com/mod").Funcs() {
		if f.Obj.Name() != "At" {
			continue
		}
		got := conditions(f, schemas.Index)
		if a, b := slices.Index(got, "len(list) > 0"), slices.Index(got, "len(list) > 1"); a < 0 || b < a {
			t.Errorf("got %q", got)
		}
	}
}
