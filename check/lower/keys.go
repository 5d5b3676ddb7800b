package lower

import (
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// The contents of a map are indexed by a key of 64 bits, which the parts of a Go key share. A key
// whose parts do not fit is out of bounds: a long string, or a large number next to other parts. Of
// types whose keys never fit nothing is known of their equality.

// A KeyPart is an indivisible part of a Go key and its position in the packed key.
type KeyPart struct {
	Type        types.Type
	Bits, Shift int
}

// Of extracts the part from a packed key.
func (p KeyPart) Of(key uint64) uint64 { return key >> p.Shift & (1<<p.Bits - 1) }

// KeyParts returns the parts of keys of type t in order, or nil if they cannot be packed. Parts of
// a fixed size get that size; the others share the rest evenly, in whole bytes.
func (lt *layoutTable) KeyParts(t types.Type) []KeyPart { return lt.KeyPartsIn(t, 64) }

// DynamicKeyBits is the number of bits of the contents of an interface in a part of that size, below
// its dynamic type.
func DynamicKeyBits(bits int) int { return bits - 16 }

// KeyPartsIn is KeyParts for a number of bits instead of 64.
func (lt *layoutTable) KeyPartsIn(t types.Type, bits int) []KeyPart {
	leaves := keyPartTypes(t, nil)
	if parts := lt.packedParts(leaves, bits, pointerKeyBits); parts != nil {
		return parts
	}
	return lt.packedParts(leaves, bits, objKeyBits)
}

// packedParts divides a number of bits among the parts of a key, of which pointers get pointerBits;
// nil if they do not fit.
func (lt *layoutTable) packedParts(leaves []types.Type, bits, pointerBits int) []KeyPart {
	keyBits := func(t types.Type) int {
		if pointee(t) != nil {
			return pointerBits
		}
		return lt.keyBits(t)
	}
	fixed, flexible := 0, 0
	for _, t := range leaves {
		if n := keyBits(t); n > 0 {
			fixed += n
		} else {
			flexible++
		}
	}
	share := 0
	if flexible > 0 {
		share = (bits - fixed) / flexible / 8 * 8
	}
	if bits < 64 && len(leaves) == 1 && lt.keyBits(leaves[0]) == 64 { // a float64, without its last bits
		return []KeyPart{{leaves[0], bits, 0}}
	}
	var out []KeyPart
	at := 0
	for _, t := range leaves {
		n := keyBits(t)
		if n == 0 {
			n = share
		}
		if n < minKeyBits(t) || at+n > bits {
			return nil
		}
		out = append(out, KeyPart{t, n, at})
		at += n
	}
	return out
}

// keyPartTypes appends the types of the indivisible parts of keys of type t to list.
func keyPartTypes(t types.Type, list []types.Type) []types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			list = keyPartTypes(f.Type(), list)
		}
		return list
	case *types.Array:
		for i := int64(0); i < u.Len() && len(list) <= 64; i++ {
			list = keyPartTypes(u.Elem(), list)
		}
		return list
	}
	return append(list, t)
}

// keyBits returns the size in bits of a part with a fixed size, or 0 for others.
func (lt *layoutTable) keyBits(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return objKeyBits
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return 1
		case info&types.IsInteger != 0 && lt.intBits(u) < 64:
			return lt.intBits(u)
		case info&types.IsFloat != 0:
			return floatBits(u)
		}
	}
	return 0
}

// minKeyBits returns the smallest size in bits with which it is worth following a part. More than
// 64 means never.
func minKeyBits(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return 48
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return 16
		}
		if u.Info()&types.IsComplex != 0 {
			return 65
		}
		return 1
	case *types.Pointer, *types.Chan:
		return objKeyBits
	}
	return 65
}

// A pointer in a key has the bits of the object and, if they fit, those of the slot below them.
const (
	objKeyBits     = 32
	pointerKeyBits = 48
)

// Pointer returns the object and the slot of a part that is a pointer.
func (p KeyPart) Pointer(part uint64) (obj, slot uint64) {
	n := p.Bits - objKeyBits
	return part >> n, part & (1<<n - 1)
}

