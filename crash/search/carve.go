package search

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"math"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dsd/crash/exec"
	"dsd/crash/gofile"
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
	op    *exec.Op
	args  []int
	value value
}

// programs are the seeds over a table; those with operations that are not in it are left out.
func programs(seeds []seed, table []*exec.Op) []exec.Program {
	number := map[*exec.Op]int{}
	for i, o := range table {
		number[o] = i
	}
	var out []exec.Program
next:
	for _, s := range seeds {
		var p exec.Program
		for _, st := range s {
			n, ok := number[st.op]
			if !ok {
				continue next
			}
			p = append(p, exec.Stmt{Op: n, Args: st.args, Bits: st.value.bits, Text: st.value.text})
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
	calls map[string]*exec.Op
	made  map[string]*exec.Op // operations made here, by what they are
	fixed int
	seeds []seed
}

// carve adds candidates made of the package's tests.
func (b *graphBuilder) carve() {
	c := &carver{b: b, fset: token.NewFileSet(), src: map[string][]byte{}, calls: map[string]*exec.Op{}, made: map[string]*exec.Op{}}
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

func callKey(o *exec.Op) string {
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

// set assigns a field of a variable that is there.
func (w *walker) set(sel *ast.SelectorExpr, r int) {
	s := w.c.info.Selections[sel]
	if s == nil || s.Kind() != types.FieldVal || len(s.Index()) != 1 {
		return
	}
	on, ok := w.value(sel.X, nil)
	if !ok {
		return
	}
	t := w.c.info.TypeOf(sel.X)
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return
	}
	for _, o := range w.c.b.g.Table {
		if len(o.Fields) == 2 && o.Fields[0] == nil && o.OnFirst && o.Fields[1].Name() == sel.Sel.Name && key(o.In[0]) == key(t) {
			w.add(seedStmt{op: o, args: []int{on, r}})
			return
		}
	}
}

// composite is the literal that an expression is, through variables that stand for one.
func (w *walker) composite(x ast.Expr) *ast.CompositeLit {
	switch x := x.(type) {
	case *ast.CompositeLit:
		return x
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return w.composite(x.X)
		}
	case *ast.ParenExpr:
		return w.composite(x.X)
	case *ast.Ident:
		obj := w.c.info.ObjectOf(x)
		if b, ok := w.env[obj]; ok {
			if b.expr != nil {
				return w.composite(b.expr)
			}
			return nil
		}
		return w.c.table(obj)
	}
	return nil
}

// table is the literal that a package-level variable of a test file is initialised with.
func (c *carver) table(obj types.Object) *ast.CompositeLit {
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	for _, init := range c.info.InitOrder {
		if len(init.Lhs) == 1 && init.Lhs[0] == obj {
			lit, _ := init.Rhs.(*ast.CompositeLit)
			return lit
		}
	}
	return nil
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

// add adds a statement and returns the number of its first result.
func (w *walker) add(st seedStmt) int {
	w.s = append(w.s, st)
	n := w.results
	w.results += len(st.op.Out)
	return n
}

// op returns an operation made for a key, adding it to the table first.
//
// The types of the operation are those of the loaded package: the tests are checked with another copy of it. It is nil if there
// are no such types, as they are declared in the tests, or if the harness cannot name them.
func (c *carver) op(k string, t types.Type, make func(t types.Type) *exec.Op) *exec.Op {
	if o, ok := c.made[k]; ok {
		return o
	}
	c.made[k] = nil
	if t = c.native(t); t == nil {
		return nil
	}
	o := make(t)
	if o == nil || !c.b.has(o) && !c.b.add(o) {
		return nil
	}
	c.made[k] = o
	return o
}

// has says that an operation is in the table.
func (b *graphBuilder) has(o *exec.Op) bool { return slices.Contains(b.g.Table, o) }

// native is a type as the loaded program has it, nil if it has not.
func (c *carver) native(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil {
			return t
		}
		if o.Parent() != o.Pkg().Scope() {
			return nil
		}
		p := c.lookup(o.Pkg().Path())
		if p == nil {
			return nil
		}
		own, ok := p.Scope().Lookup(o.Name()).(*types.TypeName)
		if !ok {
			return nil
		}
		if t.TypeArgs().Len() == 0 {
			return types.Unalias(own.Type())
		}
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			if a = c.native(a); a == nil {
				return nil
			}
			args = append(args, a)
		}
		inst, err := types.Instantiate(nil, own.Type(), args, true)
		if err != nil {
			return nil
		}
		return inst
	case *types.Pointer:
		if e := c.native(t.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := c.native(t.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := c.native(t.Elem()); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := c.native(t.Elem()); e != nil {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		if k, e := c.native(t.Key()), c.native(t.Elem()); k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Interface:
		if t.Empty() {
			return t
		}
	case *types.Signature:
		params, results := c.tuple(t.Params()), c.tuple(t.Results())
		if t.TypeParams().Len() == 0 && params != nil && results != nil {
			return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
		}
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			ft := c.native(f.Type())
			if ft == nil || !f.Exported() {
				return nil
			}
			fields = append(fields, types.NewField(token.NoPos, nil, f.Name(), ft, f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	}
	return nil
}

func (c *carver) tuple(t *types.Tuple) *types.Tuple {
	vars := []*types.Var{}
	for v := range t.Variables() {
		vt := c.native(v.Type())
		if vt == nil {
			return nil
		}
		vars = append(vars, types.NewParam(token.NoPos, nil, "", vt))
	}
	return types.NewTuple(vars...)
}

// lookup is a package of the loaded program, nil if it has none of that path.
func (c *carver) lookup(path string) *types.Package {
	if p := c.b.prog.Package(path); p != nil {
		return p.Types
	}
	if c.b.prog.Imports(path) {
		if p, err := c.b.prog.Import(path); err == nil {
			return p
		}
	}
	return nil
}

// zero adds the zero value of a type that is a struct, or something else that is useful as it is.
func (w *walker) zero(t types.Type) (int, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return w.literal(t, constant.MakeInt64(0), b)
	}
	o := w.c.op("zero "+key(t), t, exec.Zero)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o}), true
}

// literal adds a constant of a basic type.
func (w *walker) literal(t types.Type, v constant.Value, b *types.Basic) (int, bool) {
	var val value
	info := b.Info()
	switch {
	case info&types.IsString != 0:
		if v.Kind() == constant.String {
			val.text = constant.StringVal(v)
		}
	case info&types.IsBoolean != 0:
		if v.Kind() == constant.Bool && constant.BoolVal(v) {
			val.bits = 1
		}
	case info&types.IsInteger != 0:
		i := constant.ToInt(v)
		if n, ok := constant.Int64Val(i); ok {
			val.bits = uint64(n)
		} else if n, ok := constant.Uint64Val(i); ok {
			val.bits = n
		} else {
			return 0, false
		}
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		val.bits = math.Float64bits(f)
	default:
		return 0, false
	}
	if b.Info()&types.IsUntyped != 0 {
		t = types.Default(b)
	}
	o := w.c.op("literal "+key(t), t, w.c.b.literal)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, value: val}), true
}

// literal is the operation that makes literals of a type, the one that is there if there is one.
func (b *graphBuilder) literal(t types.Type) *exec.Op {
	for _, o := range b.g.Table {
		if o.Lit && key(o.Out[0]) == key(t) {
			return o
		}
	}
	return exec.Literal(t)
}

// value adds what makes the value of an expression, as one of type t if that is not nil, and returns the number of the result.
func (w *walker) value(x ast.Expr, t types.Type) (int, bool) {
	tv := w.c.info.Types[x]
	if t == nil {
		t = tv.Type
	}
	if t == nil || tv.Type == nil {
		return 0, false
	}
	if types.IsInterface(t) && !types.IsInterface(tv.Type) && !tv.IsNil() {
		return w.convert(x, t)
	}
	if b, ok := t.Underlying().(*types.Basic); ok && tv.Value != nil {
		return w.literal(t, tv.Value, b)
	}
	if tv.IsNil() {
		return w.zero(t)
	}
	switch x := x.(type) {
	case *ast.ParenExpr:
		return w.value(x.X, t)
	case *ast.Ident:
		if b, ok := w.env[w.c.info.ObjectOf(x)]; ok {
			if b.expr != nil {
				return w.value(b.expr, t)
			}
			return b.result, true
		}
	case *ast.SelectorExpr:
		if f := w.field(x); f != nil {
			return w.value(f, t)
		}
	case *ast.CallExpr:
		if r, ok := w.call(x); ok {
			return r, true
		}
	case *ast.UnaryExpr:
		if id, ok := x.X.(*ast.Ident); ok && x.Op == token.AND {
			if b, ok := w.env[w.c.info.ObjectOf(id)]; ok && b.expr == nil {
				return w.address(b.result, tv.Type)
			}
		}
	case *ast.CompositeLit:
		if s, ok := tv.Type.Underlying().(*types.Slice); ok && !w.c.closed(x) {
			return w.slice(x, tv.Type, s)
		}
	}
	return w.expression(x, t)
}

// field is the expression of a field of a table's row.
func (w *walker) field(x *ast.SelectorExpr) ast.Expr {
	row := w.composite(x.X)
	if row == nil {
		return nil
	}
	s, ok := w.c.info.TypeOf(row).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range row.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == x.Sel.Name {
				return kv.Value
			}
		} else if i < s.NumFields() && s.Field(i).Name() == x.Sel.Name {
			return e
		}
	}
	return nil
}

