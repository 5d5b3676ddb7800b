package dtrace

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// blockSize is how much of a trace is read at a time. A record that is longer gets a block of its own.
var blockSize = 1 << 19

// A Learner learns from traces.
type Learner struct {
	// Log receives what a person should know. Not nil.
	Log   io.Writer
	decls Decls
	funcs map[string]*function
	order []*function
	// Samples counts the records.
	Samples int64
	blocks  int
	recent  [2]*Ppt // points of the last records
	failed  failure
}

// block is a part of a trace, with its records, function by function.
type block struct {
	number  int // of all that were read, from 1
	file    string
	line    int // the number of its first line in the file
	text    []byte
	records []record
	touched []*function    // those that records are of
	left    sync.WaitGroup // functions that are not done
}

// pool is the blocks. Beyond a quarter of them, one more is made only where a worker has nothing to do: while one function is behind with the first,
// others go on with the next. Where all have something to do, memory that is at hand is used again.
type pool struct {
	free  chan *block
	made  int
	idle  atomic.Int32   // workers
	ready chan *function // that no worker has taken
}

// get is a block to read into.
func (p *pool) get() *block {
	select {
	case b := <-p.free:
		return b
	default:
	}
	if p.made < cap(p.free)/4 || p.made < cap(p.free) && int(p.idle.Load()) > len(p.ready) {
		p.made++
		return &block{}
	}
	return <-p.free
}

// add adds a record, to those of its function.
func (b *block) add(fn *function, r record) {
	if b.records == nil { // room for as many as there will be, if they are as long
		b.records = make([]record, 0, len(b.text)/(len(r.ppt.Name)+r.end-r.at)+1)
	}
	n := int32(len(b.records))
	b.records = append(b.records, r)
	if fn.block != b.number {
		fn.block, fn.first = b.number, n
		b.touched = append(b.touched, fn)
	} else {
		b.records[fn.last].next = n
	}
	fn.last = n
}

// lineAt is the number of the line at an offset of the text. Lines are counted where somebody asks, not record by record.
func (b *block) lineAt(at int) int { return b.line + bytes.Count(b.text[:at], blank[:1]) }

// reset empties the block, for the next part, and keeps its room.
func (b *block) reset(number int, file string, line int) {
	b.number, b.file, b.line = number, file, line
	b.records, b.touched = b.records[:0], b.touched[:0]
}

// work is a function's records of a block.
type work struct {
	block *block
	first int32
}

// Read takes in files: .decls and .dtrace, in this order, gzipped or not. A trace that was cut off is read up to its last whole record.
//
// The records of a function are learned from in their order, and by one goroutine at a time; which one is a matter of who is free.
func (l *Learner) Read(files []string) error {
	workers := max(runtime.GOMAXPROCS(0), 1)
	ready := make(chan *function, 64)
	blocks := pool{free: make(chan *block, 12*workers), ready: ready}
	blocks.idle.Store(int32(workers))
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for fn := range ready {
				blocks.idle.Add(-1)
				for w, ok := fn.next(); ok; w, ok = fn.next() {
					for i := w.first; i >= 0; {
						r := &w.block.records[i]
						if wrong := fn.learn(r.ppt, w.block.text[r.at:r.end]); wrong != nil {
							l.failed.at(w.block, w.block.lineAt(r.at)+wrong.line, wrong.message)
							break
						}
						i = r.next
					}
					w.block.left.Done()
				}
				blocks.idle.Add(1)
			}
		}()
	}
	var err error
	for _, f := range files {
		if err = l.file(f, &blocks, ready); err != nil {
			break
		}
	}
	close(ready)
	wg.Wait()
	rest := make(chan *function)
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for fn := range rest {
				fn.flush()
			}
		}()
	}
	for _, fn := range l.order {
		rest <- fn
	}
	close(rest)
	wg.Wait()
	if l.failed.err != nil {
		return l.failed.err
	}
	return err
}

// failure is the first error in the records.
type failure struct {
	sync.Mutex
	block, line int
	err         error
}

func (f *failure) at(b *block, line int, message string) {
	f.Lock()
	defer f.Unlock()
	if f.err == nil || cmp.Or(cmp.Compare(b.number, f.block), cmp.Compare(line, f.line)) < 0 {
		f.block, f.line, f.err = b.number, line, fmt.Errorf("%s:%d: %s", b.file, line, message)
	}
}

func (f *failure) failed() bool {
	f.Lock()
	defer f.Unlock()
	return f.err != nil
}

// give hands a function records of a block to learn from.
func (fn *function) give(w work, ready chan<- *function) {
	fn.Lock()
	fn.queue = append(fn.queue, w)
	idle := !fn.running
	fn.running = true
	fn.Unlock()
	if idle {
		ready <- fn
	}
}

