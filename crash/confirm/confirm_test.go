package confirm

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/report"
	"dsd/crash/search/feedback"
	"dsd/crash/verify"
	"dsd/internal/confine"
	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/schemas"
)

func TestMain(m *testing.M) {
	confine.Init()
	os.Exit(m.Run())
}

func load(tb testing.TB) *source.Program {
	tb.Helper()
	prog, err := source.Load(context.Background(), filepath.Join("testdata", "mod"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return prog
}

// counterexample parses a counterexample; it returns nil for "".
func counterexample(tb testing.TB, text string) *schemas.Counterexample {
	tb.Helper()
	if text == "" {
		return nil
	}
	ce := new(schemas.Counterexample)
	if err := json.Unmarshal([]byte(text), ce); err != nil {
		tb.Fatal(err)
	}
	return ce
}

// TestRun confirms one warning of each outcome.
func TestRun(t *testing.T) {
	prog := load(t)
	const (
		odd   = `{"receiver": {"name": "o", "fields": [{"name": "n", "lit": "2"}]}}`
		queue = `{"receiver": {"name": "q", "ref": 0}, ` +
			`"objects": [{"fields": [{"name": "next", "lit": "3"}]}]}`
		div  = `{"params": [{"name": "a", "lit": "1"}, {"name": "b", "lit": "0"}]}`
		fine = `{"params": [{"name": "a", "lit": "1"}, {"name": "b", "lit": "2"}]}`
		must = `{"params": [{"name": "ok", "lit": "false"}]}`
	)
	tests := []struct {
		fn                  string
		kind                schemas.Kind
		pos, counterexample string
		want                string // how the crash is built, or a part of the reason
	}{
		{"(*Queue).Take", "index", "m.go:15:14", queue, "sequence"},
		{"Odd.Half", "div-zero", "m.go:27:12", odd, "literal"},
		{"Div", "div-zero", "m.go:32:35", div, "sequence"},
		{"Div", "index", "m.go:32:35", fine, "took the path of the counterexample"},
		{"Div", "div-zero", "m.go:40:1", div, "another panic: div-zero at m.go:32"},
		{"Must", "explicit-panic", "m.go:36:3", must, "policy: "},
		{"Div", "index", "m.go:32:35", "", reasonNoCounterexample},
		{"Mul", "index", "m.go:32:35", div, reasonNoFunction},
	}
	doc := new(schemas.Warnings)
	for i, tt := range tests {
		doc.Warnings = append(doc.Warnings, schemas.Warning{
			ID: fmt.Sprintf("W%d", i+1), Func: "example.com/m." + tt.fn, Kind: tt.kind,
			Pos:            tt.pos,
			Counterexample: counterexample(t, tt.counterexample),
		})
	}
	dir := t.TempDir()
	out, err := Run(context.Background(), prog, doc, Options{Tests: dir})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range out.Crashes {
		got[c.Warning] = string(c.BuiltBy)
		text, err := os.ReadFile(filepath.Join(dir, c.Test.File))
		if err != nil || string(text) != c.Test.Source {
			t.Errorf("%s: the written test is %q, %v, want %q", c.Warning, text, err,
				c.Test.Source)
		}
	}
	for _, u := range out.Unconfirmed {
		got[u.Warning] = u.Reason
	}
	for i, tt := range tests {
		if id := doc.Warnings[i].ID; got[id] == "" || !strings.Contains(got[id], tt.want) {
			t.Errorf("%s %s: got %q, want %q", id, tt.fn, got[id], tt.want)
		}
	}
	want := schemas.CrashStats{Candidates: 6, Confirmed: 4, BySequence: 3, NoPublicWay: 1, Elsewhere: 1,
		Suppressed: 1}
	if out.Stats != want {
		t.Errorf("got stats %+v, want %+v", out.Stats, want)
	}
}

// TestBudget: a search for calls that has begun ends with the budget, not when all candidates were tried, which takes four
// minutes here.
func TestBudget(t *testing.T) {
	doc := &schemas.Warnings{Warnings: []schemas.Warning{{
		ID: "W1", Func: "example.com/m.Slow", Kind: "div-zero", Pos: "slow.go:8:11",
		Counterexample: counterexample(t, `{"params": [{"name": "n", "lit": "3"}]}`),
	}}}
	var log strings.Builder
	begin := time.Now()
	if _, err := Run(context.Background(), load(t), doc, Options{Budget: 8 * time.Second, Log: &log}); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); got != "the search for other inputs ended after the budget of 8s\n" {
		t.Errorf("the log is %q", got)
	}
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

// TestNotRun: a program that ends before its tests run is an error, but not where other parts of the packages are confirmed
// elsewhere.
func TestNotRun(t *testing.T) {
	doc := &schemas.Warnings{Warnings: []schemas.Warning{{
		ID: "W1", Func: "example.com/m/ends.First", Kind: "index", Pos: "ends/ends.go:8:34",
		Counterexample: counterexample(t, `{"params": [{"name": "l", "lit": "nil"}]}`),
	}}}
	for _, tt := range []struct {
		shard shard.Shard
		err   string
	}{{shard.Shard{}, "no test could be run: the test did not start: "}, {shard.Shard{Number: 1, Of: 2}, ""}} {
		out, err := Run(context.Background(), load(t), doc, Options{Shard: tt.shard, NoSequences: true})
		if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.err)) {
			t.Errorf("%v: got %v, want %q", tt.shard, err, tt.err)
		}
		if len(out.Unconfirmed) != 1 || !strings.HasPrefix(out.Unconfirmed[0].Reason, "the test did not start: ") {
			t.Errorf("%v: unconfirmed are %v", tt.shard, out.Unconfirmed)
		}
	}
}

