//go:build go1.21

package run

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// What a condition compares often stands in the input as it is: lengths, offsets, checksums, magic numbers. Where a
// condition did not come out as needed, one of its operands that is found in a string is replaced by the other one:
// the length by what fits the data, the stored checksum by the computed one. The idea is that of input-to-state
// correspondence [Aschermann et al.: REDQUEEN, NDSS 2019, 3.1].

// operands are what a condition compared: two numbers, or two texts.
type operands struct {
	known, texts bool
	a, b         int64
	s, t         string
}

// compared are the operands of the condition that bestLeft of each frame is about.
var compared []operands

// maxOperand is the length of texts that are kept as operands.
const maxOperand = 256

// unequal holds the last pairs of texts that the running candidate compared along the trails and that should have been
// equal. The distance only counts the best evaluation of a condition. In a loop, other evaluations fail although that one
// succeeded, and their operands show what the rest of the input could be.
var unequal []operands

// maxUnequal is the number of pairs that are kept.
const maxUnequal = 8

// noteUnequal adds a pair of texts to unequal unless it is there.
func noteUnequal(s, t string) {
	if len(s) == 0 || len(s)+len(t) > maxOperand {
		return
	}
	for i := range unequal {
		if unequal[i].s == s && unequal[i].t == t {
			return
		}
	}
	if len(unequal) == maxUnequal {
		copy(unequal, unequal[1:])
		unequal = unequal[:maxUnequal-1]
	}
	unequal = append(unequal, operands{known: true, texts: true, s: s, t: t})
}

// reportOperands is reportCondition for a condition that compared what o holds.
func reportOperands(frame, rest int, d float64, o operands) {
	if frame >= len(bestLeft) {
		return
	}
	before := bestLeft[frame]
	if reportCondition(frame, rest, d); bestLeft[frame] < before && d > 0 && len(o.s)+len(o.t) <= maxOperand {
		o.known = true
		compared[frame] = o
	}
}

// failedAt returns the operands of the condition that the candidate that ran failed at, on its way along a trail.
func failedAt(trail []int) operands {
	for _, i := range trail {
		if entered(i) {
			return compared[i]
		}
	}
	return operands{}
}

// in replaces an operand in a string by the other one, or by a number next to that; ok reports whether an operand is
// in the string.
func (o *operands) in(r Random, t string) (mutated string, ok bool) {
	if !o.known {
		return t, false
	}
	swap := r.Intn(2) == 0
	if o.texts {
		from, to := o.s, o.t
		if swap {
			from, to = to, from
		}
		n := min(strings.Count(t, from), maxPlaces)
		if from == "" || n == 0 {
			return t, false
		}
		at := strings.Index(t, from)
		for i := r.Intn(n); i > 0; i-- {
			at += len(from)
			at += strings.Index(t[at:], from)
		}
		return t[:at] + to + t[at+len(from):], true
	}
	from, to := o.a, o.b
	if swap {
		from, to = to, from
	}
	if r.Intn(2) == 0 {
		to += int64(r.Intn(3)) - 1
	}
	type place struct {
		at, size int
		with     []byte
	}
	var places []place
	for _, e := range encodings {
		old, replacement := e(from), e(to)
		for i := 0; len(old) > 0 && len(replacement) > 0 && len(places) < maxPlaces; {
			at := strings.Index(t[i:], string(old))
			if at < 0 {
				break
			}
			places = append(places, place{i + at, len(old), replacement})
			i += at + 1
		}
	}
	if len(places) == 0 {
		return t, false
	}
	p := places[r.Intn(len(places))]
	return t[:p.at] + string(p.with) + t[p.at+p.size:], true
}

// maxPlaces is the number of places of a string where an operand is replaced.
const maxPlaces = 64

// number replaces a number that is an operand by the other operand, or by one next to it; ok reports whether it is one.
func (o *operands) number(r Random, bits uint64) (mutated uint64, ok bool) {
	if !o.known || o.texts {
		return bits, false
	}
	to := o.a
	switch int64(bits) {
	case o.a:
		to = o.b
	case o.b:
	default:
		return bits, false
	}
	return uint64(to) + uint64(r.Intn(3)) - 1, true
}

// encodings are the ways in which numbers stand in strings: decimal, as a varint, and in 8, 4, 2 and 1 bytes of both
// orders. A number that a way does not fit is encoded as nothing.
var encodings = []func(int64) []byte{
	func(n int64) []byte { return strconv.AppendInt(nil, n, 10) },
	func(n int64) []byte { return binary.AppendUvarint(nil, uint64(n)) },
	func(n int64) []byte { return inBytes(n, 8) },
	func(n int64) []byte { return inBytes(n, 4) },
	func(n int64) []byte { return inBytes(n, 2) },
	func(n int64) []byte { return inBytes(n, 1) },
	func(n int64) []byte { return reversed(inBytes(n, 8)) },
	func(n int64) []byte { return reversed(inBytes(n, 4)) },
	func(n int64) []byte { return reversed(inBytes(n, 2)) },
}

func reversed(b []byte) []byte {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

// inBytes returns a number in so many bytes, the most significant first; nil if it does not fit, signed or unsigned.
func inBytes(n int64, width int) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(n))
	first, rest := b[:8-width], b[8-width:]
	if bytes.Count(first, []byte{0}) == len(first) || bytes.Count(first, []byte{0xff}) == len(first) && rest[0] >= 0x80 {
		return rest
	}
	return nil
}
