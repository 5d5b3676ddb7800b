package lower

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strconv"
	"strings"

	"dsd/check/ir"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// Models describe the functions of the standard library. They are written in Go, in models/ (see
// its README.md), and lowered like the testee. A panic in a model is reported at the call of the
// function.

//go:embed models/*.go
var modelFiles embed.FS

// modelsPath is the import path of the intrinsics.
const modelsPath = "dsd"

// intrinsicSource is the package of functions that only models can call. The method intrinsic
// lowers such calls.
const intrinsicSource = `package dsd
func Any[T any]() T
func Assume(bool)
func Field[T any](p any, name string) *T
func Get[T any](v any, name string) T
`

// A modelLibrary holds the models of the standard library.
type modelLibrary struct {
	prog *source.Program
	// models maps the name of a function, as in stack traces, to its model.
	models map[string]*source.Func
	// intrinsics is the package intrinsicSource.
	intrinsics *types.Package
	// ModelErrors holds an error for each file of models that does not fit the testee's
	// standard library. Such a file is not used.
	ModelErrors []error
}

// loadModels loads the models of the packages that the testee's build contains.
func (w *World) loadModels() {
	entries, err := modelFiles.ReadDir("models")
	if err != nil {
		panic("lower: " + err.Error()) // they are embedded
	}
	w.intrinsics = w.checkIntrinsics()
	for _, e := range entries {
		of := strings.ReplaceAll(strings.TrimSuffix(e.Name(), ".go"), "_", "/")
		if !w.prog.Imports(of) {
			continue
		}
		pkg, err := w.checkModel(e.Name())
		if err != nil {
			w.ModelErrors = append(w.ModelErrors, fmt.Errorf(
				"the models of package %s do not fit this version of Go and are not used: %w", of, err))
			continue
		}
		w.scanFields(pkg)
		for _, d := range pkg.Files[0].Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj := pkg.Info.Defs[fd.Name].(*types.Func)
			name := ir.ModelPrefix + of + "." + fd.Name.Name
			f := &source.Func{Name: name, Decl: fd, Obj: obj, Pkg: pkg}
			w.decls[obj] = f
			if isModel(fd.Name.Name) { // others are helpers of models
				name := modeledName(of, obj)
				f.Name = ir.ModelPrefix + name
				w.models[name] = f
			}
		}
	}
}

// isModel reports whether a function of a file of models is a model: it, or the method that it
// describes, is exported.
func isModel(name string) bool {
	_, method, ok := strings.Cut(name, "_")
	return ast.IsExported(name) || ok && ast.IsExported(method)
}

// scanFields finds the fields whose address a file of models takes, by calls of dsd.Field.
func (w *World) scanFields(pkg *source.Package) {
	ast.Inspect(pkg.Files[0], func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		f, ok := ast.Unparen(call.Fun).(*ast.IndexExpr)
		if !ok {
			return true
		}
		sel, ok := f.X.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Field" {
			return true
		}
		s, _ := pointee(pkg.Info.TypeOf(call.Args[0])).Underlying().(*types.Struct)
		for i := range s.NumFields() {
			if strconv.Quote(s.Field(i).Name()) == call.Args[1].(*ast.BasicLit).Value {
				w.merged[s.Field(i).Origin()] = true
			}
		}
		return true
	})
}

// checkIntrinsics type-checks the package of intrinsics.
func (ml *modelLibrary) checkIntrinsics() *types.Package {
	file, err := parser.ParseFile(ml.prog.Fset, "dsd.go", intrinsicSource,
		parser.SkipObjectResolution)
	if err != nil {
		panic("lower: " + err.Error())
	}
	conf := types.Config{Error: func(error) {}} // ignores that functions have no bodies
	pkg, _ := conf.Check(modelsPath, ml.prog.Fset, []*ast.File{file}, nil)
	return pkg
}

// checkModel type-checks a file of models against the testee's standard library.
func (ml *modelLibrary) checkModel(name string) (*source.Package, error) {
	text, err := modelFiles.ReadFile(path.Join("models", name))
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(ml.prog.Fset, "models/"+name, text,
		parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	pkg := &source.Package{
		Path:  modelsPath + "/" + strings.TrimSuffix(name, ".go"),
		Name:  file.Name.Name,
		Files: []*ast.File{file},
		Info:  source.NewInfo(),
	}
	conf := types.Config{
		Sizes:                    ml.prog.Sizes,
		DisableUnusedImportCheck: true,
		Importer: importer(func(path string) (*types.Package, error) {
			if path == modelsPath {
				return ml.intrinsics, nil
			}
			return ml.prog.Import(path)
		}),
	}
	if pkg.Types, err = conf.Check(pkg.Path, ml.prog.Fset, pkg.Files, pkg.Info); err != nil {
		return nil, err
	}
	return pkg, nil
}

// importer is a function as a types.Importer.
type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// modeledName returns the name, as in stack traces, of the function or method of package path that
// a model describes.
func modeledName(path string, model *types.Func) string {
	recv, method, ok := strings.Cut(model.Name(), "_")
	if !ok {
		return symbol.Name{Package: path, Func: model.Name()}.String()
	}
	_, ptr := model.Type().(*types.Signature).Params().At(0).Type().(*types.Pointer)
	return symbol.Name{Package: path, Receiver: recv, Pointer: ptr, Func: method}.String()
}

// modelOf returns the model of a function of another module, or nil if there is none.
func (ml *modelLibrary) modelOf(f *types.Func) *source.Func {
	if f.Pkg() == nil || ml.prog.Package(f.Pkg().Path()) != nil {
		return nil
	}
	return ml.models[symbol.Plain(source.FuncName(f))]
}

// intrinsic lowers a call of an intrinsic in a model:
//
//	dsd.Any[T]()         havoc a value of type T
//	dsd.Assume(c)        assume c
//	dsd.Field[T](p, "f") the address of field f of *p, exported or not
//	dsd.Get[T](v, "f")   the value of field f of v, exported or not
func (l *lowerer) intrinsic(f *types.Func, e *ast.CallExpr) []Value {
	switch f.Name() {
	case "Any":
		return []Value{l.havoc("any", l.typeOf(e))}
	case "Assume":
		l.axiom(l.expr(e.Args[0]).Leaves[0])
		return nil
	case "Get":
		v := l.expr(e.Args[0])
		f, i := namedField(v.Type, l.constantString(e.Args[1]))
		t := l.typeOf(e)
		if !types.Identical(f.Type().Underlying(), t.Underlying()) {
			panic(unsupportedf("the field %s of %s has another type in this version of Go",
				f.Name(), v.Type))
		}
		return []Value{{t, l.fieldOfValue(v, []int{i}, token.NoPos).Leaves}}
	case "Field":
		p := l.snapshot(l.expr(e.Args[0]))
		_, i := namedField(pointee(p.Type), l.constantString(e.Args[1]))
		at := l.fields(l.deref(p, token.NoPos), []int{i}, token.NoPos)
		return []Value{l.addressOf(at, l.typeOf(e))}
	}
	panic(unsupportedf("dsd.%s", f.Name()))
}

// namedField returns a field of a struct type, exported or not, and its index.
func namedField(t types.Type, name string) (*types.Var, int) {
	s := t.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return s.Field(i), i
		}
	}
	panic(unsupportedf("%s has no field %s in this version of Go", t, name))
}
