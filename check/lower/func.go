package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/source"
	"dsd/schemas"
)

// Value is a value of a Go type as terms, in the order of its layout.
type Value struct {
	Type   types.Type
	Leaves []*logic.Term
}

// variable is a Go variable of a function: scalars, or an object if its address may be taken.
type variable struct {
	typ   types.Type
	vars  []*logic.Var // of a scalar variable
	obj   *logic.Term  // of a boxed one
	boxed bool
}

// lowerer lowers one function body.
type lowerer struct {
	w    *World
	b    *logic.Builder
	pkg  *source.Package
	inst instance
	out  *ir.Func
	cur  *ir.Block
	// limits are the conditions under which what a contract says is understood.
	limits []*logic.Term
	fix    []func() // resolves jumps once blocks are numbered

	locals  map[types.Object]*variable
	boxed   map[types.Object]bool // variables that must live in objects
	results []*variable
	sig     *types.Signature

	temps      int
	vars       []*logic.Var // of this function, by index
	targets    []target
	label      string                     // of the next statement
	gotos      map[types.Object]bool      // labels that goto statements name
	labels     map[types.Object]*ir.Block // where they are
	defers     []*deferred
	exit       *ir.Block
	deferredFn *logic.Term // the function value that the defer statement being lowered calls
	model      bool        // the function is a model of the standard library
	body       *loopBodyOf // of a function that is the body of a loop over a function
	// Calls that are lowered now are made by the end of a function, or by go statements.
	deferring, spawning bool
	// parentName and closures name function literals as the compiler does: F.func1.
	closures *int
	name     string
}

// lower lowers a declared function.
func (w *World) lower(p pending) *ir.Func {
	sig := p.f.Obj.Type().(*types.Signature)
	n := 0
	l := &lowerer{w: w, b: w.builder, pkg: p.f.Pkg, inst: p.m, locals: map[types.Object]*variable{}, closures: &n, name: p.key}
	l.model = strings.HasPrefix(p.f.Name, modelPrefix)
	l.out = newFunc(p.f.Name)
	l.out.Pos = p.f.Decl.Pos()
	l.out.Warned = p.f.Obj.Exported() && slices.Contains(w.prog.Packages, p.f.Pkg)
	l.protect(func() {
		l.lowerBody(sig, p.f.Decl.Body, nil)
	})
	return l.out
}

func newFunc(name string) *ir.Func {
	return &ir.Func{Name: name, Loops: map[int]*ir.Loop{}, Writes: map[*logic.Var]bool{}}
}

// protect makes a panic the function's reason for being opaque: our giving up, or a fault of ours, which costs this
// function and is said.
func (l *lowerer) protect(do func()) {
	defer func() {
		if r := recover(); r != nil {
			l.out.Blocks = nil
			if u, ok := r.(unsupported); ok {
				l.out.Opaque = u.reason
			} else {
				l.out.Opaque = fmt.Sprintf("internal error: %v", r)
			}
		}
	}()
	do()
	for _, f := range l.fix {
		f()
	}
	if err := l.out.Check(); err != nil {
		panic("lower: " + err.Error())
	}
}

// lowerBody lowers a function's body; captured are a closure's variables, already bound.
func (l *lowerer) lowerBody(sig *types.Signature, body *ast.BlockStmt, captured map[types.Object]*variable) {
	l.sig = sig
	l.boxed = l.addressTaken(body)
	l.gotos, l.labels = l.gotoTargets(body), map[types.Object]*ir.Block{}
	for o, v := range captured {
		l.locals[o] = v
	}
	l.start(l.block())
	if r := sig.Recv(); r != nil {
		l.param(r)
	}
	for i := range sig.Params().Len() {
		l.param(sig.Params().At(i))
	}
	for i := range sig.Results().Len() {
		r := sig.Results().At(i)
		t := l.typ(r.Type())
		v := l.declare(r, t)
		l.storeVar(v, l.zero(t))
		l.results = append(l.results, v)
	}
	l.exit = l.block()
	l.stmts(body.List)
	l.leave(body.Rbrace)
	l.finish()
}

