package invariant

import (
	"bytes"
	"hash/maphash"
	"math"
	"strconv"

	"dsd/schemas"
)

// kind is the way in which the values of a variable are coded as 64-bit integers. It decides which
// templates apply to the variable.
type kind uint8

const (
	other    kind = iota
	integer       // the number; ordered
	float         // see floatCode; ordered
	boolean       // 0 or 1
	text          // a hash of the literal
	ref           // the identity of the referent among those of one sample, from 1; 0 is nil
	dynamic       // a hash of the dynamic type; 0 is nil
	sequence      // a hash of the elements, which are stored separately as items
)

// kindOf returns the kind of the values that a trace represents so.
func kindOf(rep schemas.Rep) kind {
	switch rep {
	case schemas.RepInt, schemas.RepUint:
		return integer
	case schemas.RepFloat:
		return float
	case schemas.RepBool:
		return boolean
	case schemas.RepString:
		return text
	case schemas.RepRef:
		return ref
	case schemas.RepType:
		return dynamic
	case schemas.RepInts, schemas.RepUints, schemas.RepFloats,
		schemas.RepBools, schemas.RepStrings, schemas.RepRefs:
		return sequence
	}
	return other
}

// elementReps maps the representations of sequences to those of their elements.
var elementReps = map[schemas.Rep]schemas.Rep{
	schemas.RepInts: schemas.RepInt, schemas.RepUints: schemas.RepUint,
	schemas.RepFloats: schemas.RepFloat, schemas.RepBools: schemas.RepBool,
	schemas.RepStrings: schemas.RepString, schemas.RepRefs: schemas.RepRef,
}

// A Value is the value of one variable in one sample.
type Value struct {
	// Code represents the value as its kind prescribes.
	Code int64
	// Missing reports that the variable did not exist. Unrepresentable reports that the value
	// has no Go literal or no place in the order: a long string, NaN, an infinity, an integer
	// beyond 63 bits.
	Missing, Unrepresentable bool
	// Text is the literal of a value that Code does not determine.
	Text  string
	items *items
}

// items holds the elements of one sequence.
type items struct {
	code            []int64
	unrepresentable []bool   // empty if no element is
	texts           []string // literals, parallel to code, if the elements are strings
}

// FloatValue returns the value of a float.
func FloatValue(f float64) Value {
	switch {
	case f != f:
		return Value{Code: math.MaxInt64, Unrepresentable: true, Text: "NaN"}
	case math.IsInf(f, 0):
		text := strconv.FormatFloat(f, 'g', -1, 64)
		return Value{Code: floatCode(f), Unrepresentable: true, Text: text}
	}
	return Value{Code: floatCode(f)}
}

// textValue returns the value of a string, given its literal. A literal that starts with '~' is the
// hash of a string that was too long for the trace.
func textValue(s []byte) Value {
	return Value{Code: hashOf(s), Unrepresentable: len(s) > 0 && s[0] == '~', Text: string(s)}
}

// An Interner makes values of strings. It caches literals, so that a literal which occurs often is
// allocated once.
type Interner struct {
	list []string // a direct-mapped cache; the index of a literal is derived from its code
}

const (
	internSlots = 64 // literals in the cache
	maxInterned = 64 // bytes of a cached literal
)

// Value returns the value of a string, given its literal.
func (w *Interner) Value(s []byte) Value {
	if len(s) > maxInterned {
		return textValue(s)
	}
	if w.list == nil {
		w.list = make([]string, internSlots)
	}
	code := hashOf(s)
	known := &w.list[uint64(code)>>1%internSlots]
	if *known != string(s) {
		*known = string(s)
	}
	return Value{Code: code, Unrepresentable: len(s) > 0 && s[0] == '~', Text: *known}
}

// ItemsValue returns the value of a sequence, given its text in a trace, such as [1 2 3]. The text
// ~ is a sequence that was too long for the trace; any other text that is no list is a missing
// value.
func ItemsValue(rep schemas.Rep, s []byte) Value {
	if len(s) == 1 && s[0] == '~' {
		return Value{Unrepresentable: true, items: &items{}}
	}
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return Value{Missing: true}
	}
	it := &items{}
	element := elementReps[rep]
	k := kindOf(element)
	for rest := s[1 : len(s)-1]; len(rest) > 0; {
		n := bytes.IndexByte(rest, ' ')
		if rest[0] == '"' {
			if q, err := strconv.QuotedPrefix(string(rest)); err == nil {
				n = len(q)
			}
		}
		if n < 0 || n > len(rest) {
			n = len(rest)
		}
		if n == 0 { // a second space
			rest = rest[1:]
			continue
		}
		c := parse(k, rest[:n])
		it.code = append(it.code, c.Code)
		if c.Unrepresentable || len(it.unrepresentable) > 0 {
			it.unrepresentable = setFlag(it.unrepresentable, len(it.code)-1, c.Unrepresentable)
		}
		if k == text {
			it.texts = append(it.texts, c.Text)
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return Value{Code: hashOf(s), items: it}
}

// seed is random: hash codes differ between runs.
var seed = maphash.MakeSeed()

// hashOf returns a hash code other than 0, which is the code of nil.
func hashOf(s []byte) int64 { return int64(maphash.Bytes(seed, s)) | 1 }

// parse returns the value that a trace writes as s. The text - is a missing value. parse does not
// handle sequences; see ItemsValue.
func parse(k kind, s []byte) Value {
	if len(s) == 1 && s[0] == '-' {
		return Value{Missing: true}
	}
	switch k {
	case integer:
		if i, ok := parseInteger(s); ok {
			return Value{Code: i}
		}
		return Value{Code: hashOf(s), Unrepresentable: true, Text: string(s)}
	case float:
		f, err := strconv.ParseFloat(string(s), 64)
		if err != nil {
			return Value{Code: hashOf(s), Unrepresentable: true, Text: string(s)}
		}
		return FloatValue(f)
	case boolean:
		if len(s) == len("true") {
			return Value{Code: 1}
		}
		return Value{}
	case ref:
		if i, ok := parseInteger(s); ok {
			// A map or a channel is written as 0: it is not nil, and its identity is
			// not known.
			return Value{Code: i + 1}
		}
		return Value{}
	case dynamic:
		if string(s) == "nil" {
			return Value{}
		}
	}
	return textValue(s)
}

// parseInteger parses a decimal integer that fits in an int64. It does not convert short ones to
// strings, as strconv.ParseInt requires.
func parseInteger(s []byte) (n int64, ok bool) {
	neg := len(s) > 0 && s[0] == '-'
	if neg {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		if neg && len(s) == 19 {
			n, err := strconv.ParseInt("-"+string(s), 10, 64)
			return n, err == nil
		}
		n, err := strconv.ParseInt(string(s), 10, 64)
		return n, err == nil && len(s) > 0
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// floatCode maps floats to integers of the same order. Both zeros have the code 0. The bits of a
// negative float other than the sign are inverted, because IEEE 754 stores sign and magnitude.
func floatCode(f float64) int64 {
	bits := int64(math.Float64bits(f + 0))
	if f == 0 {
		bits = 0
	}
	return bits ^ (bits >> 63 & math.MaxInt64)
}

// floatOf returns the float that has a code. It is the inverse of floatCode.
func floatOf(code int64) float64 {
	return math.Float64frombits(uint64(code ^ (code >> 63 & math.MaxInt64)))
}
