package stack

import (
	"go/types"
	"math"

	"dsd/internal/stacktrace"
)

// Arguments gives the words of a frame's arguments the types of the parameters of fn, the
// receiver's first. The result ends where the words do that the runtime prints; it has an element
// that says nothing for each argument whose words are unknown or do not fit the type.
func Arguments(words []Word, fn *types.Func) []stacktrace.Argument {
	var out []stacktrace.Argument
	sig := fn.Type().(*types.Signature)
	var list []types.Type
	if r := sig.Recv(); r != nil {
		list = append(list, r.Type())
	}
	for i := range sig.Params().Len() {
		list = append(list, sig.Params().At(i).Type())
	}
	for i, t := range list {
		h := stacktrace.Argument{Length: -1}
		if i < len(words) && words[i].Known {
			h = argumentOf(words[i], t)
		}
		if i < len(words) && words[i].More {
			break
		}
		out = append(out, h)
	}
	return out
}

// maxLength bounds the lengths that Arguments returns. The solver looks for no longer inputs
// either.
const maxLength = 1 << 16

// argumentOf interprets a word, or the words of a group, as a value of type t.
func argumentOf(w Word, t types.Type) stacktrace.Argument {
	h := stacktrace.Argument{Length: -1}
	part := func(i int) (uint64, bool) {
		if i < len(w.Parts) && w.Parts[i].Known && w.Parts[i].Sure && w.Parts[i].Parts == nil {
			return w.Parts[i].Value, true
		}
		return 0, false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			if n, ok := part(1); ok && n < maxLength {
				h.Length = int(n)
			}
		} else if w.Sure && w.Parts == nil &&
			u.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) != 0 {
			h.Known, h.Bits = true, extend(w.Value, u)
		}
	case *types.Slice:
		if n, ok := part(1); ok && n < maxLength {
			h.Length = int(n)
		}
	case *types.Interface:
		if n, ok := part(0); ok {
			h.Nil, h.Set = n == 0, n != 0
		}
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		if w.Sure && w.Parts == nil {
			h.Nil, h.Set = w.Value == 0, w.Value != 0
		}
	}
	return h
}

// extend returns the value of a word that holds a value of type b, sign-extended to 64 bits. Floats
// become the bits of a float64.
func extend(v uint64, b *types.Basic) uint64 {
	switch b.Kind() {
	case types.Int8:
		return uint64(int64(int8(v)))
	case types.Int16:
		return uint64(int64(int16(v)))
	case types.Int32:
		return uint64(int64(int32(v)))
	case types.Uint8:
		return uint64(uint8(v))
	case types.Uint16:
		return uint64(uint16(v))
	case types.Uint32:
		return uint64(uint32(v))
	case types.Float32:
		return math.Float64bits(float64(math.Float32frombits(uint32(v))))
	case types.Bool:
		return v & 1
	}
	return v
}
