package paramgraph

import (
	"go/types"
	"math/big"

	"dsd/crash/candidate"
	"dsd/crash/search/program"
)

// The number of values of a type T that nest operations at most d deep [DSD figure 6]:
//
//	size(T, 0) = 0
//	size(T, d) = sum over the producers p of T of size(p, d)
//	size(p, d) = number of values                            if p is a literal
//	           = 1 + e + e^2 + ... + e^MaxElems              if p makes slices of E,
//	                                                         with e = size(E, d-1)
//	           = product over the arguments A of size(A, d-1)  otherwise
//
// Indices below size(T, d) name the values in the same order, so any of them can be made without
// those before it.

// Size returns the number of values of type t that nest operations at most depth deep. It counts
// them without making them.
func (g *Graph) Size(t types.Type, depth int) *big.Int {
	if n := g.nodes[Key(t)]; n != nil {
		return g.size(n, depth)
	}
	return new(big.Int)
}

func (g *Graph) size(n *Node, depth int) *big.Int {
	if depth <= 0 {
		return new(big.Int)
	}
	for len(n.sizes) <= depth {
		n.sizes = append(n.sizes, nil)
	}
	if n.sizes[depth] == nil {
		sum := new(big.Int)
		for _, p := range n.Producers {
			sum.Add(sum, g.producerSize(p, depth))
		}
		n.sizes[depth] = sum
	}
	return n.sizes[depth]
}

// producerSize returns the number of values at most depth deep that a producer makes.
func (g *Graph) producerSize(p Producer, depth int) *big.Int {
	op := g.Table[p.Op]
	if op.Lit {
		return big.NewInt(int64(len(g.Out[p.Op][0].Values)))
	}
	if op.Variadic {
		sum, power := big.NewInt(1), big.NewInt(1)
		elem := g.size(g.In[p.Op][0], depth-1)
		for range MaxElems {
			power = new(big.Int).Mul(power, elem)
			sum.Add(sum, power)
		}
		return sum
	}
	return g.Calls(p.Op, depth)
}

// Calls returns the number of ways to call an operation with arguments less than depth deep.
func (g *Graph) Calls(op, depth int) *big.Int {
	size := big.NewInt(1)
	for _, n := range g.In[op] {
		size.Mul(size, g.size(n, depth-1))
	}
	return size
}

// At returns the i-th of the candidates that call a target with arguments less than depth deep.
// There are Calls(target, depth) of them, counted from 0.
func (g *Graph) At(target, depth int, i *big.Int) candidate.Program {
	b := &program.Builder{Table: g.Table}
	g.callAt(b, target, depth, new(big.Int).Set(i))
	return b.Program
}

// callAt adds the call of an operation with its i-th arguments. It returns the number of the call's
// first result and the numbers of the arguments. It overwrites i.
func (g *Graph) callAt(b *program.Builder, op, depth int, i *big.Int) (result int, args []int) {
	rest := new(big.Int)
	for _, n := range g.In[op] {
		i.DivMod(i, g.size(n, depth-1), rest)
		args = append(args, g.valueAt(b, n, depth-1, new(big.Int).Set(rest)))
	}
	return b.Add(candidate.Stmt{Op: op, Args: args}), args
}

// valueAt adds what makes the i-th value of a type and returns its number. It overwrites i.
func (g *Graph) valueAt(b *program.Builder, n *Node, depth int, i *big.Int) int {
	for _, p := range n.Producers {
		size := g.producerSize(p, depth)
		if i.Cmp(size) >= 0 {
			i.Sub(i, size)
			continue
		}
		op := g.Table[p.Op]
		switch {
		case op.Lit:
			v := n.Values[i.Int64()]
			return b.Add(candidate.Stmt{Op: p.Op, Bits: v.Bits, Text: v.Text})
		case op.Variadic:
			return g.sliceAt(b, p.Op, depth, i)
		}
		result, args := g.callAt(b, p.Op, depth, i)
		if p.Out == AfterCall {
			return args[0]
		}
		return result + p.Out
	}
	panic("paramgraph: the index of a value is not below the size of its type")
}

// sliceAt adds the i-th slice of elements, shorter slices first. It overwrites i.
func (g *Graph) sliceAt(b *program.Builder, op, depth int, i *big.Int) int {
	elem := g.In[op][0]
	elems := g.size(elem, depth-1)
	var args []int
	power := big.NewInt(1) // number of slices of this length
	for n := 0; i.Cmp(power) >= 0 && n < MaxElems; n++ {
		i.Sub(i, power)
		power = new(big.Int).Mul(power, elems)
		args = append(args, 0)
	}
	rest := new(big.Int)
	for n := range args {
		i.DivMod(i, elems, rest)
		args[n] = g.valueAt(b, elem, depth-1, new(big.Int).Set(rest))
	}
	return b.Add(candidate.Stmt{Op: op, Args: args})
}
