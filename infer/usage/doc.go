// Package usage learns how objects of a module's types are used: which calls follow which on the
// same object, and which constants are passed to them [SEED 3.1].
//
// In: a program with its tests. Out: models (schemas.Models), one for each named type.
//
// # Algorithm
//
// A model is a 2-gram transition system: its states are calls, and a transition counts how often
// one call came directly after another on the same object. Call sequences come from two sources:
//
//   - Static [SEED 3.1.1] follows the paths through each function: both branches of conditions, the
//     bodies of loops once. Each variable that holds an object gives one sequence per path.
//   - Dynamic [SEED 3.1.2] instruments the module, runs its tests, and counts the calls on each
//     object by its address.
//
// # Limits
//
// Static follows local variables alone, and no calls. Dynamic sees methods with pointer receivers
// and functions that return a pointer; where the memory of an object is used again, its last call
// is taken for that of the new object, unless a function returned that one.
//
// # Files
//
// usage.go has the models, static.go and dynamic.go their two sources, and run/ the runtime of
// instrumented programs.
package usage
