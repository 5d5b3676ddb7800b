package observe

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"path/filepath"
	"strings"

	"dsd/internal/fact"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

// runtimeDir is the directory, below the module's root, of the virtual package of the runtime.
const runtimeDir = "zz_dsd_observe"

// rtName is the name under which rewritten files import it. A file that contains the name already
// is not rewritten.
const rtName = "_dsd_observe"

// site is a place that reports.
type site struct {
	pos string // "file:line:col"
	// both reports whether a condition reports that it does not hold, too.
	both bool
	// operands are the operands of a comparison of integers that are constant.
	operands [2]*uint64
	// callee is the called function, "" for a condition.
	callee string
	// constants are the arguments that are constant; nil elements are reported.
	constants []*fact.Value
	method    bool // whether there is a receiver
	// fixed is the number of arguments before those that become a slice; -1 if none do.
	fixed int
}

// testee is the rewritten testee.
type testee struct {
	prog  *source.Program
	files map[string][]byte // the changed files, by names relative to the module's root
	sites []site
	// returns are the functions of the runtime that pass results through.
	returns strings.Builder
}

// rewrite rewrites pkg and the packages of the same module that it imports. follow reports whether
// the calls of a function of the module report, too.
func rewrite(prog *source.Program, pkg *source.Package, follow func(callee string) bool) *testee {
	t := &testee{prog: prog, files: map[string][]byte{}}
	for _, p := range prog.WithImports(pkg) {
		if !p.Cgo {
			t.rewrite(p, follow)
		}
	}
	return t
}

// rewrite rewrites one package.
func (t *testee) rewrite(pkg *source.Package, follow func(string) bool) {
	for i, file := range pkg.Files {
		if strings.Contains(string(pkg.Sources[i]), rtName) {
			continue
		}
		r := &rewriter{testee: t, pkg: pkg, follow: follow, skip: map[ast.Node]bool{}}
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if ok && fd.Body != nil && source.Uninstrumentable(fd) == "" {
				ast.Inspect(fd.Body, r.node)
			}
		}
		if !r.used {
			continue
		}
		_, importPath := t.prog.Generated(runtimeDir)
		r.e.Insert(r.offset(file.Name.End()), fmt.Sprintf("; import %s %q", rtName, importPath))
		name, err := filepath.Rel(t.prog.Dir, pkg.Filenames[i])
		if err != nil {
			continue
		}
		t.files[filepath.ToSlash(name)] = r.e.Apply(pkg.Sources[i])
	}
}

// rewriter rewrites one file.
type rewriter struct {
	*testee
	pkg    *source.Package
	follow func(callee string) bool
	e      overlay.Edits
	used   bool
	// skip holds the calls that go and defer statements make.
	skip map[ast.Node]bool
}

func (r *rewriter) offset(p token.Pos) int { return r.prog.Fset.PositionFor(p, false).Offset }

func (r *rewriter) insert(at token.Pos, text string) {
	r.used = true
	r.e.Insert(r.offset(at), text)
}

// add adds a site and returns its number.
func (t *testee) add(s site, pos token.Pos) int {
	s.pos = t.prog.Pos(pos)
	t.sites = append(t.sites, s)
	return len(t.sites) - 1
}

// node instruments one node; it is called for outer nodes first.
func (r *rewriter) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.IfStmt:
		r.condition(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			r.condition(n.Cond)
		}
	case *ast.RangeStmt:
		r.at(n.Body.Lbrace+1, n.Pos())
	case *ast.SwitchStmt:
		for _, c := range n.Body.List {
			c := c.(*ast.CaseClause)
			for _, x := range c.List {
				if n.Tag == nil {
					r.condition(x)
				} else if len(c.List) == 1 {
					r.at(c.Colon+1, x.Pos())
				}
			}
		}
	case *ast.TypeSwitchStmt:
		for _, c := range n.Body.List {
			if c := c.(*ast.CaseClause); len(c.List) == 1 {
				r.at(c.Colon+1, c.List[0].Pos())
			}
		}
	case *ast.GoStmt:
		r.skip[n.Call] = true
	case *ast.DeferStmt:
		r.skip[n.Call] = true
	case *ast.CallExpr:
		if !r.skip[n] {
			r.call(n)
		}
	}
	return true
}

