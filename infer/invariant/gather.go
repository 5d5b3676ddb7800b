package invariant

import (
	"slices"
	"sync"
)

// A Gatherer collects samples of a point in batches, from which the point learns. Several Gatherers
// of one point may be used at the same time, one goroutine each. The result does not depend on
// which of them receives a sample. Flush ends the collection.
type Gatherer struct {
	point *Point
	also  *Point // another point that learns from the same samples, or nil
	batch batch
}

// Gather returns a new Gatherer for the point.
func (p *Point) Gather() *Gatherer { return &Gatherer{point: p} }

// Also makes another point, which has the same variables, learn from all samples, too.
func (g *Gatherer) Also(p *Point) { g.also = p }

// Add adds a sample that was seen n times. values has the text of a trace for each declared
// variable.
func (g *Gatherer) Add(values []string, n int64) {
	var r Row
	for i, text := range values {
		g.point.Parse(&r, i, []byte(text))
	}
	g.AddRow(&r, n)
}

// AddRow adds a sample that was seen n times. It does not retain r.
func (g *Gatherer) AddRow(r *Row, n int64) {
	b := &g.batch
	if b.columns == nil {
		b.columns = make([]vector, len(g.point.decl.Vars))
	}
	if b.n == batchSize/8 && cap(b.codes) < batchCodes {
		// The batch will probably be filled: one allocation is cheaper than growth in
		// steps.
		b.codes, b.counts = slices.Grow(b.codes, batchCodes), slices.Grow(b.counts, batchSize)
	}
	b.n++
	b.counts = append(b.counts, n)
	b.samples += n
	b.codes = append(b.codes, r.codes...)
	for _, c := range r.missing {
		b.columns[c].missing = setFlag(b.columns[c].missing, b.n-1, true)
	}
	for i := range r.details {
		b.columns[r.details[i].column].addDetails(b.n, &r.details[i].Value)
	}
	if b.n >= batchSize || b.n >= batchSize/8 && len(b.codes) >= batchCodes {
		g.Flush()
	}
}

// Flush makes the point learn from the samples since the last call.
func (g *Gatherer) Flush() {
	if g.batch.n == 0 {
		return
	}
	buffer := transposeBuffers.Get().(*[]int64)
	*buffer = g.batch.transpose(*buffer)
	g.point.derive(&g.batch)
	for _, p := range [...]*Point{g.point, g.also} {
		if p != nil {
			p.learning.Lock()
			p.accept(&g.batch)
			p.learning.Unlock()
		}
	}
	g.batch.reset()
	for i := range g.batch.columns {
		g.batch.columns[i].code = nil // it belongs to the buffer
	}
	transposeBuffers.Put(buffer)
}

// transposeBuffers holds the memory of columns between batches.
var transposeBuffers = sync.Pool{New: func() any { return new([]int64) }}
