// Package origin opens the module in which a panic occurred, so that tests can call its functions,
// and compares what those tests show with the panic.
//
// The text of a panic names functions of many modules: the program that crashed, its dependencies,
// the standard library. The build around a directory has some of them. Trace locates each frame in
// the build. Trace.Open loads one module that is on the stack; a dependency is copied first,
// because nothing can be added to the module cache. Module.Verify runs tests in that module, and
// reports which of them panic like the original, and in how many frames of the stack.
//
// The frames of other modules are context: they are documented, but not compared.
//
// At makes another version of the build, in a scratch directory.
//
// Files in reading order: trace.go, at.go, module.go, verify.go.
package origin
