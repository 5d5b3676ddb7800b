package paramgraph

import (
	"go/types"

	"dsd/internal/source"
)

const (
	// MaxDepth is the depth of the deepest values that are drawn, but for data that is deeper.
	MaxDepth = 6
	// maxData is the depth of the deepest data that is drawn.
	maxData = 12
)

// Documents in memory are structs that hold slices of structs that hold slices again: the name of a cell of a row of a
// sheet is one string, which nothing but nested operations puts there.

// dataDepths computes how deep the operations nest that fill a value, by type: its fields, its elements, and what it
// points to. Structs of other modules count as empty, and types inside themselves add nothing.
type dataDepths struct {
	prog  *source.Program
	known map[types.Type]int
}

// of returns the depth for a type. What is found out about types inside it is not kept: there, those around them count
// as inside themselves.
func (d *dataDepths) of(t types.Type) int {
	t = types.Unalias(t)
	if _, ok := d.known[t]; !ok {
		inside := dataDepths{d.prog, map[types.Type]int{}}
		d.known[t] = inside.fill(t)
	}
	return d.known[t]
}

// fill is of for a type inside the one that is asked about, or that itself.
func (d *dataDepths) fill(t types.Type) int {
	t = types.Unalias(t)
	if depth, ok := d.known[t]; ok {
		return depth
	}
	d.known[t] = 0 // as long as it is computed
	inner := 0
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		inner = d.fill(u.Elem())
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			inner-- // a composite literal makes both
		}
	case *types.Slice:
		inner = d.fill(u.Elem())
	case *types.Array:
		inner = d.fill(u.Elem())
	case *types.Map:
		inner = max(d.fill(u.Key()), d.fill(u.Elem()))
	case *types.Struct:
		if named, ok := t.(*types.Named); ok && (named.Obj().Pkg() == nil || d.prog.Package(named.Obj().Pkg().Path()) == nil) {
			break
		}
		for f := range u.Fields() {
			if f.Exported() {
				inner = max(inner, d.fill(f.Type()))
			}
		}
	}
	d.known[t] = 1 + max(inner, 0)
	return d.known[t]
}
