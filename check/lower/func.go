package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/internal/source"
)

// lowerer lowers one function body.
type lowerer struct {
	emitter
	syntax

	// name is the function's name in stack traces, and closures the number of its function literals
	// so far: the compiler calls them F.func1, F.func2 ...
	name     string
	closures *int

	locals  map[types.Object]*variable
	boxed   map[types.Object]bool // variables that must live in objects
	results []*variable
	exit    *ir.Block // where the function ends: the deferred calls and the results

	targets []target
	label   string                     // of the next statement
	gotos   map[types.Object]bool      // labels that goto statements name
	labels  map[types.Object]*ir.Block // where they are

	defers []*deferred
	body   *rangeFuncBody // of a function that is the body of a loop over a function
}

// newLowerer returns a lowerer for a function that begins at pos.
func (w *World) newLowerer(key, name string, pos token.Pos, pkg *source.Package, inst instance) *lowerer {
	out := newFunc(name)
	out.Pos = pos
	return &lowerer{
		emitter:  newEmitter(w, out),
		syntax:   syntax{w.typeTable, pkg, inst},
		name:     key,
		closures: new(int),
		locals:   map[types.Object]*variable{},
	}
}

// inner returns a lowerer for a function that is declared inside this one, at pos.
func (l *lowerer) inner(kind string, pos token.Pos) *lowerer {
	*l.closures++
	suffix := fmt.Sprintf("%s%d", kind, *l.closures)
	return l.w.newLowerer(l.name+suffix, l.out.Name+suffix, pos, l.pkg, l.inst)
}

// lower lowers a declared function.
func (w *World) lower(p pending) *ir.Func {
	sig := p.f.Obj.Type().(*types.Signature)
	l := w.newLowerer(p.key, p.f.Name, p.f.Decl.Pos(), p.f.Pkg, p.m)
	l.model = strings.HasPrefix(p.f.Name, modelPrefix)
	l.out.Analyzed = p.f.Obj.Exported() && slices.Contains(w.prog.Packages, p.f.Pkg)
	l.protect(func() {
		l.lowerBody(sig, p.f.Decl.Body, nil)
	})
	return l.out
}

// lowerBody lowers a function's body; captured are a closure's variables, already bound.
func (l *lowerer) lowerBody(sig *types.Signature, body *ast.BlockStmt, captured map[types.Object]*variable) {
	l.boxed = l.addressTaken(body, sig)
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
	l.returnFrom(body.Rbrace)
	l.finish()
}

// param declares a parameter; one that must live in an object is moved there.
func (l *lowerer) param(p *types.Var) {
	t := l.typ(p.Type())
	name := p.Name()
	if name == "" {
		name = "_"
	}
	vars := l.paramVars(name, t)
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
