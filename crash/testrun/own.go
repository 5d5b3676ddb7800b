package testrun

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/internal/confine"
	"dsd/internal/gotest"
	"dsd/internal/overlay"
	"dsd/internal/subprocess"
)

// failedTest matches what a test that fails prints.
var failedTest = regexp.MustCompile(`^--- FAIL: (\S+)`)

// RunOwn compiles the package's own tests and runs all of them in one process, in a copy of the package's
// folder. The package has import path path, and its directory dir is relative to root. It returns the
// names of the tests that fail. It uses Overlay, Env, Timeout and Unconfined of opt.
//
// An error means that the tests do not build or do not end, or that ctx ended.
func RunOwn(ctx context.Context, root, path, dir string, opt Options) (failed []string, err error) {
	o, err := overlay.Open(root)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	for name, text := range opt.Overlay {
		if err := o.Add(filepath.FromSlash(name), text); err != nil {
			return nil, err
		}
	}
	bin := filepath.Join(o.Scratch, "own.test")
	build, err := o.Command(ctx, "test", "-c", "-o", bin, path)
	if err != nil {
		return nil, err
	}
	if out, err := build.CombinedOutput(); err != nil {
		return nil, &BuildError{path, strings.TrimSpace(string(out))}
	}
	if _, err := os.Stat(bin); err != nil {
		return nil, nil // the package has no tests
	}
	cwd, err := gotest.Mirror(root, filepath.Join(root, dir), filepath.Join(o.Scratch, "run"))
	if err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(o.Scratch, "output"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	within, cancel := context.WithTimeout(ctx, opt.Timeout)
	defer cancel()
	rules := confine.Rules{Dir: cwd, MemoryKB: memoryKB, FileBytes: maxFile, Env: opt.Env, Read: o.Readable(), Unconfined: opt.Unconfined}
	cmd, err := confine.Command(within, rules, bin, "-test.v", "-test.count=1")
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	subprocess.KillGroup(cmd)
	ended := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case within.Err() != nil:
		return nil, fmt.Errorf("the tests of %s did not end in %v", path, opt.Timeout)
	}
	if _, err := out.Seek(0, 0); err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := failedTest.FindStringSubmatch(lines.Text()); m != nil {
			failed = append(failed, m[1])
		}
	}
	if ended != nil && len(failed) == 0 {
		return nil, fmt.Errorf("the tests of %s did not end: %v", path, ended)
	}
	return failed, nil
}
