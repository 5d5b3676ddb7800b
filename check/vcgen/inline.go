package vcgen

import (
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// maxImplementations is the number of callees that a dynamic call is followed into.
const maxImplementations = 3

// functionValue names the callee of a call of a function value in reports.
const functionValue = "a function value"

// call executes a call: by the callee's own commands if they are known and the budget allows it,
// otherwise as a havoced call. It returns nil if the call does not return.
//
//	go f(x)       havoc what f may write, and follow f beside; see beside.go
//	f(x)          callStatic
//	fn(x)         callValue: the functions that fn may be, one after the other
//	i.M(x)        callMethod: the methods of the dynamic types that i may have
func (e *executor) call(c *ir.Call, s *state) *state {
	args := make([]*logic.Term, len(c.Args))
	for i, a := range c.Args {
		args[i] = e.subst(a, s)
	}
	switch {
	case c.Callback:
		e.callback(c, args, s)
		return s

	case c.Fn != nil:
		return e.callValue(c, args, s)

	case c.Go: // it may write at any time from now on
		e.spawn(c, c.Static, args, s)
		return e.havocCall(c, c.Static, "", args, e.w.Effects(c.Static), s)

	case c.Tag != nil:
		return e.callMethod(c, args, s)
	}
	return e.callStatic(c, c.Static, args, s)
}

// callValue calls a function value: each of the testee's functions that it may be, if they are
// few. A function from outside is assumed not to write the testee's memory.
func (e *executor) callValue(c *ir.Call, args []*logic.Term, s *state) *state {
	fn := e.subst(c.Fn, s)
	known, others := possibleFuncs(fn)
	if c.Go || len(known) > maxImplementations {
		var effects []*logic.Var
		for _, id := range known {
			effects = append(effects, e.w.Effects(e.w.FuncValue(id))...)
		}
		if c.Go && len(known) == 1 && !others {
			key := e.w.FuncValue(known[0])
			e.spawn(c, key, e.withEnv(c, key, args, s), s)
		}
		return e.havocCall(c, functionValue, "", args, append(slices.Clone(effects), e.opt.Unknown...), s)
	}
	var ends []*state
	end := func(out *state) {
		if out != nil {
			ends = append(ends, out)
		}
	}
	rest := s
	for _, id := range known {
		key := e.w.FuncValue(id)
		way := rest
		if others || len(known) > 1 {
			is := e.b.Eq(fn, e.b.Const(fn.Sort, uint64(id)))
			way = rest.fork()
			if !e.assume(way, is, "") {
				continue
			}
			if rest = rest.fork(); !e.assume(rest, e.b.Not(is), "") {
				others = false
			}
		}
		end(e.callStatic(c, key, e.withEnv(c, key, args, way), way))
	}
	if others {
		end(e.havocCall(c, functionValue, "", args, e.opt.Unknown, rest))
	}
	return e.mergeAll(ends)
}

// withEnv returns the arguments for a call of the function value named key: those of a closure begin
// with its closure object.
func (e *executor) withEnv(c *ir.Call, key string, args []*logic.Term, s *state) []*logic.Term {
	if f := e.w.Func(key); f != nil && f.Closure {
		return append([]*logic.Term{e.subst(c.Env, s)}, args...)
	}
	return args
}

// mergeAll merges states; nil if there are none.
func (e *executor) mergeAll(ends []*state) *state {
	var out *state
	for _, s := range ends {
		if out == nil {
			out = s
		} else {
			out = e.merge(out, s, nil)
		}
	}
	return out
}

// possibleFuncs returns the functions of the testee that a function value may be. others reports
// whether it may be another one.
func possibleFuncs(fn *logic.Term) (known []uint32, others bool) {
	consts, closed := constantsOf(fn, nil)
	for _, id := range consts {
		if id == UnknownFn {
			closed = false
		} else if id != 0 {
			known = append(known, id)
		}
	}
	return known, !closed
}

// constantsOf returns the constants that a term may be; closed reports whether it is nothing else.
// visit, if not nil, is called for the inputs that it may be, and reports whether they are
// accounted for.
func constantsOf(t *logic.Term, visit func(leaf *logic.Term) bool) (consts []uint32, closed bool) {
	seen := map[*logic.Term]bool{}
	closed = true
	var walk func(t *logic.Term)
	walk = func(t *logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch {
		case t.Op == logic.OpConst:
			consts = append(consts, uint32(t.Val))
		case t.Op == logic.OpIte:
			walk(t.Args[1])
			walk(t.Args[2])
		case visit == nil || t.Var == nil || !visit(t):
			closed = false
		}
	}
	walk(t)
	return consts, closed
}

// callStatic calls the function named key.
func (e *executor) callStatic(c *ir.Call, key string, args []*logic.Term, s *state) *state {
	f := e.w.Func(key)
	if !e.recursion(c, key, args, s) {
		return nil
	}
	if isWaiting(key) {
		e.waits()
	}
	if f == nil || f.Unsupported != "" {
		effects := append(slices.Clone(e.w.Effects(key)), e.opt.Unknown...)
		return e.havocCall(c, key, key, args, effects, s)
	}
	if !e.mustFollow(c, f) && !e.mayInline(c, key, f) {
		e.havocingForBudget = true
		out := e.havocCall(c, key, key, args, e.w.Effects(key), s)
		e.havocingForBudget = false
		return out
	}
	// Invariants of the callee are assumed of this call, never required of it [DSD 6.4.1].
	k := e.opt.Contracts[key]
	e.contractViolated = k != nil && !e.assumeClauses(key, k, k.Entry, args, nil, s.mem, s)
	var old *memories
	if k != nil {
		old = s.mem.copy()
	}
	res, out := e.inline(c, key, f, args, s)
	if out == nil {
		return nil
	}
	for i, r := range c.Results {
		out.locals[r.Index] = res[i]
	}
	if k != nil {
		e.assumeClauses(key, k, k.Exit, args, res, old, out)
	}
	if f.Origin == ir.FromModel {
		e.assumeFacts(c, key, args, res, out)
	}
	return out
}

// assumeFacts assumes what real runs showed about a call. A fact that is false on this path whatever
// the inputs are is left out: the run was in another state.
func (e *executor) assumeFacts(c *ir.Call, name string, args, results []*logic.Term, s *state) {
	if e.opt.Facts == nil {
		return
	}
	for _, t := range e.opt.Facts.Assume(e.b, name, c.Sig, args, results, s.mem.get) {
		e.assume(s, t, "")
	}
}

// assumeSeen assumes of the operands of comparisons that they are as in real runs, where calls
// that were not followed determine them: those are then other than anything that the solver may
// choose, and it has to choose the other operand, or another way [DART].
func (e *executor) assumeSeen(end *ir.Branch, s *state) {
	if e.opt.Facts == nil {
		return
	}
	for _, c := range end.Comparisons {
		seen := e.opt.Facts.Seen(c.Pos)
		if len(seen) == 0 {
			continue
		}
		for i, operand := range []*logic.Term{e.subst(c.X, s), e.subst(c.Y, s)} {
			if !e.isInvented(operand) {
				continue
			}
			var either []*logic.Term
			for _, pair := range seen {
				either = append(either, e.b.Eq(operand, e.b.Const(operand.Sort, pair[i])))
			}
			e.assume(s, e.b.Or(either...), "")
		}
	}
}

// isInvented reports whether a term depends on a variable that no input determines.
func (e *executor) isInvented(t *logic.Term) bool {
	return logic.NewFinder(func(leaf *logic.Term) bool {
		return leaf.Var != nil && e.prog.Invented[leaf.Var] != ""
	}).In(t)
}

// inline executes the commands of f in place of the call. recover works in functions that a defer
// statement calls; wrappers between the two do not count.
func (e *executor) inline(c *ir.Call, key string, f *ir.Func, args []*logic.Term,
	s *state) ([]*logic.Term, *state) {
	e.calls = append(e.calls, Call{c.Pos, f.Name, c.Go, c.Callback, f.Origin})
	top := e.frames[len(e.frames)-1]
	byDefer := c.Deferred || top.byDefer && top.f.Origin != ir.FromSource
	res, out := e.function(key, byDefer, args, s)
	e.calls = e.calls[:len(e.calls)-1]
	return res, out
}

// mustFollow reports whether a call is followed whatever it costs; see Options.Follow.
func (e *executor) mustFollow(c *ir.Call, f *ir.Func) bool {
	if e.opt.Follow == nil {
		return false
	}
	calls, pos := e.callPath(c.Pos)
	return e.opt.Follow(calls, pos, f.Name)
}

// mayInline reports whether the budget allows to inline f in a call, and records why if not. Deferred
// calls that may recover decide whether a panic is one, and are followed deeper than others.
func (e *executor) mayInline(c *ir.Call, key string, f *ir.Func) bool {
	same, depth := 0, 0
	limit := e.opt.Depth
	if c.Deferred && f.ByDefer != nil {
		limit *= 2
	}
	for _, f := range e.frames {
		if f.key == key {
			same++
		}
		if f.f.Origin == ir.FromSource { // wrappers and models are small
			depth++
		}
	}
	switch {
	case same > 1:
		e.bound("recursion is followed once")
		return false
	case f.Origin == ir.FromWrapper && e.wrappers() >= maxWrappers:
		e.bound("calls through embedded interfaces are followed to a depth of %d", maxWrappers)
		return false
	case depth > limit && !isLeaf(f) && (depth > 2*limit || !isSmall(f)) || len(e.frames) > 3*limit:
		e.bound("calls are followed to a depth of %d", e.opt.Depth)
		return false
	case e.work() > e.opt.MaxTerms || len(f.Blocks) > maxInlined:
		e.bound("large callees are not followed")
		return false
	}
	return true
}

// maxWrappers is the number of wrappers that are followed, each called by the one before. A struct that embeds an
// interface has a wrapper for each method that calls the embedded value's, which may be a struct of this kind again:
// with a few such types the ways through them are hundreds, and all of them lead to the same place.
const maxWrappers = 2

// wrappers returns the number of wrappers that are being executed, each called by the one before.
func (e *executor) wrappers() int {
	n := 0
	for n < len(e.frames) && e.frames[len(e.frames)-1-n].f.Origin == ir.FromWrapper {
		n++
	}
	return n
}

// Sizes of functions, in blocks.
const (
	maxInlined = 400 // that are inlined
	maxSmall   = 12  // that are inlined beyond Options.Depth
	maxLeaf    = 20  // that are inlined at any depth, if they call nothing
)

// isSmall reports whether executing f costs little, apart from its callees.
func isSmall(f *ir.Func) bool { return len(f.Blocks) <= maxSmall && len(f.Loops) == 0 }

// isLeaf reports whether executing f costs next to nothing: a wrapper, a model, or a few commands
// without loops and calls.
func isLeaf(f *ir.Func) bool {
	if f.Origin != ir.FromSource {
		return true
	}
	if len(f.Blocks) > maxLeaf || len(f.Loops) > 0 {
		return false
	}
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			if _, ok := c.(*ir.Call); ok {
				return false
			}
		}
	}
	return true
}

