package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// Package-level variables that no function assigns, or takes the address of, have at a function's entry the value that
// their initialisation gave them. (What they refer to may have changed since; it is taken as it was made, which is
// what a test finds.) All others may have any value.

// maxInitialElements is the number of elements up to which a literal's contents are followed in an initialisation.
const maxInitialElements = 100

// initialState knows what package-level variables hold when a function under analysis begins.
type initialState struct {
	prog *source.Program
	// assigned holds the package-level variables that functions may change.
	assigned map[*types.Var]bool
	// initials are the initialisations of the others, in the order of initialisation.
	initials []initializer
	// notNil are the variables of other modules that are taken not to be nil, sorted by object.
	notNil []externalVar
	// mayRead maps the key of a function to the objects of the package-level variables that it may
	// read.
	mayRead map[string]callgraph.Set
	// globalObjs are the objects of all package-level variables, ascending: the elements of mayRead
	// are indices of it, since objects have large numbers.
	globalObjs []uint32
}

// initializer is the initialisation of one or several variables by one expression.
type initializer struct {
	key  string // of the function that carries it out
	vars []*types.Var
}

// externalVar is a package-level variable of another module: its object, and the place of what says whether it is nil.
type externalVar struct {
	obj   uint32
	place *logic.Term
}

// scanAssigned finds the package-level variables that functions of the file may change.
func (is *initialState) scanAssigned(pkg *source.Package, file *ast.File) {
	var root func(e ast.Expr) *types.Var
	root = func(e ast.Expr) *types.Var {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := pkg.Info.Uses[e].(*types.Var)
			return v
		case *ast.SelectorExpr:
			if pkg.Info.Selections[e] == nil {
				v, _ := pkg.Info.Uses[e.Sel].(*types.Var)
				return v
			}
			if t := pkg.Info.TypeOf(e.X); t != nil && pointee(t) == nil {
				return root(e.X)
			}
		case *ast.IndexExpr:
			if t := pkg.Info.TypeOf(e.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					return root(e.X)
				}
			}
		}
		return nil
	}
	change := func(e ast.Expr) {
		if e == nil {
			return
		}
		if v := root(e); v != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			is.assigned[v] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				change(e)
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
		case *ast.CallExpr: // a channel is closed or not, that is all there is to it
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && len(n.Args) == 1 {
				if b, ok := pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
					change(n.Args[0])
				}
			}
		case *ast.SliceExpr:
			if t := pkg.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					change(n.X)
				}
			}
		case *ast.SelectorExpr: // a method with a pointer receiver takes the address
			if s := pkg.Info.Selections[n]; s != nil && s.Kind() == types.MethodVal && pointee(s.Recv()) == nil && !types.IsInterface(s.Recv()) {
				// Those of other modules' types change what is inside them, which is taken as it was made too.
				if _, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer); ptr && is.prog.Package(s.Obj().Pkg().Path()) != nil {
					change(n.X)
				}
			}
		}
		return true
	})
}

// queueInitials queues, for the constant package-level variables of the module, the functions that initialise them.
func (w *World) queueInitials() {
	for _, pkg := range w.prog.All { // dependencies first
		done := map[*types.Var]bool{}
		for _, init := range pkg.Info.InitOrder {
			constant := true
			for _, v := range init.Lhs {
				done[v] = true
				constant = constant && !w.assigned[v] && v.Name() != "_"
			}
			if constant {
				w.addInitial(pkg, init.Lhs, init.Rhs)
			}
		}
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			// Users may set an exported variable that begins as zero: that is what it is for.
			if v, ok := scope.Lookup(name).(*types.Var); ok && !done[v] && !w.assigned[v] && !v.Exported() {
				w.addInitial(pkg, []*types.Var{v}, nil)
			}
		}
	}
	w.drain()
}

func (w *World) addInitial(pkg *source.Package, vars []*types.Var, e ast.Expr) {
	key := "<init>" + pkg.Path + "." + vars[0].Name()
	w.initials = append(w.initials, initializer{key, vars})
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
			case elements(e) > maxInitialElements:
				vals = []Value{l.opaqueLiteral(vars[0].Type(), e)}
			default:
				vals = []Value{l.exprTo(e, vars[0].Type())}
			}
			for i, v := range vars {
				l.store(l.varLocation(v), l.assignable(l.snapshot(vals[i]), v.Type()))
			}
			l.setResults(nil)
		})
		return l.out
	}})
}

