package stack

import (
	"strconv"
	"strings"

	"dsd/schemas"
)

// Compare says how much a panic is like a wanted one of the same kind at the same line, as far as the message and
// the address tell: whether the same fault raised it, and with the same values. A wanted message that is
// not known is like any.
func Compare(want, got *Panic) schemas.Sameness {
	if want.Kind == schemas.NilDeref && got.Kind == schemas.NilDeref {
		a, okA := offset(want.Addr)
		b, okB := offset(got.Addr)
		if okA && okB && a != b {
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

var (
	addresses = newPattern(`0x[0-9a-f]+`)
	// parts matches what may be different in two messages of one statement: quoted texts, numbers, and what
	// stands behind the last colon, most often the text of an error.
	parts = newPattern(`"(?:[^"\\]|\\.)*"|'[^']*'|` + "`[^`]*`" + `|0x[0-9a-f]+|[-+]?\d+(?:\.\d+)?`)
)

// shape returns a message without what may be different in two messages of one statement.
func shape(message string) string { return parts.ReplaceAllString(message, "#") }
