package candidate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// Between candidates, package-level variables are made anew by the code that made them: their initialisers, in the order
// that the compiler found, and the init functions [DSD 8.4]. Variables that nothing changes after that are left alone.

// mutable is what may change package-level variables after the initialisation of their package.
type mutable struct {
	// vars are the variables, by their declarations.
	vars map[*ast.Ident]bool
	// sites are the bodies of the functions that change them, or give them away; what runs none of these leaves all as it was.
	sites map[*ast.BlockStmt]bool
	// always says that other packages, too, may change them.
	always bool
	// locks says that there are locks among them, which a function may leave locked when it panics.
	locks bool
}

// findMutable finds the package-level variables, by their declarations, whose values or contents may change after the
// initialisation of their package: all that are not just read. Taking an address, keeping a reference elsewhere, passing it
// to who changes it: all may change the contents, unless the type has none to change.
func findMutable(prog *source.Program, pkg *source.Package) *mutable {
	m := &mutation{pkg: pkg, changed: map[*types.Var]bool{}, read: map[*ast.Ident]bool{}, passed: map[*types.Var][]passing{}, params: map[*types.Var]bool{}, sites: map[*ast.BlockStmt]bool{}}
	// What init functions change must be as it was before they run again.
	early := &mutation{pkg: pkg, params: m.params, changed: map[*types.Var]bool{}, passed: map[*types.Var][]passing{}, read: map[*ast.Ident]bool{}, sites: map[*ast.BlockStmt]bool{}}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
					for _, p := range parameters(fn) {
						m.params[p] = true
					}
				}
			}
		}
	}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case d.Body == nil:
				case d.Recv == nil && d.Name.Name == "init":
					early.inside(d.Body)
				default:
					m.inside(d.Body)
				}
			case *ast.GenDecl: // function literals among the initialisers run later, too
				ast.Inspect(d, func(n ast.Node) bool {
					lit, ok := n.(*ast.FuncLit)
					if ok {
						m.inside(lit.Body)
					}
					return !ok
				})
			}
		}
	}
	// Who is passed to who changes it is changed.
	for again := true; again; {
		again = false
		for v, to := range m.passed {
			for _, p := range to {
				if m.changed[p.to] && !m.changed[v] {
					m.changed[v], again = true, true
				}
			}
		}
	}
	// Other packages of the module may change what is exported.
	named := map[string]bool{}
	for _, other := range prog.All {
		if other == pkg {
			continue
		}
		for _, o := range other.Info.Uses {
			if v, ok := o.(*types.Var); ok && !v.IsField() && v.Pkg() != nil && v.Pkg().Path() == pkg.Path {
				named[v.Name()] = true
			}
		}
	}
	for v, to := range m.passed {
		for _, p := range to {
			if m.changed[p.to] && !m.params[v] {
				m.sites[p.body] = true
			}
		}
	}
	out := &mutable{vars: map[*ast.Ident]bool{}, sites: m.sites}
	for id, o := range pkg.Info.Defs {
		v, ok := o.(*types.Var)
		if !ok || v.Parent() != pkg.Types.Scope() {
			continue
		}
		if other := named[v.Name()] && types.TypeString(v.Type(), nil) != "error"; m.changed[v] || other {
			out.vars[id] = true
			out.locks = out.locks || isLock(v)
			out.always = out.always || other
		}
	}
	if len(out.vars) == 0 {
		return out
	}
	for id, o := range pkg.Info.Defs {
		v, ok := o.(*types.Var)
		if ok && (early.changed[v] || early.passed[v] != nil) && v.Parent() == pkg.Types.Scope() {
			out.vars[id] = true
		}
	}
	return out
}

// parameters are those of a function, its receiver first.
func parameters(fn *types.Func) []*types.Var {
	sig := fn.Type().(*types.Signature)
	var out []*types.Var
	if sig.Recv() != nil {
		out = append(out, sig.Recv())
	}
	for p := range sig.Params().Variables() {
		out = append(out, p)
	}
	return out
}

// mutation looks for uses of package-level variables, and of parameters, that may change them.
type mutation struct {
	pkg     *source.Package
	params  map[*types.Var]bool
	changed map[*types.Var]bool
	passed  map[*types.Var][]passing // to parameters of the package's functions
	read    map[*ast.Ident]bool      // uses that do not count by themselves
	sites   map[*ast.BlockStmt]bool  // bodies with a use that may change a package-level variable
	body    *ast.BlockStmt           // of the function that is looked at
}

// passing is that of a variable to a parameter, in a function's body.
type passing struct {
	to   *types.Var
	body *ast.BlockStmt
}

// inside looks at the body of a function.
func (m *mutation) inside(body *ast.BlockStmt) {
	outer := m.body
	m.body = body
	ast.Inspect(body, m.visit)
	m.body = outer
}

// change notes that a variable may be changed here. A lock is as it was once it is given back, which only a panic prevents.
func (m *mutation) change(v *types.Var) {
	m.changed[v] = true
	if isLock(v) {
		return
	}
	if !m.params[v] {
		m.sites[m.body] = true
	}
}

