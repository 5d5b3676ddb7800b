package constants_test

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
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

// TestObservedFields: the numbers and strings that fields of parameters had count for every struct with a field of
// that name, and only there.
func TestObservedFields(t *testing.T) {
	const trace = `{"schema":"dsd/trace/v1","module":{"path":"m","go":"1.22"},"packages":["m"],"tests":1,"points":[` +
		`{"func":"m.New","at":"entry","vars":[{"name":"c.Load","type":"float64","rep":"float"},` +
		`{"name":"c.Count","type":"int","rep":"int"},{"name":"c.In.Deep","type":"int","rep":"int"},` +
		`{"name":"len(c.List)","type":"int","rep":"int"},{"name":"share","type":"float64","rep":"float"}]}]}
{"p":0,"n":1,"v":["1.25","23","5","6","0.5"]}
{"p":0,"n":1,"v":["2","23","5","6","0.5"]}
`
	r, err := schemas.NewTraceReader(strings.NewReader(trace), "trace")
	if err != nil {
		t.Fatal(err)
	}
	observed, err := constants.Observe(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(observed["m.New"]) > 0 {
		t.Errorf("values of New: %v; of a parameter, no floating-point numbers", observed["m.New"])
	}
	_, pkg := searchtest.Load(t, "tested/pkg")
	set := constants.Collect(pkg, observed)
	field := func(name string, kind types.BasicKind) []constants.Value {
		v := types.NewField(token.NoPos, pkg.Types, name, types.Typ[kind], false)
		return set.Observed(candidate.Composite(pkg.Types.Scope().Lookup("Kilo").Type(), false, []*types.Var{v}), 0, types.Typ[kind])
	}
	for _, tt := range []struct {
		name string
		kind types.BasicKind
		want []uint64
	}{
		{"Count", types.Int, []uint64{23}},
		{"Count", types.String, nil},
		{"Load", types.Float64, []uint64{math.Float64bits(1.25), math.Float64bits(2)}},
		{"Deep", types.Int, nil},
		{"List", types.Int, nil},
	} {
		var got []uint64
		for _, v := range field(tt.name, tt.kind) {
			got = append(got, v.Bits)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestDocuments: bodies of requests are usually texts that the structs of the package are decoded from.
func TestDocuments(t *testing.T) {
	_, pkg := searchtest.Load(t, "tested/handler")
	text := types.Typ[types.String]
	op := candidate.Made(text, []types.Type{text, text}, "POST", nil)
	op.Body = true
	set := constants.Collect(pkg, nil)
	var got []string
	for _, v := range set.Usual(op, 1, text) {
		got = append(got, v.Text)
	}
	want := []string{
		`{"buyer":"a","items":["a"],"paid":{"cents":1,"at":"2006-01-02T15:04:05Z"},"notes":{"a":"YQ=="},"count":{"1":true}}`,
		`{"cents":1,"at":"2006-01-02T15:04:05Z"}`, "{}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if path := set.Usual(op, 0, text); len(path) > 0 {
		t.Errorf("the path is usually %v", path)
	}
}

// TestLearn: learned texts are among the texts, and the last ones are drawn more often.
func TestLearn(t *testing.T) {
	v := constants.Learn(&run.Vocabulary{Texts: []string{"a"}}, []string{`"b"`, "7"})
	v = constants.Learn(v, []string{`"c"`})
	if !slices.Equal(v.Texts, []string{"a", "b", "c"}) || !slices.Equal(v.Learned, []string{"b", "c"}) || !slices.Equal(v.Numbers, []uint64{7}) {
		t.Errorf("got %+v", v)
	}
	if v = constants.Extend(v, []string{`"d"`}); !slices.Equal(v.Learned, []string{"b", "c"}) {
		t.Errorf("Extend: learned %q", v.Learned)
	}
	v = constants.Learn(v, slices.Repeat([]string{`"e"`}, 100))
	if len(v.Learned) != 64 || v.Learned[0] != "e" {
		t.Errorf("learned %d, the first is %q", len(v.Learned), v.Learned[0])
	}
}
