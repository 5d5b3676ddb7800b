package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// elementOrder is the template that compares all elements of a sequence with a variable:
// forall(i, list[i] < n).
type elementOrder struct {
	seq, v int   // columns
	order  uint8 // the orders of an element and the variable that were seen
	// n counts the samples, rows the different ones, in which the sequence had elements.
	n, rows int64
}

// maxElementOrders is the limit of such templates per point.
const maxElementOrders = 128

// newElementOrders pairs each sequence of numbers with the variables that its elements are
// comparable with. It leaves out variables that are derived from sequences.
func newElementOrders(p *Point) (out []*elementOrder) {
	for i, s := range p.decl.Vars {
		rep := elementReps[s.Rep]
		if k := kindOf(rep); k != integer && k != float {
			continue
		}
		element := schemas.TraceVar{Type: strings.TrimPrefix(s.Type, "[]"), Rep: rep}
		of, _ := comparisonGroup(Variable{TraceVar: element, Group: s.Group})
		for j, v := range p.decl.Vars {
			if p.groups[j] != of || p.entryOnly(i) && p.entryOnly(j) {
				continue
			}
			isDerived := v.Exists != nil || strings.ContainsAny(v.Name, "[+-") ||
				strings.HasPrefix(v.Name, "sum(") || strings.Contains(v.Name, "("+s.Name+")")
			if isDerived {
				continue
			}
			if out = append(out, &elementOrder{seq: i, v: j}); len(out) == maxElementOrders {
				return out
			}
		}
	}
	return out
}

// learn updates the template with a batch. A value without a place in the order refutes it.
func (e *elementOrder) learn(b *batch) {
	if e.order == isAny {
		return
	}
	list, v := &b.columns[e.seq], &b.columns[e.v]
	for row := range b.n {
		if row >= len(list.items) || len(list.items[row].code) == 0 ||
			!list.present(row) || list.isUnrepresentable(row) || !v.present(row) {
			continue
		}
		it := &list.items[row]
		if v.isUnrepresentable(row) || len(it.unrepresentable) > 0 {
			e.order = isAny
			return
		}
		for _, x := range it.code {
			e.order |= order(x, v.code[row])
		}
		e.n += b.counts[row]
		e.rows += 1
	}
}

// emit emits the instance, unless the variable is constant: then the template element-bound states
// the order.
func (e *elementOrder) emit(p *Point, add adder) {
	op, ok := orderSigns[e.order]
	if e.order == isEqual {
		op, ok = "==", true
	}
	if !ok || p.columns[p.leader(e.v)].constant() {
		return
	}
	s, v := p.view(e.seq), p.view(e.v)
	i := s.sequence.i
	cond := &expr.Forall{Var: i, Body: expr.Op(op, expr.At(s.variable(), i), v.variable())}
	add("element-order", []string{op}, cond, confidenceOf(0.5, e.rows), e.n, s, v)
}
