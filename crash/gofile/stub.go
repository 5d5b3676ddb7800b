package gofile

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"unicode"
)

// stub is a type that the file declares to implement an interface: its methods return what its
// fields hold.
//
//	type I interface{ Get() (int, error) }
//
//	type iStub struct{ get_1 int; get_2 error }
//	func (s iStub) Get() (int, error) { return s.get_1, s.get_2 }
type stub struct {
	iface types.Type
	name  string
	decl  string // the type's declaration and its methods
}

// NamePrefix returns the File.Prefix for the file of a test.
func NamePrefix(test string) string {
	return mapFirst(unicode.ToLower, strings.TrimPrefix(test, "Test"))
}

// mapFirst returns a name with its first letter changed.
func mapFirst(change func(rune) rune, name string) string {
	runes := []rune(name)
	if len(runes) > 0 {
		runes[0] = change(runes[0])
	}
	return string(runes)
}

// StubResults returns the types of the values that a stub of an interface returns, method by
// method. It reports false if the file cannot declare a stub, because the interface has an
// unexported method of another package or mentions types that are not Nameable.
func (f *File) StubResults(t types.Type) ([]types.Type, bool) {
	u := t.Underlying().(*types.Interface)
	if !u.IsMethodSet() || !f.Nameable(t) {
		return nil, false
	}
	var out []types.Type
	for m := range u.Methods() {
		if !m.Exported() && m.Pkg() != f.Pkg || !f.Nameable(m.Type()) {
			return nil, false
		}
		for v := range m.Type().(*types.Signature).Results().Variables() {
			out = append(out, v.Type())
		}
	}
	return out, true
}

// Stub returns a value of a stub type of an interface, which the file then declares. args are what
// the methods return: args[i] is of type StubResults[i]. Absent and empty ones stand for zero
// values.
func (f *File) Stub(t types.Type, args []string) string {
	s := f.stub(t)
	u := t.Underlying().(*types.Interface)
	var parts []string
	i := 0
	for m := range u.Methods() {
		for j := range m.Type().(*types.Signature).Results().Len() {
			if i < len(args) && !IsZero(args[i]) {
				parts = append(parts, resultField(u, m, j)+": "+args[i])
			}
			i++
		}
	}
	return s.name + "{" + strings.Join(parts, ", ") + "}"
}

// IsZero reports whether an expression is the zero value of every type that it can have.
func IsZero(e string) bool {
	switch e {
	case "", "0", `""`, "nil", "false", "0.0":
		return true
	}
	return false
}

// resultField returns the name of the field that holds the j-th result of a method of u. It differs
// from the names of other fields and of methods.
func resultField(u *types.Interface, m *types.Func, j int) string {
	name := []rune(m.Name())
	name[0] = unicode.ToLower(name[0])
	field := string(name)
	if m.Type().(*types.Signature).Results().Len() > 1 {
		field = fmt.Sprintf("%s_%d", field, j+1)
	}
	for o := range u.Methods() {
		if o.Name() == field || o != m && strings.EqualFold(o.Name(), m.Name()) {
			return fmt.Sprintf("%sOf%s", field, m.Name())
		}
	}
	if token.IsKeyword(field) {
		field += "_"
	}
	return field
}

// stub returns the stub type of an interface, and declares it if it is new.
func (f *File) stub(t types.Type) *stub {
	for _, s := range f.stubs {
		if types.Identical(s.iface, t) {
			return s
		}
	}
	base := "interface"
	if n, ok := types.Unalias(t).(*types.Named); ok {
		base = n.Obj().Name()
	}
	if f.Prefix == "" {
		base = mapFirst(unicode.ToLower, base)
	} else {
		base = mapFirst(unicode.ToUpper, base)
	}
	s := &stub{iface: t, name: f.Prefix + base + "Stub"}
	for i := 2; f.declared(s.name); i++ {
		s.name = fmt.Sprintf("%s%sStub%d", f.Prefix, base, i)
	}
	f.stubs = append(f.stubs, s)
	var fields, methods strings.Builder
	u := t.Underlying().(*types.Interface)
	for m := range u.Methods() {
		sig := m.Type().(*types.Signature)
		var results []string
		for j := range sig.Results().Len() {
			results = append(results, "s."+resultField(u, m, j))
			t := f.Type(sig.Results().At(j).Type())
			fmt.Fprintf(&fields, "\t%s %s\n", resultField(u, m, j), t)
		}
		unnamed := types.NewSignatureType(nil, nil, nil,
			WithoutNames(sig.Params()), WithoutNames(sig.Results()), sig.Variadic())
		head := strings.TrimPrefix(f.Type(unnamed), "func")
		if len(results) == 0 {
			fmt.Fprintf(&methods, "\nfunc (s %s) %s%s {}\n", s.name, m.Name(), head)
		} else {
			fmt.Fprintf(&methods, "\nfunc (s %s) %s%s { return %s }\n",
				s.name, m.Name(), head, strings.Join(results, ", "))
		}
	}
	s.decl = fmt.Sprintf("type %s struct {\n%s}\n%s", s.name, fields.String(), methods.String())
	return s
}

// declared reports whether the file or its package declares a name.
func (f *File) declared(name string) bool {
	for _, s := range f.stubs {
		if s.name == name {
			return true
		}
	}
	return f.Pkg.Scope().Lookup(name) != nil || f.HasImport(name)
}

// WithoutNames returns a tuple with variables of the same types, but without names.
func WithoutNames(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewVar(0, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// Declarations returns the declarations of the stub types that a body mentions; "" if it mentions
// none.
func (f *File) Declarations(body string) string {
	var out strings.Builder
	for _, s := range f.stubs {
		if strings.Contains(body, s.name+"{") {
			out.WriteString("\n// " + s.name + " returns from each method what its fields hold.\n")
			out.WriteString(s.decl)
		}
	}
	return out.String()
}
