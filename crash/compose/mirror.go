package compose

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"dsd/schemas"
)

// Types that the test cannot name, such as those of the program that calls a library.

// mirror returns a type that the test declares in place of one that it cannot name, with the same
// underlying type, as the recording describes it, and without methods. It returns nil if the test
// can name the type, or if the recording does not describe it.
func (w *writer) mirror(text string) types.Type {
	if t := w.mirrors[text]; t != nil {
		return t
	}
	i := slices.IndexFunc(w.ce.Types, func(m schemas.TypeDef) bool { return m.Type == text })
	if i < 0 {
		return nil
	}
	m := &w.ce.Types[i]
	if strings.HasPrefix(text, "struct {") {
		t := w.structOf(m)
		w.mirrors[text] = t
		return t
	}
	dot := strings.LastIndexByte(text, '.')
	if strings.ContainsRune(text, '[') {
		return nil // an instance of a generic type
	}
	if _, ok := w.lookup(cutName(text)); ok {
		return nil
	}
	name := w.file.Prefix + strings.ToUpper(text[dot+1:dot+2]) + text[dot+2:]
	named := types.NewNamed(types.NewTypeName(token.NoPos, w.fn.Pkg.Types, name, nil), nil, nil)
	w.mirrors[text] = named
	if m.Underlying == "" {
		named.SetUnderlying(w.structOf(m))
	} else {
		named.SetUnderlying(w.parseType(m.Underlying).Underlying())
	}
	decl := fmt.Sprintf("\n// %s is like %s.\ntype %s %s\n", name, text, name,
		w.typ(named.Underlying()))
	w.decls = append(w.decls, decl)
	return named
}

// structOf returns a struct type as a recording describes it. An embedded field with methods
// becomes an ordinary field, because its methods would be promoted.
func (w *writer) structOf(m *schemas.TypeDef) types.Type {
	var fields []*types.Var
	var tags []string
	for _, f := range m.Fields {
		t := w.parseType(f.Type)
		embedded := f.Embedded && types.NewMethodSet(types.NewPointer(t)).Len() == 0
		field := types.NewField(token.NoPos, w.fn.Pkg.Types, f.Name, t, embedded)
		fields = append(fields, field)
		tags = append(tags, f.Tag)
	}
	return types.NewStruct(fields, tags)
}

// implement gives a mirror, or the one that t points to, the methods of an interface that it lacks. They return
// zero values, and the test says so. It does nothing if t is no mirror, or cannot have these methods.
func (w *writer) implement(t, iface types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	of, isInterface := iface.Underlying().(*types.Interface)
	if !ok || !isInterface || of.NumMethods() == 0 {
		return
	}
	text := ""
	for like, m := range w.mirrors {
		if m == types.Type(named) {
			text = like
		}
	}
	if _, ok := w.file.StubResults(iface); !ok || text == "" {
		return
	}
	switch named.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return
	}
	var missing []*types.Func
	for m := range of.Methods() {
		switch obj, _, _ := types.LookupFieldOrMethod(named, true, w.fn.Pkg.Types, m.Name()); obj.(type) {
		case nil:
			missing = append(missing, m)
		case *types.Var:
			return // a field of that name
		}
	}
	for _, m := range missing {
		sig := m.Signature()
		recv := types.NewVar(token.NoPos, w.fn.Pkg.Types, "", named)
		named.AddMethod(types.NewFunc(token.NoPos, w.fn.Pkg.Types, m.Name(),
			types.NewSignatureType(recv, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
		w.decls = append(w.decls, fmt.Sprintf("\nfunc (%s) %s%s\n", named.Obj().Name(), m.Name(),
			strings.TrimPrefix(w.zeroFunc(sig), "func")))
	}
	if len(missing) > 0 {
		w.lose(fmt.Sprintf("methods of %s, in place of which there are some that return zero values", text))
	}
}
