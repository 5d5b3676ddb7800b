package vcgen

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"

	"dsd/check/ir"
	"dsd/check/logic"
)

// state is an execution that has come to some point: the values of the variables of the function on top and of the
// memories, and the condition for being there.
type state struct {
	locals []*logic.Term // by Var.Index; nil before the first assignment
	mem    []*logic.Term
	guard  *pathCond
}

func (s *state) fork() *state {
	return &state{append([]*logic.Term(nil), s.locals...), append([]*logic.Term(nil), s.mem...), s.guard}
}

// executor makes the program of one function.
type executor struct {
	w                World
	b                *logic.Builder
	opt              Options
	prog             *Program
	fresh            uint32
	calls            []Call   // how we got where we are
	frames           []*frame // functions being executed, outermost first
	contractViolated bool     // of the next frame
	// cut are the results of calls that were not followed for want of budget, and cutTerms remembers which terms
	// depend on them.
	havocingForBudget bool
	budgetHavoc       map[*logic.Var]bool
	dependsOnBudget   map[*logic.Term]bool
	// bounded says what is not followed to its end.
	bounded map[string]bool
}

// Execute computes the obligations of the function named key, for inputs (the scalars of its parameters) and a start
// (see Begin), under the entry clauses given.
//
// Every term is made by b. The cost is bounded by opt; what a bound cut off is in Program.Bounded.
func Execute(w World, key string, b *logic.Builder, inputs []*logic.Term, start *Start, entry []ir.Clause, opt Options) *Program {
	e := &executor{w: w, b: b, opt: opt, prog: &Program{Havoced: start.opens, Unchecked: map[*ir.Assert]bool{}}, fresh: start.fresh, bounded: map[string]bool{}, budgetHavoc: map[*logic.Var]bool{}, dependsOnBudget: map[*logic.Term]bool{}}
	st := &state{mem: append([]*logic.Term(nil), start.Mem...), guard: start.guard}
	for _, c := range entry {
		if !c.Term.IsTrue() {
			st.guard = st.guard.push(c.Term, c.ID)
		}
	}
	if !e.withTermBudget(4*opt.MaxTerms, func() {
		var exit *state
		if e.prog.Results, exit = e.function(key, false, inputs, st); exit != nil {
			for g := exit.guard; g != nil; g = g.up {
				e.prog.Exit = append(e.prog.Exit, g.cond)
				if g.used != "" {
					e.prog.ExitUsed = append(e.prog.ExitUsed, g.used)
				}
			}
		}
	}) {
		e.bounded["the function is followed until its conditions become too large"] = true
		e.prog.Truncated = true
	}
	for why := range e.bounded {
		e.prog.Bounded = append(e.prog.Bounded, why)
	}
	sort.Strings(e.prog.Bounded)
	return e.prog
}

// withTermBudget does something that makes terms, until there are too many more; false means that it was cut short.
func (e *executor) withTermBudget(terms int, do func()) (whole bool) {
	e.b.Limit = e.b.Size() + terms
	defer func() {
		e.b.Limit = 0
		if r := recover(); r != nil {
			if _, ok := r.(logic.TooLarge); !ok {
				panic(r)
			}
			whole = false
		}
	}()
	do()
	return true
}

