package carve

import (
	"go/token"
	"go/types"
	"slices"

	"dsd/crash/candidate"
)

// The tests are type-checked with another copy of the package than the one that was loaded. So the
// types of the tests are not identical to those of the graph, and are translated by name.

// op returns the operation with a key. If there is none, it calls make with the graph's type for t
// and adds the result to the table, unless that is in the table already. It returns nil if the
// graph has no such type, as for types that tests declare, or if the package cannot name it.
func (c *carver) op(k string, t types.Type, make func(t types.Type) *candidate.Op) *candidate.Op {
	if o, ok := c.added[k]; ok {
		return o
	}
	c.added[k] = nil
	if t = c.graphType(t); t == nil {
		return nil
	}
	o := make(t)
	if o == nil || !slices.Contains(c.b.Table(), o) && !c.b.Add(o) {
		return nil
	}
	c.added[k] = o
	return o
}

// graphType returns the type of the loaded program that corresponds to a type of the tests, nil if
// there is none.
func (c *carver) graphType(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t

	case *types.Named:
		return c.named(t)

	case *types.Pointer:
		if e := c.graphType(t.Elem()); e != nil {
			return types.NewPointer(e)
		}

	case *types.Slice:
		if e := c.graphType(t.Elem()); e != nil {
			return types.NewSlice(e)
		}

	case *types.Array:
		if e := c.graphType(t.Elem()); e != nil {
			return types.NewArray(e, t.Len())
		}

	case *types.Chan:
		if e := c.graphType(t.Elem()); e != nil {
			return types.NewChan(t.Dir(), e)
		}

	case *types.Map:
		if k, e := c.graphType(t.Key()), c.graphType(t.Elem()); k != nil && e != nil {
			return types.NewMap(k, e)
		}

	case *types.Interface:
		if t.Empty() {
			return t
		}

	case *types.Signature:
		params, results := c.tuple(t.Params()), c.tuple(t.Results())
		if t.TypeParams().Len() == 0 && params != nil && results != nil {
			return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
		}

	case *types.Struct:
		return c.structType(t)
	}
	return nil
}

// named translates a named type. It must be predeclared or declared at package level.
func (c *carver) named(t *types.Named) types.Type {
	o := t.Obj()
	if o.Pkg() == nil {
		return t
	}
	if o.Parent() != o.Pkg().Scope() {
		return nil
	}
	p, err := c.importPackage(o.Pkg().Path())
	if err != nil {
		return nil
	}
	own, ok := p.Scope().Lookup(o.Name()).(*types.TypeName)
	if !ok {
		return nil
	}
	if t.TypeArgs().Len() == 0 {
		return types.Unalias(own.Type())
	}
	var args []types.Type
	for a := range t.TypeArgs().Types() {
		if a = c.graphType(a); a == nil {
			return nil
		}
		args = append(args, a)
	}
	inst, err := types.Instantiate(nil, own.Type(), args, true)
	if err != nil {
		return nil
	}
	return inst
}

// structType translates a struct type without unexported fields.
func (c *carver) structType(t *types.Struct) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range t.NumFields() {
		f := t.Field(i)
		ft := c.graphType(f.Type())
		if ft == nil || !f.Exported() {
			return nil
		}
		field := types.NewField(token.NoPos, nil, f.Name(), ft, f.Embedded())
		fields = append(fields, field)
		tags = append(tags, t.Tag(i))
	}
	return types.NewStruct(fields, tags)
}

// tuple translates the parameters or results of a function, nil if there is a type without
// translation.
func (c *carver) tuple(t *types.Tuple) *types.Tuple {
	vars := []*types.Var{}
	for v := range t.Variables() {
		vt := c.graphType(v.Type())
		if vt == nil {
			return nil
		}
		vars = append(vars, types.NewParam(token.NoPos, nil, "", vt))
	}
	return types.NewTuple(vars...)
}
