package lower

import (
	"cmp"
	"go/types"
	"slices"

	"dsd/check/logic"
	"dsd/internal/source"
)

// An instance maps type parameters to type arguments.
type instance map[*types.TypeParam]types.Type

// A typeTable identifies types. Package go/types may have several values for one type, so types are
// compared by a name, the key. Tags and regions are the numbers by which terms refer to types.
type typeTable struct {
	prog    *source.Program
	context *types.Context // shares the instances of generic types

	// typeKeys memoizes typeKey.
	typeKeys map[types.Type]string
	// locals holds the instances of the types that generic functions declare, by the key of the
	// declared type and the type arguments, and localArgs the arguments of each.
	locals    map[string]*types.Named
	localArgs map[*types.Named]string
	// comparable and uncomparable number the keys of dynamic types. The tags of the first are their numbers,
	// those of the others their numbers and maxComparable, so that a tag tells whether values of its type can be
	// compared. tagTypes maps a tag to its type, and tags are all in the order in which they were given. Tag 0 is
	// that of a nil interface.
	comparable, uncomparable *numbering
	tagTypes                 map[uint32]types.Type
	tags                     []uint32
	// methodSets memoizes methodSet, and methodKeys memoizes signatures.
	methodSets map[types.Type]*types.MethodSet
	methodKeys map[types.Type]map[string]string
	// regions numbers the keys of kinds of objects: the regions of input objects of these kinds.
	// Objects of different regions are different (see logic.RegionStatic).
	regions *numbering
}

// newTypeTable returns a table with the tags of a few basic types, which are the same for every
// testee.
func newTypeTable(prog *source.Program) *typeTable {
	tt := &typeTable{
		prog:     prog,
		context:  types.NewContext(),
		typeKeys: map[types.Type]string{},
		locals:   map[string]*types.Named{}, localArgs: map[*types.Named]string{},
		comparable: newNumbering(maxComparable), uncomparable: newNumbering(maxTag - maxComparable),
		tagTypes:   map[uint32]types.Type{},
		methodSets: map[types.Type]*types.MethodSet{},
		methodKeys: map[types.Type]map[string]string{},
		regions:    newNumbering(logic.RegionStatic - 1),
	}
	for _, k := range []types.BasicKind{types.Int, types.String, types.Float64, types.Bool} {
		tt.Tag(types.Typ[k])
	}
	return tt
}

// TagOther is the tag of the dynamic type of an interface that has no known implementation.
const TagOther = 0xfffe

// maxTag is the largest tag of a type of the testee.
const maxTag = logic.TagRuntimeError - 1

// maxComparable is the largest tag of a type whose values can be compared.
const maxComparable = maxTag / 2

// Tag returns the tag of a dynamic type.
func (tt *typeTable) Tag(t types.Type) uint32 {
	numbers, base := tt.comparable, uint32(0)
	if !types.Comparable(t) {
		numbers, base = tt.uncomparable, maxComparable
	}
	n, isNew := numbers.number(tt.typeKey(t))
	if n == 0 {
		panic(unsupportedf("more than %d types in interfaces", numbers.limit))
	}
	n += base
	if isNew {
		tt.tagTypes[n] = t
		tt.tags = append(tt.tags, n)
	}
	return n
}

// tagKey returns the key of the dynamic type with that tag, or "" if there is none.
func (tt *typeTable) tagKey(tag uint32) string {
	if tag > maxComparable {
		return tt.uncomparable.names[tag-maxComparable]
	}
	return tt.comparable.names[tag]
}

// TagType returns the dynamic type with that tag, or nil if there is none.
func (tt *typeTable) TagType(tag uint32) types.Type { return tt.tagTypes[tag] }

// methodSet returns the methods of a type, in the order of their names.
func (tt *typeTable) methodSet(t types.Type) *types.MethodSet {
	set := tt.methodSets[t]
	if set == nil {
		set = types.NewMethodSet(t)
		tt.methodSets[t] = set
	}
	return set
}

// signatures returns the keys of the signatures of a type's methods, by the methods' types.Id.
func (tt *typeTable) signatures(t types.Type) map[string]string {
	keys := tt.methodKeys[t]
	if keys == nil {
		keys = map[string]string{}
		for m := range tt.methodSet(t).Methods() {
			keys[m.Obj().Id()] = tt.typeKey(m.Type())
		}
		tt.methodKeys[t] = keys
	}
	return keys
}

// region returns the region of the objects that pointers to elem refer to. If elem is nil, it is
// that of the objects that values of the type with that key refer to.
func (tt *typeTable) region(elem types.Type, key string) uint32 {
	if elem != nil {
		key = "*" + tt.typeKey(elem)
	}
	r, _ := tt.regions.number(key)
	if r == 0 {
		panic(unsupportedf("more than %d types", logic.RegionStatic-1))
	}
	return r
}

