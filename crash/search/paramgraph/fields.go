package paramgraph

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"dsd/internal/source"
)

// Code that looks at the fields of structs by reflection asks for tags, and for embedded fields. Callers declare structs
// that have them; so does an interface without methods get values of such structs.

const (
	// maxTags is the number of tag keys for which types are made, and maxWords that of words.
	maxTags, maxWords = 3, 12
)

// structTypes returns the types of structs that a package asks for by reflection: all that are known for the search for
// one crash. Testing all functions at random, which has less time for each, gets a few.
func (b *Builder) structTypes() []types.Type {
	keys, words := tagKeys(b.Pkg, b.thorough)
	out := taggedTypes(keys, words, b.thorough)
	if b.thorough && asksFor(b.Pkg, "Anonymous", "FieldByIndex", "FieldByName", "VisibleFields") {
		out = append(out, b.embeddedTypes()...)
	}
	if b.thorough && asksFor(b.Pkg, "NumField", "Fields", "VisibleFields") {
		out = append(out, b.hiddenTypes()...)
	}
	return out
}

// hiddenTypes returns structs with an unexported field, whose value reflection does not hand out, and pointers to some.
func (b *Builder) hiddenTypes() (out []types.Type) {
	text := types.Typ[types.String]
	fields := []types.Type{
		text, types.NewPointer(text), types.NewSlice(text), types.NewMap(text, text), types.Universe.Lookup("any").Type(),
		types.NewStruct([]*types.Var{types.NewField(0, nil, "A", text, false)}, nil),
	}
	if pkg, err := b.Prog.Import("time"); err == nil {
		fields = append(fields, pkg.Scope().Lookup("Time").Type())
	}
	for _, t := range fields {
		s := types.NewStruct([]*types.Var{
			types.NewField(0, nil, "A", types.Typ[types.Int], false), types.NewField(0, b.Pkg.Types, "b", t, false),
		}, nil)
		out = append(out, s, types.NewPointer(s))
	}
	return out
}

// taggedTypes returns types that a caller would declare for a package that looks for tags with the
// given keys: a struct whose fields have them, one whose fields are such structs, and pointers and slices of these; and,
// for words that the package looks for in tags, pointers to structs whose fields have them, each word on a field of
// each type. Unless all of them are asked for, these are the first struct, and words on fields of two types each.
func taggedTypes(keys, words []string, all bool) (out []types.Type) {
	text := types.Typ[types.String]
	for i, k := range keys {
		fields := []tagField{
			{"A", "a", types.Typ[types.Int]},
			{"B", "b,omitempty", types.NewPointer(text)},
			{"C", "c", types.NewSlice(text)},
			{"D", "-", types.NewMap(text, types.Typ[types.Int])},
		}
		if all {
			fields = append(fields, tagField{"E", "e", types.Universe.Lookup("any").Type()})
		}
		s := tagged(k, fields)
		out = append(out, s, types.NewPointer(s))
		if i > 0 {
			continue
		}
		plain := types.NewStruct([]*types.Var{types.NewField(0, nil, "A", text, false)}, nil)
		inner := tagged(k, []tagField{{"A", "a,omitempty", text}})
		nested := tagged(k, []tagField{
			{"A", "a", types.NewSlice(types.NewPointer(inner))}, {"B", "b", inner}, {"C", "c", types.NewPointer(inner)},
		})
		row := tagged(k, []tagField{{"A", "a", text}, {"B", "b", types.Typ[types.Int]}})
		if all {
			out = append(out, nested, types.NewPointer(nested), types.NewPointer(types.NewSlice(row)), types.NewSlice(types.NewPointer(row)))
		}
		kinds := []types.Type{
			text, types.NewPointer(types.NewSlice(text)), types.NewPointer(types.Typ[types.Int]), inner,
			types.NewSlice(text), types.NewPointer(inner), types.NewMap(text, text), types.Typ[types.Int],
			types.NewSlice(types.NewPointer(inner)), types.NewStruct(nil, nil),
		}
		shifts, size := []int{0, 3}, maxWords
		if all {
			shifts, size = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, maxLiteralFields
		} else {
			kinds = kinds[:8]
			kinds[3], kinds[5] = plain, types.NewPointer(plain)
		}
		for some := range slices.Chunk(words, size) {
			for _, shift := range shifts {
				var fields []tagField
				for j, w := range some {
					tag := w
					if shift%2 == 1 {
						tag = string(rune('a'+j)) + "," + w
					}
					fields = append(fields, tagField{fmt.Sprintf("F%d", j), tag, kinds[(j+shift)%len(kinds)]})
				}
				out = append(out, types.NewPointer(tagged(k, fields)))
			}
		}
	}
	return out
}

// fieldNames are the names that tags give to the fields of the structs here, as Go literals: texts that are decoded into
// them have these names.
var fieldNames = []string{`"a"`, `"b"`, `"c"`, `"e"`}

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

