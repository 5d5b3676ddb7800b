package check

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"dsd/check/prove"
	"dsd/check/smt"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

func load(tb testing.TB, dir string) *source.Program {
	tb.Helper()
	prog, err := source.Load(context.Background(), dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return prog
}

func run(tb testing.TB, dir string, opt Options) *schemas.Warnings {
	tb.Helper()
	opt.Log = io.Discard
	doc, err := Run(context.Background(), load(tb, dir), opt)
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

// runOnly checks only the named functions, which saves time.
func runOnly(tb testing.TB, dir string, opt Options, names ...string) *schemas.Warnings {
	tb.Helper()
	prog := load(tb, dir)
	for _, pkg := range prog.Packages {
		for _, f := range pkg.Funcs() {
			if slices.Contains(names, f.Name) {
				opt.Functions = append(opt.Functions, f)
			}
		}
	}
	if len(opt.Functions) != len(names) {
		tb.Fatalf("%s has %d of the functions %v", dir, len(opt.Functions), names)
	}
	opt.Log = io.Discard
	doc, err := Run(context.Background(), prog, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

// wants reads the expectations: "file:line kind" for each comment.
func wants(t *testing.T, dir string) []string {
	t.Helper()
	want := regexp.MustCompile(`// want (.+)$`)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	var out []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range strings.Split(string(text), "\n") {
			if m := want.FindStringSubmatch(l); m != nil {
				for _, kind := range strings.Fields(m[1]) {
					out = append(out, fmt.Sprintf("%s:%d %s", filepath.Base(f), i+1, kind))
				}
			}
		}
	}
	sort.Strings(out)
	return out
}

// TestPanics compares the warnings with the comments in the source: each is expected, and there
// are no others. The comments leave out dereferences of bare parameters, which paramWarnings
// lists.
func TestPanics(t *testing.T) {
	var params []string
	for _, name := range []string{"panics", "library", "more"} {
		dir := filepath.Join("testdata", name)
		doc := run(t, dir, Options{})
		if len(doc.Skipped) > 0 {
			t.Errorf("skipped: %v", doc.Skipped)
		}
		got := map[string]bool{}
		for _, w := range doc.Warnings {
			if w.Param != "" {
				params = append(params, fmt.Sprintf("%s %s %s", symbol.Line(w.Pos), w.Kind, w.Param))
				continue
			}
			got[symbol.Line(w.Pos)+" "+string(w.Kind)] = true
			if w.Status == schemas.Unknown {
				t.Errorf("%s: %s in %s is %s", w.Pos, w.Kind, w.Func, w.Status)
			}
		}
		for _, w := range wants(t, dir) {
			if !got[w] {
				t.Errorf("no warning at %s", w)
			}
			delete(got, w)
		}
		for g := range got {
			t.Errorf("unexpected warning at %s", g)
		}
	}
	if !slices.Equal(params, paramWarnings) {
		t.Errorf("warnings of parameters that are nil: got %q, want %q", params, paramWarnings)
	}
}

// paramWarnings are the dereferences of bare parameters in testdata/panics: position, kind and
// parameter.
var paramWarnings = []string{"global.go:70 nil-deref r", "loops.go:39 nil-deref s"}

// TestAssumeArithmetic checks invariants with sums, products and remainders.
func TestAssumeArithmetic(t *testing.T) {
	dir := t.TempDir()
	source, doc := "package sums\n", &schemas.Invariants{}
	wants := map[string]bool{} // is warned of
	for i, tt := range []struct {
		typ, exprs string
		warns      bool
	}{
		{"int", "y%4 == 2", false},
		{"int8", "y%4 == 2", false},
		{"uint", "y%4 == 2", false},
		{"int", "y%4 == 0", true},
		{"int", "y%0 == 2", true}, // says nothing
		{"int", "2*y == 4*x + 2", false},
		{"int", "y == 2*x + 2", true},
		{"uint8", "y == 2*x + 2", true},
		{"uint8", "y == 2*x + 3", false},
		{"int", "y == x - 3; x > 3", false},
		{"int", "y == x - 3; x > 2", true},
		{"int", "y + 2*x == 5", false},
		{"int", "y&(y-1) == 0", true},
		{"int", "y&(y-1) == 2", false},
	} {
		name := fmt.Sprintf("F%d", i)
		source += fmt.Sprintf("func %s(x, y %s) %s { return x / y }\n", name, tt.typ, tt.typ)
		p := schemas.Point{Func: "sums." + name, At: "entry", Samples: 9}
		for _, e := range strings.Split(tt.exprs, "; ") {
			p.Invariants = append(p.Invariants, schemas.Invariant{ID: "I1", Expr: e, Assumed: true})
		}
		doc.Points = append(doc.Points, p)
		wants[p.Func] = tt.warns
	}
	for name, text := range map[string]string{"go.mod": "module sums\n\ngo 1.22\n",
		"sums.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	for _, w := range run(t, dir, Options{Assume: doc}).Warnings {
		got[w.Func] = true
	}
	for _, p := range doc.Points {
		if got[p.Func] != wants[p.Func] {
			t.Errorf("%s under %v: warned %v", p.Func, p.Invariants, got[p.Func])
		}
	}
}

// TestAssumeResults checks invariants over the results of methods without parameters, which are those
// of their bodies.
func TestAssumeResults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module rings\n\ngo 1.22\n",
		"rings.go": `package rings

type Ring struct{ items *items }

type items struct {
	data     []int
	from, to int
}

func (r *Ring) Len() int {
	if r.items == nil {
		return 0
	}
	return r.items.to - r.items.from
}

func (r *Ring) Loop() int {
	n := 0
	for range r.items.data {
		n++
	}
	return n
}

func (r *Ring) Last() *Ring { return r }

func (r *Ring) Get(i int) int {
	if r.items == nil {
		panic("empty")
	}
	if i >= r.items.to-r.items.from {
		panic("out of range")
	}
	return i
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		invariant string
		want      string // lines
	}{
		{"i < r.Len()", "29:3"},            // says nothing if r.items is nil
		{"i <= r.Len()", "29:3 32:3"},      // a wrong bound
		{"r.Len() == 3", "29:3 32:3"},      // says nothing of i
		{"i < r.Loop()", "29:3 32:3"},      // no term: its body is a loop
		{"r.items != nil", "32:3"},         // for comparison
		{"r.Last().items != nil", "32:3"},  // a method that returns a pointer
		{"i < r.Missing()", "29:3 32:3"},   // no such method
		{"i < r.items.Len()", "29:3 32:3"}, // of another type
	} {
		doc := &schemas.Invariants{Points: []schemas.Point{{Func: "rings.(*Ring).Get", At: "entry",
			Samples: 9, Invariants: []schemas.Invariant{
				{ID: "I1", Expr: tt.invariant, Assumed: true}}}}}
		got := ""
		for _, w := range run(t, dir, Options{Assume: doc}).Warnings {
			if w.Kind == schemas.ExplicitPanic {
				got += " " + strings.TrimPrefix(w.Pos, "rings.go:")
			}
		}
		if got = strings.TrimSpace(got); got != tt.want {
			t.Errorf("under %s: warnings at %q, want %q", tt.invariant, got, tt.want)
		}
	}
}

// TestAssume checks that invariants are assumed at the entry, and that what they exclude is not
// reported.
func TestAssume(t *testing.T) {
	inv := func(id, expr string) schemas.Invariant {
		return schemas.Invariant{ID: id, Expr: expr,
			Assumed: true}
	}
	assume := func(list ...schemas.Invariant) *schemas.Invariants {
		return &schemas.Invariants{Points: []schemas.Point{{Func: "panics.Div", At: "entry", Samples: 9,
			Invariants: list}}}
	}
	for _, tt := range []struct {
		name   string
		assume *schemas.Invariants
		warns  bool
		used   string
		note   string
	}{
		{"none", nil, true, "", ""},
		{"rules it out", assume(inv("I1", "y >= 1")), false, "", ""},
		{"does not", assume(inv("I2", "x < y")), true, "I2", ""},
		{"implication", assume(inv("I3", "implies(x == x, y != 0)")), false, "", ""},
		{"contradiction", assume(inv("I4", "y > 0"), inv("I5", "y < 0")), true, "", "contradict"},
		{"not assumed", assume(schemas.Invariant{ID: "I6", Expr: "y >= 1"}), true, "", ""},
	} {
		doc := runOnly(t, filepath.Join("testdata", "panics"), Options{Assume: tt.assume}, "panics.Div")
		var found *schemas.Warning
		for i, w := range doc.Warnings {
			if w.Func == "panics.Div" {
				found = &doc.Warnings[i]
			}
		}
		if (found != nil) != tt.warns {
			t.Errorf("%s: warned %v, want %v", tt.name, found != nil, tt.warns)
			continue
		}
		if found != nil && strings.Join(found.Assumed, " ") != tt.used {
			t.Errorf("%s: assumed %v, want %q", tt.name, found.Assumed, tt.used)
		}
		noted := false
		for _, b := range doc.Bounded {
			noted = noted || b.Func == "panics.Div" && tt.note != "" && strings.Contains(b.Reason, tt.note)
		}
		if tt.note != "" && !noted {
			t.Errorf("%s: nothing bounded says %q: %v", tt.name, tt.note, doc.Bounded)
		}
	}
}

// TestAssumeStrings checks invariants that compare strings.
func TestAssumeStrings(t *testing.T) {
	for expr, warns := range map[string]bool{`x == y`: false, `y == "abc"`: false, `y <= x`: true,
		`x <= y`: false} {
		inv := &schemas.Invariants{Points: []schemas.Point{{Func: "panics.Apart", At: "entry",
			Samples: 9, Invariants: []schemas.Invariant{{ID: "I1", Expr: expr, Assumed: true}}}}}
		doc := runOnly(t, filepath.Join("testdata", "panics"), Options{Assume: inv}, "panics.Apart")
		found := false
		for _, w := range doc.Warnings {
			found = found || w.Func == "panics.Apart"
		}
		if found != warns {
			t.Errorf("%s: warned %v, want %v", expr, found, warns)
		}
	}
}

// TestContradiction checks that invariants of a callee that contradict each other prove nothing
// about its callers, and that the document says so.
func TestContradiction(t *testing.T) {
	for _, tt := range []struct{ name, at, first, second string }{
		{"at the exit", "exit", "x > 5", "x < 5"},
		{"by themselves", "exit", "x != x", "x == x"},
		{"at the entry", "entry", "x > 5", "x < 5"},
	} {
		inv := &schemas.Invariants{Points: []schemas.Point{{Func: "panics.ErrorPair",
			At: schemas.At(tt.at), Samples: 9, Invariants: []schemas.Invariant{
				{ID: "I1", Expr: tt.first, Assumed: true}, {ID: "I2", Expr: tt.second, Assumed: true}}}}}
		doc := runOnly(t, filepath.Join("testdata", "panics"), Options{Assume: inv},
			"panics.UsePairBadly", "panics.ErrorPair")
		warned, said := false, false
		for _, w := range doc.Warnings {
			warned = warned || w.Func == "panics.UsePairBadly"
		}
		for _, b := range doc.Bounded {
			said = said || b.Func == "panics.UsePairBadly" &&
				strings.Contains(b.Reason, "inferred invariants")
		}
		if !warned || !said {
			t.Errorf("%s: warned %v, said %v: %v", tt.name, warned, said, doc.Bounded)
		}
	}
}

// TestSkipped checks that functions which are not covered are listed with the reason.
func TestSkipped(t *testing.T) {
	doc := run(t, filepath.Join("testdata", "skipped"), Options{})
	got := map[string]string{}
	for _, s := range doc.Skipped {
		got[strings.TrimPrefix(s.Func, "skipped.")] = s.Reason
	}
	want := map[string]string{
		"Huge": "arrays of 4398046511104 elements",
	}
	for f, r := range want {
		if got[f] != r {
			t.Errorf("%s: skipped because of %q, want %q", f, got[f], r)
		}
	}
	if len(got) != len(want) {
		t.Errorf("skipped %v", got)
	}
}

// timed measures the questions put to a session.
type timed struct {
	smt.Session
	took *[]time.Duration
}

func (s timed) Eval(text string) (string, error) {
	start := time.Now()
	out, err := s.Session.Eval(text)
	if strings.Contains(text, "(check-sat") {
		*s.took = append(*s.took, time.Since(start))
	}
	return out, err
}

// BenchmarkCheck checks the example module on one processor: functions and questions a second, and
// a question's median.
func BenchmarkCheck(b *testing.B) {
	prog := load(b, filepath.Join("..", "examples", "parcel"))
	var took []time.Duration
	functions := 0
	for b.Loop() {
		c, all := lowered(b, prog, Options{Jobs: 1})
		all.testee.Open = func() (smt.Session, error) {
			z, err := smt.NewZ3()
			return timed{z, &took}, err
		}
		c.analyze(context.Background(), all, 0)
		functions += len(c.results)
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	b.ReportMetric(float64(functions)/b.Elapsed().Seconds(), "functions/s")
	b.ReportMetric(float64(len(took))/b.Elapsed().Seconds(), "queries/s")
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/query-median")
}

// TestDump replays the forms that are SMT-LIB in a solver of their own. The weakest precondition
// of a function must hold for all inputs if, and only if, there is no warning of the function.
func TestDump(t *testing.T) {
	texts := map[string]map[string]string{}
	var mu sync.Mutex
	opt := Options{Forms: prove.Forms, Dump: func(fn, form, text string) {
		mu.Lock()
		defer mu.Unlock()
		if texts[fn] == nil {
			texts[fn] = map[string]string{}
		}
		texts[fn][form] = text
	}}
	doc := run(t, filepath.Join("testdata", "panics"), opt)
	warned := map[string]bool{}
	for _, w := range doc.Warnings {
		warned[w.Func] = true
	}
	if len(texts) < doc.Functions {
		t.Errorf("%d of %d functions are dumped", len(texts), doc.Functions)
	}
	eval := func(text string) string {
		z, _ := smt.NewZ3()
		defer z.Close()
		out, err := z.Eval(text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for fn, forms := range texts {
		if forms["ir"] == "" || forms["wp"] == "" || forms["passive"] == "" && warned[fn] {
			t.Errorf("%s: a form is missing", fn)
		}
		if out := eval(forms["smt"]); strings.Contains(out, "error") &&
			!strings.Contains(out, "canceled") {
			t.Errorf("%s: the questions do not replay: %.300s", fn, out)
		}
		last := strings.LastIndex(forms["wp"], "(assert ")
		never := forms["wp"][:last] + strings.NewReplacer("(assert ", "(assert (not ", "\n(check-sat)",
			")\n(check-sat)").Replace(forms["wp"][last:])
		out := eval("(set-option :rlimit 4000000)\n" + never)
		if strings.Contains(out, "error") && !strings.Contains(out, "canceled") {
			t.Errorf("%s: the weakest precondition does not replay: %.300s", fn, out)
		}
		if holds := strings.HasPrefix(out, "unsat"); holds == (warned[fn] || illFormed[fn]) {
			t.Errorf("%s: warned %v, its weakest precondition holds for all inputs: %v (%.300s)", fn,
				warned[fn], holds, out)
		}
	}
}

// illFormed are the functions of testdata/panics that no Go value breaks, but that inputs break
// which are no Go values, such as slices that are longer than their capacity. The solver's
// questions exclude those (vcgen.Inputs), the weakest preconditions do not.
var illFormed = map[string]bool{
	"panics.CompareErrors": true,
	"panics.Down":          true,
	"panics.GlobalError":   true,
	"panics.MapRead":       true,
	"panics.Reading":       true,
}
