// Package lower translates Go functions into guarded commands (check/ir).
//
// # Input and output
//
// The input is a type-checked program (internal/source). The output is one ir.Func for each
// function that is analyzed, for each function that it calls, and for a few wrappers: methods
// called through interfaces, method values and expressions, and initializers of package-level
// variables. Generic functions are lowered for one list of type arguments.
//
// A construct that is not covered is never dropped. It makes its function unsupported, with a
// reason (ir.Func.Unsupported), or it is approximated and a command says so (ir.Assume.Bound).
//
// # Steps
//
//  1. New scans all packages: which types may interfaces hold, which fields have their address
//     taken, which package-level variables are constant, which type arguments are in use.
//  2. World.Root lowers a function and, from a worklist, all functions that it calls.
//  3. World.Close adds the wrappers for methods that are called through interfaces, and computes
//     what the next pass asks for repeatedly: live variables, side effects, callees.
//
// Within one function, the lowerer walks the syntax tree as a compiler's front end does. It asks
// syntax about types and names, and calls emitter for every operation on values. Go's evaluation
// order is kept: an operand is copied to a temporary before a later operand can change it. A
// comment above each statement's method draws the blocks that the statement becomes.
//
// # Values
//
// A value is a tuple of scalars (layout.go):
//
//	bool, integer, float   itself
//	complex                real part, imaginary part
//	string                 object, offset, length
//	pointer                object, slot
//	slice                  object, slot, length, capacity
//	map, channel           object
//	function               identity, closure object
//	interface              dynamic type, object, slot: a pointer, or a box that holds the value
//	struct, array          the scalars of the parts in order
//
// Object 0 is nil.
//
// # Memory
//
// A variable whose address is not taken is a tuple of scalar variables. All others live in objects,
// and a slot is a position in an object. Memories are arrays indexed by object and slot. There is
// one memory per struct field and component, as in the heap model of [ESC], and one per element
// type. Fields whose address is taken anywhere in the testee share the memory of their type: a
// pointer does not say which field it points to.
//
// # Not handled
//
// Goroutines run at no particular time; sent values are tracked only while no other goroutine may know
// the channel; an operation that blocks ends the execution. Long strings are compared, and used as keys of maps, only up to a few bytes.
// Memory that package unsafe reads as another type may hold anything. Most of these limits are
// reported as a bound where an execution meets them.
//
// # Files, in reading order
//
// What all functions share: world.go, scan.go (what New looks for), types.go, dynamic.go (types
// that interfaces hold), instances.go (type arguments), layout.go, memory.go, statics.go,
// functions.go, models.go, library.go and summaries.go (the standard library), initial.go
// (package-level variables), summary.go, bounds.go. So that a later run recognizes what did not change:
// numbering.go, digest.go.
//
// Operations on values (emitter): emit.go, value.go, location.go, compare.go, strings.go, maps.go,
// keys.go (keys of maps), and parts of arith.go, convert.go and channel.go.
//
// Go's syntax (lowerer): func.go, syntax.go, escape.go, stmt.go, assign.go, switch.go, jump.go,
// range.go, rangefunc.go and rangefuncdefer.go (loops over functions), defer.go, channel.go,
// expr.go, addr.go, arith.go, convert.go, lit.go, closure.go, callback.go, call.go, builtin.go,
// wrapper.go (methods as values), unsafe.go.
//
// Invariants as terms: condition.go.
package lower
