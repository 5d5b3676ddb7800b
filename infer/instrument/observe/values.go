//go:build go1.21

package observe

import (
	"reflect"
	"strconv"
	"unsafe"
)

const (
	// maxString is the number of bytes up to which a string is written. Longer ones are
	// replaced by a hash, so that equal strings still look equal.
	maxString = 64
	// maxItems is the number of elements up to which a slice is written. Of a longer one, the
	// sample says only that it is longer.
	maxItems = 32
)

// Keep decides which of the next values to write, until KeepAll: mask has a character for each, '1'
// to write the value and '0' to drop it. At an exit, values that cannot have changed are dropped.
func (h *Handle) Keep(mask string) { h.mask, h.nth = mask, 0 }

// KeepAll ends the effect of Keep.
func (h *Handle) KeepAll() { h.mask = "" }

// drop reports whether to drop the next value, and counts it.
func (h *Handle) drop() bool {
	if h.mask == "" {
		return false
	}
	h.nth++
	return h.nth <= len(h.mask) && h.mask[h.nth-1] == '0'
}

// Int writes a signed integer.
func (h *Handle) Int(v int64) {
	if !h.drop() {
		h.buf = append(strconv.AppendInt(h.buf, v, 10), '\t')
	}
}

// Uint writes an unsigned integer.
func (h *Handle) Uint(v uint64) {
	if !h.drop() {
		h.buf = append(strconv.AppendUint(h.buf, v, 10), '\t')
	}
}

// Float writes a floating-point number.
func (h *Handle) Float(v float64) {
	if !h.drop() {
		h.buf = append(strconv.AppendFloat(h.buf, v, 'g', -1, 64), '\t')
	}
}

// Bool writes a boolean.
func (h *Handle) Bool(v bool) {
	if !h.drop() {
		h.buf = append(strconv.AppendBool(h.buf, v), '\t')
	}
}

// String writes a string, quoted.
func (h *Handle) String(v string) {
	if h.drop() {
		return
	}
	if len(v) > maxString {
		h.buf = append(appendHash(h.buf, v), '\t')
		return
	}
	h.buf = append(strconv.AppendQuote(h.buf, v), '\t')
}

// Items writes the elements of a slice or array of numbers, strings or pointers: [1 2 3].
func (h *Handle) Items(v any) {
	if h.drop() {
		return
	}
	h.buf = append(h.buf, '[')
	switch v := v.(type) {
	case []int:
		if h.begin(len(v)) {
			for _, x := range v {
				h.buf = append(strconv.AppendInt(h.buf, int64(x), 10), ' ')
			}
		}
	case []string:
		if h.begin(len(v)) {
			for _, x := range v {
				h.item(reflect.ValueOf(x))
			}
		}
	default:
		r := reflect.ValueOf(v)
		if h.begin(r.Len()) {
			for i := 0; i < r.Len(); i++ {
				h.item(r.Index(i))
			}
		}
	}
	switch last := len(h.buf) - 1; h.buf[last] {
	case ' ':
		h.buf[last] = ']'
	case '[':
		h.buf = append(h.buf, ']')
	}
	h.buf = append(h.buf, '\t')
}

// begin reports whether a slice of n elements is short enough to be written. For a longer one, it
// replaces the opening bracket by a mark.
func (h *Handle) begin(n int) bool {
	if n > maxItems {
		h.buf[len(h.buf)-1] = '~'
	}
	return n <= maxItems
}

// item writes an element of a slice and a space.
func (h *Handle) item(r reflect.Value) {
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.buf = strconv.AppendInt(h.buf, r.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		h.buf = strconv.AppendUint(h.buf, r.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		h.buf = strconv.AppendFloat(h.buf, r.Float(), 'g', -1, 64)
	case reflect.String:
		if s := r.String(); len(s) > maxString {
			h.buf = appendHash(h.buf, s)
		} else {
			h.buf = strconv.AppendQuote(h.buf, s)
		}
	case reflect.Ptr:
		if r.IsNil() {
			h.buf = append(h.buf, "nil"...)
		} else {
			h.buf = strconv.AppendInt(h.buf, int64(h.number(r.Pointer())), 10)
		}
	}
	h.buf = append(h.buf, ' ')
}

// appendHash appends the hash (FNV-1a) of a long string, after a mark.
func appendHash(to []byte, v string) []byte {
	x := uint64(14695981039346656037)
	for i := 0; i < len(v); i++ {
		x = (x ^ uint64(v[i])) * 1099511628211
	}
	return strconv.AppendUint(append(to, '~'), x, 16)
}

// Nil writes whether a reference is nil; what it refers to is not compared.
func (h *Handle) Nil(isNil bool) {
	if h.drop() {
		return
	}
	if isNil {
		h.buf = append(h.buf, "nil\t"...)
	} else {
		h.buf = append(h.buf, "0\t"...)
	}
}

// Ptr writes the number of a pointer in this sample. It takes an interface because the language
// version of the testee may be too old for type parameters.
func (h *Handle) Ptr(p any) {
	if h.drop() {
		return
	}
	// The second word of an interface that holds a pointer is the pointer.
	u := (*[2]uintptr)(unsafe.Pointer(&p))[1]
	if u == 0 {
		h.buf = append(h.buf, "nil\t"...)
		return
	}
	h.buf = append(strconv.AppendInt(h.buf, int64(h.number(u)), 10), '\t')
}

// number returns the number of a pointer in this sample, from 1.
func (h *Handle) number(u uintptr) int {
	n := 0
	for n < len(h.ptrs) && h.ptrs[n] != u {
		n++
	}
	if n == len(h.ptrs) {
		h.ptrs = append(h.ptrs, u)
	}
	return n + 1
}

// Type writes the dynamic type of an interface, quoted, as package reflect prints it.
func (h *Handle) Type(v any) {
	if h.drop() {
		return
	}
	if v == nil {
		h.buf = append(h.buf, "nil\t"...)
		return
	}
	h.buf = append(strconv.AppendQuote(h.buf, reflect.TypeOf(v).String()), '\t')
}

// Skip writes n variables that do not exist, since they lie behind a nil reference.
func (h *Handle) Skip(n int) {
	for ; n > 0; n-- {
		if !h.drop() {
			h.buf = append(h.buf, "-\t"...)
		}
	}
}

// Result calls report, which writes the result of a method, and skips it if the method panics.
func (h *Handle) Result(report func()) {
	n := len(h.buf)
	defer func() {
		if recover() != nil {
			h.buf = h.buf[:n]
			h.Skip(1)
		}
	}()
	report()
}

// The types and functions below replace predeclared ones where the testee gives their names another
// meaning.
type (
	Int64   = int64
	Uint64  = uint64
	Float64 = float64
	Bool    = bool
	String  = string
)

// Len returns the length of a string, slice, map or channel.
func Len(v any) int64 { return int64(reflect.ValueOf(v).Len()) }

// Cap returns the capacity of a slice or channel.
func Cap(v any) int64 { return int64(reflect.ValueOf(v).Cap()) }

// IsNil reports whether a pointer, slice, map, channel, function or interface is nil.
func IsNil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.IsNil()
}
