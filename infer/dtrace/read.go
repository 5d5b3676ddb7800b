package dtrace

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dsd/infer/invariant"
	"dsd/schemas"
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

// function is what is learned of one.
type function struct {
	name        string
	entry, exit *invariant.Point
	// exits are the points of each way out, where there is more than one.
	exits   map[string]*invariant.Point
	vars    []invariant.Variable // of the entry
	worker  int
	pending map[string][]invariant.Value // values at the entry, by invocation nonce
	free    [][]invariant.Value
	dropped int // calls that had no end
}

// record is one of a block.
type record struct {
	ppt  *Ppt
	fn   *function
	text []byte // behind the point's name
	file string
	line int // of the first that is in text
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

// function is that of a point; it is made when its first sample is seen.
func (l *Learner) function(p *Ppt) *function {
	if fn := l.funcs[p.Func]; fn != nil {
		return fn
	}
	fn := &function{name: p.Func, worker: len(l.order), exits: map[string]*invariant.Point{}, pending: map[string][]invariant.Value{}}
	l.funcs[p.Func], l.order = fn, append(l.order, fn)
	if entry := l.decls.byName[p.Func+":::ENTER"]; entry != nil {
		fn.vars = entry.Vars
		fn.entry = invariant.NewPointOf(invariant.Declaration{At: "entry", Vars: entry.Vars})
	}
	var ways []*Ppt
	for _, q := range l.decls.Ppts {
		if q.Func == p.Func && !q.Entry && strings.HasPrefix(q.Name[len(q.Func):], ":::EXIT") {
			ways = append(ways, q)
		}
	}
	for _, q := range ways {
		decl := invariant.Declaration{At: "exit"}
		for _, v := range fn.vars {
			v.Name = "old(" + v.Name + ")"
			decl.Vars = append(decl.Vars, v)
		}
		for _, v := range q.Vars {
			v.Result = v.Name == "return"
			decl.Vars = append(decl.Vars, v)
		}
		if fn.exit == nil {
			fn.exit = invariant.NewPointOf(decl)
		}
		if len(ways) > 1 {
			decl.At += q.Exit
			fn.exits[q.Exit] = invariant.NewPointOf(decl)
		}
	}
	return fn
}

var nonceLine = []byte("this_invocation_nonce\n")

// learn takes in a record.
func (l *Learner) learn(r *record) error {
	text, fn := r.text, r.fn
	nonce := ""
	if bytes.HasPrefix(text, nonceLine) {
		var n []byte
		n, text, _ = bytes.Cut(text[len(nonceLine):], blank[:1])
		nonce = string(n)
		r.line += 2
	}
	if r.ppt.Entry {
		values := fn.room(len(fn.vars))
		if err := r.values(text, values); err != nil {
			return err
		}
		fn.entry.Sample(values, 1)
		if nonce != "" {
			if old := fn.pending[nonce]; old != nil {
				fn.free = append(fn.free, old)
				fn.dropped++
			}
			fn.pending[nonce] = values
		} else {
			fn.free = append(fn.free, values)
		}
		return nil
	}
	before := fn.pending[nonce]
	if before == nil {
		if before = fn.room(len(fn.vars)); true {
			for i := range before {
				before[i] = invariant.Value{Missing: true}
			}
		}
	}
	delete(fn.pending, nonce)
	k := len(before)
	values := before
	for range r.ppt.Vars {
		values = append(values, invariant.Value{})
	}
	if err := r.values(text, values[k:]); err != nil {
		return err
	}
	fn.exit.Sample(values, 1)
	if p := fn.exits[r.ppt.Exit]; p != nil {
		p.Sample(values, 1)
	}
	fn.free = append(fn.free, values[:k])
	return nil
}

// room is a place for n values.
func (fn *function) room(n int) []invariant.Value {
	if k := len(fn.free); k > 0 {
		v := fn.free[k-1]
		fn.free = fn.free[:k-1]
		return v[:n]
	}
	return make([]invariant.Value, n, 3*n+8)
}

var seed = maphash.MakeSeed()

// values reads the three lines of each variable.
func (r *record) values(text []byte, into []invariant.Value) error {
	for i, name := range r.ppt.names {
		if len(text) < len(name) || string(text[:len(name)]) != name {
			return r.wrong(i, text)
		}
		text = text[len(name):]
		v := &into[i]
		n := -1
		if r.ppt.plain[i] {
			v.Code, n = digits(text)
			v.Odd, v.Missing, v.Text = false, false, ""
		}
		known := n >= 0
		if !known {
			n = bytes.IndexByte(text, '\n')
		}
		if n < 0 || len(text) < n+2 {
			return r.errorf(3*i+1, "the record ends in the value of %s", strings.TrimSpace(name))
		}
		value, mod := text[:n], text[n+1]
		if n+2 < len(text) && text[n+2] != '\n' && text[n+2] != '\r' || mod < '0' || mod > '2' {
			return r.errorf(3*i+2, "%s: 0, 1 or 2 tells whether it was modified", strings.TrimSpace(name))
		}
		text = text[min(n+3, len(text)):]
		switch {
		case mod == '2':
			*v = invariant.Value{Missing: true}
		case !known && !decode(v, r.ppt.Vars[i].Rep, value):
			return r.errorf(3*i+1, "%s: %.40q is no %s", strings.TrimSpace(name), value, r.ppt.Vars[i].Rep)
		}
	}
	if rest := bytes.TrimSpace(text); len(rest) > 0 {
		found, _, _ := bytes.Cut(rest, blank[:1])
		return r.errorf(3*len(into), "%s: the record has more than its variables: %.60q", r.ppt.Name, found)
	}
	return nil
}

// digits reads a number of at most 18 digits that ends a line, and how long it is; n is -1 if there is none.
func digits(s []byte) (x int64, n int) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		n = 1
	}
	for ; n < len(s) && n < 19; n++ {
		c := s[n] - '0'
		if c > 9 {
			if s[n] != '\n' || n == 0 || neg && n == 1 {
				return 0, -1
			}
			if neg {
				x = -x
			}
			return x, n
		}
		x = 10*x + int64(c)
	}
	return 0, -1
}

