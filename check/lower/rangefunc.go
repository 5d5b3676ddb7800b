package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// The body of a loop over a function is a function itself, as the language has it:
//
//	for k, v := range f { body }
//
// becomes
//
//	code := 0
//	f(func(k, v) bool { body; return true })
//	switch code { ... }
//
// where a break in body is { code = breaks; return false }, and a return stores its results in those of the function
// around it first.

// Codes by which the body says how it was left; higher ones number its jumps out of loops further out.
const (
	leftNormally = iota
	leftByBreak
	leftByReturn
	leftByJump
)

// rangeFuncBody is what the function of a loop's body knows of the loop.
type rangeFuncBody struct {
	label    string
	from, to token.Pos // of the body
	code     *variable
	results  []*variable // of the function around
	defers   *rangeFuncDefers
	jumps    []*ast.BranchStmt
}

func (l *lowerer) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) {
	f := l.snapshot(l.expr(s.X))
	yield := l.typ(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	code := &variable{typ: types.Typ[types.Int], boxed: true, obj: l.alloc(types.Typ[types.Int])}

	in := l.inner("-range", s.Pos())
	results := l.results
	if l.body != nil {
		results = l.body.results
	}
	defers := l.rangeFuncDefers(s.Body)
	shared := append(append([]*variable{code}, results...), defers.vars()...)
	fixed := len(shared)
	objects := l.captured(s.Pos(), s.End(), s.Key, s.Value, s.Body)
	for _, o := range objects {
		shared = append(shared, l.locals[o])
	}
	env, inside := l.share(in, shared)
	in.body = &rangeFuncBody{label: label, from: s.Body.Pos(), to: s.Body.End(), code: inside[0], results: inside[1 : 1+len(results)]}
	in.body.defers = defers.sharedAs(inside[1+len(results) : fixed])
	captured := map[types.Object]*variable{}
	for i, o := range objects {
		captured[o] = inside[fixed+i]
	}
	in.protect(func() { in.loopFunc(s, yield, captured) })
	if in.out.Unsupported != "" {
		panic(unsupported{in.out.Unsupported})
	}
	l.w.funcs[in.name] = in.out
	l.w.queued[in.name] = true

	l.assertNotNil(f.Leaves[0], compilerPos(s.X), "range over a nil function")
	body := l.closure(in.name, env, yield)
	l.emitCall(&ir.Call{Pos: s.X.Pos(), Fn: f.Leaves[0], Env: f.Leaves[1], Sig: sig}, []Value{body})
	how := l.snapshot(l.loadVar(code)).Leaves[0]
	on := func(n int, do func()) {
		then, next := l.block(), l.block()
		l.branch(l.b.Eq(how, l.int(int64(n))), then, next)
		l.start(then)
		do()
		l.start(next)
	}
	on(leftByReturn, func() {
		if l.body != nil {
			l.endPass(leftByReturn, false)
		} else {
			l.returnFrom(s.Pos())
		}
	})
	for i, j := range in.body.jumps {
		on(leftByJump+i, func() { l.branchStmt(j) })
	}
}

// loopFunc lowers a loop's body as a function that returns whether the loop goes on.
func (in *lowerer) loopFunc(s *ast.RangeStmt, yield *types.Signature, captured map[types.Object]*variable) {
	in.boxed = in.addressTaken(s.Body, yield)
	in.gotos, in.labels = in.gotoTargets(s.Body), map[types.Object]*ir.Block{}
	for o, v := range captured {
		in.locals[o] = v
	}
	in.start(in.block())
	var vals []Value
	for i := range yield.Params().Len() {
		t := in.typ(yield.Params().At(i).Type())
		vals = append(vals, in.paramValue(fmt.Sprintf("yield%d", i), t))
	}
	more := &variable{typ: types.Typ[types.Bool], vars: []*logic.Var{in.newVar("more", logic.Bool)}}
	in.results = []*variable{more}
	in.exit = in.block()
	in.bindLoopVars(s, vals)
	in.stmts(s.Body.List)
	in.endPass(leftNormally, true)
	in.finish()
}

// endPass ends a pass of the loop of which this function is the body.
func (in *lowerer) endPass(code int, more bool) {
	in.storeVar(in.body.code, Value{types.Typ[types.Int], []*logic.Term{in.int(int64(code))}})
	in.storeVar(in.results[0], Value{types.Typ[types.Bool], []*logic.Term{in.b.Bool(more)}})
	in.jump(in.exit)
}

// branchInRangeFunc is a break, continue or goto in a loop's body of a statement or to a label that is not inside the body.
func (in *lowerer) branchInRangeFunc(s *ast.BranchStmt) {
	if s.Tok != token.GOTO && (s.Label == nil || s.Label.Name == in.body.label) {
		if s.Tok == token.BREAK {
			in.endPass(leftByBreak, false)
		} else {
			in.endPass(leftNormally, true)
		}
		return
	}
	in.body.jumps = append(in.body.jumps, s)
	in.endPass(leftByJump+len(in.body.jumps)-1, false)
}
