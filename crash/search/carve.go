package search

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"

	"dsd/crash/candidate"
	"dsd/internal/source"
)

// Carving makes candidates of the testee's own tests [SEED 3.4]: what a test does to the package becomes statements over the
// table of operations, as far as it can be said in them. It is read off the source: the tests of a dependency seldom build where
// that is one. Loops over tables are done for each row; both branches of conditions are taken, one after the other.

// maxSeeds is how many candidates are made, maxRows how many rows of a table are taken, and maxFixed how many expressions
// become operations of their own.
const (
	maxSeeds = 1500
	maxRows  = 40
	maxFixed = 300
)

// seed is a candidate over operations, which have no numbers yet.
type seed []seedStmt

type seedStmt struct {
	op    *candidate.Op
	args  []int
	value value
}

// programs are the seeds over a table; those with operations that are not in it are left out.
func programs(seeds []seed, table []*candidate.Op) []candidate.Program {
	number := map[*candidate.Op]int{}
	for i, o := range table {
		number[o] = i
	}
	var out []candidate.Program
next:
	for _, s := range seeds {
		var p candidate.Program
		for _, st := range s {
			n, ok := number[st.op]
			if !ok {
				continue next
			}
			p = append(p, candidate.Stmt{Op: n, Args: st.args, Bits: st.value.bits, Text: st.value.text})
		}
		out = append(out, p)
	}
	return out
}

// carver reads the tests of a package.
type carver struct {
	b    *graphBuilder
	info *types.Info
	fset *token.FileSet
	// src are the texts of the test files by name.
	src map[string][]byte
	// calls are the operations that call functions, by the function's name and the receiver's type.
	calls map[string]*candidate.Op
	made  map[string]*candidate.Op // operations made here, by what they are
	fixed int
	seeds []seed
}

// carve adds candidates made of the package's tests.
func (b *graphBuilder) carve() {
	c := &carver{b: b, fset: token.NewFileSet(), src: map[string][]byte{}, calls: map[string]*candidate.Op{}, made: map[string]*candidate.Op{}}
	for _, o := range b.g.Table {
		if o.Func != nil {
			c.calls[callKey(o)] = o
		}
	}
	inside, outside := c.parse()
	c.check(b.pkg.Path, append(c.again(), inside...), inside)
	c.check(b.pkg.Path+"_test", outside, outside)
	b.g.seeds = c.seeds
}

func callKey(o *candidate.Op) string {
	k := source.FuncName(o.Func)
	if o.OnFirst {
		k += " " + key(o.In[0])
	}
	return k
}

// parse reads the test files: those of the package itself, and those of its external test package.
func (c *carver) parse() (inside, outside []*ast.File) {
	for _, name := range c.b.pkg.TestFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		f, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		c.src[name] = text
		if f.Name.Name == c.b.pkg.Name {
			inside = append(inside, f)
		} else {
			outside = append(outside, f)
		}
	}
	return inside, outside
}

// again are the package's own files, to be checked together with its tests.
func (c *carver) again() []*ast.File {
	var out []*ast.File
	for i, name := range c.b.pkg.Filenames {
		if f, err := parser.ParseFile(c.fset, name, c.b.pkg.Sources[i], parser.SkipObjectResolution); err == nil {
			out = append(out, f)
		}
	}
	return out
}

// check type-checks files, and carves those of tests. Imports that are not in the build leave holes, which is no error here.
func (c *carver) check(path string, files, tests []*ast.File) {
	if len(tests) == 0 {
		return
	}
	c.info = source.NewInfo()
	conf := types.Config{
		Importer: importer(func(p string) (*types.Package, error) {
			if q := c.b.prog.Package(p); q != nil {
				return q.Types, nil
			}
			if c.b.prog.Imports(p) {
				return c.b.prog.Import(p)
			}
			return nil, fmt.Errorf("%s is not in the build", p)
		}),
		Error: func(error) {}, FakeImportC: true, Sizes: c.b.prog.Sizes,
	}
	conf.Check(path, c.fset, files, c.info) // what cannot be checked has no types, and is left out
	for _, f := range tests {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil || fd.Recv != nil || len(c.seeds) >= maxSeeds {
				continue
			}
			w := c.walker()
			w.block(fd.Body.List)
			w.finish()
		}
	}
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// walker follows one test.
type walker struct {
	c *carver
	s seed
	// results counts those of the statements; calls says that one of them calls something.
	results int
	calls   bool
	// env are what variables stand for: a result, or an expression, in the rows of a table.
	env   map[types.Object]binding
	depth int
}

