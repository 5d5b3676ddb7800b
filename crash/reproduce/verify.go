package reproduce

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"dsd/crash/origin"
	"dsd/crash/search/evolve"
	"dsd/crash/verify"
	"dsd/internal/source"
	"dsd/schemas"
)

// verifyFound writes the crash of a search as a test, runs it, and keeps it if it is the best so
// far. Searches that find crashes at the same time wait for each other: each test is compiled with the package, and the
// first one may be enough.
func (r *reproduction) verifyFound(
	ctx context.Context, pkg *source.Package, s *evolve.Searcher, found *evolve.Result,
) error {
	r.verifying.Lock()
	defer r.verifying.Unlock()
	if r.reached(s.Levels()) {
		return nil
	}
	x := found.Crash
	fn := source.FuncName(x.Target)
	var namer verify.Namer // there is only one test
	name, file := namer.Name(fn, pkg, x.Kind)
	comment := verify.Comment(name, x.Frames[0].Pos, x.Message)
	if x.Kind == schemas.StackOverflow {
		x.Program = x.Program.Deepen(s.Graph().Table)
	}
	test, err := x.Program.WriteTest(pkg, s.Graph().Table, name, comment, x.Goroutine)
	if err != nil {
		return err
	}
	builtBy := schemas.BySequence
	if x.Fabricated {
		builtBy = schemas.ByLiteral
	}
	c := &schemas.Crash{
		Func: fn, Inputs: test.Body, BuiltBy: builtBy,
		UnexportedCalls: !x.Target.Exported(),
		Strategy:        found.Strategy, Candidates: found.FoundAfter,
		Test: schemas.Test{Package: pkg.Path, File: file, Name: name, Source: test.Source},
	}
	err = r.verifyCrashes(ctx, pkg, []*schemas.Crash{c}, func(int, *schemas.Crash) bool { return true })
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.best == c { // texts that crash an inner function often crash its callers, too
		for _, t := range x.Program.Texts(s.Graph().Table) {
			r.literals = append(r.literals, strconv.Quote(t))
		}
	}
	return err
}

// verifyCrashes runs the tests of crashes in a package, until enough, see origin.Module.VerifyUntil, and keeps the best
// crash so far.
func (r *reproduction) verifyCrashes(
	ctx context.Context, pkg *source.Package, list []*schemas.Crash, enough func(i int, c *schemas.Crash) bool,
) error {
	mismatches, err := r.VerifyUntil(ctx, pkg, list, enough)
	if err != nil {
		return err
	}
	for i, c := range list {
		r.keep(c, mismatches[i])
	}
	return nil
}

// keep keeps a crash whose test ran if it is the best so far; m is what its test did otherwise, or nil.
func (r *reproduction) keep(c *schemas.Crash, m *origin.Mismatch) {
	solved := c.Strategy == schemas.StrategySolve
	if m != nil {
		if !solved { // counterexamples are often wrong about havocked calls
			fmt.Fprintln(r.opt.Log, m)
		}
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if solved {
		r.solvedLevel = max(r.solvedLevel, c.Level)
	}
	if r.best != nil && !better(c, r.best) {
		return
	}
	r.best = c
	if r.enough(r.maxLevel()) {
		r.stopSearch()
	} else if c.Sameness == schemas.OtherValues {
		time.AfterFunc(r.patience(c), func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.enough(r.maxLevel()) {
				r.stopSearch()
			}
		})
	}
}

// reliable reports whether the test of a crash crashes every time and makes its inputs by exported
// names only.
func reliable(c *schemas.Crash) bool { return c.BuiltBy == schemas.BySequence && !c.Flaky }

// better reports whether a is preferred to b: it has the panic's cause while b has another one; it has more frames in
// common with the panic; or as many, and is reliable while b is not, or is more like the panic.
func better(a, b *schemas.Crash) bool {
	other, others := a.Sameness == schemas.OtherCause, b.Sameness == schemas.OtherCause
	switch {
	case other != others:
		return others
	case a.Level != b.Level:
		return a.Level > b.Level
	case reliable(a) != reliable(b):
		return reliable(a)
	}
	return a.Sameness.Better(b.Sameness)
}

// enough reports whether nothing better than the best crash is to be looked for: it has that many frames in common, is
// reliable, and is the panic itself. If only its values are others, a better one is looked for for as long again as it
// took to find that one, and two seconds more; r.mu is held.
func (r *reproduction) enough(level int) bool {
	c := r.best
	if c == nil || c.Level < level || !reliable(c) || c.Sameness == schemas.OtherCause {
		return false
	}
	return c.Sameness == schemas.Identical || r.patience(c) <= 0
}

// patience returns how long a crash like c, but with the panic's values, is still looked for.
func (r *reproduction) patience(c *schemas.Crash) time.Duration {
	return time.Duration((2*c.FoundAfter+2)*float64(time.Second)) - time.Since(r.start)
}
