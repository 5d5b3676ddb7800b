package dtrace

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"runtime"
	"slices"
	"strings"
	"sync"

	"dsd/infer/invariant"
	"dsd/internal/expr"
	"dsd/schemas"
)

// function is what is learned of one.
type function struct {
	name        string
	entry, exit *invariant.Point
	// exits are the points of each way out, where there is more than one.
	exits   map[string]*invariant.Point
	vars    []invariant.Variable      // of the entry
	pending map[uint64]*invariant.Row // values at the entry, by invocation nonce
	free    []*invariant.Row
	words   invariant.Words

	// The block that is being split, by its number, with the first and the last of the function's records in it; and what waits to be learned from.
	block       int
	first, last int32
	sync.Mutex
	queue   []work
	running bool
}

// function is that of a point; it is made when its first sample is seen.
func (l *Learner) function(p *Ppt) *function {
	if p.fn != nil {
		return p.fn
	}
	if p.fn = l.funcs[p.Func]; p.fn != nil {
		return p.fn
	}
	fn := &function{name: p.Func, exits: map[string]*invariant.Point{}, pending: map[uint64]*invariant.Row{}}
	p.fn, l.funcs[p.Func], l.order = fn, fn, append(l.order, fn)
	if entry := l.decls.byName[p.Func+":::ENTER"]; entry != nil {
		fn.vars = entry.Vars
		fn.entry = invariant.NewPointOf(invariant.Declaration{At: schemas.AtEntry, Vars: entry.Vars, Before: true})
	}
	var ways []*Ppt
	for _, q := range l.decls.Ppts {
		if q.Func == p.Func && !q.Entry && strings.HasPrefix(q.Name[len(q.Func):], ":::EXIT") {
			ways = append(ways, q)
		}
	}
	for _, q := range ways {
		q.apart = !slices.Equal(q.Vars, ways[0].Vars)
		decl := invariant.Declaration{At: schemas.AtExit, Before: true}
		for _, v := range fn.vars {
			for _, now := range q.Vars { // comparability is declared point by point
				if now.Name == v.Name {
					v.Group, v.IndexGroup = now.Group, now.IndexGroup
				}
			}
			v.Name = expr.OldName(v.Name)
			decl.Vars = append(decl.Vars, v)
		}
		for _, v := range q.Vars {
			v.Result = v.Name == "return"
			decl.Vars = append(decl.Vars, v)
		}
		if fn.exit == nil {
			fn.exit = invariant.NewPointOf(decl)
		}
		q.point = fn.exit
		if len(ways) > 1 {
			decl.At += schemas.At(q.Exit)
			q.point = invariant.NewPointOf(decl)
			if fn.exits[q.Exit] = q.point; !q.apart {
				q.point.Also(fn.exit)
			}
		}
	}
	return fn
}

const nonceLine = "this_invocation_nonce\n"

var seed = maphash.MakeSeed()

// learn takes in a record.
func (fn *function) learn(p *Ppt, text []byte) *mistake {
	before := 0
	nonce := uint64(0) // for none
	if len(text) > len(nonceLine) && string(text[:len(nonceLine)]) == nonceLine {
		text = text[len(nonceLine):]
		before = 2
		n, size := digits(text)
		if size < 0 {
			if size = bytes.IndexByte(text, '\n'); size < 0 { // there are no variables
				size = len(text)
			}
			n = int64(maphash.Bytes(seed, text[:size]))
		}
		nonce, text = uint64(n)+1, text[min(size+1, len(text)):]
	}
	if p.Entry {
		row := fn.room()
		if wrong := p.values(text, before, row, &fn.words); wrong != nil {
			return wrong
		}
		fn.entry.Take(row, 1)
		if nonce != 0 {
			if old := fn.pending[nonce]; old != nil {
				fn.free = append(fn.free, old)
			}
			fn.pending[nonce] = row
		} else {
			fn.free = append(fn.free, row)
		}
		return nil
	}
	row := fn.pending[nonce]
	if row == nil {
		row = fn.room()
		for range fn.vars {
			row.Missing()
		}
	}
	delete(fn.pending, nonce)
	if wrong := p.values(text, before, row, &fn.words); wrong != nil {
		return wrong
	}
	p.point.Take(row, 1)
	fn.free = append(fn.free, row)
	return nil
}

// flush lets all points learn from what was gathered.
func (fn *function) flush() {
	if fn.entry != nil {
		fn.entry.Flush()
	}
	for _, p := range fn.exits {
		p.Flush()
	}
	if fn.exit != nil {
		fn.exit.Flush()
	}
}

// room is an empty row.
func (fn *function) room() *invariant.Row {
	if k := len(fn.free); k > 0 {
		row := fn.free[k-1]
		fn.free = fn.free[:k-1]
		row.Reset()
		return row
	}
	return &invariant.Row{}
}

// Points are the points that samples were seen of, with what was learned, in the order of their names.
func (l *Learner) Points(confidence float64) []schemas.Point {
	points := map[*invariant.Point]schemas.Point{}
	var order []*invariant.Point
	for _, fn := range l.order {
		list := []*invariant.Point{fn.entry, fn.exit}
		ats := []schemas.At{schemas.AtEntry, schemas.AtExit}
		for way, p := range fn.exits {
			list, ats = append(list, p), append(ats, schemas.AtExit+schemas.At(way))
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
		return cmp.Or(strings.Compare(a.Func, b.Func), cmp.Compare(a.At, b.At))
	})
	return out
}
