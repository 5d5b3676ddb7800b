package campaign

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/search/feedback"
	"dsd/crash/search/searchtest"
	"dsd/internal/confine"
	"dsd/internal/expr"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

func TestMain(m *testing.M) {
	confine.Init() // the harness runs this binary again, confined
	os.Exit(m.Run())
}

func runCampaign(t *testing.T, prog *source.Program, pkg *source.Package, opt Options) *Result {
	t.Helper()
	opt.Time, opt.Seed, opt.Reset = 20*time.Second, 1, candidate.ResetReinit
	res, err := Run(context.Background(), prog, pkg, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestRun checks that the crashes of the test package are found, each by a test as short as can be.
func TestRun(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	res := runCampaign(t, prog, pkg, Options{Candidates: 300_000, All: true})
	got := map[string]string{}
	for _, x := range res.Crashes {
		if x.NilArgument {
			continue
		}
		test, err := x.Program.WriteTest(pkg, res.Graph.Table, "TestX", "", false)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.ReplaceAll(strings.TrimSpace(test.Body), "\n\t", "; ")
		got[symbol.Short(x.Frames[0].Func)+" "+string(x.Kind)] = body
	}
	for crash, want := range map[string]string{
		"pkg.(*Bounded).Push index":           "b := New(); b.Pop(); b.Push(0)",
		"pkg.Weigh div-zero":                  "Weigh(0)",
		"pkg.Magic explicit-panic":            `Magic("open sesame")`,
		"pkg.(*Tree[...]).Leftmost nil-deref": "t := &Tree[int]{}; t.Leftmost()",
		"pkg.Sum index":                       "Sum([]int{0}, Twice)",
		"pkg.Endless stack-overflow":          "Endless(0)",
	} {
		if got[crash] != want {
			t.Errorf("%s: got test %q, want %q", crash, got[crash], want)
		}
		delete(got, crash)
	}
	for crash, body := range got {
		t.Errorf("unexpected crash %s: %s", crash, body)
	}
	t.Logf("%+v", res.Stats)
}

// TestMoreTime: a run that is given more time draws the candidates of one that is given less, and then others. So it finds
// the same crashes first.
func TestMoreTime(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	found := func(d time.Duration) (keys []string) {
		opt := Options{Time: d, Seed: 1, Reset: candidate.ResetReinit, All: true}
		res, err := Run(context.Background(), prog, pkg, opt)
		if err != nil {
			t.Fatal(err)
		}
		crashes := res.Crashes
		slices.SortStableFunc(crashes, func(a, b *feedback.Crash) int { return cmp.Compare(a.FoundAfter, b.FoundAfter) })
		for _, x := range crashes {
			keys = append(keys, siteKey(x)+" "+x.Target.Name())
		}
		return keys
	}
	short, long := found(2*time.Second), found(4*time.Second)
	if len(short) < 3 || len(long) < len(short) || !slices.Equal(short, long[:len(short)]) {
		t.Errorf("got\n%s\nand in more time\n%s", strings.Join(short, "\n"), strings.Join(long, "\n"))
	}
}

// TestPreconditions checks that for each crash it is counted whether the calls satisfied the known
// preconditions. Push crashes after a Pop whose receiver violates one.
func TestPreconditions(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/pkg")
	pre := instrument.Preconditions{
		"tested/pkg.Weigh": {expr.Var("k != 0"), expr.Var("k > -100")},
		"tested/pkg.Sum": {
			expr.Var("len(list) >= 1"), expr.Var("implies(op == Twice, len(list) >= 1)"),
			expr.Var("nonsense == 3"),
		},
		"tested/pkg.(*Bounded).Push": {expr.Var("b != nil"), expr.Var("b.size <= 4")},
		"tested/pkg.(*Bounded).Pop":  {expr.Var("b.size >= 1")},
		"tested/pkg.New":             {expr.Var("true")},
	}
	res := runCampaign(t, prog, pkg, Options{Candidates: 50_000, Preconditions: pre})
	type counts struct{ called, checked, held, args int }
	got := map[string]counts{}
	for _, x := range res.Crashes {
		got[x.Target.Name()] = counts{x.Called, x.PreChecked, x.PreHeld, x.ArgsHeld}
	}
	for name, want := range map[string]counts{
		"Weigh": {1, 1, 0, 0}, "Sum": {1, 1, 1, 1}, "Push": {3, 3, 2, 3},
		"Leftmost": {1, 0, 0, 0},
	} {
		if got[name] != want {
			t.Errorf("%s: got %+v, want %+v", name, got[name], want)
		}
	}
}

// TestInputs checks inputs that are hard to make: stubs for interfaces that nothing implements,
// fields that are set one by one, and crashes that need many calls, which the test makes in a loop.
func TestInputs(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/state")
	res := runCampaign(t, prog, pkg, Options{Candidates: 100_000, All: true})
	got := map[string]string{}
	for _, x := range res.Crashes {
		test, err := x.Program.WriteTest(pkg, res.Graph.Table, "TestX", "", false)
		if err != nil {
			t.Fatal(err)
		}
		if !x.NilArgument {
			got[x.Frames[0].Func+" "+string(x.Kind)] = test.Source
		}
	}
	spaces := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for crash, want := range map[string]string{
		"tested/state.Angle div-zero":          "Angle(xShapeStub{})",
		"tested/state.Apply index":             "o.Strict = true",
		"tested/state.Any div-zero":            "func(int) bool { return true }",
		"tested/state.Walk div-zero":           "func() (int, error) { return 3, nil }",
		"tested/state.Set.Share div-zero":      "s2 := *s s2.Share(\"\")",
		"tested/state.Room div-zero":           "Room((<-chan int)(make(chan int, 1)))",
		"tested/state.Handler.Handle div-zero": "h := Handler(func(int) int { return 0 }) h.Handle(0)",
		"tested/state.(*Queue).Put index":      "for i := 0; i < 41; i++ {\n\t\tq.Put(0)\n\t}",
	} {
		if !strings.Contains(spaces(got[crash]), spaces(want)) {
			t.Errorf("%s: want %q in the test:\n%s", crash, want, got[crash])
		}
	}
	const method = "func (s xShapeStub) Name() (string, error) { return s.name_1, s.name_2 }"
	if angle := got["tested/state.Angle div-zero"]; !strings.Contains(angle, method) {
		t.Errorf("want %q in the test:\n%s", method, angle)
	}
}

// TestTime: the time is kept where almost all candidates hang.
func TestTime(t *testing.T) {
	prog, pkg := searchtest.Load(t, "tested/slow")
	const asked = 3 * time.Second
	res, err := Run(context.Background(), prog, pkg, Options{Time: asked, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if late := res.Stats.Elapsed - asked; late > time.Second {
		t.Errorf("took %s, want %s", res.Stats.Elapsed, asked)
	}
	t.Logf("%+v", res.Stats)
}
