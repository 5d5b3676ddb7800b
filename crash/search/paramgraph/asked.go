package paramgraph

import (
	"go/ast"
	"go/types"
	"slices"
)

// What a function that takes values of any type does with them, the source says: the types of its type switches and
// assertions, the constants of reflect.Kind that it compares with, and what it asks of the fields of structs (fields.go).
// Callers pass values of such types, so an interface without methods gets them, beside one of each kind.

// maxAsked is the number of types of switches, assertions and kinds that a package is given.
const maxAsked = 24

// askedTypes returns types of the values that a package looks for in interfaces without methods.
func (b *Builder) askedTypes() (out []types.Type) {
	add := func(t types.Type) {
		known := func(u types.Type) bool { return types.Identical(t, u) }
		if len(out) < maxAsked && b.File.Nameable(t) && isShown(t) &&
			!slices.ContainsFunc(anyTypes, known) && !slices.ContainsFunc(out, known) {
			out = append(out, t)
		}
	}
	info := b.Pkg.Info
	kinds := map[string]bool{}
	var methods []*types.Interface // that a value is asked for
	ask := func(x ast.Expr) {
		t := info.TypeOf(x)
		if t == nil {
			return
		}
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return
		}
		if u, ok := t.Underlying().(*types.Interface); ok {
			methods = append(methods, u)
			return
		}
		if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 { // case nil
			return
		}
		add(t)
	}
	for _, file := range b.Pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			value, list := askedOf(n)
			if value != nil && isEmpty(info, value) {
				for _, x := range list {
					ask(x)
				}
			}
			if x, ok := n.(*ast.SelectorExpr); ok {
				if c, ok := info.Uses[x.Sel].(*types.Const); ok && c.Type().String() == "reflect.Kind" {
					kinds[c.Name()] = true
				}
			}
			return true
		})
	}
	for _, t := range b.withMethods(methods) {
		add(t)
	}
	for _, k := range kindTypes {
		if kinds[k.kind] {
			for _, t := range k.types {
				add(t)
			}
		}
	}
	return out
}

// toldApart returns the types of other modules in the type switches and assertions of the package on interfaces that have
// methods.
func (b *Builder) toldApart() (out []types.Type) {
	info := b.Pkg.Info
	for _, file := range b.Pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			value, list := askedOf(n)
			if value == nil || isEmpty(info, value) {
				return true
			}
			for _, x := range list {
				t := info.TypeOf(x)
				known := func(u types.Type) bool { return types.Identical(t, u) }
				if t != nil && isShown(t) && b.File.Nameable(t) && !slices.ContainsFunc(out, known) {
					out = append(out, t)
				}
			}
			return true
		})
	}
	return out
}

// askedOf returns the value that a type switch or assertion is on, and the types that it asks for; nil for other nodes.
func askedOf(n ast.Node) (value ast.Expr, list []ast.Expr) {
	switch n := n.(type) {
	case *ast.TypeSwitchStmt:
		for _, s := range n.Body.List {
			list = append(list, s.(*ast.CaseClause).List...)
		}
		return asserted(n), list
	case *ast.TypeAssertExpr:
		if n.Type != nil {
			return n.X, []ast.Expr{n.Type}
		}
	}
	return nil, nil
}

// isShown reports whether users can write a type: it is no unexported type of a package, nor a pointer to one.
func isShown(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || named.Obj().Exported() || named.Obj().Pkg() == nil
}

// asserted returns the expression whose type a switch is on.
func asserted(n *ast.TypeSwitchStmt) (x ast.Expr) {
	ast.Inspect(n.Assign, func(n ast.Node) bool {
		if a, ok := n.(*ast.TypeAssertExpr); ok && x == nil {
			x = a.X
		}
		return x == nil
	})
	return x
}

// isEmpty reports whether an expression has an interface type without methods.
func isEmpty(info *types.Info, x ast.Expr) bool {
	t := info.TypeOf(x)
	if t == nil {
		return false
	}
	u, ok := t.Underlying().(*types.Interface)
	_, param := types.Unalias(t).(*types.TypeParam)
	return ok && !param && u.Empty()
}

// kindTypes are types for the constants of reflect.Kind that a package names.
var kindTypes = func() []kindType {
	text := types.Typ[types.String]
	list := func(t types.Type) types.Type { return types.NewSlice(t) }
	basic := func(kind string, k types.BasicKind) kindType {
		t := types.Typ[k]
		return kindType{kind, []types.Type{t, list(t), types.NewMap(text, list(t))}}
	}
	return []kindType{
		{"Pointer", []types.Type{types.NewPointer(list(text))}},
		{"Ptr", []types.Type{types.NewPointer(list(text))}},
		{"Map", []types.Type{types.NewMap(text, text), types.NewMap(text, list(text))}},
		{"Slice", []types.Type{list(list(text)), list(types.NewPointer(text))}},
		{"Array", []types.Type{types.NewArray(text, 1), types.NewArray(types.Typ[types.Byte], 3)}},
		basic("Int32", types.Int32), basic("Uint", types.Uint), basic("Uint64", types.Uint64), basic("Int8", types.Int8),
		basic("Int64", types.Int64), basic("Float32", types.Float32), basic("Complex128", types.Complex128),
		basic("Complex64", types.Complex64), basic("Uint16", types.Uint16), basic("Uintptr", types.Uintptr),
	}
}()

type kindType struct {
	kind  string
	types []types.Type
}

// methodTypes are types of the standard library that have methods which code asks values for.
var methodTypes = []struct{ path, name string }{
	{"time", "Time"}, {"time", "Duration"}, {"net/url", "URL"}, {"math/big", "Int"}, {"net", "IP"}, {"encoding/json", "RawMessage"},
}

// withMethods returns types of the standard library that implement one of some interfaces, and pointers to them, which
// may be nil: a method with a value receiver cannot be called then.
func (b *Builder) withMethods(asked []*types.Interface) (out []types.Type) {
	for _, m := range methodTypes {
		if m.path != "time" && !b.Prog.Imports(m.path) {
			continue
		}
		pkg, err := b.Prog.Import(m.path)
		if err != nil {
			continue
		}
		tn, ok := pkg.Scope().Lookup(m.name).(*types.TypeName)
		if !ok {
			continue
		}
		for _, t := range []types.Type{types.NewPointer(tn.Type()), tn.Type()} {
			if slices.ContainsFunc(asked, func(i *types.Interface) bool {
				return i.NumMethods() > 0 && types.Implements(t, i)
			}) {
				out = append(out, t)
			}
		}
	}
	return out
}
