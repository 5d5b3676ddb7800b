// Package lower turns Go into guarded commands (check/ir).
//
// In: type-checked functions (internal/source). Out: for each an ir.Func, with wrappers of ours for calls through
// interfaces and bound methods. A construct that is not covered makes its function opaque, with the reason; it is
// never dropped.
//
// Values are tuples of scalars, laid out by layout.go:
//
//	bool, integer, float   itself
//	string                 object, offset, length: bytes in memory "string"
//	pointer                object, slot
//	slice                  object, slot, length, capacity
//	map, channel           object
//	function               identity, closure object
//	interface              dynamic type, object, slot: a pointer itself, or a box that holds the value
//	struct, array          their parts, one after the other
//
// Variables whose address is not taken are scalars; all others live in objects, which are addressed by slot. Memory is
// divided into classes by struct field or element type, [DSD's heap per field, as in ESC]; a field whose address is
// taken anywhere in the testee shares the class of its type.
package lower
