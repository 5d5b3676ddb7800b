package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// This file finds the package-level variables that may differ between two candidates. The analysis
// is a flow-insensitive side effect analysis of one package, over package-level variables and
// parameters:
//
//   - assigning to a variable or a part of it changes it, and so does taking its address;
//   - any other use changes it, too, because a reference may be kept and written through later;
//     the exceptions are uses that are known to read, and values through which nothing can be
//     changed (frozen);
//   - passing it to a function of the package changes it if the function changes that parameter
//     (a fixed point).
//
// The result errs towards too many variables: resetting one that never changes costs time alone.

// mutable holds what may change package-level variables after the initialization of their package.
type mutable struct {
	// vars are the variables, by their declaring identifiers.
	vars map[*ast.Ident]bool
	// sites are the bodies of functions that change the variables or let references to them
	// escape. A candidate that executes none of these leaves all variables as they were.
	sites map[*ast.BlockStmt]bool
	// always reports whether other packages may change them, too.
	always bool
	// locks reports whether there are locks among them, which a function may leave locked when
	// it panics.
	locks bool
}

// findMutable returns the package-level variables of pkg whose values or contents may change after
// initialization. again reports whether the init functions run again also if there are no
// such variables.
func findMutable(prog *source.Program, pkg *source.Package, again bool) *mutable {
	params := functionParameters(pkg)
	m := newMutation(pkg, params)
	// The variables that init functions change must be reset as well, before these run again.
	early := newMutation(pkg, params)
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case d.Body == nil:
				case d.Recv == nil && d.Name.Name == "init":
					early.function(d.Body)
				default:
					m.function(d.Body)
				}
			case *ast.GenDecl: // function literals in initializers may run later
				ast.Inspect(d, func(n ast.Node) bool {
					lit, ok := n.(*ast.FuncLit)
					if ok {
						m.function(lit.Body)
					}
					return !ok
				})
			}
		}
	}
	m.propagate()

	out := &mutable{vars: map[*ast.Ident]bool{}, sites: m.sites}
	named := namedElsewhere(prog, pkg)
	for id, v := range packageVars(pkg) {
		elsewhere := named[v.Name()] && types.TypeString(v.Type(), nil) != "error"
		if m.changed[v] || elsewhere {
			out.vars[id] = true
			out.locks = out.locks || isLock(v)
			out.always = out.always || elsewhere
		}
	}
	if len(out.vars) == 0 && !again {
		return out
	}
	for id, v := range packageVars(pkg) {
		if early.changed[v] || early.passed[v] != nil {
			out.vars[id] = true
		}
	}
	return out
}

// setsOthers reports whether the initialization of pkg may set variables of one of the packages
// that are initialized again: an init function, or the initializer of a blank variable, mentions a
// variable or function of that package, or another initializer calls one of the setters. A registry
// that is emptied must be filled again.
func setsOthers(
	pkg *source.Package, repeated map[*types.Package]bool, setters map[*types.Func]bool,
) bool {
	found := false
	visit := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch o := pkg.Info.Uses[id].(type) {
		case *types.Var:
			found = found || !o.IsField() && repeated[o.Pkg()]
		case *types.Func:
			found = found || repeated[o.Pkg()]
		}
		return true
	}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && isInit(fd) {
				ast.Inspect(fd.Body, visit)
			}
		}
	}
	for _, init := range pkg.Info.InitOrder {
		if isBlank(init) {
			ast.Inspect(init.Rhs, visit)
		}
		found = found || callsSetter(pkg, init.Rhs, setters)
	}
	return found
}

// addSetters adds the functions of pkg that change its package-level variables, themselves or by a
// function of pkg that they mention. sites are the bodies that do.
func addSetters(setters map[*types.Func]bool, pkg *source.Package, sites map[*ast.BlockStmt]bool) {
	mentions := map[*types.Func][]*types.Func{} // by the mentioned function
	var list []*types.Func
	for _, f := range pkg.Funcs() {
		if f.Decl.Body == nil {
			continue
		}
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				if sites[n] && !setters[f.Obj] {
					setters[f.Obj] = true
					list = append(list, f.Obj)
				}
			case *ast.Ident:
				if g, ok := pkg.Info.Uses[n].(*types.Func); ok && g.Pkg() == pkg.Types {
					mentions[g.Origin()] = append(mentions[g.Origin()], f.Obj)
				}
			}
			return true
		})
	}
	for i := 0; i < len(list); i++ {
		for _, f := range mentions[list[i]] {
			if !setters[f] {
				setters[f] = true
				list = append(list, f)
			}
		}
	}
}