// wrong says what stands in the place of a variable.
func (r *record) wrong(i int, text []byte) error {
	found, _, _ := bytes.Cut(text, blank[:1])
	if string(found)+"\n" == r.ppt.names[i] || len(text) == 0 {
		return r.errorf(3*i, "the record ends in the value of %s", found)
	}
	return r.errorf(3*i, "%s: the variable %s is declared here, and %.60q found", r.ppt.Name, strings.TrimSpace(r.ppt.names[i]), found)
}

func (r *record) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.file, r.line+line, fmt.Sprintf(format, args...))
}

// decode reads a value.
func decode(v *invariant.Value, rep string, s []byte) bool {
	*v = invariant.Value{}
	switch rep {
	case "int", "ref":
		n, ok := integer(s)
		if !ok {
			if rep == "ref" && string(s) == "null" {
				return true
			}
			if string(s) == "true" {
				n, ok = 1, true
			}
			ok = ok || string(s) == "false"
		}
		v.Code = n
		return ok
	case "bool":
		v.Code = 0
		if string(s) == "true" || string(s) == "1" {
			v.Code = 1
		}
		return true
	case "float":
		f, err := strconv.ParseFloat(string(s), 64)
		*v = invariant.FloatValue(f)
		return err == nil || string(s) == "nan" || string(s) == "NaN"
	case "string":
		if string(s) == "null" {
			v.Text, v.Code, v.Odd = "null", 0, true
			return true
		}
		*v = invariant.TextValue(s)
		return true
	}
	*v = invariant.ItemsValue(rep, s)
	return true
}

// integer is a decimal number.
func integer(s []byte) (n int64, ok bool) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		n, err := strconv.ParseInt(string(s), 10, 64)
		if neg {
			n = -n
		}
		return n, err == nil
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// Points are the points that samples were seen of, with what was learned, in the order of their names.
func (l *Learner) Points(confidence float64) []schemas.Point {
	points := map[*invariant.Point]schemas.Point{}
	var order []*invariant.Point
	for _, fn := range l.order {
		list := []*invariant.Point{fn.entry, fn.exit}
		ats := []string{"entry", "exit"}
		for way, p := range fn.exits {
			list, ats = append(list, p), append(ats, "exit"+way)
		}
		for i, p := range list {
			if p != nil && p.Samples() > 0 {
				p.Confidence = confidence
				points[p] = schemas.Point{Func: fn.name, At: ats[i], Samples: p.Samples()}
				order = append(order, p)
			}
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	limit := make(chan bool, runtime.GOMAXPROCS(0))
	for _, p := range order {
		wg.Add(1)
		limit <- true
		go func() {
			defer func() { <-limit; wg.Done() }()
			list := p.Invariants()
			mu.Lock()
			defer mu.Unlock()
			d := points[p]
			d.Invariants = list
			points[p] = d
		}()
	}
	wg.Wait()
	var out []schemas.Point
	for _, p := range order {
		out = append(out, points[p])
	}
	slices.SortFunc(out, func(a, b schemas.Point) int {
		return cmp.Or(strings.Compare(a.Func, b.Func), strings.Compare(a.At, b.At))
	})
	return out
}
