package usage

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"dsd/internal/source"
)

func quote(s string) string { return strconv.Quote(s) }

func count(n int64) string { return fmt.Sprint(n) }

// maxPaths bounds the paths that are followed through a function.
const maxPaths = 32

// Static follows the paths through the functions of prog: both branches of conditions, the bodies of loops once. Each object that
// a variable holds gives one sequence a path [SEED 3.1.1].
func (l *Learner) Static(prog *source.Program) {
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			w := &walker{l: l, prog: prog, info: pkg.Info}
			w.finish(w.block(f.Decl.Body.List, []way{{}}))
		}
	}
}

// way is what was called on the way, by variable.
type way map[types.Object][]string

func (p way) clone() way {
	out := way{}
	for k, v := range p {
		out[k] = slices.Clone(v)
	}
	return out
}

// walker follows one function.
type walker struct {
	l    *Learner
	prog *source.Program
	info *types.Info
	// deferred are the calls of defer statements.
	deferred []*ast.CallExpr
}

// finish adds the sequences of the paths, equal ones of a variable once.
func (w *walker) finish(paths []way) {
	for i := len(w.deferred) - 1; i >= 0; i-- {
		w.call(w.deferred[i], paths)
	}
	seen := map[string]bool{}
	for _, p := range paths {
		var objs []types.Object
		for obj := range p {
			objs = append(objs, obj)
		}
		slices.SortFunc(objs, func(a, b types.Object) int { return int(a.Pos() - b.Pos()) })
		for _, obj := range objs {
			if key := fmt.Sprint(obj.Pos(), p[obj]); !seen[key] {
				seen[key] = true
				w.l.sequence(typeOf(w.prog, obj.Type()), p[obj])
			}
		}
	}
}

func (w *walker) block(list []ast.Stmt, paths []way) []way {
	for _, s := range list {
		paths = w.stmt(s, paths)
	}
	return paths
}

// fork follows several ways from the same paths, and returns where they end; skip says that all may be passed over.
func (w *walker) fork(paths []way, skip bool, ways ...func([]way) []way) []way {
	var out []way
	for i, follow := range ways {
		from := paths
		if i < len(ways)-1 || skip {
			from = nil
			for _, p := range paths {
				from = append(from, p.clone())
			}
		}
		out = append(out, follow(from)...)
	}
	if skip {
		out = append(out, paths...)
	}
	if len(out) > maxPaths {
		out = out[:maxPaths]
	}
	return out
}

func (w *walker) stmt(s ast.Stmt, paths []way) []way {
	body := func(b *ast.BlockStmt) func([]way) []way {
		return func(p []way) []way { return w.block(b.List, p) }
	}
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.block(s.List, paths)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, paths)
	case *ast.IfStmt:
		if s.Init != nil {
			paths = w.stmt(s.Init, paths)
		}
		w.expr(s.Cond, paths)
		if s.Else == nil {
			return w.fork(paths, true, body(s.Body))
		}
		return w.fork(paths, false, body(s.Body), func(p []way) []way { return w.stmt(s.Else, p) })
	case *ast.ForStmt:
		if s.Init != nil {
			paths = w.stmt(s.Init, paths)
		}
		if s.Cond != nil {
			w.expr(s.Cond, paths)
		}
		return w.block(s.Body.List, paths)
	case *ast.RangeStmt:
		w.expr(s.X, paths)
		return w.block(s.Body.List, paths)
	case *ast.SwitchStmt:
		if s.Init != nil {
			paths = w.stmt(s.Init, paths)
		}
		if s.Tag != nil {
			w.expr(s.Tag, paths)
		}
		return w.clauses(s.Body, paths)
	case *ast.TypeSwitchStmt:
		return w.clauses(s.Body, paths)
	case *ast.SelectStmt:
		return w.clauses(s.Body, paths)
	case *ast.AssignStmt:
		for _, x := range s.Rhs {
			w.expr(x, paths)
		}
		w.assign(s, paths)
	case *ast.DeclStmt:
		ast.Inspect(s, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
				for i, id := range spec.Names {
					w.expr(spec.Values[i], paths)
					w.made(id, spec.Values[i], paths)
				}
			}
			return true
		})
	case *ast.DeferStmt: // it is called at the end
		for _, a := range s.Call.Args {
			w.expr(a, paths)
		}
		w.deferred = append(w.deferred, s.Call)
	case nil:
	default:
		ast.Inspect(s, func(n ast.Node) bool {
			if x, ok := n.(ast.Expr); ok {
				w.expr(x, paths)
				return false
			}
			return true
		})
	}
	return paths
}