// convert adds a value as one of an interface.
func (w *walker) convert(x ast.Expr, t types.Type) (int, bool) {
	from := w.c.info.TypeOf(x)
	if b, ok := from.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		from = types.Default(from)
	}
	r, ok := w.value(x, from)
	if !ok {
		return 0, false
	}
	o := w.c.op("convert "+key(t)+" "+key(from), from, func(own types.Type) *exec.Op {
		for _, o := range w.c.b.g.Table {
			if o.Converts && key(o.In[0]) == key(own) && key(o.Out[0]) == key(t) {
				return o
			}
		}
		if to := w.c.native(t); to != nil {
			return exec.Convert(to, own)
		}
		return nil
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: []int{r}}), true
}

// address adds the address of a value that is there.
func (w *walker) address(r int, t types.Type) (int, bool) {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return 0, false
	}
	if _, ok := p.Elem().Underlying().(*types.Interface); ok {
		return 0, false
	}
	o := w.c.op("address "+key(t), t, exec.AddressOf)
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: []int{r}}), true
}

// slice adds a slice of elements.
func (w *walker) slice(x *ast.CompositeLit, t types.Type, s *types.Slice) (int, bool) {
	var args []int
	for _, e := range x.Elts {
		r, ok := w.value(e, s.Elem())
		if !ok {
			return 0, false
		}
		args = append(args, r)
	}
	return w.sliceOf(t, args)
}