// embeddedTypes returns structs that embed a struct, or a pointer to one, which may be nil. Only a named type can be
// embedded: this one has no methods that would be promoted, and whoever uses reflection imports its package.
func (b *Builder) embeddedTypes() (out []types.Type) {
	pkg, err := b.Prog.Import("unicode")
	if err != nil {
		return nil
	}
	tn, ok := pkg.Scope().Lookup("Range16").(*types.TypeName)
	if !ok {
		return nil
	}
	for _, t := range []types.Type{types.NewPointer(tn.Type()), tn.Type()} {
		s := types.NewStruct([]*types.Var{
			types.NewField(0, nil, tn.Name(), t, true), types.NewField(0, nil, "B", types.Typ[types.String], false),
		}, nil)
		out = append(out, s, types.NewPointer(s))
	}
	return out
}

// asksFor reports whether a package uses a field or function of package reflect that has one of some names.
func asksFor(pkg *source.Package, names ...string) bool {
	for id, o := range pkg.Info.Uses {
		if o.Pkg() != nil && o.Pkg().Path() == "reflect" && slices.Contains(names, id.Name) {
			return true
		}
	}
	return false
}

var (
	// tagWord matches a word of a struct tag, or the beginning of one with a value.
	tagWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{1,15}=?$`)
	// tagKey matches the key of a struct tag.
	tagKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
)

// tagKeys returns the keys of the struct tags that a package looks for: constant arguments of the
// methods Get and Lookup of reflect.StructTag, or, where these have others, what variables and fields named for tags
// are set to; and the words that the files which do so compare texts with, or else pass to functions. Unless all are
// asked for, keys are constant arguments, and words compared with texts.
func tagKeys(pkg *source.Package, all bool) (keys, words []string) {
	q := tagQuery{pkg: pkg}
	for _, file := range pkg.Files {
		q.asks = false
		var compared, passed []string
		q.compared, q.passed = &compared, &passed
		ast.Inspect(file, q.visit)
		if q.asks {
			q.words = append(q.words, compared...)
			q.later = append(q.later, passed...)
		}
	}
	if !all {
		q.later, q.byVariable = nil, false
	}
	if q.byVariable {
		q.keys = append(q.keys, q.named...)
	}
	for _, k := range q.keys {
		if len(keys) < maxTags && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, w := range append(q.words, q.later...) {
		if len(words) < maxWords && !slices.Contains(words, w) && !slices.Contains(keys, strings.TrimSuffix(w, "=1")) {
			words = append(words, w)
		}
	}
	return keys, words
}

// tagQuery collects what the files of a package ask of struct tags.
type tagQuery struct {
	pkg *source.Package
	// keys are those asked for by a constant; byVariable is set if one is asked for by another value. named are the
	// texts that variables and fields named for tags have.
	keys, named []string
	byVariable  bool
	// words are compared with texts in files that ask for tags, and later are passed to functions there.
	words, later []string

	asks             bool // whether the current file asks for a tag
	compared, passed *[]string
}

// visit is for ast.Inspect.
func (q *tagQuery) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			q.word(q.compared, n.X)
			q.word(q.compared, n.Y)
		}
	case *ast.CaseClause:
		for _, x := range n.List {
			q.word(q.compared, x)
		}
	case *ast.KeyValueExpr:
		q.name(n.Key, n.Value)
	case *ast.ValueSpec:
		for i := range min(len(n.Names), len(n.Values)) {
			q.name(n.Names[i], n.Values[i])
		}
	case *ast.AssignStmt:
		for i := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				q.name(n.Lhs[i], n.Rhs[i])
			}
		}
	case *ast.CallExpr:
		q.call(n)
	}
	return true
}

// text returns the constant text that an expression is; "" if it is none.
func (q *tagQuery) text(x ast.Expr) string {
	if v := q.pkg.Info.Types[x].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// word adds a constant that can be a word of a tag.
func (q *tagQuery) word(to *[]string, x ast.Expr) {
	w := q.text(x)
	if !tagWord.MatchString(w) {
		return
	}
	if w[len(w)-1] == '=' {
		w += "1"
	}
	*to = append(*to, w)
}

// name keeps the text that a variable or field is set to, if that is named for a tag.
func (q *tagQuery) name(to, value ast.Expr) {
	name := ""
	switch to := to.(type) {
	case *ast.Ident:
		name = to.Name
	case *ast.SelectorExpr:
		name = to.Sel.Name
	}
	if t := q.text(value); strings.Contains(strings.ToLower(name), "tag") && tagKey.MatchString(t) {
		q.named = append(q.named, t)
	}
}

// call keeps what a call asks a tag for, or the word that it passes.
func (q *tagQuery) call(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := q.pkg.Info.Uses[sel.Sel].(*types.Func)
	switch {
	case ok && fn.Pkg() != nil && fn.Pkg().Path() == "strings" && len(n.Args) == 2:
		q.word(q.compared, n.Args[1]) // HasPrefix, Contains, Cut
	case len(n.Args) != 1:
	case sel.Sel.Name == "Get" || sel.Sel.Name == "Lookup":
		if t := q.pkg.Info.TypeOf(sel.X); t == nil || t.String() != "reflect.StructTag" {
			return
		}
		q.asks = true
		if k := q.text(n.Args[0]); k != "" {
			q.keys = append(q.keys, k)
		} else {
			q.byVariable = true
		}
	case ok && fn.Pkg() == q.pkg.Types:
		q.word(q.passed, n.Args[0])
	}
}
