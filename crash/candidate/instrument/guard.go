package instrument

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/internal/callgraph"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

// Often a function of the stack is left because another one that it called returned an error, or false:
//
//	h, err := readHeader(r)
//	if err != nil {
//		return err
//	}
//
// That condition by itself has no branch distance: it is a flag. The called function is its guard. A guard is followed as
// frames are, to the return by which it lets its caller go on, and its caller reports what is left there as the branch
// distance of the condition. The guards of guards are followed, too. The idea is the flag problem of search-based testing
// [Harman et al.: Testability transformation, TSE 2004].

// maxGuards is the number of guards that are followed.
const maxGuards = 48

// guardKey is a function and how its last result lets the caller go on: "nil", "true" or "false".
type guardKey struct {
	fn   *types.Func
	want string
}

// guards finds and numbers the guards of frames.
type guards struct {
	fset  *token.FileSet
	funcs map[*types.Func]*source.Func // that can be rewritten
	// frames are the frames of the stack, followed by the guards; onStack are their functions, and index the numbers
	// of the guards.
	frames  []TargetFrame
	onStack map[*source.Func]bool
	index   map[guardKey]int
	closed  bool // no more guards are added
}

// findGuards follows frames, and returns their guards. needed are the packages that are rewritten.
func findGuards(prog *source.Program, needed []*source.Package, opt Options) *guards {
	g := &guards{
		fset: prog.Fset, funcs: map[*types.Func]*source.Func{}, frames: opt.Frames[:len(opt.Frames):len(opt.Frames)],
		onStack: map[*source.Func]bool{}, index: map[guardKey]int{},
	}
	for _, p := range needed {
		if p.Cgo {
			continue
		}
		for _, f := range p.Funcs() {
			if f.Decl.Body != nil && !restricted(f.Decl) {
				g.funcs[f.Obj] = f
			}
		}
	}
	for _, f := range opt.Frames {
		g.onStack[f.Func] = true
	}
	for i := 0; i < len(g.frames); i++ {
		f := g.frames[i]
		if f.Func == nil || f.Func.Decl.Body == nil {
			continue
		}
		r := &rewriter{prog: prog, pkg: f.Func.Pkg, opt: opt, guards: g}
		t := &trail{r: r, e: &overlay.Edits{}, index: i, frame: f}
		t.way()
	}
	g.closed = true
	return g
}

// of returns the number of the guard that a call is, if its last result must be as wanted; ok reports whether there is one.
func (g *guards) of(info *types.Info, call *ast.CallExpr, want string) (index int, ok bool) {
	fn := callgraph.Callee(info, call)
	f := g.funcs[fn]
	if f == nil || g.onStack[f] {
		return 0, false
	}
	k := guardKey{fn, want}
	if i, ok := g.index[k]; ok {
		return i, true
	}
	if g.closed || len(g.index) == maxGuards {
		return 0, false
	}
	ret := lastReturn(f, want)
	if ret == nil {
		return 0, false
	}
	line := g.fset.PositionFor(ret.Pos(), false).Line
	g.index[k] = len(g.frames)
	g.frames = append(g.frames, TargetFrame{Func: f, Line: line, guard: want, leave: ret})
	return g.index[k], true
}

// lastReturn returns the last statement of a function by which its last result is as wanted, or if there is none, the last
// by which it may be; nil if there is none either.
func lastReturn(f *source.Func, want string) *ast.ReturnStmt {
	var last, lastMaybe *ast.ReturnStmt
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				lastMaybe = n
				break
			}
			is, maybe := compareResult(f.Pkg, n.Results[len(n.Results)-1], want)
			if is {
				last = n
			}
			if maybe {
				lastMaybe = n
			}
		}
		return true
	})
	if last != nil {
		return last
	}
	return lastMaybe
}

