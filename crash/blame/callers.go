package blame

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
)

// callSite is a place in the module, apart from its tests, that calls a function of the module.
type callSite struct {
	caller *source.Func
	call   *ast.CallExpr
}

// callSites returns the places that call a function.
func (c *code) callSites(fn *types.Func) []callSite {
	if c.sites == nil {
		c.sites = map[*types.Func][]callSite{}
		for _, pkg := range c.prog.All {
			for _, f := range pkg.Funcs() {
				ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if !ok {
						return true
					}
					if fn := callgraph.Callee(pkg.Info, call); fn != nil {
						c.sites[fn] = append(c.sites[fn], callSite{f, call})
					}
					return true
				})
			}
		}
	}
	return c.sites[fn.Origin()]
}

// passed returns the expression that a call passes for a parameter or the receiver of its callee; nil
// for a variadic parameter, or a receiver that the call does not name.
func passed(call *ast.CallExpr, sig *types.Signature, v *types.Var) ast.Expr {
	if v == sig.Recv() {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
		return nil
	}
	for i := range sig.Params().Len() {
		isLast := sig.Variadic() && i == sig.Params().Len()-1
		if sig.Params().At(i) == v && i < len(call.Args) && !isLast {
			return call.Args[i]
		}
	}
	return nil
}

// checks reports whether a caller compares the variable or field x before it passes x on, or ranges
// over its values.
func (s *callSite) checks(x ast.Expr) bool {
	want := types.ExprString(x)
	mentions := func(e ast.Expr) (found bool) {
		if e == nil {
			return false
		}
		ast.Inspect(e, func(n ast.Node) bool {
			part, ok := n.(ast.Expr)
			found = found || ok && types.ExprString(part) == want
			return !found
		})
		return found
	}
	found := false
	ast.Inspect(s.caller.Decl.Body, func(n ast.Node) bool {
		if found || n == nil || n.Pos() >= s.call.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch n.Op {
			case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
				found = mentions(n.X) || mentions(n.Y)
			}
		case *ast.RangeStmt:
			found = mentions(n.Key) || mentions(n.Value)
		case *ast.SwitchStmt:
			found = mentions(n.Tag)
		}
		return true
	})
	return found
}

// callersCheck: every caller in the module checks the argument first, so the check is the callers' duty
// [Engler 2001].
func callersCheck(e *evidence) string {
	checking := 0
	first := ""
	for s, x := range e.argumentsInModule() {
		if !s.checks(x) {
			return ""
		}
		checking++
		if first == "" {
			first = fmt.Sprintf("%s checks %s before it calls %s", symbol.Short(s.caller.Name),
				types.ExprString(x), symbol.Short(e.called.Name))
		}
	}
	if checking < 2 {
		return ""
	}
	return fmt.Sprintf("%s, and so do all others in the module (%d)", first, checking-1)
}

// passedOn: an exported function of the module passes its own argument on, and neither function checks
// it.
func passedOn(e *evidence) string {
	for s, x := range e.argumentsInModule() {
		v := variable(s.caller.Pkg, x)
		if v != nil && isParam(s.caller, v) && s.caller.Obj.Exported() &&
			helper(e.code.prog, s.caller) == "" && !s.checks(x) {
			return fmt.Sprintf("%s passes its own %s on without checking it",
				symbol.Short(s.caller.Name), v.Name())
		}
	}
	return ""
}

// argumentsInModule yields the calls of the called function by others in the module that pass a
// variable or a field where the crash is due to an argument, and what they pass.
func (e *evidence) argumentsInModule() iter.Seq2[*callSite, ast.Expr] {
	return func(yield func(*callSite, ast.Expr) bool) {
		if e.called == nil || e.site == nil || e.site.fromParam == nil || e.site.raises {
			return
		}
		sig := e.called.Obj.Signature()
		for _, s := range e.code.callSites(e.called.Obj) {
			x := stem(s.caller.Pkg, passed(s.call, sig, e.site.fromParam))
			if x != nil && s.caller.Obj != e.called.Obj && !yield(&s, x) {
				return
			}
		}
	}
}

// stem returns the variable or field that an expression is, or is plus or minus a constant; nil if it
// is anything else.
func stem(pkg *source.Package, x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return stem(pkg, x.X)
	case *ast.BinaryExpr:
		if (x.Op == token.ADD || x.Op == token.SUB) && pkg.Info.Types[x.Y].Value != nil {
			return stem(pkg, x.X)
		}
	case *ast.Ident:
		if _, ok := pkg.Info.Uses[x].(*types.Var); ok {
			return x
		}
	case *ast.SelectorExpr:
		if _, ok := pkg.Info.Uses[x.Sel].(*types.Var); ok {
			return x
		}
	}
	return nil
}