// keyIn returns the packed key for v in a map. It asserts that no interface in v holds an
// uncomparable type; without a position it assumes so, as of the keys that a map has. A NaN, which
// differs from all keys of the map, gets the number of a NaN that no key has.
func (em *emitter) keyIn(m *types.Map, obj *logic.Term, v Value, pos token.Pos) *logic.Term {
	parts := em.w.KeyParts(v.Type)
	if parts == nil && len(v.Leaves) > 0 {
		return em.anyKey(v, pos)
	}
	// A NaN is followed if it is the whole key, and not that of a pass of a loop over the map.
	follow := pos.IsValid() && len(v.Leaves) == 1 && v.Leaves[0].Sort.Kind == logic.KFloat
	p := keyPacker{em, em.b.True(), pos, follow}
	key := p.pack(v, parts)
	if !follow {
		return em.temp(key)
	}
	b, x := em.b, v.Leaves[0]
	isNaN := b.Not(b.Cmp(logic.OpFEq, x, x))
	if isNaN.IsFalse() {
		return em.temp(key)
	}
	bits := em.havoc("NaN", types.Typ[types.Uint64]).Leaves[0]
	first, last := uint64(0x7ff0000000000001), uint64(0x7fffffffffffffff)
	if x.Sort.Bits() == 32 {
		first, last = 0x7f800001, 0x7fffffff
	}
	has := b.Select(b.Var(em.w.MapHas(m)), obj, bits)
	em.axiom(b.Or(b.Not(isNaN), b.And(b.Cmp(logic.OpULe, b.Const(logic.Int, first), bits),
		b.Cmp(logic.OpULe, bits, b.Const(logic.Int, last)), b.Not(has))))
	return em.temp(b.Ite(isNaN, bits, key))
}

// anyKey stands for the packed key of a type whose parts do not fit: any number, so that it is not
// known which keys are equal.
func (em *emitter) anyKey(v Value, pos token.Pos) *logic.Term {
	p := keyPacker{em, em.b.True(), pos, false}
	at := 0
	for _, t := range keyPartTypes(v.Type, nil) {
		if types.IsInterface(t) {
			p.comparable(v.Leaves[at])
		}
		at += len(em.w.Layout(t))
	}
	return em.temp(em.unknown("key", "which keys of a map are equal", types.Typ[types.Uint64]).Leaves[0])
}

// A keyPacker packs a key, for executions in which a condition holds.
type keyPacker struct {
	*emitter
	when *logic.Term
	pos  token.Pos // of panics; without one, they are assumed not to happen
	// allowNaN reports whether the key may be NaN.
	allowNaN bool
}

// fit drops the executions for which the key does not fit.
func (p keyPacker) fit(cond *logic.Term, what string) {
	p.bound(p.b.Or(p.b.Not(p.when), cond), what)
}

// pack returns the key for v, whose parts are given.
func (p keyPacker) pack(v Value, parts []KeyPart) *logic.Term {
	key := p.int(0)
	at := 0
	for _, part := range parts {
		n := len(p.w.Layout(part.Type))
		x := p.part(Value{part.Type, v.Leaves[at : at+n]}, part.Bits)
		at += n
		key = p.b.Bin(logic.OpBOr, key, p.b.Bin(logic.OpShl, x, p.int(int64(part.Shift))))
	}
	return key
}

// part returns a part of a key packed into the low bits of a 64-bit term.
func (p keyPacker) part(v Value, bits int) *logic.Term {
	b := p.b
	x := v.Leaves[0]
	switch u := v.Type.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return p.stringKey(v, bits)
		case info&types.IsBoolean != 0:
			return b.Ite(x, p.int(1), p.int(0))
		case info&types.IsFloat != 0:
			return p.float(x, bits)
		case bits == 64:
			return p.toInt(v)
		case x.Sort.Bits() <= bits:
			return b.ZExt(x, 64)
		}
		low := b.Extract(bits-1, 0, x)
		whole := b.ZExt(low, 64)
		if isSigned(v.Type) {
			whole = b.SExt(low, 64)
		}
		p.fit(b.Eq(whole, x), boundKeys)
		return b.ZExt(low, 64)
	case *types.Interface:
		p.comparable(x)
		return p.iface(v, bits)
	case *types.Pointer:
		slot, room := v.Leaves[1], bits-objKeyBits
		p.fit(b.Cmp(logic.OpULt, slot, b.Const(logic.Slot, 1<<room)), boundKeys)
		key := b.Bin(logic.OpShl, b.ZExt(x, 64), p.int(int64(room)))
		return b.Bin(logic.OpBOr, key, slot)
	}
	return b.ZExt(x, 64)
}

// comparable asserts or assumes that the dynamic type with a tag is comparable.
func (p keyPacker) comparable(tag *logic.Term) {
	ok := p.b.Or(p.b.Not(p.when), p.b.Not(p.isUncomparable(tag)))
	if p.pos.IsValid() {
		p.assert(ok, schemas.Uncomparable, p.pos, "the key of a map is of an uncomparable type")
	} else {
		p.assume(ok)
	}
}