// callMethod calls a method of an interface value: that of each dynamic type that it may have, if
// they are few.
func (e *executor) callMethod(c *ir.Call, args []*logic.Term, s *state) *state {
	tag := e.subst(c.Tag, s)
	obj, slot := e.subst(c.Obj, s), e.subst(c.Slot, s)
	inside := append([]*logic.Term{obj, slot}, args...)
	tags, closed := possibleTags(tag)
	known := 0 // of other types nothing is followed
	for _, t := range tags {
		if e.w.Method(t, c.Method, c.SigKey) != "" {
			known++
		}
	}
	if c.Model != "" && (!closed || known > maxImplementations) {
		return e.callStatic(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), s)
	}
	if !closed || known > maxImplementations {
		return e.havocCall(c, methodName(c), c.Iface, args, e.opt.Unknown, s)
	}
	var live []*state
	for _, t := range tags {
		key := e.w.Method(t, c.Method, c.SigKey)
		way := s.fork()
		if !e.assume(way, e.b.Eq(tag, e.b.Const(tag.Sort, uint64(t))), "") {
			continue
		}
		var out *state
		if key == "" && c.Model != "" {
			out = e.callStatic(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), way)
		} else if key == "" {
			out = e.havocCall(c, methodName(c), c.Iface, args, e.opt.Unknown, way)
		} else {
			out = e.callStatic(c, key, inside, way)
		}
		if out != nil {
			live = append(live, out)
		}
	}
	return e.mergeAll(live)
}

