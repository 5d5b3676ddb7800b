package gotest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// LeftOut is a test that does not pass, and why; a whole package if Test is "".
type LeftOut struct {
	Test, Reason string
}

const (
	// maxRounds is the number of runs in which failing tests are looked for.
	maxRounds = 25
	// leastQuiet is the least time that tests may print nothing once one has hung.
	leastQuiet = 10 * time.Second
)

// Passing runs the tests until all that run pass, and leaves out those that do not: failing tests from the
// next run on, and those that were running when the process ended or hung. After each run, ended is called
// with its result and whether it passed; the last one did, unless the whole package is left out.
//
// A test that hangs costs Quiet the first time; later ones, five times as long as the longest test took.
// Tests that go on at the timeout are ended, and the run counts, though not as one that passed its whole
// package; a test that was alone for half the time is left out instead, unless the runs took twice the
// timeout already. So all runs together take three times the timeout at most.
func (b *Binary) Passing(
	ctx context.Context, opt Options, ended func(r *Result, passed bool) error,
) (out []LeftOut, err error) {
	skip := opt.Skip
	quiet, took := time.Duration(0), time.Duration(0)
	timeout := cmp.Or(opt.Timeout, DefaultTimeout)
	for range maxRounds {
		r, err := b.Run(ctx, opt, quiet)
		if err != nil {
			return out, err
		}
		took += r.Took
		found := r.culprits()
		cut := r.TimedOut && !r.anyFailed() && (2*r.Waited < timeout || took >= 2*timeout)
		if err := ended(r, !r.Failed || cut); err != nil || !r.Failed {
			return out, err
		}
		switch {
		case cut:
			return append(out, LeftOut{"", fmt.Sprintf(
				"its tests were stopped after %v; what they showed until then is kept", timeout)}), nil
		case took >= 2*timeout && r.TimedOut:
			return append(out, LeftOut{"", fmt.Sprintf("its tests fail, and take longer than %v", timeout)}), nil
		}
		if len(found) == 0 {
			why := r.First
			if why == "" {
				why = "no output"
			}
			return append(out, LeftOut{"", "its tests do not run: " + why}), nil
		}
		out = append(out, found...)
		if r.Hangs {
			quiet = max(leastQuiet, 5*r.Longest)
		}
		patterns := []string{}
		if skip != "" {
			patterns = append(patterns, skip)
		}
		for _, l := range out {
			patterns = append(patterns, "^"+regexp.QuoteMeta(l.Test)+"$")
		}
		opt.Skip = strings.Join(patterns, "|")
	}
	return append(out, LeftOut{"", "its tests fail again and again"}), nil
}

// anyFailed reports whether a test failed.
func (r *Result) anyFailed() bool {
	return slices.Contains(slices.Collect(maps.Values(r.Tests)), Fail)
}

// culprits returns the tests that made a run fail, sorted: those that failed or, if none did, those that
// were running at its end.
func (r *Result) culprits() []LeftOut {
	var failed, running []LeftOut
	for name, state := range r.Tests {
		switch {
		case state == Fail:
			failed = append(failed, LeftOut{name, "the test fails"})
		case state == Running && r.TimedOut:
			running = append(running, LeftOut{name, "the test does not end in time"})
		case state == Running && r.Hangs:
			running = append(running, LeftOut{name, "the test hangs"})
		case state == Running:
			running = append(running, LeftOut{name, "the test ends the process"})
		}
	}
	if len(failed) == 0 || r.Hangs || r.TimedOut && 2*r.Waited >= r.Took {
		failed = append(failed, running...)
	}
	slices.SortFunc(failed, func(a, b LeftOut) int { return strings.Compare(a.Test, b.Test) })
	return failed
}
