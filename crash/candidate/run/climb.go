//go:build go1.21

package run

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/bits"
	"reflect"
	"time"
)

// A candidate that comes near the trail is followed by others like it, drawn here: hill climbing, which costs only what the testee does,
// not the drawing, sending and judging of a candidate. First it does without the statements that nobody needs, one after the other; what
// is as near without one stays so, and is faster. Then its literals change.

// Change is what a variant has in place of a statement of its candidate: another literal, or nothing.
type Change struct {
	Stmt int    `json:"stmt"`
	Dropped bool   `json:"left,omitempty"` // out
	Bits uint64 `json:"bits,omitempty"`
	Text []byte `json:"text,omitempty"`
}

// Changed is the best variant of a candidate.
type Changed struct {
	Index   int      `json:"i"`
	Changes []Change `json:"changes"`
}

// maxSteps is how many variants of a candidate there are at most, in times those that are tried in vain.
const maxSteps = 8

// climb is the search around one candidate.
type climb struct {
	// own are the literals of the candidate, kept those of the best variant.
	own, kept []slot
	// best is the distance of the best, and stack what tells its panic apart.
	best  float32
	stack uint64
	// leaving is the statement that the variant does without, and none did before, -1 when that is over; then used is how many literals are
	// used, -1 before. out are the statements that are left out, as the shared memory has them.
	leaving, used int
	out           []byte
	// tried counts the candidate and its variants; left are those to come if none is better; took is what they cost.
	tried, left int
	took        time.Duration
}

// around begins with a candidate.
func (c *climb) around() {
	*c = climb{own: c.own[:0], kept: c.kept[:0], out: c.out[:0], used: -1, left: 1}
}

// first says that the candidate itself is running.
func (c *climb) first() bool { return c.tried == 0 }

// settle notes how near the candidate, or a variant, came, and prepares the next one.
func (w *worker) settle(index int, d float32, took time.Duration) {
	c := &w.climb
	w.report.Evaluated++
	c.took += took
	c.left--
	switch better := d < c.best || d == c.best && (w.stack == 0 || w.stack == c.stack); {
	case c.first():
		c.best, c.stack = d, w.stack
		c.own = append(c.own, w.candidate.lits...)
		c.kept = append(c.kept, w.candidate.lits...)
		c.leaving = len(w.candidate.stmts) - 1 // which it is for
		if d <= w.bound && w.variants > 0 {
			c.left = w.variants
			w.candidate.count()
		}
	case c.leaving >= 0 && better:
		c.best, c.stack = d, w.stack
	case c.leaving >= 0:
		w.candidate.leave(&w.candidate.stmts[c.leaving], false)
	case better || d == c.best && c.stack != 0:
		if d < c.best && c.tried < w.variants*maxSteps {
			c.left = w.variants
		}
		c.best, c.stack = d, w.stack
		copy(c.kept, w.candidate.lits)
	}
	c.tried++
	if c.left > 0 && c.took < w.limit && (w.leave() || w.vary()) {
		w.show()
		return
	}
	c.left = 0
	distances, stacks = append(distances, c.best), append(stacks, c.stack)
	copy(w.candidate.lits, c.kept)
	if list := w.changes(); list != nil {
		w.report.Changed = append(w.report.Changed, Changed{index, list})
	}
}

// leave leaves out the next statement, from the end, that nobody needs; false if there are no more.
func (w *worker) leave() bool {
	c := &w.candidate
	for w.climb.leaving >= 0 {
		w.climb.leaving--
		if w.climb.leaving < 0 {
			break
		}
		if s := &c.stmts[w.climb.leaving]; s.op.Lit == nil && c.idle(s) {
			c.leave(s, true)
			w.list()
			return true
		}
	}
	return false
}

// list lists the statements that are left out.
func (w *worker) list() {
	w.climb.out = w.climb.out[:0]
	for i := range w.candidate.stmts {
		if w.candidate.stmts[i].left {
			w.climb.out = binary.AppendUvarint(w.climb.out, uint64(i)<<1|1)
		}
	}
}

// vary changes one or two literals of the best variant; false if it has none.
func (w *worker) vary() bool {
	c := &w.candidate
	if w.climb.used < 0 {
		w.climb.used = c.spare()
		w.list()
	}
	if w.climb.used == 0 {
		return false
	}
	copy(c.lits, w.climb.kept)
	for n := 1 + w.random.Intn(2); n > 0; n-- {
		i := w.random.Intn(len(c.lits))
		for c.stmts[c.lits[i].stmt].left {
			i = w.random.Intn(len(c.lits))
		}
		l := &c.lits[i]
		op := c.stmts[l.stmt].op
		w.change(l, op.kind)
		l.value = op.Lit(l.bits, l.text)
	}
	return true
}

