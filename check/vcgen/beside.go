package vcgen

import (
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
)

// Two kinds of calls are followed beside the execution, which goes on without them; of these, only
// the panics count:
//
//	go f(x)      the goroutine, as if it ran at once. Nobody recovers its panics.
//	callbacks    a function literal that is given to code outside of the testee, or stored or
//	             returned. Whether anyone calls it is not known.

// waiting are the functions of the library after which other goroutines may have changed anything.
var waiting = []string{"sync.(*WaitGroup).Wait", "sync.(*Cond).Wait", "time.Sleep"}

// spawn follows a goroutine from state s on.
func (e *executor) spawn(c *ir.Call, key string, args []*logic.Term, s *state) {
	base := e.base
	e.base = len(e.frames)
	e.beside(c, key, args, false, s)
	e.base = base
}

// callback follows a callback from state s on.
func (e *executor) callback(c *ir.Call, args []*logic.Term, s *state) {
	fn := e.subst(c.Fn, s)
	known, others := possibleFuncs(fn)
	if len(known) > maxImplementations {
		return
	}
	for _, id := range known {
		key := e.w.FuncValue(id)
		f := e.w.Func(key)
		if f == nil || !f.Closure { // others are analyzed by themselves
			continue
		}
		way := s.fork()
		if !e.assume(way, e.subst(c.Given, s), "") {
			continue
		}
		if others || len(known) > 1 {
			if !e.assume(way, e.b.Eq(fn, e.b.Const(fn.Sort, uint64(id))), "") {
				continue
			}
		}
		e.beside(c, key, e.withEnv(c, key, args, way), true, way)
	}
}

// beside follows a call in a copy of s, if the budget allows it. uncertain reports whether it is not
// known if the call happens.
func (e *executor) beside(
	c *ir.Call, key string, args []*logic.Term, uncertain bool, s *state,
) {
	f := e.w.Func(key)
	if f == nil || f.Unsupported != "" || e.opt.AbstractLoops || !e.mayInline(c, key, f) {
		return
	}
	before := e.uncertain
	e.uncertain = before || uncertain
	e.inline(c, key, f, args, s.fork())
	e.uncertain = before
}

// waits records that a goroutine waits for others, which may change anything meanwhile.
func (e *executor) waits() {
	if e.base > 0 {
		e.uncertain = true
	}
}

// isWaiting reports whether a function waits for other goroutines.
func isWaiting(key string) bool { return slices.Contains(waiting, key) }