// param declares a parameter; one that must live in an object is moved there.
func (l *lowerer) param(p *types.Var) {
	t := l.typ(p.Type())
	name := p.Name()
	if name == "" {
		name = "_"
	}
	var vars []*logic.Var
	for i, leaf := range l.w.Layout(t) {
		v := l.newVar(fmt.Sprintf("%s.%d", name, i), leaf.Sort)
		vars = append(vars, v)
	}
	l.out.Params = append(l.out.Params, vars...)
	if l.boxed[p] {
		v := l.declare(p, t)
		l.storeVar(v, l.valueOf(t, vars))
		return
	}
	l.locals[p] = &variable{typ: t, vars: vars}
}

// declare makes a new local variable, without a value yet.
func (l *lowerer) declare(o types.Object, t types.Type) *variable {
	v := &variable{typ: t}
	_, isArray := t.Underlying().(*types.Array)
	if l.boxed[o] || isArray && l.w.Slots(t) > 0 {
		v.boxed = true
		v.obj = l.alloc(t)
	} else {
		name := "_"
		if o != nil {
			name = o.Name()
		}
		for i, leaf := range l.w.Layout(t) {
			v.vars = append(v.vars, l.newVar(fmt.Sprintf("%s.%d", name, i), leaf.Sort))
		}
	}
	if o != nil {
		l.locals[o] = v
	}
	return v
}

// addressTaken finds the variables that body takes the address of, or that its function literals capture.
func (l *lowerer) addressTaken(body *ast.BlockStmt) map[types.Object]bool {
	out := map[types.Object]bool{}
	var root func(e ast.Expr) types.Object
	root = func(e ast.Expr) types.Object {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return l.pkg.Info.ObjectOf(e)
		case *ast.SelectorExpr:
			if t := l.pkg.Info.TypeOf(e.X); t != nil {
				if _, ok := t.Underlying().(*types.Pointer); !ok {
					return root(e.X)
				}
			}
		case *ast.IndexExpr:
			if t := l.pkg.Info.TypeOf(e.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					return root(e.X)
				}
			}
		}
		return nil
	}
	mark := func(e ast.Expr) {
		if o := root(e); o != nil {
			out[o] = true
		}
	}
	captures := func(body ast.Node, from, to token.Pos) {
		ast.Inspect(body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := l.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && (v.Pos() < from || v.Pos() >= to) && v.Parent() != nil && v.Parent() != v.Pkg().Scope() {
					out[v] = true
				}
			}
			return true
		})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				mark(n.X)
			}
		case *ast.SliceExpr:
			if t := l.pkg.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					mark(n.X)
				}
			}
		case *ast.IndexExpr: // an array's element is addressed by number
			if t := l.pkg.Info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					mark(n.X)
				}
			}
		case *ast.RangeStmt:
			if t := l.pkg.Info.TypeOf(n.X); t != nil {
				switch l.typ(t).Underlying().(type) {
				case *types.Array:
					mark(n.X)
				case *types.Signature: // the body is a function, which stores the results if it returns
					for _, part := range []ast.Node{n.Key, n.Value, n.Body} {
						if part != nil {
							captures(part, n.Pos(), n.End())
						}
					}
					for i := range l.sig.Results().Len() {
						out[l.sig.Results().At(i)] = true
					}
				}
			}
		case *ast.SelectorExpr:
			s := l.pkg.Info.Selections[n]
			if s == nil || s.Kind() != types.MethodVal {
				break
			}
			// A method that wants a pointer takes the address of what is none.
			_, ptr := s.Obj().Type().(*types.Signature).Recv().Type().(*types.Pointer)
			if ptr && pointee(l.typeOf(n.X)) == nil {
				mark(n.X)
			}
		case *ast.FuncLit:
			captures(n.Body, n.Pos(), n.End())
		}
		return true
	})
	return out
}

// Blocks.

func (l *lowerer) block() *ir.Block { return &ir.Block{Index: -1} }

// start places b and goes on there.
func (l *lowerer) start(b *ir.Block) {
	b.Index = len(l.out.Blocks)
	l.out.Blocks = append(l.out.Blocks, b)
	l.cur = b
}

