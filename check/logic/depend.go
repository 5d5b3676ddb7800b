package logic

import "maps"

// Depends returns the open variables and memories that the values of the terms depend on under the
// model; open reports which are. Terms in axioms are true whatever the values are. Of a condition, only
// the parts that decide it count. The cost is at most the size of the terms times the number of
// variables returned.
func (m *Model) Depends(list []*Term, open func(*Var) bool, axioms map[*Term]bool) map[*Var]bool {
	d := &dependence{evaluation{m, map[*Term]uint64{}}, open, axioms, map[*Term]map[*Var]bool{}}
	return d.all(list)
}

// dependence computes what terms that share parts depend on.
type dependence struct {
	evaluation
	open   func(*Var) bool
	axioms map[*Term]bool
	known  map[*Term]map[*Var]bool // what of has computed
}

// of returns what a term depends on.
func (d *dependence) of(t *Term) map[*Var]bool {
	if t.Op == OpConst || d.axioms[t] {
		return nil
	}
	if vars, ok := d.known[t]; ok {
		return vars
	}
	vars := d.parts(t)
	d.known[t] = vars
	return vars
}

// all returns what any of the terms depends on.
func (d *dependence) all(list []*Term) map[*Var]bool {
	var out map[*Var]bool
	shared := true // out is that of one term
	for _, t := range list {
		vars := d.of(t)
		switch {
		case len(vars) == 0:
			continue
		case out == nil:
			out = vars
			continue
		case shared:
			out, shared = maps.Clone(out), false
		}
		maps.Copy(out, vars)
	}
	return out
}

// parts returns what a term depends on through its operands.
func (d *dependence) parts(t *Term) map[*Var]bool {
	switch t.Op {
	case OpVar, OpSelect:
		if d.open(t.Var) {
			return map[*Var]bool{t.Var: true}
		}
	case OpIte:
		chosen := t.Args[2]
		if d.eval(t.Args[0]) == 1 {
			chosen = t.Args[1]
		}
		return d.all([]*Term{t.Args[0], chosen})
	case OpAnd, OpOr:
		decisive := uint64(0) // one operand with that value is enough
		if t.Op == OpOr {
			decisive = 1
		}
		for _, a := range t.Args {
			if !d.axioms[a] && d.eval(a) == decisive && len(d.of(a)) == 0 {
				return nil
			}
		}
	}
	return d.all(t.Args)
}