// elements counts the elements of the literals in an expression.
func elements(e ast.Expr) int {
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

// opaqueLiteral is a large literal: it is not nil and has its length, but its elements may be anything.
func (l *lowerer) opaqueLiteral(t types.Type, e ast.Expr) Value {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		panic(unsupportedf("a large literal"))
	}
	switch t.Underlying().(type) {
	case *types.Slice:
		n, at := int64(0), int64(0) // the length is one more than the largest index, and indexes may be written
		for _, el := range lit.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				at = int64(l.constant(l.pkg.Info.Types[kv.Key].Value, types.Typ[types.Int]).Leaves[0].Val)
			}
			at++
			n = max(n, at)
		}
		return Value{t, []*logic.Term{l.newObject(), l.b.Const(logic.Slot, 0), l.int(n), l.int(n)}}
	case *types.Map:
		obj := l.newObject()
		m := l.mapLenMem()
		l.assign(m, l.b.Store(l.b.Var(m), obj, l.b.Const(logic.Slot, 0), l.int(int64(len(lit.Elts)))))
		return Value{t, []*logic.Term{obj}}
	}
	panic(unsupportedf("a large literal"))
}

// computeReads computes, for each function, the package-level variables that it or what it calls mentions, by object.
func (w *World) computeReads(keys []string, callees map[string][]string) {
	w.globalObjs = slices.Sorted(maps.Values(w.globals))
	number := map[uint32]int{}
	for i, o := range w.globalObjs {
		number[o] = i
	}
	w.mayRead = map[string]callgraph.Set{}
	for _, k := range keys {
		var set callgraph.Set
		seen := map[*logic.Term]bool{}
		var visit func(t *logic.Term)
		visit = func(t *logic.Term) {
			if t == nil || seen[t] {
				return
			}
			seen[t] = true
			if v, ok := t.Const(); ok && t.Sort == logic.Obj {
				if i, ok := number[uint32(v)]; ok {
					set.Add(i)
				}
			}
			for _, a := range t.Args {
				visit(a)
			}
		}
		for _, b := range w.funcs[k].Blocks {
			for _, c := range b.Cmds {
				for _, t := range ir.Terms(c) {
					visit(t)
				}
			}
			if br, ok := b.End.(ir.Branch); ok {
				visit(br.Cond)
			}
		}
		w.mayRead[k] = set
	}
	// Those of other modules are taken not to be nil, such as os.Stdout and io.EOF. The terms are made here, because
	// functions are checked at the same time later.
	for _, g := range w.Globals() {
		if w.prog.Package(g.Var.Pkg().Path()) != nil {
			continue
		}
		switch g.Var.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
			m := w.Memories(w.typeKey(g.Var.Type()), g.Var.Type())[0]
			place := w.builder.Select(w.builder.Var(m), w.builder.Const(logic.Obj, uint64(g.Obj)), w.builder.Const(logic.Slot, 0))
			w.notNil = append(w.notNil, externalVar{g.Obj, place})
		}
	}
	callgraph.Close(keys, func(k string) []string { return callees[k] }, w.mayRead)
}

// Initials returns the functions that initialise the constant package-level variables that the function named key may
// read, in the order of initialisation, and those variables of other modules that are never nil, as places.
func (w *World) Initials(key string) (inits []string, notNil []*logic.Term) {
	need := map[uint32]bool{}
	for i := range w.mayRead[key].All() {
		need[w.globalObjs[i]] = true
	}
	var list []string
	for i := len(w.initials) - 1; i >= 0; i-- { // a variable's initialisation may need earlier ones
		in := w.initials[i]
		f := w.funcs[in.key]
		if f == nil || f.Unsupported != "" {
			continue
		}
		for _, v := range in.vars {
			if o, ok := w.globals[v]; ok && need[o] {
				list = append(list, in.key)
				for i := range w.mayRead[in.key].All() {
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