// TestSolve: a call sequence with the arguments that the solver answers replaces the literal.
func TestSolve(t *testing.T) {
	prog := load(t)
	doc := &schemas.Warnings{Warnings: []schemas.Warning{{
		ID: "W1", Func: "example.com/m.(*Queue).Take", Kind: "index", Pos: "m.go:15:14",
		Counterexample: counterexample(t,
			`{"receiver": {"ref": 0}, "objects": [{"fields": [{"name": "next", "lit": "1"}]}]}`),
	}}}
	c := &confirmer{
		solved: map[string]*attempt{},
		prog:   prog,
		opt: Options{Jobs: 1, Timeout: DefaultTimeout, Policy: report.Classic,
			Log: verify.Log(nil)},
		warnings: doc.Warnings, funcs: verify.Funcs(prog), reasons: map[string]reason{},
		ways: map[string]way{},
	}
	var asked []string
	c.opt.Solve = func(_ context.Context, _ *source.Program, funcs []*source.Func,
		asks func(fn string, kind schemas.Kind, pos string) bool,
	) (*schemas.Warnings, error) {
		answers := new(schemas.Warnings)
		for _, f := range funcs {
			if !asks(f.Name, "index", "m.go:15:3") ||
				asks(f.Name, "index", "m.go:16:3") ||
				asks(f.Name, "shift", "m.go:15:3") {
				t.Errorf("%s: asks does not report the warned panic", f.Name)
			}
			asked = append(asked, f.Name)
			ce := &schemas.Counterexample{}
			for range f.Obj.Signature().Params().Len() {
				ce.Params = append(ce.Params, schemas.Input{})
			}
			answers.Warnings = append(answers.Warnings, schemas.Warning{
				Func: f.Name, Kind: "index", Pos: "m.go:15:14", Counterexample: ce,
			})
		}
		return answers, nil
	}
	ctx := context.Background()
	if err := c.literals(ctx); err != nil {
		t.Fatal(err)
	}
	if got := c.document(); len(got.Crashes) != 1 ||
		got.Crashes[0].BuiltBy != schemas.ByLiteral {
		t.Fatalf("before solving: got %+v, want one crash by literal", got.Crashes)
	}
	if err := c.solve(ctx); err != nil {
		t.Fatal(err)
	}
	if len(asked) == 0 {
		t.Fatal("the solver was not asked")
	}
	got := c.document()
	if len(got.Crashes) != 1 || got.Crashes[0].BuiltBy != schemas.BySequence ||
		!strings.Contains(got.Crashes[0].Inputs, "NewQueue()") {
		t.Errorf("after solving: got %+v, want one crash by a sequence with NewQueue",
			got.Crashes)
	}
}

