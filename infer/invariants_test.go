package infer

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"dsd/internal/expr"
	"dsd/schemas"
)

// ints returns variables of type int.
func ints(names ...string) (out []schemas.TraceVar) {
	for _, name := range names {
		out = append(out, schemas.TraceVar{Name: name, Type: "int", Rep: "int"})
	}
	return out
}

// traceOf returns a trace of module m. A sample is "point count values...".
func traceOf(t *testing.T, points []schemas.TracePoint, samples ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := schemas.NewTraceWriter(&out, schemas.TraceHeader{
		Header: schemas.Header{Module: schemas.Module{Path: "m"}},
		Tests:  1, Packages: []string{"m"}, Points: points,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		var sample schemas.Sample
		fields := strings.Fields(s)
		fmt.Sscan(fields[0], &sample.Point)
		fmt.Sscan(fields[1], &sample.Count)
		sample.Values = fields[2:]
		if err := w.WriteSample(sample); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// learned returns the assumed invariants that traces justify, each as "function point: expression".
func learned(t *testing.T, traces ...[]byte) []string {
	t.Helper()
	var sources []Source
	for _, trace := range traces {
		sources = append(sources, func() (*schemas.TraceReader, error) {
			return schemas.NewTraceReader(bytes.NewReader(trace), "trace")
		})
	}
	doc, err := Invariants(sources, 0.99, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range doc.Points {
		for _, inv := range p.Invariants {
			out = append(out, fmt.Sprintf("%s %s: %s", p.Func, p.At, inv.Expr))
		}
	}
	return out
}

// TestInterface checks that executions of a method count for an interface's method if their inputs
// satisfy its preconditions, whatever the parameters are called [DSD 7.4].
func TestInterface(t *testing.T) {
	points := []schemas.TracePoint{
		{
			Func: "m.I.M", At: "entry", Interface: true, Implementers: []string{"m.A.M", "m.B.M"},
			Params: []string{"i"}, Results: []string{"result"}, Vars: ints("i"),
		},
		{
			Func: "m.I.M", At: "exit", Interface: true, Implementers: []string{"m.A.M", "m.B.M"},
			Params: []string{"i"}, Results: []string{"result"}, Vars: ints("i", "result"),
		},
		{Func: "m.A.M", At: "entry", Params: []string{"x"}, Results: []string{"y"}, Vars: ints("x")},
		{Func: "m.A.M", At: "exit", Params: []string{"x"}, Results: []string{"y"}, Vars: ints("x", "y")},
		{Func: "m.B.M", At: "entry", Params: []string{"n"}, Results: []string{"result"}, Vars: ints("n")},
		{
			Func: "m.B.M", At: "exit",
			Params: []string{"n"}, Results: []string{"result"}, Vars: ints("n", "result"),
		},
	}
	through := []string{"0 9 1", "1 9 1 1", "2 9 1", "3 9 1 1"} // A's M, called through I: M(1) == 1
	got := learned(t, traceOf(t, points, append(through, "4 9 1", "5 9 1 0")...))
	for _, want := range []string{
		"m.I.M entry: i == 1", "m.A.M exit: y == 1", "m.B.M exit: result == 0",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("got\n%s\nwithout %s", strings.Join(got, "\n"), want)
		}
	}
	if slices.Contains(got, "m.I.M exit: result == 1") {
		t.Error("got m.I.M exit: result == 1, but B's M returns 0 for an input that I's M accepts")
	}
	// With another input, B's M does not count.
	got = learned(t, traceOf(t, points, append(through, "4 9 2", "5 9 2 0")...))
	if want := "m.I.M exit: result == 1"; !slices.Contains(got, want) {
		t.Errorf("got\n%s\nwithout %s", strings.Join(got, "\n"), want)
	}
}

// TestTypes checks that a type has the invariants for which the calls of each method alone are too
// little evidence, whatever the receivers are called.
func TestTypes(t *testing.T) {
	field := func(recv, name string) schemas.TraceVar {
		return schemas.TraceVar{Name: recv + "." + name, Type: "int", Rep: "int", Pointer: recv}
	}
	self := func(recv string) schemas.TraceVar {
		return schemas.TraceVar{Name: recv, Type: "*T", Rep: "ref"}
	}
	points := []schemas.TracePoint{
		{
			Func: "m.(*T).A", At: "entry", Receiver: "a",
			Vars: []schemas.TraceVar{self("a"), field("a", "n"), field("a", "m")},
		},
		{
			Func: "m.(*T).B", At: "entry", Receiver: "b",
			Vars: []schemas.TraceVar{self("b"), field("b", "n")},
		},
		{
			Func: "m.(*T).hidden", At: "entry", Receiver: "c",
			Vars: []schemas.TraceVar{self("c"), field("c", "n")},
		},
	}
	got := learned(t, traceOf(t, points, "0 4 1 3 7", "1 4 1 3", "2 1 1 99"))
	for _, want := range []string{
		"m.(*T).A entry: a.n == 3", "m.(*T).B entry: b.n == 3", "m.(*T).B entry: b != nil",
		"m.T type: a.n == 3",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("got\n%s\nwithout %s", strings.Join(got, "\n"), want)
		}
	}
	for _, line := range got {
		if strings.Contains(line, "b.m") {
			t.Errorf("got %s, but B does not observe m", line)
		}
		if strings.Contains(line, "implies") {
			t.Errorf("got %s, but no receiver was nil", line)
		}
		if strings.Contains(line, "hidden") {
			t.Errorf("got %s, but an unexported method does not observe the type", line)
		}
	}
}

// TestRename checks that whole names are renamed, and nothing in strings.
func TestRename(t *testing.T) {
	for _, test := range []struct{ expr, want string }{
		{"s.n == 1", "stack.n == 1"},
		{"len(s.s) <= ss.n", "len(stack.s) <= ss.n"},
		{`s.name == "s.n \" s" || s != nil`, `stack.name == "s.n \" s" || stack != nil`},
		{"implies(s != nil, old(s.n) == s.n)", "implies(stack != nil, old(stack.n) == stack.n)"},
	} {
		if got := renameExpr(test.expr, "s", "stack"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.expr, got, test.want)
		}
	}
	for _, test := range []struct{ name, want string }{
		{"s", "t"}, {"len(s.a)", "len(t.a)"}, {"*s", "*t"}, {"s[0]", "t[0]"}, {"so.a", ""}, {"a.s", ""},
	} {
		if got, _ := expr.RenameVar(test.name, "s", "t"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// TestMerge checks that the order of merges does not matter, and that a merged trace gives the same
// invariants as its parts.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	points := []schemas.TracePoint{
		{Func: "m.F", At: "entry", Vars: ints("a", "b")},
		{Func: "m.G", At: "entry", Vars: ints()},
	}
	merge := func(traces ...[]byte) []byte {
		t.Helper()
		var readers []*schemas.TraceReader
		for _, trace := range traces {
			in, err := schemas.NewTraceReader(bytes.NewReader(trace), "trace")
			if err != nil {
				t.Fatal(err)
			}
			readers = append(readers, in)
		}
		var out bytes.Buffer
		if err := Merge(&out, readers); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	for range 50 {
		var shards [][]byte
		for range 3 {
			var samples []string
			for range r.Intn(30) {
				samples = append(samples, fmt.Sprintf("0 %d %d %d", 1+r.Intn(5), r.Intn(4), r.Intn(3)))
			}
			slices.SortFunc(samples, func(a, b string) int { return strings.Compare(a[4:], b[4:]) })
			samples = slices.CompactFunc(samples, func(a, b string) bool { return a[4:] == b[4:] })
			shards = append(shards, traceOf(t, points, append(samples, "1 2")...))
		}
		a, b, c := shards[0], shards[1], shards[2]
		all := merge(a, b, c)
		for _, other := range [][]byte{merge(c, a, b), merge(merge(a, b), c), merge(a, merge(b, c))} {
			if !bytes.Equal(all, other) {
				t.Fatalf("in another order: got\n%s\nwant\n%s", other, all)
			}
		}
		if one, several := learned(t, all), learned(t, a, b, c); !slices.Equal(one, several) {
			t.Fatalf("from the merged trace: got\n%s\nwant as from the three\n%s",
				strings.Join(one, "\n"), strings.Join(several, "\n"))
		}
	}
}

// TestViolations checks which invariants samples contradict, and the reported values.
func TestViolations(t *testing.T) {
	list := schemas.TraceVar{Name: "s", Type: "[]int", Rep: "ints"}
	points := []schemas.TracePoint{
		{Func: "m.F", At: "entry", Vars: append(ints("a", "b"), list)},
	}
	doc := &schemas.Invariants{Points: []schemas.Point{
		{
			Func: "m.F", At: "entry",
			Invariants: []schemas.Invariant{
				{Expr: "a >= 0", Vars: []string{"a"}},
				{Expr: "a < b", Vars: []string{"a", "b"}},
				{Expr: "b <= 9", Vars: []string{"b"}},
				{Expr: "unheard(a)", Vars: []string{"a"}},
			},
			Ambitious: []schemas.Invariant{{Expr: "forall(i, s[i] > a)", Vars: []string{"s"}}},
		},
		{Func: "m.Gone", At: "entry"},
	}}
	doc.Module.Path = "m"
	trace := traceOf(t, points, "0 3 1 2 [2]", "0 2 5 4 [6]", "0 1 -1 -1 []")
	in, err := schemas.NewTraceReader(bytes.NewReader(trace), "trace")
	if err != nil {
		t.Fatal(err)
	}
	found, unknown, err := Violations(doc, in)
	const reason = "unheard(a): column 8: unknown function unheard"
	if err != nil || len(unknown) != 1 || !strings.Contains(unknown[0], reason) {
		t.Errorf("got error %v and unknown %q, want %q", err, unknown, reason)
	}
	var out bytes.Buffer
	ShowViolations(&out, found)
	want := `m.F, on entry
    a >= 0  violated by 1 call: a is -1
    a < b  violated by 3 calls: a is 5, b is 4
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