// next is what the function has to learn from now; if there is nothing, it waits to be ready again.
func (fn *function) next() (w work, ok bool) {
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

// file reads one.
func (l *Learner) file(name string, blocks *pool, ready chan<- *function) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var r io.Reader = bufio.NewReaderSize(f, 1<<16)
	if magic, _ := r.(*bufio.Reader).Peek(2); string(magic) == "\x1f\x8b" {
		if r, err = gzip.NewReader(r); err != nil {
			return fmt.Errorf("%s: damaged gzip data: %w", name, err)
		}
	}
	line := 1
	var rest []byte
	var all sync.WaitGroup // of this file's blocks
	defer all.Wait()
	for !l.failed.failed() {
		b := blocks.get()
		l.blocks++
		b.reset(l.blocks, name, line)
		size := max(blockSize, 2*len(rest))
		if cap(b.text) < size {
			b.text = make([]byte, size)
		}
		b.text = b.text[:cap(b.text)]
		n := copy(b.text, rest)
		m, err := io.ReadFull(r, b.text[n:])
		b.text = b.text[:n+m]
		if bytes.IndexByte(b.text, '\r') >= 0 {
			b.text = bytes.ReplaceAll(b.text, []byte("\r\n"), []byte("\n"))
		}
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			blocks.free <- b
			return fmt.Errorf("%s: %w", name, err)
		}
		end, err := l.split(b, last)
		if err != nil {
			blocks.free <- b
			return err
		}
		rest, line = append(rest[:0], b.text[end:]...), b.lineAt(end)
		b.left.Add(len(b.touched))
		all.Add(1)
		for _, fn := range b.touched {
			fn.give(work{b, fn.first}, ready)
		}
		go func() {
			b.left.Wait()
			blocks.free <- b
			all.Done()
		}()
		if last {
			if len(bytes.TrimSpace(rest)) > 0 {
				fmt.Fprintf(l.Log, "%s:%d: the trace is cut off: its last record is left out\n", name, line)
			}
			return nil
		}
	}
	return nil
}

var blank = []byte("\n\n")

// split finds the records of a block. It returns where the first begins that does not end in it.
func (l *Learner) split(b *block, last bool) (end int, err error) {
	text := b.text
	at := 0
	line, counted := b.line, 0 // the number of the line at counted
	for {
		for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
			at++
		}
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = 0
		}
		// A record of a declared point need not be searched for its end where it cannot be.
		p := l.point(text[at : at+n])
		head := n
		if p != nil {
			n += p.least
		}
		if n = skip(text[at:], n); n < 0 {
			if !last || at >= len(text) {
				return at, nil
			}
			n = len(text) - at
		}
		rec := text[at:min(at+n+1, len(text))] // with the end of its last line
		if head == 0 {                         // a last line without its end
			head = n
		}
		first, body := rec[:head], rec[min(head+1, len(rec)):]
		for len(first) > 0 && (first[0] == '#' || bytes.HasPrefix(first, []byte("//"))) {
			first, body, _ = bytes.Cut(body, []byte("\n"))
			p = l.point(first)
		}
		switch {
		case len(first) == 0:
		case p == nil:
			// Not a sample: a declaration.
			line += bytes.Count(text[counted:at], blank[:1])
			counted = at
			if err := l.declaration(b.file, line, rec); err != nil {
				return 0, err
			}
		case n == len(text)-at && !whole(body, p):
			return at, nil
		case p.Entry || strings.HasPrefix(p.Name[len(p.Func):], ":::EXIT"):
			end := at + len(rec)
			b.add(l.function(p), record{ppt: p, at: end - len(body), end: end, next: -1})
			l.Samples++
		}
		at += n
	}
}

// point is the declared one of a name; nil if there is none. Most records are of the same point as the last but one.
func (l *Learner) point(name []byte) *Ppt {
	for _, p := range l.recent {
		if p != nil && p.Name == string(name) {
			return p
		}
	}
	p := l.decls.byName[string(name)]
	if p != nil {
		l.recent[0], l.recent[1] = l.recent[1], p
	}
	return p
}

// skip finds the first blank line at or behind from; -1 if there is none. Lines are short, so it looks at eight bytes at a time rather than for
// the next line.
func skip(text []byte, from int) int {
	const ones, ends = 0x0101010101010101, 0x8080808080808080
	if from > len(text) {
		return -1
	}
	at := from
	for ; at+8 <= len(text); at += 7 { // the last of the eight is looked at again, as the first of a pair
		x := binary.LittleEndian.Uint64(text[at:]) ^ '\n'*ones
		// The end of each byte that is zero now, and of some behind it.
		if z := (x - ones) &^ x & ends; z&(z>>8) != 0 {
			if n := bytes.Index(text[at:at+8], blank); n >= 0 {
				return at + n
			}
		}
	}
	if n := bytes.Index(text[at:], blank); n >= 0 {
		return at + n
	}
	return -1
}

// whole says that the last record of a file, behind which there is no blank line, has all its lines.
func whole(body []byte, p *Ppt) bool {
	n := bytes.Count(bytes.TrimSuffix(body, blank[:1]), blank[:1]) + 1
	return n == 3*len(p.Vars) || n == 3*len(p.Vars)+2
}

func (l *Learner) declaration(name string, line int, text []byte) error {
	before := len(l.decls.Ppts)
	if l.decls.byName == nil {
		l.decls.Add(name, "")
	}
	in := &lines{name: name, rest: string(text), at: line - 1}
	for {
		first, ok := in.next()
		if !ok {
			break
		}
		if comment(first) {
			continue
		}
		if strings.Contains(first, ":::") && !strings.HasPrefix(first, "ppt ") {
			return in.errorf("%s is not declared: give its .decls file, too", first)
		}
		if err := l.decls.declaration(in, strings.TrimSpace(first)); err != nil {
			return err
		}
	}
	if before == 0 && l.funcs == nil {
		l.funcs = map[string]*function{}
	}
	return nil
}
