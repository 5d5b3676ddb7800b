package source

import (
	"go/ast"
	"go/types"

	"dsd/internal/symbol"
)

// Func is a function or method with a body.
type Func struct {
	// Name is the name in stack traces; see FuncName.
	Name string
	Pkg  *Package
	Decl *ast.FuncDecl
	Obj  *types.Func
	// Literal reports whether it is a function literal; see Literals. No code can call it by its name.
	Literal bool
}

// Funcs returns the functions and methods of pkg that have a body, in source order, without init
// functions and functions named _.
func (pkg *Package) Funcs() []*Func {
	var out []*Func
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Name.Name == "_" || fd.Recv == nil && fd.Name.Name == "init" {
				continue
			}
			if obj, _ := pkg.Info.Defs[fd.Name].(*types.Func); obj != nil {
				out = append(out, &Func{Name: FuncName(obj), Pkg: pkg, Decl: fd, Obj: obj})
			}
		}
	}
	return out
}

// FuncName returns the name of a declared function as stack traces print it: pkg/path.F,
// pkg/path.(*T).M or pkg/path.T.M, with [...] for type parameters. The name of an interface's
// method is pkg/path.I.M.
func FuncName(f *types.Func) string {
	f = f.Origin()
	sig := f.Type().(*types.Signature)
	name := symbol.Name{Package: packagePath(f), Func: f.Name()}
	recv := sig.Recv()
	if recv == nil {
		if sig.TypeParams().Len() > 0 {
			name.TypeArgs = typeArgs
		}
		return name.String()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t, name.Pointer = p.Elem(), true
	}
	name.Receiver = "?"
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name.Receiver = n.Obj().Name()
		if n.TypeParams().Len() > 0 {
			name.TypeArgs = typeArgs
		}
	} else if _, ok := t.Underlying().(*types.Interface); ok {
		name.Receiver = "interface"
	}
	return name.String()
}

// typeArgs stands for the type arguments of any instance in stack traces.
const typeArgs = "[...]"

// InterfaceMethodName returns the name by which the callers of a named interface know its method:
// pkg/path.I.M. FuncName names the interface that declares the method, which may be an embedded
// one.
func InterfaceMethodName(iface *types.Named, m *types.Func) string {
	return symbol.Name{Package: packagePath(iface.Obj()), Receiver: iface.Obj().Name(),
		Func: m.Name()}.String()
}

// packagePath returns the import path of an object's package, "" for a predeclared object.
func packagePath(obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	return obj.Pkg().Path()
}
