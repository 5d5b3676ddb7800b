package evolve

import (
	"context"
	"time"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/search/feedback"
	"dsd/crash/search/shrink"
	"dsd/crash/stack"
	"dsd/schemas"
)

// maxUnrepeatable is the number of times that the same panic may fail to repeat before its
// candidates are no longer run again.
const maxUnrepeatable = 20

// judge keeps the crash of a candidate if it reproduces the target crash better than any before,
// and records what the panic adds to the fitness.
func (e *evolution) judge(
	ctx context.Context, p candidate.Program, origin schemas.Strategy, ev candidate.Event,
) {
	if ev.Kind != run.KindPanic && ev.Kind != run.KindFatal {
		return
	}
	known := e.panics[ev.StackKey]
	if known != nil && known.other {
		return
	}
	x := e.readCrash(ev)
	if x == nil {
		return
	}
	trace := e.searcher.trace
	level := trace.MatchedFrames(x.Kind, x.Frames)
	if known == nil {
		known = &knownPanic{message: x.Message, penalty: trace.exceptionPenalty(x, level)}
		if ev.StackKey != 0 {
			e.panics[ev.StackKey] = known
		}
	}
	if level <= e.opt.Above {
		known.other = true
		return
	}
	same := stack.CompareMessages(trace.Message, x.Message)
	if e.opt.Better != nil && !e.opt.Better(level, same) {
		return
	}
	if ev.Stmt < len(p) {
		p = p[:ev.Stmt+1]
	}
	x.Evidence, x.FoundAfter = e.evidence(p, ev), e.monitor.Elapsed()
	if !e.improves(x, level, same) {
		return
	}
	if e.unrepeatable[ev.StackKey] > maxUnrepeatable || e.repeat(ctx, x, p, level, same) == 0 {
		e.unrepeatable[ev.StackKey]++
		e.leaks = e.leaks || e.unrepeatable[ev.StackKey] >= maxLeaked
		return
	}
	e.out.Crash, e.out.Level, e.out.Same, e.out.Strategy = x, level, same, origin
	e.out.FoundAfter = e.monitor.Stats.Candidates
}

// improves reports whether a crash is better than the one found so far: it has the wanted cause and the old one does
// not; it matches more frames; or as many, and is more like the wanted one, or only the old one is fabricated; or its
// values are nearer to the wanted ones; or its candidate is shorter.
func (e *evolution) improves(x *feedback.Crash, level int, same schemas.Sameness) bool {
	old := e.out.Crash
	if old == nil {
		return true
	}
	other, wasOther := same == schemas.OtherCause, e.out.Same == schemas.OtherCause
	switch {
	case other != wasOther:
		return wasOther
	case level != e.out.Level:
		return level > e.out.Level
	case same != e.out.Same:
		return same.Better(e.out.Same)
	case old.Fabricated != x.Fabricated:
		return !x.Fabricated
	}
	want := e.searcher.trace.Message
	if d, before := stack.ValueDistance(want, x.Message), stack.ValueDistance(want, old.Message); d != before {
		return d < before
	}
	return len(x.Program) < len(old.Program)
}

func (e *evolution) readCrash(ev candidate.Event) *feedback.Crash {
	return feedback.ReadCrash(e.searcher.h.Place, ev.Text)
}

func (e *evolution) evidence(p candidate.Program, ev candidate.Event) feedback.Evidence {
	return feedback.NewEvidence(e.searcher.g, p, ev)
}

// repeat runs a candidate by itself, to see whether it crashes again: with at least level matched
// frames, as much like the wanted panic, and not fabricated unless x is. If so, it updates the message and the frames of x and
// returns the number of statements up to the crash; else it returns 0.
func (e *evolution) repeat(
	ctx context.Context, x *feedback.Crash, p candidate.Program, level int, same schemas.Sameness,
) int {
	events, err := e.verifier.Run(ctx, []candidate.Program{p})
	if err != nil {
		return 0
	}
	for _, ev := range events {
		if ev.Kind != run.KindPanic && ev.Kind != run.KindFatal {
			continue
		}
		y := e.readCrash(ev)
		trace := e.searcher.trace
		if y == nil || trace.MatchedFrames(y.Kind, y.Frames) < level ||
			same.Better(stack.CompareMessages(trace.Message, y.Message)) {
			continue
		}
		end := min(ev.Stmt+1, len(p))
		if e.evidence(p[:end], ev).Fabricated && !x.Fabricated {
			continue
		}
		x.Message, x.Frames = y.Message, y.Frames
		return end
	}
	return 0
}

// maxShrink is the time limit for shrinking.
const maxShrink = time.Second

// shrinkCrash shrinks the candidate that crashes and describes the crash.
func (e *evolution) shrinkCrash(ctx context.Context) {
	x := e.out.Crash
	end := len(x.Program) // the number of statements up to the crash
	x.Program = e.shrink(ctx, x.Program, func(p candidate.Program) bool {
		n := e.repeat(ctx, x, p, e.out.Level, e.out.Same)
		if n > 0 {
			end = n
		}
		return n > 0
	})
	x.Program = x.Program[:min(end, len(x.Program))]
	x.Describe(e.searcher.g)
}

// shrinkBest shrinks the fittest candidate while its distance does not grow and it still panics, if
// it did.
func (e *evolution) shrinkBest(ctx context.Context) {
	panics := e.out.Panic != ""
	e.out.Best = e.shrink(ctx, e.out.Best, func(p candidate.Program) bool {
		_, err := e.verifier.Run(ctx, []candidate.Program{p})
		v := e.verifier
		return err == nil && len(v.Distances) == 1 &&
			float64(v.Distances[0]) <= e.out.Distance && (v.Stacks[0] != 0) == panics
	})
}

func (e *evolution) shrink(
	ctx context.Context, p candidate.Program, pred func(candidate.Program) bool,
) candidate.Program {
	until := time.Now().Add(maxShrink)
	return shrink.Program(p, shrink.Config{
		Table: e.searcher.g.Table, Pred: pred,
		Stop: func() bool { return ctx.Err() != nil || time.Now().After(until) },
	})
}
