// Package callgraph computes which functions of the testee call each other, which of them form a
// cycle, and what each may write or read once its callees are counted in.
//
// # Problem
//
// Several stages ask the same three questions about a loaded program. The recorder saves the fields
// that a function may write, and skips functions on a cycle; the search for crashes wants the
// methods that write a field; inference observes only the fields that matter to a function; the
// lowering of check needs the memories that a call may change. A call graph and one bottom-up pass
// over it answer all of them.
//
// # Algorithm
//
//  1. New walks the body of each function once and records one Edge for each name of a function.
//  2. Components finds the strongly connected components, callees first [TARJAN].
//  3. Close visits the components in that order and joins the set of each with those of its
//     callees. All functions of a component share one set, so a single visit suffices: there is no
//     iteration to a fixed point.
//
// Steps 2 and 3 work on any graph. The stage check has a call graph of lowered functions, and the
// tests of candidates a graph of variables that are passed to parameters.
//
// # Strength
//
// A call through an interface leads to every method of that name in the main module. That is class
// hierarchy analysis [CHA] without the test that the receiver's type implements the interface: it
// finds a superset, works for generic types, and costs a look-up by name.
//
// A graph with edges of all kinds is sound for calls that start and end in function bodies of the
// main module, if a function value counts as called by the function that names it. It misses
//   - callbacks: a function gets no edge to the function values that its caller passes, nor to
//     those that it finds in variables; the edge starts where the value was made;
//   - calls by other modules, such as sort.Sort calling Less or fmt.Print calling String;
//   - reflection, go:linkname, and assembly;
//   - init functions, functions named _, and initializers of package-level variables, which are not
//     nodes.
//
// The statements of a function literal belong to the function that contains the literal.
//
// # Sources
//
//   - [TARJAN] R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1(2),
//     1972.
//   - [CHA] J. Dean, D. Grove, C. Chambers, Optimization of object-oriented programs using static
//     class hierarchy analysis, ECOOP 1995.
//
// # Files
//
// callgraph.go builds the graph, components.go has the algorithms for any graph, set.go the bit
// sets, and summary.go the variables that each function and its callees touch.
package callgraph