// at lets control report that it comes to a place, where the condition at pos holds.
func (r *rewriter) at(place, pos token.Pos) {
	r.insert(place, fmt.Sprintf(" %s.At(%d); ", rtName, r.add(site{}, pos)))
}

// condition lets the parts of a condition without &&, || and ! report.
func (r *rewriter) condition(x ast.Expr) {
	switch y := x.(type) {
	case *ast.ParenExpr:
		r.condition(y.X)
		return
	case *ast.UnaryExpr:
		if y.Op == token.NOT {
			r.condition(y.X)
			return
		}
	case *ast.BinaryExpr:
		if y.Op == token.LAND || y.Op == token.LOR {
			r.condition(y.X)
			r.condition(y.Y)
			return
		}
	}
	tv := r.pkg.Info.Types[x]
	if b, ok := tv.Type.(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 || tv.Value != nil {
		return // a comparison may be of a named type because of its context
	}
	id := r.add(site{both: true}, x.Pos())
	if b, ok := x.(*ast.BinaryExpr); ok && r.comparesIntegers(b) {
		r.insert(x.Pos(), fmt.Sprintf("%s.Compared(%d, ", rtName, id))
		for i, y := range []ast.Expr{b.X, b.Y} {
			if c := r.pkg.Info.Types[y].Value; c != nil {
				n := constantValue(c, r.pkg.Info.TypeOf(y)).Bits
				r.sites[id].operands[i] = n
				continue
			}
			r.insert(y.Pos(), fmt.Sprintf("%s.Operand(%d, %d, ", rtName, id, i))
			r.insert(y.End(), ")")
		}
	} else {
		r.insert(x.Pos(), fmt.Sprintf("%s.Cond(%d, ", rtName, id))
	}
	r.insert(x.End(), ")")
}

// comparesIntegers reports whether an expression compares integers that can be passed through a
// function. A shift of a constant has the type of its context, which a call would change.
func (r *rewriter) comparesIntegers(b *ast.BinaryExpr) bool {
	for _, y := range []ast.Expr{b.X, b.Y} {
		t, ok := r.pkg.Info.TypeOf(y).Underlying().(*types.Basic)
		if !ok || t.Info()&types.IsInteger == 0 || t.Info()&types.IsUntyped != 0 || shifts(y) {
			return false
		}
	}
	return true
}

// shifts reports whether an expression contains a shift outside calls and indexes.
func shifts(x ast.Expr) bool {
	found := false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr:
			return false
		case *ast.BinaryExpr:
			found = found || n.Op == token.SHL || n.Op == token.SHR
		}
		return !found
	})
	return found
}

// call lets a call report if it leaves the module, or is to be followed.
func (r *rewriter) call(n *ast.CallExpr) {
	f, recv := r.callee(n)
	if f == nil {
		return
	}
	sig, _ := r.pkg.Info.TypeOf(n.Fun).(*types.Signature)
	if sig == nil || sig.Results().Len() == 0 || f.Type().(*types.Signature).TypeParams().Len() > 0 {
		return
	}
	name := r.name(f, recv)
	if r.prog.Package(packagePath(f)) != nil && !types.IsInterface(recvType(f)) && !r.follow(name) {
		return
	}
	s := site{callee: name, method: recv != nil, fixed: -1}
	if sig.Variadic() && !n.Ellipsis.IsValid() {
		s.fixed = sig.Params().Len() - 1
	}
	id := r.add(s, n.Pos())
	params := len(n.Args)
	if params == 1 {
		if _, ok := r.pkg.Info.TypeOf(n.Args[0]).(*types.Tuple); ok {
			params = -1 // f(g()): the arguments are not told apart
		}
	}
	first := true
	kept := func(x ast.Expr, i int) {
		r.insert(x.Pos(), fmt.Sprintf("%s.Arg(%d, %d, %d, %v, ", rtName, id, i, max(params, 0), first))
		r.insert(x.End(), ")")
		first = false
	}
	r.insert(n.Pos(), fmt.Sprintf("%s.R%d(", rtName, id))
	if recv != nil && r.isValueReceiver(f, recv) {
		kept(recv, -1)
	}
	for i := range params {
		x := n.Args[i]
		tv := r.pkg.Info.Types[x]
		b, basic := tv.Type.(*types.Basic)
		var constant *fact.Value
		switch {
		case tv.Value != nil:
			constant = constantValue(tv.Value, r.paramType(sig, i))
		case tv.IsNil():
			constant = &fact.Value{Nil: true}
		case basic && b.Info()&types.IsUntyped != 0 || basic && shifts(x):
		default:
			kept(x, i)
		}
		r.sites[id].constants = append(r.sites[id].constants, constant)
	}
	r.insert(n.End(), ")")
	r.testee.result(id, sig.Results().Len())
}