// methodName returns the name of a call's method for reports: that of a named interface has its name
// in front.
func methodName(c *ir.Call) string {
	if c.Iface != "" {
		return c.Iface
	}
	return c.Method
}

// possibleTags returns the dynamic types that a tag may be, other than nil, which was asserted not
// to be. closed reports whether there are no others.
func possibleTags(t *logic.Term) (tags []uint32, closed bool) {
	seen := map[uint32]bool{0: true}
	add := func(list []uint32) {
		for _, n := range list {
			if !seen[n] {
				seen[n] = true
				tags = append(tags, n)
			}
		}
	}
	consts, closed := constantsOf(t, func(leaf *logic.Term) bool {
		add(leaf.Var.Domain.Tags)
		return true
	})
	add(consts)
	return tags, closed && len(tags) > 0
}

// havocCall executes a call without its commands: havoc effects and results, and assume the exit
// clauses of the contract. name is the callee for reports, contract the key of its contract.
func (e *executor) havocCall(c *ir.Call, name, contract string, args []*logic.Term,
	effects []*logic.Var, s *state) *state {
	k, before := e.opt.Contracts[contract], s.guard
	var old *memories
	if k != nil {
		old = s.mem.copy()
	}
	free := func(vars []*logic.Var) []*logic.Var {
		fresh := logic.Fresh(vars)
		e.invent(fresh, "what "+strings.TrimPrefix(name, ir.ModelPrefix)+" returns or writes")
		for _, v := range fresh {
			if e.havocingForBudget {
				e.budgetHavoc[v] = true
			}
		}
		return fresh
	}
	for _, m := range free(effects) {
		s.mem.set(m.Index, e.b.Var(m))
	}
	if c.Shares != nil {
		for _, m := range c.Shares.Memories {
			s.mem.set(m.Index, e.b.Store(s.mem.get(m.Index), e.subst(c.Shares.Obj, s),
				e.b.Const(logic.Slot, 0), e.b.True()))
		}
	}
	for _, r := range c.Reach {
		obj := e.subst(r.Obj, s)
		for _, m := range free(r.Memories) {
			s.mem.set(m.Index, e.b.Replace(s.mem.get(m.Index), obj, e.b.Var(m)))
		}
	}
	fresh := free(c.Results)
	if len(fresh) > 0 {
		o := HavocedCall{Callee: name, Vars: fresh, Sig: c.Sig, guard: before}
		if c.Fn != nil {
			o.Fn = e.subst(c.Fn, s)
		}
		e.prog.Havoced = append(e.prog.Havoced, o)
	}
	for i, v := range fresh {
		s.locals[c.Results[i].Index] = e.b.Var(v)
	}
	results := make([]*logic.Term, len(fresh))
	for i, v := range fresh {
		results[i] = e.b.Var(v)
	}
	if k != nil {
		e.assumeClauses(contract, k, k.Exit, args, results, old, s)
	}
	e.assumeFacts(c, name, args, results, s)
	return s
}

