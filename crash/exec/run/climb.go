//go:build go1.21

package run

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"reflect"
	"time"
)

// A candidate that comes near the trail is followed by others like it but for their literals, drawn here: hill climbing, which costs
// only what the testee does, not the drawing, sending and judging of a candidate.

// Literal is the value of a literal in place of a candidate's own; Stmt is its statement.
type Literal struct {
	Stmt int    `json:"stmt"`
	Bits uint64 `json:"bits,omitempty"`
	Text []byte `json:"text,omitempty"`
}

// Changed is the best variant of a candidate.
type Changed struct {
	Index    int       `json:"i"`
	Literals []Literal `json:"literals"`
}

// maxSteps is how many variants of a candidate there are at most, in times those that are tried in vain.
const maxSteps = 8

// climb is the search around one candidate.
type climb struct {
	begin time.Time
	body  []byte // the candidate
	// own are the literals of the candidate, kept those of the best variant, lits those of the one that runs.
	own, kept, lits []slot
	// best is the distance of the best, and stack what tells its panic apart.
	best  float32
	stack uint64
	// tried counts the candidate and its variants; left are those to come if none is better.
	tried, left int
}

// slot is the value of a literal.
type slot struct {
	stmt int
	kind reflect.Kind
	bits uint64
	text string
}

// around begins with a candidate.
func (c *climb) around(body []byte) {
	*c = climb{begin: time.Now(), body: body, own: c.own[:0], kept: c.kept[:0], lits: c.lits[:0], left: 1}
}

// first says that the candidate itself is running.
func (c *climb) first() bool { return c.tried == 0 }

// settle notes how near the candidate, or a variant, came, and prepares the next one.
func (w *worker) settle(index int, d float32) {
	c := &w.climb
	w.report.Evaluated++
	c.left--
	switch {
	case c.first():
		c.best, c.stack = d, w.stack
		c.own = append(c.own, c.lits...)
		c.kept = append(c.kept, c.lits...)
		if d <= w.bound && len(c.lits) > 0 {
			c.left = w.variants
		}
	case d < c.best || d == c.best && (w.stack == 0 || c.stack != 0):
		if d < c.best && c.tried < w.variants*maxSteps {
			c.left = w.variants
		}
		c.best, c.stack = d, w.stack
		copy(c.kept, c.lits)
	}
	c.tried++
	if c.left > 0 && time.Since(c.begin) < w.limit {
		w.vary()
		return
	}
	c.left = 0
	distances, stacks = append(distances, c.best), append(stacks, c.stack)
	if list := changes(c.own, c.kept); list != nil {
		w.report.Changed = append(w.report.Changed, Changed{index, list})
	}
}

// vary changes one or two literals of the best variant.
func (w *worker) vary() {
	c := &w.climb
	copy(c.lits, c.kept)
	for n := 1 + w.random.Intn(2); n > 0; n-- {
		s := &c.lits[w.random.Intn(len(c.lits))]
		switch k := s.kind; {
		case k == reflect.String && w.random.Intn(8) == 0:
			s.text = w.vocabulary.any(&w.random)
		case k == reflect.String:
			s.text = w.vocabulary.Text(&w.random, s.text)
		case k == reflect.Bool:
			s.bits ^= 1
		case k >= reflect.Float32:
			s.bits = w.float(math.Float64frombits(s.bits))
		case len(w.vocabulary.Numbers) > 0 && w.random.Intn(4) == 0:
			s.bits = w.vocabulary.Numbers[w.random.Intn(len(w.vocabulary.Numbers))]
		default:
			s.bits = Number(&w.random, s.bits)
		}
	}
	w.show()
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

// changes are the literals that differ.
func changes(from, to []slot) (out []Literal) {
	for i, s := range to {
		if s.bits != from[i].bits || s.text != from[i].text {
			out = append(out, Literal{s.stmt, s.bits, []byte(s.text)})
		}
	}
	return out
}

// varied are the literals of the variant that runs; nil if it is the candidate itself.
func (w *worker) varied() []Literal {
	if w.climb.first() {
		return nil
	}
	return changes(w.climb.own, w.climb.lits)
}

// The shared memory holds, after the numbers of the candidate and the statement, that of the variant, the length of what follows,
// and its literals, so that they are known if the process dies.
const (
	SharedSize = 1 << 16
	sharedHead = 32
)

// show writes the literals of the variant that runs into the shared memory.
func (w *worker) show() {
	out := w.shared[sharedHead:sharedHead]
	for i, s := range w.climb.lits {
		if own := w.climb.own[i]; s.bits != own.bits || s.text != own.text {
			if len(out)+len(s.text)+3*binary.MaxVarintLen64 > cap(out) {
				out = out[:0] // too long to be told: it is taken for the candidate
				break
			}
			out = binary.AppendUvarint(out, uint64(s.stmt))
			out = binary.AppendUvarint(out, s.bits)
			out = binary.AppendUvarint(out, uint64(len(s.text)))
			out = append(out, s.text...)
		}
	}
	w.at[3] = uint64(len(out))
}

// Shown reads from the shared memory the literals of the variant that ran.
func Shown(shared []byte) (out []Literal) {
	p := shared[sharedHead:]
	n := binary.LittleEndian.Uint64(shared[24:])
	if n > uint64(len(p)) {
		return nil
	}
	for p = p[:n]; len(p) > 0; {
		stmt, bits, size := number(&p), number(&p), number(&p)
		if size > uint64(len(p)) {
			return nil
		}
		out = append(out, Literal{int(stmt), bits, append([]byte(nil), p[:size]...)})
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

func (r *random) Intn(n int) int { return int(r.Uint64() % uint64(n)) }
