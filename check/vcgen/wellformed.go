package vcgen

import (
	"slices"

	"dsd/check/logic"
)

// Limits of inputs: nothing larger is looked for.
const (
	maxObjects = 64      // objects of one type
	maxLen     = 1 << 16 // elements and bytes
)

// UnknownFn is the identity of a function value that is not one of the testee's.
const UnknownFn = 0xffffffff

// Inputs makes the conditions on the inputs of a function. It makes those on each input once: an interface that
// hundreds of types implement has as many.
type Inputs struct {
	b *logic.Builder
	// conditions are those on an input alone.
	conditions map[*logic.Term][]*logic.Term
}

// NewInputs returns Inputs whose terms b makes.
func NewInputs(b *logic.Builder) *Inputs {
	return &Inputs{b, map[*logic.Term][]*logic.Term{}}
}

// WellFormed returns what holds of the inputs that the terms mention, because every Go value is
// like that: lengths are not negative and within capacities, pointers point to objects of their
// type, interfaces hold types that implement them. The result mentions further inputs, and covers
// those too.
func (in *Inputs) WellFormed(terms []*logic.Term) []*logic.Term {
	wf := &wellFormed{Inputs: in, entries: map[*logic.Var][]*logic.Term{}}
	wf.add(terms...)
	for len(wf.work) > 0 {
		leaf := wf.work[0]
		wf.work = wf.work[1:]
		list, ok := in.conditions[leaf]
		if !ok {
			list = in.leaf(leaf)
			in.conditions[leaf] = list
		}
		if leaf.Var.Domain.Role == logic.RoleMapHas {
			list = slices.Concat(list, wf.otherEntries(leaf))
		}
		wf.out = append(wf.out, list...)
		wf.add(list...)
	}
	return wf.out
}

// wellFormed is the work of one call.
type wellFormed struct {
	*Inputs
	seen logic.Set
	work []*logic.Term
	out  []*logic.Term
	// entries are keys of maps whose presence matters, by the memory that says so.
	entries map[*logic.Var][]*logic.Term
}

// add queues the inputs that the terms mention.
func (wf *wellFormed) add(terms ...*logic.Term) {
	for _, t := range terms {
		wf.visit(t)
	}
}

func (wf *wellFormed) visit(t *logic.Term) {
	if !wf.seen.Add(t) {
		return
	}
	for _, a := range t.Args {
		wf.visit(a)
	}
	if t.Op == logic.OpVar || t.Op == logic.OpSelect {
		wf.work = append(wf.work, t)
	}
}

// sibling is another scalar of the same value.
func sibling(b *logic.Builder, t *logic.Term, r logic.Role) *logic.Term {
	v := t.Var.Domain.Group.Of(r)
	if v == nil {
		return nil
	}
	if t.Op == logic.OpVar {
		return b.Var(v)
	}
	return b.Select(b.Var(v), t.Args[0], t.Args[1])
}

