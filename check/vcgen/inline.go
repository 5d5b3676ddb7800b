package vcgen

import (
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// maxImplementations is how many dynamic types of a receiver are tried.
const maxImplementations = 3

// call executes a call: by the callee's own commands where that can be had, else by what is known of it. nil means
// that it does not return.
func (e *executor) call(c *ir.Call, s *state) *state {
	args := make([]*logic.Term, len(c.Args))
	for i, a := range c.Args {
		args[i] = e.subst(a, s)
	}
	switch {
	case c.Fn != nil:
		return e.callValue(c, args, s)

	case c.Go: // what it may write is any value from now on
		return e.havocCall(c, c.Static, "", args, e.w.Effects(c.Static), s)

	case c.Tag != nil:
		return e.callMethod(c, args, s)
	}
	return e.callStatic(c, c.Static, args, s)
}

// callValue calls a callValue value: each of the testee's functions that it may be, if they are few. That one from outside
// writes to what we look at is not assumed.
func (e *executor) callValue(c *ir.Call, args []*logic.Term, s *state) *state {
	fn := e.subst(c.Fn, s)
	known, others := possibleFuncs(fn)
	if c.Go || len(known) > maxImplementations {
		var effects []*logic.Var
		for _, id := range known {
			effects = append(effects, e.w.Effects(e.w.FuncValue(id))...)
		}
		return e.havocCall(c, "a function value", "", args, effects, s)
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
		if f := e.w.Func(key); f != nil && f.Closure {
			end(e.callStatic(c, key, append([]*logic.Term{e.subst(c.Env, way)}, args...), way))
		} else {
			end(e.callStatic(c, key, args, way))
		}
	}
	if others {
		end(e.havocCall(c, "a function value", "", args, nil, rest))
	}
	return e.mergeAll(ends)
}

// mergeAll joins the states in which ways through a call end; nil if there are none.
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

// possibleFuncs lists the possibleFuncs of the testee that a function value may be; others says that it may be one from outside.
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

// constantsOf lists the constants that a term may be; closed says that there are no others. visit, if not nil, sees the
// inputs that it may be, and says whether those are accounted for.
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
	if f == nil || f.Unsupported != "" {
		return e.havocCall(c, key, key, args, e.w.Effects(key), s)
	}
	if !e.mustFollow(c, f) && !e.mayInline(key, f) {
		e.havocingForBudget = true
		out := e.havocCall(c, key, key, args, e.w.Effects(key), s)
		e.havocingForBudget = false
		return out
	}
	// What the tests say of the callee is assumed of this call too, never required of it [DSD 6.4.1].
	k := e.opt.Contracts[key]
	e.contractViolated = k != nil && !e.assumeClauses(key, k, k.Entry, args, nil, s.mem, s)
	old := append([]*logic.Term(nil), s.mem...)
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
	return out
}

func (e *executor) inline(c *ir.Call, key string, f *ir.Func, args []*logic.Term, s *state) ([]*logic.Term, *state) {
	e.calls = append(e.calls, Call{c.Pos, f.Name})
	top := e.frames[len(e.frames)-1]
	byDefer := c.Deferred || top.byDefer && strings.HasPrefix(top.f.Name, "<") // wrappers of ours are not seen by recover
	res, out := e.function(key, byDefer, args, s)
	e.calls = e.calls[:len(e.calls)-1]
	return res, out
}

// mustFollow says that a call is followed because it is on the way that is looked at.
func (e *executor) mustFollow(c *ir.Call, f *ir.Func) bool {
	if e.opt.Follow == nil {
		return false
	}
	calls, pos := e.callPath(c.Pos)
	return e.opt.Follow(calls, pos, f.Name)
}

func (e *executor) mayInline(key string, f *ir.Func) bool {
	same, depth := 0, 0
	for _, f := range e.frames {
		if f.key == key {
			same++
		}
		if !strings.HasPrefix(f.f.Name, "<") { // wrappers and models are small
			depth++
		}
	}
	switch {
	case same > 1:
		e.bounded["recursion is followed once"] = true
		return false
	case depth > e.opt.Depth && !isLeaf(f) && (depth > 2*e.opt.Depth || !isSmall(f)) || len(e.frames) > 3*e.opt.Depth:
		e.bounded["calls are followed to a depth of 4"] = true
		return false
	case e.b.Size() > e.opt.MaxTerms || len(f.Blocks) > 400:
		e.bounded["large callees are not followed"] = true
		return false
	}
	return true
}

