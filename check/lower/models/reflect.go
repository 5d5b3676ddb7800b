//go:build ignore

package reflect

import (
	"reflect"

	"dsd"
)

// kind returns the kind of a Value, which is 0 for the zero Value.
func kind(v reflect.Value) reflect.Kind {
	k := reflect.Kind(dsd.Get[uintptr](v, "flag") & 31)
	dsd.Assume(k < reflect.UnsafePointer)
	return k
}

// settable reports whether v is addressable and was not obtained through unexported fields.
func settable(v reflect.Value) bool { return dsd.Get[uintptr](v, "flag")&(256|32|64) == 256 }

// must panics unless ok, as methods do that are called on a Value of the wrong kind.
func must(ok bool) {
	if !ok {
		panic("a reflect.Value of another kind")
	}
}

// valid returns any Value but the zero Value.
func valid() reflect.Value {
	v := dsd.Any[reflect.Value]()
	dsd.Assume(kind(v) != reflect.Invalid)
	return v
}

// of returns any Value of kind k.
func of(k reflect.Kind) reflect.Value {
	v := dsd.Any[reflect.Value]()
	dsd.Assume(kind(v) == k)
	return v
}

// someType returns any Type that is not nil.
func someType() reflect.Type {
	t := dsd.Any[reflect.Type]()
	dsd.Assume(t != nil)
	return t
}

// natural returns any number that is not negative.
func natural() int {
	n := dsd.Any[int]()
	dsd.Assume(n >= 0)
	return n
}

func TypeOf(i any) reflect.Type {
	t := dsd.Any[reflect.Type]()
	dsd.Assume((t == nil) == (i == nil))
	return t
}

func ValueOf(i any) reflect.Value {
	switch i.(type) {
	case nil:
		return reflect.Value{}
	case int:
		return of(reflect.Int)
	case string:
		return of(reflect.String)
	case bool:
		return of(reflect.Bool)
	case float64:
		return of(reflect.Float64)
	}
	v := valid()
	dsd.Assume(kind(v) != reflect.Interface)
	return v
}

func Zero(t reflect.Type) reflect.Value {
	must(t != nil)
	return valid()
}
func New(t reflect.Type) reflect.Value {
	must(t != nil)
	return of(reflect.Pointer)
}
func MakeMap(t reflect.Type) reflect.Value             { return of(reflect.Map) }
func MakeSlice(t reflect.Type, n, c int) reflect.Value { return of(reflect.Slice) }
func Append(s reflect.Value, x ...reflect.Value) reflect.Value {
	must(kind(s) == reflect.Slice)
	return of(reflect.Slice)
}
func Indirect(v reflect.Value) reflect.Value {
	if kind(v) != reflect.Pointer {
		return v
	}
	return dsd.Any[reflect.Value]()
}
func PointerTo(t reflect.Type) reflect.Type { return someType() }
func SliceOf(t reflect.Type) reflect.Type   { return someType() }

func Value_Kind(v reflect.Value) reflect.Kind { return kind(v) }
func Value_IsValid(v reflect.Value) bool      { return kind(v) != reflect.Invalid }
func Value_Type(v reflect.Value) reflect.Type {
	must(kind(v) != reflect.Invalid)
	return someType()
}
func Value_Interface(v reflect.Value) any {
	must(kind(v) != reflect.Invalid)
	return dsd.Any[any]()
}
func Value_CanInterface(v reflect.Value) bool {
	must(kind(v) != reflect.Invalid)
	return dsd.Any[bool]()
}
func Value_CanAddr(v reflect.Value) bool { return dsd.Get[uintptr](v, "flag")&256 != 0 }
func Value_CanSet(v reflect.Value) bool  { return settable(v) }
func Value_Addr(v reflect.Value) reflect.Value {
	must(dsd.Get[uintptr](v, "flag")&256 != 0)
	return of(reflect.Pointer)
}
func Value_IsNil(v reflect.Value) bool {
	switch kind(v) {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer,
		reflect.Slice, reflect.UnsafePointer:
		return dsd.Any[bool]()
	}
	panic("a reflect.Value of another kind")
}
func Value_IsZero(v reflect.Value) bool {
	must(kind(v) != reflect.Invalid)
	return dsd.Any[bool]()
}
func Value_Len(v reflect.Value) int {
	switch kind(v) {
	case reflect.Array, reflect.Chan, reflect.Map, reflect.Slice, reflect.String:
		return natural()
	}
	must(kind(v) == reflect.Pointer)
	return natural()
}
func Value_Cap(v reflect.Value) int {
	switch kind(v) {
	case reflect.Array, reflect.Chan, reflect.Slice, reflect.Pointer:
		return natural()
	}
	panic("a reflect.Value of another kind")
}
func Value_Elem(v reflect.Value) reflect.Value {
	must(kind(v) == reflect.Interface || kind(v) == reflect.Pointer)
	return dsd.Any[reflect.Value]()
}
func Value_Index(v reflect.Value, i int) reflect.Value {
	must(kind(v) == reflect.Array || kind(v) == reflect.Slice || kind(v) == reflect.String)
	return valid()
}
func Value_Field(v reflect.Value, i int) reflect.Value {
	must(kind(v) == reflect.Struct)
	return valid()
}
func Value_FieldByIndex(v reflect.Value, index []int) reflect.Value {
	must(kind(v) == reflect.Struct || kind(v) == reflect.Pointer)
	return valid()
}
func Value_FieldByName(v reflect.Value, name string) reflect.Value {
	must(kind(v) == reflect.Struct)
	return dsd.Any[reflect.Value]()
}
func Value_NumField(v reflect.Value) int {
	must(kind(v) == reflect.Struct)
	return natural()
}
func Value_NumMethod(v reflect.Value) int {
	must(kind(v) != reflect.Invalid)
	return natural()
}
func Value_MethodByName(v reflect.Value, name string) reflect.Value {
	must(kind(v) != reflect.Invalid)
	return dsd.Any[reflect.Value]()
}
func Value_MapKeys(v reflect.Value) []reflect.Value {
	must(kind(v) == reflect.Map)
	keys := dsd.Any[[]reflect.Value]()
	dsd.Assume(keys != nil)
	return keys
}
func Value_MapIndex(v, key reflect.Value) reflect.Value {
	must(kind(v) == reflect.Map)
	return dsd.Any[reflect.Value]()
}
func Value_MapRange(v reflect.Value) *reflect.MapIter {
	must(kind(v) == reflect.Map)
	return new(reflect.MapIter)
}
func MapIter_Next(i *reflect.MapIter) bool           { return dsd.Any[bool]() }
func MapIter_Key(i *reflect.MapIter) reflect.Value   { return valid() }
func MapIter_Value(i *reflect.MapIter) reflect.Value { return valid() }