// callsSetter reports whether an initializer calls one of the setters of another package.
func callsSetter(pkg *source.Package, init ast.Expr, setters map[*types.Func]bool) bool {
	found := false
	ast.Inspect(init, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fn, ok := pkg.Info.Uses[id].(*types.Func)
			found = found || ok && fn.Pkg() != pkg.Types && setters[fn.Origin()]
		}
		return !found
	})
	return found
}

// isInit reports whether a declaration is an init function.
func isInit(fd *ast.FuncDecl) bool {
	return fd.Recv == nil && fd.Name.Name == "init" && fd.Body != nil
}

// isBlank reports whether an initializer has only blank variables: it is there for its effect.
func isBlank(init *types.Initializer) bool {
	return !slices.ContainsFunc(init.Lhs, func(v *types.Var) bool { return v.Name() != "_" })
}

// packageVars returns the package-level variables of pkg by their declaring identifiers.
func packageVars(pkg *source.Package) map[*ast.Ident]*types.Var {
	vars := map[*ast.Ident]*types.Var{}
	for id, o := range pkg.Info.Defs {
		if v, ok := o.(*types.Var); ok && v.Parent() == pkg.Types.Scope() {
			vars[id] = v
		}
	}
	return vars
}

// namedElsewhere returns the names of the variables of pkg that other packages of the testee
// mention.
func namedElsewhere(prog *source.Program, pkg *source.Package) map[string]bool {
	names := map[string]bool{}
	for _, other := range prog.All {
		if other == pkg {
			continue
		}
		for _, o := range other.Info.Uses {
			v, ok := o.(*types.Var)
			if ok && !v.IsField() && v.Pkg() != nil && v.Pkg().Path() == pkg.Path {
				names[v.Name()] = true
			}
		}
	}
	return names
}

// functionParameters returns the parameters and receivers of the functions that pkg declares.
func functionParameters(pkg *source.Package) map[*types.Var]bool {
	params := map[*types.Var]bool{}
	for _, file := range pkg.Files {
		for _, d := range file.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if fn, ok := pkg.Info.Defs[fd.Name].(*types.Func); ok {
					for _, p := range parameters(fn) {
						params[p] = true
					}
				}
			}
		}
	}
	return params
}

// parameters returns the parameters of a function, its receiver first.
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

// mutation collects the uses of package-level variables and parameters that may change them.
type mutation struct {
	pkg     *source.Package
	params  map[*types.Var]bool
	changed map[*types.Var]bool
	passed  map[*types.Var][]passing // to parameters of the package's functions
	read    map[*ast.Ident]bool      // uses that are known to read only
	sites   map[*ast.BlockStmt]bool  // bodies that may change a package-level variable
	body    *ast.BlockStmt           // of the function being visited
}

// passing is the use of a variable as an argument for a parameter, in a function's body.
type passing struct {
	to   *types.Var
	body *ast.BlockStmt
}

func newMutation(pkg *source.Package, params map[*types.Var]bool) *mutation {
	return &mutation{
		pkg:     pkg,
		params:  params,
		changed: map[*types.Var]bool{},
		passed:  map[*types.Var][]passing{},
		read:    map[*ast.Ident]bool{},
		sites:   map[*ast.BlockStmt]bool{},
	}
}

// propagate marks as changed the variables that are passed to parameters that are changed, directly
// or not, and then adds the bodies where package-level variables are so passed to the sites.
func (m *mutation) propagate() {
	targets := func(v *types.Var) (out []*types.Var) {
		for _, p := range m.passed[v] {
			out = append(out, p.to)
		}
		return out
	}
	const isChanged = 0 // the only element of the sets
	var changed callgraph.Set
	changed.Add(isChanged)
	sets := map[*types.Var]callgraph.Set{}
	for v := range m.changed {
		sets[v] = changed
	}
	callgraph.Close(slices.Collect(maps.Keys(m.passed)), targets, sets)
	for v := range m.passed {
		if sets[v].Has(isChanged) {
			m.changed[v] = true
		}
	}
	for v, uses := range m.passed {
		for _, p := range uses {
			if m.changed[p.to] && !m.params[v] {
				m.sites[p.body] = true
			}
		}
	}
}