// jump ends the current block; what follows is unreachable until the next start.
func (l *lowerer) jump(to *ir.Block) {
	from := l.cur
	from.End = ir.Stop{}
	l.fix = append(l.fix, func() { from.End = ir.Jump{To: to.Index} })
	l.dead()
}

func (l *lowerer) branch(cond *logic.Term, then, els *ir.Block) {
	l.branchAt(cond, then, els, token.NoPos, "")
}

// branchAt is branch for a condition that the program states at pos as text.
func (l *lowerer) branchAt(cond *logic.Term, then, els *ir.Block, pos token.Pos, text string) {
	from := l.cur
	from.End = ir.Stop{}
	if l.model {
		text = ""
	}
	l.fix = append(l.fix, func() {
		from.End = ir.Branch{Cond: cond, Then: then.Index, Else: els.Index, Pos: pos, Text: text}
	})
	l.dead()
}

func (l *lowerer) stop() {
	l.cur.End = ir.Stop{}
	l.dead()
}

// dead goes on in a block that nothing jumps to; it is placed only for its commands to have somewhere to go.
func (l *lowerer) dead() {
	b := l.block()
	l.start(b)
	b.End = ir.Stop{}
}

// Commands.

func (l *lowerer) emit(c ir.Cmd) { l.cur.Cmds = append(l.cur.Cmds, c) }

func (l *lowerer) assign(v *logic.Var, t *logic.Term) {
	if v.Sort.Kind == logic.KMemory {
		l.out.Writes[v] = true
	}
	l.emit(&ir.Assign{Dst: v, Src: t})
}

func (l *lowerer) assume(t *logic.Term) {
	if !t.IsTrue() {
		l.emit(&ir.Assume{Cond: t})
	}
}

// bound drops the executions in which t is false for want of a better model of them, and has that said. A contract, which has no
// commands, says nothing then.
func (l *lowerer) bound(t *logic.Term, what string) {
	switch {
	case t.IsTrue():
	case l.cur == nil:
		l.limits = append(l.limits, t)
	default:
		l.emit(&ir.Assume{Cond: t, Bound: what})
	}
}

func (l *lowerer) assert(cond *logic.Term, kind schemas.Kind, pos token.Pos, format string, args ...any) {
	if l.model && kind != schemas.NilDeref { // a model is right in what it does, unless it says otherwise
		return
	}
	l.emit(&ir.Assert{Cond: cond, Kind: kind, Pos: pos, Message: fmt.Sprintf(format, args...)})
}

func (l *lowerer) newVar(name string, s logic.Sort) *logic.Var {
	return l.own(&logic.Var{Name: name, Sort: s})
}

// own makes v a variable of this function.
func (l *lowerer) own(v *logic.Var) *logic.Var {
	v.Index = l.out.NumVars
	l.out.NumVars++
	l.vars = append(l.vars, v)
	return v
}

// temp keeps a term's value of now.
func (l *lowerer) temp(t *logic.Term) *logic.Term {
	if t.Op == logic.OpConst {
		return t
	}
	l.temps++
	v := l.newVar(fmt.Sprintf("t%d", l.temps), t.Sort)
	l.assign(v, t)
	return l.b.Var(v)
}

func (l *lowerer) snapshot(v Value) Value {
	out := Value{v.Type, make([]*logic.Term, len(v.Leaves))}
	for i, t := range v.Leaves {
		out.Leaves[i] = l.temp(t)
	}
	return out
}

// alloc makes a zeroed object for a value of type t.
func (l *lowerer) alloc(t types.Type) *logic.Term {
	obj := l.newObject()
	l.clear(obj, t)
	return obj
}

func (l *lowerer) newObject() *logic.Term {
	l.temps++
	v := l.newVar(fmt.Sprintf("new%d", l.temps), logic.Obj)
	l.emit(&ir.Alloc{Var: v})
	return l.b.Var(v)
}

// clear zeroes all slots of an object that holds values of type t.
func (l *lowerer) clear(obj *logic.Term, t types.Type) {
	for _, m := range l.w.Contents(t) {
		l.assign(m, l.b.Fill(l.b.Var(m), obj, l.zeroLeaf(m.Sort.Value())))
	}
}

