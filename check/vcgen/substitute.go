package vcgen

import "dsd/check/logic"

// subst replaces the variables of a command's term by their values in s.
func (e *executor) subst(t *logic.Term, s *state) *logic.Term { return e.substOld(t, s, nil) }

// substOld is subst, with the contents old for the memories marked Old.
func (e *executor) substOld(t *logic.Term, s *state, old *memories) *logic.Term {
	return (&substitution{e, s, old, map[*logic.Term]*logic.Term{}}).term(t)
}

// substitution substitutes into terms that share subterms: each is substituted into once.
type substitution struct {
	e    *executor
	s    *state
	old  *memories
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
		return u.e.b.Const(t.Sort, 0) // never assigned on this path, so never used

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
		return u.old.get(v.Index)
	}
	return u.s.mem.get(v.Index)
}