// float packs a float: its bits, if need be without the last ones, which are zero in simple numbers.
func (p keyPacker) float(x *logic.Term, bits int) *logic.Term {
	b := p.b
	if !p.allowNaN {
		p.fit(b.Cmp(logic.OpFEq, x, x), boundNaN)
	}
	zero := b.Cmp(logic.OpFEq, x, b.Const(x.Sort, 0)) // of either sign
	all := b.ZExt(b.FConv(logic.OpFBits, logic.BV(x.Sort.Bits()), x), 64)
	if drop := x.Sort.Bits() - bits; drop > 0 {
		last := b.Bin(logic.OpBAnd, all, p.int(1<<drop-1))
		p.fit(b.Eq(last, p.int(0)), boundKeys)
		all = b.Bin(logic.OpLShr, all, p.int(int64(drop)))
	}
	return b.Ite(zero, p.int(0), all)
}

// stringKeyBytes returns how many bytes of a string fit into a part of that size, next to its
// length.
func stringKeyBytes(bits int) int { return bits/8 - 1 }

// stringKey packs a string, with its length on top. A constant that is too long, and what equals one
// that the testee uses as a key, has the length 0 there, and below it its number. Other
// strings that are too long are out of bounds.
func (p keyPacker) stringKey(v Value, bits int) *logic.Term {
	b := p.b
	n := stringKeyBytes(bits)
	length := v.Leaves[2]
	constant := func(s string) *logic.Term {
		n, _ := p.w.longKeys.number(s)
		return b.Const(logic.Int, uint64(n))
	}
	k, known := length.Const()
	if n < 3 || known && k <= uint64(n) {
		p.fit(b.Cmp(logic.OpULe, length, p.int(int64(n))), boundKeys)
		return p.packString(v, n)
	}
	if o, ok := v.Leaves[0].Const(); ok && known {
		text, off := p.w.literalText[uint32(o)], v.Leaves[1]
		if from, ok := off.Const(); ok && from <= uint64(len(text)) && k <= uint64(len(text))-from {
			return constant(text[from : from+k])
		}
	}
	fits := b.Cmp(logic.OpULe, length, p.int(int64(n)))
	followed, long := []*logic.Term{fits}, p.int(0)
	for _, s := range p.w.longLiterals(n) {
		is := p.stringEqual(v, p.stringConst(s, v.Type))
		if !is.IsFalse() {
			followed = append(followed, is)
			long = b.Ite(is, constant(s), long)
		}
	}
	p.fit(b.Or(followed...), boundKeys)
	return b.Ite(fits, p.packString(v, n), long)
}

// packString packs the length and the first n bytes of a string.
func (em *emitter) packString(v Value, n int) *logic.Term {
	b := em.b
	key := b.Bin(logic.OpShl, v.Leaves[2], em.int(int64(8*n)))
	for i := range n {
		in := b.Cmp(logic.OpSLt, em.int(int64(i)), v.Leaves[2])
		byt := b.Ite(in, b.ZExt(em.byteAt(v, em.int(int64(i))), 64), em.int(0))
		key = b.Bin(logic.OpBOr, key, b.Bin(logic.OpShl, byt, em.int(int64(8*i))))
	}
	return key
}

// iface packs the dynamic type, and below it the contents: those of the types that are compared by
// contents, or a pointer. Others are represented by their box.
func (p keyPacker) iface(v Value, bits int) *logic.Term {
	b := p.b
	room := DynamicKeyBits(bits)
	tag := v.Leaves[0]
	content := b.ZExt(v.Leaves[1], 64)
	if n := room - objKeyBits; n > 0 { // a pointer, or a box, which has slot 0
		content = b.Bin(logic.OpBOr, b.Bin(logic.OpShl, content, p.int(int64(n))), v.Leaves[2])
	}
	types, _ := p.comparedTypes(v.Type, 0)
	for _, t := range types {
		parts := p.w.KeyPartsIn(t, room)
		is := b.Eq(tag, b.Const(tag.Sort, uint64(p.w.Tag(t))))
		if is.IsFalse() || parts == nil && len(p.w.Layout(t)) > 0 {
			continue
		}
		inner := keyPacker{p.emitter, b.And(p.when, is), p.pos, false}
		content = b.Ite(is, inner.pack(p.fromInterface(v, t), parts), content)
	}
	return b.Bin(logic.OpBOr, b.Bin(logic.OpShl, b.ZExt(tag, 64), p.int(int64(room))), content)
}
