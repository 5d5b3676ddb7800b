// Package paramgraph builds the parameter graph of a package: for each type, the operations that
// produce values of it [DSD 4.2.1].
//
// To call a function, a candidate needs values of the types of its parameters; to make these it
// needs other calls, and so on. The graph has a node for each type. An operation (candidate.Op) is
// an edge from the types of its arguments to each type that it produces: a call, a literal, a
// composite, a conversion. A Builder works in three steps:
//
//  1. It adds the functions and methods of the package as operations; those are the targets to
//     test.
//  2. It takes the types of their arguments from a worklist and adds operations that produce values
//     of them, which need further types, until the worklist is empty.
//  3. Graph resolves the types of the operations to nodes, and computes for each type how deeply
//     operations must be nested to make a value of it. A target that needs a value which nothing
//     produces is skipped, with the reason.
//
// Between steps 2 and 3 package carve adds the operations that the tests of the package perform.
//
// A method that can change its receiver produces a value of the receiver's type, too: the receiver
// after the call. JCrasher left methods without results out, and with them the bugs that need a few
// of them in a row [DSD 5.6].
//
// A generic function or type gets the first type arguments that satisfy its constraints, from a short list. The search for
// one crash instantiates it with an interface, too, and functions on the stack with structs that the package asks for; and
// it sets exported variables of the package.
//
// Not handled: other type arguments; functions of the standard library whose effects leave the process
// or depend on the time are never called; and beside the functions under test the table has about
// maxOps operations.
//
// Files, in reading order: graph.go (the graph), link.go (step 3), depth.go (how deep data is), size.go (counting and
// enumerating values), builder.go, handed.go and held.go (step 1), generic.go (type arguments),
// produce.go (step 2, by kind of type), constructors.go (functions that make values of named types),
// http.go (requests and responses), interfaces.go (values of interfaces), asked.go and fields.go (what the source asks of
// those of any type), reentrant.go (functions that call back).
package paramgraph
