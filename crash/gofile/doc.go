// Package gofile helps to write Go files that lie in a package of the testee.
//
// A file must name types and packages by identifiers that are free in it, import only what it may,
// and declare stubs for interfaces that it implements. File keeps track of that while its user
// writes the body:
//
//	f := gofile.New(pkg)
//	body := "x := " + f.Type(t) + "{}"     // f.Type imports the packages that t mentions
//	stubs := f.Declarations(body)
//	text := "package p\n" + f.Imports(body+stubs) + "func F() {" + body + "}" + stubs
//
// Files: gofile.go imports and types, stub.go stub types, format.go line breaks, printed.go types as the runtime prints them.
package gofile
