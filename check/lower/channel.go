package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// A channel is an object. One memory says whether it is closed.
//
// A channel that was made in the execution, before any other goroutine may know it, is a queue of
// which everything is known: its items are in the object, one after the other, and memories count
// what was sent and what was received. An operation on it that blocks in Go ends the execution,
// which therefore does not panic any more.
//
// Of all other channels nothing is known: a received value is any value, and no operation blocks.

// A chanCount is a number that a memory holds of each channel.
type chanCount string

const (
	chanSent     chanCount = "chan sent"
	chanReceived chanCount = "chan received"
	chanCap      chanCount = "chan cap"
)

// count returns a number of a channel.
func (em *emitter) count(c chanCount, ch *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.ChanCount(c)), ch, em.slot0())
}

// setCount stores a number of a channel, if a condition holds.
func (em *emitter) setCount(c chanCount, ch, when, n *logic.Term) {
	m := em.w.ChanCount(c)
	n = em.b.Ite(when, n, em.count(c, ch))
	em.assign(m, em.b.Store(em.b.Var(m), ch, em.slot0(), n))
}

// pending returns the number of items in a channel that is a queue.
func (em *emitter) pending(ch *logic.Term) *logic.Term {
	return em.b.Sub(em.count(chanSent, ch), em.count(chanReceived, ch))
}

// isQueue returns the condition that everything is known of a channel.
func (em *emitter) isQueue(ch *logic.Term) *logic.Term {
	m := em.b.Var(em.w.ChanQueue())
	shared := em.b.Select(m, em.sharedChannels().Obj, em.slot0())
	return em.b.And(em.b.Select(m, ch, em.slot0()), em.b.Not(shared))
}

// shareChannels notes that other goroutines may use channels from now on.
func (em *emitter) shareChannels() {
	at := em.sharedChannels()
	m := at.Memories[0]
	em.assign(m, em.b.Store(em.b.Var(m), at.Obj, em.slot0(), em.b.True()))
}

// sharedChannels returns the place that says whether other goroutines may use channels: the entry of
// a hidden object.
func (em *emitter) sharedChannels() *ir.Reach {
	return &ir.Reach{Obj: em.b.Const(logic.Obj, uint64(em.w.panicObj)),
		Memories: []*logic.Var{em.w.ChanQueue()}}
}

// sharesChannels reports whether a callee that is not followed may get a channel by its arguments.
func (em *emitter) sharesChannels(args []Value) bool {
	for _, a := range args {
		if types.IsInterface(a.Type) {
			if tag, ok := a.Leaves[0].Const(); ok { // the dynamic type is known
				t := em.w.TagType(uint32(tag))
				if t != nil && mayHoldChannel(t, map[types.Type]bool{}) {
					return true
				}
				continue
			}
		}
		if len(a.Leaves) > 0 {
			if list, ok := em.packed[a.Leaves[0]]; ok { // the arguments of a variadic parameter
				if em.sharesChannels(list) {
					return true
				}
				continue
			}
		}
		if mayHoldChannel(a.Type, map[types.Type]bool{}) {
			return true
		}
	}
	return false
}

