package blame

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/infer"
	"dsd/infer/instrument"
	"dsd/infer/instrument/observe"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// observation is what the instrumented run of a test showed at the points of functions.
type observation struct {
	samples []sample
	testee  *testee // that showed the samples; nil if there are none
	// known counts the invariants at the entries of the functions that the test calls, and
	// violated lists those that a call violates.
	known    int
	violated []violation
	// refused are the system calls that the confined test was refused.
	refused []string
}

// sample is the values of one call at a point of a function.
type sample struct {
	point  *schemas.TracePoint
	index  int
	values []string // parallel to point.Vars
}

// violation is an invariant that a call violates.
type violation struct {
	fn  string
	inv schemas.Invariant
	// list reports whether the first variable of inv is a slice or map: a nil one is empty.
	list bool
}

// An Observer runs tests of crashes, instrumented, and keeps what they showed. Several goroutines may
// call Begin, before Assess.
type Observer struct {
	prog *source.Program
	opt  Options
	// testees returns the instrumented testees, which are made when they are needed: nearly all tests import only
	// what their packages do, and of a large module that is little.
	testees func() *testees

	begun sync.WaitGroup // what Begin has begun
	mu    sync.Mutex
	// seen is what tests showed, by package and source; nil if nothing is known.
	seen map[[2]string]*observation
}

// testees are a program, instrumented in part and as a whole.
type testees struct {
	covered map[string]bool // the import paths of the packages that part has
	part    *testee
	whole   func() *testee
}

// testee is an instrumented program, and the judge of what it shows; nil if there are no invariants to judge by.
type testee struct {
	*instrument.Result
	judge *infer.Judge
}

// NewObserver returns an observer of the tests of packages of prog. Only functions of prog.Packages are observed.
func NewObserver(prog *source.Program, packages []*source.Package, opt Options) *Observer {
	if opt.Log == nil {
		opt.Log = io.Discard
	}
	return &Observer{
		prog: prog, opt: opt, seen: map[[2]string]*observation{},
		testees: sync.OnceValue(func() *testees { return newTestees(prog, packages, opt.Assume) }),
	}
}

// newTestees instruments packages of a program and what they import, and the whole program when a test needs it.
func newTestees(prog *source.Program, packages []*source.Package, assume *schemas.Invariants) *testees {
	in := instrument.New(prog, instrument.DefaultDepth)
	rewrite := func(packages []*source.Package) *testee {
		t := &testee{Result: in.Rewrite(packages)}
		if assume != nil {
			t.judge = infer.NewJudge(assume, t.Points)
		}
		return t
	}
	out := &testees{covered: map[string]bool{}}
	var part []*source.Package
	for _, pkg := range prog.WithImports(packages...) {
		out.covered[pkg.Path] = true
		if slices.Contains(prog.Packages, pkg) {
			part = append(part, pkg)
		}
	}
	out.part = rewrite(part)
	out.whole = sync.OnceValue(func() *testee { return rewrite(prog.Packages) })
	return out
}

// of returns the testee that tests of a package need.
func (t *testees) of(prog *source.Program, pkg *source.Package, tests []schemas.Test) *testee {
	if !t.covered[pkg.Path] {
		return t.whole()
	}
	for i := range tests {
		file, err := parser.ParseFile(token.NewFileSet(), "", tests[i].Source, parser.ImportsOnly)
		if err != nil {
			continue // it will not build either
		}
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if prog.Package(path) != nil && !t.covered[path] {
				return t.whole()
			}
		}
	}
	return t.part
}

// Begin observes tests of a package that Assess will probably ask for, beside what the caller does next. It does
// nothing if only one test is to run at a time. Wait must be called before the program ends.
func (o *Observer) Begin(ctx context.Context, pkg *source.Package, tests []schemas.Test) {
	if o.opt.Jobs > 1 && len(tests) > 0 {
		o.begun.Go(func() { _ = o.run(ctx, pkg, tests) }) // if that fails, Assess says why
	}
}

// observe returns what tests of a package showed, nil if nothing is known. It runs those that Begin did not.
func (o *Observer) observe(ctx context.Context, pkg *source.Package, tests []schemas.Test) ([]*observation, error) {
	o.Wait()
	var left []schemas.Test
	for _, t := range tests {
		if _, ok := o.seen[testKey(pkg, &t)]; !ok {
			left = append(left, t)
		}
	}
	var err error
	if len(left) > 0 {
		err = o.run(ctx, pkg, left)
	}
	out := make([]*observation, len(tests))
	for i := range tests {
		if seen := o.seen[testKey(pkg, &tests[i])]; seen != nil {
			own := *seen // judged by the functions that the crash is about
			out[i] = &own
		}
	}
	return out, err
}

