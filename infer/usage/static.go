package usage

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"dsd/internal/source"
)

const (
	// maxPaths bounds the paths that are followed through a function.
	maxPaths = 32
	// maxLiteral bounds the bytes of a constant that is kept.
	maxLiteral = 200
)

// Static learns from the source of a program. It follows the paths through each function, at most
// maxPaths: both branches of conditions, the bodies of loops once. Each object that a variable
// holds gives one sequence per path [SEED 3.1.1].
func (l *Learner) Static(prog *source.Program) {
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			w := &walker{l: l, prog: prog, info: pkg.Info}
			w.finish(w.block(f.Decl.Body.List, []callPath{{}}))
		}
	}
}

// callPath is a path through a function: the calls on it, by the variable that held the object.
type callPath map[types.Object][]string

func (p callPath) clone() callPath {
	out := callPath{}
	for k, v := range p {
		out[k] = slices.Clone(v)
	}
	return out
}

// walker follows the paths through one function.
type walker struct {
	l    *Learner
	prog *source.Program
	info *types.Info
	// deferred are the calls of defer statements, which all paths make at the end.
	deferred []*ast.CallExpr
}

// finish adds the sequences of the paths. Paths with equal sequences for a variable count once.
func (w *walker) finish(paths []callPath) {
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

// block returns the paths through a list of statements, after each of the given paths.
func (w *walker) block(list []ast.Stmt, paths []callPath) []callPath {
	for _, s := range list {
		paths = w.stmt(s, paths)
	}
	return paths
}

// fork returns the paths that continue with one of several alternatives. If skip is set, the paths
// that take none of them are among the result.
func (w *walker) fork(
	paths []callPath, skip bool, alternatives ...func([]callPath) []callPath,
) []callPath {
	var out []callPath
	for i, follow := range alternatives {
		from := paths
		if i < len(alternatives)-1 || skip { // paths is used once more
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

// stmt returns the paths through a statement, after each of the given paths.
func (w *walker) stmt(s ast.Stmt, paths []callPath) []callPath {
	body := func(b *ast.BlockStmt) func([]callPath) []callPath {
		return func(p []callPath) []callPath { return w.block(b.List, p) }
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
		otherwise := func(p []callPath) []callPath { return w.stmt(s.Else, p) }
		return w.fork(paths, false, body(s.Body), otherwise)

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
					w.create(id, spec.Values[i], paths)
				}
			}
			return true
		})

	case *ast.DeferStmt:
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

// clauses returns the paths through the clauses of a switch or select statement.
func (w *walker) clauses(b *ast.BlockStmt, paths []callPath) []callPath {
	var bodies []func([]callPath) []callPath
	add := func(body []ast.Stmt) {
		bodies = append(bodies, func(p []callPath) []callPath { return w.block(body, p) })
	}
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			add(c.Body)
		case *ast.CommClause:
			add(c.Body)
		}
	}
	return w.fork(paths, true, bodies...)
}

// assign begins sequences for the variables that are assigned new objects.
func (w *walker) assign(s *ast.AssignStmt, paths []callPath) {
	for i, x := range s.Lhs {
		id, ok := x.(*ast.Ident)
		if !ok {
			continue
		}
		if len(s.Rhs) == len(s.Lhs) {
			w.create(id, s.Rhs[i], paths)
		} else if i == 0 && len(s.Rhs) == 1 {
			w.create(id, s.Rhs[0], paths)
		}
	}
}

// create begins a sequence for a variable with the expression that creates its object: a call of a
// function, or a composite literal. After any other assignment, the object is not known.
func (w *walker) create(id *ast.Ident, x ast.Expr, paths []callPath) {
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

// callee returns the function or method that a call names, or nil.
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

// expr adds the calls in an expression, inner ones first. Both operands of && and || count.
func (w *walker) expr(x ast.Expr, paths []callPath) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // when it is called is not known
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

// call adds a call of a method on a variable to the paths, and the constants among its arguments to
// the model.
func (w *walker) call(x *ast.CallExpr, paths []callPath) {
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
		if tv.Value == nil {
			continue
		}
		switch tv.Value.Kind() {
		case constant.String, constant.Int, constant.Bool:
			if lit := tv.Value.ExactString(); len(lit) <= maxLiteral {
				w.l.model(typ).values[value{source.FuncName(fn), i, lit}]++
			}
		}
	}
}
