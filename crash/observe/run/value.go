//go:build go1.21

package run

import (
	"math"
	"reflect"
)

// Value mirrors fact.Value of the tools.
type Value struct {
	Opaque bool    `json:"o,omitempty"`
	Nil    bool    `json:"z,omitempty"`
	NotNil bool    `json:"n,omitempty"`
	Bits   *uint64 `json:"b,omitempty"`
	Text   *[]byte `json:"t,omitempty"`
	Len    *int    `json:"l,omitempty"`
	Elems  []Value `json:"e,omitempty"`
	Inside *Value  `json:"p,omitempty"`
}

// Limits of values.
const (
	maxDepth = 3
	maxElems = 32
	maxText  = 256
)

// valueOf returns the value of v, of its static type T.
func valueOf[T any](v T) *Value { return valueAt(&v) }

// valueAt returns the value that the pointer p points to.
func valueAt(p any) *Value {
	x := read(reflect.ValueOf(p).Elem(), 0)
	return &x
}

// read returns the value of v, which may be an unexported field.
func read(v reflect.Value, depth int) (out Value) {
	number := func(bits uint64) Value { return Value{Bits: &bits} }
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return number(1)
		}
		return number(0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Uintptr:
		return number(v.Uint())
	case reflect.Float32:
		return number(uint64(math.Float32bits(float32(v.Float()))))
	case reflect.Float64:
		return number(math.Float64bits(v.Float()))
	case reflect.String:
		text := []byte(v.String())
		if n := len(text); n > maxText {
			return Value{Opaque: true, Len: &n}
		}
		return Value{Text: &text}
	case reflect.Slice:
		if v.IsNil() {
			return Value{Nil: true}
		}
		n := v.Len()
		out.Len = &n
		if n > maxElems || depth >= maxDepth {
			out.Opaque = true
			return out
		}
		return elems(out, n, v.Index, depth)
	case reflect.Array:
		if v.Len() > maxElems || depth >= maxDepth {
			return Value{Opaque: true}
		}
		return elems(out, v.Len(), v.Index, depth)
	case reflect.Struct:
		if depth >= maxDepth {
			return Value{Opaque: true}
		}
		return elems(out, v.NumField(), v.Field, depth)
	case reflect.Pointer:
		if v.IsNil() {
			return Value{Nil: true}
		}
		out.NotNil = true
		if depth < 1 { // no further: the memory behind it may be large, or written to
			x := read(v.Elem(), maxDepth-1)
			out.Inside = &x
		}
		return out
	case reflect.Interface, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			return Value{Nil: true}
		}
		return Value{NotNil: true, Opaque: true}
	}
	return Value{Opaque: true}
}

// elems adds n elements to a value.
func elems(out Value, n int, at func(int) reflect.Value, depth int) Value {
	out.Elems = make([]Value, n)
	for i := 0; i < n; i++ {
		out.Elems[i] = read(at(i), depth+1)
	}
	return out
}
