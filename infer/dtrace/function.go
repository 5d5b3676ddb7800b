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

// function is the state of learning for one function.
type function struct {
	name        string
	entry, exit *invariant.Point
	// exits holds the point of each exit, by the text after EXIT, if there are several.
	exits map[string]*invariant.Point
	vars  []invariant.Variable // of the entry
	// calls holds the entry values of calls that have not returned, by 1 + nonce of the
	// invocation, or 0 for a call without a nonce.
	calls map[uint64]*invariant.Row
	free  []*invariant.Row
	words invariant.Interner

	// block is the number of the block that is being split; first and last are the function's
	// first and last record in it.
	block       int
	first, last int32

	sync.Mutex // guards queue and running
	queue      []work
	running    bool // whether a worker has the function or it is ready
}

// function returns the function of a program point. It is created when its first record is read,
// because all its points are declared by then.
func (l *learner) function(p *programPoint) *function {
	if p.fn != nil {
		return p.fn
	}
	if p.fn = l.functions[p.funcName]; p.fn != nil {
		return p.fn
	}
	fn := &function{
		name:  p.funcName,
		exits: map[string]*invariant.Point{},
		calls: map[uint64]*invariant.Row{},
	}
	if l.functions == nil {
		l.functions = map[string]*function{}
	}
	p.fn, l.functions[p.funcName], l.order = fn, fn, append(l.order, fn)
	if entry := l.decls.byName[p.funcName+":::ENTER"]; entry != nil {
		fn.vars = entry.vars
		decl := invariant.Declaration{At: schemas.AtEntry, Vars: entry.vars, Preceding: true}
		fn.entry = invariant.NewPointOf(decl)
	}
	var exits []*programPoint
	for _, q := range l.decls.points {
		if q.funcName == p.funcName && q.isExit() {
			exits = append(exits, q)
		}
	}
	for _, q := range exits {
		q.differs = !slices.Equal(q.vars, exits[0].vars)
		decl := exitDeclaration(fn.vars, q.vars)
		if fn.exit == nil {
			fn.exit = invariant.NewPointOf(decl)
		}
		q.learned = fn.exit
		if len(exits) > 1 {
			decl.At += schemas.At(q.exit)
			q.learned = invariant.NewPointOf(decl)
			if fn.exits[q.exit] = q.learned; !q.differs {
				q.learned.Also(fn.exit)
			}
		}
	}
	return fn
}

// exitDeclaration declares the point of an exit: the variables of the entry as old(...), then those
// of the exit.
func exitDeclaration(entry, exit []invariant.Variable) invariant.Declaration {
	decl := invariant.Declaration{At: schemas.AtExit, Preceding: true}
	for _, v := range entry {
		for _, now := range exit { // comparability is declared per program point
			if now.Name == v.Name {
				v.Group, v.IndexGroup = now.Group, now.IndexGroup
			}
		}
		v.Name = expr.OldName(v.Name)
		decl.Vars = append(decl.Vars, v)
	}
	for _, v := range exit {
		v.Result = v.Name == "return"
		decl.Vars = append(decl.Vars, v)
	}
	return decl
}

const nonceLine = "this_invocation_nonce\n"

var seed = maphash.MakeSeed()

// learn learns from a record. At an exit, the sample is the values of the call's entry, if it was
// seen, followed by those of the exit.
func (fn *function) learn(p *programPoint, text []byte) *malformed {
	before := 0 // lines of the nonce
	nonce := uint64(0)
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
	if p.entry {
		row := fn.emptyRow()
		if bad := p.values(text, before, row, &fn.words); bad != nil {
			return bad
		}
		fn.entry.AddRow(row, 1)
		if nonce != 0 {
			if old := fn.calls[nonce]; old != nil {
				fn.free = append(fn.free, old)
			}
			fn.calls[nonce] = row
		} else {
			fn.free = append(fn.free, row)
		}
		return nil
	}
	row := fn.calls[nonce]
	if row == nil {
		row = fn.emptyRow()
		for range fn.vars {
			row.Missing()
		}
	}
	delete(fn.calls, nonce)
	if bad := p.values(text, before, row, &fn.words); bad != nil {
		return bad
	}
	p.learned.AddRow(row, 1)
	fn.free = append(fn.free, row)
	return nil
}

// flush makes all points learn from the samples that they have buffered.
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

// emptyRow returns an empty row, a used one if there is one.
func (fn *function) emptyRow() *invariant.Row {
	if k := len(fn.free); k > 0 {
		row := fn.free[k-1]
		fn.free = fn.free[:k-1]
		row.Reset()
		return row
	}
	return &invariant.Row{}
}

// learned returns the program points with samples and their invariants, sorted by function and
// point.
func (l *learner) learned(confidence float64) []schemas.Point {
	points := map[*invariant.Point]schemas.Point{}
	var order []*invariant.Point
	for _, fn := range l.order {
		list := []*invariant.Point{fn.entry, fn.exit}
		ats := []schemas.At{schemas.AtEntry, schemas.AtExit}
		for exit, p := range fn.exits {
			list, ats = append(list, p), append(ats, schemas.AtExit+schemas.At(exit))
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
