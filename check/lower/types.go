package lower

import (
	"go/types"
	"regexp"
	"strings"
)

// aliased finds the predeclared types with two names, which are one type.
var aliased = regexp.MustCompile(`\binterface\{\}|(^|[^\w./])(byte|rune)\b`)

// instance maps type parameters to type arguments.
type instance map[*types.TypeParam]types.Type

// apply replaces type parameters in t.
func (w *World) apply(t types.Type, m instance) types.Type {
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
		return types.NewPointer(w.apply(t.Elem(), m))
	case *types.Slice:
		return types.NewSlice(w.apply(t.Elem(), m))
	case *types.Array:
		return types.NewArray(w.apply(t.Elem(), m), t.Len())
	case *types.Map:
		return types.NewMap(w.apply(t.Key(), m), w.apply(t.Elem(), m))
	case *types.Chan:
		return types.NewChan(t.Dir(), w.apply(t.Elem(), m))
	case *types.Tuple:
		vars := make([]*types.Var, t.Len())
		for i := range vars {
			v := t.At(i)
			vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), w.apply(v.Type(), m))
		}
		return types.NewTuple(vars...)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, w.apply(t.Params(), m).(*types.Tuple), w.apply(t.Results(), m).(*types.Tuple), t.Variadic())
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		tags := make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), w.apply(f.Type(), m), f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = w.apply(t.TypeArgs().At(i), m)
		}
		inst, err := types.Instantiate(w.context, t.Origin(), args, false)
		if err != nil {
			return t
		}
		return inst
	default:
		return t
	}
}

// typeKey names a type: equal for identical types, different for different ones.
func (w *World) typeKey(t types.Type) string {
	if k, ok := w.typeKeys[t]; ok {
		return k
	}
	k := aliased.ReplaceAllStringFunc(types.TypeString(t, nil), func(s string) string {
		return strings.NewReplacer("byte", "uint8", "rune", "int32", "interface{}", "any").Replace(s)
	})
	// Types declared in functions share names.
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Parent() != n.Obj().Pkg().Scope() && n.TypeArgs().Len() == 0 && n.Obj().Parent() != nil {
		k += "@" + w.prog.Pos(n.Obj().Pos())
	}
	w.typeKeys[t] = k
	return k
}

// applyConstraint replaces type parameters in a constraint, inside its union too.
func (w *World) applyConstraint(c types.Type, m instance) types.Type {
	c = w.apply(c, m)
	iface, ok := c.(*types.Interface)
	if !ok {
		return c
	}
	var embedded []types.Type
	for i := range iface.NumEmbeddeds() {
		switch e := iface.EmbeddedType(i).(type) {
		case *types.Union:
			var terms []*types.Term
			for k := range e.Len() {
				terms = append(terms, types.NewTerm(e.Term(k).Tilde(), w.apply(e.Term(k).Type(), m)))
			}
			embedded = append(embedded, types.NewUnion(terms))
		default:
			embedded = append(embedded, w.apply(e, m))
		}
	}
	var methods []*types.Func
	for i := range iface.NumExplicitMethods() {
		f := iface.ExplicitMethod(i)
		methods = append(methods, types.NewFunc(f.Pos(), f.Pkg(), f.Name(), w.apply(f.Signature(), m).(*types.Signature)))
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}
