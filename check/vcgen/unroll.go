package vcgen

import "dsd/check/ir"

// maxConcreteTerms bounds the terms that a loop makes whose conditions are known: with more, it
// does not compute with constants.
const maxConcreteTerms = 8000

// loopState counts the passes of a loop in one execution of its function.
type loopState struct {
	passes int
	size   int // terms made before the first pass
	// symbolic reports whether a condition inside was not known.
	symbolic bool
	// summarized reports whether a LoopSummary stands for the other passes.
	summarized bool
	// abstracted reports whether the state at the head stands for all passes.
	abstracted bool
}

// enterLoop decides what happens when control comes to the head of l in state st: go on, go on
// only to where the loop is left, or stop. The passes of a loop inside another are counted again
// in each pass of the outer one. A loop is followed
//
//   - for opt.Unroll passes (one less in callees), or for opt.Passes of them;
//   - for up to maxKnownPasses if all its conditions are known;
//   - past its first pass by a summary, if opt.SummarizeLoops is set;
//   - past its first pass as if it changed things at will, if opt.AbstractLoops is set.
func (e *executor) enterLoop(top *frame, l *ir.Loop, st *state) (goOn, onlyExit bool) {
	s := top.loops[l.Head]
	if s == nil {
		s = &loopState{size: e.b.Size()}
		top.loops[l.Head] = s
	}
	s.passes++
	for head := range top.f.Loops {
		if head > l.Head && head <= l.Last {
			delete(top.loops, head)
		}
	}
	if e.opt.AbstractLoops && s.symbolic && s.passes > 1 {
		if s.abstracted {
			return false, false // the first time was for all passes
		}
		s.abstracted = true
		e.abstract(top, l, st)
		return true, false
	}
	limit := e.opt.Unroll
	if len(e.frames) > 1 {
		limit = max(limit-1, 1)
	} else {
		limit = max(limit, e.opt.Passes[l.Head])
	}
	switch {
	case e.opt.SummarizeLoops && len(e.frames) == 1 && s.symbolic && s.passes > 1:
		if !s.summarized {
			s.summarized = true
			e.summarize(top, l, s.passes-1, st)
			return true, false
		}
		return false, false
	case s.passes <= limit:
		return true, false
	case !s.symbolic && e.work() < e.opt.MaxTerms && e.b.Size()-s.size < maxConcreteTerms &&
		s.passes <= maxKnownPasses:
		return true, false
	case s.passes == limit+1:
		if limit > e.opt.Unroll {
			e.drop("a loop is followed for %d passes, as counterexamples ask for it", limit)
		} else {
			e.drop("loops are followed for %d passes", e.opt.Unroll)
		}
		return true, true
	case !s.symbolic:
		e.drop("loops whose conditions are known are followed for %d passes", maxKnownPasses)
	}
	return false, false
}

// markSymbolic records, for all loops around block at, that the branch at its end was not known.
func markSymbolic(f *ir.Func, at int, loops map[int]*loopState) {
	for head, s := range loops {
		if inside(f.Loops[head], at) {
			s.symbolic = true
		}
	}
}

// inside reports whether block at is in loop l.
func inside(l *ir.Loop, at int) bool { return l != nil && l.Head <= at && at <= l.Last }