// function executes the function named key from st and returns the values of its results and the state at its return, nil if it has none.
// Blocks are taken in order, each once all that leads to it is merged; at the end of a loop, control goes back to its
// head with all that jumped there, before anything behind the loop.
func (e *executor) function(key string, byDefer bool, args []*logic.Term, st *state) ([]*logic.Term, *state) {
	f := e.w.Func(key)
	top := &frame{f: f, key: key, byDefer: byDefer, contractViolated: e.contractViolated, args: args, mem: append([]*logic.Term(nil), st.mem...), caller: st.locals}
	e.contractViolated = false
	e.frames = append(e.frames, top)
	defer func() { e.frames = e.frames[:len(e.frames)-1] }()
	st.locals = make([]*logic.Term, f.NumVars)
	for i, p := range f.Params {
		st.locals[p.Index] = args[i]
	}
	if f.ByDefer != nil {
		st.locals[f.ByDefer.Index] = e.b.Bool(byDefer)
	}
	live := e.w.Live(f)
	due := make([]*state, len(f.Blocks))
	due[0] = st
	top.loops = map[int]*loopState{}
	var exit *state
	arrive := func(to int, s *state) {
		if due[to] == nil {
			due[to] = s
			return
		}
		due[to] = e.merge(due[to], s, live[to])
	}
	for at := 0; at < len(due); at = nextBlock(f, at, due) {
		s := due[at]
		if s == nil {
			continue
		}
		due[at] = nil
		blk := f.Blocks[at]
		onlyExit := false
		if l := f.Loops[at]; l != nil {
			var goOn bool
			if goOn, onlyExit = e.enterLoop(top, l, s); !goOn {
				continue
			}
		}
		s = e.cmds(blk, s)
		if top.unwinding != nil {
			arrive(f.Unwind, top.unwinding)
			top.unwinding = nil
		}
		if s == nil {
			continue
		}
		switch end := blk.End.(type) {
		case ir.Jump:
			arrive(end.To, s)
		case ir.Branch:
			cond := e.subst(end.Cond, s)
			if !cond.IsTrue() && !cond.IsFalse() {
				markSymbolic(f, at, top.loops)
			}
			for _, way := range []struct {
				cond *logic.Term
				to   int
			}{{cond, end.Then}, {e.b.Not(cond), end.Else}} {
				if way.cond.IsFalse() || onlyExit && inside(f.Loops[at], way.to) && !way.cond.IsTrue() {
					continue
				}
				t := s.fork()
				if !e.assume(t, way.cond, "") {
					continue
				}
				if end.Text != "" && t.guard != s.guard {
					t.guard.branch, t.guard.taken, t.guard.calls = &end, way.to == end.Then, e.calls[:len(e.calls):len(e.calls)]
				}
				arrive(way.to, t)
			}
		case ir.Return:
			res := make([]*logic.Term, len(f.Results))
			for i, r := range f.Results {
				res[i] = s.locals[r.Index]
			}
			s.locals = res
			if exit == nil {
				exit = s
			} else {
				exit = e.merge(exit, s, nil)
			}
		case ir.Unwind:
			e.unwind(s)
		case ir.Stop:
		}
	}
	if exit == nil {
		return nil, nil
	}
	res := exit.locals
	exit.locals = top.caller
	return res, exit
}

// nextBlock is the block to look at after block at: the head of the innermost loop that ends there and is due again, else
// the next one. A panic of a deferred call makes the deferred calls due again.
func nextBlock(f *ir.Func, at int, due []*state) int {
	if f.Unwind != 0 && f.Unwind <= at && due[f.Unwind] != nil {
		return f.Unwind
	}
	next := at + 1
	for head, l := range f.Loops {
		if l.Last == at && due[head] != nil && (next == at+1 || head > next) {
			next = head
		}
	}
	return next
}

// assume adds cond to what holds in s; false means that s is dead.
func (e *executor) assume(s *state, cond *logic.Term, used string) bool {
	if cond.IsFalse() {
		return false
	}
	if cond.IsTrue() || s.guard.holds(cond) {
		return true
	}
	if s.guard.holds(e.b.Not(cond)) {
		return false
	}
	s.guard = s.guard.push(cond, used)
	return true
}

// cmds executes the commands of a block; nil if the execution ends there.
func (e *executor) cmds(blk *ir.Block, s *state) *state {
	for _, c := range blk.Cmds {
		switch c := c.(type) {
		case *ir.Assign:
			v := e.subst(c.Src, s)
			if c.Dst.Sort.Kind == logic.KMemory {
				s.mem[c.Dst.Index] = v
			} else {
				s.locals[c.Dst.Index] = v
			}

		case *ir.Assume:
			cond := e.subst(c.Cond, s)
			if c.Bound != "" && (c.Cond.IsTrue() || !cond.IsTrue() && !s.guard.holds(cond)) {
				e.bounded[c.Bound] = true
			}
			if !e.assume(s, cond, "") {
				return nil
			}

		case *ir.Assert:
			if !e.assert(c, s) {
				return nil
			}

		case *ir.Havoc:
			fresh := logic.Fresh(c.Vars)
			for i, v := range fresh {
				s.locals[c.Vars[i].Index] = e.b.Var(v)
			}
			if c.Chan != nil {
				results := types.NewTuple(types.NewVar(token.NoPos, nil, "", c.Elem))
				e.prog.Havoced = append(e.prog.Havoced, HavocedCall{
					Vars: fresh[1:], Sig: types.NewSignatureType(nil, nil, nil, nil, results, false),
					Chan: e.subst(c.Chan, s), OK: fresh[0], guard: s.guard})
			}

		case *ir.Alloc:
			e.fresh++
			s.locals[c.Var.Index] = e.b.Const(logic.Obj, uint64(logic.RegionFresh<<16+e.fresh))

		case *ir.Call:
			if s = e.call(c, s); s == nil {
				return nil
			}

		default:
			panic(fmt.Sprintf("wp: %T", c))
		}
	}
	return s
}
