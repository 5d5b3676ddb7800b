package logic

import (
	"cmp"
	"slices"
)

// A Builder makes terms. It shares equal terms: a method that would make a term again returns the
// existing one. Each method simplifies, so the result may have another operator than the method's
// name says. A Builder must not be used concurrently.
type Builder struct {
	// Literals holds the contents of the objects that are string constants.
	Literals map[uint32]string
	// Limit is the number of terms at which making another one panics with TooLarge; 0 means no
	// limit.
	Limit int
	// AnyTime reports that variables that are memories stand for their contents at some point of a run,
	// not for those at its start. Only at the start are all slots that memories hold 0.
	AnyTime bool
	// Contents, if not nil, returns the initial contents of a cell, and reports whether they are known.
	Contents func(Cell) (uint64, bool)

	terms terms
	n     int   // number of terms
	t, f  *Term // true and false

	// Caches.
	reads   reads
	regions map[*Term]regionSet
	writes  map[*Term]*writes // by memories that are an OpIte
	ranges  map[rangeKey]interval
}

// TooLarge is the value that a Builder panics with at its limit.
type TooLarge struct{}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{
		Literals: map[uint32]string{}, terms: newTerms(), reads: newReads(),
		regions: map[*Term]regionSet{}, writes: map[*Term]*writes{}, ranges: map[rangeKey]interval{},
	}
	b.t, b.f = b.Const(Bool, 1), b.Const(Bool, 0)
	return b
}

// Size returns the number of terms made.
func (b *Builder) Size() int { return b.n }

func (b *Builder) count() {
	if b.n++; b.Limit > 0 && b.n > b.Limit {
		panic(TooLarge{})
	}
}

// make returns the term with this operator and these arguments, without simplifying it.
func (b *Builder) make(op Op, s Sort, args ...*Term) *Term {
	return b.intern(Term{Op: op, Sort: s}, args...)
}

// Const returns a constant. It cuts integers to the width of the sort.
func (b *Builder) Const(s Sort, v uint64) *Term {
	switch s.Kind {
	case KBV:
		v &= Mask(s.Bits())
	case KFloat:
		v = canonicalNaN(v&Mask(s.Bits()), s.Bits())
	}
	return b.intern(Term{Op: OpConst, Sort: s, Val: v})
}

// True returns the constant true.
func (b *Builder) True() *Term { return b.t }

// False returns the constant false.
func (b *Builder) False() *Term { return b.f }

// Bool returns a boolean constant.
func (b *Builder) Bool(v bool) *Term {
	if v {
		return b.t
	}
	return b.f
}

// Var returns the value of a variable, or the initial contents of a memory.
func (b *Builder) Var(v *Var) *Term { return b.intern(Term{Op: OpVar, Sort: v.Sort, Var: v}) }

// Not returns the negation of a.
func (b *Builder) Not(a *Term) *Term {
	switch {
	case a.Op == OpConst:
		return b.Bool(a.Val == 0)
	case a.Op == OpNot:
		return a.Args[0]
	case a.Op == OpSLt: // not (x < y) is y <= x
		return b.Cmp(OpSLe, a.Args[1], a.Args[0])
	case a.Op == OpSLe:
		return b.Cmp(OpSLt, a.Args[1], a.Args[0])
	case a.Op == OpULt:
		return b.Cmp(OpULe, a.Args[1], a.Args[0])
	case a.Op == OpULe:
		return b.Cmp(OpULt, a.Args[1], a.Args[0])
	}
	return b.make(OpNot, Bool, a)
}

// And returns the conjunction of args; without any, true.
func (b *Builder) And(args ...*Term) *Term { return b.junction(OpAnd, b.t, b.f, args) }

// Or returns the disjunction of args; without any, false.
func (b *Builder) Or(args ...*Term) *Term { return b.junction(OpOr, b.f, b.t, args) }

// Implies returns the implication from p to q.
func (b *Builder) Implies(p, q *Term) *Term { return b.Or(b.Not(p), q) }

// maxFlat is the largest number of operands of a junction that is merged into an enclosing one.
// Without the limit, conditions that grow by one operand at a time, such as those of a long switch,
// take quadratic time and memory.
const maxFlat = 16

