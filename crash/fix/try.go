package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/schemas"
)

// ownTimeout bounds a run of a package's own tests.
const ownTimeout = 30 * time.Second

// Trier tries changes of a testee.
type Trier struct {
	Prog *source.Program
	// Unconfined lets tests do whatever the user may do; otherwise they are confined.
	Unconfined bool

	unchanged map[string]outcome // of the own tests without a change, by package
}

// outcome is that of a package's own tests.
type outcome struct {
	failed []string
	err    error
}

// Try runs the test of a crash with a change of the testee, and then the package's own tests. It
// returns "" if the first one ran without a panic, and no other one fails because of the change; or
// else what happened. Own tests that do not run to their end without the change are not asked. An error
// means that ctx ended, or that no test can be run.
func (t *Trier) Try(ctx context.Context, c *schemas.Crash, change *Change) (string, error) {
	pkg := t.Prog.Package(c.Test.Package)
	if pkg == nil {
		return "the testee has no package " + c.Test.Package, nil
	}
	results, err := verify.Run(ctx, t.Prog, pkg, []schemas.Test{c.Test}, testrun.Options{
		Timeout: verify.Timeout, Unconfined: t.Unconfined, Log: io.Discard,
		Overlay: map[string][]byte{change.File: change.Apply()},
	})
	var build *testrun.BuildError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &build):
		return source.FirstComplaint(build.Text), nil
	case err != nil:
		return "", err
	case results[0].Err != "":
		return results[0].Err, nil
	case results[0].Crashes > 0 || !results[0].Started:
		return "the test still panics", nil
	}
	if t.unchanged == nil {
		t.unchanged = map[string]outcome{}
	}
	before, ok := t.unchanged[pkg.Path]
	if !ok {
		before = t.own(ctx, pkg, nil)
		t.unchanged[pkg.Path] = before
	}
	if before.err != nil || ctx.Err() != nil {
		return "", ctx.Err()
	}
	after := t.own(ctx, pkg, change)
	for _, name := range after.failed {
		if !slices.Contains(before.failed, name) {
			return fmt.Sprintf("then %s fails", name), ctx.Err()
		}
	}
	if after.err != nil {
		return fmt.Sprintf("then %v", after.err), ctx.Err()
	}
	return "", ctx.Err()
}

// own runs the package's own tests with a change, or without one.
func (t *Trier) own(ctx context.Context, pkg *source.Package, change *Change) outcome {
	dir, err := filepath.Rel(t.Prog.Dir, pkg.Dir)
	if err != nil {
		return outcome{err: err}
	}
	opt := testrun.Options{Timeout: ownTimeout, Unconfined: t.Unconfined, Overlay: maps.Clone(t.Prog.WithoutLines())}
	if change != nil {
		if opt.Overlay == nil {
			opt.Overlay = map[string][]byte{}
		}
		opt.Overlay[change.File] = change.Apply()
	}
	failed, err := testrun.RunOwn(ctx, t.Prog.Dir, pkg.Path, dir, opt)
	return outcome{failed, err}
}
