// Package source loads the packages of a Go module as type-checked syntax.
//
// Load takes a directory and the patterns of `go list`. It returns a Program with the packages of
// the main module from source: those that match, and those that they import. All other packages
// come from the compiler's export data, but for those that import packages of the main module, so that
// loading costs two runs of `go list` and the type check of the module alone. The steps:
//
//  1. go list -deps names the packages and their files, in dependency order;
//  2. the files of the module are parsed, one goroutine per package;
//  3. go list -export builds or finds the export data of the other packages;
//  4. go/types checks the packages of the module, in the order of step 1.
//
// The go command finds packages and reports errors: a module that does not compile is reported in
// the compiler's own words (CompileError).
//
// Files: load.go (Program, Load), golist.go (go list), typecheck.go (the type check of a package), user.go (packages of
// other modules that import those of the main module), cgo.go (what files use of C), lines.go (//line directives),
// exclude.go (packages to leave out), imported.go (what packages import), workspace.go (several modules), names.go
// (functions and their names), literals.go (functions without a name), held.go (those that variables hold),
// captured.go (variables of closures), testnames.go (names that test files declare), extend.go (adding a file
// to a loaded package), directive.go (functions that must not be instrumented), modules.go (the modules of a build),
// anchor.go (positions relative to declarations), local.go (what a build depends on), platform.go (GOOS and GOARCH).
package source