// assumeClauses assumes clauses of the contract of the function named key for one call. old are the
// memories at its entry. If the clauses rule the call out, none is assumed and the result is false:
// the call happens all the same, and the tests did not show it.
func (e *executor) assumeClauses(key string, k *ir.Contract, clauses []ir.Clause, args, results []*logic.Term,
	old *memories, s *state) bool {
	if len(k.Params) != len(args) || results != nil && len(k.Results) != len(results) {
		return true
	}
	bind := &state{locals: make([]*logic.Term, len(k.Params)+len(k.Results)), mem: s.mem}
	for i, p := range k.Params {
		bind.locals[p.Index] = args[i]
	}
	for i, r := range results {
		bind.locals[k.Results[i].Index] = r
	}
	before := s.guard
	for _, c := range clauses {
		t := e.substOld(c.Term, bind, old)
		if results != nil {
			e.prog.Axioms[t] = true
		}
		if !e.assume(s, t, c.ID) {
			s.guard = before
			e.bound("a call contradicts the inferred invariants of %s; they are not assumed there", key)
			return false
		}
	}
	return true
}

// EntryClauses returns the entry clauses of a contract for given inputs; they speak of the memories
// at the start. It returns none if the contract is one of another number of parameters.
func EntryClauses(b *logic.Builder, k *ir.Contract, inputs []*logic.Term,
	start *Start) []ir.Clause {
	if len(inputs) != len(k.Params) {
		return nil
	}
	e := &executor{b: b}
	st := &state{locals: make([]*logic.Term, len(k.Params)+len(k.Results)), mem: start.mem}
	for i, p := range k.Params {
		st.locals[p.Index] = inputs[i]
	}
	var out []ir.Clause
	for _, c := range k.Entry {
		out = append(out, ir.Clause{ID: c.ID, Term: e.substOld(c.Term, st, st.mem)})
	}
	return out
}

// ExitTerms returns the exit clauses of a contract as terms over the inputs of p. A clause must not
// read memory as it was at the entry. It returns nil if p does not return, or the contract is one of
// other numbers of parameters and results.
func ExitTerms(b *logic.Builder, k *ir.Contract, inputs []*logic.Term, p *Program) []*logic.Term {
	if len(inputs) != len(k.Params) || len(p.Results) != len(k.Results) {
		return nil
	}
	st := &state{locals: make([]*logic.Term, len(k.Params)+len(k.Results)), mem: p.exitMem}
	for i, v := range k.Params {
		st.locals[v.Index] = inputs[i]
	}
	for i, v := range k.Results {
		st.locals[v.Index] = p.Results[i]
	}
	e := &executor{b: b}
	var out []*logic.Term
	for _, c := range k.Exit {
		out = append(out, e.subst(c.Term, st))
	}
	return out
}
