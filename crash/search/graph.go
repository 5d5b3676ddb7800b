package search

import (
	"go/types"
	"math/big"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/schemas"
)

// Graph is the parameter graph of a package: for each type, the operations that produce values of it.
//
// A method whose receiver can be changed by it is a producer of its receiver's type, too: the value is the receiver after
// the call. JCrasher left those of no results out, and with them the bugs that need a few of them in a row [DSD 5.6].
type Graph struct {
	Table []*candidate.Op
	// Targets are the operations to test, indices into Table.
	Targets []int
	// Skipped are the functions of the package that are no targets, with the reason.
	Skipped []schemas.Skipped
	// vocabulary is of the constants and strings in the package's source and its tests.
	vocabulary *run.Vocabulary
	// seeds are candidates made of the package's tests.
	seeds []seed
	nodes map[string]*node
	// setters are the operations that set a field.
	setters []int
	// usual are values that the arguments of an operation usually have, by operation and argument; they come from observed,
	// usage and own.
	usual    [][][]value
	observed Observed
	usage    *usage
	own      map[*types.Func][]literal
	// in and out are the types of the arguments and results, by operation.
	in, out [][]*node
}

// value is that of a literal.
type value struct {
	bits uint64
	text string
}

// node is a type.
type node struct {
	typ       types.Type
	producers []producer
	sizes     []*big.Int // by depth, see Size
	values    []value    // of a basic type
	// cheapest is the least depth at which there are values, 0 if there are none.
	cheapest int
}

// producer is an operation that makes a value: its result number Out, or, if Out is negative, its first argument after the
// call.
type producer struct{ op, out int }

// key tells types apart.
func key(t types.Type) string { return types.TypeString(types.Unalias(t), nil) }

// maxElems is how many elements a slice is given at most.
const maxElems = 3

// Size is the number of values of type t that nest operations at most depth deep, counted without making them
// [DSD figure 6].
func (g *Graph) Size(t types.Type, depth int) *big.Int {
	if n := g.nodes[key(t)]; n != nil {
		return g.size(n, depth)
	}
	return new(big.Int)
}

func (g *Graph) size(n *node, depth int) *big.Int {
	if depth <= 0 {
		return new(big.Int)
	}
	for len(n.sizes) <= depth {
		n.sizes = append(n.sizes, nil)
	}
	if n.sizes[depth] == nil {
		sum := new(big.Int)
		for _, p := range n.producers {
			sum.Add(sum, g.sizeOf(p, depth))
		}
		n.sizes[depth] = sum
	}
	return n.sizes[depth]
}

// sizeOf is the number of values that a producer makes.
func (g *Graph) sizeOf(p producer, depth int) *big.Int {
	op := g.Table[p.op]
	if op.Lit {
		return big.NewInt(int64(len(g.out[p.op][0].values)))
	}
	if op.Variadic {
		sum, all := big.NewInt(1), big.NewInt(1)
		each := g.size(g.in[p.op][0], depth-1)
		for range maxElems {
			all = new(big.Int).Mul(all, each)
			sum.Add(sum, all)
		}
		return sum
	}
	return g.Candidates(p.op, depth)
}

// At is the candidate number i, from 0 on, of those that call the target operation with arguments less than depth deep, of
// which there are Candidates(target, depth).
func (g *Graph) At(target, depth int, i *big.Int) candidate.Program {
	var p builder
	p.table = g.Table
	g.callAt(&p, target, depth, new(big.Int).Set(i))
	return p.prog
}

// Candidates is the number of ways to call an operation with arguments less than depth deep.
func (g *Graph) Candidates(op, depth int) *big.Int {
	size := big.NewInt(1)
	for _, n := range g.in[op] {
		size.Mul(size, g.size(n, depth-1))
	}
	return size
}

// callAt adds the call of an operation with the i-th arguments, and returns the number of its first result and those of
// the arguments.
func (g *Graph) callAt(p *builder, op, depth int, i *big.Int) (result int, args []int) {
	rest := new(big.Int)
	for _, n := range g.in[op] {
		i.DivMod(i, g.size(n, depth-1), rest)
		args = append(args, g.valueAt(p, n, depth-1, new(big.Int).Set(rest)))
	}
	return p.add(candidate.Stmt{Op: op, Args: args}), args
}

// valueAt adds what makes the i-th value of a type, and returns its number.
func (g *Graph) valueAt(p *builder, n *node, depth int, i *big.Int) int {
	for _, prod := range n.producers {
		size := g.sizeOf(prod, depth)
		if i.Cmp(size) >= 0 {
			i.Sub(i, size)
			continue
		}
		op := g.Table[prod.op]
		switch {
		case op.Lit:
			v := n.values[i.Int64()]
			return p.add(candidate.Stmt{Op: prod.op, Bits: v.bits, Text: v.text})
		case op.Variadic:
			return g.sliceAt(p, prod.op, depth, i)
		}
		result, args := g.callAt(p, prod.op, depth, i)
		if prod.out < 0 {
			return args[0]
		}
		return result + prod.out
	}
	panic("search: there is no such value")
}

// sliceAt adds the i-th slice of elements, shortest first.
func (g *Graph) sliceAt(p *builder, op, depth int, i *big.Int) int {
	elem := g.in[op][0]
	each := g.size(elem, depth-1)
	var args []int
	all := big.NewInt(1)
	for n := 0; i.Cmp(all) >= 0 && n < maxElems; n++ {
		i.Sub(i, all)
		all = new(big.Int).Mul(all, each)
		args = append(args, 0)
	}
	rest := new(big.Int)
	for n := range args {
		i.DivMod(i, each, rest)
		args[n] = g.valueAt(p, elem, depth-1, new(big.Int).Set(rest))
	}
	return p.add(candidate.Stmt{Op: op, Args: args})
}

// builder makes a program, statement by statement.
type builder struct {
	table   []*candidate.Op
	prog    candidate.Program
	results int
}

// add adds a statement and returns the number of its first result.
func (b *builder) add(s candidate.Stmt) int {
	b.prog = append(b.prog, s)
	n := b.results
	b.results += len(b.table[s.Op].Out)
	return n
}
