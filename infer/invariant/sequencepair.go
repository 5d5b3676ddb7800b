package invariant

import (
	"slices"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// sequencePair is the summary of two sequences, or of a scalar and a sequence. Points have so few
// sequences that every pair has a summary.
type sequencePair struct {
	a, b   int // columns; b is a sequence
	scalar bool
	// refuted is the set of templates below that a sample contradicted.
	refuted uint16
	// orders holds the orders of elements at the same index that were seen.
	orders uint8
	// n counts the samples in which both existed, rows the different ones that could have
	// refuted a template.
	n, rows int64
}

// The templates over a pair, as bits of sequencePair.refuted. A subset and a subsequence have two
// bits each: a in b, then b in a.
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

// newSequencePairs returns the pairs of a point: comparable sequences, and sequences with scalars
// of the type of their elements.
func newSequencePairs(p *Point) []*sequencePair {
	var out []*sequencePair
	for j, s := range p.decl.Vars {
		if kindOf(s.Rep) != sequence {
			continue
		}
		for i, v := range p.decl.Vars {
			switch {
			case kindOf(v.Rep) == sequence && i < j && p.groups[i] == p.groups[j]:
				out = append(out, &sequencePair{a: i, b: j, refuted: 1 << isMember})
			case isMemberCandidate(&v, &s):
				refuted := uint16(allSequenceRelations &^ (1 << isMember))
				out = append(out, &sequencePair{a: i, b: j, scalar: true, refuted: refuted})
			}
		}
	}
	return out
}

// isMemberCandidate reports whether v is tested for membership in the sequence s. Bools and
// references are not.
func isMemberCandidate(v, s *Variable) bool {
	if v.Rep != elementReps[s.Rep] || v.Exists != nil {
		return false
	}
	if v.Rep == schemas.RepBool || v.Rep == schemas.RepRef {
		return false
	}
	return v.Type == strings.TrimPrefix(s.Type, "[]") || v.Group != "" && v.Group == s.Group
}

// add updates the summary with a batch.
func (t *sequencePair) add(b *batch) {
	x, y := &b.columns[t.a], &b.columns[t.b]
	if slices.Contains(x.unrepresentable, true) || slices.Contains(y.unrepresentable, true) {
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
			t.require(isMember, slices.Contains(list, x.code[r]))
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

// require refutes a template unless it holds in a sample.
func (t *sequencePair) require(bit int, holds bool) {
	if !holds {
		t.refuted |= 1 << bit
	}
}

// holds reports whether no sample refuted a template.
func (t *sequencePair) holds(bit int) bool { return t.refuted&(1<<bit) == 0 }

// refuteSequences refutes the templates that do not hold for the elements of a and b.
func (t *sequencePair) refuteSequences(a, b []int64) {
	for k, pair := range [2][2][]int64{{a, b}, {b, a}} {
		if t.holds(isSubset + k) {
			t.require(isSubset+k, expr.Subset(pair[0], pair[1]))
		}
		if t.holds(isSubsequence + k) {
			t.require(isSubsequence+k, expr.Subsequence(pair[0], pair[1]))
		}
	}
	if t.holds(isReverse) {
		t.require(isReverse, expr.Reverse(a, b))
	}
	if t.holds(isElementwise) {
		t.require(isElementwise, len(a) == len(b))
		for i := range min(len(a), len(b)) {
			t.orders |= order(a[i], b[i])
		}
		t.require(isElementwise, t.orders != isAny)
	}
}

// emit emits the instances for the views a and b of the pair. Only the strongest of reverse,
// subsequence and subset is emitted.
func (t *sequencePair) emit(a, b *column, emit pairEmitter) {
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
	op, ok := orderSigns[t.orders]
	if t.orders == isLess|isGreater {
		op, ok = "!=", true
	}
	if ok && t.holds(isElementwise) && a.sequence.all.ordered() && b.sequence.all.ordered() {
		i := a.sequence.i
		cond := &expr.Forall{Var: i, Body: expr.Op(op, expr.At(x, i), expr.At(y, i))}
		emit("elementwise", a, b, []string{op}, cond, confidence)
	}
}
