package source

import (
	"go/ast"
	"go/types"
	"strings"
)

// Func is a function or method with a body.
type Func struct {
	// Name is the name that a stack trace gives it.
	Name string
	Pkg  *Package
	Decl *ast.FuncDecl
	Obj  *types.Func
}

// Funcs returns the functions and methods of pkg that have a body, in source order, init functions and blank ones
// left out.
func (pkg *Package) Funcs() []*Func {
	var out []*Func
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Name.Name == "_" || fd.Recv == nil && fd.Name.Name == "init" {
				continue
			}
			if obj, _ := pkg.Info.Defs[fd.Name].(*types.Func); obj != nil {
				out = append(out, &Func{FuncName(obj), pkg, fd, obj})
			}
		}
	}
	return out
}

// FuncName is the name of a declared function as stack traces give it: pkg/path.F, pkg/path.(*T).M, pkg/path.T.M, with
// [...] for type parameters; for an interface's method pkg/path.I.M.
func FuncName(f *types.Func) string {
	f = f.Origin()
	sig := f.Type().(*types.Signature)
	prefix := ""
	if f.Pkg() != nil {
		prefix = escapePath(f.Pkg().Path()) + "."
	}
	recv := sig.Recv()
	if recv == nil {
		if sig.TypeParams().Len() > 0 {
			return prefix + f.Name() + "[...]"
		}
		return prefix + f.Name()
	}
	t, star := recv.Type(), false
	if p, ok := t.(*types.Pointer); ok {
		t, star = p.Elem(), true
	}
	name := "?"
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name = n.Obj().Name()
		if n.TypeParams().Len() > 0 {
			name += "[...]"
		}
	} else if _, ok := t.Underlying().(*types.Interface); ok {
		name = "interface"
	}
	if star {
		name = "(*" + name + ")"
	}
	return prefix + name + "." + f.Name()
}

// escapePath escapes an import path as the linker does in symbol names: dots in the last element become %2e.
func escapePath(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.NewReplacer("%", "%25", ".", "%2e", `"`, "%22").Replace(path[slash:])
}

// InterfaceMethodName is the name of a method as seen by the callers of a named interface: pkg/path.I.M.
func InterfaceMethodName(iface *types.Named, m *types.Func) string {
	prefix := ""
	if p := iface.Obj().Pkg(); p != nil {
		prefix = escapePath(p.Path()) + "."
	}
	return prefix + iface.Obj().Name() + "." + m.Name()
}
