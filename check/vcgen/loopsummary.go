package vcgen

import (
	"dsd/check/ir"
	"dsd/check/logic"
)

// MaxPasses is the number of passes after which no loop is followed.
const MaxPasses = 70

// maxKnownPasses is the number of passes after which no loop is followed whose conditions are known:
// it is computed, and costs the solver nothing.
const maxKnownPasses = 300

// LoopSummary stands for any number of passes of one of the function's own loops, taken at once:
// afterwards, what the loop changes has any value, except that counters have counted:
//
//	v := v + c in every pass               becomes v + More*c
//	v := v + c in some passes              becomes v + n*c for an n <= More
//	v := v + c in a loop inside            becomes v + n*c for an n <= maxInner
//
// So what cannot fail after a summary cannot fail after those passes. What can fail, may; a
// counterexample says how many passes to follow one by one.
type LoopSummary struct {
	Head int        // the head of the loop
	Done int        // the passes before it
	More *logic.Var // the number of passes that it stands for
}

// maxInner bounds how often a counter of a loop inside counts.
const maxInner = 1 << 12

// summarize replaces further passes of loop l by a summary, in a state that came to its head after
// done passes.
func (e *executor) summarize(top *frame, l *ir.Loop, done int, s *state) {
	more := &logic.Var{Name: "passes", Sort: logic.Slot}
	e.prog.LoopSummaries = append(e.prog.LoopSummaries, LoopSummary{l.Head, done, more})
	count := func(v *logic.Var, most uint64) *logic.Term {
		n := e.b.Var(v)
		e.assume(s, e.b.Cmp(logic.OpULe, n, e.b.Const(n.Sort, most)), "")
		return n
	}
	n := count(more, MaxPasses)
	vars, counts, mems := e.changes(top, l)
	for i, v := range logic.Fresh(vars) {
		at := v.Index
		if s.locals[at] == nil {
			continue
		}
		if counts[vars[i]] == nil {
			s.locals[at] = e.b.Var(v)
			continue
		}
		for _, c := range counts[vars[i]] {
			times := n
			switch {
			case c.inner:
				times = count(&logic.Var{Name: "times", Sort: n.Sort}, maxInner)
			case !c.always:
				times = e.b.Var(&logic.Var{Name: "times", Sort: n.Sort})
				e.assume(s, e.b.Cmp(logic.OpULe, times, n), "")
			}
			times = e.b.Extract(v.Sort.Bits()-1, 0, times)
			s.locals[at] = e.b.Add(s.locals[at], e.b.Mul(times, e.b.Const(v.Sort, c.step)))
		}
	}
	for _, m := range logic.Fresh(mems) {
		s.mem.set(m.Index, e.b.Var(m))
	}
}

// abstract gives what loop l changes any value.
func (e *executor) abstract(top *frame, l *ir.Loop, s *state) {
	vars, _, mems := e.changes(top, l)
	for _, v := range logic.Fresh(vars) {
		if s.locals[v.Index] != nil {
			s.locals[v.Index] = e.b.Var(v)
		}
	}
	for _, m := range logic.Fresh(mems) {
		s.mem.set(m.Index, e.b.Var(m))
	}
}

// increment is an assignment v := v + step in a loop. always reports whether every pass makes it,
// inner that it is in a loop inside.
type increment struct {
	step          uint64
	always, inner bool
}

// changes returns the variables that a loop assigns, the increments of those that it only
// increments, and the memories that it may write.
func (e *executor) changes(top *frame, l *ir.Loop) (vars []*logic.Var,
	counts map[*logic.Var][]increment, mems []*logic.Var) {
	counts = map[*logic.Var][]increment{}
	seen, other := map[*logic.Var]bool{}, map[*logic.Var]bool{}
	changes := func(list ...*logic.Var) {
		for _, v := range list {
			if !seen[v] {
				seen[v] = true
				if v.Sort.Kind == logic.KMemory {
					mems = append(mems, v)
				} else {
					vars = append(vars, v)
				}
			}
		}
	}
	for at := l.Head; at <= l.Last; at++ {
		for _, c := range top.f.Blocks[at].Cmds {
			switch c := c.(type) {
			case *ir.Assign:
				changes(c.Dst)
				if step, ok := stepOf(c); ok {
					inner := inLoop(top.f, l, at)
					counts[c.Dst] = append(counts[c.Dst],
						increment{step, !inner && !avoidable(top.f, l, at), inner})
				} else {
					other[c.Dst] = true
				}
			case *ir.Havoc:
				changes(c.Vars...)
			case *ir.Alloc:
				changes(c.Var)
			case *ir.Grow:
				changes(c.Var)
			case *ir.Call:
				changes(c.Results...)
				if c.Static != "" {
					changes(e.w.Effects(c.Static)...)
				} else {
					changes(e.w.Effects(top.key)...)
				}
				for _, r := range c.Reach {
					changes(r.Memories...)
				}
			}
		}
	}
	for v := range other {
		delete(counts, v)
	}
	return vars, counts, mems
}

// stepOf returns the step of an assignment v := v + step; ok is false for any other assignment.
func stepOf(c *ir.Assign) (step uint64, ok bool) {
	if c.Src.Op != logic.OpAdd || len(c.Src.Args) != 2 {
		return 0, false
	}
	x, y := c.Src.Args[0], c.Src.Args[1]
	if x.Op == logic.OpConst {
		x, y = y, x
	}
	step, ok = y.Const()
	return step, ok && x.Op == logic.OpVar && x.Var == c.Dst
}

// inLoop reports whether block at is in a loop inside l.
func inLoop(f *ir.Func, l *ir.Loop, at int) bool {
	for head, in := range f.Loops {
		if head > l.Head && inside(in, at) {
			return true
		}
	}
	return false
}

// avoidable reports whether a pass of l can do without block at.
func avoidable(f *ir.Func, l *ir.Loop, at int) bool {
	seen := map[int]bool{at: true}
	var walk func(from int) bool
	walk = func(from int) bool {
		if seen[from] || !inside(l, from) {
			return false
		}
		seen[from] = true
		for _, to := range ir.Successors(f.Blocks[from]) {
			if to == l.Head || walk(to) {
				return true
			}
		}
		return false
	}
	return at != l.Head && walk(l.Head)
}
