package invariant

import (
	"slices"
	"strings"
	"sync"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Limits of the conditions by which the samples of a point are divided.
const (
	maxSplits = 4 // conditions
	maxTypes  = 3 // dynamic types of one variable
)

// splitter divides the samples of a point, and learns from each part what holds there alone [DAIKON: conditional invariants]:
// implies(err != nil, n == 0) is what Go programmers think in.
type splitter struct {
	vars    []int    // what decides
	names   []string // its variables' names
	parts   []*part
	isError bool
	// decide is the part that a sample belongs to; -1 for none.
	decide func(b *batch, row int) int
	// types are, for a splitter by dynamic type, the parts by the type's code; many is set when there are too many.
	types     map[int64]int
	many      bool
	partOfRow []int // by row of a batch
	keep      []bool
	// apart says, of each splitter before it, that both divided the samples differently: bits 0 and 1 for alike and not.
	agreement []uint8
}

// part is the samples of which a condition is true.
type part struct {
	cond  expr.Expr
	decl  Declaration
	point *Point // nil before the first
}

// splitters are those of a point: results that say how a call went, what the function's source asks of its inputs, and the dynamic types of results.
func splitters(decl Declaration) []*splitter {
	if decl.At != schemas.AtExit {
		return nil
	}
	var out, types []*splitter
	for i, v := range decl.Vars {
		if !v.Result || v.Pointer != "" {
			continue
		}
		s := &splitter{vars: []int{i}, names: []string{v.Name}, isError: v.Type == "error"}
		switch kinds[v.Rep] {
		case boolean:
			s.divide(decl, expr.Var(v.Name))
		case ref, dynamic:
			s.divide(decl, expr.Ne(expr.Var(v.Name), expr.Nil))
		case integer:
			if !v.IsBool {
				continue
			}
			x := expr.Var(v.Name)
			s.parts = []*part{newPart(expr.Eq(x, expr.Int(1)), decl), newPart(expr.Eq(x, expr.Zero), decl)}
		default:
			continue
		}
		s.decide = func(b *batch, row int) int {
			col := &b.columns[i]
			switch {
			case !col.present(row):
				return -1
			case col.code[row] != 0:
				return 0
			}
			return 1
		}
		out = append(out, s)
		if kinds[v.Rep] == dynamic {
			t := &splitter{vars: s.vars, names: s.names, isError: s.isError, types: map[int64]int{}}
			t.decide = func(b *batch, row int) int { return t.partOfType(b, i, row, decl) }
			types = append(types, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *splitter) int { // how a call went is told by its error first
		switch {
		case a.isError == b.isError:
			return 0
		case a.isError:
			return -1
		}
		return 1
	})
	for _, text := range decl.Conditions {
		cond, err := expr.Parse(text)
		if err != nil {
			continue
		}
		if c := compile(cond, decl); c != nil {
			s := &splitter{vars: c.columns, names: c.names}
			s.divide(decl, cond)
			s.decide = func(b *batch, row int) int { return c.side(b, row) }
			out = append(out, s)
		}
	}
	out = append(out, types...)
	return out[:min(len(out), maxSplits)]
}

// halve makes the parts of a condition and of its opposite.
func (s *splitter) divide(decl Declaration, cond expr.Expr) {
	s.parts = []*part{newPart(cond, decl), newPart(expr.Negate(cond), decl)}
}

func newPart(cond expr.Expr, decl Declaration) *part { return &part{cond: cond, decl: decl} }

// learn takes in samples.
func (p *part) learn(b *batch) {
	if p.point == nil {
		p.point = newPoint(p.decl)
		p.point.isPart = true
	}
	p.point.learn(b)
}

// typed is the part of the dynamic type of a variable, which is made when the type is first seen.
func (s *splitter) partOfType(b *batch, i, row int, decl Declaration) int {
	col := &b.columns[i]
	if s.many || !col.present(row) || col.code[row] == 0 || row >= len(col.texts) {
		return -1
	}
	k, ok := s.types[col.code[row]]
	if !ok {
		if len(s.parts) == maxTypes {
			s.many, s.parts = true, nil
			return -1
		}
		k = len(s.parts)
		s.types[col.code[row]] = k
		s.parts = append(s.parts, newPart(expr.Eq(expr.Apply("typeof", expr.Var(decl.Vars[i].Name)), expr.Literal(col.texts[row])), decl))
	}
	return k
}

// partRooms are where the samples of a part are.
var partBatches = sync.Pool{New: func() any { return new(batch) }}

// learn gives each part its samples. before are the splitters before it.
func (s *splitter) learn(b *batch, before []*splitter) {
	s.partOfRow = s.partOfRow[:0]
	for row := range b.n {
		s.partOfRow = append(s.partOfRow, s.decide(b, row))
	}
	for len(s.agreement) < len(before) {
		s.agreement = append(s.agreement, 0)
	}
	for i, t := range before {
		for row, side := range s.partOfRow {
			if t.partOfRow[row] == side {
				s.agreement[i] |= 1
			} else {
				s.agreement[i] |= 2
			}
		}
	}
	for k, part := range s.parts {
		s.keep = s.keep[:0]
		n := 0
		for _, side := range s.partOfRow {
			s.keep = append(s.keep, side == k)
			if side == k {
				n++
			}
		}
		switch {
		case n == b.n:
			part.learn(b)
		case n > 0:
			some := partBatches.Get().(*batch)
			b.selectRows(some, s.keep)
			part.learn(some)
			some.reset()
			partBatches.Put(some)
		}
	}
}

// same says that two splitters of two parts each divided all samples alike, one way or the other.
func sameDivision(apart uint8) bool { return apart != 3 }

// implications are what holds in one part and not in all samples, which told is of.
func (s *splitter) implications(p *Point, told []learned) []learned {
	known := map[string]bool{}
	for _, inv := range told {
		known[inv.cond.String()] = true
	}
	filled := slices.DeleteFunc(slices.Clone(s.parts), func(t *part) bool { return t.point == nil })
	if len(filled) < 2 || s.types == nil && slices.ContainsFunc(s.agreement, sameDivision) {
		return nil // there are no two parts, or they have been told of
	}
	if s.types != nil { // in an order that is not that of the samples
		slices.SortFunc(filled, func(a, b *part) int { return strings.Compare(a.cond.String(), b.cond.String()) })
	}
	var out []learned
	for k, part := range filled {
		part.point.Confidence = p.Confidence
		for _, inv := range part.point.unconditional() {
			if known[inv.cond.String()] || s.readsOnlySplit(inv.Vars) || p.isRedundant(inv, told) {
				continue
			}
			if c := contrapositive(inv.cond, filled, k); c != nil && known[c.String()] {
				continue
			}
			template := "implication"
			if expr.Guards(inv.cond) == nil && s.isError && s.types == nil && k == 1 && inv.Template == "non-nil" && p.isResult(inv.Vars[0]) {
				template = "error-result"
			}
			inv.Params = append([]string{inv.Template}, inv.Params...)
			inv.Template = template
			inv.cond = expr.When(part.cond, inv.cond)
			inv.Vars = append(slices.Clone(s.names), inv.Vars...)
			inv.Assumed = inv.Assumed && s.types == nil
			out = append(out, inv)
		}
	}
	return out
}

// decided says that the part alone decides what variables are.
func (s *splitter) readsOnlySplit(vars []string) bool {
	for _, v := range vars {
		if !slices.Contains(s.names, v) {
			return false
		}
	}
	return true
}

// contrapositive returns what says the same as implies(parts[k].cond, then): that the opposite of
// then implies the other part's condition. Only what can be the condition of a part has one: a test
// of nil, or a bool.
func contrapositive(then expr.Expr, parts []*part, k int) expr.Expr {
	if len(parts) != 2 {
		return nil
	}
	if c, ok := then.(*expr.Binary); ok && !expr.IsNil(c.Y) {
		return nil
	}
	return &expr.Implies{If: expr.Negate(then), Then: parts[1-k].cond}
}

func (p *Point) isResult(name string) bool {
	return slices.ContainsFunc(p.decl.Vars, func(v Variable) bool { return v.Name == name && v.Result })
}

// weaker says that what holds in a part is told of all samples already, in stronger words: a constant, an equality.
func (p *Point) isRedundant(inv learned, told []learned) bool {
	for _, t := range told {
		if (t.Template == "constant" || t.Template == "always-nil") && slices.Equal(t.Vars, inv.Vars) {
			return true
		}
	}
	return false
}
