// Package mended determines which of the crashes in an earlier document are fixed in the current source.
//
// A test that no longer panics covers one input. So the checker is also asked about the same panic, in calls of the
// same function, with any inputs. If it proves that there is none, the crash is fixed. If it finds other inputs, a test
// with them is run.
package mended

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"dsd/crash/report"
	"dsd/crash/testrun"
	"dsd/crash/verify"
	"dsd/internal/fingerprint"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Outcome is what became of a crash.
type Outcome string

const (
	// Proved means that the test does not panic, and that no inputs do, within the bounds of check.
	Proved Outcome = "proved"
	// Fixed means that the test does not panic, and that nothing is proved of other inputs.
	Fixed Outcome = "fixed"
	// Still means that the test does not panic, and other inputs do.
	Still Outcome = "still"
	// Not means that the test panics as before.
	Not Outcome = "not-fixed"
	// Otherwise means that the test panics with another panic.
	Otherwise Outcome = "otherwise"
	// Unknown means that the test did not run to its end.
	Unknown Outcome = "unknown"
)

// Verdict is what became of a crash, and why.
type Verdict struct {
	Crash       string         `json:"crash"` // its ID
	Fingerprint string         `json:"fingerprint,omitempty"`
	Outcome     Outcome        `json:"outcome"`
	Detail      string         `json:"detail"`
	Now         *schemas.Crash `json:"now,omitempty"` // other inputs that panic
}

// Mended reports whether nothing is known to panic any more.
func (v *Verdict) Mended() bool { return v.Outcome == Proved || v.Outcome == Fixed }

// Options configure Run.
type Options struct {
	// Check checks a function for panics of a kind at the positions that it is asked about.
	Check func(ctx context.Context, fn *source.Func, kind schemas.Kind, asks func(pos string) bool) (*schemas.Warnings, error)
	// Confirm confirms warnings.
	Confirm func(ctx context.Context, doc *schemas.Warnings) (*schemas.Crashes, error)
	// Assumed reports whether Check assumes preconditions of a function.
	Assumed func(fn string) bool
	// Jobs is the number of tests that run at the same time.
	Jobs       int
	Unconfined bool
	Log        io.Writer
}

