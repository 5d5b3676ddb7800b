//go:build ignore

package strings

import (
	"strings"
	"unicode/utf8"

	"dsd"
)

// between returns any number in [lo, hi].
func between(lo, hi int) int {
	n := dsd.Any[int]()
	dsd.Assume(lo <= n && n <= hi)
	return n
}

// atMost returns any string of at most n bytes.
func atMost(n int) string {
	s := dsd.Any[string]()
	dsd.Assume(len(s) <= n)
	return s
}

// index returns -1, or any index at which n bytes of s begin.
func index(s string, n int) int {
	i := dsd.Any[int]()
	dsd.Assume(-1 <= i && (i == -1 || i <= len(s)-n))
	return i
}

func HasPrefix(s, prefix string) bool { return len(s) >= len(prefix) && s[:len(prefix)] == prefix }
func HasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}
func TrimPrefix(s, prefix string) string {
	if HasPrefix(s, prefix) {
		return s[len(prefix):]
	}
	return s
}
func TrimSuffix(s, suffix string) string {
	if HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}
func CutPrefix(s, prefix string) (string, bool) {
	if !HasPrefix(s, prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
func CutSuffix(s, suffix string) (string, bool) {
	if !HasSuffix(s, suffix) {
		return s, false
	}
	return s[:len(s)-len(suffix)], true
}

func Index(s, substr string) int {
	if len(substr) == 0 {
		return 0
	}
	i := index(s, len(substr))
	dsd.Assume(i < 0 || s[i] == substr[0])
	return i
}
func IndexByte(s string, c byte) int {
	i := index(s, 1)
	dsd.Assume(i < 0 || s[i] == c)
	dsd.Assume(i == 0 || len(s) == 0 || s[0] != c)
	return i
}
func IndexRune(s string, r rune) int {
	i := index(s, 1)
	if 0 <= r && r < utf8.RuneSelf {
		dsd.Assume(i < 0 || s[i] == byte(r))
		dsd.Assume(i == 0 || len(s) == 0 || s[0] != byte(r))
	}
	return i
}
func IndexAny(s, chars string) int              { return index(s, 1) }
func IndexFunc(s string, f func(rune) bool) int { return index(s, 1) }
func LastIndex(s, substr string) int {
	if len(substr) == 0 {
		return len(s)
	}
	i := index(s, len(substr))
	dsd.Assume(i < 0 || s[i] == substr[0])
	return i
}
func LastIndexByte(s string, c byte) int {
	i := index(s, 1)
	dsd.Assume(i < 0 || s[i] == c)
	return i
}
func LastIndexAny(s, chars string) int              { return index(s, 1) }
func LastIndexFunc(s string, f func(rune) bool) int { return index(s, 1) }

func Contains(s, substr string) bool     { return Index(s, substr) >= 0 }
func ContainsRune(s string, r rune) bool { return IndexRune(s, r) >= 0 }
func ContainsAny(s, chars string) bool   { return IndexAny(s, chars) >= 0 }
func Count(s, substr string) int         { return between(0, len(s)+1) }
func Compare(a, b string) int {
	switch {
	case a == b:
		return 0
	case a < b:
		return -1
	}
	return 1
}
func EqualFold(s, t string) bool {
	if s == t {
		return true
	}
	return dsd.Any[bool]()
}

func Cut(s, sep string) (before, after string, found bool) {
	if i := Index(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// part returns any substring of s.
func part(s string) string {
	lo, hi := dsd.Any[int](), dsd.Any[int]()
	dsd.Assume(0 <= lo && lo <= hi && hi <= len(s))
	return s[lo:hi]
}

func TrimSpace(s string) string {
	t := part(s)
	dsd.Assume(len(t) == 0 || t[0] != ' ' && t[len(t)-1] != ' ' &&
		t[0] != '\n' && t[len(t)-1] != '\n' && t[0] != '\t' && t[len(t)-1] != '\t')
	dsd.Assume(len(t) == len(s) ||
		len(s) != 0 && (len(t) != 0 || s[0] <= ' ' || s[0] >= utf8.RuneSelf))
	return t
}
func Trim(s, cutset string) string { return part(s) }
func TrimLeft(s, cutset string) string {
	lo := between(0, len(s))
	return s[lo:]
}
func TrimRight(s, cutset string) string {
	hi := between(0, len(s))
	return s[:hi]
}
func TrimFunc(s string, f func(rune) bool) string      { return part(s) }
func TrimLeftFunc(s string, f func(rune) bool) string  { return TrimLeft(s, "") }
func TrimRightFunc(s string, f func(rune) bool) string { return TrimRight(s, "") }

// list returns any slice with a length in [min, max] that is not nil.
func list(min, max int) []string {
	out := dsd.Any[[]string]()
	dsd.Assume(out != nil && min <= len(out) && len(out) <= max)
	return out
}

func Split(s, sep string) []string {
	if sep == "" {
		return list(0, len(s))
	}
	out := list(1, len(s)+1)
	if len(out) == 1 {
		out[0] = s
		return out
	}
	last := out[len(out)-1]
	dsd.Assume(len(last) < len(s) && (len(last) > 0 || HasSuffix(s, sep)))
	return out
}
func SplitAfter(s, sep string) []string { return Split(s, sep) }
func SplitN(s, sep string, n int) []string {
	if n == 0 {
		return nil
	}
	if sep == "" {
		return list(0, len(s))
	}
	if n < 0 {
		return list(1, len(s)+1)
	}
	return list(1, n)
}
func Fields(s string) []string                        { return list(0, len(s)) }
func FieldsFunc(s string, f func(rune) bool) []string { return list(0, len(s)) }

func Join(elems []string, sep string) string {
	switch len(elems) {
	case 0:
		return ""
	case 1:
		return elems[0]
	}
	s := dsd.Any[string]()
	dsd.Assume(len(s) >= len(sep))
	return s
}
func Repeat(s string, count int) string {
	if count < 0 {
		panic("strings: negative Repeat count")
	}
	if count == 0 || len(s) == 0 {
		return ""
	}
	if count == 1 {
		return s
	}
	dsd.Assume(count <= 1<<16 && len(s) <= 1<<16)
	t := dsd.Any[string]()
	dsd.Assume(len(t) == len(s)*count && t[0] == s[0])
	return t
}
func Replace(s, old, new string, n int) string {
	if old == new || n == 0 {
		return s
	}
	return dsd.Any[string]()
}
func ReplaceAll(s, old, new string) string { return Replace(s, old, new, -1) }
func ToLower(s string) string {
	t := dsd.Any[string]()
	dsd.Assume((len(s) == 0) == (len(t) == 0))
	return t
}
func ToUpper(s string) string                      { return ToLower(s) }
func ToTitle(s string) string                      { return ToLower(s) }
func Title(s string) string                        { return ToLower(s) }
func Clone(s string) string                        { return s }
func Map(mapping func(rune) rune, s string) string { return dsd.Any[string]() }

func NewReader(s string) *strings.Reader { return new(strings.Reader) }
func NewReplacer(oldnew ...string) *strings.Replacer {
	if len(oldnew)%2 == 1 {
		panic("strings.NewReplacer: odd argument count")
	}
	return new(strings.Replacer)
}
func Replacer_Replace(r *strings.Replacer, s string) string { return dsd.Any[string]() }

func Builder_String(b *strings.Builder) string {
	buf := dsd.Field[[]byte](b, "buf")
	return string(*buf)
}
func Builder_Len(b *strings.Builder) int { return len(*dsd.Field[[]byte](b, "buf")) }
func Builder_Cap(b *strings.Builder) int { return cap(*dsd.Field[[]byte](b, "buf")) }
func Builder_Reset(b *strings.Builder)   { *dsd.Field[[]byte](b, "buf") = nil }
func Builder_Grow(b *strings.Builder, n int) {
	if n < 0 {
		panic("strings.Builder.Grow: negative count")
	}
}
func Builder_WriteString(b *strings.Builder, s string) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, s...)
	return len(s), nil
}
func Builder_Write(b *strings.Builder, p []byte) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, p...)
	return len(p), nil
}
func Builder_WriteByte(b *strings.Builder, c byte) error {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, c)
	return nil
}
func Builder_WriteRune(b *strings.Builder, r rune) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	if uint32(r) < utf8.RuneSelf {
		*buf = append(*buf, byte(r))
		return 1, nil
	}
	n := len(*buf)
	*buf = append(*buf, string(r)...)
	return len(*buf) - n, nil
}
