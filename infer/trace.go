package infer

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dsd/infer/instrument"
	"dsd/infer/instrument/observe"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// TraceOptions say how to trace.
type TraceOptions struct {
	// Dir is where the go command runs; Patterns name the packages.
	Dir      string
	Patterns []string
	// Jobs is how many packages are tested at a time; 0 leaves it to the go command.
	Jobs int
	// Depth is how many steps through fields and pointers values are followed; 0 for instrument.DefaultDepth.
	Depth int
	// Program, if it is not empty, is observed instead of the tests: a command that runs a program of the module.
	Program []string
	// Timeout is that of `go test` for a package, such as "5m"; "" is the go command's own.
	Timeout string
	// Log receives what a person should know. Not nil.
	Log io.Writer
}

// Trace runs the tests of the packages, instrumented, and writes the trace to w.
//
// A sample is attributed to the run of `go test` that made it. A package whose tests all pass is run once. One with a
// failing test is run again, a process a test, and only the passing tests' samples are kept; the others are named in
// the header. Samples are summed over the processes and sorted, so the trace depends on what the tests did alone.
//
// When ctx ends, what is finished is written, marked incomplete, and ctx's error is returned. Other errors: those of
// source.Load; a failure to build the instrumented testee.
func Trace(ctx context.Context, w io.Writer, opt TraceOptions) error {
	prog, err := source.Load(ctx, opt.Dir, opt.Patterns)
	if err != nil {
		return err
	}
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return err
	}
	defer o.Close()
	rewritten := instrument.Rewrite(prog, cmp.Or(opt.Depth, instrument.DefaultDepth))
	for name, content := range rewritten.Files {
		if err := o.Add(name, content); err != nil {
			return err
		}
	}
	t := &tracer{opt: opt, prog: prog, over: o, points: rewritten.Points, seen: map[string]seen{}, calls: make([]schemas.Sampled, len(rewritten.Points)/3)}
	var runErr error
	if len(opt.Program) > 0 {
		runErr = t.program(ctx, opt.Program)
	} else {
		runErr = t.run(ctx)
	}
	if runErr != nil && ctx.Err() == nil {
		return runErr
	}
	header := schemas.TraceHeader{
		Header:    schemas.Header{Module: schemas.Module{Path: prog.Module, Go: prog.GoVersion}, Incomplete: ctx.Err() != nil},
		Tests:     t.tests,
		Witnesses: t.witnesses(rewritten.Tests),
		Sampled:   t.sampled(),
		Dropped:   t.dropped,
		LeftOut:   append(t.leftOut, rewritten.Skipped...),
		Points:    rewritten.Points,
	}
	sort.Slice(header.LeftOut, func(i, j int) bool { return header.LeftOut[i].Name < header.LeftOut[j].Name })
	for _, p := range prog.Packages {
		header.Packages = append(header.Packages, p.Path)
	}
	if err := t.write(w, header); err != nil {
		return err
	}
	return ctx.Err()
}

// tracer runs the instrumented tests and sums up their samples.
type tracer struct {
	opt    TraceOptions
	prog   *source.Program
	over   *overlay.Overlay
	points []schemas.TracePoint
	// seen is by sample, as the runtime writes it: the point and the values, each followed by a tab.
	seen map[string]seen
	// calls are those of each function, by a third of the number of its entry point.
	calls   []schemas.Sampled
	dropped int64
	ran     []string // the tests whose samples are kept
	tests   int
	leftOut []schemas.LeftOut
	runs    int
}

// seen is how often a sample was made, and by which test first, by its number; NoTest if that is not known.
type seen struct {
	count int64
	test  uint32
}

// event is a line of `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// outcome is what one run of `go test` came to.
type outcome struct {
	dir    string                       // where its samples are
	tests  map[string]map[string]string // package -> top-level test -> pass, fail or skip
	failed []string                     // packages that failed, sorted
	output map[string]string            // package -> what it printed
	build  string                       // complaints of the compiler
}

