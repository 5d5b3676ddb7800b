package report_test

import (
	"fmt"
	"os"

	"dsd/crash/report"
	"dsd/schemas"
)

func ExampleText() {
	doc := &schemas.Crashes{Crashes: []schemas.Crash{{
		ID: "C1", Kind: schemas.DivZero, Func: "example.com/m.Mean", Pos: "m.go:9:20",
		Message: "runtime error: integer divide by zero", Inputs: "\tMean(nil)",
		Rank: schemas.LikelyBug, SatisfiesInvariants: true, GroupSize: 1,
		Signs: []schemas.Sign{{Name: "satisfies-invariants", Weight: 1,
			Text: "the inputs satisfy the inferred preconditions (2)"}},
		Stack: []schemas.Frame{{Func: "example.com/m.Mean", Pos: "m.go:9"}},
		Test:  schemas.Test{Name: "TestCrashMeanDivZero", File: "crash_mean_div_zero_test.go"},
	}}}
	doc.Module.Path = "example.com/m"
	if err := report.Text(os.Stdout, doc, report.TextOptions{Tests: "tests"}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 likely bug, 0 to look at, 0 by contract, 0 unreachable
	//
	// C1 m.go:9:20: div-zero in example.com/m.Mean
	//     runtime error: integer divide by zero
	//     inputs  Mean(nil)
	//     for     the inputs satisfy the inferred preconditions (2)
	//     test    tests/crash_mean_div_zero_test.go
}
