package wp

import (
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// maxImplementations is how many dynamic types of a receiver are tried.
const maxImplementations = 3

// call executes a call: by the callee's own commands where that can be had, else by what is known of it. nil means
// that it does not return.
func (e *engine) call(c *ir.Call, s *state) *state {
	args := make([]*logic.Term, len(c.Args))
	for i, a := range c.Args {
		args[i] = e.subst(a, s)
	}
	switch {
	case c.Fn != nil:
		id, ok := e.subst(c.Fn, s).Const()
		key := e.w.FuncValue(uint32(id))
		if c.Go {
			return e.open(c, key, "", args, e.w.Effects(key), s)
		}
		if !ok || key == "" {
			// A function that came from outside may be any; that it writes to what we look at is not assumed.
			return e.open(c, "a function value", "", args, nil, s)
		}
		if f := e.w.Func(key); f != nil && f.Closure {
			args = append([]*logic.Term{e.subst(c.Env, s)}, args...)
		}
		return e.static(c, key, args, s)

	case c.Go: // what it may write is any value from now on
		return e.open(c, c.Static, "", args, e.w.Effects(c.Static), s)

	case c.Tag != nil:
		return e.method(c, args, s)
	}
	return e.static(c, c.Static, args, s)
}

// static calls the function named key.
func (e *engine) static(c *ir.Call, key string, args []*logic.Term, s *state) *state {
	f := e.w.Func(key)
	if !e.recursion(c, key, args, s) {
		return nil
	}
	if f == nil || f.Opaque != "" {
		return e.open(c, key, key, args, e.w.Effects(key), s)
	}
	if !e.mayInline(key, f) {
		e.cutting = true
		out := e.open(c, key, key, args, e.w.Effects(key), s)
		e.cutting = false
		return out
	}
	// What the tests say of the callee is assumed of this call too, never required of it [DSD 6.4.1].
	k := e.opt.Contracts[key]
	if k != nil && !e.assumeClauses(k, k.Entry, args, nil, s.mem, s) {
		return nil
	}
	old := append([]*logic.Term(nil), s.mem...)
	res, out := e.inline(c, key, f, args, s)
	if out == nil {
		return nil
	}
	for i, r := range c.Results {
		out.locals[r.Index] = res[i]
	}
	if k != nil && !e.assumeClauses(k, k.Exit, args, res, old, out) {
		return nil
	}
	return out
}

func (e *engine) inline(c *ir.Call, key string, f *ir.Func, args []*logic.Term, s *state) ([]*logic.Term, *state) {
	e.calls = append(e.calls, Call{c.Pos, f.Name})
	top := e.frames[len(e.frames)-1]
	byDefer := c.Deferred || top.byDefer && strings.HasPrefix(top.f.Name, "<") // wrappers of ours are not seen by recover
	res, out := e.run(key, byDefer, args, s)
	e.calls = e.calls[:len(e.calls)-1]
	return res, out
}

func (e *engine) mayInline(key string, f *ir.Func) bool {
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

// method calls a method of an interface value: of its dynamic type if that is known, of each if it is one of a few.
func (e *engine) method(c *ir.Call, args []*logic.Term, s *state) *state {
	tag := e.subst(c.Tag, s)
	obj, slot := e.subst(c.Obj, s), e.subst(c.Slot, s)
	inside := append([]*logic.Term{obj, slot}, args...)
	tags, closed := possibleTags(tag)
	if c.Model != "" && (!closed || len(tags) > maxImplementations) {
		return e.static(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), s)
	}
	if !closed || len(tags) > maxImplementations {
		return e.open(c, c.Iface+c.Method, c.Iface, args, nil, s)
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
			out = e.static(c, c.Model, append([]*logic.Term{tag, obj, slot}, args...), way)
		} else if key == "" {
			out = e.open(c, c.Iface, c.Iface, args, nil, way)
		} else {
			out = e.static(c, key, inside, way)
		}
		if out != nil {
			live = append(live, out)
		}
	}
	if len(live) == 0 {
		return nil
	}
	out := live[0]
	for _, s := range live[1:] {
		out = e.merge(out, s, nil)
	}
	return out
}

// possibleTags lists the constants that a tag may be, besides nil (which was asserted not to be); closed says that
// there are no others.
func possibleTags(t *logic.Term) (tags []uint32, closed bool) {
	seen := map[uint32]bool{}
	visited := map[*logic.Term]bool{}
	closed = true
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if visited[t] {
			return
		}
		visited[t] = true
		switch t.Op {
		case logic.OpConst:
			if n := uint32(t.Val); n != 0 && !seen[n] {
				seen[n] = true
				tags = append(tags, n)
			}
		case logic.OpIte:
			visit(t.Args[1])
			visit(t.Args[2])
		case logic.OpVar, logic.OpSelect:
			for _, n := range t.Var.Domain.Tags {
				if !seen[n] {
					seen[n] = true
					tags = append(tags, n)
				}
			}
		default:
			closed = false
		}
	}
	visit(t)
	return tags, closed && len(tags) > 0
}

// open is a call that is not looked into: it may write its effects, its results are free, and what was learned of it
// is assumed.
func (e *engine) open(c *ir.Call, name, contract string, args []*logic.Term, effects []*logic.Var, s *state) *state {
	old, before := append([]*logic.Term(nil), s.mem...), s.guard
	free := func(vars []*logic.Var) []*logic.Var {
		fresh := logic.Fresh(vars)
		for _, v := range fresh {
			if e.cutting {
				e.cut[v] = true
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
		o := Open{Callee: name, Vars: fresh, Sig: c.Sig, guard: before}
		if c.Fn != nil {
			o.Fn = e.subst(c.Fn, s)
		}
		e.prog.Opens = append(e.prog.Opens, o)
	}
	for i, v := range fresh {
		s.locals[c.Results[i].Index] = e.b.Var(v)
	}
	if k := e.opt.Contracts[contract]; k != nil {
		results := make([]*logic.Term, len(fresh))
		for i, v := range fresh {
			results[i] = e.b.Var(v)
		}
		if !e.assumeClauses(k, k.Exit, args, results, old, s) {
			return nil
		}
	}
	return s
}

// assumeClauses assumes clauses of a contract for one call; old are the memories at its entry. False means that they
// contradict what is known: as far as the invariants go, the call does not happen.
func (e *engine) assumeClauses(k *Contract, clauses []Clause, args, results, old []*logic.Term, s *state) bool {
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
	for _, c := range clauses {
		if !e.assume(s, e.substOld(c.Term, bind, old), c.ID) {
			return false
		}
	}
	return true
}

// Bind substitutes inputs for a contract's parameters in its entry clauses, which speak of the memories at the start.
func (k *Contract) Bind(b *logic.Builder, inputs []*logic.Term, start *Start) []Clause {
	e := &engine{b: b}
	st := &state{locals: make([]*logic.Term, len(k.Params)+len(k.Results)), mem: start.Mem}
	if len(inputs) != len(k.Params) {
		return nil
	}
	for i, p := range k.Params {
		st.locals[p.Index] = inputs[i]
	}
	var out []Clause
	for _, c := range k.Entry {
		out = append(out, Clause{c.ID, e.substOld(c.Term, st, st.mem)})
	}
	return out
}
