package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// maxInitialElements is the number of elements up to which the contents of literals in an
// initializer are followed.
const maxInitialElements = 100

// initialState describes package-level variables at the start of a function under analysis. A
// variable that no function assigns, or takes the address of, is constant: it has the value that
// its initializer gave it, or the only assignment in an init function. What it refers to may have
// changed since, but is taken to be as it was made, which is what a test finds. All other variables
// may have any value.
type initialState struct {
	prog *source.Program
	// assigned holds the package-level variables that functions may change.
	assigned map[*types.Var]bool
	// byInit holds what init functions assign to unexported variables that have no initializer.
	byInit map[*types.Var][]ast.Expr
	// initials are the initializers of constant variables, and the init functions that change what
	// these refer to, in the order of initialization.
	initials []initializer
	// starts are the initializers of all variables, and all init functions, in the order of
	// initialization: what a program has done when its main function begins. They are empty if the
	// testee has neither a program, nor init functions, nor initializers that may panic.
	starts []initializer
	// roots maps the expressions that initialize variables to the functions under analysis that do so.
	roots map[ast.Expr]*source.Func
	// hasStart reports whether functions are analyzed that begin in such a state.
	hasStart bool
	// notNil are the variables of other modules that are taken not to be nil, sorted by object.
	notNil []externalVar
	// mentions are what functions mention, by key; initialReads are the results of mayRead for initializers.
	mentions     map[string]*mention
	initialReads map[string]callgraph.Set
	// globalObjs are the objects of all package-level variables, in ascending order. Sets hold
	// indexes because objects have large numbers.
	globalObjs []uint32
}

// An initializer gives one or several variables their values with one expression, or changes what they
// refer to.
type initializer struct {
	key  string // of the function that does so
	pkg  *source.Package
	vars []*types.Var
	// root is the key of the function under analysis that does the same; "" if there is none.
	root string
}

// An externalVar is a package-level variable of another module.
type externalVar struct {
	obj   uint32
	place *logic.Term // reads the scalar that is not 0: the reference, or the length
}

// scanAssigned finds the package-level variables that functions of the file may change.
func (is *initialState) scanAssigned(pkg *source.Package, file *ast.File) {
	change := func(e ast.Expr) {
		if e == nil {
			return
		}
		v := rootVar(pkg.Info, e)
		if v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			is.assigned[v] = true
		}
	}
	initial := map[ast.Stmt]bool{} // assignments that initialize a variable
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && f.Body != nil {
			for _, s := range f.Body.List {
				initial[s] = is.initializes(pkg, s)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if !initial[n] {
					change(e)
				}
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				change(n.Key)
				change(n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X)
			}
		case *ast.CallExpr: // whether a channel is closed is all that is known about it
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) == 1 {
				if b, ok := pkg.Info.Uses[id].(*types.Builtin); ok &&
					b.Name() == "close" {
					change(n.Args[0])
				}
			}
		case *ast.SliceExpr:
			if isArray(pkg.Info.TypeOf(n.X)) {
				change(n.X)
			}
		case *ast.SelectorExpr: // a method with a pointer receiver takes the address
			s := pkg.Info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal || pointee(s.Recv()) != nil ||
				types.IsInterface(s.Recv()) {
				break
			}
			// Methods of other modules' types change only what is inside the value.
			// That is taken to be as it was made, too.
			_, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if ptr && is.prog.Package(s.Obj().Pkg().Path()) != nil {
				change(n.X)
			}
		}
		return true
	})
}

// initializes reports whether a statement of an init function gives one unexported variable a value
// that depends on no local variable, and notes that value.
func (is *initialState) initializes(pkg *source.Package, s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := pkg.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() != pkg.Types.Scope() || v.Exported() {
		return false
	}
	local := false
	ast.Inspect(a.Rhs[0], func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			w, isVar := pkg.Info.Uses[id].(*types.Var)
			local = local || isVar && !w.IsField() && w.Parent() != w.Pkg().Scope() &&
				(w.Pos() < a.Rhs[0].Pos() || w.Pos() > a.Rhs[0].End())
		}
		return true
	})
	if !local {
		is.byInit[v] = append(is.byInit[v], a.Rhs[0])
	}
	return !local
}

