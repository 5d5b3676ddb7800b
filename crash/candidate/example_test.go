package candidate_test

import (
	"context"
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"dsd/crash/candidate"
	"dsd/internal/source"
)

// Two candidates call Div, one of them with a divisor of 0.
func Example() {
	ctx := context.Background()
	prog, err := source.Load(ctx, filepath.Join("testdata", "mod"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pkg := prog.Package("executed/pkg")
	div := pkg.Types.Scope().Lookup("Div").(*types.Func)
	table := []*candidate.Op{
		candidate.Literal(types.Typ[types.Int]),
		candidate.Call(div, nil, nil, div.Type().(*types.Signature)),
	}
	h, err := candidate.Build(ctx, prog, pkg, table,
		candidate.BuildOptions{Reset: candidate.ResetReinit})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer h.Close()
	r := h.NewRunner(candidate.DefaultLimits)
	defer r.Close()
	batch := []candidate.Program{
		{{Op: 0, Bits: 6}, {Op: 0, Bits: 3}, {Op: 1, Args: []int{0, 1}}},
		{{Op: 0, Bits: 6}, {Op: 0, Bits: 0}, {Op: 1, Args: []int{0, 1}}},
	}
	events, err := r.Run(ctx, batch)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events {
		if e.Kind == "panic" {
			message, _, _ := strings.Cut(e.Text, "\n")
			fmt.Printf("candidate %d, statement %d: %s\n", e.Index, e.Stmt, message)
			p := e.Program(batch)
			test, _ := p.WriteTest(pkg, h.Table, "TestDiv", "TestDiv panics.", false)
			fmt.Println(strings.TrimSpace(test.Body))
		}
	}
	// Output:
	// candidate 1, statement 2: panic: runtime error: integer divide by zero
	// Div(6, 0)
}
