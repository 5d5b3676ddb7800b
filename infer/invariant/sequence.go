package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// sequenceSummary is what is known of a variable that is a sequence.
type sequenceSummary struct {
	// all is the summary of all elements of all sequences; i is what their index is called.
	all *column
	i   string
	// steps are the orders of neighbours seen, and index those of an element and its index.
	neighborOrders, indexOrders uint8
	// repeats says that two elements of a sequence were equal. telling counts the sequences of two elements or more.
	repeats     bool
	informative int64
	indexed     int64    // elements compared with their index
	first       []string // the elements of one that has some, as literals
}

func newSequenceSummary(v Variable, i string) *sequenceSummary {
	return &sequenceSummary{all: newColumn(element(v, i), i), i: i}
}

// element is a sequence's at the index i.
func element(v Variable, i string) Variable {
	return Variable{TraceVar: schemas.TraceVar{Name: v.Name + "[" + i + "]", Rep: elementReps[v.Rep]}, Address: v.Address}
}

// as is the summary of another variable, whose elements have the values' room in common with this one's.
func (s *sequenceSummary) as(v Variable) *sequenceSummary {
	t := *s
	t.all = s.all.viewAs(element(v, s.i))
	return &t
}

// add takes in a batch of sequences.
func (s *sequenceSummary) add(v *vector, b *batch) {
	flat := &batch{}
	col := vector{}
	for i, it := range v.items {
		if !v.present(i) {
			continue
		}
		if s.first == nil && s.all.kind != ref {
			for j, x := range it.code {
				if j < len(it.texts) {
					s.first = append(s.first, it.texts[j])
				} else {
					s.first = append(s.first, s.all.literal(x))
				}
			}
		}
		for j, x := range it.code {
			flat.n++
			flat.counts = append(flat.counts, b.counts[i])
			flat.samples += b.counts[i]
			col.code = append(col.code, x)
			if j < len(it.unrepresentable) && it.unrepresentable[j] || len(col.unrepresentable) > 0 {
				col.unrepresentable = setFlag(col.unrepresentable, flat.n-1, j < len(it.unrepresentable) && it.unrepresentable[j])
			}
			if j < len(it.texts) {
				col.texts = append(col.texts, it.texts[j])
			}
			s.indexOrders |= order(x, int64(j))
		}
		s.indexed += int64(len(it.code))
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

// goType is how the type of a sequence is written in a literal.
func goType(v Variable) string {
	if strings.HasPrefix(v.Type, "[]") {
		return v.Type
	}
	return "[]" + string(elementReps[v.Rep])
}

func order(x, y int64) uint8 {
	switch {
	case x < y:
		return isLess
	case x == y:
		return isEqual
	}
	return isGreater
}

// elementTemplates are what the templates over one variable are called where it is every element of a sequence.
var elementTemplates = map[string]string{"non-nil": "element-non-nil", "always-nil": "element-always-nil", "constant": "element-one-of", "one-of": "element-one-of",
	"same-object": "same-object", "lower-bound": "element-bound", "upper-bound": "element-bound", "non-zero": "element-bound"}

// emit instantiates the templates over one sequence.
func (s *sequenceSummary) emit(c *column, least float64, emit emitter) {
	x := c.variable()
	if c.unrepresentable {
		return
	}
	s.all.unary(least, func(template string, params []string, cond expr.Expr, confidence float64) {
		if name, ok := elementTemplates[template]; ok {
			emit(name, params, &expr.Forall{Var: s.i, Body: cond}, confidence)
		}
	})
	if s.all.constant() || !s.all.ordered() {
		if !s.repeats && !s.all.constant() && s.all.kind != boolean {
			emit("no-duplicates", nil, expr.Apply("distinct", x), confidenceOf(0.5, s.informative))
		}
		return
	}
	signs := map[uint8]string{isLess: "<", isLess | isEqual: "<=", isGreater: ">", isGreater | isEqual: ">="}
	if op, ok := signs[s.neighborOrders]; ok {
		emit("sorted", []string{op}, &expr.Forall{Var: s.i, Body: expr.Op(op, expr.At(x, s.i), expr.Next(x, s.i))}, confidenceOf(0.5, s.informative))
	}
	if !s.repeats && s.neighborOrders&isEqual == 0 && s.neighborOrders != isLess && s.neighborOrders != isGreater {
		emit("no-duplicates", nil, expr.Apply("distinct", x), confidenceOf(0.5, s.informative))
	}
	signs[isEqual] = "=="
	if op, ok := signs[s.indexOrders]; ok && !s.all.unrepresentable && s.all.kind == integer {
		emit("index", []string{op}, &expr.Forall{Var: s.i, Body: expr.Op(op, expr.At(x, s.i), expr.Var(s.i))}, confidenceOf(0.5, s.informative))
	}
}
