package testrun

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dsd/crash/confine"
	"dsd/internal/overlay"
	"dsd/internal/subprocess"
)

// failedTest matches what a test that fails prints.
var failedTest = regexp.MustCompile(`^--- FAIL: (\S+)`)

// RunOwn compiles the tests that the package with import path path, in directory dir relative to root, has
// itself, and runs all in one process, in a copy of the package's directory with its testdata. It
// returns the names of the tests that fail. Of opt it heeds Overlay, Env, Timeout and Unconfined.
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
	cwd := filepath.Join(o.Scratch, "run")
	if err := copyPackage(filepath.Join(root, dir), cwd); err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(o.Scratch, "output"))
	if err != nil {
		return nil, err
	}
	defer out.Close()
	within, cancel := context.WithTimeout(ctx, opt.Timeout)
	defer cancel()
	rules := confine.Rules{Dir: cwd, MemoryKB: memoryKB, FileBytes: maxFile, Env: opt.Env, Unconfined: opt.Unconfined}
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

// copyPackage copies the files of a package's directory, and its testdata.
func copyPackage(from, to string) error {
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	list, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range list {
		switch {
		case e.Type().IsRegular():
			text, err := os.ReadFile(filepath.Join(from, e.Name()))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, e.Name()), text, 0o666); err != nil {
				return err
			}
		case e.IsDir() && e.Name() == "testdata":
			if err := os.CopyFS(filepath.Join(to, e.Name()), os.DirFS(filepath.Join(from, e.Name()))); err != nil &&
				!os.IsPermission(err) {
				return err
			}
		}
	}
	return nil
}
