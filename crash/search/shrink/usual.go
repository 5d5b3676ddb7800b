package shrink

import (
	"cmp"
	"go/types"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
	"dsd/crash/search/program"
)

// A search finds a crash with whatever it drew, and shrinking prefers what is short: an object that is written by
// hand to one that a constructor returns, a nil to any other value. People ask of a crash whether they would
// have written that.

// Limits of Usual.
const (
	maxConstructors = 4  // that are tried for one object
	maxUsual        = 40 // candidates that are tried in all
)

// Usual returns a candidate like p in which, as far as the predicate holds, constructors of the package make what p
// writes by hand, and no value is nil. So a nil that is left has a part in the crash. It does not change p.
func Usual(p candidate.Program, cfg Config) candidate.Program {
	u := &usual{table: cfg.Table, cfg: cfg, best: p}
	u.findMakers()
	u.each(u.fillAny)
	u.each(u.construct)
	return u.best
}

// usual is the work of Usual.
type usual struct {
	table []*candidate.Op
	cfg   Config
	best  candidate.Program
	tried int

	// By type: the operation that makes a simple value, the constructors of the package's own types and the functions
	// that return other ones, and the operation that converts an integer.
	simple       map[string]int
	constructors map[string][]int
	functions    map[string][]int
	converts     map[string]int
	integer      int // the operation of int literals, or -1
}

// findMakers finds the operations that make values.
func (u *usual) findMakers() {
	u.simple, u.converts, u.integer = map[string]int{}, map[string]int{}, -1
	u.constructors, u.functions = map[string][]int{}, map[string][]int{}
	literal := map[string]bool{}
	for i, o := range u.table {
		if len(o.Out) == 0 || o.Internal {
			continue
		}
		k := paramgraph.Key(o.Out[0])
		switch {
		case o.Lit:
			u.simple[k], literal[k] = i, true
			if o.Out[0] == types.Typ[types.Int] {
				u.integer = i
			}
		case o.Func != nil && !o.OnFirst && o.Func.Pkg() == u.cfg.Pkg && u.own(o.Out[0]):
			u.constructors[k] = append(u.constructors[k], i)
		case o.Func != nil && !o.OnFirst && !u.own(o.Out[0]):
			u.functions[k] = append(u.functions[k], i)
		case o.Pure && len(o.In) == 0 && len(o.Out) == 1 && !paramgraph.IsNil(o) && !literal[k]:
			if _, ok := u.simple[k]; !ok {
				u.simple[k] = i
			}
		case o.Converts && len(o.In) == 1 && o.In[0] == types.Typ[types.Int]:
			u.converts[k] = i
		}
	}
	for _, lists := range []map[string][]int{u.constructors, u.functions} {
		for _, list := range lists {
			slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(len(u.table[a].In), len(u.table[b].In)) })
		}
	}
}

// own reports whether t is a struct type of the package under test, or a pointer to one.
func (u *usual) own(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != u.cfg.Pkg {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

// each lets replace try all statements of a kind together, and then one by one.
func (u *usual) each(replace func(p candidate.Program, i, choice int) (candidate.Program, bool)) {
	for choice := range maxConstructors {
		all, any := u.best, false
		for i := len(all) - 1; i >= 0; i-- {
			if q, ok := replace(all, i, choice); ok {
				all, any = q, true
			}
		}
		if !any || u.try(all) {
			break
		}
	}
	for i := len(u.best) - 1; i >= 0; i-- { // what is inserted comes before i
		for choice := range maxConstructors {
			if q, ok := replace(u.best, i, choice); !ok || u.try(q) {
				break
			}
		}
	}
}

// try makes p the best candidate if the predicate holds for it.
func (u *usual) try(p candidate.Program) bool {
	if u.tried == maxUsual || u.cfg.Stop != nil && u.cfg.Stop() {
		return false
	}
	u.tried++
	if !u.cfg.Pred(p) {
		return false
	}
	u.best = p
	return true
}

// fillAny replaces a nil that is passed where any value is accepted by 0. There is one choice.
func (u *usual) fillAny(p candidate.Program, i, choice int) (candidate.Program, bool) {
	o := u.table[p[i].Op]
	if choice > 0 || !o.Nil || len(o.Out) != 1 || u.integer < 0 {
		return nil, false
	}
	convert, ok := u.converts[paramgraph.Key(o.Out[0])]
	if !ok {
		return nil, false
	}
	at := program.FirstResult(p, i, u.table)
	return u.splice(p, i, []candidate.Stmt{{Op: u.integer}, {Op: convert, Args: []int{at}}}), true
}

// construct replaces an object that is written by hand, or a nil, by what a constructor or another function returns.
func (u *usual) construct(p candidate.Program, i, choice int) (candidate.Program, bool) {
	o := u.table[p[i].Op]
	if o.Func != nil || o.Lit || !o.Pure || len(o.Out) != 1 {
		return nil, false
	}
	list := u.constructors[paramgraph.Key(o.Out[0])]
	if o.Nil && !u.own(o.Out[0]) {
		list = u.functions[paramgraph.Key(o.Out[0])]
	}
	if choice >= len(list) {
		return nil, false
	}
	c := u.table[list[choice]]
	in := c.In
	if c.Variadic {
		in = in[:len(in)-1]
	}
	at := program.FirstResult(p, i, u.table)
	call := candidate.Stmt{Op: list[choice]}
	var made []candidate.Stmt
	for _, t := range in {
		op, ok := u.simple[paramgraph.Key(t)]
		if convert, isAny := u.converts[paramgraph.Key(t)]; !ok && isAny && u.integer >= 0 {
			made = append(made, candidate.Stmt{Op: u.integer}, candidate.Stmt{Op: convert, Args: []int{at}})
			at++
		} else if ok {
			made = append(made, candidate.Stmt{Op: op})
		} else {
			return u.construct(p, i, choice+1)
		}
		call.Args = append(call.Args, at)
		at++
	}
	return u.splice(p, i, append(made, call)), true
}

// splice replaces the i-th statement, which has one result, by statements of which the last one's first result
// takes its place.
func (u *usual) splice(p candidate.Program, i int, by []candidate.Stmt) candidate.Program {
	old := program.FirstResult(p, i, u.table)
	b := program.Extend(p[:i], u.table)
	at := old
	for _, st := range by {
		at = b.Add(st)
	}
	for _, st := range p[i+1:] {
		args := slices.Clone(st.Args)
		for j, a := range args {
			switch {
			case a == old:
				args[j] = at
			case a > old:
				args[j] += b.Results - old - 1
			}
		}
		st.Args = args
		b.Program = append(b.Program, st)
	}
	return b.Program
}
