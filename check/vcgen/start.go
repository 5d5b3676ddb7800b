package vcgen

import (
	"maps"

	"dsd/check/logic"
)

// Start is the state in which the execution of a function begins: the contents of memory after the
// initialization of the package-level variables that it may read.
type Start struct {
	mem   *memories
	guard *pathCond
	// allocs are the objects of the initialization.
	allocs *allocations
	// terms is the number of terms that were there before. They do not count as work.
	terms int
	// opens, invented and axioms are Program.Havoced, Invented and Axioms of the initialization.
	opens    []HavocedCall
	invented map[*logic.Var]string
	axioms   map[*logic.Term]bool
}

// Begin computes the start of the function named key from initial memories mems, which are ordered
// by Index. Every term is made by b.
func Begin(w World, key string, b *logic.Builder, mems []*logic.Var, opt Options) *Start {
	b.Literals = w.Literals()
	st := &state{mem: newMemories(b, mems)}
	out := &Start{mem: st.mem, terms: b.Size(), allocs: newAllocations(), invented: map[*logic.Var]string{},
		axioms: map[*logic.Term]bool{}}
	inits, notNil := w.Initials(key)
	for _, t := range notNil {
		if v := (&executor{w: w, b: b}).subst(t, st); !v.IsTrue() {
			st.guard = st.guard.push(b.Not(b.Eq(v, b.Const(v.Sort, 0))), "")
		}
	}
	out.guard = st.guard
	for _, init := range inits {
		out.run(w, init, b, opt)
	}
	out.mem.forget(logic.RoleUnset) // what is known of channels may not hold any more
	return out
}

// run executes one initialization. One that panics, is bounded or grows too large is left out: what it
// writes may have any value.
func (s *Start) run(w World, init string, b *logic.Builder, opt Options) {
	e := newExecutor(w, b, opt, &Start{allocs: s.allocs, terms: s.terms, axioms: s.axioms})
	st := &state{mem: s.mem.copy(), guard: s.guard}
	done := false
	e.withTermBudget(opt.MaxTerms/4, func() {
		_, out := e.function(init, false, nil, st)
		if done = out != nil; done {
			st = out
		}
	})
	s.allocs = e.allocs
	if done && len(e.bounded) == 0 {
		s.mem, s.guard = st.mem, st.guard
		s.opens = append(s.opens, e.prog.Havoced...)
		maps.Copy(s.invented, e.prog.Invented)
		maps.Copy(s.axioms, e.prog.Axioms)
		return
	}
	for _, m := range w.Effects(init) {
		if s.mem.get(m.Index).Op != logic.OpVar { // an earlier one determined it
			fresh := logic.Fresh([]*logic.Var{m})[0]
			s.mem.set(m.Index, b.Var(fresh))
			s.invented[fresh] = "what " + init + " sets"
		}
	}
}
