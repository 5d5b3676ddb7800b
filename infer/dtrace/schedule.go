package dtrace

import (
	"bytes"
	"cmp"
	"fmt"
	"sync"
	"sync/atomic"
)

// block is a part of a trace, with its records linked by function.
type block struct {
	number    int // counted over all blocks that were read, from 1
	file      string
	firstLine int // the number of its first line in the file
	text      []byte
	records   []record
	functions []*function    // with records in the block
	pending   sync.WaitGroup // functions whose records have not been learned from
}

// work is the records of one function in a block, linked by record.next.
type work struct {
	block *block
	first int32
}

// blockPool allocates and recycles blocks. It allocates a quarter of its capacity freely, and
// beyond that only while a worker is idle: if one function is far behind, the others proceed with
// later blocks. While all workers are busy, blocks that are in memory are used again.
type blockPool struct {
	free      chan *block
	allocated int
	idle      atomic.Int32   // number of workers without work
	ready     chan *function // functions with work that no worker has taken
}

// get returns a block to read into.
func (p *blockPool) get() *block {
	select {
	case b := <-p.free:
		return b
	default:
	}
	if p.allocated < cap(p.free)/4 ||
		p.allocated < cap(p.free) && int(p.idle.Load()) > len(p.ready) {
		p.allocated++
		return &block{}
	}
	return <-p.free
}

// reset empties the block for the next part of a trace, and keeps its memory.
func (b *block) reset(number int, file string, firstLine int) {
	b.number, b.file, b.firstLine = number, file, firstLine
	b.records, b.functions = b.records[:0], b.functions[:0]
}

// add appends a record to those of its function.
func (b *block) add(fn *function, r record) {
	if b.records == nil { // the capacity that records of the same size would need
		size := len(r.point.name) + r.end - r.start
		b.records = make([]record, 0, len(b.text)/size+1)
	}
	n := int32(len(b.records))
	b.records = append(b.records, r)
	if fn.block != b.number {
		fn.block, fn.first = b.number, n
		b.functions = append(b.functions, fn)
	} else {
		b.records[fn.last].next = n
	}
	fn.last = n
}

// lineAt returns the line number of an offset of the text. Lines are counted on demand, because
// counting them for each record would take time.
func (b *block) lineAt(offset int) int {
	return b.firstLine + bytes.Count(b.text[:offset],
		blank[:1])
}

// push queues work for the function, and makes the function ready if no worker has it.
func (fn *function) push(w work, ready chan<- *function) {
	fn.Lock()
	fn.queue = append(fn.queue, w)
	idle := !fn.running
	fn.running = true
	fn.Unlock()
	if idle {
		ready <- fn
	}
}

// pop returns the next work of the function. If there is none, the worker must release the
// function.
func (fn *function) pop() (w work, ok bool) {
	fn.Lock()
	defer fn.Unlock()
	if len(fn.queue) == 0 {
		fn.running = false
		return w, false
	}
	w = fn.queue[0]
	fn.queue = append(fn.queue[:0], fn.queue[1:]...)
	return w, true
}

// firstError is the error of the malformed record that comes first in the trace. Workers find
// malformed records in any order.
type firstError struct {
	sync.Mutex
	block, line int
	err         error
}

func (f *firstError) set(b *block, line int, message string) {
	f.Lock()
	defer f.Unlock()
	if f.err == nil || cmp.Or(cmp.Compare(b.number, f.block), cmp.Compare(line, f.line)) < 0 {
		f.block, f.line = b.number, line
		f.err = fmt.Errorf("%s:%d: %s", b.file, line, message)
	}
}

func (f *firstError) isSet() bool {
	f.Lock()
	defer f.Unlock()
	return f.err != nil
}