// run traces all packages in one go, then those that failed test by test.
func (t *tracer) run(ctx context.Context) error {
	var paths []string
	for _, p := range t.prog.Packages {
		if len(p.TestFiles) > 0 {
			paths = append(paths, p.Path)
		}
	}
	if len(paths) == 0 {
		fmt.Fprintln(t.opt.Log, "no package has tests: the trace will be empty")
		return nil
	}
	all, err := t.goTest(ctx, "", paths)
	if err != nil {
		return err
	}
	if all.build != "" {
		return fmt.Errorf("the instrumented tests do not compile:\n%s", t.over.RestoreNames(strings.TrimSpace(all.build)))
	}
	if len(all.failed) == 0 {
		return t.keep(all)
	}
	// The samples of passing and failing packages are in one directory, so the passing ones are run again on their own.
	bad := map[string]bool{}
	for _, p := range all.failed {
		bad[p] = true
	}
	var good []string
	for _, p := range paths {
		if !bad[p] {
			good = append(good, p)
		}
	}
	if len(good) > 0 {
		again, err := t.goTest(ctx, "", good)
		if err != nil {
			return err
		}
		if len(again.failed) == 0 {
			if err := t.keep(again); err != nil {
				return err
			}
		} else { // flaky: treat them all with care
			all.failed, all.tests = append(all.failed, good...), merge(all.tests, again.tests)
			sort.Strings(all.failed)
		}
	}
	for _, p := range all.failed {
		if err := t.oneByOne(ctx, p, all); err != nil {
			return err
		}
	}
	return nil
}

func merge(a, b map[string]map[string]string) map[string]map[string]string {
	for k, v := range b {
		a[k] = v
	}
	return a
}

// oneByOne runs the tests of a failing package in a process each.
func (t *tracer) oneByOne(ctx context.Context, path string, all *outcome) error {
	// Those that ran before a panic are not all.
	names, err := t.list(ctx, path)
	if err != nil {
		return err
	}
	if len(names) == 0 || len(all.tests[path]) == 0 {
		t.leave(path, "its tests do not run: "+firstLine(all.output[path]))
		return nil
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		one, err := t.goTest(ctx, "^"+regexp.QuoteMeta(name)+"$", []string{path})
		if err != nil {
			return err
		}
		if len(one.failed) > 0 {
			t.leave(path+"."+name, "the test fails")
			continue
		}
		if err := t.keep(one); err != nil {
			return err
		}
	}
	return nil
}

// list asks a package's test binary for its tests, examples and fuzz targets, sorted.
func (t *tracer) list(ctx context.Context, path string) ([]string, error) {
	cmd, err := t.over.Command(ctx, "test", "-list=.", path)
	if err != nil {
		return nil, err
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // it does not even start
	}
	var names []string
	for _, l := range strings.Fields(string(out)) {
		if strings.HasPrefix(l, "Test") || strings.HasPrefix(l, "Example") || strings.HasPrefix(l, "Fuzz") {
			names = append(names, l)
		}
	}
	sort.Strings(names)
	return names, nil
}

func (t *tracer) leave(name, reason string) {
	t.leftOut = append(t.leftOut, schemas.LeftOut{Name: name, Reason: reason})
	fmt.Fprintf(t.opt.Log, "left out: %s: %s\n", name, reason)
}

func firstLine(s string) string {
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
	}
	return "no output"
}

// goTest runs the tests of the packages that match the pattern run ("" for all) in a new sample directory.
func (t *tracer) goTest(ctx context.Context, run string, paths []string) (*outcome, error) {
	t.runs++
	oc := &outcome{
		dir:    filepath.Join(t.over.Scratch, fmt.Sprintf("samples%d", t.runs)),
		tests:  map[string]map[string]string{},
		output: map[string]string{},
	}
	if err := os.Mkdir(oc.dir, 0o777); err != nil {
		return nil, err
	}
	args := []string{"-json", "-count=1"}
	if run != "" {
		args = append(args, "-run="+run)
	}
	if t.opt.Jobs > 0 {
		args = append(args, fmt.Sprintf("-p=%d", t.opt.Jobs))
	}
	if t.opt.Timeout != "" {
		args = append(args, "-timeout="+t.opt.Timeout)
	}
	cmd, err := t.over.Command(ctx, "test", append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, "DSD_TRACE="+oc.dir, "PWD="+cmd.Dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	oc.read(out)
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		return nil, err
	}
	if err != nil && len(oc.failed) == 0 && oc.build == "" {
		return nil, fmt.Errorf("go test: %s", strings.TrimSpace(errs.String()))
	}
	sort.Strings(oc.failed)
	return oc, nil
}

// read takes in the events of a run; lines that are not events are the compiler's.
func (oc *outcome) read(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				oc.build += string(line)
			} else {
				oc.event(e)
			}
		}
		if err != nil {
			return
		}
	}
}

func (oc *outcome) event(e event) {
	switch e.Action {
	case "build-output":
		oc.build += e.Output
	case "output":
		if len(oc.output[e.Package]) < 1<<16 {
			oc.output[e.Package] += e.Output
		}
	case "run", "pass", "fail", "skip":
		if e.Test == "" {
			if e.Action == "fail" {
				oc.failed = append(oc.failed, e.Package)
			}
			return
		}
		if strings.Contains(e.Test, "/") {
			return
		}
		if oc.tests[e.Package] == nil {
			oc.tests[e.Package] = map[string]string{}
		}
		oc.tests[e.Package][e.Test] = e.Action
	}
}

