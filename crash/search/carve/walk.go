package carve

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// walker follows one test and builds one seed.
type walker struct {
	c    *carver
	seed Seed
	// results is the number of results of the seed's statements.
	results int
	// calls is set if a statement calls a function. A seed without calls is not worth keeping.
	calls bool
	// env holds what variables stand for.
	env   map[types.Object]binding
	depth int // of nested statements
	// inside are the helpers whose bodies are being followed, and returned what the last of them
	// returned, as far as that is known.
	inside   []*ast.FuncDecl
	returned []binding
}

// binding is what a variable stands for: the expression if there is one, else the result.
type binding struct {
	result int
	expr   ast.Expr
}

// maxNesting is the depth of nested statements that are followed.
const maxNesting = 8

// fork returns a walker that continues from here with a seed of its own.
func (w *walker) fork() *walker {
	return &walker{
		c: w.c, seed: Seed{w.seed.test, w.seed.more, slices.Clone(w.seed.stmts)}, results: w.results, env: maps.Clone(w.env),
		depth: w.depth, inside: slices.Clone(w.inside),
	}
}

// finish keeps the seed.
func (w *walker) finish() {
	if w.calls && len(w.seed.stmts) > 0 && len(w.seed.stmts) <= 2*maxStatements &&
		len(w.c.seeds) < maxSeeds {
		w.c.seeds = append(w.c.seeds, w.seed)
	}
}

func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// stmt follows a statement. It passes over what operations cannot express.
func (w *walker) stmt(s ast.Stmt) {
	if w.depth > maxNesting || len(w.seed.stmts) > maxStatements {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.block(s.List)

	case *ast.ExprStmt:
		if lit := subtest(s.X); lit != nil {
			w.block(lit.Body.List)
			return
		}
		w.callsIn(s.X)

	case *ast.AssignStmt:
		w.assign(s.Lhs, s.Rhs)

	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				w.declare(spec.(*ast.ValueSpec))
			}
		}

	case *ast.IfStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		w.callsIn(s.Cond)
		w.block(s.Body.List)
		if s.Else != nil {
			w.stmt(s.Else)
		}

	case *ast.SwitchStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		if s.Tag != nil {
			w.callsIn(s.Tag)
		}

	case *ast.ForStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		w.block(s.Body.List)

	case *ast.RangeStmt:
		w.rangeStmt(s)

	case *ast.DeferStmt:
		w.callsIn(s.Call)

	case *ast.ReturnStmt:
		w.returns(s)
	}
}

// subtest returns the function literal of a call like t.Run(name, func(t *testing.T) {...}).
func subtest(x ast.Expr) *ast.FuncLit {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	for _, a := range call.Args {
		if lit, ok := a.(*ast.FuncLit); ok && len(lit.Type.Params.List) <= 1 {
			return lit
		}
	}
	return nil
}

// callsIn follows the calls in an expression: the outermost ones that operations can express.
func (w *walker) callsIn(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false

		case *ast.CallExpr:
			if _, ok := w.call(n); ok {
				return false
			}
			if _, ok := w.helper(n); ok {
				return false
			}
		}
		return true
	})
}

// declare follows var x = y and var x T.
func (w *walker) declare(spec *ast.ValueSpec) {
	var names []ast.Expr
	for _, n := range spec.Names {
		names = append(names, n)
	}
	if len(spec.Values) > 0 {
		w.assign(names, spec.Values)
		return
	}
	for _, n := range spec.Names {
		obj := w.c.info.Defs[n]
		if obj == nil {
			continue
		}
		if r, ok := w.zero(obj.Type()); ok {
			w.env[obj] = binding{result: r}
		}
	}
}

// assign follows an assignment.
func (w *walker) assign(lhs, rhs []ast.Expr) {
	if len(rhs) == 1 && len(lhs) > 1 {
		if call, ok := rhs[0].(*ast.CallExpr); ok {
			if r, ok := w.call(call); ok {
				for i, x := range lhs {
					w.store(x, r+i)
				}
				return
			}
			if list, ok := w.helper(call); ok {
				for i, x := range lhs {
					if i < len(list) {
						w.bind(x, list[i])
					}
				}
				return
			}
		}
		w.callsIn(rhs[0])
		return
	}
	for i, x := range rhs {
		if i >= len(lhs) {
			break
		}
		if call, ok := x.(*ast.CallExpr); ok {
			if list, ok := w.helper(call); ok {
				if len(list) == 1 {
					w.bind(lhs[i], list[0])
				}
				continue
			}
		}
		if r, ok := w.value(x, w.c.info.TypeOf(lhs[i])); ok {
			w.store(lhs[i], r)
			continue
		}
		if id, ok := lhs[i].(*ast.Ident); ok && w.composite(x) != nil { // a table of cases
			if obj := w.c.info.ObjectOf(id); obj != nil {
				w.env[obj] = binding{expr: x}
				continue
			}
		}
		w.callsIn(x)
	}
}

// store assigns a result to a variable or a field.
func (w *walker) store(x ast.Expr, r int) {
	switch x := x.(type) {
	case *ast.Ident:
		if obj := w.c.info.ObjectOf(x); obj != nil {
			w.env[obj] = binding{result: r}
		}

	case *ast.SelectorExpr:
		w.setField(x, r)
	}
}

// rangeStmt follows the body of a loop over a table of cases once for each row, each in a seed of
// its own. It follows the body of any other loop once.
func (w *walker) rangeStmt(s *ast.RangeStmt) {
	table := w.composite(s.X)
	if table == nil {
		w.callsIn(s.X)
		w.block(s.Body.List)
		return
	}
	bind := func(f *walker, x, to ast.Expr) {
		if id, ok := x.(*ast.Ident); ok && id.Name != "_" && to != nil {
			if obj := w.c.info.ObjectOf(id); obj != nil {
				f.env[obj] = binding{expr: to}
			}
		}
	}
	for _, elt := range table.Elts[:min(len(table.Elts), maxRows)] {
		f := w.fork()
		var key ast.Expr
		value := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			key, value = kv.Key, kv.Value
		}
		if s.Key != nil {
			bind(f, s.Key, key)
		}
		if s.Value != nil {
			bind(f, s.Value, value)
		}
		f.block(s.Body.List)
		f.finish()
	}
}
