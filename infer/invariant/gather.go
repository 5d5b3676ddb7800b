package invariant

import (
	"slices"
	"sync"
)

// A Gatherer takes in samples of a point for it to learn from, a batch at a time. Several of one point may be used at the same time: it is no
// matter which sample comes first. What they have gathered is learned when they are flushed.
type Gatherer struct {
	point *Point
	also  *Point // learns from the same samples
	batch batch
}

// Gather makes a gatherer of the point.
func (p *Point) Gather() *Gatherer { return &Gatherer{point: p} }

// Also lets another point, of the same variables, learn from all samples that are gathered, too.
func (g *Gatherer) Also(p *Point) { g.also = p }

// Add takes in a sample that was seen n times; values line up with the point's variables.
func (g *Gatherer) Add(values []string, n int64) {
	var r Row
	for i, text := range values {
		g.point.Parse(&r, i, []byte(text))
	}
	g.AddRow(&r, n)
}

// AddRow takes in a sample that was seen n times. The row is the caller's again when it returns.
func (g *Gatherer) AddRow(r *Row, n int64) {
	b := &g.batch
	if b.columns == nil {
		b.columns = make([]vector, len(g.point.decl.Vars))
	}
	if b.n == batchSize/8 && cap(b.codes) < batchCodes { // there will be more: what grows by and by leaves behind twice as much as it needs
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

// Flush lets the point learn from the samples since the last time.
func (g *Gatherer) Flush() {
	if g.batch.n == 0 {
		return
	}
	room := transposeBuffers.Get().(*[]int64)
	*room = g.batch.transpose(*room)
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
		g.batch.columns[i].code = nil
	}
	transposeBuffers.Put(room)
}

// rooms are where batches are turned into columns.
var transposeBuffers = sync.Pool{New: func() any { return new([]int64) }}