func Value_Bool(v reflect.Value) bool {
	must(kind(v) == reflect.Bool)
	return dsd.Any[bool]()
}
func Value_Int(v reflect.Value) int64 {
	must(kind(v) >= reflect.Int && kind(v) <= reflect.Int64)
	return dsd.Any[int64]()
}
func Value_Uint(v reflect.Value) uint64 {
	must(kind(v) >= reflect.Uint && kind(v) <= reflect.Uintptr)
	return dsd.Any[uint64]()
}
func Value_Float(v reflect.Value) float64 {
	must(kind(v) == reflect.Float32 || kind(v) == reflect.Float64)
	return dsd.Any[float64]()
}
func Value_Complex(v reflect.Value) complex128 {
	must(kind(v) == reflect.Complex64 || kind(v) == reflect.Complex128)
	return dsd.Any[complex128]()
}
func Value_String(v reflect.Value) string { return dsd.Any[string]() }
func Value_Bytes(v reflect.Value) []byte {
	must(kind(v) == reflect.Slice || kind(v) == reflect.Array)
	return dsd.Any[[]byte]()
}

func Value_Set(v, x reflect.Value)              { must(settable(v) && kind(x) != reflect.Invalid) }
func Value_SetBool(v reflect.Value, x bool)     { must(settable(v) && kind(v) == reflect.Bool) }
func Value_SetString(v reflect.Value, x string) { must(settable(v) && kind(v) == reflect.String) }
func Value_SetLen(v reflect.Value, n int)       { must(settable(v) && kind(v) == reflect.Slice) }
func Value_SetFloat(v reflect.Value, x float64) {
	must(settable(v) && (kind(v) == reflect.Float32 || kind(v) == reflect.Float64))
}
func Value_SetInt(v reflect.Value, x int64) {
	must(settable(v) && kind(v) >= reflect.Int && kind(v) <= reflect.Int64)
}
func Value_SetUint(v reflect.Value, x uint64) {
	must(settable(v) && kind(v) >= reflect.Uint && kind(v) <= reflect.Uintptr)
}
func Value_SetMapIndex(v, key, elem reflect.Value) { must(kind(v) == reflect.Map) }
func Value_Slice(v reflect.Value, i, j int) reflect.Value {
	must(kind(v) == reflect.Slice || kind(v) == reflect.String || kind(v) == reflect.Array)
	return valid()
}
func Value_Convert(v reflect.Value, t reflect.Type) reflect.Value {
	must(kind(v) != reflect.Invalid)
	return valid()
}
func Value_Call(v reflect.Value, in []reflect.Value) []reflect.Value {
	must(kind(v) == reflect.Func)
	return dsd.Any[[]reflect.Value]()
}

func Type_Elem(t reflect.Type) reflect.Type       { return someType() }
func Type_Key(t reflect.Type) reflect.Type        { return someType() }
func Type_In(t reflect.Type, i int) reflect.Type  { return someType() }
func Type_Out(t reflect.Type, i int) reflect.Type { return someType() }
func Type_NumField(t reflect.Type) int            { return natural() }
func Type_NumMethod(t reflect.Type) int           { return natural() }
func Type_NumIn(t reflect.Type) int               { return natural() }
func Type_NumOut(t reflect.Type) int              { return natural() }
func Type_Len(t reflect.Type) int                 { return natural() }
func Type_Kind(t reflect.Type) reflect.Kind {
	k := dsd.Any[reflect.Kind]()
	dsd.Assume(k != reflect.Invalid && k <= reflect.UnsafePointer)
	return k
}
func Type_Field(t reflect.Type, i int) reflect.StructField {
	f := dsd.Any[reflect.StructField]()
	dsd.Assume(f.Type != nil)
	return f
}
