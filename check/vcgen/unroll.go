package vcgen

import (
	"fmt"

	"dsd/check/ir"
)

// maxConcreteTerms is how many terms the passes of such a loop may make: with more, what it does is not so concrete.
const maxConcreteTerms = 8000

// loopState counts the passes of a loop in one execution of its function.
type loopState struct {
	passes     int
	size       int  // terms made before the first pass
	symbolic   bool // a condition inside was not known
	summarized bool
}

// enterLoop decides what happens when control comes to the head of l in state st: go on, go on only to where the loop is
// left, or not go on at all. A loop inside another begins anew with each pass of the outer one.
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
	case !s.symbolic && e.b.Size() < e.opt.MaxTerms && e.b.Size()-s.size < maxConcreteTerms && s.passes <= MaxPasses:
		return true, false
	case s.passes == limit+1:
		if limit > e.opt.Unroll {
			e.bounded[fmt.Sprintf("a loop is followed for %d passes, as counterexamples ask for it", limit)] = true
		} else {
			e.bounded["loops are followed for 3 passes"] = true
		}
		return true, true
	case !s.symbolic:
		e.bounded["loops whose conditions are known are followed for 70 passes"] = true
	}
	return false, false
}

// markSymbolic notes that the branch at the end of block at was not known, for all loops around it.
func markSymbolic(f *ir.Func, at int, loops map[int]*loopState) {
	for head, s := range loops {
		if inside(f.Loops[head], at) {
			s.symbolic = true
		}
	}
}

func inside(l *ir.Loop, at int) bool { return l != nil && l.Head <= at && at <= l.Last }
