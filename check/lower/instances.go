package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"sort"

	"dsd/internal/source"
)

// generics chooses the one list of type arguments with which a generic function or type is
// analyzed: one that the build uses or, if there is none, one that satisfies the constraints.
type generics struct {
	*interfaceTypes

	// instances maps a generic function or type to the type arguments of its first instance in
	// the build that a test can name.
	instances map[types.Object][]types.Type
}

// newGenerics returns an empty struct; scanInstances fills it.
func newGenerics(it *interfaceTypes) *generics {
	return &generics{interfaceTypes: it, instances: map[types.Object][]types.Type{}}
}

// scanInstances records the type arguments with which pkg instantiates generic functions and types.
// The first instance in source order counts.
func (g *generics) scanInstances(pkg *source.Package) {
	ids := make([]*ast.Ident, 0, len(pkg.Info.Instances))
	for id := range pkg.Info.Instances {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i].Pos() < ids[j].Pos() })
	for _, id := range ids {
		generic := pkg.Info.Uses[id]
		if generic == nil || g.instances[generic] != nil {
			continue
		}
		var args []types.Type
		for t := range pkg.Info.Instances[id].TypeArgs.Types() {
			if hasTypeParam(t) || !nameable(t, generic.Pkg()) {
				args = nil
				break
			}
			args = append(args, types.Unalias(t))
		}
		if args != nil {
			g.instances[generic] = args
		}
	}
}

// nameable reports whether a test in package pkg can write the type.
func nameable(t types.Type, pkg *types.Package) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		return nameable(t.Elem(), pkg)
	case *types.Slice:
		return nameable(t.Elem(), pkg)
	case *types.Array:
		return nameable(t.Elem(), pkg)
	case *types.Map:
		return nameable(t.Key(), pkg) && nameable(t.Elem(), pkg)
	case *types.Named:
		o := t.Obj()
		switch {
		case t.TypeArgs().Len() > 0:
			return false
		case o.Pkg() == nil: // predeclared
			return true
		case o.Parent() != o.Pkg().Scope():
			return false
		}
		return o.Pkg() == pkg || importable(o, pkg)
	}
	return false
}

// importable reports whether o is exported from a package that pkg imports.
func importable(o *types.TypeName, pkg *types.Package) bool {
	if !o.Exported() {
		return false
	}
	for _, p := range pkg.Imports() {
		if p == o.Pkg() {
			return true
		}
	}
	return false
}

// Representative returns type arguments for params, the type parameters of the generic function or
// type o: those of its first instance in the build that a test can name or, if there is none, a
// list that satisfies the constraints. The error reports that no list was found within the budget.
func (g *generics) Representative(o types.Object,
	params *types.TypeParamList) ([]types.Type, error) {
	if args := g.instances[o]; len(args) == params.Len() {
		return args, nil
	}
	s := &argSearch{g: g, params: params, chosen: instance{}, budget: argSearchBudget}
	if !s.choose(0) {
		return nil, fmt.Errorf("no type arguments found for the type parameters of %s",
			o.Name())
	}
	args := make([]types.Type, params.Len())
	for i := range args {
		args[i] = s.chosen[params.At(i)]
	}
	return args, nil
}

// argSearchBudget is the number of type arguments that are tried for one generic function or type.
const argSearchBudget = 20_000

// An argSearch is a backtracking search for type arguments that satisfy their constraints. A
// constraint may mention any of the parameters.
type argSearch struct {
	g      *generics
	params *types.TypeParamList
	chosen instance
	budget int // type arguments left to try
}

// choose finds arguments for the remaining parameters, of which i have one, and reports whether it
// did.
func (s *argSearch) choose(i int) bool {
	if i == s.params.Len() {
		return true
	}
	p := s.nextParam()
	for _, t := range s.candidatesFor(p) {
		if s.budget--; s.budget < 0 {
			return false
		}
		s.chosen[p] = t
		if s.satisfied() && s.choose(i+1) {
			return true
		}
		delete(s.chosen, p)
	}
	return false
}

// nextParam returns the parameter to choose an argument for. That is the first one without an
// argument whose constraint mentions no parameter without one, so that the constraint can be
// checked at once. If there is none, it is the last one without an argument.
func (s *argSearch) nextParam() *types.TypeParam {
	var last *types.TypeParam
	for p := range s.params.TypeParams() {
		if s.chosen[p] != nil {
			continue
		}
		last = p
		if !s.unresolved(p) {
			return p
		}
	}
	return last
}

// unresolved reports whether the constraint of p mentions a parameter without an argument.
func (s *argSearch) unresolved(p *types.TypeParam) bool {
	c := s.g.applyConstraint(p.Constraint(), s.chosen)
	return hasTypeParam(c) || constraintHasParam(c)
}

// constraintHasParam reports whether a type parameter occurs in the methods or unions of constraint
// c.
func constraintHasParam(c types.Type) bool {
	iface, ok := c.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.ExplicitMethods() {
		if hasTypeParam(m.Signature()) {
			return true
		}
	}
	for e := range iface.EmbeddedTypes() {
		if u, ok := e.(*types.Union); ok {
			for t := range u.Terms() {
				if hasTypeParam(t.Type()) {
					return true
				}
			}
		} else if hasTypeParam(e) || constraintHasParam(e) {
			return true
		}
	}
	return false
}

// satisfied reports whether the arguments chosen so far satisfy their constraints, as far as those
// can be checked.
func (s *argSearch) satisfied() bool {
	for p, t := range s.chosen {
		if s.unresolved(p) {
			continue
		}
		c := s.g.applyConstraint(p.Constraint(), s.chosen)
		iface, ok := c.Underlying().(*types.Interface)
		if !ok || !types.Satisfies(t, iface) {
			return false
		}
	}
	return true
}

// candidatesFor returns the arguments to try for p: a few plain types, the terms of its constraint,
// and the testee's types.
func (s *argSearch) candidatesFor(p *types.TypeParam) []types.Type {
	out := []types.Type{
		types.Typ[types.Int],
		types.Typ[types.String],
		types.Typ[types.Float64],
		types.NewSlice(types.Typ[types.Int]),
		types.NewMap(types.Typ[types.String], types.Typ[types.Int]),
	}
	if iface, ok := p.Constraint().Underlying().(*types.Interface); ok {
		for e := range iface.EmbeddedTypes() {
			if u, ok := e.(*types.Union); ok {
				for t := range u.Terms() {
					out = append(out, s.g.apply(t.Type(), s.chosen))
				}
			} else {
				out = append(out, s.g.apply(e, s.chosen))
			}
		}
	}
	return append(out, s.g.candidates...)
}