func (w *walker) sliceOf(t types.Type, args []int) (int, bool) {
	o := w.c.op("slice "+key(t), t, func(own types.Type) *exec.Op {
		for _, o := range w.c.b.g.Table {
			if o.Variadic && key(o.Out[0]) == key(own) {
				return o
			}
		}
		return exec.SliceOf(own)
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o, args: args}), true
}

// expression adds an expression that depends on no variable as it stands.
func (w *walker) expression(x ast.Expr, t types.Type) (int, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 || !w.c.closed(x) {
		return 0, false
	}
	text, uses := w.c.text(x)
	if text == "" || len(text) > 2000 {
		return 0, false
	}
	k := "expr " + key(t) + " " + text
	if _, ok := w.c.made[k]; !ok {
		if w.c.fixed++; w.c.fixed > maxFixed {
			return 0, false
		}
	}
	// A literal that stands in another may leave out its type.
	lit, _ := x.(*ast.CompositeLit)
	bare := lit != nil && lit.Type == nil
	o := w.c.op(k, t, func(own types.Type) *exec.Op {
		typ := w.c.native(w.c.info.TypeOf(x))
		if typ == nil {
			return nil
		}
		return exec.Fixed(own, func(f *gofile.File) string {
			out := oneLine(spelled(text, uses, f))
			if p, ok := typ.(*types.Pointer); ok && bare {
				return "&" + f.Type(p.Elem()) + out
			} else if bare {
				return f.Type(typ) + out
			}
			return out
		}, "from a test")
	})
	if o == nil {
		return 0, false
	}
	return w.add(seedStmt{op: o}), true
}

// call adds a call of a function, and returns the number of its first result.
func (w *walker) call(x *ast.CallExpr) (int, bool) {
	var fn *types.Func
	var recv ast.Expr
	fun := ast.Unparen(x.Fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		fn, _ = w.c.info.Uses[f].(*types.Func)
	case *ast.SelectorExpr:
		fn, _ = w.c.info.Uses[f.Sel].(*types.Func)
		if fn != nil && fn.Type().(*types.Signature).Recv() != nil {
			recv = f.X
		}
	}
	if fn == nil || fn.Pkg() == nil {
		return 0, false
	}
	var args []int
	var op *exec.Op
	name := source.FuncName(fn)
	if recv != nil {
		t := w.c.info.TypeOf(recv)
		if t == nil {
			return 0, false
		}
		r, ok := w.value(recv, nil)
		if !ok {
			return 0, false
		}
		if op = w.c.calls[name+" "+key(t)]; op == nil {
			pt := types.NewPointer(t)
			if op = w.c.calls[name+" "+key(pt)]; op != nil {
				if r, ok = w.address(r, pt); !ok {
					return 0, false
				}
			} else if p, ok := t.Underlying().(*types.Pointer); ok {
				if op = w.c.calls[name+" "+key(p.Elem())]; op != nil {
					o := w.c.op("deref "+key(p.Elem()), p.Elem(), exec.Deref)
					if o == nil {
						return 0, false
					}
					r = w.add(seedStmt{op: o, args: []int{r}})
				}
			}
		}
		args = append(args, r)
	} else {
		op = w.c.calls[name]
	}
	if op == nil {
		return 0, false
	}
	sig, ok := w.c.info.TypeOf(x.Fun).(*types.Signature)
	if !ok {
		return 0, false
	}
	list := x.Args
	in := op.In[len(args):]
	for i, t := range in {
		if sig.Variadic() && i == len(in)-1 && !x.Ellipsis.IsValid() {
			s, ok := t.Underlying().(*types.Slice)
			if !ok {
				return 0, false
			}
			var elems []int
			for _, a := range list[min(i, len(list)):] {
				r, ok := w.value(a, s.Elem())
				if !ok {
					return 0, false
				}
				elems = append(elems, r)
			}
			r, ok := w.sliceOf(t, elems)
			if !ok {
				return 0, false
			}
			args = append(args, r)
			break
		}
		if i >= len(list) {
			return 0, false
		}
		r, ok := w.value(list[i], t)
		if !ok {
			return 0, false
		}
		args = append(args, r)
	}
	w.calls = true
	return w.add(seedStmt{op: op, args: args}), true
}

