package exec

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// Between candidates, package-level variables are made anew by the code that made them: their initialisers, in the order
// that the compiler found, and the init functions [DSD 8.4]. Variables that nothing changes after that are left alone.

// mutable finds the package-level variables, by their declarations, whose values or contents may change after the
// initialisation of their package: all that are not just read. Taking an address, passing a reference on, calling a
// method: all may change the contents, unless the type has none to change.
func mutable(pkg *source.Package) map[*ast.Ident]bool {
	changed := map[types.Object]bool{}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Recv == nil && fd.Name.Name == "init" {
				continue
			}
			m := &mutation{pkg: pkg, changed: changed, read: map[*ast.Ident]bool{}}
			ast.Inspect(fd.Body, m.visit)
		}
		// Function literals among the initialisers run later, too.
		for _, d := range file.Decls {
			if gd, ok := d.(*ast.GenDecl); ok && gd.Tok == token.VAR {
				ast.Inspect(gd, func(n ast.Node) bool {
					if lit, ok := n.(*ast.FuncLit); ok {
						m := &mutation{pkg: pkg, changed: changed, read: map[*ast.Ident]bool{}}
						ast.Inspect(lit.Body, m.visit)
						return false
					}
					return true
				})
			}
		}
	}
	// Users of the package may change what is exported.
	out := map[*ast.Ident]bool{}
	for id, o := range pkg.Info.Defs {
		v, ok := o.(*types.Var)
		if !ok || v.Parent() != pkg.Types.Scope() {
			continue
		}
		_, basic := v.Type().Underlying().(*types.Basic)
		if changed[v] || v.Exported() && (basic || !frozen(v.Type())) {
			out[id] = true
		}
	}
	return out
}

// mutation looks for uses of package-level variables that may change them.
type mutation struct {
	pkg     *source.Package
	changed map[types.Object]bool
	read    map[*ast.Ident]bool // uses that only read
}

func (m *mutation) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			m.write(e)
		}
	case *ast.IncDecStmt:
		m.write(n.X)
	case *ast.RangeStmt:
		m.write(n.Key)
		m.write(n.Value)
		m.reads(n.X)
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			m.write(n.X)
		}
	case *ast.IndexExpr:
		if t := m.pkg.Info.TypeOf(n); t != nil && frozen(t) {
			m.reads(n.X)
		}
	case *ast.SelectorExpr:
		if s := m.pkg.Info.Selections[n]; s != nil && s.Kind() == types.FieldVal && frozen(s.Type()) {
			m.reads(n.X)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			if b, ok := m.pkg.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				m.reads(n.Args[0])
			}
		}
	case *ast.BinaryExpr:
		m.reads(n.X)
		m.reads(n.Y)
	case *ast.Ident:
		if v := m.global(n); v != nil && !m.read[n] && !frozen(v.Type()) {
			m.changed[v] = true // its contents may be changed by whoever gets it
		}
	}
	return true
}

// global is the package-level variable that an identifier names, or nil.
func (m *mutation) global(id *ast.Ident) *types.Var {
	v, ok := m.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() != m.pkg.Types.Scope() {
		return nil
	}
	return v
}

// write notes that what e stands for is changed: the variable that it is a part of.
func (m *mutation) write(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			if v := m.global(x); v != nil {
				m.changed[v] = true
			}
			return
		default:
			return
		}
	}
}

// reads notes that a variable's contents are only looked at.
func (m *mutation) reads(e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		m.read[id] = true
	}
}

// frozen says that a value of type t leads to nothing that can be changed: numbers, strings, functions, and what the standard
// library never changes.
func frozen(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "error", "*regexp.Regexp", "reflect.Type", "*time.Location", "time.Time", "*strings.Replacer", "*text/template.Template", "*html/template.Template",
		"encoding/binary.ByteOrder", "*unicode.RangeTable":
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic, *types.Signature:
		return true
	case *types.Array:
		return frozen(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if !frozen(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// reset makes the initialisation of the package one that can be repeated.
func (r *rewriter) reset(edits []overlay.Edits, used []bool) {
	at := func(pos token.Pos) int {
		for i, f := range r.pkg.Files {
			if f.FileStart <= pos && pos < f.FileEnd {
				return i
			}
		}
		return -1
	}
	text := func(i int, from, to token.Pos) string { return string(r.pkg.Sources[i][r.offset(from):r.offset(to)]) }
	var calls []string
	step := func(i int, code string) {
		name := fmt.Sprintf("_dsd_reset%d", len(calls))
		edits[i].Insert(len(r.pkg.Sources[i]), fmt.Sprintf("\nfunc %s() { %s }\n", name, code))
		used[i] = true
		calls = append(calls, name+"()")
	}
	declared := map[types.Object]*ast.Ident{}
	for id := range r.mutable {
		declared[r.pkg.Info.Defs[id]] = id
	}
	// Those without an initialiser become zero first.
	for i, file := range r.pkg.Files {
		for _, d := range file.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR || embedded(gd) {
				continue
			}
			for _, s := range gd.Specs {
				vs := s.(*ast.ValueSpec)
				if len(vs.Values) > 0 || vs.Type == nil {
					continue
				}
				for _, id := range vs.Names {
					if r.mutable[id] && id.Name != "_" {
						step(i, fmt.Sprintf("var zero %s; %s = zero", text(i, vs.Type.Pos(), vs.Type.End()), id.Name))
					}
				}
			}
		}
	}
	for _, init := range r.pkg.Info.InitOrder {
		var names []string
		changes := false
		for _, v := range init.Lhs {
			changes = changes || declared[v] != nil
			names = append(names, v.Name())
		}
		if i := at(init.Rhs.Pos()); changes && i >= 0 {
			step(i, strings.Join(names, ", ")+" = "+text(i, init.Rhs.Pos(), init.Rhs.End()))
		}
	}
	n := 0
	for i, file := range r.pkg.Files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv != nil || fd.Name.Name != "init" || fd.Body == nil {
				continue
			}
			name := fmt.Sprintf("_dsd_init%d", n)
			n++
			edits[i].Replace(r.offset(fd.Name.Pos()), r.offset(fd.Name.End()), fmt.Sprintf("init() { %s() }; func %s", name, name))
			used[i] = true
			calls = append(calls, name+"()")
		}
	}
	if len(calls) > 0 {
		edits[0].Insert(len(r.pkg.Sources[0]), fmt.Sprintf("\nfunc init() { %s.Reset(func() { %s }) }\n", rtName, strings.Join(calls, "; ")))
		used[0] = true
	}
}

// embedded says that a declaration's variable gets its contents from files.
func embedded(gd *ast.GenDecl) bool {
	docs := []*ast.CommentGroup{gd.Doc}
	for _, s := range gd.Specs {
		docs = append(docs, s.(*ast.ValueSpec).Doc)
	}
	for _, d := range docs {
		if d == nil {
			continue
		}
		for _, c := range d.List {
			if strings.HasPrefix(c.Text, "//go:embed") {
				return true
			}
		}
	}
	return false
}