func isLock(v *types.Var) bool {
	switch strings.TrimPrefix(types.TypeString(v.Type(), nil), "*") {
	case "sync.Mutex", "sync.RWMutex":
		return true
	}
	return false
}

func (m *mutation) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.inside(n.Body)
		return false
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			m.write(e)
		}
	case *ast.IncDecStmt:
		m.write(n.X)
	case *ast.RangeStmt:
		m.write(n.Key)
		m.write(n.Value)
		if v := n.Value; v == nil || m.frozen(v) {
			m.reads(n.X)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			m.write(n.X)
		}
	case *ast.IndexExpr:
		if m.frozen(n) {
			m.reads(n.X)
		}
	case *ast.SelectorExpr:
		if s := m.pkg.Info.Selections[n]; s != nil && s.Kind() == types.FieldVal && frozen(s.Type()) {
			m.reads(n.X)
		}
	case *ast.CallExpr:
		m.call(n)
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			if b, ok := m.pkg.Info.Uses[id].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				m.reads(n.Args[0])
			}
		}
	case *ast.BinaryExpr:
		m.reads(n.X)
		m.reads(n.Y)
	case *ast.Ident:
		if v := m.tracked(n); v != nil && !m.read[n] && !frozen(v.Type()) {
			m.change(v) // its contents may be changed by whoever gets it
		}
	}
	return true
}

// call notes which variables are passed to functions of the package, by name.
func (m *mutation) call(n *ast.CallExpr) {
	var fn *types.Func
	args := n.Args
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		fn, _ = m.pkg.Info.Uses[f].(*types.Func)
	case *ast.SelectorExpr:
		if s := m.pkg.Info.Selections[f]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			fn, _ = s.Obj().(*types.Func)
			args = append([]ast.Expr{f.X}, args...)
		}
	}
	if fn == nil || fn.Pkg() != m.pkg.Types || fn.Type().(*types.Signature).Variadic() {
		return
	}
	params := parameters(fn.Origin())
	for i, a := range args {
		id, ok := ast.Unparen(a).(*ast.Ident)
		if !ok || i >= len(params) || !m.params[params[i]] {
			continue
		}
		if v := m.tracked(id); v != nil {
			m.passed[v] = append(m.passed[v], passing{params[i], m.body})
			m.read[id] = true
		}
	}
}

// frozen says that nothing can be changed through the value of an expression.
func (m *mutation) frozen(e ast.Expr) bool {
	t := m.pkg.Info.TypeOf(e)
	if id, ok := e.(*ast.Ident); ok && t == nil {
		if o := m.pkg.Info.ObjectOf(id); o != nil {
			t = o.Type()
		}
	}
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return true
	}
	return t != nil && frozen(t)
}

// tracked is the package-level variable or parameter that an identifier names, or nil.
func (m *mutation) tracked(id *ast.Ident) *types.Var {
	v, ok := m.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() != m.pkg.Types.Scope() && !m.params[v] {
		return nil
	}
	return v
}

// write notes that what e stands for is changed: the variable that it is a part of.
func (m *mutation) write(e ast.Expr) {
	if id := root(e); id != nil {
		if v := m.tracked(id); v != nil {
			m.change(v)
		}
	}
}

// reads notes that what e stands for is only looked at: the variable that it is a part of is not changed by that.
func (m *mutation) reads(e ast.Expr) {
	if id := root(e); id != nil {
		m.read[id] = true
	}
}

// root is the variable that e is a part of, nil if it is none's.
func root(e ast.Expr) *ast.Ident {
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
			return x
		default:
			return nil
		}
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

// maxInitialiser is the length of the longest initialiser, in bytes, that is executed again. Longer ones are tables, which hardly
// any program changes, and would take the compiler long.
const maxInitialiser = 1 << 14

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
	text := func(i int, from, to token.Pos) string {
		return string(r.ends[i].Within(r.pkg.Sources[i], r.offset(from), r.offset(to)))
	}
	var calls []string
	step := func(i int, code string) {
		name := fmt.Sprintf("_dsd_reset%d", len(calls))
		edits[i].Insert(len(r.pkg.Sources[i]), fmt.Sprintf("\nfunc %s() { %s }\n", name, code))
		used[i] = true
		calls = append(calls, name+"()")
	}
	declared := map[types.Object]*ast.Ident{}
	for id := range r.mutable.vars {
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
					if r.mutable.vars[id] && id.Name != "_" {
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
		if init.Rhs.End()-init.Rhs.Pos() > maxInitialiser {
			continue
		}
		if i := at(init.Rhs.Pos()); changes && i >= 0 {
			// Function literals in it stand where they stood.
			p := r.prog.Fset.PositionFor(init.Rhs.Pos(), false)
			step(i, fmt.Sprintf("%s = /*line %s:%d:%d*/%s", strings.Join(names, ", "), filepath.Join(r.out.root, r.rel(p.Filename)), p.Line, p.Column, text(i, init.Rhs.Pos(), init.Rhs.End())))
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
		edits[0].Insert(len(r.pkg.Sources[0]), fmt.Sprintf("\nfunc init() { %s.Reset(%v, %v, func() { %s }) }\n", rtName, r.mutable.always, r.mutable.locks, strings.Join(calls, "; ")))
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
