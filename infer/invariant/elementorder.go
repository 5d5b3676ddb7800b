package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// elementOrder is the template of a variable that all elements of a sequence relate to alike: forall(i, list[i] < n).
type elementOrder struct {
	seq, v int   // the columns
	order  uint8 // of the elements and the variable, as seen
	// n counts the samples, rows the different ones, in which there were elements.
	n, rows int64
}

// maxElementOrders is how many a point has.
const maxElementOrders = 128

// elementOrders are those of the sequences of a point and the numbers that their elements are comparable with. What is derived from the sequence
// itself is not among them.
func newElementOrders(p *Point) (out []*elementOrder) {
	for i, s := range p.decl.Vars {
		rep := elementReps[s.Rep]
		if k := kinds[rep]; k != integer && k != float {
			continue
		}
		of, _ := comparisonGroup(Variable{TraceVar: schemas.TraceVar{Type: strings.TrimPrefix(s.Type, "[]"), Rep: rep}, Group: s.Group})
		for j, v := range p.decl.Vars {
			if p.groups[j] != of || strings.ContainsAny(v.Name, "[+-") || strings.HasPrefix(v.Name, "sum(") || v.Exists != nil || strings.Contains(v.Name, "("+s.Name+")") ||
				p.entryOnly(i) && p.entryOnly(j) {
				continue
			}
			if out = append(out, &elementOrder{seq: i, v: j}); len(out) == maxElementOrders {
				return out
			}
		}
	}
	return out
}

func (e *elementOrder) learn(b *batch) {
	if e.order == isAny {
		return
	}
	list, v := &b.columns[e.seq], &b.columns[e.v]
	for row := range b.n {
		if row >= len(list.items) || !list.present(row) || list.isUnrepresentable(row) || !v.present(row) || len(list.items[row].code) == 0 {
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

// elementSigns are the comparisons that are told.
var elementSigns = map[uint8]string{isLess: "<", isLess | isEqual: "<=", isEqual: "==", isGreater: ">", isGreater | isEqual: ">="}

// emit instantiates the template; of a constant the bounds of the elements say it.
func (e *elementOrder) emit(p *Point, add adder) {
	op, ok := elementSigns[e.order]
	if !ok || p.columns[p.leader(e.v)].constant() {
		return
	}
	s, v := p.view(e.seq), p.view(e.v)
	i := s.sequence.i
	add("element-order", []string{op}, &expr.Forall{Var: i, Body: expr.Op(op, expr.At(s.variable(), i), v.variable())}, confidenceOf(0.5, e.rows), e.n, s, v)
}