// callee returns the function that a call names, and the receiver if it is a method.
func (r *rewriter) callee(n *ast.CallExpr) (f *types.Func, recv ast.Expr) {
	switch fun := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		f, _ = r.pkg.Info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		f, _ = r.pkg.Info.Uses[fun.Sel].(*types.Func)
		if s := r.pkg.Info.Selections[fun]; s != nil && s.Kind() == types.MethodVal {
			return f, fun.X
		} else if s != nil {
			return nil, nil
		}
	}
	return f, nil
}

// name returns the name by which the checker knows a callee.
func (r *rewriter) name(f *types.Func, recv ast.Expr) string {
	if recv != nil {
		if n, ok := types.Unalias(r.pkg.Info.TypeOf(recv)).(*types.Named); ok && types.IsInterface(n) {
			return source.InterfaceMethodName(n, f)
		}
	}
	return source.FuncName(f)
}

// recvType returns the type of a method's receiver, or the type of a function.
func recvType(f *types.Func) types.Type {
	sig := f.Type().(*types.Signature)
	if sig.Recv() != nil {
		return sig.Recv().Type()
	}
	return sig
}

// packagePath returns the import path of a function's package; "" for error.Error.
func packagePath(f *types.Func) string {
	if f.Pkg() == nil {
		return ""
	}
	return f.Pkg().Path()
}

// isValueReceiver reports whether the receiver can be passed through a function and then have its
// method called: it is a value, and so is the method's.
func (r *rewriter) isValueReceiver(f *types.Func, recv ast.Expr) bool {
	t := r.pkg.Info.TypeOf(recv)
	tv := r.pkg.Info.Types[recv]
	return tv.IsValue() && tv.Value == nil && types.Identical(t, recvType(f)) && !types.IsInterface(t)
}

// paramType returns the type of the parameter that argument i is passed to.
func (r *rewriter) paramType(sig *types.Signature, i int) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		if s, ok := sig.Params().At(last).Type().(*types.Slice); ok {
			return s.Elem()
		}
		return types.Typ[types.Uint8] // append([]byte, string...)
	}
	return sig.Params().At(i).Type()
}

// constantValue returns a constant as a value of a type.
func constantValue(c constant.Value, t types.Type) *fact.Value {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return &fact.Value{NotNil: true, Opaque: true}
	}
	number := func(bits uint64) *fact.Value { return &fact.Value{Bits: &bits} }
	switch {
	case b.Info()&types.IsString != 0 && c.Kind() == constant.String:
		text := []byte(constant.StringVal(c))
		return &fact.Value{Text: &text}
	case b.Info()&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		if constant.BoolVal(c) {
			return number(1)
		}
		return number(0)
	case b.Info()&types.IsInteger != 0:
		c = constant.ToInt(c)
		if n, exact := constant.Int64Val(c); exact {
			return number(uint64(n))
		}
		if n, exact := constant.Uint64Val(c); exact {
			return number(n)
		}
	case b.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		if b.Kind() == types.Float32 {
			return number(uint64(math.Float32bits(float32(f))))
		}
		return number(math.Float64bits(f))
	}
	return &fact.Value{Opaque: true}
}

// result writes the function of the runtime through which the n results of call id are passed.
func (t *testee) result(id, n int) {
	var names, params, pointers []string
	for i := range n {
		names = append(names, fmt.Sprintf("T%d", i))
		params = append(params, fmt.Sprintf("r%d T%d", i, i))
		pointers = append(pointers, fmt.Sprintf("&r%d", i))
	}
	list := strings.Join(names, ", ")
	results := strings.ReplaceAll(strings.Join(pointers, ", "), "&", "")
	fmt.Fprintf(&t.returns, "\nfunc R%d[%s any](%s) (%s) {\n\tReturned(%d, %s)\n\treturn %s\n}\n",
		id, list, strings.Join(params, ", "), list, id, strings.Join(pointers, ", "), results)
}