// function visits the body of a function.
func (m *mutation) function(body *ast.BlockStmt) {
	outer := m.body
	m.body = body
	ast.Inspect(body, m.visit)
	m.body = outer
}

func (m *mutation) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		m.function(n.Body)
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
		if v := n.Value; v == nil || m.frozenExpr(v) {
			m.reads(n.X)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			m.write(n.X)
		}
	case *ast.IndexExpr:
		if m.frozenExpr(n) {
			m.reads(n.X)
		}
	case *ast.SelectorExpr:
		s := m.pkg.Info.Selections[n]
		if s != nil && s.Kind() == types.FieldVal && frozen(s.Type()) {
			m.reads(n.X)
		}
	case *ast.CallExpr:
		m.call(n)
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			b, ok := m.pkg.Info.Uses[id].(*types.Builtin)
			if ok && (b.Name() == "len" || b.Name() == "cap") {
				m.reads(n.Args[0])
			}
		}
	case *ast.BinaryExpr:
		m.reads(n.X)
		m.reads(n.Y)
	case *ast.Ident:
		if v := m.tracked(n); v != nil && !m.read[n] && !frozen(v.Type()) {
			m.change(v) // the reference may be kept, and written through later
		}
	}
	return true
}

// call records which variables are passed by name to functions of the package.
func (m *mutation) call(n *ast.CallExpr) {
	var fn *types.Func
	args := n.Args
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		fn, _ = m.pkg.Info.Uses[f].(*types.Func)
	case *ast.SelectorExpr:
		s := m.pkg.Info.Selections[f]
		if s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
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

// write records that the variable that e is a part of is changed.
func (m *mutation) write(e ast.Expr) {
	if id := root(e); id != nil {
		if v := m.tracked(id); v != nil {
			m.change(v)
		}
	}
}

// reads records that the variable that e is a part of is only read here.
func (m *mutation) reads(e ast.Expr) {
	if id := root(e); id != nil {
		m.read[id] = true
	}
}

// change records that a variable may be changed in the current body. For a lock, the body is no
// site: it is unlocked again unless the candidate panics, and after a panic packages with locks are
// reset in any case.
func (m *mutation) change(v *types.Var) {
	m.changed[v] = true
	if isLock(v) {
		return
	}
	if !m.params[v] {
		m.sites[m.body] = true
	}
}

// tracked returns the package-level variable or parameter that an identifier denotes, or nil.
func (m *mutation) tracked(id *ast.Ident) *types.Var {
	v, ok := m.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() != m.pkg.Types.Scope() && !m.params[v] {
		return nil
	}
	return v
}

// frozenExpr reports whether nothing can be changed through the value of an expression.
func (m *mutation) frozenExpr(e ast.Expr) bool {
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

// root returns the identifier of the variable that e is a part of, or nil if e is no part of a
// variable.
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

// frozenTypes are types of the standard library that lead to memory, but whose values nothing
// changes after their creation.
var frozenTypes = map[string]bool{
	"error":                     true,
	"*regexp.Regexp":            true,
	"reflect.Type":              true,
	"*time.Location":            true,
	"time.Time":                 true,
	"*strings.Replacer":         true,
	"*text/template.Template":   true,
	"*html/template.Template":   true,
	"encoding/binary.ByteOrder": true,
	"*unicode.RangeTable":       true,
}

// frozen reports whether a value of type t leads to nothing that can be changed: numbers, strings,
// functions, arrays and structs of these, and frozenTypes.
func frozen(t types.Type) bool {
	if frozenTypes[types.TypeString(t, nil)] {
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

// isLock reports whether a variable is a lock or a pointer to one.
func isLock(v *types.Var) bool {
	switch strings.TrimPrefix(types.TypeString(v.Type(), nil), "*") {
	case "sync.Mutex", "sync.RWMutex":
		return true
	}
	return false
}