// Wait waits for what Begin has begun.
func (o *Observer) Wait() { o.begun.Wait() }

// testKey identifies what a test does.
func testKey(pkg *source.Package, t *schemas.Test) [2]string { return [2]string{pkg.Path, t.Source} }

// kept is the form in which an observation is kept; Seen reports whether anything is known.
type kept struct {
	Seen    bool
	Samples []keptSample
	Refused []string
}

type keptSample struct {
	Index  int // of the point
	Values []string
}

// keep returns the form in which an observation is kept.
func keep(o *observation) (k kept) {
	if o == nil {
		return k
	}
	k.Seen, k.Refused = true, o.refused
	for _, s := range o.samples {
		k.Samples = append(k.Samples, keptSample{s.index, s.values})
	}
	return k
}

// observation returns the observation of a test of the testee, which is that of the kept one; nil if nothing is known.
func (k *kept) observation(t *testee) *observation {
	if !k.Seen {
		return nil
	}
	o := &observation{testee: t, refused: k.Refused}
	for _, s := range k.Samples {
		o.samples = append(o.samples, sample{&t.Points[s.Index], s.Index, s.Values})
	}
	return o
}

// run runs the tests of one package that no earlier run has observed. After an error, it keeps nothing; when ctx ends,
// what is known.
func (o *Observer) run(ctx context.Context, pkg *source.Package, tests []schemas.Test) error {
	testee := o.testees().of(o.prog, pkg, tests)
	opt := testrun.Options{
		Timeout: verify.Timeout, Jobs: o.opt.Jobs, Unconfined: o.opt.Unconfined, Log: o.opt.Log,
		HideOwnTests: true, Overlay: verify.Overlay(o.prog, testee.Files), Env: []string{"DSD_TRACE=."}, Memo: o.opt.Memo,
	}
	keys, keeps := verify.Kept(pkg, tests, opt)
	out := make([]*observation, len(tests))
	var left []schemas.Test
	var places []int // in tests
	for i := range tests {
		if keeps {
			keys[i] = opt.Memo.Of(keys[i], "observation")
			var k kept
			if opt.Memo.Get(keys[i], &k) {
				out[i] = k.observation(testee)
				continue
			}
		}
		left, places = append(left, tests[i]), append(places, i)
	}
	var err error
	if len(left) > 0 {
		var results []testrun.Result
		var found []*observation
		found, results, err = o.see(ctx, pkg, left, testee, opt)
		for k, i := range places {
			out[i] = found[k]
			if keeps && err == nil && !results[k].Late {
				opt.Memo.Put(keys[i], keep(out[i]))
			}
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil && ctx.Err() == nil {
		return err
	}
	for i := range tests {
		o.seen[testKey(pkg, &tests[i])] = out[i]
	}
	return err
}

// see runs tests of one package, and returns what each showed, nil if nothing is known.
func (o *Observer) see(
	ctx context.Context, pkg *source.Package, tests []schemas.Test, testee *testee, opt testrun.Options,
) ([]*observation, []testrun.Result, error) {
	out := make([]*observation, len(tests))
	var mu sync.Mutex
	opt.Ended = func(i int, dir string) {
		if seen := readSamples(dir, testee); seen != nil {
			mu.Lock()
			out[i] = seen
			mu.Unlock()
		}
	}
	results, err := verify.Run(ctx, o.prog, pkg, tests, opt)
	for i, r := range results {
		if len(r.Refused) == 0 {
			continue
		}
		if out[i] == nil {
			out[i] = &observation{}
		}
		out[i].refused = r.Refused
	}
	return out, results, err
}

// observeAll runs the tests of crashes, instrumented, and returns what each showed, nil if nothing is
// known.
func (c *code) observeAll(
	ctx context.Context, crashes []schemas.Crash, inputs []*inputs, opt Options,
) []*observation {
	prog := c.prog
	out := make([]*observation, len(crashes))
	byPackage := map[string][]int{}
	for i := range crashes {
		path := crashes[i].Test.Package
		byPackage[path] = append(byPackage[path], i)
	}
	if len(byPackage) == 0 {
		return out
	}
	o := opt.Observer
	if o == nil {
		var packages []*source.Package
		for path := range byPackage {
			packages = append(packages, prog.Package(path))
		}
		o = NewObserver(prog, packages, opt)
	}
	for _, pkg := range prog.All {
		list := byPackage[pkg.Path]
		if len(list) == 0 || ctx.Err() != nil {
			continue
		}
		tests := make([]schemas.Test, len(list))
		for k, i := range list {
			tests[k] = crashes[i].Test
		}
		found, err := o.observe(ctx, pkg, tests)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(opt.Log, "%s: tests cannot be observed: %s\n", pkg.Path,
				verify.FirstLine(err)) // but for those of Begin
		}
		for k, i := range list {
			if out[i] = found[k]; found[k] != nil {
				found[k].judge(calledBy(&crashes[i], inputs[i]))
			}
		}
	}
	return out
}

// readSamples reads what the processes of a test reported to a directory: the test may start others.
// It returns nil if none did.
func readSamples(dir string, testee *testee) *observation {
	files, _ := filepath.Glob(filepath.Join(overlay.Literally(dir), "samples-*"))
	var out *observation
	for _, file := range files {
		process := strings.TrimPrefix(filepath.Base(file), "samples-")
		// How often each sample was seen is not asked for, and most of the file.
		counts, err := readStart(filepath.Join(dir, "counts-"+process), observe.Counts)
		if err != nil {
			continue
		}
		text, err := observe.Samples(file, counts)
		if err != nil {
			continue
		}
		if out == nil {
			out = &observation{testee: testee}
		}
		out.read(string(text), testee.Points)
	}
	return out
}

// readStart returns the first n bytes of a file.
func readStart(name string, n int) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, n)
	_, err = io.ReadFull(f, start)
	return start, err
}

