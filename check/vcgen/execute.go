package vcgen

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// state is an execution that has come to some point.
type state struct {
	// locals are the values of the variables of the top frame, by Var.Index; nil before the
	// first assignment.
	locals []*logic.Term
	mem    *memories
	// guard is the condition of being there.
	guard *pathCond
}

func (s *state) fork() *state {
	return &state{append([]*logic.Term(nil), s.locals...), s.mem.copy(), s.guard}
}

// executor executes one function symbolically.
type executor struct {
	w      World
	b      *logic.Builder
	opt    Options
	prog   *Program
	allocs *allocations
	// before is the number of terms that do not count as work.
	before int
	// calls are the calls that are being executed, and frames the functions, outermost first.
	calls  []Call
	frames []*frame
	// base is the number of frames of other goroutines. uncertain reports whether it is not known if
	// what is executed happens at all, or in this state; see beside.go.
	base      int
	uncertain bool
	// contractViolated is that of the next frame.
	contractViolated bool
	// budgetHavoc are the results of calls that were havoced for lack of budget, and
	// dependsOnBudget caches which terms depend on them. havocingForBudget reports whether
	// such a call is being executed.
	havocingForBudget bool
	budgetHavoc       map[*logic.Var]bool
	dependsOnBudget   map[*logic.Term]bool
	// bounded are the reasons for Program.Bounded.
	bounded map[string]bool
}

// newExecutor returns an executor whose allocations follow those of start.
func newExecutor(w World, b *logic.Builder, opt Options, start *Start) *executor {
	e := &executor{
		w: w, b: b, opt: opt, allocs: start.allocs.clone(), before: start.terms,
		prog: &Program{Builder: b, Havoced: start.opens, Invented: maps.Clone(start.invented),
			Axioms: map[*logic.Term]bool{}, Unchecked: map[*ir.Assert]bool{}},
		bounded: map[string]bool{}, budgetHavoc: map[*logic.Var]bool{},
		dependsOnBudget: map[*logic.Term]bool{},
	}
	maps.Copy(e.prog.Axioms, start.axioms)
	return e
}

// invent records that no input determines variables, which stand for what.
func (e *executor) invent(vars []*logic.Var, what string) {
	if e.prog.Invented == nil {
		e.prog.Invented = map[*logic.Var]string{}
	}
	for _, v := range vars {
		e.prog.Invented[v] = what
	}
}

// modeled returns the name of the library function whose model is executed, "" if none is. Models may
// call other ones.
func (e *executor) modeled() string {
	name := ""
	for _, f := range slices.Backward(e.frames) {
		if f.f.Origin == ir.FromSource {
			break
		}
		if f.f.Origin == ir.FromModel {
			name = strings.TrimPrefix(f.f.Name, ir.ModelPrefix)
		}
	}
	return name
}

// bound records what is not followed to its end.
func (e *executor) bound(format string, args ...any) {
	e.bounded[fmt.Sprintf(format, args...)] = true
}

// drop records executions that are left out.
func (e *executor) drop(format string, args ...any) {
	e.bound(format, args...)
	e.prog.Dropped = true
}

// Execute computes the obligations of the function named key. inputs are the scalars of its
// parameters, start is the memory (see Begin), entry are clauses to assume of the inputs. Every
// term is made by b. The cost is bounded by opt; what a bound cuts off is in Program.Bounded.
// Apart from that, an obligation fails for some inputs if and only if the program panics there for
// them.
func Execute(
	w World, key string, b *logic.Builder, inputs []*logic.Term, start *Start, entry []ir.Clause,
	opt Options,
) *Program {
	e := newExecutor(w, b, opt, start)
	st := &state{mem: start.mem.copy(), guard: start.guard}
	for _, c := range entry {
		if !c.Term.IsTrue() {
			st.guard = st.guard.push(c.Term, c.ID)
		}
	}
	finished := e.withTermBudget(4*opt.MaxTerms, func() {
		var exit *state
		if e.prog.Results, exit = e.function(key, false, inputs, st); exit != nil {
			e.prog.Exit, e.prog.ExitUsed = exit.guard.conjuncts()
			e.prog.exitMem = exit.mem
		}
	})
	if !finished {
		e.drop("the function is followed until its conditions become too large")
		e.prog.Truncated = true
	}
	e.prog.Bounded = slices.Sorted(maps.Keys(e.bounded))
	return e.prog
}

// work returns the number of terms that were made to follow the function.
func (e *executor) work() int { return e.b.Size() - e.before }

// withTermBudget runs do with a budget for new terms and reports whether do finished.
func (e *executor) withTermBudget(terms int, do func()) (finished bool) {
	e.b.Limit = e.b.Size() + terms
	defer func() {
		e.b.Limit = 0
		if r := recover(); r != nil {
			if _, ok := r.(logic.TooLarge); !ok {
				panic(r)
			}
			finished = false
		}
	}()
	do()
	return true
}

