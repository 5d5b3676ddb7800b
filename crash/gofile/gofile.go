package gofile

import (
	"fmt"
	"go/types"
	"go/version"
	"regexp"
	"sort"
	"strings"
	"unicode"
)

// File is a file of package Pkg that is being written.
type File struct {
	Pkg *types.Package
	// Reserved are names that imports must not get.
	Reserved map[string]bool
	// Prefix begins the names of types that the file declares. It must differ from the
	// prefixes of other files of the package.
	Prefix string

	imports map[string]string       // name by import path
	cycles  map[*types.Package]bool // results of ImportCycle
	stubs   []*stub
}

// New returns an empty file of package pkg.
func New(pkg *types.Package) *File {
	return &File{
		Pkg:      pkg,
		Reserved: map[string]bool{},
		imports:  map[string]string{},
		cycles:   map[*types.Package]bool{},
	}
}

// Use imports a package and returns its name in the file: its own name, with a number if that is
// taken.
func (f *File) Use(path, name string) string {
	if f.imports[path] == "" {
		as := name
		taken := func() bool {
			return f.Pkg.Scope().Lookup(as) != nil || f.Reserved[as] || f.HasImport(as)
		}
		for i := 2; taken(); i++ {
			as = fmt.Sprintf("%s%d", name, i)
		}
		f.imports[path] = as
	}
	return f.imports[path]
}

// Comment returns a text as the contents of a line comment and of those that follow it. Characters
// that cannot be printed become question marks.
func Comment(text string) string {
	clean := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
	return strings.ReplaceAll(clean, "\n", "\n// ")
}

// HasImport reports whether an import has a name.
func (f *File) HasImport(name string) bool {
	for _, n := range f.imports {
		if n == name {
			return true
		}
	}
	return false
}

// Type returns a type as the file names it, and imports the packages that it mentions. The type
// must be Nameable.
func (f *File) Type(t types.Type) string {
	text := types.TypeString(t, func(p *types.Package) string {
		if p == f.Pkg || p.Path() == f.Pkg.Path() {
			return ""
		}
		return f.Use(p.Path(), p.Name())
	})
	if f.withoutAny() {
		text = anyName.ReplaceAllString(text, "interface{}")
	}
	return text
}

// anyName matches the predeclared name any.
var anyName = regexp.MustCompile(`\bany\b`)

// withoutAny reports whether the language version of the package is older than the name any, or the
// package declares another any.
func (f *File) withoutAny() bool {
	v := f.Pkg.GoVersion()
	return v == "" || version.Compare(v, "go1.18") < 0 || f.Pkg.Scope().Lookup("any") != nil
}

// Imports returns the import declaration for the packages that a body mentions; "" if it mentions
// none.
func (f *File) Imports(body string) string {
	var paths []string
	for p, name := range f.imports {
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(body) {
			paths = append(paths, p)
		}
	}
	sort.Strings(paths)
	var out strings.Builder
	for _, p := range paths {
		if base := p[strings.LastIndexByte(p, '/')+1:]; base != f.imports[p] {
			fmt.Fprintf(&out, "\t%s %q\n", f.imports[p], p)
		} else {
			fmt.Fprintf(&out, "\t%q\n", p)
		}
	}
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "import " + strings.TrimLeft(out.String(), "\t")
	}
	return "import (\n" + out.String() + ")\n"
}

// Nameable reports whether the file can name a type: it consists of predeclared types, types of its
// package, and exported types of packages that the file may import.
func (f *File) Nameable(t types.Type) bool { return f.nameable(t, map[types.Type]bool{}) }

func (f *File) nameable(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	all := func(list ...types.Type) bool {
		for _, t := range list {
			if !f.nameable(t, seen) {
				return false
			}
		}
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid && t.Info()&types.IsUntyped == 0
	case *types.Named:
		o := t.Obj()
		foreign := o.Pkg() != nil && o.Pkg() != f.Pkg && o.Pkg().Path() != f.Pkg.Path()
		if foreign && (!o.Exported() || !f.Importable(o.Pkg())) {
			return false
		}
		if o.Parent() != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() {
			return false // declared in a function
		}
		for i := range t.TypeArgs().Len() {
			if !f.nameable(t.TypeArgs().At(i), seen) {
				return false
			}
		}
		return true
	case *types.Pointer:
		return all(t.Elem())
	case *types.Slice:
		return all(t.Elem())
	case *types.Array:
		return all(t.Elem())
	case *types.Chan:
		return all(t.Elem())
	case *types.Map:
		return all(t.Key(), t.Elem())
	case *types.Signature:
		return all(t.Params(), t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if !f.nameable(t.At(i).Type(), seen) {
				return false
			}
		}
		return true
	case *types.Struct:
		for i := range t.NumFields() {
			v := t.Field(i)
			if !v.Exported() && v.Pkg() != f.Pkg || !f.nameable(v.Type(), seen) {
				return false
			}
		}
		return true
	case *types.Interface:
		for i := range t.NumMethods() {
			m := t.Method(i)
			if !m.Exported() && m.Pkg() != f.Pkg || !f.nameable(m.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// Importable reports whether the file may import a package: the package does not import the file's
// package in turn, and is no internal package of another tree.
func (f *File) Importable(p *types.Package) bool {
	if i := strings.LastIndex("/"+p.Path()+"/", "/internal/"); i >= 0 {
		root := strings.TrimSuffix(("/" + p.Path())[1:max(i, 1)], "/")
		inTree := f.Pkg.Path() == root || strings.HasPrefix(f.Pkg.Path(), root+"/")
		if i == 0 || !inTree {
			return false
		}
	}
	if p.Name() == "main" || strings.HasPrefix(p.Path(), "vendor/") {
		return false
	}
	return !f.ImportCycle(p)
}

// ImportCycle reports whether importing p would make an import cycle: it is the file's package or
// imports it, however indirectly.
func (f *File) ImportCycle(p *types.Package) bool {
	if is, ok := f.cycles[p]; ok {
		return is
	}
	f.cycles[p] = false
	is := p.Path() == f.Pkg.Path()
	for _, q := range p.Imports() {
		is = is || f.ImportCycle(q)
	}
	f.cycles[p] = is
	return is
}
