package invariant

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"dsd/internal/expr"
	"dsd/schemas"
)

// Limits of the conditions that divide the samples of a point.
const (
	maxSplits = 4 // conditions per point
	maxTypes  = 3 // dynamic types per variable
)

// splitter divides the samples of a point by a condition, and learns what holds in each part alone
// [DAIKON: conditional invariants]. A typical result is implies(err != nil, n == 0) at an exit, or
// implies(x.kind == 1, x.body != nil) at an entry or of a type.
type splitter struct {
	names   []string // the variables of the condition
	parts   []*part
	isError bool // the condition is on a result of type error
	// decide returns the part that a sample belongs to, or -1 for none.
	decide func(b *batch, row int) int
	// types maps the code of a dynamic type to its part. It is nil unless the samples are
	// divided by dynamic type. many is set when there are more than maxTypes.
	types map[int64]int
	many  bool
	// agreement holds, for each earlier splitter, how the two divided the samples: agreed and
	// differed.
	agreement []uint8

	// Memory for learn.
	partOfRow []int // by row of a batch
	keep      []bool
}

// Bits of splitter.agreement.
const (
	agreed   = 1 << iota // both put some sample into parts of the same number
	differed             // both put some sample into parts of different numbers
)

// part holds the samples for which a condition is true.
type part struct {
	cond  expr.Expr
	decl  Declaration
	point *Point // nil before the first sample
}

func newPart(cond expr.Expr, decl Declaration) *part { return &part{cond: cond, decl: decl} }

// splitters returns the splitters of a point, at most maxSplits: at an exit by results that tell
// success from failure, errors first; by the conditions of the function's source; by bools at an
// entry and of a type; by the dynamic types of results.
func splitters(decl Declaration) []*splitter {
	if decl.At == schemas.AtPanic {
		return nil
	}
	var out, types []*splitter
	for i, v := range decl.Vars {
		if !v.Result || v.Pointer != "" || decl.At != schemas.AtExit {
			continue
		}
		s := truthSplitter(decl, i)
		if s == nil {
			continue
		}
		out = append(out, s)
		if kindOf(v.Rep) == dynamic {
			t := &splitter{names: s.names, isError: s.isError, types: map[int64]int{}}
			t.decide = func(b *batch, row int) int { return t.partOfType(b, i, row, decl) }
			types = append(types, t)
		}
	}
	slices.SortStableFunc(out, func(a, b *splitter) int {
		rank := map[bool]int{true: 0, false: 1}
		return cmp.Compare(rank[a.isError], rank[b.isError])
	})
	for _, text := range decl.Conditions {
		cond, err := expr.Parse(text)
		if err != nil {
			continue
		}
		if c := compile(cond, decl); c != nil {
			s := &splitter{names: c.names, decide: c.side}
			s.divide(decl, cond)
			out = append(out, s)
		}
	}
	for i, v := range decl.Vars {
		if decl.At == schemas.AtExit || kindOf(v.Rep) != boolean ||
			strings.ContainsAny(v.Pointer, ".[") { // far away: little depends on it
			continue
		}
		out = append(out, truthSplitter(decl, i))
	}
	out = append(out, types...)
	return out[:min(len(out), maxSplits)]
}

// truthSplitter returns the splitter by the truth or nilness of the variable in column i. It returns
// nil for a variable of another kind.
func truthSplitter(decl Declaration, i int) *splitter {
	v := decl.Vars[i]
	x := variableNamed(v.Name)
	s := &splitter{names: []string{v.Name}, isError: v.Type == "error"}
	switch kindOf(v.Rep) {
	case boolean:
		s.divide(decl, x)
	case ref, dynamic:
		s.divide(decl, expr.Ne(x, expr.Nil))
	case integer:
		if !v.IsBool {
			return nil
		}
		s.parts = []*part{
			newPart(expr.Eq(x, expr.Int(1)), decl),
			newPart(expr.Eq(x, expr.Zero), decl),
		}
	default:
		return nil
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
	return s
}

// divide sets the parts to those of a condition and of its negation.
func (s *splitter) divide(decl Declaration, cond expr.Expr) {
	s.parts = []*part{newPart(cond, decl), newPart(expr.Negate(cond), decl)}
}

// partOfType returns the part of the dynamic type of the variable in column i. It adds the part
// when the type first occurs. After more than maxTypes types there are no parts.
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
		typeOf := expr.Apply("typeof", variableNamed(decl.Vars[i].Name))
		cond := expr.Eq(typeOf, expr.Literal(col.texts[row]))
		s.parts = append(s.parts, newPart(cond, decl))
	}
	return k
}

// partBatches holds the memory for the samples of one part.
var partBatches = sync.Pool{New: func() any { return new(batch) }}

