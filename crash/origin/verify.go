package origin

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"dsd/crash/stack"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/fingerprint"
	"dsd/internal/source"
	"dsd/schemas"
)

// Mismatch says how the run of a test differs from the panic.
type Mismatch struct {
	// Test is the name of the test.
	Test string
	// Panicked reports whether the test raised a panic, but another one.
	Panicked bool
	// Detail is the message of that panic, or why the test did not run to its end; "" if it
	// did.
	Detail string
}

func (m *Mismatch) String() string {
	switch {
	case m.Panicked:
		return fmt.Sprintf("%s raises another panic when run alone: %s", m.Test, m.Detail)
	case m.Detail != "":
		return fmt.Sprintf("%s does not panic when run alone: %s", m.Test, m.Detail)
	}
	return m.Test + " does not panic when run alone"
}

// Verify runs the tests of crashes in package pkg, each in processes of its own. The result is
// parallel to list: nil if the test panics like the original, with the same kind at the same line.
// Then Verify fills in the crash's kind, message, position, stack, level, Flaky and FoundAfter.
func (m *Module) Verify(
	ctx context.Context, pkg *source.Package, list []*schemas.Crash,
) ([]*Mismatch, error) {
	return m.verify(ctx, pkg, list, testrun.Options{Jobs: 1, Repeat: verify.Repeats})
}

// VerifyUntil is Verify, but no further test is run after the i-th one panicked like the original with a crash, filled in,
// for which enough(i, crash) is true.
func (m *Module) VerifyUntil(
	ctx context.Context, pkg *source.Package, list []*schemas.Crash, enough func(i int, c *schemas.Crash) bool,
) ([]*Mismatch, error) {
	return m.verify(ctx, pkg, list, testrun.Options{
		Jobs: 1, Repeat: verify.Repeats,
		Enough: func(i int, r testrun.Result) bool {
			c := *list[i]
			return m.judge(&c, r) == nil && enough(i, &c)
		},
	})
}

// VerifyOnce is Verify with one run of each test.
func (m *Module) VerifyOnce(
	ctx context.Context, pkg *source.Package, list []*schemas.Crash,
) ([]*Mismatch, error) {
	return m.verify(ctx, pkg, list, testrun.Options{Jobs: runtime.GOMAXPROCS(0), Repeat: 1})
}

func (m *Module) verify(
	ctx context.Context, pkg *source.Package, list []*schemas.Crash, opt testrun.Options,
) ([]*Mismatch, error) {
	expected := make([]Expected, len(list))
	for i, c := range list {
		expected[i] = Expected{m, c}
	}
	return runTests(ctx, pkg, expected, opt)
}

// Expected is a crash whose test should show the panic of Module.
type Expected struct {
	Module *Module
	Crash  *schemas.Crash
}

// VerifyEach is Verify for crashes of several panics in one package of a module: their tests are built once. The modules
// are made of one by For, and if one of them Stops, all do so in the same function.
func VerifyEach(ctx context.Context, pkg *source.Package, list []Expected) ([]*Mismatch, error) {
	return runTests(ctx, pkg, list, testrun.Options{Jobs: 1, Repeat: verify.Repeats})
}

// overflowTimeout bounds the run of a test whose stack grows to its largest size: that takes some seconds.
const overflowTimeout = 30 * time.Second

func runTests(ctx context.Context, pkg *source.Package, list []Expected, opt testrun.Options) ([]*Mismatch, error) {
	if len(list) == 0 {
		return nil, nil
	}
	tests := make([]schemas.Test, len(list))
	for i, x := range list {
		tests[i] = x.Crash.Test
	}
	m := list[0].Module
	opt.Timeout, opt.Unconfined, opt.HideOwnTests = verify.Timeout, m.opt.Unconfined, !m.Source.Main
	opt.Log, opt.Overlay = m.opt.Log, m.overlay
	if m.Panic.Kind == schemas.StackOverflow { // of a deep recursion, or of an endless one?
		opt.FullStack, opt.Timeout = true, overflowTimeout
	}
	results, err := verify.Run(ctx, m.Prog, pkg, tests, opt)
	if err != nil {
		return nil, err
	}
	out := make([]*Mismatch, len(list))
	for i, x := range list {
		out[i] = x.Module.judge(x.Crash, results[i])
	}
	return out, nil
}

// judge compares the run of a crash's test with the panic, and fills in the crash if they agree.
func (m *Module) judge(c *schemas.Crash, r testrun.Result) *Mismatch {
	p := stack.Parse(r.Output)
	if p == nil {
		return &Mismatch{Test: c.Test.Name, Detail: r.Err}
	}
	frames := verify.TesteeFrames(m.Prog, c.Test.File, p)
	level := m.Target.MatchedFrames(p.Kind, frames)
	if level == 0 {
		return &Mismatch{Test: c.Test.Name, Panicked: true, Detail: p.Message}
	}
	c.ID, c.Kind, c.Message, c.Level, c.GroupSize = "C1", p.Kind, p.Message, level, 1
	c.Sameness = stack.Compare(m.Panic, p, m.sameField)
	c.FoundAfter = time.Since(m.opt.Start).Seconds()
	for _, f := range verify.CollapseRecursion(p.Kind, frames) {
		f.Pos = m.pos(f.Pos)
		c.Stack = append(c.Stack, f)
	}
	c.Pos = c.Stack[0].Pos
	c.Fingerprint = fingerprint.New(m.Prog).Of(c.Kind, c.Func, frames[0].Pos)
	c.Flaky = r.Crashes < verify.Repeats
	return nil
}
