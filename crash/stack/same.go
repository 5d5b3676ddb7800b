package stack

import (
	"math"
	"strconv"
	"strings"

	"dsd/crash/candidate/run"
	"dsd/schemas"
)

// Compare says how much a panic is like a wanted one of the same kind at the same line, as far as the message and
// the address tell: whether the same fault raised it, and with the same values. A wanted message that is
// not known is like any. oneField reports whether two offsets from a nil pointer are of the same field.
func Compare(want, got *Panic, oneField func(a, b uint64) bool) schemas.Sameness {
	if want.Kind == schemas.NilDeref && got.Kind == schemas.NilDeref {
		a, okA := offset(want.Addr)
		b, okB := offset(got.Addr)
		if okA && okB && a != b && !oneField(a, b) {
			return schemas.OtherValues // another field: of another pointer, or read first by another build
		}
	}
	return CompareMessages(want.Message, got.Message)
}

// offset returns an address in the page at address 0.
func offset(addr string) (uint64, bool) {
	n, err := strconv.ParseUint(addr, 0, 64)
	return n, err == nil && n < nilPage
}

// CompareMessages is Compare for messages alone.
func CompareMessages(want, got string) schemas.Sameness {
	want, got = firstLine(want), firstLine(got)
	if want == "" || want == got {
		return schemas.Identical
	}
	a, b := valuesIn(want), valuesIn(got)
	switch {
	case a != nil || b != nil:
		return compareValues(a, b)
	case strings.HasPrefix(got, want) && KindOf(want) != schemas.ExplicitPanic:
		return schemas.Identical // the text lacks the values
	case addresses.ReplaceAllString(want, "0x") == addresses.ReplaceAllString(got, "0x"):
		return schemas.Identical
	case shape(want) == shape(got):
		return schemas.OtherValues
	}
	return schemas.OtherCause
}

// compareValues compares the values in two messages of the runtime. If others are named, another check failed; so it did
// if a value was nil and the other one was not, or a type was asserted to be another.
func compareValues(a, b []Value) schemas.Sameness {
	if len(a) == 0 {
		return schemas.Identical // the text lacks the values
	}
	if len(a) != len(b) {
		return schemas.OtherCause
	}
	same := schemas.Identical
	for i := range a {
		x, y := a[i], b[i]
		switch {
		case x.Name != y.Name:
			return schemas.OtherCause
		case x.Text == y.Text:
			continue
		case x.Name == "wanted" && strings.Trim(x.Text+y.Text, "0123456789") != "", x.Name == "method",
			x.Name == "dynamic" && (x.Text == "nil" || y.Text == "nil"),
			strings.HasPrefix(x.Text, "-") != strings.HasPrefix(y.Text, "-"):
			return schemas.OtherCause
		}
		same = schemas.OtherValues
	}
	return same
}

// ValueDistance says how far the values in a message are from those in a wanted one, from 0, if they are the same, to 1:
// numbers are as near as their difference is small, other values are the same or not. It is 1 for messages of other
// shapes.
func ValueDistance(want, got string) float64 {
	switch CompareMessages(want, got) {
	case schemas.Identical:
		return 0
	case schemas.OtherCause:
		return 1
	}
	a, b := valueTexts(want), valueTexts(got)
	if len(a) != len(b) {
		return 1
	}
	sum := 0.0
	for i := range a {
		x, errX := strconv.ParseInt(a[i], 10, 64)
		y, errY := strconv.ParseInt(b[i], 10, 64)
		switch {
		case a[i] == b[i]:
		case errX == nil && errY == nil:
			d := math.Abs(float64(x) - float64(y))
			sum += d / (d + 1)
		default:
			sum++
		}
	}
	return sum / float64(len(a))
}

// Numbers returns the integers in the first line of a message.
func Numbers(message string) (out []int64) { return run.Numbers(firstLine(message)) }

// valueTexts returns what may be different in two messages of one statement.
func valueTexts(message string) []string {
	message = firstLine(message)
	values := valuesIn(message)
	if values == nil {
		return parts.FindAllString(message, -1)
	}
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

var (
	addresses = newPattern(`0x[0-9a-f]+`)
	// parts matches what may be different in two messages of one statement: quoted texts, numbers, and what
	// stands behind the last colon, most often the text of an error.
	parts = newPattern(`"(?:[^"\\]|\\.)*"|'[^']*'|` + "`[^`]*`" + `|0x[0-9a-f]+|[-+]?\d+(?:\.\d+)?`)
)

// shape returns a message without what may be different in two messages of one statement.
func shape(message string) string { return parts.ReplaceAllString(message, "#") }
