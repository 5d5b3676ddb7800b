package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// sequenceSummary is the part of a column that summarizes the elements of a sequence variable.
type sequenceSummary struct {
	// all summarizes all elements of all sequences. i is the name of their index in conditions.
	all *column
	i   string
	// neighborOrders holds the orders of neighbors that were seen, and indexOrders those of an
	// element and its index: isLess, isEqual, isGreater.
	neighborOrders, indexOrders uint8
	// repeats is set once two elements of a sequence were equal. informative counts the
	// sequences of at least two elements.
	repeats     bool
	informative int64
	first       []string // the literals of the first sequence that is not empty
}

func newSequenceSummary(v Variable, i string) *sequenceSummary {
	return &sequenceSummary{all: newColumn(elementOf(v, i), i), i: i}
}

// elementOf returns the element of a sequence at index i as a variable.
func elementOf(v Variable, i string) Variable {
	t := schemas.TraceVar{Name: v.Name + "[" + i + "]", Rep: elementReps[v.Rep]}
	return Variable{TraceVar: t, Address: v.Address}
}

// viewAs returns the summary under the name of another variable. The two share their memory.
func (s *sequenceSummary) viewAs(v Variable) *sequenceSummary {
	t := *s
	t.all = s.all.viewAs(elementOf(v, s.i))
	return &t
}

// add updates the summary with the sequences v of the batch b.
func (s *sequenceSummary) add(v *vector, b *batch) {
	flat := &batch{} // of all elements, each a sample
	col := vector{}
	for i, it := range v.items {
		if !v.present(i) {
			continue
		}
		if s.first == nil && s.all.kind != ref {
			s.first = s.literals(&it)
		}
		for j, x := range it.code {
			flat.n++
			flat.counts = append(flat.counts, b.counts[i])
			flat.samples += b.counts[i]
			col.code = append(col.code, x)
			bad := j < len(it.unrepresentable) && it.unrepresentable[j]
			if bad || len(col.unrepresentable) > 0 {
				col.unrepresentable = setFlag(col.unrepresentable, flat.n-1, bad)
			}
			if j < len(it.texts) {
				col.texts = append(col.texts, it.texts[j])
			}
			s.indexOrders |= order(x, int64(j))
		}
		if len(it.code) < 2 {
			continue
		}
		s.informative++
		for j := 1; j < len(it.code) && s.neighborOrders != isAny; j++ {
			s.neighborOrders |= order(it.code[j-1], it.code[j])
		}
		s.repeats = s.repeats || !expr.Distinct(it.code)
	}
	if flat.n > 0 {
		s.all.add(&col, flat)
	}
}

// literals returns the literals of the elements of one sequence.
func (s *sequenceSummary) literals(it *items) (list []string) {
	for j, x := range it.code {
		if j < len(it.texts) {
			list = append(list, it.texts[j])
		} else {
			list = append(list, s.all.literal(x))
		}
	}
	return list
}

// goType returns the type of a sequence literal.
func goType(v Variable) string {
	if strings.HasPrefix(v.Type, "[]") {
		return v.Type
	}
	return "[]" + string(elementReps[v.Rep])
}

// order returns isLess, isEqual or isGreater.
func order(x, y int64) uint8 {
	switch {
	case x < y:
		return isLess
	case x == y:
		return isEqual
	}
	return isGreater
}

// elementTemplates maps templates over one variable to their names as templates over all elements
// of a sequence.
var elementTemplates = map[string]string{
	"non-nil":     "element-non-nil",
	"always-nil":  "element-always-nil",
	"constant":    "element-one-of",
	"one-of":      "element-one-of",
	"same-object": "same-object",
	"lower-bound": "element-bound",
	"upper-bound": "element-bound",
	"non-zero":    "element-bound",
}

// orderSigns maps the orders that were seen to the comparison that always held.
var orderSigns = map[uint8]string{
	isLess: "<", isLess | isEqual: "<=", isGreater: ">", isGreater | isEqual: ">=",
}

// emit emits the instances of the templates over one sequence. The template sorted states the order
// of neighbors; where it is strict, it implies no-duplicates.
func (s *sequenceSummary) emit(c *column, least float64, emit emitter) {
	if c.unrepresentable {
		return
	}
	s.all.emitUnary(least, func(template string, params []string, cond expr.Expr, confidence float64) {
		if name, ok := elementTemplates[template]; ok {
			emit(name, params, &expr.Forall{Var: s.i, Body: cond}, confidence)
		}
	})
	x, confidence := c.variable(), confidenceOf(0.5, s.informative)
	if s.all.constant() || !s.all.ordered() {
		if !s.repeats && !s.all.constant() && s.all.kind != boolean {
			emit("no-duplicates", nil, expr.Apply("distinct", x), confidence)
		}
		return
	}
	if op, ok := orderSigns[s.neighborOrders]; ok {
		body := expr.Op(op, expr.At(x, s.i), expr.Next(x, s.i))
		emit("sorted", []string{op}, &expr.Forall{Var: s.i, Body: body}, confidence)
	}
	strict := s.neighborOrders == isLess || s.neighborOrders == isGreater
	if !s.repeats && s.neighborOrders&isEqual == 0 && !strict {
		emit("no-duplicates", nil, expr.Apply("distinct", x), confidence)
	}
	op, ok := orderSigns[s.indexOrders]
	if s.indexOrders == isEqual {
		op, ok = "==", true
	}
	if ok && !s.all.unrepresentable && s.all.kind == integer {
		body := expr.Op(op, expr.At(x, s.i), expr.Var(s.i))
		emit("index", []string{op}, &expr.Forall{Var: s.i, Body: body}, confidence)
	}
}
