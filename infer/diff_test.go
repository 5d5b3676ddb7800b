package infer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dsd/schemas"
)

// TestDiff checks the changes of invariants and their witnesses: calls and tests.
func TestDiff(t *testing.T) {
	doc := func(exprs ...string) *schemas.Invariants {
		d := &schemas.Invariants{Header: schemas.Header{Module: schemas.Module{Path: "m"}}}
		p := schemas.Point{Func: "m.F", At: "entry"}
		for _, e := range exprs {
			vars := []string{"n"}
			if strings.Contains(e, "m") {
				vars = []string{"n", "m"}
			}
			p.Invariants = append(p.Invariants, schemas.Invariant{Expr: e, Vars: vars})
		}
		d.Points = append(d.Points, p)
		return d
	}
	var trace bytes.Buffer
	w, err := schemas.NewTraceWriter(&trace, schemas.TraceHeader{
		Header:    schemas.Header{Module: schemas.Module{Path: "m"}},
		Witnesses: []string{"m.TestA", "m.TestB"},
		Points:    []schemas.TracePoint{{Func: "m.F", At: "entry", Vars: ints("n", "m")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []schemas.Sample{
		{Count: 5, Test: 1, Values: []string{"3", "4"}},
		{Count: 2, Test: 2, Values: []string{"-1", "4"}},
		{Count: 1, Values: []string{"9", "9"}},
	} {
		if err := w.WriteSample(s); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	open := func() (*schemas.TraceReader, error) {
		return schemas.NewTraceReader(bytes.NewReader(trace.Bytes()), "trace")
	}
	for _, test := range []struct {
		old, new []string
		want     []string
	}{
		{[]string{"n >= 0"}, []string{"n >= 0"}, nil},
		{
			[]string{"n >= 0"}, nil,
			[]string{"vanished n >= 0 -> : 2 in m.TestB [n is -1]"},
		},
		{
			[]string{"n >= 0"}, []string{"n >= -1"},
			[]string{"weakened n >= 0 -> n >= -1: 2 in m.TestB [n is -1]"},
		},
		{
			[]string{"n < m"}, []string{"n <= m"},
			[]string{"weakened n < m -> n <= m: 1 in  [n is 9 m is 9]"},
		},
		{
			[]string{"n >= -5"}, []string{"n >= -1"},
			[]string{"strengthened n >= -5 -> n >= -1"},
		},
		{nil, []string{"n >= -1"}, []string{"appeared  -> n >= -1"}},
		// An implied invariant neither vanishes nor appears.
		{[]string{"n == 3", "n >= 0"}, []string{"n == 3"}, nil},
		{[]string{"n == 3"}, []string{"n == 3", "n >= 0"}, nil},
	} {
		d, err := Diff(Side{Doc: doc(test.old...)}, Side{Doc: doc(test.new...), Trace: open})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range d.Changes {
			text := fmt.Sprintf("%s %s -> %s", c.Kind, c.Old, c.New)
			if x := c.Witness; x != nil {
				text += fmt.Sprintf(": %d in %s %v", x.Samples, x.Test, x.Values)
			}
			got = append(got, text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("from %q to %q: got %q, want %q", test.old, test.new, got, test.want)
		}
	}
	other := doc("n >= 0")
	other.Module.Path = "other"
	_, err = Diff(Side{Doc: doc()}, Side{Doc: other})
	if err == nil || !strings.Contains(err.Error(), "module other") {
		t.Errorf("documents of two modules: got error %v, want one that names module other", err)
	}
}