// isSmall says that following f costs little, what it calls aside.
func isSmall(f *ir.Func) bool { return len(f.Blocks) <= 12 && len(f.Loops) == 0 }

// isLeaf says that following f costs next to nothing: a wrapper, a model, or a few commands without loops and calls.
func isLeaf(f *ir.Func) bool {
	if strings.HasPrefix(f.Name, "<") {
		return true
	}
	if len(f.Blocks) > 20 || len(f.Loops) > 0 {
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

// callMethod calls a callMethod of an interface value: of its dynamic type if that is known, of each if it is one of a few.
func (e *executor) callMethod(c *ir.Call, args []*logic.Term, s *state) *state {
	tag := e.subst(c.Tag, s)
	obj, slot := e.subst(c.Obj, s), e.subst(c.Slot, s)
	inside := append([]*logic.Term{obj, slot}, args...)
	tags, closed := possibleTags(tag)
	if c.Model != "" && (!closed || len(tags) > maxImplementations) {
		return e.callStatic(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), s)
	}
	if !closed || len(tags) > maxImplementations {
		return e.havocCall(c, c.Iface+c.Method, c.Iface, args, nil, s)
	}
	var live []*state
	for _, t := range tags {
		key := e.w.Method(t, c.Method)
		way := s.fork()
		if !e.assume(way, e.b.Eq(tag, e.b.Const(tag.Sort, uint64(t))), "") {
			continue
		}
		var out *state
		if key == "" && c.Model != "" {
			out = e.callStatic(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), way)
		} else if key == "" {
			out = e.havocCall(c, c.Iface, c.Iface, args, nil, way)
		} else {
			out = e.callStatic(c, key, inside, way)
		}
		if out != nil {
			live = append(live, out)
		}
	}
	return e.mergeAll(live)
}

// possibleTags lists the constants that a tag may be, besides nil (which was asserted not to be); closed says that
// there are no others.
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

// havocCall is a call that is not looked into: it may write its effects, its results are free, and what was learned of it
// is assumed.
func (e *executor) havocCall(c *ir.Call, name, contract string, args []*logic.Term, effects []*logic.Var, s *state) *state {
	old, before := append([]*logic.Term(nil), s.mem...), s.guard
	free := func(vars []*logic.Var) []*logic.Var {
		fresh := logic.Fresh(vars)
		for _, v := range fresh {
			if e.havocingForBudget {
				e.budgetHavoc[v] = true
			}
		}
		return fresh
	}
	for _, m := range free(effects) {
		s.mem[m.Index] = e.b.Var(m)
	}
	for _, r := range c.Reach {
		obj := e.subst(r.Obj, s)
		for _, m := range free(r.Memories) {
			s.mem[m.Index] = e.b.Replace(s.mem[m.Index], obj, e.b.Var(m))
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
	if k := e.opt.Contracts[contract]; k != nil {
		results := make([]*logic.Term, len(fresh))
		for i, v := range fresh {
			results[i] = e.b.Var(v)
		}
		e.assumeClauses(contract, k, k.Exit, args, results, old, s)
	}
	return s
}

// assumeClauses assumes clauses of the contract of the function named key for one call; old are the memories at its entry.
// None is assumed of a call that they rule out by themselves, and the answer is false: it happens all the same, and the
// tests did not show it.
func (e *executor) assumeClauses(key string, k *ir.Contract, clauses []ir.Clause, args, results, old []*logic.Term, s *state) bool {
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
		if !e.assume(s, e.substOld(c.Term, bind, old), c.ID) {
			s.guard = before
			e.bounded["a call contradicts the inferred invariants of "+key+"; they are not assumed there"] = true
			return false
		}
	}
	return true
}

// EntryClauses returns the entry clauses of a contract for given inputs; they speak of the memories
// at the start. It returns none if the contract is one of another number of parameters.
func EntryClauses(b *logic.Builder, k *ir.Contract, inputs []*logic.Term, start *Start) []ir.Clause {
	if len(inputs) != len(k.Params) {
		return nil
	}
	e := &executor{b: b}
	st := &state{locals: make([]*logic.Term, len(k.Params)+len(k.Results)), mem: start.Mem}
	for i, p := range k.Params {
		st.locals[p.Index] = inputs[i]
	}
	var out []ir.Clause
	for _, c := range k.Entry {
		out = append(out, ir.Clause{ID: c.ID, Term: e.substOld(c.Term, st, st.mem)})
	}
	return out
}
