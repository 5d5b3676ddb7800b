package logic

// Depends reports whether the values of any of the terms may change if variables and memories for
// which open reports true get other values than in the model. The terms in axioms are true, whatever
// the values are. Of a condition, only the parts count that decide it under the model. The cost is
// linear in the size of the terms.
func (m *Model) Depends(list []*Term, open func(*Var) bool, axioms map[*Term]bool) bool {
	d := &dependence{
		evaluation{m, map[*Term]uint64{}}, open, axioms, map[*Term]bool{},
	}
	for _, t := range list {
		if d.depends(t) {
			return true
		}
	}
	return false
}

type dependence struct {
	evaluation
	open   func(*Var) bool
	axioms map[*Term]bool
	known  map[*Term]bool // what depends has computed
}

func (d *dependence) depends(t *Term) bool {
	if t.Op == OpConst || d.axioms[t] {
		return false
	}
	if is, ok := d.known[t]; ok {
		return is
	}
	is := d.parts(t)
	d.known[t] = is
	return is
}

func (d *dependence) parts(t *Term) bool {
	switch t.Op {
	case OpVar:
		return d.open(t.Var)
	case OpSelect:
		if d.open(t.Var) {
			return true
		}
	case OpIte:
		chosen := t.Args[2]
		if d.eval(t.Args[0]) == 1 {
			chosen = t.Args[1]
		}
		return d.depends(t.Args[0]) || d.depends(chosen)
	case OpAnd, OpOr:
		decisive := uint64(0) // one operand with that value is enough
		if t.Op == OpOr {
			decisive = 1
		}
		for _, a := range t.Args {
			if !d.axioms[a] && d.eval(a) == decisive && !d.depends(a) {
				return false
			}
		}
	}
	for _, a := range t.Args {
		if d.depends(a) {
			return true
		}
	}
	return false
}
