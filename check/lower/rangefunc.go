package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// The body of a loop over a function becomes a function, as the language specification says:
//
//	for k, v := range f { body }
//
// becomes
//
//	code := 0
//	f(func(k, v) bool { body; code = leftNormally; return true })
//	if code == leftByReturn { return }
//	if code == leftByJump { the first jump out of body }
//	if code == leftByJump+1 { the second jump out of body } ...
//
// In body, statements that leave it become
//
//	continue    code = leftNormally; return true
//	break       code = leftByBreak; return false
//	return x    results = x; code = leftByReturn; return false
//	goto L      code = leftByJump+i; return false
//
// and the body begins with a check that code is leftNormally: a function that calls it after it said to
// stop, or after the loop, panics.
//
// Here results are those of the function around the loop, and break and continue with a label
// further out are jumps. The body shares code, results and the variables that it uses with the
// function around.

// Codes that say how the body was left. leftByJump+i is that of rangeFuncBody.jumps[i].
const (
	leftNormally = iota
	leftByBreak
	leftByReturn
	leftByJump
	// loopIsOver is the code after the loop.
	loopIsOver = -1
)

// rangeFuncBody describes the loop of which a function is the body.
type rangeFuncBody struct {
	label    string    // of the loop, or ""
	from, to token.Pos // of the body
	code     *variable
	results  []*variable       // of the declared function or function literal around the loop
	defers   *rangeFuncDefers  // nil if the body defers no calls
	jumps    []*ast.BranchStmt // jumps out of the body that do not just end a pass or the loop
}

// rangeFunc lowers a loop over a function, as drawn above.
func (l *lowerer) rangeFunc(s *ast.RangeStmt, label string, sig *types.Signature) {
	f := l.snapshot(l.expr(s.X))
	yield := l.typ(sig.Params().At(0).Type()).Underlying().(*types.Signature)
	code := l.newBoxed(types.Typ[types.Int64])

	in := l.rangeBody(s.Pos())
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
	in.body = &rangeFuncBody{
		label:   label,
		from:    s.Body.Pos(),
		to:      s.Body.End(),
		code:    inside[0],
		results: inside[1 : 1+len(results)],
		defers:  defers.sharedAs(inside[1+len(results) : fixed]),
	}
	captured := map[types.Object]*variable{}
	for i, o := range objects {
		captured[o] = inside[fixed+i]
	}
	in.protect(func() { in.lowerLoopBody(s, yield, captured) })
	if in.out.Unsupported != "" {
		panic(unsupported{in.out.Unsupported})
	}
	l.w.addLowered(in.key, in.out)

	l.assertNotNil(f.Leaves[0], compilerPos(s.X), "range over a nil function")
	body := l.closure(in.key, env, yield)
	call := &ir.Call{Pos: s.X.Pos(), Fn: f.Leaves[0], Env: f.Leaves[1], Sig: sig}
	l.emitCall(call, []Value{body})
	how := l.snapshot(l.loadVar(code)).Leaves[0]
	l.storeVar(code, tuple(types.Typ[types.Int64], l.int(loopIsOver)))
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

// lowerLoopBody lowers the body of loop s as a function with signature yield. Its result says
// whether the loop continues. captured are the variables of the function around, already bound.
func (in *lowerer) lowerLoopBody(s *ast.RangeStmt, yield *types.Signature,
	captured map[types.Object]*variable) {
	in.boxed = in.addressTaken(s.Body, yield)
	in.jumps = newJumps(in.pkg.Info, s.Body)
	for o, v := range captured {
		in.locals[o] = v
	}
	in.start(in.block())
	var vals []Value
	for i := range yield.Params().Len() {
		t := in.typ(yield.Params().At(i).Type())
		vals = append(vals, in.paramValue(fmt.Sprintf("yield%d", i), t))
	}
	more := &variable{
		typ:  types.Typ[types.Bool],
		vars: []*logic.Var{in.newVar("more", logic.Bool)},
	}
	in.results = []*variable{more}
	in.exit = in.block()
	code := in.loadVar(in.body.code).Leaves[0]
	in.assert(in.b.Eq(code, in.int(leftNormally)), schemas.ExplicitPanic, s.Pos(),
		"the function that is ranged over continues after the loop")
	in.bindLoopVars(s, vals)
	in.stmts(s.Body.List)
	in.endPass(leftNormally, true)
	in.finish()
}

// endPass returns from the body of the loop, of which in is the function, with a code. more says
// whether the loop continues.
func (in *lowerer) endPass(code int, more bool) {
	in.storeVar(in.body.code, tuple(types.Typ[types.Int64], in.int(int64(code))))
	in.storeVar(in.results[0], tuple(types.Typ[types.Bool], in.b.Bool(more)))
	in.jump(in.exit)
}

// branchInRangeFunc lowers a break, continue or goto whose target is outside the body.
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
