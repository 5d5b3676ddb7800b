package campaign

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/search/feedback"
	"dsd/crash/search/shrink"
	"dsd/internal/symbol"
	"dsd/schemas"
)

const (
	// shrinkGrace is how long shrinking all crashes may take after the time is over.
	shrinkGrace = 800 * time.Millisecond
	// longestShrink is the time limit for shrinking one crash, in what it usually takes.
	longestShrink = 8
	// maxRuns is the number of candidates that are run for one crash, maxRunsGoal that in a campaign with
	// goals, and maxRunsOverflow that for one that overflows the stack.
	maxRuns         = 2000
	maxRunsGoal     = 300
	maxRunsOverflow = 60
)

// shrinkTime returns the part of Options.Time that is kept for shrinking the crashes so far, at most half.
func (c *campaign) shrinkTime() (sum time.Duration) {
	if c.opt.Candidates > 0 {
		return 0
	}
	for _, x := range c.crashes {
		sum += usualTime(x)
	}
	return min(sum, c.opt.Time/2)
}

// usualTime returns how long shrinking a crash mostly takes. Each candidate that overflows the stack costs a process, and
// those that do not crash with a size make something of another size, which may be large.
func usualTime(x *feedback.Crash) time.Duration {
	switch x.Kind {
	case schemas.StackOverflow:
		return time.Second
	case schemas.MakeSlice:
		return 250 * time.Millisecond
	}
	return 50 * time.Millisecond
}

// shrink shrinks the candidates of the crashes and describes the crashes: first those that take little time, which is
// then mostly enough: what is cut short depends on the clock. It returns the number of crashes that are suppressed.
func (c *campaign) shrink(ctx context.Context) (suppressed int) {
	limits := candidate.DefaultLimits
	limits.PanicsPerStack, limits.Unconfined, limits.SingleCPU = 1<<30, c.opt.Open, true
	runner := c.h.NewRunner(limits)
	defer runner.Close()
	var all time.Duration // what the crashes that are left mostly take
	for _, k := range c.keys {
		all += usualTime(c.crashes[k])
	}
	keys := slices.Clone(c.keys)
	slices.SortStableFunc(keys, func(a, b string) int {
		return cmp.Compare(usualTime(c.crashes[a]), usualTime(c.crashes[b]))
	})
	for _, k := range keys {
		x := c.crashes[k]
		// Each crash gets its share of the time that is left.
		left := c.opt.Time + shrinkGrace - c.monitor.Elapsed()
		share := time.Duration(float64(left) * float64(usualTime(x)) / float64(all))
		all -= usualTime(x)
		if x.Refuses() && !c.opt.All && len(c.opt.Preconditions) == 0 {
			suppressed++
			continue
		}
		if len(c.opt.Goals) > 0 && !x.Goal {
			continue
		}
		c.shrinkOne(ctx, runner, x, share)
	}
	return suppressed
}

// shrinkOne shrinks the candidate of a crash: for a time, unless the number of candidates is given. It
// leaves the crash undescribed if it does not happen again, or if the shrunk candidate ends with a
// statement that calls no function.
func (c *campaign) shrinkOne(
	ctx context.Context, runner *candidate.Runner, x *feedback.Crash, limit time.Duration,
) {
	until := time.Now().Add(min(limit, longestShrink*usualTime(x)))
	stop := func() bool {
		return ctx.Err() != nil || c.opt.Candidates == 0 && time.Now().After(until)
	}
	k := siteKey(x) + c.way(x.Program)
	bar := x.Evidence // what a candidate must not be worse than
	known := false    // whether the preconditions of all functions that are called are known
	end := 0          // the number of statements up to the crash
	crashes := func(p candidate.Program) bool {
		events, err := runner.Run(ctx, []candidate.Program{p})
		if err != nil {
			return false
		}
		for _, e := range events {
			y := feedback.ReadCrash(c.h.Place, e.Text)
			if y == nil || siteKey(y)+c.way(p[:min(e.Stmt+1, len(p))]) != k {
				continue
			}
			if ev := feedback.NewEvidence(c.g, p, e); ev.WorseThan(bar) || known && e.PreChecked < e.Called {
				continue
			}
			x.Message = y.Message
			x.Called, x.PreChecked, x.PreHeld = e.Called, e.PreChecked, e.PreHeld
			x.ArgsHeld = feedback.ArgsHeld(c.g, p, e)
			end = e.Stmt + 1
			return true
		}
		return false
	}
	if ctx.Err() != nil || !crashes(x.Program) {
		return
	}
	known = x.PreChecked > 0 && x.PreChecked == x.Called
	cfg := shrink.Config{Table: c.g.Table, Pkg: c.pkg.Types, Pred: crashes, Stop: stop, MaxSteps: maxRuns - 1} // without the run above
	if x.ViolatesArgs {                                                                                        // what shrinks later must not violate them again, if they need not be
		bar.ViolatesArgs = false
		x.Program = shrink.Fit(x.Program, c.g.Constants.Observed, cfg)
		x.ViolatesArgs = x.ArgsHeld < x.PreChecked
		bar = x.Evidence
	}
	switch {
	case x.Kind == schemas.StackOverflow:
		cfg.MaxSteps = maxRunsOverflow - 1
	case len(c.opt.Goals) > 0:
		cfg.MaxSteps = maxRunsGoal - 1
	}
	x.Program = shrink.Program(x.Program, cfg)
	x.Program = x.Program[:min(end, len(x.Program))]
	x.Program = shrink.Usual(x.Program, cfg)
	x.Program = x.Program[:min(end, len(x.Program))]
	if c.g.Table[x.Program[len(x.Program)-1].Op].Func != nil {
		x.Describe(c.g)
	}
}

// repeatable returns the crashes that were described, by position.
func (c *campaign) repeatable() []*feedback.Crash {
	var out []*feedback.Crash
	for _, k := range c.keys {
		if x := c.crashes[k]; x.Target != nil {
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		return symbol.PosLess(out[i].Stack()[0].Pos, out[j].Stack()[0].Pos)
	})
	return out
}