func (w *walker) clauses(b *ast.BlockStmt, paths []way) []way {
	var ways []func([]way) []way
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			ways = append(ways, func(p []way) []way { return w.block(c.Body, p) })
		case *ast.CommClause:
			ways = append(ways, func(p []way) []way { return w.block(c.Body, p) })
		}
	}
	return w.fork(paths, true, ways...)
}

// assign begins the sequences of the variables that get new objects.
func (w *walker) assign(s *ast.AssignStmt, paths []way) {
	for i, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		if len(s.Rhs) == len(s.Lhs) {
			w.made(id, s.Rhs[i], paths)
		} else if i == 0 && len(s.Rhs) == 1 {
			w.made(id, s.Rhs[0], paths)
		}
	}
}

// made begins a sequence with what makes the object: a call of a function, or a composite literal.
func (w *walker) made(id *ast.Ident, x ast.Expr, paths []way) {
	obj := w.info.ObjectOf(id)
	if obj == nil || typeOf(w.prog, obj.Type()) == "" {
		return
	}
	var first string
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = u.X
	}
	switch x := x.(type) {
	case *ast.CompositeLit:
		first = typeOf(w.prog, obj.Type()) + "{}"
	case *ast.CallExpr:
		if fn := w.callee(x); fn != nil && fn.Type().(*types.Signature).Recv() == nil {
			first = source.FuncName(fn)
		}
	}
	for _, p := range paths {
		if first == "" {
			delete(p, obj)
		} else {
			p[obj] = []string{first}
		}
	}
}

func (w *walker) callee(x *ast.CallExpr) *types.Func {
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ := w.info.Uses[f].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := w.info.Uses[f.Sel].(*types.Func)
		return fn
	}
	return nil
}

// expr adds the calls in an expression, inner ones first.
func (w *walker) expr(x ast.Expr, paths []way) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // runs when it does
			return false
		case *ast.CallExpr:
			for _, a := range n.Args {
				w.expr(a, paths)
			}
			w.expr(n.Fun, paths)
			w.call(n, paths)
			return false
		}
		return true
	})
}

// call adds a call of a method on a variable, and the constants among its arguments.
func (w *walker) call(x *ast.CallExpr, paths []way) {
	fn := w.callee(x)
	if fn == nil {
		return
	}
	sig := fn.Type().(*types.Signature)
	typ := ""
	if recv := sig.Recv(); recv != nil {
		typ = typeOf(w.prog, recv.Type())
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok {
				obj, _ := w.info.ObjectOf(id).(*types.Var)
				if obj != nil && typ != "" && typeOf(w.prog, obj.Type()) == typ {
					for _, p := range paths {
						p[obj] = append(p[obj], source.FuncName(fn))
					}
				}
			}
		}
	} else if sig.Results().Len() > 0 {
		typ = typeOf(w.prog, sig.Results().At(0).Type())
	}
	if typ == "" {
		return
	}
	for i, a := range x.Args {
		tv := w.info.Types[a]
		if tv.Value == nil || tv.Value.Kind() != constant.String && tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Bool {
			continue
		}
		if len(tv.Value.ExactString()) <= 200 {
			w.l.model(typ).values[value{source.FuncName(fn), i, tv.Value.ExactString()}]++
		}
	}
}
