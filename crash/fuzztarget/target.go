package fuzztarget

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"maps"
	"math"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/search/carve"
	"dsd/crash/search/constants"
	"dsd/crash/search/generate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
	"dsd/crash/verify"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// Options are the options of Write.
type Options struct {
	// Only, if not nil, matches the names of the functions to write targets for.
	Only *regexp.Regexp
	// Observed holds values that parameters had in the testee's tests.
	Observed constants.Observed
	// Tests are tests whose inputs become seeds, such as those of crashes, by import path.
	Tests map[string][]carve.Source
	// Unconfined lets the seeds that are tried do whatever the user may do.
	Unconfined bool
}

// Target is a fuzz target.
type Target struct {
	// Func is the function that it calls.
	Func string
	// Package is the import path, Name the name of the target, and File the base name of its file, whose
	// text is Source.
	Package, Name, File, Source string
	// Dir is the package's folder relative to the program's, with slashes.
	Dir string
	// Seeds is the number of inputs in its corpus.
	Seeds int
}

const (
	// maxStatements bounds a target's calls, and maxSeeds its corpus.
	maxStatements = 12
	maxSeeds      = 20
	// maxVaried is the number of usual values of one parameter that become seeds.
	maxVaried = 5
	// drawn is the number of candidates that are drawn for each function that tests do not call, on average.
	drawn = 40
	// triedCalls is the number of calls of one function that are tried, and passes bounds each of them.
	triedCalls = 100
	passes     = 1 << 18
)

// Reasons for which a function has no target.
const (
	reasonNoLiteral = "no call of it depends on a number or a string"
	reasonCompiler  = "its target does not compile: "
)

// Write returns fuzz targets for the exported functions of prog.Packages, sorted by name, and the
// functions that have none. The targets compile, and no seed but those of Options.Tests crashes by itself. The time
// is that of two builds of each package's tests.
func Write(ctx context.Context, prog *source.Program, opt Options) (targets []*Target, skipped []schemas.Skipped, err error) {
	for _, pkg := range prog.Packages {
		w := &writer{prog: prog, pkg: pkg, opt: opt,
			byFunc: map[*types.Func]map[string]*group{}, tried: map[int]int{}}
		list, err := w.write(ctx)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil { // of this package alone
			for _, f := range pkg.Funcs() {
				if f.Obj.Exported() {
					skipped = append(skipped, schemas.Skipped{Func: f.Name, Reason: verify.FirstLine(err)})
				}
			}
			continue
		}
		targets, skipped = append(targets, list...), append(skipped, w.skipped...)
	}
	if opt.Only != nil {
		skipped = slices.DeleteFunc(skipped, func(s schemas.Skipped) bool { return !opt.Only.MatchString(s.Func) })
	}
	slices.SortFunc(targets, func(a, b *Target) int { return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Name, b.Name)) })
	slices.SortFunc(skipped, func(a, b schemas.Skipped) int { return cmp.Compare(a.Func, b.Func) })
	return targets, skipped, nil
}

// group holds programs that differ in their literals alone.
type group struct {
	programs []candidate.Program
	given    int // how many are of Options.Tests
	tests    int // how many are of these or the package's tests
}

// writer writes the targets of one package.
type writer struct {
	prog    *source.Program
	pkg     *source.Package
	g       *paramgraph.Graph
	opt     Options
	byFunc  map[*types.Func]map[string]*group // by function and skeleton
	tried   map[int]int                       // calls, by operation
	skipped []schemas.Skipped
}

// write returns the targets of the package.
func (w *writer) write(ctx context.Context) ([]*Target, error) {
	g, seeds := carve.Graph(w.prog, w.pkg, nil, w.opt.Observed, w.opt.Tests[w.pkg.Path]...)
	w.g = g
	h, err := candidate.Build(ctx, w.prog, w.pkg, g.Table, candidate.BuildOptions{Reset: candidate.ResetReinit})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if len(h.Dropped) > 0 {
		g.Keep(h.Table, h.Dropped)
	}
	var calls []call
	for _, n := range carve.NamedPrograms(seeds, g.Table) {
		for k := range n.Program {
			calls = w.add(calls, n.Program, k, n.More, true)
		}
	}
	byTests := map[int]bool{}
	for _, c := range calls {
		byTests[c.program[len(c.program)-1].Op] = true
	}
	g.Targets = slices.DeleteFunc(slices.Clone(g.Targets), func(op int) bool { return byTests[op] })
	s := generate.NewSampler(g, 1)
	for range drawn * len(g.Targets) {
		if p := s.Candidate(); p != nil {
			calls = w.add(calls, p, len(p)-1, false, false)
		}
	}
	for op := range byTests {
		g.Targets = append(g.Targets, op)
	}
	slices.Sort(g.Targets)
	if calls, err = w.passing(ctx, h, calls); err != nil {
		return nil, err
	}
	for _, c := range calls {
		w.group(c)
	}
	list := w.targets()
	bad, err := compile(ctx, w.prog, w.pkg, list)
	if err != nil {
		return nil, err
	}
	w.skipped = append(w.skipped, g.Skipped...)
	return slices.DeleteFunc(list, func(t *Target) bool {
		reason := bad[t.File]
		if reason != "" {
			w.skipped = append(w.skipped, schemas.Skipped{Func: t.Func, Reason: reasonCompiler + reason})
		}
		return reason != ""
	}), nil
}

