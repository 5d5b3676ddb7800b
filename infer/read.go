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

// reading is what one of the goroutines that read a trace has: blocks of lines go to whichever is free, and each gathers samples of all points.
type reading struct {
	trace     *schemas.TraceReader
	points    []*point // by number in the trace; nil for one that is not wanted
	gatherers map[*invariant.Point]*invariant.Gatherer
	numbered  []gatherers // those of the points of the trace, by number, once there were samples
	line      schemas.Line
	row       invariant.Row // the line's
	picked    invariant.Row
	inputs    []invariant.Value
	failed    *failure
}

// gatherers are those of a point and of the type whose method it is of, with the columns of the point's samples that are the type's.
type gatherers struct {
	own, typ *invariant.Gatherer
	columns  []int
}

// block is some lines of a trace, and the number of the first.
type block struct {
	text  []byte
	first int
}

// failure is the first error in a trace.
type failure struct {
	sync.Mutex
	line int // 0 for none
	err  error
}

func (f *failure) at(line int, err error) {
	f.Lock()
	defer f.Unlock()
	if f.line == 0 || line < f.line {
		f.line, f.err = line, err
	}
}

func (f *failure) failed() bool {
	f.Lock()
	defer f.Unlock()
	return f.line > 0
}

// read gives the samples of all traces to feed, those of points that are wanted.
func (l *learner) read(traces []Source, wanted func(*point) bool, feed func(*reading, *point)) error {
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
			if !l.warned {
				fmt.Fprintln(l.log, err, "- what is before it is used")
			}
			l.warned, l.doc.Incomplete, err = true, true, nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readTrace gives the samples of a trace to feed, on all processors. Of several errors, the first in the trace is returned.
//
// Each goroutine reads the lines that it goes through, so that they are at hand.
func readTrace(t *schemas.TraceReader, points []*point, feed func(*reading, *point)) error {
	var in sync.Mutex // t's next lines
	var failed failure
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := &reading{trace: t, points: points, gatherers: map[*invariant.Point]*invariant.Gatherer{},
				numbered: make([]gatherers, len(points)), failed: &failed}
			var b block
			for !failed.failed() {
				var err error
				in.Lock()
				b.text, b.first, err = t.Block(b.text)
				in.Unlock()
				if err != nil {
					if !errors.Is(err, io.EOF) {
						failed.at(1<<62, err)
					}
					break
				}
				r.block(b, feed)
			}
			for _, g := range r.gatherers {
				g.Flush()
			}
		}()
	}
	wg.Wait()
	return failed.err
}

// block reads one.
func (r *reading) block(b block, feed func(*reading, *point)) {
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
			r.failed.at(number, err)
			return
		}
		if p := r.points[r.line.Point]; p != nil {
			feed(r, p)
		}
	}
}

// gatherer is this goroutine's of a point.
func (r *reading) gatherer(p *invariant.Point) *invariant.Gatherer {
	g := r.gatherers[p]
	if g == nil {
		g = p.Gather()
		r.gatherers[p] = g
	}
	return g
}

// parse reads the values of the line, of a point.
func (r *reading) parse(p *point) {
	r.row.Reset()
	for i, text := range r.line.Values {
		p.learned.Parse(&r.row, i, text)
	}
}

// take takes in values of the line, by column.
func (r *reading) take(columns []int, to *invariant.Gatherer) {
	r.picked.Reset()
	r.picked.Pick(&r.row, columns)
	to.AddRow(&r.picked, r.line.Count)
}

// learn takes in the line for its point, and for the type whose method that is of.
func (r *reading) learn(p *point) {
	r.parse(p)
	to := &r.numbered[r.line.Point]
	if to.own == nil {
		if to.own = r.gatherer(p.learned); p.typ != nil && len(p.typ.decl.Vars) > 0 {
			to.typ, to.columns = r.gatherer(p.typ.learned), p.typ.columns[p]
		}
	}
	to.own.AddRow(&r.row, r.line.Count)
	if to.typ != nil {
		r.take(to.columns, to.typ)
	}
}

// lend lets the line, of an executed method, count for interfaces' methods.
func (r *reading) lend(p *point) {
	r.parse(p)
	for _, loan := range p.lends {
		r.inputs = r.inputs[:0]
		for _, c := range loan.entry {
			v := invariant.Value{Missing: true}
			if c >= 0 {
				v = r.row.Value(c)
			}
			r.inputs = append(r.inputs, v)
		}
		if loan.meets(r.inputs) {
			r.take(loan.exit, r.gatherer(loan.to.learned))
		}
	}
}
