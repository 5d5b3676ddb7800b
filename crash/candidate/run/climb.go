//go:build go1.21

package run

import (
	"encoding/binary"
	"math"
	"reflect"
	"time"
)

// Hill climbing around a candidate that comes near the trail: variants of it are drawn and run
// here, which costs what the testee does, but not drawing, sending and decoding a candidate. There
// are two phases:
//
//  1. Statements without used results are dropped one by one, from the end; a drop is kept if the
//     distance does not grow. What remains runs faster.
//  2. One or two literals of the best variant are mutated at a time, also by what the condition that it failed at
//     compared, and by texts that should have been equal anywhere on the way (operands.go). A variant that is nearer,
//     or as near with another panic, becomes the best. The phase ends after Head.Variants variants in vain, or when
//     Head.Time is over.

// maxClimb bounds the variants of a candidate: after maxClimb*Head.Variants variants, improvements
// no longer prolong the climb.
const maxClimb = 8

// At a distance of recurring or less, the recursion that is to overflow the stack is active several times (see Again).
// One of recurringShare mutations of a string then nests it deeply.
const (
	recurring      = -3
	recurringShare = 16
)

// One of unequalShare mutations of a string puts one of two texts that should have been equal in place of the other one.
const unequalShare = 8

// climb is the state of the search around one candidate.
type climb struct {
	// own are the literals of the candidate, kept those of the best variant.
	own, kept []literal
	// best is the distance of the best variant, and stackKey identifies the stack of its panic.
	best     float32
	stackKey uint64
	// failed are the operands of the condition that the best variant failed at.
	failed operands
	// unequal are the texts that the best variant compared, and that should have been equal.
	unequal []operands
	// dropping is the index of the statement whose drop is being tried, -1 in the second phase.
	dropping int
	// used is the number of used literals; -1 until the second phase.
	used int
	// dropped lists the dropped statements as the shared memory holds them; see publish.
	dropped []byte
	// tried is the number of variants tried, the candidate itself included; left is how many
	// more are tried unless one is better; took is their running time.
	tried, left int
	took        time.Duration
}

// begin starts with a candidate.
func (c *climb) begin() {
	*c = climb{own: c.own[:0], kept: c.kept[:0], unequal: c.unequal[:0], dropped: c.dropped[:0], used: -1, left: 1}
}

// isBest makes what ran the best variant, at a distance d.
func (c *climb) isBest(d float32, stackKey uint64) {
	c.best, c.stackKey, c.failed = d, stackKey, failedAt(trail)
	c.unequal = append(c.unequal[:0], unequal...)
}

// atCandidate reports whether the candidate itself is running.
func (c *climb) atCandidate() bool { return c.tried == 0 }

// step records the distance d of the candidate or variant that ran, and prepares the next variant,
// if there is one.
func (w *worker) step(index int, d float32, took time.Duration) {
	c := &w.climb
	w.report.Evaluated++
	c.took += took
	c.left--
	variants := int(w.head.Variants)
	samePanic := w.stackKey == 0 || w.stackKey == c.stackKey
	switch better := d < c.best || d == c.best && samePanic; {
	case c.atCandidate():
		c.isBest(d, w.stackKey)
		c.own = append(c.own, w.candidate.lits...)
		c.kept = append(c.kept, w.candidate.lits...)
		c.dropping = len(w.candidate.stmts) - 1 // the last statement stays
		if d <= w.head.Bound && variants > 0 {
			c.left = variants
			w.candidate.countUses()
		}
	case c.dropping >= 0 && better:
		c.isBest(d, w.stackKey)
	case c.dropping >= 0:
		w.candidate.setDropped(&w.candidate.stmts[c.dropping], false)
	case better || d == c.best && c.stackKey != 0:
		if d < c.best && c.tried < variants*maxClimb {
			c.left = variants
		}
		c.isBest(d, w.stackKey)
		copy(c.kept, w.candidate.lits)
	}
	c.tried++
	if c.left > 0 && c.took < w.head.Time && (w.dropNext() || w.mutate()) {
		w.publish()
		return
	}
	c.left = 0
	distances, stacks = append(distances, c.best), append(stacks, c.stackKey)
	copy(w.candidate.lits, c.kept)
	if list := w.changes(); list != nil {
		w.report.Changed = append(w.report.Changed, Changed{index, list})
	}
}

