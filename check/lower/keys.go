package lower

import (
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// The contents of a map are indexed by a key of 64 bits, which the parts of a Go key share. A key
// whose parts do not fit is out of bounds: a long string, or a large number next to other parts.

// A KeyPart is an indivisible part of a Go key and its position in the packed key.
type KeyPart struct {
	Type        types.Type
	Bits, Shift int
}

// Of extracts the part from a packed key.
func (p KeyPart) Of(key uint64) uint64 { return key >> p.Shift & (1<<p.Bits - 1) }

// KeyParts returns the parts of keys of type t in order, or nil if they cannot be packed. Parts of
// a fixed size get that size; the others share the rest evenly, in whole bytes.
func (lt *layoutTable) KeyParts(t types.Type) []KeyPart {
	leaves := keyPartTypes(t, nil)
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
		share = (64 - fixed) / flexible / 8 * 8
	}
	var out []KeyPart
	at := 0
	for _, t := range leaves {
		n := keyBits(t)
		if n == 0 {
			n = share
		}
		if n < minKeyBits(t) || at+n > 64 {
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
func keyBits(t types.Type) int {
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return 32
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return 1
		case info&types.IsInteger != 0 && intBits(u) < 64:
			return intBits(u)
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
		return 32
	}
	return 65
}

// mapKey returns the packed key for v. It asserts that no interface in v holds an
// uncomparable type; without a position it assumes so, as of the keys that a map has.
func (em *emitter) mapKey(v Value, pos token.Pos) *logic.Term {
	parts := em.w.KeyParts(v.Type)
	if parts == nil && len(v.Leaves) > 0 {
		panic(unsupportedf("maps with keys of type %s", v.Type))
	}
	key := em.int(0)
	at := 0
	for _, p := range parts {
		n := len(em.w.Layout(p.Type))
		x := em.keyPart(Value{p.Type, v.Leaves[at : at+n]}, p.Bits, pos)
		at += n
		key = em.b.Bin(logic.OpBOr, key, em.b.Bin(logic.OpShl, x, em.int(int64(p.Shift))))
	}
	return key
}

// keyPart returns a part of a key packed into the low bits of a 64-bit term.
func (em *emitter) keyPart(v Value, bits int, pos token.Pos) *logic.Term {
	b := em.b
	x := v.Leaves[0]
	switch u := v.Type.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return em.stringKey(v, bits)
		case info&types.IsBoolean != 0:
			return b.Ite(x, em.int(1), em.int(0))
		case info&types.IsFloat != 0:
			em.bound(b.Cmp(logic.OpFEq, x, x), boundNaN)
			zero := b.Cmp(logic.OpFEq, x, b.Const(x.Sort, 0)) // of either sign
			return b.Ite(zero, em.int(0),
				b.ZExt(b.FConv(logic.OpFBits, logic.BV(bits), x), 64))
		case bits == 64:
			return em.toInt(v)
		case x.Sort.Bits <= bits:
			return b.ZExt(x, 64)
		}
		low := b.Extract(bits-1, 0, x)
		whole := b.ZExt(low, 64)
		if isSigned(v.Type) {
			whole = b.SExt(low, 64)
		}
		em.bound(b.Eq(whole, x), boundKeys)
		return b.ZExt(low, 64)
	case *types.Interface:
		if comparable := b.Not(em.isUncomparable(x)); pos.IsValid() {
			em.assert(comparable, schemas.Uncomparable, pos,
				"the key of a map is of an uncomparable type")
		} else {
			em.assume(comparable)
		}
		return em.ifaceKey(v, bits)
	}
	return b.ZExt(x, 64) // pointers to different slots of one object have the same key
}

// stringKeyBytes returns how many bytes of a string fit into a part of that size, next to its
// length.
func stringKeyBytes(bits int) int { return bits/8 - 1 }

// stringKey packs a string, with its length on top. A constant that is too long is represented by
// its object: the length is packed as 0, and the contents are not.
func (em *emitter) stringKey(v Value, bits int) *logic.Term {
	b := em.b
	n := stringKeyBytes(bits)
	if k, ok := literalLen(v); ok && k > uint64(n) && n >= 3 {
		if o, ok := v.Leaves[0].Const(); ok { // of length 0, but with contents
			return b.Const(logic.Int, 1<<16|o&0xffff)
		}
	}
	em.bound(b.Cmp(logic.OpULe, v.Leaves[2], em.int(int64(n))), boundKeys)
	return em.packString(v, n)
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

// ifaceKey packs the dynamic type, and below it the contents of an integer, a string or a pointer.
// The contents of other types are represented by their box.
func (em *emitter) ifaceKey(v Value, bits int) *logic.Term {
	b := em.b
	room := bits - 16
	tag := v.Leaves[0]
	is := func(t types.Type) *logic.Term {
		return b.Eq(tag, b.Const(tag.Sort, uint64(em.w.Tag(t))))
	}
	content := b.ZExt(v.Leaves[1], 64)
	if isInt := is(types.Typ[types.Int]); !isInt.IsFalse() {
		x := em.fromInterface(v, types.Typ[types.Int]).Leaves[0]
		em.bound(b.Or(b.Not(isInt), b.Cmp(logic.OpULt, x, em.int(1<<(room-1)))), boundKeys)
		content = b.Ite(isInt, x, content)
	}
	if isString := is(types.Typ[types.String]); !isString.IsFalse() {
		s := em.fromInterface(v, types.Typ[types.String])
		n := stringKeyBytes(room)
		if isString.IsTrue() {
			content = em.stringKey(s, room)
		} else {
			other := b.Not(isString)
			fits := b.Cmp(logic.OpULe, s.Leaves[2], em.int(int64(n)))
			em.bound(b.Or(other, fits), boundKeys)
			content = b.Ite(isString, em.packString(s, n), content)
		}
	}
	return b.Bin(logic.OpBOr, b.Bin(logic.OpShl, b.ZExt(tag, 64), em.int(int64(room))), content)
}
