//go:build ignore

package bytes

import (
	"bytes"

	"dsd"
)

// between returns any number in [lo, hi].
func between(lo, hi int) int {
	n := dsd.Any[int]()
	dsd.Assume(lo <= n && n <= hi)
	return n
}

// index returns -1, or any index at which n bytes of s begin.
func index(s []byte, n int) int {
	i := dsd.Any[int]()
	dsd.Assume(-1 <= i && (i == -1 || i <= len(s)-n))
	return i
}

// some returns any slice with a length in [min, max].
func some(min, max int) []byte {
	out := dsd.Any[[]byte]()
	dsd.Assume(min <= len(out) && len(out) <= max)
	return out
}

// part returns any subslice of s.
func part(s []byte) []byte {
	lo, hi := dsd.Any[int](), dsd.Any[int]()
	dsd.Assume(0 <= lo && lo <= hi && hi <= len(s))
	return s[lo:hi]
}

func Equal(a, b []byte) bool { return string(a) == string(b) }
func Compare(a, b []byte) int {
	switch {
	case string(a) == string(b):
		return 0
	case string(a) < string(b):
		return -1
	}
	return 1
}
func HasPrefix(s, prefix []byte) bool {
	return len(s) >= len(prefix) && string(s[:len(prefix)]) == string(prefix)
}
func HasSuffix(s, suffix []byte) bool {
	return len(s) >= len(suffix) && string(s[len(s)-len(suffix):]) == string(suffix)
}
func TrimPrefix(s, prefix []byte) []byte {
	if HasPrefix(s, prefix) {
		return s[len(prefix):]
	}
	return s
}
func TrimSuffix(s, suffix []byte) []byte {
	if HasSuffix(s, suffix) {
		return s[:len(s)-len(suffix)]
	}
	return s
}
func Index(s, sep []byte) int {
	if len(sep) == 0 {
		return 0
	}
	i := index(s, len(sep))
	dsd.Assume(i < 0 || s[i] == sep[0])
	return i
}
func IndexByte(s []byte, c byte) int {
	i := index(s, 1)
	dsd.Assume(i < 0 || s[i] == c)
	dsd.Assume(i == 0 || len(s) == 0 || s[0] != c)
	return i
}
func IndexRune(s []byte, r rune) int            { return index(s, 1) }
func IndexAny(s []byte, chars string) int       { return index(s, 1) }
func IndexFunc(s []byte, f func(rune) bool) int { return index(s, 1) }
func LastIndex(s, sep []byte) int {
	if len(sep) == 0 {
		return len(s)
	}
	return index(s, len(sep))
}
func LastIndexByte(s []byte, c byte) int      { return index(s, 1) }
func Contains(s, sub []byte) bool             { return Index(s, sub) >= 0 }
func ContainsAny(s []byte, chars string) bool { return IndexAny(s, chars) >= 0 }
func Count(s, sep []byte) int                 { return between(0, len(s)+1) }
func EqualFold(s, t []byte) bool {
	if string(s) == string(t) {
		return true
	}
	return dsd.Any[bool]()
}
func TrimSpace(s []byte) []byte                { return part(s) }
func Trim(s []byte, cutset string) []byte      { return part(s) }
func TrimLeft(s []byte, cutset string) []byte  { return s[between(0, len(s)):] }
func TrimRight(s []byte, cutset string) []byte { return s[:between(0, len(s))] }

// list returns any slice with a length in [min, max] that is not nil.
func list(min, max int) [][]byte {
	out := dsd.Any[[][]byte]()
	dsd.Assume(out != nil && min <= len(out) && len(out) <= max)
	return out
}
func Split(s, sep []byte) [][]byte {
	if len(sep) == 0 {
		return list(0, len(s))
	}
	return list(1, len(s)+1)
}
func Fields(s []byte) [][]byte           { return list(0, len(s)) }
func Join(s [][]byte, sep []byte) []byte { return dsd.Any[[]byte]() }
func Repeat(b []byte, count int) []byte {
	if count < 0 {
		panic("bytes: negative Repeat count")
	}
	dsd.Assume(count <= 1<<16 && len(b) <= 1<<16)
	return some(len(b)*count, len(b)*count)
}
func Replace(s, old, new []byte, n int) []byte { return dsd.Any[[]byte]() }
func ReplaceAll(s, old, new []byte) []byte     { return dsd.Any[[]byte]() }
func ToLower(s []byte) []byte {
	t := dsd.Any[[]byte]()
	dsd.Assume((len(s) == 0) == (len(t) == 0))
	return t
}
func ToUpper(s []byte) []byte { return ToLower(s) }
func Clone(b []byte) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

func NewReader(b []byte) *bytes.Reader { return new(bytes.Reader) }
func NewBuffer(buf []byte) *bytes.Buffer {
	b := new(bytes.Buffer)
	*dsd.Field[[]byte](b, "buf") = buf
	return b
}
func NewBufferString(s string) *bytes.Buffer { return NewBuffer([]byte(s)) }

// rest returns the unread part of the buffer.
func rest(b *bytes.Buffer) []byte {
	buf, off := *dsd.Field[[]byte](b, "buf"), *dsd.Field[int](b, "off")
	dsd.Assume(0 <= off && off <= len(buf))
	return buf[off:]
}
func Buffer_Bytes(b *bytes.Buffer) []byte { return rest(b) }
func Buffer_Len(b *bytes.Buffer) int      { return len(rest(b)) }
func Buffer_String(b *bytes.Buffer) string {
	if b == nil {
		return "<nil>"
	}
	return string(rest(b))
}
func Buffer_Reset(b *bytes.Buffer) {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = (*buf)[:0]
	*dsd.Field[int](b, "off") = 0
}
func Buffer_Truncate(b *bytes.Buffer, n int) {
	r := rest(b)
	if n < 0 || n > len(r) {
		panic("bytes.Buffer: truncation out of range")
	}
	*dsd.Field[[]byte](b, "buf") = r[:n]
	*dsd.Field[int](b, "off") = 0
}
func Buffer_Grow(b *bytes.Buffer, n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	rest(b)
}
func Buffer_Write(b *bytes.Buffer, p []byte) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, p...)
	return len(p), nil
}
func Buffer_WriteString(b *bytes.Buffer, s string) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, s...)
	return len(s), nil
}
func Buffer_WriteByte(b *bytes.Buffer, c byte) error {
	buf := dsd.Field[[]byte](b, "buf")
	*buf = append(*buf, c)
	return nil
}
func Buffer_WriteRune(b *bytes.Buffer, r rune) (int, error) {
	buf := dsd.Field[[]byte](b, "buf")
	n := len(*buf)
	*buf = append(*buf, string(r)...)
	return len(*buf) - n, nil
}
func Buffer_Read(b *bytes.Buffer, p []byte) (n int, err error) {
	r := rest(b)
	n = copy(p, r)
	*dsd.Field[int](b, "off") += n
	if n == 0 && len(p) > 0 {
		err = dsd.Any[error]()
		dsd.Assume(err != nil)
	}
	return n, err
}
func Buffer_Next(b *bytes.Buffer, n int) []byte {
	r := rest(b)
	if n > len(r) {
		n = len(r)
	}
	*dsd.Field[int](b, "off") += n
	return r[:n]
}
