package lower

import (
	"go/types"
	"slices"

	"dsd/check/logic"
)

// interfaceTypes answers which dynamic types the interfaces of the testee may hold.
type interfaceTypes struct {
	*typeTable

	// candidates are the named types of the testee's packages and the pointers to them, sorted
	// by name within a package. programTypes are the types of its main packages: no other
	// package can name them.
	candidates   []types.Type
	programTypes []types.Type
	// assertedTypes are the types that the testee asserts interfaces to, in source order.
	assertedTypes []types.Type
	// converted are the types between which the testee converts pointers.
	converted [][2]types.Type
	// boxedTypes are the types whose values the testee puts into interfaces, in source order, and
	// isBoxed has their keys.
	boxedTypes []types.Type
	isBoxed    map[string]bool

	// open reports whether any interface may hold a type that the testee does not know.
	open bool
	// dynamic memoizes dynamicTypes by the key of the interface type, implementing implementers, and
	// compared comparedTypes.
	dynamic      map[string][]uint32
	implementing map[string]*implementing
	compared     map[comparedKey]compared
}

// newInterfaceTypes returns an empty struct; New fills the lists.
func newInterfaceTypes(tt *typeTable) *interfaceTypes {
	return &interfaceTypes{typeTable: tt, dynamic: map[string][]uint32{},
		implementing: map[string]*implementing{}, compared: map[comparedKey]compared{},
		isBoxed: map[string]bool{}}
}

// maxDynamicTypes is the number of dynamic types up to which an interface is followed.
const maxDynamicTypes = 24

// dynamicTypes returns the tags that an input of interface type t may have. regions[i] is the
// region of the object that an interface with tags[i] refers to, and notNil[i] reports whether there
// is one, as for a value in a box.
//
// The types are those of the testee that implement t, in the order of candidates, and any other type
// if t or all interfaces are open. For the empty interface they are a few plain types and those that
// the testee asserts interfaces to.
func (it *interfaceTypes) dynamicTypes(t types.Type) (tags, regions []uint32, notNil []bool) {
	k := it.typeKey(t)
	tags, ok := it.dynamic[k]
	if !ok {
		tags = it.implementations(t.Underlying().(*types.Interface))
		if (it.open || it.isOpen(t)) && !slices.Contains(tags, TagOther) {
			tags = append(tags, TagOther)
		}
		it.dynamic[k] = tags
	}
	for _, n := range tags {
		regions = append(regions, it.tagRegion(n))
		dyn := it.TagType(n)
		notNil = append(notNil, dyn == nil || pointee(dyn) == nil)
	}
	return tags, regions, notNil
}

// OpenInterfaces lets any interface hold a type that the testee does not know, and such a type
// implement any interface: callers of a library have types of their own. It must be called before
// functions are added.
func (it *interfaceTypes) OpenInterfaces() { it.open = true }

// assumeForeign excludes nil pointers of the unexported types of other packages than pkg from the
// interfaces among vars, the scalars of a parameter: such a pointer comes into an interface only
// where its own package puts it there.
func (it *interfaceTypes) assumeForeign(vars []*logic.Var, pkg *types.Package) {
	for _, v := range vars {
		if v.Domain.Role != logic.RoleIfaceObj {
			continue
		}
		notNil := slices.Clone(v.Domain.NotNil)
		for i, tag := range v.Domain.Tags {
			if t := it.TagType(tag); t != nil && pointee(t) != nil {
				n, ok := types.Unalias(pointee(t)).(*types.Named)
				notNil[i] = ok && !n.Obj().Exported() && n.Obj().Pkg() != pkg
			}
		}
		v.Domain.NotNil = notNil
	}
}

// isOpen reports whether callers may have values of types that the testee does not know for the
// interface t: they cannot if it has unexported methods, which only its own package declares.
func (it *interfaceTypes) isOpen(t types.Type) bool {
	iface := t.Underlying().(*types.Interface)
	for i := range iface.NumMethods() {
		if !iface.Method(i).Exported() {
			return false
		}
	}
	return true
}

// implementations returns the tags for dynamicTypes.
func (it *interfaceTypes) implementations(iface *types.Interface) []uint32 {
	var tags []uint32
	seen := map[uint32]bool{}
	add := func(c types.Type) {
		if n := it.Tag(c); !seen[n] && len(tags) < maxDynamicTypes {
			seen[n] = true
			tags = append(tags, n)
		}
	}
	if iface.NumMethods() == 0 {
		add(types.Typ[types.Int])
		add(types.Typ[types.String])
		add(types.Typ[types.Bool])
		for _, c := range it.assertedTypes {
			add(c)
		}
		add(anUncomparable)
		return tags
	}
	for _, c := range it.candidates {
		if types.Implements(c, iface) {
			add(c)
		}
	}
	for _, c := range it.assertedTypes {
		if it.open && types.Implements(c, iface) {
			add(c)
		}
	}
	if len(tags) == 0 {
		return []uint32{TagOther}
	}
	return tags
}

// anUncomparable is the uncomparable type that an input of type any may have, whatever the testee
// declares.
var anUncomparable = types.NewSlice(types.Typ[types.Int])