// TestElsewhere: a test that panics, but not as warned, shows a crash of its own, unless the policy
// suppresses that.
func TestElsewhere(t *testing.T) {
	doc := &schemas.Warnings{Warnings: []schemas.Warning{
		{ID: "W1", Func: "example.com/m.Div", Kind: "index", Pos: "m.go:40:1",
			Counterexample: counterexample(t,
				`{"params": [{"name": "a", "lit": "1"}, {"name": "b", "lit": "0"}]}`)},
		{ID: "W2", Func: "example.com/m.Must", Kind: "index", Pos: "m.go:40:1",
			Counterexample: counterexample(t, `{"params": [{"name": "ok", "lit": "false"}]}`)},
	}}
	out, err := Run(context.Background(), load(t), doc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Crashes) != 1 {
		t.Fatalf("got %d crashes, want one", len(out.Crashes))
	}
	if c := out.Crashes[0]; c.Kind != "div-zero" || c.Pos != "m.go:32" || c.Warning != "W1" {
		t.Errorf("got %s at %s, of %s", c.Kind, c.Pos, c.Warning)
	} else if c.Test.Name != "TestCrashDivDivZero" || strings.Contains(c.Test.Source, "m.go:40") {
		t.Errorf("the test is named or explained as the warned crash:\n%s", c.Test.Source)
	}
	want := schemas.CrashStats{Candidates: 2, Elsewhere: 2, Suppressed: 1}
	if len(out.Unconfirmed) != 2 || out.Stats != want {
		t.Errorf("got %d unconfirmed, stats %+v, want 2 and %+v", len(out.Unconfirmed),
			out.Stats, want)
	}
}

func TestJudge(t *testing.T) {
	for _, tt := range []struct {
		verdict verify.Verdict
		reason  string
		stats   schemas.CrashStats
		crashes int
	}{
		{verify.Verdict{Status: verify.Same}, "",
			schemas.CrashStats{Candidates: 1, Confirmed: 1, BySequence: 1}, 1},
		{verify.Verdict{Status: verify.NotBuilt, Reason: "r"}, "r", schemas.CrashStats{}, 0},
		{verify.Verdict{Status: verify.NoPanic, Reason: "r"}, "r", schemas.CrashStats{Candidates: 1}, 0},
		{verify.Verdict{Status: verify.Other, Reason: "r"}, "r",
			schemas.CrashStats{Candidates: 1, Elsewhere: 1}, 0},
	} {
		c := &confirmer{reasons: map[string]reason{}, ways: map[string]way{},
			solved: map[string]*attempt{}}
		c.opt.Policy = report.Classic
		c.judge(&attempt{warning: &schemas.Warning{ID: "W1", Kind: "index"},
			builtBy: schemas.BySequence}, tt.verdict)
		if c.reasons["W1"].text != tt.reason || c.stats != tt.stats ||
			len(c.crashes) != tt.crashes {
			t.Errorf("%+v: got %q, %+v, %d crashes, want %q, %+v, %d",
				tt.verdict, c.reasons["W1"], c.stats, len(c.crashes), tt.reason, tt.stats, tt.crashes)
		}
	}
}

func TestAccept(t *testing.T) {
	for _, tt := range []struct {
		warning schemas.Warning
		policy  report.Policy
		builtBy schemas.BuiltBy
		want    bool
	}{
		{schemas.Warning{Kind: "index"}, report.Classic, schemas.BySequence, true},
		{schemas.Warning{Kind: "explicit-panic"}, report.Classic, schemas.BySequence, false},
		{schemas.Warning{Kind: "explicit-panic"}, report.Relaxed, schemas.BySequence, true},
		{schemas.Warning{Kind: "nil-deref", Param: "p", Preconditions: true}, report.Classic,
			schemas.BySequence, true},
		{schemas.Warning{Kind: "nil-deref", Param: "p", Preconditions: true}, report.Classic,
			schemas.ByLiteral, true},
	} {
		c := &confirmer{reasons: map[string]reason{}, ways: map[string]way{},
			solved: map[string]*attempt{}}
		c.opt.Policy = tt.policy
		x := schemas.Crash{BuiltBy: tt.builtBy}
		if got := c.accept(&tt.warning, &x, false); got != tt.want {
			t.Errorf("%+v: got %v, want %v", tt, got, tt.want)
		}
	}
}