// mayHoldChannel reports whether a channel of the testee may be reached from a value of type t: also
// through functions, and interfaces. Of types of other modules, only exported fields can hold one; seen
// holds the types that are being looked at.
func mayHoldChannel(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Interface:
		return true
	case *types.Pointer:
		return mayHoldChannel(u.Elem(), seen)
	case *types.Slice:
		return mayHoldChannel(u.Elem(), seen)
	case *types.Array:
		return mayHoldChannel(u.Elem(), seen)
	case *types.Map:
		return mayHoldChannel(u.Key(), seen) || mayHoldChannel(u.Elem(), seen)
	case *types.Struct:
		n, named := types.Unalias(t).(*types.Named)
		foreign := named && n.Obj().Pkg() != nil && isStandard(n.Obj().Pkg().Path())
		for f := range u.Fields() {
			if (!foreign || f.Exported()) && mayHoldChannel(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// chanItem returns the location of an item of a channel.
func (em *emitter) chanItem(ch, i *logic.Term, elem types.Type) location {
	at := memory(ch, em.elemSlot(em.slot0(), i, elem), elem)
	at.class = "item " + em.w.typeKey(elem)
	return at
}

// isClosed returns the condition that channel ch is closed.
func (em *emitter) isClosed(ch *logic.Term) *logic.Term {
	return em.b.Select(em.b.Var(em.w.ChanClosed()), ch, em.slot0())
}

// setClosed stores whether channel ch is closed.
func (em *emitter) setClosed(ch, closed *logic.Term) {
	m := em.w.ChanClosed()
	em.assign(m, em.b.Store(em.b.Var(m), ch, em.slot0(), closed))
}

// makeChan returns a new channel for n elements, or without a buffer if n is nil.
func (em *emitter) makeChan(n *logic.Term, elem types.Type, pos token.Pos) *logic.Term {
	if n != nil {
		limit := em.int(em.maxElems(em.w.prog.Sizes.Sizeof(elem)))
		em.assert(em.b.Cmp(logic.OpULe, n, limit), schemas.MakeSlice, pos,
			"the size of the channel is out of range")
	}
	ch := em.newObject()
	em.setClosed(ch, em.b.False())
	if n == nil {
		n = em.int(0)
	}
	yes := em.b.True()
	em.setCount(chanCap, ch, yes, n)
	em.setCount(chanSent, ch, yes, em.int(0))
	em.setCount(chanReceived, ch, yes, em.int(0))
	m := em.w.ChanQueue()
	em.assign(m, em.b.Store(em.b.Var(m), ch, em.slot0(), yes))
	return ch
}

// canSend and canReceive return the conditions that an operation on a channel, which may be nil, may
// go on.
func (em *emitter) canSend(ch *logic.Term) *logic.Term {
	room := em.b.Cmp(logic.OpSLt, em.pending(ch), em.count(chanCap, ch))
	return em.b.And(em.b.Not(em.b.Eq(ch, em.nilObj())),
		em.b.Or(em.b.Not(em.isQueue(ch)), room, em.isClosed(ch)))
}

func (em *emitter) canReceive(ch *logic.Term) *logic.Term {
	some := em.b.Cmp(logic.OpSLt, em.int(0), em.pending(ch))
	return em.b.And(em.b.Not(em.b.Eq(ch, em.nilObj())),
		em.b.Or(em.b.Not(em.isQueue(ch)), some, em.isClosed(ch)))
}

// send lowers ch <- v for a value that has been evaluated:
//
//	assume ch != nil, and there is room
//	assert !closed[ch]
//	items[ch][sent[ch]] := v; sent[ch]++
func (em *emitter) send(ch *logic.Term, v Value, pos token.Pos) {
	em.assume(em.canSend(ch))
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "send on a closed channel")
	n := em.temp(em.count(chanSent, ch))
	em.store(em.chanItem(ch, n, v.Type), v)
	em.setCount(chanSent, ch, em.isQueue(ch), em.b.Add(n, em.int(1)))
}

// receive lowers v, ok = <-ch:
//
//	assume ch != nil, and there is an item or ch is closed
//	havoc ok, v
//	assume ok || closed[ch]
//	if ch is a queue { ok = (there is an item); v := items[ch][received[ch]] }
//	received[ch] += ok ? 1 : 0
//	v := ok ? v : 0
func (em *emitter) receive(ch *logic.Term, elem types.Type) (Value, *logic.Term) {
	b := em.b
	em.assume(em.canReceive(ch))
	okVars := em.w.InputVars("received ok", types.Typ[types.Bool])
	vars := em.w.InputVars("received", elem)
	all := append(okVars, vars...)
	for _, v := range all {
		em.addVar(v)
	}
	queue := em.temp(em.isQueue(ch))
	em.emit(&ir.Havoc{Vars: all, Chan: ch, Elem: elem, Known: queue})
	some := b.Cmp(logic.OpSLt, em.int(0), em.pending(ch))
	ok, v := em.temp(b.Ite(queue, some, b.Var(okVars[0]))), em.valueOf(elem, vars)
	em.axiom(b.Or(ok, em.isClosed(ch)))
	n := em.temp(em.count(chanReceived, ch))
	v = em.snapshot(em.choose(queue, em.load(em.chanItem(ch, n, elem)), v))
	em.setCount(chanReceived, ch, b.And(queue, ok), b.Add(n, em.int(1)))
	return em.snapshot(em.choose(ok, v, em.zero(elem))), ok
}

// chanLenCap returns len(ch) or cap(ch): 0 if ch is nil, the number if it is known, or any that is
// not negative.
func (em *emitter) chanLenCap(ch *logic.Term, name string) *logic.Term {
	b := em.b
	known := em.pending(ch)
	if name == "cap" {
		known = em.count(chanCap, ch)
	}
	n := em.havoc(name, types.Typ[types.Int64]).Leaves[0]
	em.axiom(b.Or(em.isQueue(ch), b.Cmp(logic.OpSLe, em.int(0), n)))
	n = b.Ite(em.isQueue(ch), known, n)
	return b.Ite(b.Eq(ch, em.nilObj()), em.int(0), n)
}

// closeCall lowers close(ch).
func (em *emitter) closeCall(ch *logic.Term, pos token.Pos) {
	em.assert(em.b.Not(em.b.Eq(ch, em.nilObj())), schemas.Chan, pos, "close of a nil channel")
	em.assert(em.b.Not(em.isClosed(ch)), schemas.Chan, pos, "close of a closed channel")
	em.setClosed(ch, em.b.True())
}

// receiveExpr lowers the expression <-x.
func (l *lowerer) receiveExpr(e *ast.UnaryExpr) (Value, *logic.Term) {
	ch := l.snapshot(l.expr(e.X))
	return l.receive(ch.Leaves[0], chanElem(ch))
}

// chanElem returns the element type of a channel.
func chanElem(ch Value) types.Type { return ch.Type.Underlying().(*types.Chan).Elem() }

// selectStmt lowers
//
//	select { case <-a: A; case b <- v: B; default: D }
//
// to
//
//	evaluate a, b and v
//	havoc choice
//	if choice == 0 && a is ready goto case0 else next0
//	next0: if choice == 1 && b is ready goto case1 else next1      (or it is known that only b is)
//	next1: assume no channel of which all is known is ready; goto case2
//	case0: receive from a; A; goto exit
//	case1: send to b;      B; goto exit
//	case2: D; goto exit
//	exit:
//
// Without a default clause, the last block stops: no case is ready.
func (l *lowerer) selectStmt(s *ast.SelectStmt, label string) {
	exit := l.block()
	clauses := s.Body.List
	chans := make([]Value, len(clauses)) // none for the default clause
	sent := make([]Value, len(clauses))
	for i, c := range clauses {
		switch comm := c.(*ast.CommClause).Comm.(type) {
		case *ast.SendStmt:
			chans[i] = l.snapshot(l.expr(comm.Chan))
			sent[i] = l.snapshot(l.exprTo(comm.Value, chanElem(chans[i])))
		case *ast.ExprStmt:
			chans[i] = l.snapshot(l.expr(ast.Unparen(comm.X).(*ast.UnaryExpr).X))
		case *ast.AssignStmt:
			chans[i] = l.snapshot(l.expr(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X))
		}
	}
	cases := 0 // without the default clause
	for _, ch := range chans {
		if len(ch.Leaves) > 0 {
			cases++
		}
	}
	bodies := make([]*ir.Block, len(clauses))
	choice := l.unknown("case", "which case of a select runs", types.Typ[types.Int64]).Leaves[0]
	byDefault := -1
	ready := make([]*logic.Term, len(clauses))
	var idle []*logic.Term // the conditions that a queue is not ready
	known := l.b.True()    // which cases are ready is known
	for i := range clauses {
		bodies[i] = l.block()
		if len(chans[i].Leaves) == 0 {
			byDefault, ready[i] = i, l.b.False()
			continue
		}
		ch := chans[i].Leaves[0]
		ready[i] = l.canReceive(ch)
		if sent[i].Type != nil {
			ready[i] = l.canSend(ch)
		}
		ready[i] = l.temp(ready[i])
		idle = append(idle, l.b.Not(l.b.And(l.isQueue(ch), ready[i])))
		known = l.b.And(known, l.b.Or(l.isQueue(ch), l.b.Eq(ch, l.nilObj())))
	}
	for i := range clauses {
		if i == byDefault {
			continue
		}
		others := append(slices.Clone(ready[:i]), ready[i+1:]...)
		only := l.b.And(known, l.b.Not(l.b.Or(others...)))
		next := l.block()
		chosen := l.b.Or(only, l.b.Eq(choice, l.int(int64(i))))
		l.branch(l.b.And(chosen, ready[i]), bodies[i], next)
		l.start(next)
	}
	if byDefault >= 0 {
		l.assume(l.b.And(idle...))
		l.jump(bodies[byDefault])
	} else {
		l.stop()
	}
	l.pushTarget(target{label: label, brk: exit})
	for i, c := range clauses {
		cc := c.(*ast.CommClause)
		l.start(bodies[i])
		switch comm := cc.Comm.(type) {
		case *ast.SendStmt:
			pos := s.Pos() // as the compiler has it
			if cases == 1 {
				pos = comm.Pos()
			}
			l.send(chans[i].Leaves[0], sent[i], pos)
		case *ast.ExprStmt:
			l.receive(chans[i].Leaves[0], chanElem(chans[i]))
		case *ast.AssignStmt:
			v, ok := l.receive(chans[i].Leaves[0], chanElem(chans[i]))
			vals := []Value{v, tuple(types.Typ[types.Bool], ok)}
			l.assignTo(comm.Lhs, comm.Tok == token.DEFINE, vals)
		}
		l.stmts(cc.Body)
		l.jump(exit)
	}
	l.popTarget()
	l.start(exit)
}
