package infer

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Join returns the invariants that hold in all the runs from which documents of one module were
// learned. For a function that only some of the runs called, it returns the invariants of those.
// The operation is associative and commutative. docs must not be empty.
//
// A merged trace gives more invariants than the joined documents: a document leaves out what its
// run alone did not justify.
//
// Errors: documents of different modules.
func Join(docs []*schemas.Invariants) (*schemas.Invariants, error) {
	out := &schemas.Invariants{Header: schemas.Header{Module: docs[0].Module}}
	points := map[pointKey]*joinedPoint{}
	for _, d := range docs {
		if d.Module.Path != out.Module.Path {
			return nil, fmt.Errorf("invariants of module %s cannot be joined with those of %s",
				describe(d.Module), describe(out.Module))
		}
		out.Incomplete = out.Incomplete || d.Incomplete
		for _, p := range d.Points {
			s := parsePoint(&p)
			if old := points[pointKey{p.Func, p.At}]; old != nil {
				s = old.join(s)
			}
			points[pointKey{p.Func, p.At}] = s
		}
	}
	for at, s := range points {
		out.Points = append(out.Points, schemas.Point{
			Func: at.fn, At: at.at, Samples: s.samples, Invariants: s.invariants(),
		})
	}
	finishPoints(out.Points)
	return out, nil
}

// joinedPoint holds the invariants of a point as elements of a lattice, which makes it easy to
// compute what two of them have in common: for each number the values that it can have, for each
// two variables the ways in which they can compare. Every other invariant is kept if both points
// have it.
type joinedPoint struct {
	samples int64
	values  map[string]*valueSet
	orders  map[[2]string]*orderSet
	rest    map[string]schemas.Invariant // by expression
}

// evidence is the evidence for an invariant.
type evidence struct {
	samples    int64
	confidence float64
	guards     []string // the conditions under which the variables exist, sorted
}

// and returns the evidence for an invariant that both runs support.
func (e evidence) and(f evidence) evidence {
	guards := slices.Concat(e.guards, f.guards)
	slices.Sort(guards)
	return evidence{e.samples + f.samples, min(e.confidence, f.confidence), slices.Compact(guards)}
}

// valueSet holds the values that a variable can have: a set, bounds, or both. The bounds are those
// of the set if there is one.
type valueSet struct {
	set         []string // literals, sorted; nil if there is no set
	setEvidence evidence
	lo, hi      *int64 // nil if there is none
	loEvidence  evidence
	hiEvidence  evidence
}

// orderSet holds the ways in which two variables can compare.
type orderSet struct {
	signs    uint8
	template string // of equality
	evidence
}

const (
	less    = 1
	equal   = 2
	greater = 4
)

// orderTemplates maps templates to the ways in which their variables can compare.
var orderTemplates = map[string]uint8{
	"less":       less,
	"less-equal": less | equal,
	"equal":      equal,
	"unchanged":  equal,
	"not-equal":  less | greater,
}

// maxSet is the largest number of values for the template one-of.
const maxSet = 3

// newJoinedPoint returns a joinedPoint without invariants.
func newJoinedPoint(samples int64) *joinedPoint {
	return &joinedPoint{
		samples: samples,
		values:  map[string]*valueSet{},
		orders:  map[[2]string]*orderSet{},
		rest:    map[string]schemas.Invariant{},
	}
}

// parsePoint returns the invariants of a point as a joinedPoint.
func parsePoint(p *schemas.Point) *joinedPoint {
	s := newJoinedPoint(p.Samples)
	for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
		e := evidence{samples: inv.Samples, confidence: inv.Confidence}
		cond, err := expr.Parse(inv.Expr)
		if err == nil {
			for _, g := range expr.Guards(cond) {
				e.guards = append(e.guards, g.String())
			}
			slices.Sort(e.guards)
		}
		if !s.addValues(&inv, e) && !s.addOrder(&inv, e) {
			inv.ID = ""
			s.rest[inv.Expr] = inv
		}
	}
	for _, v := range s.values {
		if v.set != nil { // it determines the bounds
			var list []int64
			for _, x := range v.set {
				n, _ := strconv.ParseInt(x, 10, 64)
				list = append(list, n)
			}
			lo, hi := slices.Min(list), slices.Max(list)
			v.lo, v.hi, v.loEvidence, v.hiEvidence = &lo, &hi, v.setEvidence, v.setEvidence
		}
	}
	return s
}

// addValues adds an invariant about the values of one integer. It reports false for any other.
func (s *joinedPoint) addValues(inv *schemas.Invariant, e evidence) bool {
	var list []int64
	for _, p := range inv.Params {
		n, err := strconv.ParseInt(p, 10, 64)
		if err != nil {
			return false
		}
		list = append(list, n)
	}
	if len(inv.Vars) != 1 || len(list) == 0 {
		return false
	}
	v := s.values[inv.Vars[0]]
	if v == nil {
		v = &valueSet{}
	}
	switch inv.Template {
	case "constant", "one-of":
		v.set, v.setEvidence = slices.Sorted(slices.Values(inv.Params)), e
	case "lower-bound":
		v.lo, v.loEvidence = &list[0], e
	case "upper-bound":
		v.hi, v.hiEvidence = &list[0], e
	default:
		return false
	}
	s.values[inv.Vars[0]] = v
	return true
}

