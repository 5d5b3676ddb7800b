package infer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"dsd/schemas"
)

// outcome is the result of one run of go test.
type outcome struct {
	dir    string                       // of the samples
	tests  map[string]map[string]string // package -> top-level test -> pass, fail or skip
	failed []string                     // the packages that failed, sorted
	output map[string]string            // package -> its output, up to about maxOutput
	build  string                       // the compiler's output
}

// maxOutput is the number of bytes from which on the output of a package is dropped.
const maxOutput = 1 << 16

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// runTests runs the tests of all packages at once. Then it runs the packages that failed again,
// test by test.
func (t *tracer) runTests(ctx context.Context) error {
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
		return fmt.Errorf("the instrumented tests do not compile:\n%s",
			t.over.RestoreNames(strings.TrimSpace(all.build)))
	}
	if len(all.failed) == 0 {
		return t.keep(all)
	}
	// The samples of all packages are in one directory. Those of passing packages cannot be
	// told from the others, so the passing packages run again on their own.
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
		} else { // flaky: run them test by test, too
			all.failed = append(all.failed, good...)
			maps.Copy(all.tests, again.tests)
			sort.Strings(all.failed)
		}
	}
	for _, p := range all.failed {
		if err := t.runTestByTest(ctx, p, all); err != nil {
			return err
		}
	}
	return nil
}

// runTestByTest runs the tests of a failing package in one process each. It keeps the samples of
// those that pass and leaves out the others.
func (t *tracer) runTestByTest(ctx context.Context, path string, all *outcome) error {
	// The events do not name the tests that would have run after a panic.
	names, err := t.list(ctx, path)
	if err != nil {
		return err
	}
	if len(names) == 0 || len(all.tests[path]) == 0 {
		t.leaveOut(path, "its tests do not run: "+firstLine(all.output[path]))
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
			t.leaveOut(path+"."+name, "the test fails")
			continue
		}
		if err := t.keep(one); err != nil {
			return err
		}
	}
	return nil
}

// list returns the tests, examples and fuzz targets of a package, sorted, or nil if its test binary
// does not start.
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
		return nil, nil
	}
	var names []string
	for _, l := range strings.Fields(string(out)) {
		for _, prefix := range []string{"Test", "Example", "Fuzz"} {
			if strings.HasPrefix(l, prefix) {
				names = append(names, l)
			}
		}
	}
	sort.Strings(names)
	return names, nil
}

// leaveOut records that the samples of a test or a package are left out.
func (t *tracer) leaveOut(name, reason string) {
	t.leftOut = append(t.leftOut, schemas.LeftOut{Name: name, Reason: reason})
	fmt.Fprintf(t.opt.Log, "left out: %s: %s\n", name, reason)
}

// firstLine returns the first line of s that is not blank.
func firstLine(s string) string {
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			return l
		}
	}
	return "no output"
}

// goTest runs the tests of packages whose names match the pattern run, or all tests if run is
// empty. The samples go to a new directory.
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

// read adds the events of a run. Lines that are not events come from the compiler.
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

// event adds one event. Only top-level tests count.
func (oc *outcome) event(e event) {
	switch e.Action {
	case "build-output":
		oc.build += e.Output
	case "output":
		if len(oc.output[e.Package]) < maxOutput {
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