// dropNext drops the next statement, from the end, whose results are unused, and reports whether
// there is one.
func (w *worker) dropNext() bool {
	c := &w.candidate
	for w.climb.dropping >= 0 {
		w.climb.dropping--
		if w.climb.dropping < 0 {
			break
		}
		if s := &c.stmts[w.climb.dropping]; s.op.Lit == nil && c.unused(s) {
			c.setDropped(s, true)
			w.listDropped()
			return true
		}
	}
	return false
}

// listDropped updates climb.dropped.
func (w *worker) listDropped() {
	w.climb.dropped = w.climb.dropped[:0]
	for i := range w.candidate.stmts {
		if w.candidate.stmts[i].dropped {
			w.climb.dropped = binary.AppendUvarint(w.climb.dropped, uint64(i)<<1|1)
		}
	}
}

// mutate mutates one or two literals of the best variant and reports whether it has any.
func (w *worker) mutate() bool {
	c := &w.candidate
	if w.climb.used < 0 {
		w.climb.used = c.dropUnusedLiterals()
		w.listDropped()
	}
	if w.climb.used == 0 {
		return false
	}
	copy(c.lits, w.climb.kept)
	for n := 1 + w.random.Intn(2); n > 0; n-- {
		i := w.random.Intn(len(c.lits))
		for c.stmts[c.lits[i].stmt].dropped {
			i = w.random.Intn(len(c.lits))
		}
		l := &c.lits[i]
		op := c.stmts[l.stmt].op
		w.mutateLiteral(l, op.kind)
		l.value = op.Lit(l.bits, l.text)
	}
	return true
}

// mutateLiteral mutates a literal of a kind.
func (w *worker) mutateLiteral(l *literal, k reflect.Kind) {
	if failed := &w.climb.failed; failed.known && w.random.Intn(4) == 0 {
		ok := false
		switch {
		case k == reflect.String:
			l.text, ok = failed.in(&w.random, l.text)
		case k != reflect.Bool && k < reflect.Float32:
			l.bits, ok = failed.number(&w.random, l.bits)
		}
		if ok {
			return
		}
	}
	if list := w.climb.unequal; k == reflect.String && len(list) > 0 && w.random.Intn(unequalShare) == 0 {
		if text, ok := list[w.random.Intn(len(list))].in(&w.random, l.text); ok {
			l.text = text
			return
		}
	}
	switch {
	case k == reflect.String && w.vocabulary.Deep && w.climb.best <= recurring && w.random.Intn(recurringShare) == 0:
		l.text = deepen(&w.random, l.text[:min(len(l.text), maxWindow)])
	case k == reflect.String && w.random.Intn(8) == 0:
		l.text = w.vocabulary.any(&w.random)
	case k == reflect.String:
		l.text = w.vocabulary.Mutate(&w.random, l.text)
	case k == reflect.Bool:
		l.bits ^= 1
	case k >= reflect.Float32:
		l.bits = math.Float64bits(mutateFloat(&w.random, math.Float64frombits(l.bits)))
	case len(w.vocabulary.Numbers) > 0 && w.random.Intn(4) == 0:
		l.bits = w.vocabulary.Numbers[w.random.Intn(len(w.vocabulary.Numbers))]
	default:
		l.bits = MutateInt(&w.random, l.bits)
	}
}

// changes returns how the variant that is running differs from its candidate.
func (w *worker) changes() (out []Change) {
	c := &w.candidate
	for i := range c.stmts {
		switch s := &c.stmts[i]; {
		case s.dropped:
			out = append(out, Change{Stmt: i, Dropped: true})
		case s.op.Lit == nil:
		case c.lits[s.lit].bits != w.climb.own[s.lit].bits ||
			c.lits[s.lit].text != w.climb.own[s.lit].text:
			out = append(out, Change{Stmt: i, Bits: c.lits[s.lit].bits,
				Text: []byte(c.lits[s.lit].text)})
		}
	}
	return out
}

// variantChanges returns the changes of the variant that is running, or nil if it is the candidate
// itself.
func (w *worker) variantChanges() []Change {
	if w.climb.atCandidate() {
		return nil
	}
	return w.changes()
}