// read adds the samples in the lines of a process.
func (o *observation) read(text string, points []schemas.TracePoint) {
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		i, err := strconv.Atoi(fields[0])
		if err != nil || i < 0 || i >= len(points) || len(fields)-1 != len(points[i].Vars) {
			continue
		}
		o.samples = append(o.samples, sample{&points[i], i, fields[1:]})
	}
}

// calledBy returns the names of the functions that the test of a crash calls.
func calledBy(x *schemas.Crash, in *inputs) map[string]bool {
	out := map[string]bool{x.Func: true}
	if in != nil {
		for _, fn := range in.calls {
			out[source.FuncName(fn)] = true
		}
	}
	return out
}

// judge collects the invariants that calls of the given functions violate.
func (o *observation) judge(called map[string]bool) {
	if o.testee == nil || o.testee.judge == nil {
		return
	}
	j := o.testee.judge
	counted := map[int]bool{}
	seen := map[string]bool{}
	for _, s := range o.samples {
		if s.point.At != schemas.AtEntry || !called[s.point.Func] {
			continue
		}
		if !counted[s.index] {
			counted[s.index] = true
			o.known += j.Known(s.index)
		}
		for _, inv := range j.Violated(s.index, s.values) {
			if key := s.point.Func + " " + inv.Expr; !seen[key] {
				seen[key] = true
				o.violated = append(o.violated, violation{s.point.Func, inv, isList(s.point, &inv)})
			}
		}
	}
}

// isList reports whether the first variable of an invariant is a slice or map.
func isList(p *schemas.TracePoint, inv *schemas.Invariant) bool {
	for _, v := range p.Vars {
		if len(inv.Vars) > 0 && v.Name == inv.Vars[0] {
			return strings.HasPrefix(v.Type, "[]") || strings.HasPrefix(v.Type, "map[")
		}
	}
	return false
}

// nilInput reports whether a parameter or the receiver of fn was nil in a call.
func (o *observation) nilInput(fn *source.Func, v *types.Var) bool {
	for _, s := range o.samples {
		if fn != nil && s.point.Func == fn.Name && s.point.At == schemas.AtEntry &&
			isNil(&s, v.Name()) {
			return true
		}
	}
	return false
}

// isNil reports whether a variable of a sample is a nil reference.
func isNil(s *sample, name string) bool {
	for i, v := range s.point.Vars {
		if v.Name == name && (v.Rep == schemas.RepRef || v.Rep == schemas.RepType) {
			return s.values[i] == "nil"
		}
	}
	return false
}

// failed returns the function whose call returned an error, of the given ones; "" if none did.
func (o *observation) failed(fns map[string]bool) string {
	for _, s := range o.samples {
		if s.point.At != schemas.AtExit || !fns[s.point.Func] {
			continue
		}
		for i, v := range s.point.Vars {
			if v.Type == "error" && slices.Contains(s.point.Results, v.Name) &&
				s.values[i] != "nil" && s.values[i] != "-" {
				return s.point.Func
			}
		}
	}
	return ""
}

// returnedNil returns the function of the given ones that returned a nil, apart from errors; "" if none
// did.
func (o *observation) returnedNil(fns map[string]bool) string {
	for _, s := range o.samples {
		if s.point.At != schemas.AtExit || !fns[s.point.Func] {
			continue
		}
		for _, v := range s.point.Vars {
			if v.Type != "error" && slices.Contains(s.point.Results, v.Name) && isNil(&s, v.Name) {
				return s.point.Func
			}
		}
	}
	return ""
}