// Run returns a verdict for each crash of a document about an earlier state of prog. It ends early when ctx does;
// other errors come from Check and Confirm.
func Run(ctx context.Context, prog *source.Program, doc *schemas.Crashes, opt Options) ([]Verdict, error) {
	r := &runner{prog: prog, opt: opt, funcs: verify.Funcs(prog), sites: fingerprint.New(prog)}
	out := make([]Verdict, len(doc.Crashes))
	for i := range out {
		out[i] = Verdict{Crash: doc.Crashes[i].ID, Fingerprint: doc.Crashes[i].Fingerprint}
	}
	r.runTests(ctx, doc.Crashes, out)
	for i := range out {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if out[i].Outcome == Fixed {
			if err := r.prove(ctx, &doc.Crashes[i], &out[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

type runner struct {
	prog  *source.Program
	opt   Options
	funcs map[string]*source.Func
	sites *fingerprint.Sites
}

// runTests runs the tests, a package at a time, and sets the outcomes to Fixed where they do not panic.
func (r *runner) runTests(ctx context.Context, crashes []schemas.Crash, out []Verdict) {
	for i := range crashes {
		if r.prog.Package(crashes[i].Test.Package) == nil {
			out[i].Outcome, out[i].Detail = Unknown, "the module has no package "+crashes[i].Test.Package
		}
	}
	for _, pkg := range r.prog.All {
		var tests []schemas.Test
		var of []int
		for i := range crashes {
			if t := &crashes[i].Test; t.Package == pkg.Path {
				tests, of = append(tests, *t), append(of, i)
			}
		}
		if len(tests) == 0 || ctx.Err() != nil {
			continue
		}
		results, err := verify.Run(ctx, r.prog, pkg, tests, testrun.Options{
			Timeout: verify.Timeout, Jobs: r.opt.Jobs, Unconfined: r.opt.Unconfined, Log: r.opt.Log,
		})
		for k, i := range of {
			if err != nil {
				out[i].Outcome, out[i].Detail = Unknown, verify.FirstLine(err)
				continue
			}
			r.compare(&crashes[i], results[k], &out[i])
		}
	}
}

// compare sets the outcome of a crash whose test ran. The panic is that of before if it is of the same kind, in the
// same function: its line may have moved.
func (r *runner) compare(c *schemas.Crash, result testrun.Result, v *Verdict) {
	got := verify.Compare(r.prog, verify.Expected{Kind: c.Kind, File: filepath.Base(c.Test.File)}, result)
	switch {
	case got.Status == verify.NotBuilt:
		v.Outcome, v.Detail = Unknown, got.Reason
	case got.Status == verify.NoPanic && got.Reason != verify.ReasonNoPanic:
		v.Outcome, v.Detail = Unknown, got.Reason
	case got.Status == verify.NoPanic:
		v.Outcome, v.Detail = Fixed, "its test does not panic"
	case got.Kind == c.Kind && len(got.Stack) > 0 && len(c.Stack) > 0 && got.Stack[0].Func == c.Stack[0].Func:
		v.Outcome, v.Detail = Not, got.Message
	default:
		v.Outcome, v.Detail = Otherwise, got.Reason
	}
}

// prove asks the checker about the panic of a crash whose test does not panic.
func (r *runner) prove(ctx context.Context, c *schemas.Crash, v *Verdict) error {
	fn, literal := verify.Enclosing(r.funcs, symbol.Plain(c.Func))
	if fn == nil || literal || len(c.Stack) == 0 {
		v.Detail += "; nothing is proved: check is not asked about " + c.Func
		return nil
	}
	asks := r.site(c)
	doc, err := r.opt.Check(ctx, fn, c.Kind, asks)
	if err != nil {
		return err
	}
	switch {
	case len(doc.Skipped) > 0:
		v.Detail += "; nothing is proved: " + doc.Skipped[0].Reason
		return nil
	case len(doc.Warnings) == 0 && len(doc.Bounded) > 0:
		v.Detail += fmt.Sprintf("; no other inputs were found, up to a bound: %s", doc.Bounded[0].Reason)
		return nil
	case len(doc.Warnings) == 0:
		v.Outcome = Proved
		v.Detail += "; no inputs panic here"
		if r.opt.Assumed(fn.Name) {
			v.Detail += " that satisfy what the tests show of inputs"
		}
		return nil
	}
	crashes, err := r.opt.Confirm(ctx, doc)
	if err != nil {
		return err
	}
	inside := false
	for i := range crashes.Crashes {
		if x := &crashes.Crashes[i]; x.Kind == c.Kind && asks(x.Pos) {
			if x.Rank == schemas.Unreachable && c.Rank != schemas.Unreachable {
				inside = true
				continue
			}
			v.Outcome, v.Now = Still, x
			v.Detail = fmt.Sprintf("its test does not panic, but others do: %s (%s)", x.Message, report.Rank(x))
			return nil
		}
	}
	if inside {
		v.Detail += "; others do that only code inside the package can write"
		return nil
	}
	v.Detail += "; nothing is proved: check warns of other inputs, but no test with them panics"
	return nil
}

// site returns a predicate for the positions of the panic of a crash: those of its statement or, if that was
// changed, all in the function that panicked.
func (r *runner) site(c *schemas.Crash) func(pos string) bool {
	inFunc := func(pos string) bool {
		at, _ := verify.Enclosing(r.funcs, symbol.Plain(c.Stack[0].Func))
		if at == nil {
			return false
		}
		p := symbol.ParsePos(pos)
		from, to := symbol.ParsePos(r.prog.Pos(at.Decl.Pos())), symbol.ParsePos(r.prog.Pos(at.Decl.End()))
		return p.File == from.File && from.Line <= p.Line && p.Line <= to.Line
	}
	at, _ := verify.Enclosing(r.funcs, symbol.Plain(c.Stack[0].Func))
	if at == nil {
		return inFunc
	}
	same := map[string]bool{} // "file:line" and "file:line:col"
	for _, pos := range r.sites.Positions(at.Decl) {
		for _, p := range []symbol.Pos{pos, pos.WithoutCol()} {
			if r.sites.Of(c.Kind, c.Func, p.String()) == fingerprint.Base(c.Fingerprint) {
				same[p.String()] = true
			}
		}
	}
	if len(same) == 0 {
		return inFunc
	}
	return func(pos string) bool { return same[pos] || same[symbol.Line(pos)] }
}
