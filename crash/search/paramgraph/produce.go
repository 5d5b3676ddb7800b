package paramgraph

import (
	"go/types"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// provide adds the operations that make values of a type, by its underlying type.
func (b *Builder) provide(n *Node) {
	t := n.Type
	_, basic := t.Underlying().(*types.Basic)
	if len(b.g.Table)-len(b.targets) > maxOps && !basic {
		return
	}
	named, _ := t.(*types.Named)
	if p, ok := t.(*types.Pointer); ok {
		named, _ = types.Unalias(p.Elem()).(*types.Named)
	}
	if named != nil {
		b.addMethods(named)
		pkg := named.Obj().Pkg()
		if pkg != nil && (pkg != b.Pkg.Types || named.TypeArgs().Len() > 0) {
			b.addConstructors(named)
		}
	}
	b.addHTTP(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if n.Values = b.g.Constants.Values(u); len(n.Values) > 0 {
			b.Add(candidate.Literal(t))
		}

	case *types.Pointer:
		b.addPointer(t, u)

	case *types.Struct:
		b.addStruct(t, u, false)

	case *types.Array:
		b.Add(candidate.Zero(t))

	case *types.Slice:
		b.addSlice(t, u)

	case *types.Map:
		b.Add(candidate.MapOf(t, false))
		b.Add(candidate.MapOf(t, true))
		b.Add(candidate.SetEntry(t))
		if b.thorough { // a caller that passes a nil map is often at fault, but the panic is to be reproduced
			b.Add(candidate.Zero(t))
		}

	case *types.Chan:
		b.Add(candidate.MakeChan(t))

	case *types.Signature:
		b.Add(candidate.Stub(t))
		b.Add(candidate.Zero(t))

	case *types.Interface:
		b.addInterface(t, u)
	}
}

// addSlice adds nil, slices of elements, and conversions of strings to slices of bytes or runes.
func (b *Builder) addSlice(t types.Type, u *types.Slice) {
	b.Add(candidate.Zero(t))
	b.Add(candidate.SliceOf(t))
	if types.IsInterface(u.Elem()) { // the slice may hold itself
		b.Add(candidate.SetElem(t))
	}
	e, ok := u.Elem().Underlying().(*types.Basic)
	if ok && (e.Kind() == types.Byte || e.Kind() == types.Rune) &&
		types.Identical(u.Elem(), types.Unalias(types.Typ[e.Kind()])) {
		b.Add(candidate.Derived(t, types.Typ[types.String], "bytes",
			func(f *gofile.File, arg string) string {
				return f.Type(t) + "(" + arg + ")"
			}))
	}
}

// addPointer adds nil, and pointers to values of the element type.
func (b *Builder) addPointer(t types.Type, u *types.Pointer) {
	elem := types.Unalias(u.Elem())
	s, ok := elem.Underlying().(*types.Struct)
	b.Add(candidate.Zero(t))
	if !ok {
		b.Add(candidate.PointerTo(t))
		return
	}
	named, ok := elem.(*types.Named)
	if ok && named.Obj().Pkg() == b.Pkg.Types &&
		slices.ContainsFunc(constructed(named), func(t types.Type) bool {
			return types.Identical(t, elem)
		}) {
		b.Add(candidate.AddressOf(t))
	}
	b.addStruct(elem, s, true)
}

// maxLiteralFields is the number of fields that one composite literal sets.
const maxLiteralFields = 6

// addStruct adds the composite literals of a struct type, or pointers to them: the empty one, if
// users may write it, and one with the exported fields set, or all fields of a type without a name.
func (b *Builder) addStruct(t types.Type, s *types.Struct, pointer bool) {
	named, _ := t.(*types.Named)
	foreign := named != nil && named.Obj().Pkg() != b.Pkg.Types
	if named != nil && !named.Obj().Exported() && !b.internal {
		return // values come from functions of the package, if there are any
	}
	var fields []*types.Var
	hidden := false
	for f := range s.Fields() {
		switch {
		case !f.Exported() && (named != nil || f.Pkg() != b.Pkg.Types):
			hidden = true
		case b.File.Nameable(f.Type()) && len(fields) < maxLiteralFields:
			fields = append(fields, f)
		}
	}
	// Values of a type with unexported fields come from its constructor, if it has one.
	if hidden && named != nil &&
		(len(constructed(named)) > 0 || foreign && !zeroIsUseful(named)) {
		if !pointer && !foreign {
			b.Add(candidate.Deref(t))
		}
		b.addSetters(t, s, pointer)
		return
	}
	if !pointer && named != nil && !foreign && s.NumFields() > 2 {
		b.Add(candidate.Deref(t))
	}
	lists := [][]*types.Var{nil}
	if len(fields) > 0 {
		lists = append(lists, fields)
	}
	for _, list := range lists {
		o := candidate.Composite(t, pointer, list)
		o.Internal = named != nil && (o.Internal || !named.Obj().Exported())
		b.Add(o)
	}
	b.addSetters(t, s, pointer)
}

// maxSetters is the number of fields of a type that are set one by one.
const maxSetters = 40

// addSetters adds assignments to the exported fields of a struct type of the module, through a
// pointer. Composite literals set only a few fields, and none after a constructor. Where functions return the
// struct itself, as those of configurations do, it adds copies with a field set.
func (b *Builder) addSetters(t types.Type, s *types.Struct, pointer bool) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || b.Prog.Package(named.Obj().Pkg().Path()) == nil {
		return
	}
	set := func(v *types.Var) *candidate.Op { return candidate.SetField(types.NewPointer(t), v) }
	if !pointer {
		if !b.thorough || !slices.ContainsFunc(constructed(named), func(c types.Type) bool { return types.Identical(c, t) }) {
			return
		}
		set = func(v *types.Var) *candidate.Op { return candidate.With(t, v) }
	}
	n := 0
	for f := range s.Fields() {
		if f.Exported() && n < maxSetters && b.File.Nameable(f.Type()) && b.Add(set(f)) {
			n++
		}
	}
}
