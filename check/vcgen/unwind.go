package vcgen

import (
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
)

// maxRaised is the number of obligations whose panics are followed into one function's deferred
// calls.
const maxRaised = 150

// frame is a function being executed.
type frame struct {
	f   *ir.Func
	key string
	// path is a hash of the calls that lead here, and calling the place of the one that is being executed; see
	// allocations.
	path, calling uint64
	// byDefer reports whether a defer statement made the call.
	byDefer bool
	// contractViolated reports whether the arguments violate the function's entry invariants.
	contractViolated bool
	// loops are the loops that are being executed, by head.
	loops map[int]*loopState
	// due are the states in which blocks will be executed, by block; live says which locals
	// are read from a block on.
	due  []*state
	live [][]bool
	// args and mem are the arguments and memories at its entry; caller are the locals of its
	// caller.
	args, caller []*logic.Term
	mem          *memories
	// guard is the path condition at its entry.
	guard *pathCond
	// unwinding is the merged state of panics on their way to the deferred calls, nil if there
	// are none; raised are the obligations that they come from.
	unwinding *state
	raised    []*Obligation
}

// handler returns the index of the frame to whose deferred calls a panic goes next; -1 if no
// deferred call of the goroutine may recover, so that the panic ends the program.
func (e *executor) handler() int {
	if !slices.ContainsFunc(e.frames[e.base:], func(f *frame) bool { return f.f.Recovers }) {
		return -1
	}
	for i := len(e.frames) - 1; ; i-- {
		if e.frames[i].f.Unwind != 0 {
			return i
		}
	}
}

// raisePanic sends a panic of the given obligations, in state s, to the deferred calls of frame h.
// value are the scalars of the panic's value, nil for a runtime error.
func (e *executor) raisePanic(h int, obligations []*Obligation, value []*logic.Term, s *state) {
	f := e.frames[h]
	if len(f.raised)+len(obligations) > maxRaised {
		e.drop("recovered panics are followed from %d places", maxRaised)
		return
	}
	t := s.fork()
	if h+1 < len(e.frames) {
		t.locals = append([]*logic.Term(nil), e.frames[h+1].caller...)
	}
	// A panic of a deferred call during another panic is reported where that one happened.
	if u := t.locals[f.f.Unwound.Index]; u != nil {
		for _, o := range obligations {
			o.Path = append(o.Path, e.b.Not(u))
		}
	}
	f.raised = append(f.raised, obligations...)
	if value == nil {
		value = []*logic.Term{e.b.Const(logic.BV(32), logic.TagRuntimeError), e.b.Const(logic.Obj, 0),
			e.b.Const(logic.Slot, 0)}
	}
	for i, v := range f.f.Panic {
		t.locals[v.Index] = value[i]
	}
	if f.unwinding == nil {
		f.unwinding = t
	} else {
		f.unwinding = e.merge(f.unwinding, t, e.w.Live(f.f)[f.f.Unwind])
	}
}

// unwind passes on the panics that the deferred calls of the top frame did not recover from.
func (e *executor) unwind(s *state) {
	top := e.frames[len(e.frames)-1]
	raised := top.raised
	top.raised = nil
	value := make([]*logic.Term, len(top.f.Panic))
	for i, v := range top.f.Panic {
		value[i] = s.locals[v.Index]
	}
	for i, o := range raised {
		n := *o
		n.Path = append([]*logic.Term(nil), o.Path...)
		for g := s.guard; g != nil; g = g.up {
			n.Path = append(n.Path, g.cond)
			if g.used != "" {
				n.Used = append(n.Used, g.used)
			}
		}
		raised[i] = &n
	}
	e.frames = e.frames[:len(e.frames)-1]
	h := e.handler()
	if h >= 0 {
		t := *s
		if h+1 == len(e.frames) {
			t.locals = top.caller
		}
		e.raisePanic(h, raised, value, &t)
	} else {
		e.prog.Obligations = append(e.prog.Obligations, raised...)
	}
	e.frames = append(e.frames, top)
}
