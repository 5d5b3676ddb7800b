//go:build go1.21

package keep

import (
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
)

// describe adds the types that a dynamic type consists of to the types of the graph.
func (g *graph) describe(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		if t.Name() == "" {
			g.describe(t.Elem())
			return
		}
	case reflect.Map:
		if t.Name() == "" {
			g.describe(t.Key())
			g.describe(t.Elem())
			return
		}
	}
	// Tests can name predeclared types and those of other modules.
	path := t.PkgPath()
	own := path == "main" || path == Module || strings.HasPrefix(path, Module+"/")
	if t.Name() == "" && t.Kind() != reflect.Struct || t.Name() != "" && !own {
		return
	}
	text := typeText(t)
	if g.types[text] != nil {
		return
	}
	d := &typeDef{Type: text}
	g.types[text] = d
	switch t.Kind() {
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			d.Fields = append(d.Fields,
				typeField{f.Name, typeText(f.Type), string(f.Tag), f.Anonymous})
			g.describe(f.Type)
		}
		return
	case reflect.Pointer:
		d.Underlying = "*" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Slice:
		d.Underlying = "[]" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Array:
		d.Underlying = "[" + strconv.Itoa(t.Len()) + "]" + typeText(t.Elem())
		g.describe(t.Elem())
	case reflect.Map:
		d.Underlying = "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
		g.describe(t.Key())
		g.describe(t.Elem())
	case reflect.Interface:
		if t.NumMethod() == 0 {
			d.Underlying = "any"
		}
	default:
		if t.Kind() < reflect.Array || t.Kind() == reflect.String {
			d.Underlying = t.Kind().String()
		}
	}
}

// mainPath is the import path of the main package; its types only have the path "main".
var mainPath = func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Path
	}
	return ""
}()

// typeText returns a type as documents write it, with full import paths.
func typeText(t reflect.Type) string {
	if t.Name() != "" {
		if t.PkgPath() == "" {
			return t.Name()
		}
		if path := t.PkgPath(); path != "main" || mainPath == "" {
			return path + "." + t.Name()
		}
		return mainPath + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeText(t.Elem())
	case reflect.Slice:
		return "[]" + typeText(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + typeText(t.Elem())
	case reflect.Map:
		return "map[" + typeText(t.Key()) + "]" + typeText(t.Elem())
	case reflect.Chan:
		switch t.ChanDir() {
		case reflect.RecvDir:
			return "<-chan " + typeText(t.Elem())
		case reflect.SendDir:
			return "chan<- " + typeText(t.Elem())
		}
		return "chan " + typeText(t.Elem())
	}
	if t.Kind() == reflect.Struct {
		text := "struct {"
		for i := 0; i < t.NumField(); i++ {
			f := t.Field(i)
			text += " " + f.Name + " " + typeText(f.Type)
			if f.Tag != "" {
				text += " " + strconv.Quote(string(f.Tag))
			}
			text += ";"
		}
		return text + " }"
	}
	return strings.ReplaceAll(t.String(), "interface {}", "any")
}