// compareResult reports whether an expression is as wanted, nil, true or false, and whether it may be: nil if it is a
// local variable.
func compareResult(pkg *source.Package, x ast.Expr, want string) (is, maybe bool) {
	tv := pkg.Info.Types[x]
	switch {
	case want != "nil" && tv.Value != nil:
		return constant.BoolVal(tv.Value) == (want == "true"), false
	case want != "nil":
		return false, true
	case tv.IsNil():
		return true, false
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return false, false
	}
	o := pkg.Info.ObjectOf(id)
	return false, o != nil && o.Parent() != pkg.Types.Scope()
}

// note keeps the call whose last result a statement assigns to a variable.
func (t *trail) note(s ast.Stmt) {
	a, ok := s.(*ast.AssignStmt)
	if !ok {
		return
	}
	for i, x := range a.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		o := t.r.pkg.Info.ObjectOf(id)
		if o == nil {
			continue
		}
		if t.calls == nil {
			t.calls = map[types.Object]*ast.CallExpr{}
		}
		delete(t.calls, o)
		if call, ok := ast.Unparen(a.Rhs[0]).(*ast.CallExpr); ok && len(a.Rhs) == 1 && i == len(a.Lhs)-1 {
			t.calls[o] = call
		}
	}
}

// guardOf returns the number of the guard that decides a condition, which must come out as wanted.
func (t *trail) guardOf(x ast.Expr, want bool) (index int, ok bool) {
	if t.r.guards == nil {
		return 0, false
	}
	wanted := map[bool]string{true: "true", false: "false"}[want]
	switch x := x.(type) {
	case *ast.CallExpr:
		if typ := t.r.pkg.Info.TypeOf(x); typ != nil && plainBool(typ) {
			return t.r.guards.of(t.r.pkg.Info, x, wanted)
		}
	case *ast.Ident:
		if call := t.calls[t.r.pkg.Info.ObjectOf(x)]; call != nil {
			return t.r.guards.of(t.r.pkg.Info, call, wanted)
		}
	case *ast.BinaryExpr:
		id, ok := x.X.(*ast.Ident)
		if !ok || !t.r.pkg.Info.Types[x.Y].IsNil() || (x.Op == token.NEQ) == want || x.Op != token.NEQ && x.Op != token.EQL {
			return 0, false
		}
		o := t.r.pkg.Info.ObjectOf(id)
		if call := t.calls[o]; call != nil && types.TypeString(o.Type(), nil) == "error" {
			return t.r.guards.of(t.r.pkg.Info, call, "nil")
		}
	}
	return 0, false
}

// guarded adds the step of a condition that a guard decides.
func (t *trail) guarded(x ast.Expr, text string, want bool, guard int) {
	t.add(text, func(rest int) {
		t.e.Insert(t.r.offset(x.Pos()), fmt.Sprintf("%s.Guarded(%d, %d, %d, %v, ", rtName, t.index, rest, guard, want))
		t.e.Insert(t.r.offset(x.End()), ")")
	})
}

// leave follows the way out of a guard: the result of its last return must be as wanted.
func (t *trail) leave() {
	ret := t.frame.leave
	if ret == nil || len(ret.Results) == 0 {
		return
	}
	x := ret.Results[len(ret.Results)-1]
	switch id, ok := x.(*ast.Ident); {
	case t.r.pkg.Info.Types[x].Value != nil || t.r.pkg.Info.Types[x].IsNil():
	case t.frame.guard != "nil":
		t.condition(x, t.frame.guard == "true")
	case ok:
		if call := t.calls[t.r.pkg.Info.ObjectOf(id)]; call != nil {
			if g, ok := t.r.guards.of(t.r.pkg.Info, call, "nil"); ok {
				t.add(id.Name+" == nil", func(rest int) {
					t.e.Insert(t.r.offset(ret.Pos()), fmt.Sprintf(" %s.Guarded(%d, %d, %d, true, %s == nil); ",
						rtName, t.index, rest, g, id.Name))
				})
			}
		}
	}
}
