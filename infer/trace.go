package infer

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"dsd/infer/instrument"
	"dsd/infer/instrument/observe"
	"dsd/internal/cache"
	"dsd/internal/memo"
	"dsd/internal/overlay"
	"dsd/internal/shard"
	"dsd/internal/source"
	"dsd/schemas"
)

// TraceOptions are the options of Trace.
type TraceOptions struct {
	// Dir is the directory in which the go command runs. Patterns name the packages.
	Dir      string
	Patterns []string
	// Jobs is the number of packages tested at a time; 0 leaves it to the go command.
	Jobs int
	// Depth is the number of steps through fields and pointers to which values are followed; 0
	// stands for instrument.DefaultDepth.
	Depth int
	// Program is a command that runs a program of the module. If it is not empty, Trace
	// observes the program instead of the tests.
	Program []string
	// Run, Skip, Timeout and Bench are those of gotest.Options.
	Run, Skip string
	Timeout   time.Duration
	Bench     bool
	// Sandbox confines the tests; see gotest.Options.Confined.
	Sandbox bool
	// Exclude are the folders whose packages are left out, see source.Program.Exclude.
	Exclude []string
	// Shard is the part of the packages whose tests run.
	Shard shard.Shard
	// Progress, if not nil, is called when the tests of another package are done, never concurrently.
	Progress func(done, total int)
	// Basis, if not nil, receives what the trace depends on besides files.
	Basis *Basis
	// Store, if not nil, has what the tests of packages showed in earlier runs of the program with the digest
	// Digest, and gets what they show. It also keeps what the go command says of packages that do not change.
	Store  *cache.Cache
	Digest cache.ID
	// Log receives warnings. It must not be nil.
	Log io.Writer
}

// Basis is what a trace depends on besides files.
type Basis struct {
	// Variables are the environment variables that tests looked at, sorted.
	Variables []string
	// Open reports whether it is not known what the tests looked at: some did not run to their end.
	Open bool
	// LeftOut reports whether tests were left out.
	LeftOut bool
}

// Trace runs the instrumented tests of the packages and writes the trace to w.
//
// The tests of a package run in a copy of its folder. If some fail, the others run again without them.
// Only the samples of passing tests are kept; the header names the others. Samples are summed over the
// processes and sorted, so the trace depends only on what the tests did.
//
// When ctx ends, Trace writes what is finished, marked incomplete, and returns ctx's error. Other
// errors: those of source.Load and of w, and a failure to build the instrumented packages.
func Trace(ctx context.Context, w io.Writer, opt TraceOptions) error {
	prog, err := source.LoadWith(ctx, opt.Dir, opt.Patterns, source.Options{Store: opt.Store})
	if err != nil {
		return err
	}
	if err := prog.Exclude(opt.Exclude); err != nil {
		return err
	}
	o, err := overlay.Open(prog.Dir)
	if err != nil {
		return err
	}
	defer o.Close()
	m := memo.New(ctx, opt.Store, opt.Digest, prog)
	defer m.Wait()
	rewritten := instrument.Rewrite(prog, cmp.Or(opt.Depth, instrument.DefaultDepth))
	for name, content := range rewritten.Files {
		if err := o.Add(name, content); err != nil {
			return err
		}
	}
	t := &tracer{
		opt: opt, prog: prog, over: o, memo: m, rewritten: rewritten.Files, points: rewritten.Points, seen: map[string]seen{},
		calls: make([]schemas.Sampled, len(rewritten.Points)/pointsPerFunc),
	}
	for _, b := range prog.Broken {
		t.leaveOut(b.Path, b.Reason())
	}
	var runErr error
	if len(opt.Program) > 0 {
		runErr = t.runProgram(ctx, opt.Program)
	} else {
		runErr = t.runTests(ctx)
	}
	if runErr != nil && ctx.Err() == nil {
		return runErr
	}
	ended := ctx.Err() // once: a signal may come while the trace is written
	if b := opt.Basis; b != nil {
		slices.Sort(t.variables)
		b.Variables, b.Open, b.LeftOut = slices.Compact(t.variables), t.open, len(t.leftOut) > 0
	}
	header := schemas.TraceHeader{
		Header: schemas.Header{
			Module:     prog.Header().Module,
			Incomplete: ended != nil,
		},
		Tests:     t.tests,
		Witnesses: t.witnesses(rewritten.Tests),
		Sampled:   t.sampled(),
		Dropped:   t.dropped,
		LeftOut:   append(t.leftOut, rewritten.Skipped...),
		Points:    rewritten.Points,
	}
	sort.Slice(header.LeftOut, func(i, j int) bool {
		return header.LeftOut[i].Name < header.LeftOut[j].Name
	})
	for _, p := range prog.Packages {
		header.Packages = append(header.Packages, p.Path)
	}
	if err := t.write(w, header); err != nil {
		return err
	}
	return ended
}

