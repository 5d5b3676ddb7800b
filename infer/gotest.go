package infer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"dsd/internal/gotest"
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
	built, failed, err := gotest.Build(ctx, t.over, packages, t.opt.Jobs)
	if err != nil {
		return err
	}
	for _, p := range packages {
		switch text, ok := failed[p.Path]; {
		case !ok:
		case len(built) == 0:
			return fmt.Errorf("the instrumented tests do not compile:\n%s", text)
		default:
			t.leaveOut(p.Path, "its tests do not build: "+source.FirstComplaint(text))
		}
	}
	jobs := t.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, len(built))
	slots := make(chan struct{}, jobs)
	var wg sync.WaitGroup
	left := make([][]gotest.LeftOut, len(built))
	done := 0
	report := func(n int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if done += n; t.opt.Progress != nil {
			t.opt.Progress(done, len(built))
		}
	}
	report(0)
	for i, b := range built {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			left[i], errs[i] = t.runBinary(ctx, b)
			report(1)
		})
	}
	wg.Wait()
	for i, b := range built {
		slices.SortFunc(left[i], func(x, y gotest.LeftOut) int { return strings.Compare(x.Test, y.Test) })
		for _, l := range left[i] {
			t.leaveOut(nameOf(b, l), l.Reason)
		}
	}
	return errors.Join(errs...)
}

// nameOf returns the name of a test, or of a package, that is left out.
func nameOf(b *gotest.Binary, l gotest.LeftOut) string {
	if l.Test == "" {
		return b.Path
	}
	return b.Path + "." + l.Test
}

// runBinary runs the tests of a package until those that are not left out pass.
func (t *tracer) runBinary(ctx context.Context, b *gotest.Binary) ([]gotest.LeftOut, error) {
	var dir string
	opt := gotest.Options{Run: t.opt.Run, Skip: t.opt.Skip, Timeout: t.opt.Timeout, Bench: t.opt.Bench,
		Confined: t.opt.Sandbox}
	opt.Env = func() (env, writes []string, err error) {
		dir, err = os.MkdirTemp(t.over.Scratch, "samples")
		return []string{"DSD_TRACE=" + dir}, []string{dir}, err
	}
	return b.Passing(ctx, opt, func(r *gotest.Result, passed bool) error {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.variables = append(t.variables, r.Variables...)
		t.open = t.open || r.Variables == nil
		if !passed {
			return os.RemoveAll(dir)
		}
		t.tests += len(r.Tests)
		for name := range r.Tests {
			t.ran = append(t.ran, b.Path+"."+name)
		}
		return t.keepDir(dir)
	})
}

// leaveOut records that the samples of a test or a package are left out.
func (t *tracer) leaveOut(name, reason string) {
	t.leftOut = append(t.leftOut, schemas.LeftOut{Name: name, Reason: reason})
	fmt.Fprintf(t.opt.Log, "left out: %s: %s\n", name, reason)
}
