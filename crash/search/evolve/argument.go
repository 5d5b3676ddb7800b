package evolve

import (
	"go/types"
	"math"

	"dsd/crash/search/generate"
	"dsd/crash/stack"
)

// maxHintedLength is the length of the longest string or slice that is taken for what it seems.
const maxHintedLength = 1 << 16

// Arguments returns what the words of a frame tell about the arguments of a function: the receiver
// first, then the parameters that the words cover.
func Arguments(words []stack.Word, fn *types.Func) []generate.Hint {
	var out []generate.Hint
	sig := fn.Type().(*types.Signature)
	var list []types.Type
	if r := sig.Recv(); r != nil {
		list = append(list, r.Type())
	}
	for i := range sig.Params().Len() {
		list = append(list, sig.Params().At(i).Type())
	}
	for i, t := range list {
		h := generate.Hint{Length: -1}
		if i < len(words) && words[i].Known {
			h = hintOf(words[i], t)
		}
		if i < len(words) && words[i].More {
			break
		}
		out = append(out, h)
	}
	return out
}

// hintOf returns what a word, or the words of its parts, tell about an argument of a type.
func hintOf(w stack.Word, t types.Type) generate.Hint {
	h := generate.Hint{Length: -1}
	part := func(i int) (uint64, bool) {
		if i < len(w.Parts) && w.Parts[i].Known && w.Parts[i].Sure && w.Parts[i].Parts == nil {
			return w.Parts[i].Value, true
		}
		return 0, false
	}
	const numeric = types.IsInteger | types.IsBoolean | types.IsFloat
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			if n, ok := part(1); ok && n < maxHintedLength {
				h.Length = int(n)
			}
		} else if w.Sure && w.Parts == nil && u.Info()&numeric != 0 {
			h.Known, h.Bits = true, extend(w.Value, u)
		}

	case *types.Slice:
		if n, ok := part(1); ok && n < maxHintedLength {
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

// extend returns the bits of a word as a value of a basic type: sign-extended if that is signed, and
// as a float64 if it is a float32.
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
