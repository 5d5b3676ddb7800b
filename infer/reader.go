package infer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// reader is the state of one of the goroutines that read a trace. Each reads blocks of lines and
// has Gatherers of its own.
type reader struct {
	trace     *schemas.TraceReader
	points    []*point // by number in the trace; nil for a point to skip
	gatherers map[*invariant.Point]*invariant.Gatherer
	byPoint   []gatherers // by number in the trace; zero before the first sample
	line      schemas.Line
	row       invariant.Row // the values of line
	firstErr  *firstError

	// Memory for samples of other points.
	picked invariant.Row
	inputs []invariant.Value
}

// gatherers holds the Gatherers for the samples of a point.
type gatherers struct {
	own *invariant.Gatherer
	// typ belongs to the type whose method the point is of; nil for other points. columns holds
	// the columns of the point's samples that are variables of the type.
	typ     *invariant.Gatherer
	columns []int
	// tests are the numbers of the tests that made the samples, and lastTest is the last one.
	tests    map[int]bool
	lastTest int
}

// block holds some lines of a trace and the number of the first.
type block struct {
	text  []byte
	first int
}

// firstError keeps the error of the lowest line.
type firstError struct {
	sync.Mutex
	line int // 0 for none
	err  error
}

// record records an error.
func (f *firstError) record(line int, err error) {
	f.Lock()
	defer f.Unlock()
	if f.line == 0 || line < f.line {
		f.line, f.err = line, err
	}
}

// failed reports whether there was an error.
func (f *firstError) failed() bool {
	f.Lock()
	defer f.Unlock()
	return f.line > 0
}

// read calls feed for each sample of the wanted points in all traces.
func (l *learner) read(traces []Source, wanted func(*point) bool,
	feed func(*reader, *point)) error {
	for _, open := range traces {
		t, err := open()
		if err != nil {
			return err
		}
		points, err := l.declare(t)
		if err != nil {
			return err
		}
		for i, p := range points {
			if p != nil && !wanted(p) {
				points[i] = nil
			}
		}
		err = readTrace(t, points, feed)
		if errors.Is(err, schemas.ErrTruncated) {
			if !l.warnedTruncated {
				fmt.Fprintln(l.log, err, "- the samples before that are used")
			}
			l.warnedTruncated, l.doc.Incomplete, err = true, true, nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTrace calls feed for each sample of the points that are not nil, on all processors. It
// returns the first error by line. Each goroutine parses the block that it has read, while the
// block is in the processor's cache.
func readTrace(t *schemas.TraceReader, points []*point, feed func(*reader, *point)) error {
	var mu sync.Mutex // guards t.Block
	var firstErr firstError
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			r := &reader{
				trace: t, points: points, firstErr: &firstErr,
				gatherers: map[*invariant.Point]*invariant.Gatherer{},
				byPoint:   make([]gatherers, len(points)),
			}
			var b block
			for !firstErr.failed() {
				var err error
				mu.Lock()
				b.text, b.first, err = t.Block(b.text)
				mu.Unlock()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						firstErr.record(1<<62, err) // after all lines
					}
					break
				}
				r.block(b, feed)
			}
			for _, g := range r.gatherers {
				g.Flush()
			}
			mu.Lock()
			r.flushTests()
			mu.Unlock()
		})
	}
	wg.Wait()
	return firstErr.err
}

// flushTests adds the names of the tests to their points.
func (r *reader) flushTests() {
	for i := range r.byPoint {
		for n := range r.byPoint[i].tests {
			if names := r.trace.Header.Witnesses; n <= len(names) {
				r.points[i].tests[names[n-1]] = true
			}
		}
	}
}

// block calls feed for the samples of a block.
func (r *reader) block(b block, feed func(*reader, *point)) {
	number := b.first
	for text := b.text; len(text) > 0; number++ {
		line := text
		if n := bytes.IndexByte(text, '\n'); n >= 0 {
			line = text[:n+1]
		}
		text = text[len(line):]
		if p := schemas.PointOf(line); p >= 0 && p < len(r.points) && r.points[p] == nil {
			continue
		}
		if err := r.trace.Parse(line, number, &r.line); err != nil {
			r.firstErr.record(number, err)
			return
		}
		if p := r.points[r.line.Point]; p != nil {
			feed(r, p)
		}
	}
}

// gatherer returns this goroutine's Gatherer for a point.
func (r *reader) gatherer(p *invariant.Point) *invariant.Gatherer {
	g := r.gatherers[p]
	if g == nil {
		g = p.Gather()
		r.gatherers[p] = g
	}
	return g
}

// parse parses the values of the line, which belongs to p.
func (r *reader) parse(p *point) {
	r.row.Reset()
	for i, text := range r.line.Values {
		p.learned.Parse(&r.row, i, text)
	}
}

// addPicked adds a sample that consists of the given columns of the line.
func (r *reader) addPicked(columns []int, to *invariant.Gatherer) {
	r.picked.Reset()
	r.picked.Pick(&r.row, columns)
	to.AddRow(&r.picked, r.line.Count)
}

// learn adds the line to its point, and to the type whose method the point is of.
func (r *reader) learn(p *point) {
	r.parse(p)
	to := &r.byPoint[r.line.Point]
	if to.own == nil {
		to.own = r.gatherer(p.learned)
		if t := p.typePoint; t != nil && len(t.decl.Vars) > 0 {
			to.typ, to.columns = r.gatherer(t.learned), t.columns[p]
		}
	}
	to.own.AddRow(&r.row, r.line.Count)
	if n := r.line.Test; n > 0 && n != to.lastTest {
		if to.tests == nil {
			to.tests = map[int]bool{}
		}
		to.tests[n], to.lastTest = true, n
	}
	if to.typ != nil {
		r.addPicked(to.columns, to.typ)
	}
}

// creditInterfaces adds the line, an exit of an executed method, to the interfaces' methods for
// which it counts.
func (r *reader) creditInterfaces(p *point) {
	r.parse(p)
	for _, credit := range p.credits {
		r.inputs = r.inputs[:0]
		for _, c := range credit.entry {
			v := invariant.Value{Missing: true}
			if c >= 0 {
				v = r.row.Value(c)
			}
			r.inputs = append(r.inputs, v)
		}
		if credit.accepts(r.inputs) {
			r.addPicked(credit.exit, r.gatherer(credit.target.learned))
		}
	}
}