// Constant reports whether a package-level variable is not exported and has the same value from its
// initialization on.
func (is *initialState) Constant(v *types.Var) bool {
	return !is.assigned[v] && !v.Exported() && is.prog.Package(v.Pkg().Path()) != nil
}

// rootVar returns the variable that e denotes a part of, by fields and array elements, or nil.
func rootVar(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.ObjectOf(e).(*types.Var)
		return v
	case *ast.SelectorExpr:
		if info.Selections[e] == nil { // pkg.Var
			v, _ := info.Uses[e.Sel].(*types.Var)
			return v
		}
		if t := info.TypeOf(e.X); t != nil && pointee(t) == nil {
			return rootVar(info, e.X)
		}
	case *ast.IndexExpr:
		if isArray(info.TypeOf(e.X)) {
			return rootVar(info, e.X)
		}
	}
	return nil
}

// isArray reports whether t is an array type. t may be nil.
func isArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// queueInitials lowers the initializers of the module's constant package-level variables.
func (w *World) queueInitials() {
	w.hasStart = len(w.roots) > 0 || slices.ContainsFunc(w.prog.All,
		func(p *source.Package) bool { return p.Name == "main" || len(p.Inits()) > 0 })
	for _, pkg := range w.prog.All { // dependencies first
		w.addZeros(pkg)
		done := map[*types.Var]bool{}
		for _, init := range pkg.Info.InitOrder {
			constant := true
			for _, v := range init.Lhs {
				done[v] = true
				constant = constant && !w.assigned[v] && v.Name() != "_" && len(w.byInit[v]) == 0
			}
			if constant {
				w.addInitial(pkg, init.Lhs, init.Rhs)
			}
			w.addStart(pkg, init.Lhs, init.Rhs, constant)
		}
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			v, ok := scope.Lookup(name).(*types.Var)
			if !ok || done[v] || w.assigned[v] || v.Exported() {
				continue // other packages may set an exported variable
			}
			switch list := w.byInit[v]; len(list) {
			case 0:
				w.addInitial(pkg, []*types.Var{v}, nil)
			case 1:
				w.addInitial(pkg, []*types.Var{v}, list[0])
			}
		}
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" && f.Body != nil {
					w.addInit(pkg, f)
					w.addStartInit(pkg, f)
				}
			}
		}
	}
	w.drain()
}

// maxInit is the number of statements up to which init functions are followed.
const maxInit = 40

// addInit queues an init function that changes what constant variables refer to, such as the entries
// of a map. One that is long, calls functions of the module, or has loops or go statements, is not
// followed. Variables that other functions change, too, have any value after it.
func (w *World) addInit(pkg *source.Package, decl *ast.FuncDecl) {
	statements := 0
	var vars, changing []*types.Var
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt, *ast.DeferStmt:
			statements = maxInit
		case *ast.BlockStmt:
		case ast.Stmt:
			statements++
		case *ast.Ident:
			switch obj := pkg.Info.Uses[n].(type) {
			case *types.Func:
				if obj.Pkg() != nil && w.prog.Package(obj.Pkg().Path()) != nil {
					statements = maxInit
				}
			case *types.Var:
				switch {
				case obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope():
				case !w.Constant(obj):
					changing = append(changing, obj)
				case !slices.Contains(vars, obj):
					vars = append(vars, obj)
				}
			}
		}
		return true
	})
	if statements >= maxInit || len(vars) == 0 {
		return
	}
	key := fmt.Sprintf("<init>%s.%d", pkg.Path, len(w.initials))
	w.initials = append(w.initials, initializer{key: key, pkg: pkg, vars: vars})
	w.enqueueInit(pkg, key, decl.Body, changing)
}

// enqueueInit queues a function with the body of an init function, after which the given variables may
// have any value.
func (w *World) enqueueInit(
	pkg *source.Package, key string, body *ast.BlockStmt, changing []*types.Var,
) {
	w.enqueue(pending{key: key, make: func() *ir.Func {
		l := w.newLowerer(key, key, token.NoPos, pkg, nil)
		l.protect(func() {
			l.lowerBody(new(types.Signature), body, nil)
			for _, v := range changing {
				l.store(l.varLocation(v), l.havoc(v.Name(), v.Type()))
			}
		})
		return l.out
	}})
}