// elemLayout is the layout of t or, for an array, of its elements: enough to know the memories.
func (w *World) elemLayout(t types.Type) []Leaf {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return w.elemLayout(u.Elem())
	case *types.Struct:
		var out []Leaf
		for i := range u.NumFields() {
			f := u.Field(i)
			if !isLeaf(f.Type()) {
				out = append(out, w.elemLayout(f.Type())...)
				continue
			}
			for _, leaf := range w.Layout(f.Type()) {
				leaf.Class = w.fieldClass(t, f)
				out = append(out, leaf)
			}
		}
		return out
	}
	return w.Layout(t)
}

// Values.

func (l *lowerer) typ(t types.Type) types.Type { return l.w.apply(t, l.inst) }

func (l *lowerer) zeroLeaf(s logic.Sort) *logic.Term { return l.b.Const(s, 0) }

func (l *lowerer) zero(t types.Type) Value {
	v := Value{Type: t}
	for _, leaf := range l.w.Layout(t) {
		v.Leaves = append(v.Leaves, l.zeroLeaf(leaf.Sort))
	}
	return v
}

func (l *lowerer) valueOf(t types.Type, vars []*logic.Var) Value {
	v := Value{Type: t}
	for _, x := range vars {
		v.Leaves = append(v.Leaves, l.b.Var(x))
	}
	return v
}

// havoc is any value of type t: an input, as far as the formula is concerned.
func (l *lowerer) havoc(name string, t types.Type) Value {
	vars := l.w.InputVars(name, t)
	for _, v := range vars {
		l.own(v)
	}
	l.emit(&ir.Havoc{Vars: vars})
	return l.valueOf(t, vars)
}

// InputVars makes variables with domains for a value of any type.
func (w *World) InputVars(name string, t types.Type) []*logic.Var {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var out []*logic.Var
		for i := range u.NumFields() {
			out = append(out, w.InputVars(name+"."+u.Field(i).Name(), u.Field(i).Type())...)
		}
		return out
	case *types.Array:
		w.Layout(t) // refuses what is too large
		var out []*logic.Var
		for i := range int(u.Len()) {
			out = append(out, w.InputVars(fmt.Sprintf("%s[%d]", name, i), u.Elem())...)
		}
		return out
	}
	return w.Vars(name, t, false)
}

func (l *lowerer) storeVar(v *variable, val Value) {
	if v.boxed {
		l.storeMem(v.obj, l.b.Const(logic.Slot, 0), v.typ, "", val)
		return
	}
	for i, x := range v.vars {
		l.assign(x, val.Leaves[i])
	}
}

func (l *lowerer) loadVar(v *variable) Value {
	if v.boxed {
		return l.loadMem(v.obj, l.b.Const(logic.Slot, 0), v.typ, "")
	}
	return l.valueOf(v.typ, v.vars)
}

// loadMem reads a value of type t at a place; class overrides the class of a leaf type.
func (l *lowerer) loadMem(obj, slot *logic.Term, t types.Type, class string) Value {
	v := Value{Type: t}
	for _, leaf := range l.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := l.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		v.Leaves = append(v.Leaves, l.b.Select(l.b.Var(m), obj, l.offset(slot, leaf.Slot)))
	}
	return v
}

// storeMem writes a value of type t at a place.
func (l *lowerer) storeMem(obj, slot *logic.Term, t types.Type, class string, v Value) {
	for i, leaf := range l.w.Layout(t) {
		if class != "" && isLeaf(t) {
			leaf.Class = class
		}
		m := l.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		l.assign(m, l.b.Store(l.b.Var(m), obj, l.offset(slot, leaf.Slot), v.Leaves[i]))
	}
}

func (l *lowerer) offset(slot *logic.Term, n int) *logic.Term {
	return l.b.Add(slot, l.b.Const(logic.Slot, uint64(n)))
}

func (l *lowerer) int(n int64) *logic.Term { return l.b.Const(logic.Int, uint64(n)) }