// learn updates each part with its samples of a batch. before holds the earlier splitters, which
// have learned from the batch already.
func (s *splitter) learn(b *batch, before []*splitter) {
	s.partOfRow = s.partOfRow[:0]
	for row := range b.n {
		s.partOfRow = append(s.partOfRow, s.decide(b, row))
	}
	for len(s.agreement) < len(before) {
		s.agreement = append(s.agreement, 0)
	}
	for i, t := range before {
		for row, part := range s.partOfRow {
			if t.partOfRow[row] == part {
				s.agreement[i] |= agreed
			} else {
				s.agreement[i] |= differed
			}
		}
	}
	for k, part := range s.parts {
		s.keep = s.keep[:0]
		n := 0
		for _, of := range s.partOfRow {
			s.keep = append(s.keep, of == k)
			if of == k {
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

// learn updates the part with samples.
func (p *part) learn(b *batch) {
	if p.point == nil {
		p.point = newPoint(p.decl)
		p.point.isPart = true
	}
	p.point.learn(b)
}

// sameDivision reports whether two splitters of two parts each divided all samples alike, with the
// parts in the same or in opposite order.
func sameDivision(agreement uint8) bool { return agreement != agreed|differed }

// implications returns what holds in one part and does not follow from overall, the invariants of
// all samples.
func (s *splitter) implications(p *Point, overall []learned) []learned {
	isEmpty := func(t *part) bool { return t.point == nil }
	filled := slices.DeleteFunc(slices.Clone(s.parts), isEmpty)
	if len(filled) < 2 {
		return nil // the one part is all samples
	}
	if s.types == nil && slices.ContainsFunc(s.agreement, sameDivision) {
		return nil // the earlier splitter emits the same
	}
	if s.types != nil { // the order of the parts is that of the samples, which must not matter
		slices.SortFunc(filled, func(a, b *part) int {
			return strings.Compare(a.cond.String(), b.cond.String())
		})
	}
	known := map[string]bool{}
	for _, inv := range overall {
		known[inv.Expr] = true
	}
	var out []learned
	guard := s.guard(p.decl, known)
	for _, g := range guard {
		known[g.String()] = true
	}
	for k, part := range filled {
		part.point.Confidence = p.Confidence
		for _, inv := range part.point.unconditional() {
			if known[inv.Expr] || s.readsOnlySplit(inv.Vars) ||
				isRedundant(inv, overall) {
				continue
			}
			if c := contrapositive(inv.cond, filled, k); c != nil && known[c.String()] {
				continue
			}
			template := "implication"
			if s.isError && s.types == nil && k == 1 && p.isNonNilResult(inv) {
				template = "error-result"
			}
			inv.Params = append([]string{inv.Template}, inv.Params...)
			inv.Template = template
			inv.cond = expr.When(part.cond, inv.cond)
			if len(guard) > 0 {
				inv.cond = expr.When(expr.And(guard...), inv.cond)
			}
			inv.Expr = inv.cond.String()
			inv.Vars = append(slices.Clone(s.names), inv.Vars...)
			// What the tests did not try under some condition is where bugs are left: at
			// entries and of types, check does not assume it. It judges inputs all the same.
			inv.Assumed = inv.Assumed && s.types == nil && p.decl.At == schemas.AtExit
			out = append(out, inv)
		}
	}
	return out
}

// guard returns the conditions under which the variables of the condition exist: the pointers on the
// way are not nil, as far as that is not known of all samples.
func (s *splitter) guard(decl Declaration, known map[string]bool) (out []expr.Expr) {
	for _, v := range decl.Vars {
		if v.Pointer == "" || v.Result || !slices.Contains(s.names, v.Name) {
			continue
		}
		isSet := expr.Ne(variableNamed(v.Pointer), expr.Nil)
		if !known[isSet.String()] && decl.At != schemas.AtExit {
			out = append(out, isSet)
		}
	}
	return out
}

// readsOnlySplit reports whether the variables are all part of the condition, which then determines
// them.
func (s *splitter) readsOnlySplit(vars []string) bool {
	for _, v := range vars {
		if !slices.Contains(s.names, v) {
			return false
		}
	}
	return true
}

// contrapositive returns the contrapositive of implies(parts[k].cond, then): the negation of then
// implies the condition of the other part. It returns nil unless then can be the condition of a
// part: a test of nil, or a bool.
func contrapositive(then expr.Expr, parts []*part, k int) expr.Expr {
	if len(parts) != 2 {
		return nil
	}
	if c, ok := then.(*expr.Binary); ok && !expr.IsNil(c.Y) {
		return nil
	}
	return &expr.Implies{If: expr.Negate(then), Then: parts[1-k].cond}
}

// isNonNilResult reports whether an invariant states without a condition that a result is not nil.
func (p *Point) isNonNilResult(inv learned) bool {
	if expr.Guards(inv.cond) != nil || inv.Template != "non-nil" {
		return false
	}
	return slices.ContainsFunc(p.decl.Vars, func(v Variable) bool {
		return v.Name == inv.Vars[0] && v.Result
	})
}

// isRedundant reports whether overall has an invariant which determines the variables of inv.
func isRedundant(inv learned, overall []learned) bool {
	for _, t := range overall {
		isConstant := t.Template == "constant" || t.Template == "always-nil"
		if isConstant && slices.Equal(t.Vars, inv.Vars) {
			return true
		}
	}
	return false
}
