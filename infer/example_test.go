package infer_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"dsd/infer"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// trace is what infer trace writes of a function Half(n int) whose tests call it with even numbers.
func trace() infer.Source { return traceOf(20) }

// traceOf returns such a trace of so many calls, with the numbers 0, 2, 4 and so on.
func traceOf(calls int) infer.Source {
	var text strings.Builder
	text.WriteString(`{"schema": "dsd/trace/v1", "module": {"path": "example.com/m"}, ` +
		`"packages": ["example.com/m"], "tests": 1, "points": [{"func": "example.com/m.Half", ` +
		`"at": "entry", "params": ["n"], "vars": [{"name": "n", "type": "int", "rep": "int"}]}]}` + "\n")
	for n := range calls {
		fmt.Fprintf(&text, "{\"p\":0,\"n\":9,\"v\":[\"%d\"]}\n", 2*n)
	}
	return func() (*schemas.TraceReader, error) {
		return schemas.NewTraceReader(bytes.NewReader([]byte(text.String())), "trace")
	}
}

func ExampleInvariants() {
	doc, err := infer.Invariants([]infer.Source{trace()}, 0.99, io.Discard)
	for _, p := range doc.Points {
		for _, inv := range p.Invariants {
			fmt.Println(p.Func, p.At, inv.Expr)
		}
	}
	fmt.Println(err)
	// Output:
	// example.com/m.Half entry n % 2 == 0
	// example.com/m.Half entry n >= 0
	// <nil>
}

// Trace the tests of a module.
func ExampleTrace() {
	var text bytes.Buffer
	err := infer.Trace(context.Background(), &text, infer.TraceOptions{
		Dir: filepath.Join("testdata", "half"), Log: io.Discard,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := schemas.NewTraceReader(&text, "trace")
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, err := t.Next(); err == nil; s, err = t.Next() {
		p := t.Header.Points[s.Point]
		fmt.Println(p.Func, p.At, s.Values, s.Count)
	}
	// Output:
	// example.com/half.Half entry [2] 1
	// example.com/half.Half entry [4] 3
	// example.com/half.Half exit [2 1] 1
	// example.com/half.Half exit [4 2] 3
}

// Merge two traces into one.
func ExampleMerge() {
	a, errA := traceOf(1)()
	b, errB := traceOf(2)()
	var text bytes.Buffer
	if err := cmp.Or(errA, errB, infer.Merge(&text, []*schemas.TraceReader{a, b})); err != nil {
		fmt.Println(err)
		return
	}
	_, samples, _ := strings.Cut(text.String(), "\n")
	fmt.Print(samples)
	// Output:
	// {"p":0,"n":18,"v":["0"]}
	// {"p":0,"n":9,"v":["2"]}
}

// half returns what some calls of Half show: that no n is greater than most.
func half(most, samples int64) *schemas.Invariants {
	doc := &schemas.Invariants{Points: []schemas.Point{{
		Func: "example.com/m.Half", At: schemas.AtEntry, Samples: samples,
		Invariants: []schemas.Invariant{{
			Template: "upper-bound", Vars: []string{"n"}, Params: []string{fmt.Sprint(most)},
			Expr: fmt.Sprint("n <= ", most), Samples: samples, Assumed: true,
		}},
	}}}
	doc.Module.Path = "example.com/m"
	return doc
}

// Join what two runs showed.
func ExampleJoin() {
	doc, err := infer.Join([]*schemas.Invariants{half(30, 10), half(50, 5)})
	for _, p := range doc.Points {
		fmt.Println(p.Func, p.At, p.Samples, p.Invariants[0].Expr)
	}
	fmt.Println(err)
	// Output:
	// example.com/m.Half entry 15 n <= 50
	// <nil>
}

// Compare the invariants of two versions. The trace of the second has a call that shows the change.
func ExampleDiff() {
	changes, err := infer.Diff(infer.Side{Doc: half(30, 10)},
		infer.Side{Doc: half(50, 10), Trace: trace()})
	for _, c := range changes.Changes {
		fmt.Printf("%s %s: %s -> %s, %v\n", c.Kind, c.Func, c.Old, c.New, c.Witness.Values)
	}
	fmt.Println(err)
	// Output:
	// weakened example.com/m.Half: n <= 30 -> n <= 50, [n is 32]
	// <nil>
}

// Learn in which order the methods of types are called, from the source alone.
func ExampleModels() {
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "half"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := infer.Models(context.Background(), prog,
		infer.ModelOptions{Static: true, Log: io.Discard})
	for _, m := range doc.Models {
		for _, t := range m.Transitions {
			fmt.Printf("%s: %q, then %q: %d\n", symbol.Short(m.Type), symbol.Short(t.From),
				symbol.Short(t.To), t.Count)
		}
	}
	fmt.Println(err)
	// Output:
	// half.Door: "", then "half.Door{}": 1
	// half.Door: "half.(*Door).Open", then "half.(*Door).Close": 1
	// half.Door: "half.Door{}", then "half.(*Door).Open": 1
	// <nil>
}

func ExampleViolations() {
	t, err := trace()()
	if err != nil {
		fmt.Println(err)
		return
	}
	found, _, err := infer.Violations(half(30, 10), t)
	for _, v := range found {
		fmt.Println(v.Func, v.At, v.Invariant.Expr, v.Samples, v.Values)
	}
	fmt.Println(err)
	// Output:
	// example.com/m.Half entry n <= 30 36 [n is 32]
	// <nil>
}

func ExampleShow() {
	if err := infer.Show(os.Stdout, half(30, 10), "Half", false); err != nil {
		fmt.Println(err)
	}
	// Output:
	// example.com/m.Half
	//   on entry, 10 calls
	//       n <= 30
}

func ExampleShowChanges() {
	changes, err := infer.Diff(infer.Side{Doc: half(30, 10)},
		infer.Side{Doc: half(50, 10), Trace: trace()})
	if err == nil {
		err = infer.ShowChanges(os.Stdout, changes)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// example.com/m.Half, on entry
	//   - n <= 30
	//   + n <= 50  (weakened)
	//       refuted by 36 calls: n is 32
}

func ExampleShowViolations() {
	list := []*infer.Violation{{
		Func: "example.com/m.Half", At: schemas.AtEntry, Samples: 9, Values: []string{"n is 32"},
		Invariant: schemas.Invariant{Expr: "n <= 30"},
	}}
	if err := infer.ShowViolations(os.Stdout, list); err != nil {
		fmt.Println(err)
	}
	// Output:
	// example.com/m.Half, on entry
	//     n <= 30  violated by 9 calls: n is 32
}

// Learn from a file of one of Daikon's front ends.
func ExampleFromDaikon() {
	text := "decl-version 2.0\nppt m.Half():::ENTER\nppt-type enter\nvariable n\n" +
		"var-kind variable\nrep-type int\ndec-type int\ncomparability 1\n"
	for n := range 20 {
		text += fmt.Sprintf("\nm.Half():::ENTER\nn\n%d\n1\n", 2*n)
	}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "half.dtrace")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	doc, err := infer.FromDaikon([]string{file}, 0.99, io.Discard)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, inv := range doc.Points[0].Invariants {
		fmt.Println(doc.Points[0].Func, inv.Expr)
	}
	// Output:
	// m.Half() n % 2 == 0
	// m.Half() n >= 0
}