// leaf returns the conditions on one input.
func (in *Inputs) leaf(t *logic.Term) (out []*logic.Term) {
	b := in.b
	d := t.Var.Domain
	say := func(c *logic.Term) {
		if !c.IsTrue() {
			out = append(out, c)
		}
	}
	is := func(n uint64) *logic.Term { return b.Eq(t, b.Const(t.Sort, n)) }
	within := func(obj *logic.Term, region uint32) *logic.Term {
		return b.And(b.Eq(b.Extract(31, 16, obj), b.Const(logic.BV(16), uint64(region))),
			b.Cmp(logic.OpULt, b.Extract(15, 0, obj), b.Const(logic.BV(16), maxObjects)))
	}
	upTo := func(limit *logic.Term) *logic.Term { return b.Cmp(logic.OpULe, t, limit) }
	switch d.Role {
	case logic.RoleObj:
		if d.Some {
			say(within(t, d.Region))
			break
		}
		say(b.Or(is(0), within(t, d.Region)))
		if n := sibling(b, t, logic.RoleCap); n != nil {
			say(b.Or(b.Not(is(0)), b.Eq(n, b.Const(n.Sort, 0))))
		}
	case logic.RoleSlot:
		say(is(0))
	case logic.RoleLen:
		if c := sibling(b, t, logic.RoleCap); c != nil {
			say(upTo(c))
		}
		say(upTo(b.Const(t.Sort, maxLen)))
	case logic.RoleCap:
		say(upTo(b.Const(t.Sort, maxLen)))
		if o := sibling(b, t, logic.RoleObj); o != nil {
			say(b.Or(is(0), b.Not(b.Eq(o, b.Const(o.Sort, 0)))))
		}
	case logic.RoleStrLen:
		say(upTo(b.Const(t.Sort, maxLen)))
	case logic.RoleStrObj:
		say(within(t, d.Region))
	case logic.RoleUnset:
		say(b.Not(t))
	case logic.RoleMapLen:
		say(upTo(b.Const(t.Sort, maxLen)))
	case logic.RoleMapHas:
		if size := in.size(t); size != nil { // an entry counts
			say(b.Or(b.Not(t), b.Not(b.Eq(size, b.Const(size.Sort, 0)))))
		}
	case logic.RoleFn:
		say(b.Or(is(0), is(UnknownFn)))
	case logic.RoleTag:
		var some []*logic.Term
		if !d.Some {
			some = append(some, is(0))
		}
		for _, n := range d.Tags {
			some = append(some, is(uint64(n)))
		}
		say(b.Or(some...))
	case logic.RoleIfaceObj:
		tag := sibling(b, t, logic.RoleTag)
		if tag == nil {
			break
		}
		for i, n := range d.Tags {
			ok := within(t, d.Regions[i])
			if !d.NotNil[i] {
				ok = b.Or(is(0), ok)
			}
			say(b.Or(b.Not(b.Eq(tag, b.Const(tag.Sort, uint64(n)))), ok))
		}
	}
	return out
}

// size returns the number of entries of the map of whose entry has, of RoleMapHas, says whether it is there; nil if
// that is not counted.
func (in *Inputs) size(has *logic.Term) *logic.Term {
	n := has.Var.Domain.Group.Of(logic.RoleMapLen)
	if n == nil {
		return nil
	}
	return in.b.Select(in.b.Var(n), has.Args[0], in.b.Const(logic.Slot, 0))
}

// otherEntries returns the conditions on an entry of a map and those before it: two count as two, too. More are not
// counted.
func (wf *wellFormed) otherEntries(t *logic.Term) (out []*logic.Term) {
	size := wf.size(t)
	if size == nil {
		return nil
	}
	b := wf.b
	for _, u := range wf.entries[t.Var] {
		differ := b.And(b.Eq(t.Args[0], u.Args[0]), b.Not(b.Eq(t.Args[1], u.Args[1])))
		c := b.Or(b.Not(b.And(t, u, differ)), b.Cmp(logic.OpULt, b.Const(size.Sort, 1), size))
		if !c.IsTrue() {
			out = append(out, c)
		}
	}
	if len(wf.entries[t.Var]) < 8 {
		wf.entries[t.Var] = append(wf.entries[t.Var], t)
	}
	return out
}

// Small returns conditions that make the inputs which the terms mention small: few elements,
// little numbers. A counterexample that meets them is easier to read and to build.
func Small(b *logic.Builder, terms []*logic.Term, length uint64, number int64) []*logic.Term {
	var out []*logic.Term
	for _, t := range logic.Leaves(terms...) {
		switch t.Var.Domain.Role {
		case logic.RoleLen, logic.RoleCap, logic.RoleStrLen, logic.RoleMapLen:
			out = append(out, b.Cmp(logic.OpULe, t, b.Const(t.Sort, length)))
		case logic.RoleNone:
			if t.Sort.Kind != logic.KBV || number == 0 {
				continue
			}
			if t.Sort.Bits() == 8 { // perhaps a byte of a string: prefer what prints
				continue
			}
			out = append(out, b.Cmp(logic.OpSLe, b.Const(t.Sort, uint64(-number)), t),
				b.Cmp(logic.OpSLe, t, b.Const(t.Sort, uint64(number))))
		}
	}
	return out
}