// closed says that an expression means the same outside of its function and its file: it names nothing but what is predeclared,
// its own, exported by other packages that the harness may import, or declared in the package, tests aside.
func (c *carver) closed(x ast.Expr) bool {
	ok := true
	own := map[types.Object]bool{}
	ast.Inspect(x, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return ok
		}
		if obj := c.info.Defs[id]; obj != nil {
			own[obj] = true
			return ok
		}
		obj := c.info.Uses[id]
		switch {
		case obj == nil:
			ok = id.Name == "_" || types.Universe.Lookup(id.Name) != nil
		case own[obj] || obj.Pkg() == nil:
		case obj.Parent() != nil && obj.Parent() == obj.Pkg().Scope():
			ok = ok && c.reachable(obj)
		default:
			switch o := obj.(type) {
			case *types.PkgName:
				ok = ok && (o.Imported().Path() == c.b.pkg.Path || c.b.file.Importable(o.Imported()) && !unsafe[o.Imported().Path()] || o.Imported().Path() == "time")
			case *types.Var:
				ok = ok && o.IsField()
			case *types.Func: // a method
			case *types.Label:
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

// reachable says that a package-level object is there without the test files.
func (c *carver) reachable(obj types.Object) bool {
	if p := obj.Pkg(); p.Path() != c.b.pkg.Path && p.Path() != c.b.pkg.Path+"_test" {
		return obj.Exported()
	}
	return c.b.pkg.Types.Scope().Lookup(obj.Name()) != nil && obj.Pkg().Path() == c.b.pkg.Path
}

// use is where an expression's text names a package.
type use struct {
	from, to   int // of the name and the dot
	path, name string
}

// text is an expression as it stands, with the places where it names packages.
func (c *carver) text(x ast.Expr) (string, []use) {
	at := c.fset.Position(x.Pos())
	src, ok := c.src[at.Filename]
	to := c.fset.Position(x.End()).Offset
	if !ok || to > len(src) {
		return "", nil
	}
	var uses []use
	ast.Inspect(x, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if p, ok := c.info.Uses[id].(*types.PkgName); ok {
				uses = append(uses, use{c.fset.Position(id.Pos()).Offset - at.Offset, c.fset.Position(sel.Sel.Pos()).Offset - at.Offset, p.Imported().Path(), p.Imported().Name()})
			}
		}
		return true
	})
	sort.Slice(uses, func(i, j int) bool { return uses[i].from < uses[j].from })
	return string(src[at.Offset:to]), uses
}

// spelled is such a text in a file.
func spelled(text string, uses []use, f *gofile.File) string {
	var out strings.Builder
	at := 0
	for _, u := range uses {
		out.WriteString(text[at:u.from])
		if u.path != f.Pkg.Path() {
			out.WriteString(f.Use(u.path, u.name) + ".")
		}
		at = u.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// oneLine writes a text in one line, so that each operation of the table has one.
func oneLine(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var s scanner.Scanner
	var fset token.FileSet
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), nil, 0)
	var out strings.Builder
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.TrimSuffix(strings.TrimSpace(out.String()), ";")
		case tok == token.SEMICOLON:
			out.WriteString("; ")
		case tok == token.STRING && strings.Contains(lit, "\n"):
			out.WriteString(strconv.Quote(lit[1:len(lit)-1]) + " ")
		case tok == token.PERIOD: // a package's name is found by the dot after it
			joined := strings.TrimSuffix(out.String(), " ") + "."
			out.Reset()
			out.WriteString(joined)
		case tok.IsLiteral():
			out.WriteString(lit + " ")
		default:
			out.WriteString(tok.String() + " ")
		}
	}
}