// TestTargets: sequences are sought where a literal confirms the warning or cannot be written, not
// where it fails.
func TestTargets(t *testing.T) {
	prog := load(t)
	ce := new(schemas.Counterexample)
	fn := "example.com/m.Div"
	c := &confirmer{
		solved: map[string]*attempt{},
		prog:   prog, funcs: verify.Funcs(prog),
		warnings: []schemas.Warning{
			{ID: "literal", Func: fn, Counterexample: ce}, {ID: "suppressed", Func: fn, Counterexample: ce},
			{ID: "sequence", Func: fn, Counterexample: ce}, {ID: "inexpressible", Func: fn,
				Counterexample: ce},
			{ID: "failed", Func: fn, Counterexample: ce}, {ID: "none", Func: fn}, {ID: "gone",
				Func: "m.Gone", Counterexample: ce},
		},
		ways: map[string]way{"literal": literalWay, "suppressed": literalWay,
			"sequence": publicWay},
		crashes: []schemas.Crash{{Warning: "sequence"}, {Warning: "literal"}},
	}
	var got []string
	for _, g := range c.targets()[prog.Package("example.com/m")] {
		got = append(got, g.warning.ID)
		if (g.literal != nil) != (g.warning.ID == "literal") {
			t.Errorf("%s: got the reported crash %v", g.warning.ID, g.literal)
		}
	}
	if want := []string{"literal", "suppressed", "inexpressible", "failed", "none"}; !slices.Equal(got, want) {
		t.Errorf("got targets %v, want %v", got, want)
	}
}

func TestMatches(t *testing.T) {
	fn := func(name string) *types.Func {
		return types.NewFunc(0, nil, name,
			types.NewSignatureType(nil, nil, nil, nil, nil, false))
	}
	warned, other := fn("F"), fn("G")
	crash := func(
		kind schemas.Kind, pos string, f *types.Func, checked, held int,
	) *feedback.Crash {
		return &feedback.Crash{
			Kind: kind, Target: f, Called: 2,
			Frames:     []schemas.Frame{{Func: source.FuncName(f), Pos: pos}},
			PreChecked: checked, PreHeld: held, ArgsHeld: held,
		}
	}
	for _, tt := range []struct {
		crash         *feedback.Crash
		without, with bool // preconditions
	}{
		{crash("index", "m.go:3", warned, 2, 2), true, true},
		{crash("index", "m.go:3", warned, 2, 1), true, false},
		{crash("index", "m.go:3", warned, 0, 0), true, true},
		{crash("index", "m.go:4", warned, 2, 2), false, false},
		{crash("shift", "m.go:3", warned, 2, 2), false, false},
		{crash("index", "m.go:3", other, 2, 2), false, false},
	} {
		for preconditions, want := range map[bool]bool{false: tt.without, true: tt.with} {
			g := &target{
				warning: &schemas.Warning{Kind: "index", Pos: "m.go:3:7",
					Preconditions: preconditions},
				fn: &source.Func{Obj: warned},
			}
			if got := g.matches(tt.crash); got != want {
				t.Errorf("%+v, preconditions %v: got %v, want %v", tt.crash,
					preconditions, got, want)
			}
		}
	}
}

func TestAppendLiterals(t *testing.T) {
	ce := counterexample(t, `{
		"receiver": {"ref": 0},
		"params": [{"lit": "7"}, {"lit": "-3"}, {"lit": "\"a\""}, {"lit": "true"}, `+
		`{"lit": "1.5"}, {"lit": "nil"},
			{"elems": [{"index": 0, "key": {"lit": "\"k\""}, "value": {"lit": "8"}}]}, `+
		`{"dynamic": {"type": "int", "lit": "9"}}],
		"objects": [{"fields": [{"name": "n", "lit": "10"}, {"name": "m", "lit": "7"}]}]
	}`)
	got := appendLiterals([]string{"9"}, ce)
	want := []string{"9", "7", "-3", `"a"`, `"k"`, "8", "10"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
