package vcgen

import (
	"dsd/check/ir"
	"dsd/check/logic"
)

// maxRaised is the number of places from which panics are followed into one function's deferred calls.
const maxRaised = 150

// frame is a function being executed.
type frame struct {
	f   *ir.Func
	key string
	// byDefer says that a defer statement's call is being made.
	byDefer bool
	// contractViolated says that the invariants of its entry do not hold of this call.
	contractViolated bool
	loops            map[int]*loopState // by head
	// args and mem are the arguments and memories at its entry, caller the locals of its caller.
	args, mem, caller []*logic.Term
	// unwinding is the state of panics on their way to the deferred calls, nil if there are none, and raised the
	// obligations they come from.
	unwinding *state
	raised    []*Obligation
}

// handler is the frame to whose deferred calls a panic goes next, counted from the outermost; -1 if no deferred call
// may recover, so that the panic is the end.
func (e *executor) handler() int {
	recovers := -1
	for i, f := range e.frames {
		if f.f.Recovers {
			recovers = i
		}
	}
	if recovers < 0 {
		return -1
	}
	for i := len(e.frames) - 1; ; i-- {
		if e.frames[i].f.Unwind != 0 {
			return i
		}
	}
}

// raisePanic sends a panic in state s, of the obligations given, to the deferred calls of frame h. The panic's value is
// that of the scalars, nil for the runtime's own.
func (e *executor) raisePanic(h int, obligations []*Obligation, value []*logic.Term, s *state) {
	f := e.frames[h]
	if len(f.raised)+len(obligations) > maxRaised {
		e.bounded["recovered panics are followed from 150 places"] = true
		return
	}
	t := s.fork()
	if h+1 < len(e.frames) {
		t.locals = append([]*logic.Term(nil), e.frames[h+1].caller...)
	}
	// A panic of a deferred call on top of another panic is reported at the place of that one.
	if u := t.locals[f.f.Unwound.Index]; u != nil {
		for _, o := range obligations {
			o.Path = append(o.Path, e.b.Not(u))
		}
	}
	f.raised = append(f.raised, obligations...)
	if value == nil {
		value = []*logic.Term{e.b.Const(logic.BV(32), logic.TagRuntimeError), e.b.Const(logic.Obj, 0), e.b.Const(logic.Slot, 0)}
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

// unwind goes on with panics that the deferred calls of the frame on top did not recover from.
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
