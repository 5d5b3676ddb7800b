package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// typeKey returns the key of a type: identical types have the same key, and different types do not.
// It is the type in Go syntax with the paths of packages, but for what types.TypeString does not tell
// apart or does: types that are declared in functions have their position, parameters and results
// have no names, and predeclared types one name.
func (tt *typeTable) typeKey(t types.Type) string {
	if k, ok := tt.typeKeys[t]; ok {
		return k
	}
	var b strings.Builder
	tt.writeKey(&b, t)
	k := b.String()
	tt.typeKeys[t] = k
	return k
}

// writeKey writes the key of a type.
func (tt *typeTable) writeKey(b *strings.Builder, t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(unalias(t).String())
	case *types.Pointer:
		b.WriteByte('*')
		tt.writeKey(b, t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		tt.writeKey(b, t.Elem())
	case *types.Array:
		fmt.Fprintf(b, "[%d]", t.Len())
		tt.writeKey(b, t.Elem())
	case *types.Map:
		b.WriteString("map[")
		tt.writeKey(b, t.Key())
		b.WriteByte(']')
		tt.writeKey(b, t.Elem())
	case *types.Chan:
		b.WriteString([]string{"chan ", "chan<- ", "<-chan "}[t.Dir()])
		b.WriteByte('(')
		tt.writeKey(b, t.Elem())
		b.WriteByte(')')
	case *types.Tuple:
		tt.writeKeys(b, t.Len(), func(i int) types.Type { return t.At(i).Type() })
	case *types.Signature:
		b.WriteString("func")
		tt.writeSignature(b, t)
	case *types.Struct:
		b.WriteString("struct{")
		for i := range t.NumFields() {
			if i > 0 {
				b.WriteString("; ")
			}
			f := t.Field(i)
			switch {
			case f.Embedded():
				b.WriteString("embedded ")
			case !f.Exported() && f.Pkg() != nil: // of different packages, they are different
				b.WriteString(f.Pkg().Path() + ".")
			}
			b.WriteString(f.Name() + " ")
			tt.writeKey(b, f.Type())
			if tag := t.Tag(i); tag != "" {
				fmt.Fprintf(b, " %q", tag)
			}
		}
		b.WriteByte('}')
	case *types.Interface:
		tt.writeInterface(b, t)
	case *types.Named:
		tt.writeNamed(b, t)
	default: // a type parameter, a union
		b.WriteString(types.TypeString(t, nil))
	}
}

// unalias returns the type that byte and rune stand for.
func unalias(t *types.Basic) *types.Basic {
	switch t.Kind() {
	case types.Uint8, types.Int32:
		return types.Typ[t.Kind()]
	}
	return t
}

// writeKeys writes a list of n types.
func (tt *typeTable) writeKeys(b *strings.Builder, n int, at func(int) types.Type) {
	b.WriteByte('(')
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		tt.writeKey(b, at(i))
	}
	b.WriteByte(')')
}

// writeSignature writes parameters and results, without names.
func (tt *typeTable) writeSignature(b *strings.Builder, t *types.Signature) {
	if t.TypeParams().Len() > 0 { // of a generic function, whose signature is no value's type
		b.WriteString(types.TypeString(t, nil))
		return
	}
	tt.writeKey(b, t.Params())
	if t.Variadic() {
		b.WriteString("...")
	}
	if t.Results().Len() > 0 {
		tt.writeKey(b, t.Results())
	}
}

// writeInterface writes the methods of an interface, which are sorted, and what limits its types.
func (tt *typeTable) writeInterface(b *strings.Builder, t *types.Interface) {
	if t.NumMethods() == 0 && !t.IsComparable() && t.IsMethodSet() {
		b.WriteString("any")
		return
	}
	b.WriteString("interface{")
	for i := range t.NumMethods() {
		if i > 0 {
			b.WriteString("; ")
		}
		m := t.Method(i)
		if !m.Exported() && m.Pkg() != nil {
			b.WriteString(m.Pkg().Path() + ".")
		}
		b.WriteString(m.Name())
		tt.writeSignature(b, m.Signature())
	}
	if !t.IsMethodSet() || t.IsComparable() { // a constraint
		b.WriteString(" " + types.TypeString(t, nil))
	}
	b.WriteByte('}')
}

// writeNamed writes the name of a type. Several types that are declared in functions may have one.
func (tt *typeTable) writeNamed(b *strings.Builder, t *types.Named) {
	obj := t.Obj()
	if obj.Pkg() == nil {
		b.WriteString(obj.Name())
		return
	}
	b.WriteString(obj.Pkg().Path() + "." + obj.Name())
	if n := t.TypeArgs().Len(); n > 0 {
		b.WriteByte('[')
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			tt.writeKey(b, t.TypeArgs().At(i))
		}
		b.WriteByte(']')
	} else if n := t.TypeParams().Len(); n > 0 { // not instantiated
		b.WriteString(types.TypeString(t, nil))
	}
	args := tt.localArgs[t]
	if scope := obj.Parent(); args != "" || scope != nil && scope != obj.Pkg().Scope() {
		b.WriteString("@" + tt.prog.Pos(obj.Pos()) + args)
	}
}