// keep adds the samples of a run of tests to those kept.
func (t *tracer) keep(oc *outcome) error {
	for path, tests := range oc.tests {
		t.tests += len(tests)
		for name := range tests {
			t.ran = append(t.ran, path+"."+name)
		}
	}
	return t.keepDir(oc.dir)
}

// keepDir adds the samples in a directory to those kept.
func (t *tracer) keepDir(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "samples-*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		counts, err := os.ReadFile(filepath.Join(dir, "counts-"+strings.TrimPrefix(filepath.Base(file), "samples-")))
		if err != nil || len(counts) < observe.Calls+8*(len(t.calls)+2)+4*(len(t.calls)+1) {
			continue // the process could not set itself up
		}
		text, err := observe.Samples(file, counts)
		if err != nil {
			return err
		}
		t.add(string(text), counts)
	}
	return os.RemoveAll(dir)
}

// add adds the samples of a process to those kept.
func (t *tracer) add(samples string, counts []byte) {
	calls := counts[observe.Calls:]
	left := calls[8*(len(t.calls)+2):]
	for i := range t.calls {
		all, observed := observe.CallsOf(int64(binary.NativeEndian.Uint64(calls[8*i:])), int32(binary.NativeEndian.Uint32(left[4*i:])))
		t.calls[i].Calls += all
		t.calls[i].Observed += observed
	}
	t.dropped += int64(binary.NativeEndian.Uint64(calls[8*(len(t.calls)+1):]))
	for i := 0; samples != ""; i++ {
		var line string
		line, samples, _ = strings.Cut(samples, "\n")
		n := int64(binary.NativeEndian.Uint64(counts[observe.Counts+8*i:]))
		test := observe.NoTest - binary.NativeEndian.Uint32(counts[observe.Witnesses+4*i:])
		old, ok := t.seen[line]
		if !ok {
			old.test = observe.NoTest
		}
		// A process that was stopped between writing and counting has seen the sample all the same.
		t.seen[line] = seen{old.count + max(n, 1), min(old.test, test)}
	}
}

// sampled are the functions not all of whose calls were observed, in order.
func (t *tracer) sampled() []schemas.Sampled {
	sum := map[string]schemas.Sampled{}
	for i, c := range t.calls {
		if name := t.points[3*i].Func; c.Calls > c.Observed { // an interface's method has points in several packages
			old := sum[name]
			sum[name] = schemas.Sampled{Func: name, Calls: old.Calls + c.Calls, Observed: old.Observed + c.Observed}
		}
	}
	return slices.SortedFunc(maps.Values(sum), func(a, b schemas.Sampled) int { return cmp.Compare(a.Func, b.Func) })
}

// witnesses are the tests whose samples are kept, in order. Samples name them from now on, instead of the number among all.
func (t *tracer) witnesses(all []string) []string {
	slices.Sort(t.ran)
	t.ran = slices.Compact(t.ran)
	number := make([]uint32, len(all))
	for i, name := range all {
		n, ok := slices.BinarySearch(t.ran, name)
		if number[i] = uint32(n); !ok {
			number[i] = observe.NoTest
		}
	}
	for line, s := range t.seen {
		if s.test != observe.NoTest {
			s.test = number[s.test]
			t.seen[line] = s
		}
	}
	return t.ran
}

// write writes the trace: the points that were declared, in their order, then the samples by point and value.
func (t *tracer) write(w io.Writer, header schemas.TraceHeader) error {
	type keyed struct {
		point  int
		values string
	}
	points, at := canonical(header.Points)
	all := make(map[keyed]seen, len(t.seen))
	for line, s := range t.seen {
		p, values, _ := strings.Cut(line, "\t")
		if i, err := strconv.Atoi(p); err == nil && i >= 0 && i < len(at) { // points that are declared twice are one
			k := keyed{at[i], values}
			if old, ok := all[k]; ok {
				s = seen{s.count + old.count, min(s.test, old.test)}
			}
			all[k] = s
		}
	}
	t.seen = nil
	lines := slices.SortedFunc(maps.Keys(all), func(a, b keyed) int { return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.values, b.values)) })
	header.Points = points
	tw, err := schemas.NewTraceWriter(w, header)
	if err != nil {
		return err
	}
	for _, l := range lines {
		values := []string{}
		if l.values != "" {
			values = strings.Split(l.values, "\t")
		}
		if len(values) != len(points[l.point].Vars) {
			continue // half written
		}
		s := schemas.Sample{Point: l.point, Count: all[l].count, Values: values}
		if test := all[l].test; test != observe.NoTest {
			s.Test = int(test) + 1
		}
		if err := tw.WriteSample(s); err != nil {
			return err
		}
	}
	return tw.Close()
}