// junction returns a conjunction (op OpAnd, unit true, zero false) or a disjunction (op OpOr, unit
// false, zero true):
//
//	unit op p     = p
//	zero op p     = zero
//	p op (q op r) = p op q op r, for few operands
//	p op p        = p
//	p op not p    = zero
//
// and the laws of absorb.
func (b *Builder) junction(op Op, unit, zero *Term, args []*Term) *Term {
	var flat []*Term
	var add func(list []*Term) bool
	add = func(list []*Term) bool {
		for _, a := range list {
			switch {
			case a == zero:
				return false
			case a == unit:
			case a.Op == op && len(a.Args) <= maxFlat:
				if !add(a.Args) {
					return false
				}
			default:
				flat = append(flat, a)
			}
		}
		return true
	}
	if !add(args) {
		return zero
	}
	slices.SortFunc(flat, byID)
	out := slices.Compact(flat)
	if len(out) > 1 {
		for _, a := range out {
			if in(out, b.Not(a)) {
				return zero
			}
		}
		out = b.absorb(op, out)
	}
	switch len(out) {
	case 0:
		return unit
	case 1:
		return out[0]
	}
	return b.make(op, Bool, out...)
}

func byID(x, y *Term) int { return cmp.Compare(x.ID, y.ID) }

// in reports whether a list of terms in the order of their IDs contains t.
func in(list []*Term, t *Term) bool {
	from, to := 0, len(list)
	for from < to {
		if at := int(uint(from+to) >> 1); list[at].ID < t.ID {
			from = at + 1
		} else {
			to = at
		}
	}
	return from < len(list) && list[from].ID == t.ID
}

// absorb simplifies the operands of a junction, in the order of their IDs, by each other. For a
// conjunction, and likewise for a disjunction:
//
//	p and (p or q)     = p
//	p and (not p or q) = p and q
func (b *Builder) absorb(op Op, list []*Term) []*Term {
	dual := OpOr
	if op == OpOr {
		dual = OpAnd
	}
	changed := false
	var out []*Term
	for _, t := range list {
		if t.Op != dual || len(t.Args) > maxFlat {
			out = append(out, t)
			continue
		}
		rest := t.Args // those that stay
		redundant := false
		for i, x := range t.Args {
			if in(list, x) {
				redundant = true
				break
			}
			if in(list, b.Not(x)) {
				if len(rest) == len(t.Args) {
					rest = slices.Clone(t.Args[:i])
				}
			} else if len(rest) < len(t.Args) {
				rest = append(rest, x)
			}
		}
		switch {
		case redundant:
			changed = true
		case len(rest) < len(t.Args):
			changed = true
			if dual == OpOr {
				out = append(out, b.Or(rest...))
			} else {
				out = append(out, b.And(rest...))
			}
		default:
			out = append(out, t)
		}
	}
	if !changed {
		return list
	}
	unit, zero := b.t, b.f
	if op == OpOr {
		unit, zero = b.f, b.t
	}
	return []*Term{b.junction(op, unit, zero, out)}
}

// Ite returns the choice of x if c holds, and otherwise of y.
func (b *Builder) Ite(c, x, y *Term) *Term {
	switch {
	case c.IsTrue() || x == y:
		return x
	case c.IsFalse():
		return y
	case c.Op == OpNot:
		return b.Ite(c.Args[0], y, x)
	}
	if x.Op == OpIte && x.Args[0] == c {
		x = x.Args[1]
	}
	if y.Op == OpIte && y.Args[0] == c {
		y = y.Args[2]
	}
	if x == y {
		return x
	}
	if x.Sort.Kind == KBool {
		switch {
		case x.IsTrue():
			return b.Or(c, y)
		case x.IsFalse():
			return b.And(b.Not(c), y)
		case y.IsTrue():
			return b.Or(b.Not(c), x)
		case y.IsFalse():
			return b.And(c, x)
		}
	}
	return b.make(OpIte, x.Sort, c, x, y)
}

// Eq returns the equality of two terms of one sort. Floats are equal if they have the same bits,
// with one NaN; Go's == is Cmp with OpFEq.
func (b *Builder) Eq(x, y *Term) *Term {
	if x == y {
		return b.t
	}
	if x.Op == OpConst && y.Op == OpConst {
		return b.Bool(x.Val == y.Val)
	}
	if x.ID > y.ID {
		x, y = y, x
	}
	if x.Sort.Kind == KBool {
		switch {
		case x.Op == OpConst:
			return b.sameBool(x, y)
		case y.Op == OpConst:
			return b.sameBool(y, x)
		}
	}
	if x.Sort.Kind == KBV {
		if t := b.eqBV(x, y); t != nil {
			return t
		}
	}
	return b.make(OpEq, Bool, x, y)
}