// call is a call of a function, with what matters for it.
type call struct {
	program candidate.Program
	// given reports whether it is of Options.Tests, and ofTest whether it is of these or the package's tests.
	given, ofTest bool
}

// add adds the call that is the k-th statement of a program. Those that only code inside the package can
// make, and those with a nil pointer, are left out: what they show is seldom of interest.
func (w *writer) add(calls []call, p candidate.Program, k int, given, ofTest bool) []call {
	if !w.isTarget(p[k].Op) {
		return calls
	}
	s := callSlice(p, k, w.g.Table)
	unusual := func(st candidate.Stmt) bool { return paramgraph.IsUnusual(w.g.Table[st.Op]) }
	if len(s) > maxStatements || !given && slices.ContainsFunc(s, unusual) || len(s.FuzzLiterals(w.g.Table)) == 0 {
		return calls
	}
	op := p[k].Op
	if w.tried[op]++; w.tried[op] > triedCalls && !given {
		return calls
	}
	calls = append(calls, call{s, given, ofTest})
	if w.tried[op] == 1 {
		calls = w.vary(calls, calls[len(calls)-1])
	}
	return calls
}

// passing returns the calls that neither panic nor hang, and those of Options.Tests.
func (w *writer) passing(ctx context.Context, h *candidate.Harness, calls []call) ([]call, error) {
	limits := candidate.DefaultLimits
	limits.PanicsPerStack = math.MaxInt32 // every call that panics must be known
	limits.Unconfined, limits.Passes = w.opt.Unconfined, passes
	runner := h.NewRunner(limits)
	defer runner.Close()
	var out []call
	const batch = 200
	for len(calls) > 0 {
		n := min(batch, len(calls))
		var list []candidate.Program
		for _, c := range calls[:n] {
			list = append(list, c.program)
		}
		events, err := runner.Run(ctx, list)
		if err != nil {
			return nil, err
		}
		bad := map[int]bool{}
		for _, e := range events {
			switch e.Kind {
			case run.KindPanic, run.KindFatal, run.KindHang, run.KindExit:
				bad[e.Index] = true
			}
		}
		for i, c := range calls[:n] {
			if !bad[i] || c.given {
				out = append(out, c)
			}
		}
		calls = calls[n:]
	}
	return out, nil
}

// group adds a call to the group of its skeleton. Those of Options.Tests come first.
func (w *writer) group(c call) {
	fn := w.g.Table[c.program[len(c.program)-1].Op].Func.Origin()
	if w.byFunc[fn] == nil {
		w.byFunc[fn] = map[string]*group{}
	}
	key := skeleton(c.program)
	g := w.byFunc[fn][key]
	if g == nil {
		g = &group{}
		w.byFunc[fn][key] = g
	}
	if c.given {
		g.given++
	}
	if c.ofTest {
		g.tests++
	}
	if len(g.programs) < maxSeeds {
		g.programs = append(g.programs, c.program)
	}
}

// isTarget reports whether targets are written for the function of an operation.
func (w *writer) isTarget(op int) bool {
	return slices.Contains(w.g.Targets, op) &&
		(w.opt.Only == nil || w.opt.Only.MatchString(source.FuncName(w.g.Table[op].Func)))
}