// tracer is the state of Trace.
type tracer struct {
	opt    TraceOptions
	prog   *source.Program
	over   *overlay.Overlay
	memo   *memo.Memo // nil if nothing is kept
	points []schemas.TracePoint
	// rewritten are the files of the instrumented module.
	rewritten map[string][]byte
	// seen holds the samples by their text, as the runtime writes it: the number of the point
	// and the values, separated by tabs.
	seen map[string]seen
	// calls counts the calls of each function. Function i has the points 3*i, 3*i+1 and 3*i+2.
	calls   []schemas.Sampled
	dropped int64    // samples beyond the limit per process
	ran     []string // the tests whose samples are kept
	tests   int      // how many tests ran
	leftOut []schemas.LeftOut
	// variables and open are for Basis.
	variables []string
	open      bool
	mu        sync.Mutex // guards what runs of several packages add
}

// pointsPerFunc is the number of program points per function: entry, exit and panic.
const pointsPerFunc = 3

// seen is the count of a sample and the number of the first test that produced it, or NoTest if it
// is not known.
type seen struct {
	count int64
	test  uint32
}

// keepDir adds the samples in a directory and deletes it.
func (t *tracer) keepDir(dir string) error {
	list, err := t.processes(dir)
	for _, p := range list {
		t.add(p)
	}
	return err
}

// processes returns what the processes reported whose files are in a directory, and deletes it.
func (t *tracer) processes(dir string) (list []observe.Process, err error) {
	files, err := filepath.Glob(filepath.Join(overlay.Literally(dir), "samples-*"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		number := strings.TrimPrefix(filepath.Base(file), "samples-")
		p, complete, err := observe.Read(file, filepath.Join(dir, "counts-"+number), len(t.calls))
		if err != nil {
			return nil, err
		}
		if complete {
			list = append(list, p)
		}
	}
	return list, os.RemoveAll(dir)
}

// add adds what a process observed.
func (t *tracer) add(p observe.Process) {
	left := p.Calls[8*(len(t.calls)+2):]
	for i := range t.calls {
		all, observed := observe.CallsOf(
			int64(binary.NativeEndian.Uint64(p.Calls[8*i:])),
			int32(binary.NativeEndian.Uint32(left[4*i:])),
		)
		t.calls[i].Calls += all
		t.calls[i].Observed += observed
	}
	t.dropped += int64(binary.NativeEndian.Uint64(p.Calls[8*(len(t.calls)+1):]))
	samples := p.Samples
	for i := 0; samples != ""; i++ {
		var line string
		line, samples, _ = strings.Cut(samples, "\n")
		n := int64(binary.NativeEndian.Uint64(p.Counts[8*i:]))
		test := observe.NoTest - binary.NativeEndian.Uint32(p.Witnesses[4*i:])
		old, ok := t.seen[line]
		if !ok {
			old.test = observe.NoTest
		}
		// The count is 0 if the process stopped between writing the sample and counting it.
		t.seen[line] = seen{old.count + max(n, 1), min(old.test, test)}
	}
}

// sampled returns the functions of which not all calls were observed, sorted.
func (t *tracer) sampled() []schemas.Sampled {
	sum := map[string]schemas.Sampled{}
	for i, c := range t.calls {
		if c.Calls <= c.Observed {
			continue
		}
		name := t.points[pointsPerFunc*i].Func
		s := sum[name] // an interface's method may have points in several packages
		sum[name] = schemas.Sampled{
			Func: name, Calls: s.Calls + c.Calls, Observed: s.Observed + c.Observed,
		}
	}
	return slices.SortedFunc(maps.Values(sum), func(a, b schemas.Sampled) int {
		return cmp.Compare(a.Func, b.Func)
	})
}

// witnesses returns the tests whose samples are kept, sorted. It renumbers the tests in seen, which
// are indices of all, to indices of the result.
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

// write writes the trace: the header with the points in canonical order, then the samples, sorted
// by point and values. It empties seen.
func (t *tracer) write(w io.Writer, header schemas.TraceHeader) error {
	type keyed struct {
		point  int
		values string
	}
	points, at := canonical(header.Points)
	all := make(map[keyed]seen, len(t.seen))
	for line, s := range t.seen {
		p, values, _ := strings.Cut(line, "\t")
		if i, err := strconv.Atoi(p); err == nil && i >= 0 && i < len(at) {
			k := keyed{at[i], values} // equal points have the same index
			if old, ok := all[k]; ok {
				s = seen{s.count + old.count, min(s.test, old.test)}
			}
			all[k] = s
		}
	}
	t.seen = nil
	lines := slices.SortedFunc(maps.Keys(all), func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.point, b.point), cmp.Compare(a.values, b.values))
	})
	// A line with fewer values is one at which the process stopped.
	lines = slices.DeleteFunc(lines, func(l keyed) bool {
		return len(splitValues(l.values)) != len(points[l.point].Vars)
	})
	header.Points, header.Samples = points, int64(len(lines))
	tw, err := schemas.NewTraceWriter(w, header)
	if err != nil {
		return err
	}
	for _, l := range lines {
		values := splitValues(l.values)
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

// splitValues splits the values of a sample as the runtime writes them.
func splitValues(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(text, "\t")
}