// change changes a literal.
func (w *worker) change(l *slot, k reflect.Kind) {
	switch {
	case k == reflect.String && w.random.Intn(8) == 0:
		l.text = w.vocabulary.any(&w.random)
	case k == reflect.String:
		l.text = w.vocabulary.Mutate(&w.random, l.text)
	case k == reflect.Bool:
		l.bits ^= 1
	case k >= reflect.Float32:
		l.bits = w.float(math.Float64frombits(l.bits))
	case len(w.vocabulary.Numbers) > 0 && w.random.Intn(4) == 0:
		l.bits = w.vocabulary.Numbers[w.random.Intn(len(w.vocabulary.Numbers))]
	default:
		l.bits = MutateInt(&w.random, l.bits)
	}
}

// float is a float near another.
func (w *worker) float(x float64) uint64 {
	switch w.random.Intn(5) {
	case 0:
		x++
	case 1:
		x--
	case 2:
		x = -x
	case 3:
		x *= 2
	default:
		x /= 2
	}
	return math.Float64bits(x)
}

// changes are how the variant that runs differs from the candidate.
func (w *worker) changes() (out []Change) {
	c := &w.candidate
	for i := range c.stmts {
		switch s := &c.stmts[i]; {
		case s.left:
			out = append(out, Change{Stmt: i, Dropped: true})
		case s.op.Lit == nil:
		case c.lits[s.lit].bits != w.climb.own[s.lit].bits || c.lits[s.lit].text != w.climb.own[s.lit].text:
			out = append(out, Change{Stmt: i, Bits: c.lits[s.lit].bits, Text: []byte(c.lits[s.lit].text)})
		}
	}
	return out
}

// varied are the changes of the variant that runs; nil if it is the candidate itself.
func (w *worker) varied() []Change {
	if w.climb.first() {
		return nil
	}
	return w.changes()
}

// The shared memory holds, after the numbers of the candidate and the statement, that of the variant, the length of what follows,
// and its changes, so that they are known if the process dies.
const (
	SharedSize = 1 << 16
	sharedHead = 32
)

// show writes the changes of the variant that runs into the shared memory: of the statements that are left out the odd number after
// twice theirs, and before them the literals that are others.
func (w *worker) show() {
	c := &w.candidate
	w.at[3] = 0 // until it is whole
	out := w.shared[sharedHead:sharedHead]
	for i := range c.lits {
		l, own := &c.lits[i], &w.climb.own[i]
		if c.stmts[l.stmt].left || l.bits == own.bits && l.text == own.text {
			continue
		}
		if len(out)+len(l.text)+3*binary.MaxVarintLen64+len(w.climb.out) > cap(out) {
			out = out[:0] // too long to be told: it is taken for the candidate
			break
		}
		out = binary.AppendUvarint(out, uint64(l.stmt)<<1)
		out = binary.AppendUvarint(out, l.bits)
		out = binary.AppendUvarint(out, uint64(len(l.text)))
		out = append(out, l.text...)
	}
	out = append(out, w.climb.out...)
	w.at[3] = uint64(len(out))
}

// ReadChanges reads from the shared memory the changes of the variant that ran, as far as they are whole: the process may have died as it wrote.
func ReadChanges(shared []byte) (out []Change) {
	p := shared[sharedHead:]
	n := binary.LittleEndian.Uint64(shared[24:])
	if n > uint64(len(p)) {
		return nil
	}
	for p = p[:n]; len(p) > 0; {
		stmt := number(&p)
		if stmt&1 != 0 {
			out = append(out, Change{Stmt: int(stmt >> 1), Dropped: true})
			continue
		}
		bits, size := number(&p), number(&p)
		if size > uint64(len(p)) {
			return nil
		}
		out = append(out, Change{Stmt: int(stmt >> 1), Bits: bits, Text: append([]byte(nil), p[:size]...)})
		p = p[size:]
	}
	return out
}

// coded is a vocabulary as it is sent: its strings need not be UTF-8.
type coded struct {
	Texts, Words [][]byte
	Numbers      []uint64
}

// Encode writes a vocabulary as the process reads it.
func (v *Vocabulary) Encode() ([]byte, error) {
	c := coded{Numbers: v.Numbers}
	for _, t := range v.Texts {
		c.Texts = append(c.Texts, []byte(t))
	}
	for _, t := range v.Words {
		c.Words = append(c.Words, []byte(t))
	}
	return json.Marshal(&c)
}

// decode reads a vocabulary.
func (v *Vocabulary) decode(text []byte) {
	var c coded
	if json.Unmarshal(text, &c) != nil {
		return
	}
	*v = Vocabulary{Numbers: c.Numbers}
	for _, t := range c.Texts {
		v.Texts = append(v.Texts, string(t))
	}
	for _, t := range c.Words {
		v.Words = append(v.Words, string(t))
	}
}

// random is a small generator of random numbers, splitmix64.
type random uint64

func (r *random) Uint64() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Intn multiplies, which costs less than to divide.
func (r *random) Intn(n int) int {
	high, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(high)
}
