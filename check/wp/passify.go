package wp

import (
	"fmt"
	"go/token"
	"slices"
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// guard is the condition of being somewhere, as a list of conjuncts that grows at its end; lists share their
// beginnings.
type guard struct {
	up    *guard
	cond  *logic.Term
	depth int
	used  string // id of the invariant that put it there
	// passed marks the condition of an assertion that held: it tells no two ways through a program apart.
	passed bool
	// Of a branch that the program states: where and what, whether it was taken, and in which call.
	branch *ir.Branch
	taken  bool
	calls  []Call
}

func (g *guard) push(cond *logic.Term, used string) *guard {
	d := 1
	if g != nil {
		d = g.depth + 1
	}
	return &guard{up: g, cond: cond, depth: d, used: used}
}

// holds says that cond is one of the last conjuncts.
func (g *guard) holds(cond *logic.Term) bool {
	for n := 0; g != nil && n < 300; n++ {
		if g.cond == cond {
			return true
		}
		g = g.up
	}
	return false
}

// state is an execution that has come to some point: the values of the variables of the function on top and of the
// memories, and the condition for being there.
type state struct {
	locals []*logic.Term // by Var.Index; nil before the first assignment
	mem    []*logic.Term
	guard  *guard
}

func (s *state) fork() *state {
	return &state{append([]*logic.Term(nil), s.locals...), append([]*logic.Term(nil), s.mem...), s.guard}
}

// engine makes the program of one function.
type engine struct {
	w      World
	b      *logic.Builder
	opt    Options
	prog   *Program
	fresh  uint32
	calls  []Call   // how we got where we are
	frames []*frame // functions being executed, outermost first
	// cut are the results of calls that were not followed for want of budget, and cutTerms remembers which terms
	// depend on them.
	cutting  bool
	cut      map[*logic.Var]bool
	cutTerms map[*logic.Term]bool

	// spent says why no more work is taken on, "" while it is.
	bounded map[string]bool
}

// Passify computes the obligations of the function named key, for inputs (the scalars of its parameters) and a start
// (see Begin), under the entry clauses given.
//
// Every term is made by b. The cost is bounded by opt; what a bound cut off is in Program.Bounded.
func Passify(w World, key string, b *logic.Builder, inputs []*logic.Term, start *Start, entry []Clause, opt Options) *Program {
	e := &engine{w: w, b: b, opt: opt, prog: &Program{Opens: start.opens}, fresh: start.fresh, bounded: map[string]bool{}, cut: map[*logic.Var]bool{}, cutTerms: map[*logic.Term]bool{}}
	st := &state{mem: append([]*logic.Term(nil), start.Mem...), guard: start.guard}
	for _, c := range entry {
		if !c.Term.IsTrue() {
			st.guard = st.guard.push(c.Term, c.ID)
		}
	}
	if !e.limited(4*opt.MaxTerms, func() { e.prog.Results, _ = e.run(key, false, inputs, st) }) {
		e.bounded["the function is followed until its conditions become too large"] = true
	}
	for why := range e.bounded {
		e.prog.Bounded = append(e.prog.Bounded, why)
	}
	sort.Strings(e.prog.Bounded)
	return e.prog
}

// limited does something that makes terms, until there are too many more; false means that it was cut short.
func (e *engine) limited(terms int, do func()) (whole bool) {
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

// run executes the function named key from st and returns the values of its results and the state at its return, nil if it has none.
// Blocks are taken in order, each once all that leads to it is merged; at the end of a loop, control goes back to its
// head with all that jumped there, before anything behind the loop.
func (e *engine) run(key string, byDefer bool, args []*logic.Term, st *state) ([]*logic.Term, *state) {
	f := e.w.Func(key)
	top := &frame{f: f, key: key, byDefer: byDefer, args: args, mem: append([]*logic.Term(nil), st.mem...), caller: st.locals}
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
	loops := map[int]*loopState{}
	var exit *state
	arrive := func(to int, s *state) {
		if due[to] == nil {
			due[to] = s
			return
		}
		due[to] = e.merge(due[to], s, live[to])
	}
	for at := 0; at < len(due); at = nextDue(f, at, due) {
		s := due[at]
		if s == nil {
			continue
		}
		due[at] = nil
		blk := f.Blocks[at]
		onlyExit := false
		if l := f.Loops[at]; l != nil {
			var goOn bool
			if goOn, onlyExit = e.enterLoop(f, l, loops); !goOn {
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
				markSymbolic(f, at, loops)
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

// nextDue is the block to look at after block at: the head of the innermost loop that ends there and is due again, else
// the next one. A panic of a deferred call makes the deferred calls due again.
func nextDue(f *ir.Func, at int, due []*state) int {
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
func (e *engine) assume(s *state, cond *logic.Term, used string) bool {
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

// merge joins two states that come to the same block; live says which locals matter (nil: all).
func (e *engine) merge(p, q *state, live []bool) *state {
	// What both have in common stays; of what is different, the first conjunct usually tells the two apart.
	common := p.guard
	other := q.guard
	for common != other {
		if other == nil || common != nil && common.depth >= other.depth {
			common = common.up
		} else {
			other = other.up
		}
	}
	restP, restQ := since(p.guard, common), since(q.guard, common)
	restP, restQ, both := shared(restP, restQ)
	g := common
	for _, c := range both {
		g = g.push(c.cond, c.used)
		g.passed = c.passed
	}
	sel, keep := e.selector(restP, restQ)
	if !keep {
		g = e.pushIf(g, e.b.Or(sel, e.b.And(conds(ways(restQ))...)), firstUsed(restP, restQ), false)
	}
	for _, side := range []struct {
		rest []*guard
		not  *logic.Term
	}{{restP, e.b.Not(sel)}, {restQ, sel}} {
		n := 0
		for i := len(side.rest) - 1; i >= 0; i-- {
			if side.rest[i].passed {
				n++
			}
		}
		for _, c := range side.rest {
			if c.passed {
				if n--; n >= maxPassed {
					continue
				}
			} else if !keep {
				continue // it is in the selector
			}
			g = e.pushIf(g, e.b.Or(side.not, c.cond), c.used, c.passed)
		}
	}
	out := &state{guard: g, locals: make([]*logic.Term, len(p.locals)), mem: make([]*logic.Term, len(p.mem))}
	for i := range p.locals {
		if live == nil || live[i] {
			out.locals[i] = e.join(sel, p.locals[i], q.locals[i])
		}
	}
	for i := range p.mem {
		out.mem[i] = e.join(sel, p.mem[i], q.mem[i])
	}
	return out
}

// maxPassed is how many assertions that held on one way are remembered after it joins another.
const maxPassed = 24

// selector is a condition that is true on the way of p and false on that of q; whole says that what else distinguishes
// them is still to be remembered.
func (e *engine) selector(p, q []*guard) (sel *logic.Term, whole bool) {
	wayP, wayQ := ways(p), ways(q)
	switch {
	case len(wayP) > 0 && len(wayQ) > 0 && wayP[0].cond == e.b.Not(wayQ[0].cond):
		return wayP[0].cond, true
	case len(wayP) == 0 && len(wayQ) == 0:
		return e.b.And(conds(p)...), true
	case len(wayP) == 0:
		return e.b.Not(e.b.And(conds(wayQ)...)), true
	case len(wayQ) == 0:
		return e.b.And(conds(wayP)...), true
	}
	return e.b.And(conds(wayP)...), false
}

// ways are the conjuncts that say which way was taken.
func ways(list []*guard) []*guard {
	var out []*guard
	for _, g := range list {
		if !g.passed {
			out = append(out, g)
		}
	}
	return out
}

// shared splits off the conjuncts that two lists have in common.
func shared(p, q []*guard) (restP, restQ, both []*guard) {
	in := map[*logic.Term]bool{}
	for _, g := range q {
		in[g.cond] = true
	}
	common := map[*logic.Term]bool{}
	for _, g := range p {
		if in[g.cond] && !common[g.cond] {
			common[g.cond] = true
			both = append(both, g)
		}
	}
	if len(both) == 0 {
		return p, q, nil
	}
	without := func(list []*guard) []*guard {
		var out []*guard
		for _, g := range list {
			if !common[g.cond] {
				out = append(out, g)
			}
		}
		return out
	}
	return without(p), without(q), both
}

func (e *engine) pushIf(g *guard, cond *logic.Term, used string, passed bool) *guard {
	if cond.IsTrue() {
		return g
	}
	g = g.push(cond, used)
	g.passed = passed
	return g
}

func (e *engine) join(sel, x, y *logic.Term) *logic.Term {
	switch {
	case x == y:
		return x
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return e.b.Ite(sel, x, y)
}

// since lists the conjuncts of g after its ancestor up, first one first.
func since(g, up *guard) []*guard {
	var out []*guard
	for ; g != up; g = g.up {
		out = append(out, g)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func conds(list []*guard) []*logic.Term {
	out := make([]*logic.Term, len(list))
	for i, g := range list {
		out[i] = g.cond
	}
	return out
}

func firstUsed(lists ...[]*guard) string {
	for _, l := range lists {
		for _, g := range l {
			if g.used != "" {
				return g.used
			}
		}
	}
	return ""
}

// cmds executes the commands of a block; nil if the execution ends there.
func (e *engine) cmds(blk *ir.Block, s *state) *state {
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
			if c.Bound != "" && !cond.IsTrue() && !s.guard.holds(cond) {
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
			for i, v := range logic.Fresh(c.Vars) {
				s.locals[c.Vars[i].Index] = e.b.Var(v)
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

// assert records an obligation and goes on as if it held; false means that it cannot hold.
func (e *engine) assert(c *ir.Assert, s *state) bool { return e.oblige(c, e.subst(c.Cond, s), s) }

// oblige is assert for a condition whose variables have their values already.
func (e *engine) oblige(c *ir.Assert, cond *logic.Term, s *state) bool {
	if cond.IsTrue() || s.guard.holds(cond) || e.inRange(cond, s) {
		e.prog.Folded++
		return true
	}
	o := &Obligation{Cond: cond, Kind: c.Kind, Message: c.Message}
	o.Calls, o.Pos = e.way(c.Pos)
	if c.Ptr != nil {
		o.Ptr = e.subst(c.Ptr, s)
	}
	for g := s.guard; g != nil; g = g.up {
		o.Path = append(o.Path, g.cond)
		if g.used != "" {
			o.Used = append(o.Used, g.used)
		}
		if g.branch != nil && begins(e.calls, g.calls) {
			o.Branches = append(o.Branches, Taken{g.branch.Pos, g.branch.Text, g.taken, len(g.calls)})
		}
	}
	slices.Reverse(o.Branches)
	var list []*Obligation
	if e.ours(o) {
		list = append(list, o)
	}
	if h := e.handler(); h >= 0 {
		e.recoverable(h, list, cond, c, s)
	} else {
		e.prog.Obligations = append(e.prog.Obligations, list...)
	}
	return e.passed(s, cond)
}

// begins says that calls begin with those of an outer place that control has not left since.
func begins(calls, outer []Call) bool {
	return len(outer) <= len(calls) && slices.Equal(calls[:len(outer)], outer)
}

// passed assumes the condition of an assertion; false means that s is dead.
func (e *engine) passed(s *state, cond *logic.Term) bool {
	before := s.guard
	if !e.assume(s, cond, "") {
		return false
	}
	if s.guard != before {
		s.guard.passed = true
	}
	return true
}

// inRange says that cond is i < n, unsigned, where i < n is known as a signed comparison and i is not negative: the way
// most loops look at most slices.
func (e *engine) inRange(cond *logic.Term, s *state) bool {
	if cond.Op != logic.OpULt {
		return false
	}
	i, n := cond.Args[0], cond.Args[1]
	return e.b.NotNegative(i) && s.guard.holds(e.b.Cmp(logic.OpSLt, i, n))
}

// ours says that an obligation is one of the function under analysis: not one that the analysis of an exported function
// on the way there meets too, for all arguments, unless the panic may say that the arguments were wrong; and not one that
// depends on what a call returned that was not followed for want of budget, of which nothing is known.
func (e *engine) ours(o *Obligation) bool {
	if e.mentionsCut(o.Cond) {
		e.bounded["conditions on the results of calls that are not followed"] = true
		return false
	}
	for i, f := range e.frames[1:] {
		direct := i == 0 && len(e.frames) == 2
		if f.f.Warned && !direct {
			return o.Kind == "explicit-panic" || o.Ptr != nil && slices.Contains(f.args, o.Ptr)
		}
	}
	return true
}

// mentionsCut says that a term depends on a result of a call that the budget cut off.
func (e *engine) mentionsCut(t *logic.Term) bool {
	if len(e.cut) == 0 {
		return false
	}
	if known, ok := e.cutTerms[t]; ok {
		return known
	}
	is := t.Var != nil && e.cut[t.Var]
	for _, a := range t.Args {
		is = is || e.mentionsCut(a)
	}
	e.cutTerms[t] = is
	return is
}

// recoverable sends the panic of an assertion that may fail to the deferred calls of frame h.
func (e *engine) recoverable(h int, list []*Obligation, cond *logic.Term, c *ir.Assert, s *state) {
	t := s.fork()
	if !e.assume(t, e.b.Not(cond), "") {
		return
	}
	var value []*logic.Term
	for _, v := range c.Value {
		value = append(value, e.subst(v, s))
	}
	e.raise(h, list, value, t)
}

// way is how control came to pos: the calls, without our wrappers, which are at no place of their own. What happens in
// a model of the standard library happens where it is called.
func (e *engine) way(pos token.Pos) ([]Call, token.Pos) {
	var out []Call
	var outer token.Pos // of the call of a wrapper
	for _, c := range e.calls {
		if !c.Pos.IsValid() {
			c.Pos = outer
		}
		outer = c.Pos
		if strings.HasPrefix(c.Callee, "<model>") {
			return out, outer
		}
		if !strings.HasPrefix(c.Callee, "<") {
			out = append(out, c)
		}
	}
	if !pos.IsValid() {
		pos = outer
	}
	return out, pos
}

// subst replaces the variables of a command's term by their values.
func (e *engine) subst(t *logic.Term, s *state) *logic.Term { return e.substOld(t, s, nil) }

// substOld is subst where the memories marked Old have the contents old.
func (e *engine) substOld(t *logic.Term, s *state, old []*logic.Term) *logic.Term {
	return (&substitution{e, s, old, map[*logic.Term]*logic.Term{}}).term(t)
}

type substitution struct {
	e    *engine
	s    *state
	old  []*logic.Term
	memo map[*logic.Term]*logic.Term
}

func (u *substitution) term(t *logic.Term) *logic.Term {
	if t.Op == logic.OpConst {
		return u.e.b.Const(t.Sort, t.Val)
	}
	if r, ok := u.memo[t]; ok {
		return r
	}
	r := u.compute(t)
	u.memo[t] = r
	return r
}

func (u *substitution) compute(t *logic.Term) *logic.Term {
	switch t.Op {
	case logic.OpVar:
		if t.Sort.Kind == logic.KMemory {
			return u.memory(t.Var)
		}
		if v := u.s.locals[t.Var.Index]; v != nil {
			return v
		}
		return u.e.b.Const(t.Sort, 0) // never assigned on this way, so never used
	case logic.OpSelect:
		return u.e.b.Select(u.memory(t.Var), u.term(t.Args[0]), u.term(t.Args[1]))
	}
	args := make([]*logic.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = u.term(a)
	}
	return u.e.b.Apply(t, args)
}

func (u *substitution) memory(v *logic.Var) *logic.Term {
	if v.Old {
		return u.old[v.Index]
	}
	return u.s.mem[v.Index]
}