// addOrder adds a comparison of two variables. It reports false for any other invariant.
func (s *joinedPoint) addOrder(inv *schemas.Invariant, e evidence) bool {
	signs, ok := orderTemplates[inv.Template]
	if !ok || len(inv.Vars) != 2 {
		return false
	}
	k := [2]string{inv.Vars[0], inv.Vars[1]}
	if k[0] > k[1] && inv.Template != "unchanged" && inv.Template != "equal" {
		k[0], k[1] = k[1], k[0]
		signs = signs&equal | signs>>2&less | signs<<2&greater
	} else if k[0] > k[1] {
		k[0], k[1] = k[1], k[0]
	}
	s.orders[k] = &orderSet{signs, inv.Template, e}
	return true
}

// join returns the invariants that follow from both points.
func (s *joinedPoint) join(t *joinedPoint) *joinedPoint {
	out := newJoinedPoint(s.samples + t.samples)
	for name, v := range s.values {
		if w := t.values[name]; w != nil {
			out.values[name] = v.join(w)
		}
	}
	for k, o := range s.orders {
		if p := t.orders[k]; p != nil && o.signs|p.signs != less|equal|greater {
			out.orders[k] = &orderSet{o.signs | p.signs, o.template, o.evidence.and(p.evidence)}
		}
	}
	for expr, inv := range s.rest {
		if other, ok := t.rest[expr]; ok {
			inv.Samples, inv.Confidence = inv.Samples+other.Samples, min(inv.Confidence, other.Confidence)
			out.rest[expr] = inv
		}
	}
	return out
}

// join returns the union of two sets of values: a set if it is small, and bounds if both have them.
func (v *valueSet) join(w *valueSet) *valueSet {
	out := &valueSet{}
	if v.set != nil && w.set != nil {
		set := slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.set, w.set))))
		if len(set) <= maxSet {
			out.set, out.setEvidence = set, v.setEvidence.and(w.setEvidence)
		}
	}
	if v.lo != nil && w.lo != nil {
		lo := min(*v.lo, *w.lo)
		out.lo, out.loEvidence = &lo, v.loEvidence.and(w.loEvidence)
	}
	if v.hi != nil && w.hi != nil {
		hi := max(*v.hi, *w.hi)
		out.hi, out.hiEvidence = &hi, v.hiEvidence.and(w.hiEvidence)
	}
	return out
}

// invariants returns the invariants that the point implies.
func (s *joinedPoint) invariants() []schemas.Invariant {
	out := []schemas.Invariant{}
	add := func(template string, vars, params []string, cond expr.Expr, e evidence) {
		var guards []expr.Expr
		for _, g := range e.guards {
			guards = append(guards, expr.Var(g))
		}
		if len(guards) > 0 {
			cond = &expr.Implies{If: expr.And(guards...), Then: cond}
		}
		out = append(out, schemas.Invariant{
			Template: template, Vars: vars, Params: params, Expr: cond.String(),
			Samples: e.samples, Confidence: e.confidence, Assumed: true,
		})
	}
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		v := s.values[name]
		if v.set != nil {
			template := "one-of"
			if len(v.set) == 1 {
				template = "constant"
			}
			var parts []expr.Expr
			for _, x := range v.set {
				parts = append(parts, expr.Eq(expr.Var(name), expr.Literal(x)))
			}
			add(template, []string{name}, v.set, expr.Or(parts...), v.setEvidence)
			continue
		}
		if v.lo != nil {
			cond := expr.Op(">=", expr.Var(name), expr.Int(*v.lo))
			add("lower-bound", []string{name}, []string{fmt.Sprint(*v.lo)}, cond, v.loEvidence)
		}
		if v.hi != nil {
			cond := expr.Op("<=", expr.Var(name), expr.Int(*v.hi))
			add("upper-bound", []string{name}, []string{fmt.Sprint(*v.hi)}, cond, v.hiEvidence)
		}
	}
	keys := slices.SortedFunc(maps.Keys(s.orders), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	for _, k := range keys {
		o := s.orders[k]
		a, b := k[0], k[1]
		switch o.signs {
		case equal:
			if _, old := expr.CutOld(a); old { // the value of the exit comes first
				a, b = b, a
			}
			add(o.template, []string{a, b}, nil, expr.Eq(expr.Var(a), expr.Var(b)), o.evidence)
		case less:
			add("less", []string{a, b}, nil, expr.Op("<", expr.Var(a), expr.Var(b)), o.evidence)
		case greater:
			add("less", []string{b, a}, nil, expr.Op("<", expr.Var(b), expr.Var(a)), o.evidence)
		case less | equal:
			add("less-equal", []string{a, b}, nil, expr.Op("<=", expr.Var(a), expr.Var(b)), o.evidence)
		case greater | equal:
			add("less-equal", []string{b, a}, nil, expr.Op("<=", expr.Var(b), expr.Var(a)), o.evidence)
		case less | greater:
			add("not-equal", []string{a, b}, nil, expr.Ne(expr.Var(a), expr.Var(b)), o.evidence)
		}
	}
	for _, expr := range slices.Sorted(maps.Keys(s.rest)) {
		out = append(out, s.rest[expr])
	}
	return out
}
