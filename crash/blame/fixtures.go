package blame

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"strconv"

	"dsd/internal/source"
)

// fixture says how tests write values of a type.
type fixture struct {
	// fn is the first test or example that writes one.
	fn string
	// fields are those that all of them set, of types whose zero value is nil.
	fields map[string]bool
}

// fixtures returns the named struct types of a module of which its examples and tests write values
// with exported fields alone and pass them to calls: users write these values, too. written are the
// names of the fields that they set. Test files are parsed and not type-checked, so that those that do
// not compile count as well.
func fixtures(prog *source.Program) (out map[*types.TypeName]*fixture, written map[string]bool) {
	out, written = map[*types.TypeName]*fixture{}, map[string]bool{}
	for _, pkg := range prog.All {
		for _, name := range pkg.TestFiles {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			w := &fixtureReader{prog: prog, pkg: pkg, external: file.Name.Name != pkg.Name,
				imports: map[string]*source.Package{}, out: out}
			for _, spec := range file.Imports {
				w.add(spec)
			}
			for _, d := range file.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
					w.function(fd)
				}
			}
			fieldsSet(file, written)
		}
	}
	return out, written
}

// fieldsSet adds the names of the fields that a file sets, by assignments or in literals.
func fieldsSet(file *ast.File, names map[string]bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if sel, ok := x.(*ast.SelectorExpr); ok {
					names[sel.Sel.Name] = true
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
}

// fixtureReader reads a test file.
type fixtureReader struct {
	prog *source.Program
	pkg  *source.Package
	// external reports whether the file is of another package than the one it tests.
	external bool
	imports  map[string]*source.Package // packages of the module, by their names in the file
	fn       string
	out      map[*types.TypeName]*fixture
}

// add notes an import of a package of the module.
func (w *fixtureReader) add(spec *ast.ImportSpec) {
	at, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return
	}
	pkg := w.prog.Package(at)
	switch {
	case pkg == nil:
	case spec.Name != nil:
		w.imports[spec.Name.Name] = pkg
	default:
		w.imports[pkg.Name] = pkg
	}
}

// comparison matches functions that compare a result with what a test expects: values written there
// are no inputs.
var comparison = regexp.MustCompile(`(?i)equal|diff|assert|require|expect|compare|check|want|` +
	`error|log|fatal|print`)

// function notes what a function writes in the arguments and receivers of calls, directly or through
// a variable.
func (w *fixtureReader) function(fd *ast.FuncDecl) {
	w.fn = fd.Name.Name
	literals := map[string]ast.Expr{} // by the variable that gets it
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
			for i, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					literals[id.Name] = a.Rhs[i]
				}
			}
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		used := append([]ast.Expr{}, call.Args...)
		switch f := ast.Unparen(call.Fun).(type) {
		case *ast.Ident:
			if comparison.MatchString(f.Name) {
				return true
			}
		case *ast.SelectorExpr:
			if comparison.MatchString(types.ExprString(f)) {
				return true
			}
			used = append(used, f.X)
		}
		for _, x := range used {
			w.value(x)
			if u, ok := ast.Unparen(x).(*ast.UnaryExpr); ok {
				x = u.X
			}
			if id, ok := ast.Unparen(x).(*ast.Ident); ok {
				w.value(literals[id.Name])
			}
		}
		return true
	})
}

// value notes the types of the literals in an expression. Those in function literals are no part of
// the value.
func (w *fixtureReader) value(x ast.Expr) {
	if x == nil {
		return
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CompositeLit:
			w.literal(n)
		}
		return true
	})
}

func (w *fixtureReader) literal(n *ast.CompositeLit) {
	var pkg *source.Package
	name := ""
	switch t := n.Type.(type) {
	case *ast.Ident:
		if pkg, name = w.pkg, t.Name; w.external {
			pkg = w.imports["."]
		}
	case *ast.SelectorExpr:
		if id, ok := t.X.(*ast.Ident); ok {
			pkg, name = w.imports[id.Name], t.Sel.Name
		}
	}
	if pkg == nil || !ast.IsExported(name) {
		return
	}
	t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return
	}
	s, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return
	}
	fields := map[string]bool{}
	for _, name := range setFields(s, n) {
		if !ast.IsExported(name) {
			return
		}
		fields[name] = true
	}
	for i := range s.NumFields() {
		switch s.Field(i).Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Signature, *types.Map, *types.Chan:
		default:
			delete(fields, s.Field(i).Name())
		}
	}
	if old := w.out[t]; old != nil {
		maps.DeleteFunc(old.fields, func(name string, _ bool) bool { return !fields[name] })
		return
	}
	w.out[t] = &fixture{fn: w.fn, fields: fields}
}
