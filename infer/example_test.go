package infer_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"dsd/infer"
	"dsd/schemas"
)

// trace is what infer trace writes of a function Half(n int) whose tests call it with even numbers.
func trace() infer.Source {
	var text strings.Builder
	text.WriteString(`{"schema": "dsd/trace/v1", "module": {"path": "example.com/m"}, ` +
		`"packages": ["example.com/m"], "tests": 1, "points": [{"func": "example.com/m.Half", ` +
		`"at": "entry", "params": ["n"], "vars": [{"name": "n", "type": "int", "rep": "int"}]}]}` + "\n")
	for n := range 20 {
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

func ExampleViolations() {
	doc := &schemas.Invariants{Points: []schemas.Point{{Func: "example.com/m.Half",
		At:         schemas.AtEntry,
		Invariants: []schemas.Invariant{{Vars: []string{"n"}, Expr: "n <= 30"}}}}}
	doc.Module.Path = "example.com/m"
	t, err := trace()()
	if err != nil {
		fmt.Println(err)
		return
	}
	found, _, err := infer.Violations(doc, t)
	for _, v := range found {
		fmt.Println(v.Func, v.At, v.Invariant.Expr, v.Samples, v.Values)
	}
	fmt.Println(err)
	// Output:
	// example.com/m.Half entry n <= 30 36 [n is 32]
	// <nil>
}
