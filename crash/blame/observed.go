package blame

import (
	"context"
	"fmt"
	"go/types"
	"io"
	"maps"
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
	rewritten := instrument.Rewrite(prog, instrument.DefaultDepth)
	var judge *infer.Judge
	if opt.Assume != nil {
		judge = infer.NewJudge(opt.Assume, rewritten.Points)
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
		found, err := observePackage(ctx, prog, pkg, tests, rewritten, opt)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(opt.Log, "%s: tests cannot be observed: %s\n", pkg.Path,
				verify.FirstLine(err))
			continue
		}
		for k, i := range list {
			if out[i] = found[k]; judge != nil && found[k] != nil {
				found[k].judge(judge, calledBy(&crashes[i], inputs[i]))
			}
		}
	}
	return out
}

// observePackage runs the tests of one package.
func observePackage(
	ctx context.Context, prog *source.Program, pkg *source.Package, tests []schemas.Test,
	rewritten *instrument.Result, opt Options,
) ([]*observation, error) {
	out := make([]*observation, len(tests))
	files := map[string][]byte{}
	maps.Copy(files, rewritten.Files)
	var mu sync.Mutex
	results, err := verify.Run(ctx, prog, pkg, tests, testrun.Options{
		Timeout: verify.Timeout, Jobs: opt.Jobs, Unconfined: opt.Unconfined, Log: opt.Log,
		HideOwnTests: true, Overlay: files, Env: []string{"DSD_TRACE=."},
		Ended: func(i int, dir string) {
			if o := readSamples(dir, rewritten.Points); o != nil {
				mu.Lock()
				out[i] = o
				mu.Unlock()
			}
		},
	})
	for i, r := range results {
		if len(r.Refused) == 0 {
			continue
		}
		if out[i] == nil {
			out[i] = &observation{}
		}
		out[i].refused = r.Refused
	}
	return out, err
}

// readSamples reads what the processes of a test reported to a directory: the test may start others.
// It returns nil if none did.
func readSamples(dir string, points []schemas.TracePoint) *observation {
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
			out = &observation{}
		}
		out.read(string(text), points)
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
func (o *observation) judge(j *infer.Judge, called map[string]bool) {
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
