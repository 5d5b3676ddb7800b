package constants_test

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/crash/search/searchtest"
	"dsd/schemas"
)

func ExampleParse() {
	for _, text := range []string{"-1", `"a\n"`, "true", "18446744073709551615", "nil", "1.5"} {
		v, ok := constants.Parse(text)
		fmt.Printf("%s: %d %q %v\n", text, int64(v.Bits), v.Text, ok)
	}
	// Output:
	// -1: -1 "" true
	// "a\n": 0 "a\n" true
	// true: 1 "" true
	// 18446744073709551615: -1 "" true
	// nil: 0 "" false
	// 1.5: 0 "" false
}

// TestObserved checks that the values of a parameter in a trace come first among its usual values.
func TestObserved(t *testing.T) {
	_, pkg := searchtest.Load(t, "tested/pkg")
	trace, err := os.Open(filepath.Join("..", "testdata", "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	r, err := schemas.NewTraceReader(trace, "trace.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	observed, err := constants.Observe(r)
	if err != nil {
		t.Fatal(err)
	}
	if got := observed["tested/pkg.Weigh"]["k"]; !slices.Equal(got, []string{"17", "0"}) {
		t.Errorf("got observed values %q of k, want 17 and 0", got)
	}
	fn := pkg.Types.Scope().Lookup("Weigh").(*types.Func)
	op := candidate.Call(fn, nil, nil, fn.Type().(*types.Signature))
	got := constants.Collect(pkg, observed).Usual(op, 0, types.Typ[types.Int])
	if len(got) < 2 || got[0].Bits != 17 || got[1].Bits != 0 {
		t.Errorf("got usual values %v of k, want 17 and 0 first", got)
	}
}
