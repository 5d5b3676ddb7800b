package dtrace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
)

// blockSize is how much of a trace is read at a time. A record that is longer gets a block of its own.
var blockSize = 1 << 20

// A Learner learns from traces.
type Learner struct {
	// Log receives what a person should know. Not nil.
	Log   io.Writer
	decls Decls
	funcs map[string]*function
	order []*function
	// Samples counts the records.
	Samples int64
}

// block is a part of a trace, and what of it each worker has to do.
type block struct {
	text    []byte
	records [][]record
	left    sync.WaitGroup
}

// Read takes in files: .decls and .dtrace, in this order, gzipped or not. A trace that was cut off is read up to its last whole record.
func (l *Learner) Read(files []string) error {
	workers := max(runtime.GOMAXPROCS(0), 1)
	var queues []chan *block
	var wg sync.WaitGroup
	failures := make(chan error, workers+1)
	for w := range workers {
		q := make(chan *block, 2)
		queues = append(queues, q)
		wg.Add(1)
		go func() {
			defer wg.Done()
			failed := false
			for b := range q {
				for i := range b.records[w] {
					if failed {
						break
					}
					if err := l.learn(&b.records[w][i]); err != nil {
						failures <- err
						failed = true
					}
				}
				b.left.Done()
			}
			for _, fn := range l.order {
				if fn.worker%workers == w {
					fn.flush()
				}
			}
		}()
	}
	var err error
	for _, f := range files {
		if err = l.file(f, queues); err != nil {
			break
		}
	}
	for _, q := range queues {
		close(q)
	}
	wg.Wait()
	select {
	case err = <-failures:
	default:
	}
	return err
}

// file reads one.
func (l *Learner) file(name string, queues []chan *block) error {
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
	pool := make(chan *block, 8)
	for {
		var b *block
		select {
		case b = <-pool:
		default:
			b = &block{records: make([][]record, len(queues))}
		}
		size := max(blockSize, 2*len(rest))
		if cap(b.text) < size {
			b.text = make([]byte, size)
		}
		b.text = b.text[:cap(b.text)]
		n := copy(b.text, rest)
		m, err := io.ReadFull(r, b.text[n:])
		b.text = b.text[:n+m]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) && m > 0, err == io.EOF, err == nil, last:
		default:
			return fmt.Errorf("%s: %w", name, err)
		}
		for w := range b.records {
			b.records[w] = b.records[w][:0]
		}
		end, lines, err := l.split(name, b, line, last)
		if err != nil {
			return err
		}
		rest = append(rest[:0], b.text[end:]...)
		line += lines
		b.left.Add(len(queues))
		for _, q := range queues {
			q <- b
		}
		if last {
			if len(bytes.TrimSpace(rest)) > 0 {
				fmt.Fprintf(l.Log, "%s:%d: the trace is cut off: its last record is left out\n", name, line)
			}
			b.left.Wait()
			return nil
		}
		go func() {
			b.left.Wait()
			select {
			case pool <- b:
			default:
			}
		}()
	}
}

var blank = []byte("\n\n")

// split finds the records of a block. It returns where the first begins that does not end in it, and the number of lines before.
func (l *Learner) split(name string, b *block, line int, last bool) (end, lines int, err error) {
	text := b.text
	at := 0
	for {
		for at < len(text) && (text[at] == '\n' || text[at] == '\r') {
			at++
			lines++
		}
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			n = 0
		}
		// A record of a declared point need not be searched for its end where it cannot be.
		if p := l.decls.byName[string(text[at:at+n])]; p != nil {
			n += p.least
		}
		if n = skip(text[at:], n); n < 0 {
			if !last || at >= len(text) {
				return at, lines, nil
			}
			n = len(text) - at
		}
		rec := text[at : at+n]
		first, body, _ := bytes.Cut(rec, []byte("\n"))
		for len(first) > 0 && (first[0] == '#' || bytes.HasPrefix(first, []byte("//"))) {
			first, body, _ = bytes.Cut(body, []byte("\n"))
		}
		p := l.decls.byName[string(first)]
		switch {
		case len(first) == 0:
		case p == nil:
			// Not a sample: a declaration.
			if err := l.declaration(name, line+lines, rec); err != nil {
				return 0, 0, err
			}
		case n == len(text)-at && !whole(body, p):
			return at, lines, nil
		case p.Entry || strings.HasPrefix(p.Name[len(p.Func):], ":::EXIT"):
			fn := l.function(p)
			b.records[fn.worker%len(b.records)] = append(b.records[fn.worker%len(b.records)], record{p, fn, body, name, line + lines + 1})
			l.Samples++
		}
		lines += bytes.Count(rec, blank[:1])
		at += n
	}
}

// skip finds the first blank line at or behind from; -1 if there is none.
func skip(text []byte, from int) int {
	if from > len(text) {
		return -1
	}
	n := bytes.Index(text[from:], blank)
	if n < 0 {
		return -1
	}
	return from + n
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
