package compose

import (
	"go/types"
	"strconv"
	"strings"
)

// typ returns a type as the test names it; the test must be able to.
func (w *writer) typ(t types.Type) string { return w.file.Type(w.apply(t)) }

// apply replaces type parameters in a type by the type arguments.
func (w *writer) apply(t types.Type) types.Type {
	if len(w.typeArgs) == 0 {
		return t
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if a := w.typeArgs[t]; a != nil {
			return a
		}
	case *types.Pointer:
		return types.NewPointer(w.apply(t.Elem()))
	case *types.Slice:
		return types.NewSlice(w.apply(t.Elem()))
	case *types.Array:
		return types.NewArray(w.apply(t.Elem()), t.Len())
	case *types.Map:
		return types.NewMap(w.apply(t.Key()), w.apply(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), w.apply(t.Elem()))
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, w.tuple(t.Params()),
			w.tuple(t.Results()), t.Variadic())
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = w.apply(t.TypeArgs().At(i))
		}
		if inst, err := types.Instantiate(nil, t.Origin(), args, false); err == nil {
			return inst
		}
	}
	return t
}

// tuple returns a tuple with the type arguments applied, without names.
func (w *writer) tuple(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewVar(0, nil, "", w.apply(t.At(i).Type()))
	}
	return types.NewTuple(vars...)
}

// tryType is like parseType, but returns nil if the test cannot name the type.
func (w *writer) tryType(text string) types.Type {
	var err error
	t := func() types.Type {
		defer recoverError(&err)
		return w.parseType(text)
	}()
	return t
}

// parseType parses a type as the documents write it, with full import paths. It fails if the test
// cannot name the type.
func (w *writer) parseType(text string) types.Type {
	if t := w.mirror(text); t != nil {
		return t
	}
	switch {
	case strings.HasPrefix(text, "*"):
		return types.NewPointer(w.parseType(text[1:]))
	case strings.HasPrefix(text, "[]"):
		return types.NewSlice(w.parseType(text[2:]))
	case strings.HasPrefix(text, "["):
		end := strings.IndexByte(text, ']')
		if n, err := strconv.ParseInt(text[1:max(end, 1)], 10, 64); err == nil {
			return types.NewArray(w.parseType(text[end+1:]), n)
		}
	case strings.HasPrefix(text, "map["):
		if end := closing(text, 3); end > 0 {
			return types.NewMap(w.parseType(text[4:end]), w.parseType(text[end+1:]))
		}
	case (text == "any" || text == "interface{}") && w.exact: // Go 1.17 has no any
		return types.NewInterfaceType(nil, nil)
	case text == "any" || text == "interface{}":
		return types.Universe.Lookup("any").Type()
	case text == "struct{}":
		return types.NewStruct(nil, nil)
	}
	if b, ok := types.Universe.Lookup(text).(*types.TypeName); ok {
		return b.Type()
	}
	name, args := text, ""
	if i := strings.IndexByte(text, '['); i > 0 && closing(text, i) == len(text)-1 {
		name, args = text[:i], text[i+1:len(text)-1]
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		fail("the type %s cannot be written", text)
	}
	tn, ok := w.lookup(name[:dot], name[dot+1:])
	if !ok {
		fail("the type %s cannot be named in package %s", text, w.fn.Pkg.Path)
	}
	if args == "" {
		return tn.Type()
	}
	var list []types.Type
	for _, a := range splitTop(args) {
		list = append(list, w.parseType(strings.TrimSpace(a)))
	}
	inst, err := types.Instantiate(nil, tn.Type(), list, true)
	if err != nil {
		fail("the type %s: %v", text, err)
	}
	return inst
}

// lookup returns the named type with an import path and a name, and reports whether the test can
// name it.
func (w *writer) lookup(path, name string) (*types.TypeName, bool) {
	pkg := w.importable(path)
	if pkg == nil || path != w.fn.Pkg.Path && !isExported(name) {
		return nil, false
	}
	tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	return tn, ok
}

// importable returns the package with an import path if it is the function's package, or if the
// test can import it; nil otherwise.
func (w *writer) importable(path string) *types.Package {
	if path == w.fn.Pkg.Path {
		return w.fn.Pkg.Types
	}
	if p := w.prog.Package(path); p != nil {
		if !w.file.Importable(p.Types) {
			return nil
		}
		return p.Types
	}
	for _, imp := range w.fn.Pkg.Types.Imports() {
		if imp.Path() == path && !w.file.ImportCycle(imp) {
			return imp
		}
	}
	if w.exact && w.prog.Imports(path) && !strings.Contains("/"+path+"/", "/internal/") {
		if imp, err := w.prog.Import(path); err == nil && !w.file.ImportCycle(imp) {
			return imp
		}
	}
	return nil
}

// closing returns the index of the bracket that closes the one at i; -1 if none does.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits a string at the commas outside brackets.
func splitTop(s string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[from:i])
				from = i + 1
			}
		}
	}
	return append(out, s[from:])
}
