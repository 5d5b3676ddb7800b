package infer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"dsd/internal/gotest"
	"dsd/internal/memo"
	"dsd/internal/source"
	"dsd/schemas"
)

// runTests builds the tests of all packages and runs them, several packages at a time. Only the samples of
// runs in which all tests pass are kept; tests that do not are left out.
func (t *tracer) runTests(ctx context.Context) error {
	var packages []*source.Package
	for _, p := range t.prog.Packages {
		if len(p.TestFiles) > 0 {
			packages = append(packages, p)
		}
	}
	if s := t.opt.Shard; s.Of > 0 {
		var mine []*source.Package
		for i, is := range s.Each(len(packages)) {
			if is {
				mine = append(mine, packages[i])
			}
		}
		packages = mine
	}
	if len(packages) == 0 {
		if t.opt.Shard.Of == 0 {
			fmt.Fprintln(t.opt.Log, "no package has tests: the trace will be empty")
		}
		return nil
	}
	left := map[string][]gotest.LeftOut{} // by package
	keys := map[string]memo.Key{}
	var open []*source.Package // that are to be tested
	for _, p := range packages {
		if key, ok := t.key(p); ok {
			keys[p.Path] = key
			if k := t.kept(key); k != nil {
				left[p.Path] = k.Left
				for i := range k.Runs {
					t.take(p.Path, &k.Runs[i])
				}
				continue
			}
		}
		open = append(open, p)
	}
	built, failed, err := t.build(ctx, open)
	if err != nil {
		return err
	}
	for _, p := range open {
		switch text, ok := failed[p.Path]; {
		case !ok:
		case len(built) == 0 && len(open) == len(packages):
			return fmt.Errorf("the instrumented tests do not compile:\n%s", text)
		default:
			t.leaveOut(p.Path, "its tests do not build: "+source.FirstComplaint(text))
		}
	}
	err = t.runBinaries(ctx, built, len(packages)-len(open), keys, left)
	for _, p := range packages {
		list := slices.SortedFunc(slices.Values(left[p.Path]), func(x, y gotest.LeftOut) int { return strings.Compare(x.Test, y.Test) })
		for _, l := range list {
			t.leaveOut(nameOf(p.Path, l), l.Reason)
		}
	}
	return err
}

// build builds the tests of packages, if there are any.
func (t *tracer) build(ctx context.Context, packages []*source.Package) ([]*gotest.Binary, map[string]string, error) {
	if len(packages) == 0 {
		return nil, nil, nil
	}
	return gotest.Build(ctx, t.over, packages, t.opt.Jobs)
}

// runBinaries runs test binaries, several at a time, and adds to left what is left out of each package. done is the
// number of packages that were tested before.
func (t *tracer) runBinaries(
	ctx context.Context, built []*gotest.Binary, done int, keys map[string]memo.Key, left map[string][]gotest.LeftOut,
) error {
	jobs := t.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(built))
	slots := make(chan struct{}, jobs)
	var wg sync.WaitGroup
	total := done + len(built)
	report := func(n int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if done += n; t.opt.Progress != nil {
			t.opt.Progress(done, total)
		}
	}
	report(0)
	for i, b := range built {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			var k *kept
			k, errs[i] = t.runBinary(ctx, b)
			if key, ok := keys[b.Path]; ok && errs[i] == nil {
				t.keep(key, k)
			}
			t.mu.Lock()
			left[b.Path] = k.Left
			t.mu.Unlock()
			report(1)
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// nameOf returns the name of a test of a package, or of the package, that is left out.
func nameOf(path string, l gotest.LeftOut) string {
	if l.Test == "" {
		return path
	}
	return path + "." + l.Test
}

// runBinary runs the tests of a package until those that are not left out pass, and returns what they showed.
func (t *tracer) runBinary(ctx context.Context, b *gotest.Binary) (*kept, error) {
	var dir string
	opt := t.options()
	opt.Env = func() (env, writes []string, err error) {
		dir, err = os.MkdirTemp(t.over.Scratch, "samples")
		return []string{"DSD_TRACE=" + dir}, []string{dir}, err
	}
	k := &kept{}
	left, err := b.Passing(ctx, opt, func(r *gotest.Result, passed bool) error {
		one := testRun{Passed: passed, Variables: r.Variables, Open: r.Variables == nil, Outside: r.Outside}
		if passed {
			one.Tests = slices.Sorted(maps.Keys(r.Tests))
			var err error
			if one.Processes, err = t.processes(dir); err != nil {
				return err
			}
		} else if err := os.RemoveAll(dir); err != nil {
			return err
		}
		t.take(b.Path, &one)
		k.add(one)
		return nil
	})
	k.Left = left
	return k, err
}

// options returns those of the runs of tests, without Env.
func (t *tracer) options() gotest.Options {
	return gotest.Options{Run: t.opt.Run, Skip: t.opt.Skip, Timeout: t.opt.Timeout, Bench: t.opt.Bench, Confined: t.opt.Sandbox}
}

// take adds what a run of the tests of a package showed.
func (t *tracer) take(path string, r *testRun) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.variables = append(t.variables, r.Variables...)
	t.open = t.open || r.Open
	if !r.Passed {
		return
	}
	t.tests += len(r.Tests)
	for _, name := range r.Tests {
		t.ran = append(t.ran, path+"."+name)
	}
	for _, p := range r.Processes {
		t.add(p)
	}
}

// leaveOut records that the samples of a test or a package are left out.
func (t *tracer) leaveOut(name, reason string) {
	t.leftOut = append(t.leftOut, schemas.LeftOut{Name: name, Reason: reason})
	fmt.Fprintf(t.opt.Log, "left out: %s: %s\n", name, reason)
}