// tagRegion returns the region of the object that an interface with that dynamic type refers to.
func (tt *typeTable) tagRegion(tag uint32) uint32 {
	t := tt.TagType(tag)
	if t == nil {
		return tt.region(nil, "box of another type")
	}
	if p := pointee(t); p != nil {
		return tt.region(p, "")
	}
	return tt.region(nil, "box "+tt.typeKey(t)) // as layoutTable.boxClass
}

// apply replaces the type parameters in t by their arguments in m.
func (tt *typeTable) apply(t types.Type, m instance) types.Type {
	if len(m) == 0 {
		return types.Unalias(t)
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if a, ok := m[t]; ok {
			return a
		}
		return t
	case *types.Pointer:
		return types.NewPointer(tt.apply(t.Elem(), m))
	case *types.Slice:
		return types.NewSlice(tt.apply(t.Elem(), m))
	case *types.Array:
		return types.NewArray(tt.apply(t.Elem(), m), t.Len())
	case *types.Map:
		return types.NewMap(tt.apply(t.Key(), m), tt.apply(t.Elem(), m))
	case *types.Chan:
		return types.NewChan(t.Dir(), tt.apply(t.Elem(), m))
	case *types.Tuple:
		vars := make([]*types.Var, t.Len())
		for i := range vars {
			v := t.At(i)
			vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), tt.apply(v.Type(), m))
		}
		return types.NewTuple(vars...)
	case *types.Signature:
		params := tt.apply(t.Params(), m).(*types.Tuple)
		results := tt.apply(t.Results(), m).(*types.Tuple)
		return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		tags := make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			ft := tt.apply(f.Type(), m)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), ft, f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return tt.applyLocal(t, m)
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = tt.apply(t.TypeArgs().At(i), m)
		}
		inst, err := types.Instantiate(tt.context, t.Origin(), args, false)
		if err != nil {
			return t
		}
		return inst
	case *types.Interface:
		if !containsParam(t, map[types.Type]bool{}) {
			return t
		}
		return tt.applyInterface(t, m)
	default:
		return t
	}
}

// applyLocal returns the instance of a type that a function declares: if it is generic, it declares a
// type for each list of type arguments. Such a type has no methods of its own.
func (tt *typeTable) applyLocal(t *types.Named, m instance) types.Type {
	obj := t.Obj()
	if obj.Pkg() == nil || obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() ||
		tt.localArgs[t] != "" {
		return t
	}
	var in []*types.TypeParam // those in whose scope the type is declared
	for p := range m {
		if p.Obj().Parent() != nil && p.Obj().Parent().Contains(obj.Pos()) {
			in = append(in, p)
		}
	}
	if len(in) == 0 {
		return t
	}
	slices.SortFunc(in, func(a, b *types.TypeParam) int { return cmp.Compare(a.Index(), b.Index()) })
	args := "["
	for _, p := range in {
		args += tt.typeKey(m[p]) + ","
	}
	args += "]"
	k := tt.typeKey(t) + args
	if n := tt.locals[k]; n != nil {
		return n
	}
	// Its name is in no scope, so that it is found as the declared one is: by its position.
	name := types.NewTypeName(obj.Pos(), obj.Pkg(), obj.Name(), nil)
	n := types.NewNamed(name, nil, nil)
	tt.locals[k], tt.localArgs[n] = n, args
	n.SetUnderlying(tt.apply(t.Underlying(), m).Underlying())
	return n
}

// applyConstraint replaces the type parameters in a constraint, also in its methods and unions.
func (tt *typeTable) applyConstraint(c types.Type, m instance) types.Type {
	if iface, ok := types.Unalias(c).(*types.Interface); ok {
		return tt.applyInterface(iface, m)
	}
	return tt.apply(c, m)
}

// applyInterface replaces the type parameters in an interface.
func (tt *typeTable) applyInterface(iface *types.Interface, m instance) types.Type {
	var embedded []types.Type
	for i := range iface.NumEmbeddeds() {
		switch e := iface.EmbeddedType(i).(type) {
		case *types.Union:
			var terms []*types.Term
			for k := range e.Len() {
				t := tt.apply(e.Term(k).Type(), m)
				terms = append(terms, types.NewTerm(e.Term(k).Tilde(), t))
			}
			embedded = append(embedded, types.NewUnion(terms))
		default:
			embedded = append(embedded, tt.apply(e, m))
		}
	}
	var methods []*types.Func
	for i := range iface.NumExplicitMethods() {
		f := iface.ExplicitMethod(i)
		sig := tt.apply(f.Signature(), m).(*types.Signature)
		methods = append(methods, types.NewFunc(f.Pos(), f.Pkg(), f.Name(), sig))
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}
