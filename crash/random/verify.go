package random

import (
	"context"
	"fmt"
	"time"

	"dsd/crash/report"
	"dsd/crash/search/campaign"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/internal/text"
	"dsd/schemas"
)

// verify writes the crashes of a package as tests, runs each in processes of its own, and returns
// those whose tests crash as the candidates did. Tests that do not crash every time are returned,
// marked as flaky, only under report.All. Tests are begun for the time d, in the order of the crashes; the
// others are counted.
func (t *tester) verify(
	ctx context.Context, d time.Duration, pkg *source.Package, res *campaign.Result, stats *schemas.CrashStats,
) ([]schemas.Crash, error) {
	crashes := t.write(pkg, res, stats)
	if len(crashes) == 0 {
		return nil, nil
	}
	tests := make([]schemas.Test, len(crashes))
	for i, c := range crashes {
		tests[i] = c.Test
	}
	results, err := verify.Run(ctx, t.prog, pkg, tests, testrun.Options{
		Timeout: verify.Timeout, Time: max(d, 1), Jobs: t.opt.Jobs, Repeat: verify.Repeats,
		Unconfined: t.opt.Unconfined, Log: t.opt.Log,
	})
	if err != nil && (ctx.Err() == nil || results == nil) {
		return nil, err
	}
	var out []schemas.Crash
	cut := 0
	for i, c := range crashes {
		if ctx.Err() != nil && results[i].Crashes < verify.Repeats {
			cut++
			continue
		}
		if results[i].NotRun {
			stats.Unverified++
			continue
		}
		want := verify.Expected{Kind: c.Kind, Pos: c.Pos, File: c.Test.File}
		v := verify.Compare(t.prog, want, results[i])
		if v.Status != verify.Same {
			t.logUnreported(&c, v.Reason)
			if v.Status == verify.Other {
				stats.Elsewhere++
			}
			continue
		}
		// The candidate may have reached the panic along another path.
		c.Message, c.Stack, c.Level = v.Message, v.Stack, len(v.Stack)
		if n := results[i].Crashes; n < verify.Repeats {
			c.Flaky = true
			if t.opt.Policy != report.All {
				t.logUnreported(&c, fmt.Sprintf(reasonFlaky, n, verify.Repeats))
				stats.Suppressed++
				continue
			}
		}
		stats.Confirmed++
		out = append(out, c)
	}
	if cut > 0 {
		fmt.Fprintf(t.opt.Log, "%s: %s found, but not verified before the interruption\n", pkg.Path,
			text.Count(cut, "crash"))
	}
	return out, nil
}

// write returns the crashes of a package with their tests, without those that the policy
// suppresses.
func (t *tester) write(
	pkg *source.Package, res *campaign.Result, stats *schemas.CrashStats,
) []schemas.Crash {
	var crashes []schemas.Crash
	for _, x := range res.Crashes {
		if suppressed(x, t.opt.Policy) {
			stats.Suppressed++
			continue
		}
		fn, pos := source.FuncName(x.Target), x.Stack()[0].Pos
		name, file := t.namer.Name(fn, pkg, x.Kind)
		test, err := x.Program.WriteTest(pkg, res.Graph.Table, name,
			verify.Comment(name, pos, x.Message), x.Goroutine)
		if err != nil {
			fmt.Fprintln(t.opt.Log, err)
			continue
		}
		builtBy := schemas.BySequence
		if x.Fabricated {
			builtBy = schemas.ByLiteral
		}
		frames := verify.CollapseRecursion(x.Kind, x.Stack())
		crashes = append(crashes, schemas.Crash{
			Kind: x.Kind, Func: fn, Pos: pos, Message: x.Message,
			Stack: frames, Level: len(frames),
			SatisfiesInvariants: preconditionsKnown(x) && x.PreHeld == x.PreChecked,
			FoundAfter:          x.FoundAfter.Seconds(),
			Candidates:          x.Candidates,
			Inputs:              test.Body,
			BuiltBy:             builtBy,
			Test: schemas.Test{
				Package: pkg.Path, File: file, Name: name, Source: test.Source,
			},
		})
	}
	return crashes
}

// logUnreported logs why a crash that a candidate showed is not reported.
func (t *tester) logUnreported(c *schemas.Crash, why string) {
	fmt.Fprintf(t.opt.Log, "%s: %s at %s is not reported: %s\n",
		c.Test.Name, c.Kind, c.Pos, why)
}