// sameBool returns the equality of a boolean with the constant c.
func (b *Builder) sameBool(c, x *Term) *Term {
	if c.Val == 1 {
		return x
	}
	return b.Not(x)
}

// eqBV returns a simpler form of an equation of integers, or nil.
func (b *Builder) eqBV(x, y *Term) *Term {
	bx, cx := b.offset(x)
	by, cy := b.offset(y)
	if bx == by {
		return b.Bool(cx == cy)
	}
	if x.Sort == Obj && b.disjoint(x, y) {
		return b.f
	}
	if x.Op == OpConst {
		x, y = y, x
	}
	if y.Op != OpConst {
		return nil
	}
	k := y.Val
	switch x.Op {
	case OpAdd: // x + c == k
		if c, ok := x.Args[1].Const(); ok {
			return b.Eq(x.Args[0], b.Const(x.Sort, k-c))
		}
	case OpIte:
		_, p := x.Args[1].Const()
		_, q := x.Args[2].Const()
		if p || q {
			return b.Ite(x.Args[0], b.Eq(x.Args[1], y), b.Eq(x.Args[2], y))
		}
	case OpZExt:
		in := x.Args[0].Sort.Bits()
		if k&^Mask(in) != 0 {
			return b.f
		}
		return b.Eq(x.Args[0], b.Const(BV(in), k))
	case OpSExt:
		in := x.Args[0].Sort.Bits()
		if uint64(Signed(k, in))&Mask(x.Sort.Bits()) != k {
			return b.f
		}
		return b.Eq(x.Args[0], b.Const(BV(in), k))
	}
	return nil
}

// offset splits a term into the sum of a base and a constant. The base of a constant is nil.
func (b *Builder) offset(t *Term) (*Term, uint64) {
	if t.Op == OpConst {
		return nil, t.Val
	}
	if t.Op == OpAdd && t.Args[1].Op == OpConst {
		return t.Args[0], t.Args[1].Val
	}
	return t, 0
}

// Apply returns the term like t with the arguments a, simplified as the method for its operator
// does.
func (b *Builder) Apply(t *Term, a []*Term) *Term {
	switch t.Op {
	case OpConst:
		return b.Const(t.Sort, t.Val)
	case OpVar:
		return b.Var(t.Var)
	case OpSelect:
		return b.initial(t.Var, a[0], a[1])
	case OpNot:
		return b.Not(a[0])
	case OpAnd:
		return b.And(a...)
	case OpOr:
		return b.Or(a...)
	case OpEq:
		return b.Eq(a[0], a[1])
	case OpIte:
		return b.Ite(a[0], a[1], a[2])
	case OpAdd:
		return b.Add(a[0], a[1])
	case OpMul:
		return b.Mul(a[0], a[1])
	case OpUDiv, OpURem, OpSDiv, OpSRem, OpBAnd, OpBOr, OpBXor, OpShl, OpLShr, OpAShr:
		return b.Bin(t.Op, a[0], a[1])
	case OpULt, OpULe, OpSLt, OpSLe, OpFLt, OpFLe, OpFEq:
		return b.Cmp(t.Op, a[0], a[1])
	case OpExtract:
		return b.Extract(int(t.Hi), int(t.Lo), a[0])
	case OpZExt:
		return b.ZExt(a[0], t.Sort.Bits())
	case OpSExt:
		return b.SExt(a[0], t.Sort.Bits())
	case OpFAdd, OpFSub, OpFMul, OpFDiv:
		return b.FBin(t.Op, a[0], a[1])
	case OpFNeg, OpFFromS, OpFFromU, OpFToS, OpFToU, OpFToF, OpFBits:
		return b.FConv(t.Op, t.Sort, a[0])
	case OpStore:
		return b.Store(a[0], a[1], a[2], a[3])
	case OpFill:
		return b.Fill(a[0], a[1], a[2])
	case OpReplace:
		return b.Replace(a[0], a[1], a[2])
	case OpCopy:
		return b.Copy(a[0], a[1], a[2], a[3], a[4], a[5], a[6])
	}
	panic("logic: Apply of " + t.Op.String())
}
