package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/internal/source"
)

// A lowerer lowers one function body. Its methods walk the syntax tree: they evaluate operands in
// Go's order and emit the commands of each statement and expression. A method named after a node
// lowers that node.
type lowerer struct {
	emitter // emits commands
	syntax  // answers questions about the syntax tree
	jumps   // knows where break, continue and goto jump

	key string // of the function
	// closures is the number of functions that its range and defer statements have become so far.
	closures *int
	literal  bool // whether it is a function literal

	locals  map[types.Object]*variable
	escapes map[*ast.FuncLit]bool   // which others may call later
	boxed   map[types.Object]object // variables that must live in objects
	results []*variable
	exit    *ir.Block // the end of the function: the deferred calls and the results

	// compared are the comparisons of integers in the condition that is being lowered.
	compared []ir.Comparison

	defers []*deferred    // in source order
	stack  *deferStack    // that the next defer statement pushes on, or nil
	body   *rangeFuncBody // of a function that is the body of a loop over a function, else nil
}

// newLowerer returns a lowerer for the function of package pkg with that key, name and position.
func (w *World) newLowerer(
	key, name string, pos token.Pos, pkg *source.Package, inst instance) *lowerer {
	out := newFunc(name)
	out.Pos = pos
	return &lowerer{
		emitter:  newEmitter(w, out),
		syntax:   syntax{w.typeTable, pkg, inst, map[ast.Expr]Value{}},
		key:      key,
		closures: new(int),
		locals:   map[types.Object]*variable{},
	}
}

// rangeBody returns a lowerer for the body of a loop over a function, at pos.
func (l *lowerer) rangeBody(pos token.Pos) *lowerer {
	*l.closures++
	suffix := fmt.Sprintf("-range%d", *l.closures)
	in := l.w.newLowerer(l.key+suffix, l.out.Name+suffix, pos, l.pkg, l.inst)
	in.literal = l.literal
	return in
}

// inner returns a lowerer for a function literal inside the function. In the name of a declared
// function, the compiler puts ".func" before the literal's number.
func (l *lowerer) inner(lit *ast.FuncLit) *lowerer {
	suffix := fmt.Sprintf(".%d", l.w.litNumber(l.pkg, lit))
	if !l.literal {
		suffix = ".func" + suffix[1:]
	}
	in := l.w.newLowerer(l.key+suffix, l.out.Name+suffix, lit.Pos(), l.pkg, l.inst)
	in.literal = true
	return in
}

// lower lowers an instance of a declared function.
func (w *World) lower(p pending) *ir.Func {
	sig := p.f.Obj.Type().(*types.Signature)
	l := w.newLowerer(p.key, p.f.Name, p.f.Decl.Pos(), p.f.Pkg, p.m)
	l.model = ir.OriginOf(p.f.Name) == ir.FromModel
	l.literal = p.f.Literal
	l.out.Analyzed = p.f.Obj.Exported() && !p.f.Literal && slices.Contains(w.prog.Packages, p.f.Pkg)
	l.protect(func() {
		l.lowerBody(sig, p.f.Decl.Body, nil)
	})
	return l.out
}

// lowerBody lowers the function:
//
//	       declare the receiver and the parameters; results := 0
//	       body; goto exit
//	exit:  the deferred calls; return results
//
// captured are a closure's variables, already bound.
func (l *lowerer) lowerBody(sig *types.Signature, body *ast.BlockStmt,
	captured map[types.Object]*variable) {
	l.boxed, l.escapes = l.addressTaken(body, sig), l.escaping(body)
	l.jumps = newJumps(l.pkg.Info, body)
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
	l.returnFrom(body.Rbrace)
	l.finish()
}

// param declares a parameter. One that must live in an object is copied there.
func (l *lowerer) param(p *types.Var) {
	t := l.typ(p.Type())
	name := p.Name()
	if name == "" {
		name = "_"
	}
	vars := l.paramVars(name, t)
	if l.boxed[p] != 0 {
		v := l.declare(p, t)
		l.storeVar(v, l.valueOf(t, vars))
		return
	}
	l.locals[p] = &variable{typ: t, vars: vars}
}

// declare declares a local variable of type t. It has the zero value if it is boxed, and none yet
// if not. Arrays are always boxed, because they are indexed by terms, and so are large values. o is nil for an unnamed
// variable.
func (l *lowerer) declare(o types.Object, t types.Type) *variable {
	v := &variable{typ: t}
	if l.boxed[o] != 0 || isArray(t) && l.w.Slots(t) > 0 || l.w.IsLarge(t) {
		v.boxed = true
		v.obj = l.newObject()
		if l.boxed[o] != sharedObject && !l.w.IsLarge(t) { // a large value is its object
			l.private[v.obj] = true
		}
		l.clear(v.obj, t)
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
