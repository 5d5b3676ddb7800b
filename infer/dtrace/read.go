package dtrace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
)

// blockSize is the number of bytes of a trace that are read at a time. A longer record gets a block
// of its own. Tests change it.
var blockSize = 1 << 19

// learner learns from traces.
type learner struct {
	log       io.Writer
	decls     decls
	functions map[string]*function
	order     []*function      // functions in the order of their first records
	blocks    int              // number of blocks that were read
	recent    [2]*programPoint // points of the last records
	malformed firstError
}

// read learns from files: .decls and .dtrace, in this order, gzipped or not. A trace that was
// truncated is read up to its last complete record.
//
// The records of a function are learned from in their order by one goroutine at a time, whichever
// is free.
func (l *learner) read(files []string) error {
	workers := max(runtime.GOMAXPROCS(0), 1)
	ready := make(chan *function, 64)
	blocks := blockPool{free: make(chan *block, 12*workers), ready: ready}
	blocks.idle.Store(int32(workers))
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for fn := range ready {
				blocks.idle.Add(-1)
				for w, ok := fn.pop(); ok; w, ok = fn.pop() {
					l.learn(fn, w)
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
	l.flush(workers)
	if l.malformed.err != nil {
		return l.malformed.err
	}
	return err
}

// learn learns from the records of a function in a block.
func (l *learner) learn(fn *function, w work) {
	defer w.block.pending.Done()
	for i := w.first; i >= 0; {
		r := &w.block.records[i]
		if bad := fn.learn(r.point, w.block.text[r.start:r.end]); bad != nil {
			l.malformed.set(w.block, w.block.lineAt(r.start)+bad.line, bad.message)
			return
		}
		i = r.next
	}
}

// flush makes all functions learn from the samples that they have buffered.
func (l *learner) flush(workers int) {
	rest := make(chan *function)
	var wg sync.WaitGroup
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
}

// file reads a file and queues its records.
func (l *learner) file(name string, blocks *blockPool, ready chan<- *function) error {
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
	var rest []byte        // the start of a record whose end has not been read
	var all sync.WaitGroup // of the blocks of this file
	defer all.Wait()
	for !l.malformed.isSet() {
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
		b.pending.Add(len(b.functions))
		all.Add(1)
		for _, fn := range b.functions {
			fn.push(work{b, fn.first}, ready)
		}
		go func() {
			b.pending.Wait()
			blocks.free <- b
			all.Done()
		}()
		if last {
			if len(bytes.TrimSpace(rest)) > 0 {
				fmt.Fprintf(l.log, "%s:%d: the trace is truncated: "+
					"its last record is left out\n", name, line)
			}
			return nil
		}
	}
	return nil
}

var blank = []byte("\n\n")

// split finds the records and declarations of a block. It returns the offset of the first record
// that the block does not contain to its end. last reports whether the block ends the file.
func (l *learner) split(b *block, last bool) (end int, err error) {
	text := b.text
	at := 0
	line, counted := b.firstLine, 0 // the number of the line at offset counted
	for {
		for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
			at++
		}
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = 0
		}
		// The end of a record of a declared point is searched for beyond its smallest size.
		p := l.point(text[at : at+n])
		head := n
		if p != nil {
			n += p.minSize
		}
		if n = blankLine(text[at:], n); n < 0 {
			if !last || at >= len(text) {
				return at, nil
			}
			n = len(text) - at
		}
		rec := text[at:min(at+n+1, len(text))] // with the newline of its last line
		if head == 0 {                         // the last line has no newline
			head = n
		}
		first, body := rec[:head], rec[min(head+1, len(rec)):]
		for len(first) > 0 && (first[0] == '#' || bytes.HasPrefix(first, []byte("//"))) {
			first, body, _ = bytes.Cut(body, []byte("\n"))
			p = l.point(first)
		}
		switch {
		case len(first) == 0:

		case p == nil: // a declaration
			line += bytes.Count(text[counted:at], blank[:1])
			counted = at
			if err := l.declarations(b.file, line, rec); err != nil {
				return 0, err
			}

		case n == len(text)-at && !isComplete(body, p):
			return at, nil

		case p.entry || p.isExit():
			end := at + len(rec)
			b.add(l.function(p), record{point: p, start: end - len(body), end: end, next: -1})
		}
		at += n
	}
}

// point returns the declared program point of a name, or nil. Most records are of the same point as
// the last record or the one before it.
func (l *learner) point(name []byte) *programPoint {
	for _, p := range l.recent {
		if p != nil && p.name == string(name) {
			return p
		}
	}
	p := l.decls.byName[string(name)]
	if p != nil {
		l.recent[0], l.recent[1] = l.recent[1], p
	}
	return p
}

// blankLine returns the offset of the first blank line at or after from, or -1. Lines are short, so
// examining eight bytes at a time is faster than searching for each newline.
func blankLine(text []byte, from int) int {
	const ones, highBits = 0x0101010101010101, 0x8080808080808080
	if from > len(text) {
		return -1
	}
	at := from
	for ; at+8 <= len(text); at += 7 { // the last byte is examined again as the first of a pair
		x := binary.LittleEndian.Uint64(text[at:]) ^ '\n'*ones
		// The high bit of each byte that is zero, and of some bytes after it.
		if z := (x - ones) &^ x & highBits; z&(z>>8) != 0 {
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

// isComplete reports whether the last record of a file, which no blank line follows, has all its
// lines: three per variable, and two if there is a nonce.
func isComplete(body []byte, p *programPoint) bool {
	n := bytes.Count(bytes.TrimSuffix(body, blank[:1]), blank[:1]) + 1
	return n == 3*len(p.vars) || n == 3*len(p.vars)+2
}

// declarations parses the declarations of a text that begins at the given line of a file.
func (l *learner) declarations(name string, line int, text []byte) error {
	if l.decls.byName == nil {
		l.decls.init()
	}
	in := &lineReader{name: name, rest: string(text), number: line - 1}
	for {
		first, ok := in.next()
		if !ok {
			return nil
		}
		if isComment(first) {
			continue
		}
		if strings.Contains(first, ":::") && !strings.HasPrefix(first, "ppt ") {
			return in.errorf("%s is not declared: name its .decls file, too", first)
		}
		if err := l.decls.declaration(in, strings.TrimSpace(first)); err != nil {
			return err
		}
	}
}
