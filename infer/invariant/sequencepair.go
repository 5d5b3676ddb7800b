package invariant

import (
	"slices"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// between is the summary of two sequences, or of a scalar and a sequence: few enough to have one for each pair.
type sequencePair struct {
	a, b   int // columns; b is a sequence
	scalar bool
	// refuted are the templates below that were, two bits each for sequences: a with b and b with a.
	refuted uint16
	// steps are the orders of elements at the same index.
	elementOrders uint8
	// n counts the samples, rows the different ones in which there was something to be refuted.
	n, rows int64
}

// betweens are the templates over two sequences: bits of between.refuted.
const (
	isMember = iota
	isSubset
	_
	isSubsequence
	_
	isReverse
	isElementwise
	allSequenceRelations = 1<<(isElementwise+1) - 1
)

// newBetweens are those of a point.
func newSequencePairs(p *Point) []*sequencePair {
	var out []*sequencePair
	for j, s := range p.decl.Vars {
		if kinds[s.Rep] != sequence {
			continue
		}
		for i, v := range p.decl.Vars {
			switch {
			case kinds[v.Rep] == sequence && i < j && p.groups[i] == p.groups[j]:
				out = append(out, &sequencePair{a: i, b: j, refuted: 1 << isMember})
			case v.Rep == elementReps[s.Rep] && v.Exists == nil && (v.Type == strings.TrimPrefix(s.Type, "[]") || v.Group != "" && v.Group == s.Group) && v.Rep != schemas.RepBool && v.Rep != schemas.RepRef:
				out = append(out, &sequencePair{a: i, b: j, scalar: true, refuted: allSequenceRelations &^ (1 << isMember)})
			}
		}
	}
	return out
}

// add takes in a batch.
func (t *sequencePair) add(b *batch) {
	x, y := &b.columns[t.a], &b.columns[t.b]
	if len(x.unrepresentable)+len(y.unrepresentable) > 0 && (slices.Contains(x.unrepresentable, true) || slices.Contains(y.unrepresentable, true)) {
		t.refuted = allSequenceRelations
	}
	for r := range b.n {
		if t.refuted == allSequenceRelations {
			return
		}
		if !x.present(r) || !y.present(r) || r >= len(y.items) {
			continue
		}
		t.n += b.counts[r]
		list := y.items[r].code
		if t.scalar {
			t.refute(isMember, slices.Contains(list, x.code[r]))
			t.rows++
			continue
		}
		other := x.items[r].code
		if len(list) > 1 && len(other) > 1 {
			t.rows++
		}
		t.refuteSequences(other, list)
	}
}

func (t *sequencePair) refute(bit int, holds bool) {
	if !holds {
		t.refuted |= 1 << bit
	}
}

// holds says that a template was not refuted.
func (t *sequencePair) holds(bit int) bool { return t.refuted&(1<<bit) == 0 }

func (t *sequencePair) refuteSequences(a, b []int64) {
	for k, pair := range [2][2][]int64{{a, b}, {b, a}} {
		if t.holds(isSubset + k) {
			t.refute(isSubset+k, expr.Subset(pair[0], pair[1]))
		}
		if t.holds(isSubsequence + k) {
			t.refute(isSubsequence+k, expr.Subsequence(pair[0], pair[1]))
		}
	}
	if t.holds(isReverse) {
		t.refute(isReverse, expr.Reverse(a, b))
	}
	if t.holds(isElementwise) {
		t.refute(isElementwise, len(a) == len(b))
		for i := range min(len(a), len(b)) {
			t.elementOrders |= order(a[i], b[i])
		}
		t.refute(isElementwise, t.elementOrders != isAny)
	}
}

// emit instantiates the templates.
func (t *sequencePair) emit(p *Point, a, b *column, emit pairEmitter) {
	confidence := confidenceOf(0.5, t.rows)
	x, y := a.variable(), b.variable()
	if t.rows == 0 || t.refuted == allSequenceRelations {
		return
	}
	if t.scalar {
		if !strings.Contains(a.v.Name, b.v.Name+"[") && !a.constant() {
			emit("member", a, b, nil, expr.Apply("contains", y, x), confidence)
		}
		return
	}
	signs := map[uint8]string{isLess: "<", isLess | isEqual: "<=", isGreater: ">", isGreater | isEqual: ">=", isLess | isGreater: "!="}
	switch {
	case t.holds(isReverse):
		emit("reverse", a, b, nil, expr.Apply("reverse", x, y), confidence)
	case t.holds(isSubsequence):
		emit("subsequence", a, b, nil, expr.Apply("subsequence", x, y), confidence)
	case t.holds(isSubsequence + 1):
		emit("subsequence", b, a, nil, expr.Apply("subsequence", y, x), confidence)
	case t.holds(isSubset):
		emit("subset", a, b, nil, expr.Apply("subset", x, y), confidence)
	case t.holds(isSubset + 1):
		emit("subset", b, a, nil, expr.Apply("subset", y, x), confidence)
	}
	if op, ok := signs[t.elementOrders]; ok && t.holds(isElementwise) && a.sequence.all.ordered() && b.sequence.all.ordered() {
		i := a.sequence.i
		emit("elementwise", a, b, []string{op}, &expr.Forall{Var: i, Body: expr.Op(op, expr.At(x, i), expr.At(y, i))}, confidence)
	}
}
