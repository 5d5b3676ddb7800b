package lower

import (
	"go/types"
	"slices"
)

// interfaceTypes knows which dynamic types the interfaces of the testee may hold.
type interfaceTypes struct {
	*typeTable

	// candidates are the named types of the testee's packages and the pointers to them, sorted by
	// name within a package. The types of programTypes are in programTypes instead: no other package can
	// name them.
	candidates   []types.Type
	programTypes []types.Type
	// assertedTypes are the types that the testee asserts interfaces to, in source order.
	assertedTypes []types.Type

	// dynamic memoizes dynamicTypes by the key of the interface type.
	dynamic map[string][]uint32
	// uncomparableTags memoizes uncomparables.
	uncomparableTags []uint32
}

func newInterfaceTypes(tt *typeTable) *interfaceTypes {
	return &interfaceTypes{typeTable: tt, dynamic: map[string][]uint32{}}
}

// dynamicTypes returns the tags that an input of interface type t may have, with the regions of what they hold: the
// types of the testee that implement t, and for the empty interface a few plain types and those that the testee asks
// for.
func (it *interfaceTypes) dynamicTypes(t types.Type) (tags, regions []uint32, boxes []bool) {
	k := it.typeKey(t)
	if list, ok := it.dynamic[k]; ok {
		tags = list
	} else {
		iface := t.Underlying().(*types.Interface)
		seen := map[uint32]bool{}
		add := func(c types.Type) {
			if n := it.Tag(c); !seen[n] && len(tags) < 24 {
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
		} else {
			for _, c := range it.candidates {
				if types.Implements(c, iface) {
					add(c)
				}
			}
			if len(tags) == 0 {
				tags = append(tags, TagOther)
			}
		}
		it.dynamic[k] = tags
	}
	for _, n := range tags {
		regions = append(regions, it.tagRegion(n))
		dyn := it.TagType(n)
		boxes = append(boxes, dyn == nil || pointee(dyn) == nil)
	}
	return tags, regions, boxes
}

// anUncomparable is the uncomparable type that an input of type any may have, whatever the testee declares.
var anUncomparable = types.NewSlice(types.Typ[types.Int])

// uncomparables are the tags of the uncomparable types that an interface of the testee may hold.
func (it *interfaceTypes) uncomparables() []uint32 {
	if it.uncomparableTags == nil {
		for _, t := range append(append([]types.Type{anUncomparable}, it.assertedTypes...), it.candidates...) {
			if n := it.Tag(t); !types.Comparable(t) && !slices.Contains(it.uncomparableTags, n) {
				it.uncomparableTags = append(it.uncomparableTags, n)
			}
		}
	}
	return it.uncomparableTags
}
