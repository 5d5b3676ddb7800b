package paramgraph

import (
	"go/types"
	"slices"
)

// argumentTypes are tried as type arguments in this order: the simplest first.
var argumentTypes = []types.Type{
	types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64],
	types.NewSlice(types.Typ[types.Int]),
}

// maxTypeParams is the number of type parameters up to which all combinations of argumentTypes are
// tried.
const maxTypeParams = 3

// instantiate gives a generic function or type the first type arguments that satisfy its
// constraints. It returns nil if there are none.
func instantiate(t types.Type, params int) (types.Type, []types.Type) {
	if params > maxTypeParams {
		return nil, nil
	}
	args := make([]types.Type, params)
	var fill func(i int) types.Type
	fill = func(i int) types.Type {
		if i == len(args) {
			if inst, err := types.Instantiate(nil, t, args, true); err == nil {
				return inst
			}
			return nil
		}
		for _, arg := range argumentTypes {
			args[i] = arg
			if inst := fill(i + 1); inst != nil {
				return inst
			}
		}
		return nil
	}
	return fill(0), args
}

// instantiateWith gives a generic function or type the same type as all type arguments. It returns nil if that does not
// satisfy the constraints.
func instantiateWith(t types.Type, params int, arg types.Type) (types.Type, []types.Type) {
	targs := slices.Repeat([]types.Type{arg}, params)
	inst, err := types.Instantiate(nil, t, targs, true)
	if err != nil {
		return nil, nil
	}
	return inst, targs
}

// maxFurther is the number of structs that are type arguments.
const maxFurther = 4

// furtherArguments returns types with which generic functions and types are instantiated besides the simplest, in the
// search for one crash: an interface, whose values may be nil and need not be comparable; and, for a function on the stack,
// the structs that the package asks for.
func (b *Builder) furtherArguments(onStack bool) []types.Type {
	if !b.thorough {
		return nil
	}
	out := []types.Type{types.Universe.Lookup("any").Type()}
	if !onStack {
		return out
	}
	for _, t := range b.structTypes() {
		if _, ok := t.(*types.Struct); ok && len(out) <= maxFurther {
			out = append(out, t)
		}
	}
	return out
}

// instance returns a named type with type arguments if it needs any, nil if none satisfy its
// constraints.
func instance(named *types.Named) *types.Named {
	if named.TypeParams().Len() == 0 || named.TypeArgs().Len() > 0 {
		return named
	}
	inst, _ := instantiate(named, named.TypeParams().Len())
	if inst == nil {
		return nil
	}
	return inst.(*types.Named)
}

// inferTypeArgs returns the type arguments with which the first result of a generic function is an
// instance of a generic type, or a pointer to one. It returns nil if there are none.
func inferTypeArgs(sig *types.Signature, named *types.Named) []types.Type {
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	r, ok := t.(*types.Named)
	if !ok || r.TypeArgs().Len() != named.TypeArgs().Len() {
		return nil
	}
	out := make([]types.Type, sig.TypeParams().Len())
	for i := range r.TypeArgs().Len() {
		p, ok := types.Unalias(r.TypeArgs().At(i)).(*types.TypeParam)
		if ok && p.Index() < len(out) {
			out[p.Index()] = named.TypeArgs().At(i)
		}
	}
	if slices.Contains(out, nil) {
		return nil
	}
	return out
}