// targets returns the targets of the package, one for each function.
func (w *writer) targets() []*Target {
	var out []*Target
	taken := maps.Clone(w.pkg.TestNames())
	done := map[*types.Func]bool{}
	for _, n := range w.g.Targets {
		fn := w.g.Table[n].Func.Origin()
		if done[fn] || !w.isTarget(n) {
			continue
		}
		done[fn] = true
		t, err := w.target(fn, taken)
		if err != nil {
			w.skipped = append(w.skipped, schemas.Skipped{Func: source.FuncName(fn), Reason: err.Error()})
			continue
		}
		out = append(out, t)
	}
	return out
}

// target returns the target of a function: those of Options.Tests, else those that
// tests make most often, or else the shortest ones.
func (w *writer) target(fn *types.Func, taken map[string]bool) (*Target, error) {
	groups := w.byFunc[fn]
	if len(groups) == 0 {
		return nil, errors.New(reasonNoLiteral)
	}
	key := slices.MinFunc(slices.Collect(maps.Keys(groups)), func(a, b string) int {
		x, y := groups[a], groups[b]
		return cmp.Or(y.given-x.given, y.tests-x.tests, len(x.programs[0])-len(y.programs[0]), cmp.Compare(a, b))
	})
	p := groups[key].programs[0]
	seeds := program.Distinct(groups[key].programs, w.g.Table)
	name := targetName(fn)
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("%s%d", targetName(fn), i)
	}
	taken[name] = true
	full := source.FuncName(fn)
	src, err := p.WriteFuzz(w.pkg, w.g.Table, name, name+" calls "+full+".", seeds)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Rel(w.prog.Dir, w.pkg.Dir)
	if err != nil {
		return nil, err
	}
	return &Target{
		Func: full, Package: w.pkg.Path, Name: name, File: snake(name) + "_test.go", Source: src,
		Dir: filepath.ToSlash(dir), Seeds: len(seeds),
	}, nil
}

// vary adds calls like one that was added, in which an argument, a literal, has a usual value.
func (w *writer) vary(calls []call, c call) []call {
	p := c.program
	last := &p[len(p)-1]
	literalAt := map[int]int{} // by result
	n := 0
	for i := range p {
		if w.g.Table[p[i].Op].Lit {
			literalAt[n] = i
		}
		n += len(w.g.Table[p[i].Op].Out)
	}
	for arg, result := range last.Args {
		at, ok := literalAt[result]
		if !ok || arg >= len(w.g.Usual[last.Op]) {
			continue
		}
		for _, v := range w.g.Usual[last.Op][arg][:min(maxVaried, len(w.g.Usual[last.Op][arg]))] {
			q := slices.Clone(p)
			q[at].Bits, q[at].Text = v.Bits, v.Text
			calls = append(calls, call{program: q})
		}
	}
	return calls
}

// targetName returns FuzzStackPush for (*Stack).Push.
func targetName(fn *types.Func) string {
	name := "Fuzz"
	if r := fn.Signature().Recv(); r != nil {
		t := types.Unalias(r.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			name += strings.ToUpper(n.Obj().Name()[:1]) + n.Obj().Name()[1:] // ASCII, or else as it is
		}
	}
	return name + fn.Name()
}

// snake returns fuzz_stack_push for FuzzStackPush.
func snake(name string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// compile builds the package's tests with the targets, and returns the compiler's complaints by file.
func compile(ctx context.Context, prog *source.Program, pkg *source.Package, list []*Target) (bad map[string]string, err error) {
	bad = map[string]string{}
	if len(list) == 0 {
		return bad, nil
	}
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return bad, err
	}
	defer o.Close()
	for _, t := range list {
		if err := o.Add(path.Join(t.Dir, t.File), []byte(t.Source)); err != nil {
			return bad, err
		}
	}
	for range len(list) {
		cmd, err := o.Command(ctx, "test", "-c", "-gcflags=-e", "-o", filepath.Join(o.Scratch, "test"), "./"+list[0].Dir)
		if err != nil {
			return bad, err
		}
		out, runErr := cmd.CombinedOutput()
		if ctx.Err() != nil {
			return bad, ctx.Err()
		}
		if runErr == nil {
			return bad, nil
		}
		found := false
		for _, line := range strings.Split(string(out), "\n") {
			for _, t := range list {
				if at := strings.Index(line, "/"+t.File+":"); at >= 0 && bad[t.File] == "" {
					_, text, _ := strings.Cut(line[at:], ": ")
					bad[t.File], found = text, true
					o.Remove(path.Join(t.Dir, t.File))
				}
			}
		}
		if !found {
			return bad, fmt.Errorf("the tests of the package do not build: %s", source.FirstComplaint(o.RestoreNames(string(out))))
		}
	}
	return bad, nil
}
