package infer

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"dsd/infer/dtrace"
	"dsd/infer/invariant"
	"dsd/schemas"
)

// A Source is a trace that can be read more than once.
type Source func() (*schemas.TraceReader, error)

// Invariants learns the invariants with at least the given confidence from traces of one module.
// Points of the same function are one point if they declare the same variables. A trace that
// declares other variables was made from another version of the module and is an error.
//
// If there are interfaces, the traces are read twice [DSD 7.4]. The first pass learns from the
// executed methods, and the preconditions of calls through an interface. The second pass learns the
// postconditions of the interface's method, from every execution whose inputs satisfy them.
//
// The result depends neither on the order of the samples nor on that of the traces.
//
// A truncated trace is used up to its last complete line, with a warning to log.
//
// Errors: those of reading, and traces of different modules or versions.
func Invariants(traces []Source, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	l := &learner{log: log, confidence: confidence, points: map[pointKey]*point{}}
	all := func(*point) bool { return true }
	if err := l.read(traces, all, (*reader).learn); err != nil {
		return nil, err
	}
	if l.prepareCredits() {
		credited := func(p *point) bool { return len(p.credits) > 0 }
		if err := l.read(traces, credited, (*reader).creditInterfaces); err != nil {
			return nil, err
		}
	}
	return l.document(), nil
}

// pointKey identifies a program point.
type pointKey struct {
	fn string
	at schemas.At
}

// point is the state of learning for a program point.
type point struct {
	pointKey
	decl       schemas.TracePoint
	learned    *invariant.Point
	tests      map[string]bool     // that made the samples
	invariants []schemas.Invariant // of learned, set by document
	// typePoint is the type of the receiver, for points of methods.
	typePoint *typePoint
	// credits holds the interfaces' methods for which executions of this method may count.
	credits []*interfaceCredit
}

// FromDaikon learns from files of Daikon's front ends: .decls, then .dtrace. Warnings go to log.
func FromDaikon(files []string, confidence float64, log io.Writer) (*schemas.Invariants, error) {
	doc, err := dtrace.Invariants(files, confidence, log)
	if err == nil {
		finishPoints(doc.Points)
	}
	return doc, err
}

// learner is the state of Invariants.
type learner struct {
	log             io.Writer
	confidence      float64
	points          map[pointKey]*point
	types           map[string]*typePoint // by name
	doc             schemas.Invariants    // the result
	hasModule       bool                  // doc.Module is set
	warnedTruncated bool
}

// declare creates the points that a trace declares. It returns them by their number in the trace,
// nil for a point that is not used.
func (l *learner) declare(t *schemas.TraceReader) ([]*point, error) {
	h := &t.Header
	if !l.hasModule {
		l.doc.Module, l.hasModule = h.Module, true
	} else if h.Module.Path != l.doc.Module.Path {
		return nil, fmt.Errorf("%s: a trace of module %s cannot be combined with one of %s",
			t.Name(), h.Module.Path, l.doc.Module.Path)
	}
	l.doc.Incomplete = l.doc.Incomplete || h.Incomplete
	of := make([]*point, len(h.Points))
	var fresh []*point
	for i, d := range h.Points {
		k := pointKey{d.Func, d.At}
		p := l.points[k]
		switch {
		case p == nil:
			p = &point{pointKey: k, decl: d, tests: map[string]bool{}}
			l.points[k], fresh = p, append(fresh, p)
		case !sameVars(p.decl.Vars, d.Vars) && d.Interface:
			continue // declared by a package that names the types differently
		case !sameVars(p.decl.Vars, d.Vars):
			return nil, fmt.Errorf("%s: points[%d]: variables of %s differ from earlier traces",
				t.Name(), i, d.Func)
		default:
			h.Points[i].Vars = p.decl.Vars // frees the copy
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

// document returns the invariants of all points and types.
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
	doc := l.doc // a copy: a pointer into the learner would keep all of it in memory
	doc.Points = make([]schemas.Point, len(points))
	parallel(len(points), func(i int) {
		p := points[i]
		doc.Points[i] = schemas.Point{
			Func: p.fn, At: p.at, Samples: p.learned.Samples(), Tests: firstTests(p.tests),
			Invariants: l.distinctive(p),
		}
	})
	for _, t := range types {
		if p := t.point(); p != nil {
			doc.Points = append(doc.Points, *p)
		}
	}
	finishPoints(doc.Points)
	return &doc
}

// maxTests is the number of tests that a point of the document names.
const maxTests = 5

// firstTests returns the first tests by name.
func firstTests(tests map[string]bool) []string {
	names := slices.Sorted(maps.Keys(tests))
	return names[:min(len(names), maxTests)]
}

// parallel calls do for all numbers from 0 to n-1, on all processors.
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

// distinctive returns the invariants of a point, with those of its type. For calls that panic, it
// leaves out what holds for all calls: that is at the entry.
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

// finishPoints sorts the points of a document, separates the invariants that check does not assume,
// and numbers all invariants.
func finishPoints(points []schemas.Point) {
	slices.SortFunc(points, func(a, b schemas.Point) int {
		return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.At, b.At))
	})
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
				list[j].ID = "I" + strconv.Itoa(n)
			}
		}
	}
}

// sameVars reports whether two points declare variables of the same names and representations. It
// ignores types, whose text depends on the package that declares the point.
func sameVars(a, b []schemas.TraceVar) bool {
	return slices.EqualFunc(a, b, func(x, y schemas.TraceVar) bool {
		return x.Name == y.Name && x.Rep == y.Rep
	})
}
