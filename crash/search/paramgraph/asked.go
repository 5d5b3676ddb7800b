package paramgraph

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"dsd/internal/source"
)

// What a function that takes values of any type does with them, the source says: the types of its type switches and
// assertions, the constants of reflect.Kind that it compares with, and the keys and words of struct tags that it looks
// for. Callers pass values of such types, so an interface without methods gets them, beside one of each kind.

const (
	// maxAsked is the number of types of switches, assertions and kinds that a package is given.
	maxAsked = 24
	// maxTags is the number of tag keys for which types are made, and maxWords that of words.
	maxTags, maxWords = 3, 12
)

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
			switch n := n.(type) {
			case *ast.TypeSwitchStmt:
				if !isEmpty(info, asserted(n)) {
					return true
				}
				for _, s := range n.Body.List {
					for _, x := range s.(*ast.CaseClause).List {
						ask(x)
					}
				}
			case *ast.TypeAssertExpr:
				if n.Type != nil && isEmpty(info, n.X) {
					ask(n.Type)
				}
			case *ast.SelectorExpr:
				if c, ok := info.Uses[n.Sel].(*types.Const); ok && c.Type().String() == "reflect.Kind" {
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

// taggedTypes returns types that a caller would declare for a package that looks for tags with the
// given keys: a struct whose fields have them, and a pointer to it; and, for words that the package looks for in
// tags, pointers to structs whose fields have them, each word on fields of two types.
func taggedTypes(keys, words []string) (out []types.Type) {
	text := types.Typ[types.String]
	for i, k := range keys {
		s := tagged(k, []tagField{
			{"A", "a", types.Typ[types.Int]},
			{"B", "b,omitempty", types.NewPointer(text)},
			{"C", "c", types.NewSlice(text)},
			{"D", "-", types.NewMap(text, types.Typ[types.Int])},
		})
		out = append(out, s, types.NewPointer(s))
		if i > 0 || len(words) == 0 {
			continue
		}
		inner := types.NewStruct([]*types.Var{types.NewField(0, nil, "A", text, false)}, nil)
		kinds := []types.Type{
			text, types.NewPointer(types.NewSlice(text)), types.NewPointer(types.Typ[types.Int]), inner,
			types.NewSlice(text), types.NewPointer(inner), types.NewMap(text, text), types.Typ[types.Int],
		}
		for shift := range 2 {
			var fields []tagField
			for j, w := range words {
				tag := w
				if shift == 1 {
					tag = string(rune('a'+j)) + "," + w
				}
				fields = append(fields, tagField{fmt.Sprintf("F%d", j), tag, kinds[(j+3*shift)%len(kinds)]})
			}
			out = append(out, types.NewPointer(tagged(k, fields)))
		}
	}
	return out
}

// tagField is a field with a tag.
type tagField struct {
	name, tag string
	t         types.Type
}

// tagged returns a struct whose fields have tags with a key.
func tagged(key string, list []tagField) *types.Struct {
	var fields []*types.Var
	var tags []string
	for _, f := range list {
		fields = append(fields, types.NewField(0, nil, f.name, f.t, false))
		tags = append(tags, fmt.Sprintf("%s:%q", key, f.tag))
	}
	return types.NewStruct(fields, tags)
}

// tagWord matches a word of a struct tag, or the beginning of one with a value.
var tagWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{1,15}=?$`)

// tagKeys returns the keys of the struct tags that a package looks for: constant arguments of the
// methods Get and Lookup of reflect.StructTag; and the words that the files which do so compare texts with.
func tagKeys(pkg *source.Package) (keys, words []string) {
	for _, file := range pkg.Files {
		before := len(keys)
		var compared []string
		compare := func(x ast.Expr) {
			v := pkg.Info.Types[x].Value
			if v == nil || v.Kind() != constant.String || !tagWord.MatchString(constant.StringVal(v)) {
				return
			}
			w := constant.StringVal(v)
			if w[len(w)-1] == '=' {
				w += "1"
			}
			compared = append(compared, w)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					compare(n.X)
					compare(n.Y)
				}
			case *ast.CaseClause:
				for _, x := range n.List {
					compare(x)
				}
			case *ast.CallExpr:
				sel, ok := n.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == "strings" && len(n.Args) == 2 {
					compare(n.Args[1]) // HasPrefix, Contains, Cut
				}
				if len(n.Args) != 1 || sel.Sel.Name != "Get" && sel.Sel.Name != "Lookup" {
					return true
				}
				t, v := pkg.Info.TypeOf(sel.X), pkg.Info.Types[n.Args[0]].Value
				if t == nil || v == nil || t.String() != "reflect.StructTag" {
					return true
				}
				if k := constant.StringVal(v); len(keys) < maxTags && !slices.Contains(keys, k) {
					keys = append(keys, k)
				}
			}
			return true
		})
		if len(keys) == before {
			continue
		}
		for _, w := range compared {
			if len(words) < maxWords && !slices.Contains(words, w) && !slices.Contains(keys, w) {
				words = append(words, w)
			}
		}
	}
	return keys, words
}
