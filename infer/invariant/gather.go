package invariant

import (
	"slices"
	"sync"
)

// A Gatherer takes in samples of a point for it to learn from, a batch at a time. Several of one point may be used at the same time: it is no
// matter which sample comes first. What they have gathered is learned when they are flushed.
type Gatherer struct {
	point *Point
	batch batch
}

// Gather makes a gatherer of the point.
func (p *Point) Gather() *Gatherer {
	g := &Gatherer{point: p}
	g.batch.columns = make([]vector, len(p.decl.Vars))
	return g
}

// Add takes in a sample that was seen n times; values line up with the point's variables.
func (g *Gatherer) Add(values []string, n int64) {
	g.begin(n)
	for i, text := range values {
		v := g.point.Parse(i, []byte(text))
		g.batch.put(i, &v)
	}
	g.end()
}

// Parse reads a value of the i-th variable as a trace has it. The bytes are the caller's again when it returns.
func (p *Point) Parse(i int, value []byte) Value {
	if p.kinds[i] == sequence {
		return ItemsValue(p.decl.Vars[i].Rep, value)
	}
	return parse(p.kinds[i], value)
}

// Sample takes in a sample that was seen n times. The values are the caller's again when it returns.
func (g *Gatherer) Sample(values []Value, n int64) {
	g.begin(n)
	b := &g.batch
	at := len(b.codes)
	b.codes = slices.Grow(b.codes, len(values))[:at+len(values)]
	codes := b.codes[at:]
	for i := range values {
		v := &values[i]
		codes[i] = v.Code
		if v.Missing || v.Odd || v.Text != "" || v.items != nil {
			b.columns[i].note(b.n, v)
		}
	}
	g.end()
}

func (g *Gatherer) begin(n int64) {
	g.batch.n++
	g.batch.counts = append(g.batch.counts, n)
	g.batch.samples += n
}

func (g *Gatherer) end() {
	if n := g.batch.n; n >= batchSize || n >= batchSize/8 && len(g.batch.codes) >= batchCodes {
		g.Flush()
	}
}

// Flush lets the point learn from the samples since the last time.
func (g *Gatherer) Flush() {
	if g.batch.n == 0 {
		return
	}
	room := rooms.Get().(*[]int64)
	*room = g.batch.turn(*room)
	g.point.derive(&g.batch)
	g.point.learning.Lock()
	g.point.learn(&g.batch)
	g.point.learning.Unlock()
	g.batch.reset()
	for i := range g.batch.columns {
		g.batch.columns[i].code = nil
	}
	rooms.Put(room)
}

// rooms are where batches are turned into columns.
var rooms = sync.Pool{New: func() any { return new([]int64) }}
