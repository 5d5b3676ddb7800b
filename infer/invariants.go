package infer

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"dsd/infer/dtrace"
	"dsd/infer/invariant"
	"dsd/schemas"
)

// A Source is a trace that can be read more than once.
type Source func() (*schemas.TraceReader, error)

// Invariants learns invariants of a confidence of at least confidence from traces of one module. Points of the same function are taken
// together if they declare the same variables; a trace that declares them otherwise was made from another version and is refused.
//
// It goes through the traces twice if there are methods of interfaces [DSD 7.4]: preconditions are learned first, of what is executed and of
// the interface through which it is called; then postconditions of the interface's method from every execution whose inputs meet them.
//
// The result depends on what the samples are, not on their order, nor on that of the traces: every template is order-free.
//
// A trace that is cut off is read up to its last whole line, which is said to log.
//
// Errors: those of reading, and traces that do not belong together.
func Invariants(traces []Source, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	l := &learner{log: log, confidence: confidence, points: map[pointKey]*point{}}
	if err := l.read(traces, func(*point) bool { return true }, (*reader).learn); err != nil {
		return nil, err
	}
	if l.prepareCredits() {
		if err := l.read(traces, func(p *point) bool { return len(p.credits) > 0 }, (*reader).creditInterfaces); err != nil {
			return nil, err
		}
	}
	return l.document(), nil
}

// place names a program point.
type pointKey struct {
	fn string
	at schemas.At
}

// point is what is known of one.
type point struct {
	pointKey
	decl       schemas.TracePoint
	learned    *invariant.Point
	invariants []schemas.Invariant // what it has learned, in the end
	// typ is the type that the receiver is of, if the point is that of a method.
	typePoint *typePoint
	// lends are the interfaces' methods that executions of this one count for.
	credits []*interfaceCredit
}

// FromDaikon learns from files of Daikon's front ends: .decls, then .dtrace. log receives what a person should know.
func FromDaikon(files []string, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	doc, err := dtrace.Invariants(files, confidence, log)
	if err == nil {
		finishPoints(doc.Points)
	}
	return doc, err
}

// learner goes through traces.
type learner struct {
	log             io.Writer
	confidence      float64
	points          map[pointKey]*point
	types           map[string]*typePoint
	doc             schemas.Invariants
	hasModule       bool
	warnedTruncated bool // that a trace is cut off
}

// declare makes points of what a trace declares. It returns them by number, nil where a point is not to be used.
func (l *learner) declare(t *schemas.TraceReader) ([]*point, error) {
	h := &t.Header
	if !l.hasModule {
		l.doc.Module, l.hasModule = h.Module, true
	} else if h.Module.Path != l.doc.Module.Path {
		return nil, fmt.Errorf("%s: a trace of module %s cannot be combined with one of %s", t.Name(), h.Module.Path, l.doc.Module.Path)
	}
	l.doc.Incomplete = l.doc.Incomplete || h.Incomplete
	of := make([]*point, len(h.Points))
	var fresh []*point
	for i, d := range h.Points {
		k := pointKey{d.Func, d.At}
		p := l.points[k]
		switch {
		case p == nil:
			p = &point{pointKey: k, decl: d}
			l.points[k], fresh = p, append(fresh, p)
		case !sameVars(p.decl.Vars, d.Vars) && d.Interface:
			continue // seen from a package that names its types otherwise
		case !sameVars(p.decl.Vars, d.Vars):
			return nil, fmt.Errorf("%s: points[%d]: %s has other variables than in the traces before", t.Name(), i, d.Func)
		default:
			h.Points[i].Vars = p.decl.Vars // the same; kept once
		}
		of[i] = p
	}
	parallel(len(fresh), func(i int) {
		p := fresh[i]
		p.learned = invariant.NewPoint(p.decl)
		p.learned.Confidence = l.confidence
	})
	l.declareTypes(of)
	return of, nil
}

// document says what was learned.
func (l *learner) document() *schemas.Invariants {
	points, types := slices.Collect(maps.Values(l.points)), slices.Collect(maps.Values(l.types))
	parallel(len(points)+len(types), func(i int) {
		if i < len(points) {
			points[i].invariants = points[i].learned.Invariants()
		} else {
			types[i-len(points)].invariants()
		}
	})
	points = slices.DeleteFunc(points, func(p *point) bool { return p.learned.Samples() == 0 })
	doc := &l.doc
	doc.Points = make([]schemas.Point, len(points))
	parallel(len(points), func(i int) {
		p := points[i]
		doc.Points[i] = schemas.Point{Func: p.fn, At: p.at, Samples: p.learned.Samples(), Invariants: l.distinctive(p)}
	})
	for _, t := range types {
		if p := t.point(); p != nil {
			doc.Points = append(doc.Points, *p)
		}
	}
	finishPoints(doc.Points)
	return doc
}

// each does something for all numbers from 0 to n-1, on all processors.
func parallel(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wg.Wait()
}

// found is what was learned of a point. Of calls that panic it is what distinguishes them: what holds of all calls is said at the entry.
func (l *learner) distinctive(p *point) []schemas.Invariant {
	own := l.withInherited(p, slices.Clone(p.invariants))
	entry := l.points[pointKey{p.fn, schemas.AtEntry}]
	if p.at != schemas.AtPanic || entry == nil {
		return own
	}
	always := map[string]bool{}
	for _, inv := range l.withInherited(entry, slices.Clone(entry.invariants)) {
		always[inv.Expr] = true
	}
	return slices.DeleteFunc(own, func(inv schemas.Invariant) bool { return always[inv.Expr] })
}

// finish puts the points of a document in order, puts apart in each what check does not assume, and gives all invariants their ids.
func finishPoints(points []schemas.Point) {
	slices.SortFunc(points, func(a, b schemas.Point) int { return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.At, b.At)) })
	n := 0
	for i := range points {
		p := &points[i]
		all := p.Invariants
		p.Invariants = []schemas.Invariant{}
		for _, inv := range all {
			if inv.Assumed {
				p.Invariants = append(p.Invariants, inv)
			} else {
				p.Ambitious = append(p.Ambitious, inv)
			}
		}
		for _, list := range [][]schemas.Invariant{p.Invariants, p.Ambitious} {
			for j := range list {
				n++
				list[j].ID = fmt.Sprintf("I%d", n)
			}
		}
	}
}

// sameVars compares names and representations; how a type is written depends on the package it is seen from.
func sameVars(a, b []schemas.TraceVar) bool {
	return slices.EqualFunc(a, b, func(x, y schemas.TraceVar) bool { return x.Name == y.Name && x.Rep == y.Rep })
}
