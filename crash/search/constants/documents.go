package constants

import (
	"go/ast"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"dsd/internal/source"
)

const (
	maxDocuments     = 24
	maxDocumentDepth = 4
)

// documents returns a JSON text for each struct type with json tags that a package writes down, with all of its fields,
// and the empty object; nil if it has none. Servers decode such texts from the bodies of requests, most of them into types
// that no function makes.
func documents(pkg *source.Package) (out []string) {
	for _, file := range pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			x, ok := n.(*ast.StructType)
			if !ok || len(out) >= maxDocuments || !hasTag(x) {
				return true
			}
			if s, ok := pkg.Info.TypeOf(x).(*types.Struct); ok {
				out = append(out, document(s, maxDocumentDepth))
			}
			return true
		})
	}
	if len(out) > 0 {
		out = append(out, "{}")
	}
	return out
}

// hasTag reports whether a field of a struct type has a json tag.
func hasTag(x *ast.StructType) bool {
	for _, f := range x.Fields.List {
		if f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) {
			return true
		}
	}
	return false
}

// document returns a JSON text that can be decoded into a type, which nests types so deep.
func document(t types.Type, depth int) string {
	if depth == 0 {
		return "null"
	}
	if types.TypeString(t, nil) == "time.Time" {
		return `"2006-01-02T15:04:05Z"`
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `"a"`
		case u.Info()&types.IsBoolean != 0:
			return "true"
		case u.Info()&(types.IsInteger|types.IsFloat) != 0:
			return "1"
		}
	case *types.Pointer:
		return document(u.Elem(), depth-1)
	case *types.Slice:
		if e, ok := u.Elem().Underlying().(*types.Basic); ok && e.Kind() == types.Byte {
			return `"YQ=="` // encoding/json has bytes in base64
		}
		return "[" + document(u.Elem(), depth-1) + "]"
	case *types.Map:
		key := "a"
		if k, ok := u.Key().Underlying().(*types.Basic); ok && k.Info()&types.IsInteger != 0 {
			key = "1"
		}
		return "{" + strconv.Quote(key) + ":" + document(u.Elem(), depth-1) + "}"
	case *types.Interface:
		return `"a"`
	case *types.Struct:
		return "{" + strings.Join(members(u, depth), ",") + "}"
	}
	return "null"
}

// members returns the members of the object that a struct is decoded from.
func members(s *types.Struct, depth int) (out []string) {
	for i := range s.NumFields() {
		f := s.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		switch u, isStruct := f.Type().Underlying().(*types.Struct); {
		case name == "-":
		case f.Embedded() && name == "" && isStruct:
			out = append(out, members(u, depth)...)
		case f.Exported():
			if name == "" {
				name = f.Name()
			}
			out = append(out, strconv.Quote(name)+":"+document(f.Type(), depth-1))
		}
	}
	return out
}