// addInitial queues a function that gives vars the value of e or, if e is nil, the zero value:
//
//	vars := e
//
// The elements of large literals are left open.
func (w *World) addInitial(pkg *source.Package, vars []*types.Var, e ast.Expr) {
	key := initialKey(pkg, vars)
	w.initials = append(w.initials, initializer{key: key, pkg: pkg, vars: vars})
	w.enqueueInitial(pkg, key, vars, e)
}

// initialKey returns the key of the function that gives constant variables their values.
func initialKey(pkg *source.Package, vars []*types.Var) string {
	return "<init>" + pkg.Path + "." + vars[0].Name()
}

// enqueueInitial queues the function that addInitial describes.
func (w *World) enqueueInitial(pkg *source.Package, key string, vars []*types.Var, e ast.Expr) {
	w.enqueue(pending{key: key, make: func() *ir.Func {
		l := w.newLowerer(key, key, token.NoPos, pkg, nil)
		l.protect(func() {
			l.start(l.block())
			var vals []Value
			switch {
			case e == nil:
				vals = []Value{l.zero(vars[0].Type())}
			case len(vars) > 1:
				vals = l.exprMulti(e, len(vars))
			case countElements(e) > maxInitialElements:
				vals = []Value{l.openLiteral(vars[0].Type(), e)}
			default:
				vals = []Value{l.exprTo(e, vars[0].Type())}
			}
			for i, v := range vars {
				if v.Name() == "_" {
					continue
				}
				val := l.assignable(l.snapshot(vals[i]), v.Type())
				l.store(l.varLocation(v), val)
			}
			l.setResults(nil)
		})
		return l.out
	}})
}

// countElements returns the number of elements of the literals in an expression.
func countElements(e ast.Expr) int {
	n := 0
	ast.Inspect(e, func(e ast.Node) bool {
		if lit, ok := e.(*ast.CompositeLit); ok {
			n += len(lit.Elts)
		}
		_, isFunc := e.(*ast.FuncLit)
		return !isFunc
	})
	return n
}

// openLiteral lowers a large slice or map literal: it is not nil and has its length, but its
// elements may be anything.
func (l *lowerer) openLiteral(t types.Type, e ast.Expr) Value {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		panic(unsupportedf("a large literal"))
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		n, at := int64(0), int64(0) // elements may have keys, and the largest index counts
		for _, el := range lit.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				c := l.pkg.Info.Types[kv.Key].Value
				key := l.constant(c, types.Typ[types.Int])
				at = int64(key.Leaves[0].Val)
			}
			at++
			n = max(n, at)
		}
		obj := l.newObject()
		return tuple(t, obj, l.slot0(), l.int(n), l.int(n))
	case *types.Map:
		obj := l.newObject()
		l.setMapLen(obj, l.int(int64(len(lit.Elts))))
		return tuple(t, obj)
	}
	panic(unsupportedf("a large literal"))
}

// Initials returns what is known about the package-level variables that the function with that key
// may read: the keys of the functions that initialize the constant ones, in the order of
// initialization, and for those of other modules that are never nil a term that is therefore not 0.
//
// A program's main function starts after all initializers and init functions of its package and of
// those that it imports; an init function, or an initializer, after those before it that its variables
// can depend on.
func (w *World) Initials(key string) (inits []string, notNil []*logic.Term) {
	if pkg, before := w.start(key); pkg != nil {
		for _, x := range w.notNil { // also those that only functions in variables read
			notNil = append(notNil, x.place)
		}
		return w.startKeys(key, pkg, before), notNil
	}
	need := map[uint32]bool{}
	for i := range w.mayRead(key).All() {
		need[w.globalObjs[i]] = true
	}
	var list []string
	for i := len(w.initials) - 1; i >= 0; i-- { // an initializer may read earlier variables
		in := w.initials[i]
		f := w.funcs[in.key]
		if f == nil || f.Unsupported != "" {
			continue
		}
		for _, v := range in.vars {
			if o, ok := w.globals[v]; ok && need[o] {
				list = append(list, in.key)
				for i := range w.mayRead(in.key).All() {
					need[w.globalObjs[i]] = true
				}
				break
			}
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		inits = append(inits, list[i])
	}
	for _, x := range w.notNil {
		if need[x.obj] {
			notNil = append(notNil, x.place)
		}
	}
	return inits, notNil
}