type binding struct {
	result int
	expr   ast.Expr
}

func (c *carver) walker() *walker { return &walker{c: c, env: map[types.Object]binding{}} }

// fork is a walker that goes on from here by itself.
func (w *walker) fork() *walker {
	out := &walker{c: w.c, s: append(seed(nil), w.s...), results: w.results, env: map[types.Object]binding{}, depth: w.depth}
	for k, v := range w.env {
		out.env[k] = v
	}
	return out
}

// finish keeps what was carved.
func (w *walker) finish() {
	if w.calls && len(w.s) > 0 && len(w.s) <= 2*maxStatements && len(w.c.seeds) < maxSeeds {
		w.c.seeds = append(w.c.seeds, w.s)
	}
}

func (w *walker) block(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// stmt follows a statement; what it cannot say it passes over.
func (w *walker) stmt(s ast.Stmt) {
	if w.depth > 8 || len(w.s) > maxStatements {
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
		w.inner(s.X)
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
		w.inner(s.Cond)
		w.block(s.Body.List)
		if s.Else != nil {
			w.stmt(s.Else)
		}
	case *ast.SwitchStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		if s.Tag != nil {
			w.inner(s.Tag)
		}
	case *ast.ForStmt:
		if s.Init != nil {
			w.stmt(s.Init)
		}
		w.block(s.Body.List)
	case *ast.RangeStmt:
		w.rows(s)
	case *ast.DeferStmt:
		w.inner(s.Call)
	case *ast.ReturnStmt:
		for _, x := range s.Results {
			w.inner(x)
		}
	}
}

// subtest is the function literal of a call like t.Run(name, func(t *testing.T) {...}).
func subtest(x ast.Expr) *ast.FuncLit {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	for _, a := range call.Args {
		if lit, ok := a.(*ast.FuncLit); ok && (len(lit.Type.Params.List) == 1 || len(lit.Type.Params.List) == 0) {
			return lit
		}
	}
	return nil
}

// inner follows the calls in an expression, the outermost that can be said.
func (w *walker) inner(x ast.Expr) {
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if _, ok := w.call(n); ok {
				return false
			}
		}
		return true
	})
}

// declare follows var x = y, and var x T.
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
	bind := func(x ast.Expr, r int) {
		if id, ok := x.(*ast.Ident); ok {
			if obj := w.c.info.ObjectOf(id); obj != nil {
				w.env[obj] = binding{result: r}
			}
		} else if sel, ok := x.(*ast.SelectorExpr); ok {
			w.set(sel, r)
		}
	}
	if len(rhs) == 1 && len(lhs) > 1 {
		if call, ok := rhs[0].(*ast.CallExpr); ok {
			if r, ok := w.call(call); ok {
				for i, x := range lhs {
					bind(x, r+i)
				}
				return
			}
		}
		w.inner(rhs[0])
		return
	}
	for i, x := range rhs {
		if i >= len(lhs) {
			break
		}
		t := w.c.info.TypeOf(lhs[i])
		if r, ok := w.value(x, t); ok {
			bind(lhs[i], r)
			continue
		}
		if id, ok := lhs[i].(*ast.Ident); ok && w.composite(x) != nil { // a table
			if obj := w.c.info.ObjectOf(id); obj != nil {
				w.env[obj] = binding{expr: x}
				continue
			}
		}
		w.inner(x)
	}
}

// rows follows the body of a loop over a table once for each row, each by itself; over anything else once.
func (w *walker) rows(s *ast.RangeStmt) {
	table := w.composite(s.X)
	if table == nil {
		w.inner(s.X)
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
	for i, elt := range table.Elts {
		if i == maxRows {
			break
		}
		f := w.fork()
		var k ast.Expr
		v := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			k, v = kv.Key, kv.Value
		}
		if s.Key != nil {
			bind(f, s.Key, k)
		}
		if s.Value != nil {
			bind(f, s.Value, v)
		}
		f.block(s.Body.List)
		f.finish()
	}
}
