package finding

import (
	"go/types"
	"strconv"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/schemas"
)

// key returns the node of the map key that the number k stands for; ok is false if it cannot be
// decoded. lower encodes a key as one number, so that maps are arrays for the solver.
func (g *modelReader) key(t types.Type, k uint64) (n schemas.Node, ok bool) {
	parts := g.w.KeyParts(t)
	return g.keyNode(t, k, &parts)
}

// keyNode decodes a key, or a part of one. It removes what it decodes from parts.
func (g *modelReader) keyNode(
	t types.Type, k uint64, parts *[]lower.KeyPart,
) (n schemas.Node, ok bool) {
	n.Type = types.TypeString(t, nil)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			v, ok := g.keyNode(f.Type(), k, parts)
			if !ok {
				return n, false
			}
			n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: v})
		}
		return n, true
	case *types.Array:
		for i := range u.Len() {
			v, ok := g.keyNode(u.Elem(), k, parts)
			if !ok {
				return n, false
			}
			n.Elems = append(n.Elems, schemas.Elem{Index: i, Value: v})
		}
		return n, true
	}
	if len(*parts) == 0 {
		return n, false
	}
	p := (*parts)[0]
	*parts = (*parts)[1:]
	v := p.Of(k)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		obj, slot := p.Pointer(v)
		if slot != 0 { // a part of an object
			return n, false
		}
		g.reference(&n, scalar{value: obj, known: true},
			func(obj uint32) schemas.Node { return g.at(u.Elem(), obj, 0, "") })
		return n, true
	case *types.Interface:
		room := lower.DynamicKeyBits(p.Bits)
		dyn := g.w.TagType(uint32(v >> room))
		if u.NumMethods() > 0 || dyn == nil || types.IsInterface(dyn) {
			return n, false
		}
		inner := g.w.KeyPartsIn(dyn, room)
		if len(inner) == 0 {
			return n, false
		}
		d, ok := g.keyNode(dyn, v&(1<<room-1), &inner)
		if !ok {
			return n, false
		}
		n.Dynamic = &d
		return n, true
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			size := p.Bits/8 - 1
			if v>>(8*size) == 0 && v != 0 { // a long constant
				s, ok := g.w.LongKey(v)
				n.Lit = strconv.Quote(s)
				return n, ok
			}
			n.Lit = strconv.Quote(unpack(v, size))
		case u.Info()&types.IsBoolean != 0:
			n.Lit = strconv.FormatBool(v == 1)
		case u.Info()&types.IsUnsigned != 0:
			n.Lit = strconv.FormatUint(v, 10)
		case u.Info()&types.IsInteger != 0:
			n.Lit = strconv.FormatInt(logic.Signed(v, p.Bits), 10)
		case u.Info()&types.IsFloat != 0:
			if bits := 64; u.Kind() == types.Float64 && p.Bits < bits { // without its last bits
				n.Lit = floatLit(v<<(bits-p.Bits), bits)
				break
			}
			n.Lit = floatLit(v, p.Bits)
		default:
			return n, false
		}
		return n, true
	}
	return n, false
}

// unpack returns the string of at most n bytes that lower packed into a key: the bytes, lowest
// first, and above them the length.
func unpack(k uint64, n int) string {
	length := min(int(k>>(8*n)), n)
	out := make([]byte, length)
	for i := range out {
		out[i] = byte(k >> (8 * i))
	}
	return string(out)
}