// function executes the function named key from st. It returns the values of the results and the
// state at the return, nil if the function does not return. byDefer reports whether a defer
// statement calls it.
//
// Blocks are executed in order, each when all that leads to it is merged. At the end of a loop,
// control goes back to its head with all states that jumped there, before any block behind the
// loop.
func (e *executor) function(
	key string, byDefer bool, args []*logic.Term, st *state,
) (results []*logic.Term, exit *state) {
	f := e.w.Func(key)
	top := &frame{
		f: f, key: key, byDefer: byDefer, contractViolated: e.contractViolated, args: args,
		mem: st.mem.copy(), caller: st.locals, guard: st.guard,
	}
	if len(e.frames) > 0 {
		caller := e.frames[len(e.frames)-1]
		top.path = within(mix(caller.path+caller.calling), key)
	} else {
		top.path = within(0, key)
	}
	e.contractViolated = false
	if byDefer && f.ByDefer != nil && e.opt.AbstractLoops {
		e.drop("panics of functions that are not followed are not recovered from")
	}
	e.frames = append(e.frames, top)
	defer func() { e.frames = e.frames[:len(e.frames)-1] }()
	st.locals = make([]*logic.Term, f.NumVars)
	for i, p := range f.Params {
		st.locals[p.Index] = args[i]
	}
	if f.ByDefer != nil {
		st.locals[f.ByDefer.Index] = e.b.Bool(byDefer)
	}
	top.live, top.due = e.w.Live(f), make([]*state, len(f.Blocks))
	top.due[0] = st
	top.loops = map[int]*loopState{}
	for at := 0; at < len(top.due); at = nextBlock(f, at, top.due) {
		s := top.due[at]
		if s == nil {
			continue
		}
		top.due[at] = nil
		if e.opt.Interrupted != nil && e.opt.Interrupted() {
			panic(logic.TooLarge{})
		}
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
			e.arrive(top, f.Unwind, top.unwinding)
			top.unwinding = nil
		}
		if s == nil {
			continue
		}
		switch end := blk.End.(type) {
		case ir.Jump:
			e.arrive(top, end.To, s)

		case ir.Branch:
			e.branch(top, at, &end, onlyExit, s)

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
	results = exit.locals
	exit.locals = top.caller
	return results, exit
}

// arrive merges s into the state in which block to will be executed.
func (e *executor) arrive(top *frame, to int, s *state) {
	if top.due[to] == nil {
		top.due[to] = s
		return
	}
	top.due[to] = e.merge(top.due[to], s, top.live[to])
}

// branch continues in both successors of a branch that its condition allows. onlyExit reports
// whether the loop at whose head the branch is must be left, unless the condition is known.
func (e *executor) branch(top *frame, at int, end *ir.Branch, onlyExit bool, s *state) {
	e.assumeSeen(end, s)
	cond := e.subst(end.Cond, s)
	if !cond.IsTrue() && !cond.IsFalse() {
		markSymbolic(top.f, at, top.loops)
	}
	for _, next := range []struct {
		cond *logic.Term
		to   int
	}{{cond, end.Then}, {e.b.Not(cond), end.Else}} {
		stays := onlyExit && inside(top.f.Loops[at], next.to) && !next.cond.IsTrue()
		if next.cond.IsFalse() || stays {
			continue
		}
		t := s.fork()
		if !e.assume(t, next.cond, "") {
			continue
		}
		if end.Text != "" && t.guard != s.guard {
			g := t.guard
			g.branch, g.taken = end, next.to == end.Then
			g.calls = slices.Clip(e.calls)
		}
		e.arrive(top, next.to, t)
	}
}

// nextBlock returns the block to execute after block at: the head of the innermost loop that ends
// there and is due again, otherwise the next one. A panic of a deferred call makes the deferred
// calls due again.
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

// assume adds cond to what holds in s, and reports whether s can go on. used is the id of the
// invariant that cond comes from, "" if from none.
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

// cmds executes the commands of a block. It returns nil if the execution ends there.
func (e *executor) cmds(blk *ir.Block, s *state) *state {
	top := e.frames[len(e.frames)-1]
	for _, c := range blk.Cmds {
		switch c := c.(type) {
		case *ir.Assign:
			v := e.subst(c.Src, s)
			if c.Dst.Sort.Kind == logic.KMemory {
				s.mem.set(c.Dst.Index, v)
			} else {
				s.locals[c.Dst.Index] = v
			}

		case *ir.Assume:
			cond := e.subst(c.Cond, s)
			if c.Bound != "" && (c.Cond.IsTrue() || !cond.IsTrue() && !s.guard.holds(cond)) {
				e.drop("%s", c.Bound)
			}
			if c.Axiom {
				e.prog.Axioms[cond] = true
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
			if name := e.modeled(); name != "" {
				e.invent(fresh, "what "+name+" returns or writes")
			} else if c.Unknown != "" {
				e.invent(fresh, c.Unknown)
			}
			if c.Chan != nil {
				e.waits()
				ch := e.subst(c.Chan, s)
				if _, made := ch.Const(); made && !e.subst(c.Known, s).IsTrue() {
					e.invent(fresh, "what another goroutine sends")
				}
				results := types.NewTuple(types.NewVar(token.NoPos, nil, "", c.Elem))
				e.prog.Havoced = append(e.prog.Havoced, HavocedCall{
					Vars: fresh[1:], Sig: types.NewSignatureType(nil, nil, nil, nil, results, false),
					Chan: ch, OK: fresh[0], guard: s.guard,
				})
			}

		case *ir.Alloc:
			s.locals[c.Var.Index] = e.b.Const(logic.Obj, uint64(e.allocs.next(mix(top.path+c.Place))))

		case *ir.Grow:
			s.locals[c.Var.Index] = e.grow(c, s)

		case *ir.Call:
			top.calling = c.Place
			if s = e.call(c, s); s == nil {
				return nil
			}

		default:
			panic(fmt.Sprintf("vcgen: unexpected command %T", c))
		}
	}
	return s
}
