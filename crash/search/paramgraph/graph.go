package paramgraph

import (
	"go/types"
	"math/big"

	"dsd/crash/candidate"
	"dsd/crash/search/constants"
	"dsd/internal/source"
	"dsd/schemas"
)

// Graph is the parameter graph of a package.
type Graph struct {
	// Table holds the operations. An operation is named by its index.
	Table []*candidate.Op
	// Targets are the operations to test.
	Targets []int
	// Skipped are the functions of the package that are no targets, with the reason.
	Skipped []schemas.Skipped
	// Constants are the values that were collected for the literals of the package.
	Constants *constants.Set
	// Setters are the operations that set a field.
	Setters []int
	// Variables are the operations that set a package-level variable.
	Variables []int
	// In and Out are the types of the arguments and results, by operation.
	In, Out [][]*Node
	// Usual are the values that an argument usually has, by operation and argument.
	Usual [][][]constants.Value
	// DataDepth is the depth of operations that fills the arguments, by operation, as far as their types tell.
	DataDepth []int

	nodes map[string]*Node // by Key
	data  dataDepths
}

// Node is a type of the graph.
type Node struct {
	Type types.Type
	// Producers are the operations that make values of the type.
	Producers []Producer
	// Copies are the operations that copy a value of the type, a struct, with a field set. They
	// are not drawn where a value is needed: they would outnumber what makes one.
	Copies []int
	// Values are the values for literals, if the type is a basic one.
	Values []constants.Value
	// MinDepth is the least depth of nested operations that makes a value, 0 if nothing does.
	MinDepth int

	sizes []*big.Int // by depth, nil where it is not computed; see Size
}

// Producer is an operation as the producer of a value.
type Producer struct {
	Op int
	// Out is the number of the operation's result that is the value, or AfterCall.
	Out int
}

// AfterCall in Producer.Out means that the value is the operation's first argument, after the call.
const AfterCall = -1

// MaxElems is the number of elements of the longest slice that is drawn.
const MaxElems = 3

// Key returns a string that identifies a type.
func Key(t types.Type) string { return types.TypeString(types.Unalias(t), nil) }

// Nodes calls yield for each type of the graph, by its Key, in no particular order.
func (g *Graph) Nodes(yield func(key string, n *Node) bool) {
	for key, n := range g.nodes {
		if !yield(key, n) {
			return
		}
	}
}

// AddLiterals adds Go literals to the values of the basic types that they fit, and to the
// vocabulary.
func (g *Graph) AddLiterals(literals []string) {
	g.Constants.Vocabulary = constants.Extend(g.Constants.Vocabulary, literals)
	for _, n := range g.nodes {
		if b, ok := n.Type.Underlying().(*types.Basic); ok {
			n.Values = constants.Append(n.Values, b, literals)
		}
	}
}

// IsNil reports whether an operation makes a nil pointer, interface or function. Nil slices and
// maps are ordinary values.
func IsNil(o *candidate.Op) bool {
	if !o.Nil {
		return false
	}
	switch o.Out[0].Underlying().(type) {
	case *types.Slice, *types.Map:
		return false
	}
	return !candidate.MayBeNil(o.Out[0])
}

// IsUnusual reports whether an operation is drawn less often than others: users of the package
// cannot do it, or it makes a nil pointer, interface or function.
func IsUnusual(o *candidate.Op) bool { return o.Internal || IsNil(o) }

// skip records why a function is no target.
func (g *Graph) skip(fn *types.Func, why string) {
	g.Skipped = append(g.Skipped, schemas.Skipped{Func: source.FuncName(fn), Reason: why})
}
