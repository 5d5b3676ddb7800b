package infer

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// TestJoin checks that the order of joins does not matter, and that the result holds in all samples
// from which the documents were learned.
func TestJoin(t *testing.T) {
	vars := append(ints("a", "old(a)", "b", "c"),
		schemas.TraceVar{Name: "p", Type: "*T", Rep: "ref"},
		schemas.TraceVar{Name: "p.n", Type: "int", Rep: "int", Pointer: "p"},
	)
	points := []schemas.TracePoint{
		{Func: "m.F", At: "exit", Vars: vars},
		{Func: "m.G", At: "entry", Vars: ints("n")},
	}
	for seed := range int64(60) {
		r := rand.New(rand.NewSource(seed))
		var docs []*schemas.Invariants
		var all [][]string
		for shard := range 3 {
			var samples []string
			for range 12 {
				a, b := r.Intn(4+3*shard), r.Intn(5)-shard
				row := []string{
					fmt.Sprint(a), fmt.Sprint(a - r.Intn(2)*int(seed%2)), fmt.Sprint(b),
					fmt.Sprint(a + r.Intn(3)), "1", fmt.Sprint(r.Intn(3)),
				}
				if r.Intn(4) == 0 && seed%3 > 0 {
					row[4], row[5] = "nil", "-"
				}
				all = append(all, row)
				samples = append(samples, "0 1 "+strings.Join(row, " "))
			}
			if shard == 1 {
				samples = append(samples, "1 5 7")
			}
			trace := traceOf(t, points, samples...)
			open := func() (*schemas.TraceReader, error) {
				return schemas.NewTraceReader(bytes.NewReader(trace), "trace")
			}
			doc, err := Invariants([]Source{open}, 0.5, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			docs = append(docs, doc)
		}
		join := func(docs ...*schemas.Invariants) *schemas.Invariants {
			t.Helper()
			doc, err := Join(docs)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			// Write and read the document, as another run of infer merge would.
			if err := schemas.WriteInvariants(&text, doc); err != nil {
				t.Fatal(err)
			}
			if doc, err = schemas.ReadInvariants(&text, "joined"); err != nil {
				t.Fatal(err)
			}
			return doc
		}
		text := func(doc *schemas.Invariants) string {
			var out bytes.Buffer
			if err := schemas.WriteInvariants(&out, doc); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		a, b, c := docs[0], docs[1], docs[2]
		want := text(join(a, b, c))
		for name, doc := range map[string]*schemas.Invariants{
			"(a b) c": join(join(a, b), c),
			"a (b c)": join(a, join(b, c)),
			"c (b a)": join(c, join(b, a)),
			"(c a) b": join(join(c, a), b),
		} {
			if got := text(doc); got != want {
				t.Fatalf("seed %d: %s: got\n%s\nwant\n%s", seed, name, got, want)
			}
		}
		n := 0
		for _, p := range join(a, b, c).Points {
			if p.Func != "m.F" {
				continue
			}
			for _, inv := range append(p.Invariants, p.Ambitious...) {
				n++
				cond, err := invariant.NewScope(vars).Condition(inv.Expr)
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range all {
					values := make([]invariant.Value, len(vars))
					for i := range vars {
						values[i] = invariant.Parse(&vars[i], []byte(row[i]))
					}
					if ok, err := cond.Holds(values); !ok || err != nil {
						t.Errorf("seed %d: %s does not hold in %v: %v", seed, inv.Expr, row, err)
					}
				}
			}
		}
		if n == 0 {
			t.Errorf("seed %d: got no invariants", seed)
		}
	}
}
