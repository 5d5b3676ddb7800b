package blame

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

// inputs is how a test makes the inputs of the call that crashes.
type inputs struct {
	// calls are the functions of the module that the test calls, in the order of the source.
	calls []*types.Func
	// texts counts strings and bytes among the arguments, apart from those that hardly matter:
	// see matters. numbers counts the numbers.
	texts, numbers int
	// nils are the types of nil pointers, interfaces with methods, functions and channels that the
	// test writes. objects are the named struct types of the module whose values it writes field by
	// field, or with none, and made those of them with an exported constructor. records counts
	// values of others: without a constructor or unexported fields, they are meant to be written.
	nils, objects, made []string
	// inner are types without a constructor of which the package makes the values itself.
	inner   []string
	records int
	// fixture says of a type whose values the module's tests write, too, which test does; "" if there
	// is none.
	fixture string
	// zeros are the types whose zero value the test uses, as their documentation allows.
	zeros []string
	// anyNil reports whether a nil is written where a value of any type is accepted.
	anyNil bool
	// stubs are the types that the test declares, and answers counts its function literals that
	// return nothing but zero values.
	stubs   []string
	answers int
	// huge is the source text of an implausibly large constant, "" if there is none.
	huge string
	// noConstant says of a value of a type with named constants that it is none of them; "" if there
	// is no such value.
	noConstant string
	// ignored reports whether an error that a call returns is ignored.
	ignored bool
	// links counts where a value may be put into another: assignments to elements and fields, and
	// references that methods get. cycle reports whether a value is put into a part of itself.
	links int
	cycle bool
	// tampered is a field that the test sets of an object that the module's calls made, and no test
	// of the module sets; "" if there is none.
	tampered string
	// overwritten are the fields, by name, that the test sets of such objects, whatever they hold.
	overwritten map[string]string
	// own reports whether an argument or the receiver of the last call is a result of another
	// call of the module.
	own bool
}

// hugeNumber is the absolute value from which an integer constant is implausibly large.
const hugeNumber = 1 << 20

// readInputs reads the test of a crash; nil if it cannot be parsed. What cannot be type-checked
// counts for nothing.
func (c *code) readInputs(pkg *source.Package, t *schemas.Test) *inputs {
	prog := c.prog
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, t.File, t.Source, 0)
	if err != nil {
		return nil
	}
	// The test belongs to a package of its own with the names of pkg: pkg stays as it is.
	own := types.NewPackage(pkg.Path, pkg.Name)
	for _, name := range pkg.Types.Scope().Names() {
		own.Scope().Insert(pkg.Types.Scope().Lookup(name))
	}
	info := source.NewInfo()
	conf := types.Config{Error: func(error) {}, Importer: importer{prog}}
	types.NewChecker(&conf, fset, own, info).Files([]*ast.File{file})
	in := &inputs{}
	r := &inputReader{inputs: in, info: info, code: c, prog: prog, module: prog.Module,
		results: map[types.Object]bool{}, assigned: map[string]bool{},
		wholes: map[types.Object]types.Object{}, aliases: map[types.Object]types.Object{}}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok && !c.callersOwn(own, ts.Name.Name) {
					in.stubs = append(in.stubs, ts.Name.Name)
				}
			}
		case *ast.FuncDecl:
			if d.Name.Name == t.Name && d.Body != nil {
				r.body(d.Body)
			}
		}
	}
	return in
}

// importer imports packages of the module, and others from export data.
type importer struct{ prog *source.Program }

func (i importer) Import(path string) (*types.Package, error) {
	if p := i.prog.Package(path); p != nil {
		return p.Types, nil
	}
	return i.prog.Import(path)
}

// inputReader reads the body of a test.
type inputReader struct {
	*inputs
	info    *types.Info
	code    *code
	prog    *source.Program
	module  string
	results map[types.Object]bool // variables with results of the module's calls
	// assigned are the names of the fields that the test assigns to.
	assigned map[string]bool
	// wholes holds, for a variable with the result of a method, the receiver, and aliases, for one that
	// is defined by another one, that one.
	wholes, aliases map[types.Object]types.Object
	// isLast reports whether the statement that is read is the last one.
	isLast bool
}

// body reads the statements that the last one depends on, except through texts: how a text was made
// does not matter to the call that gets it.
func (r *inputReader) body(body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	for _, s := range body.List {
		if a, ok := s.(*ast.AssignStmt); ok {
			r.define(a)
			for _, l := range a.Lhs {
				if sel, ok := l.(*ast.SelectorExpr); ok {
					r.assigned[sel.Sel.Name] = true
					r.tamper(sel)
				}
			}
		}
	}
	r.last(body.List[len(body.List)-1])
	needed := map[types.Object]bool{}
	var statements []ast.Stmt
	for _, s := range slices.Backward(body.List) {
		if len(statements) == 0 || r.makes(s, needed) {
			statements = append(statements, s)
			ast.Inspect(s, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if v, ok := r.info.ObjectOf(id).(*types.Var); ok && !isText(v.Type()) {
						needed[v] = true
					}
				}
				return true
			})
		} else {
			ast.Inspect(s, func(n ast.Node) bool { // its calls count
				if call, ok := n.(*ast.CallExpr); ok {
					if fn := r.callee(call); fn != nil {
						r.calls = append(r.calls, fn)
					}
				}
				return true
			})
		}
	}
	for i, s := range statements {
		r.isLast = i == 0
		r.statement(s)
	}
}

// makes reports whether a statement mentions a needed variable.
func (r *inputReader) makes(s ast.Stmt, needed map[types.Object]bool) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			found = found || needed[r.info.ObjectOf(id)]
		}
		return !found
	})
	return found
}

func (r *inputReader) statement(s ast.Stmt) {
	var applied *ast.FuncLit
	ast.Inspect(s, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && r.number(x) {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			r.assignment(n)
		case *ast.ValueSpec:
			if len(n.Values) == 0 && n.Type != nil {
				r.zero(r.info.TypeOf(n.Type))
			}
		case *ast.CompositeLit:
			r.composite(n)
		case *ast.FuncLit:
			if n != applied && r.returnsZero(n) {
				r.answers++
			}
			return false // its body is no input
		case *ast.CallExpr:
			if lit, ok := n.Fun.(*ast.FuncLit); ok { // it makes a pointer to its argument
				applied = lit
			}
			if r.isTime(n) { // nanoseconds are no huge number
				return false
			}
			r.call(n)
		}
		return true
	})
}

// isTime reports whether a call makes a value of package time.
func (r *inputReader) isTime(n *ast.CallExpr) bool {
	t := namedOf(r.info.TypeOf(n))
	return t != nil && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "time"
}

// returnsZero reports whether a function literal returns zero values and does nothing else.
func (r *inputReader) returnsZero(n *ast.FuncLit) bool {
	if n.Type.Results.NumFields() == 0 || len(n.Body.List) > 1 {
		return false
	}
	zero := true
	for _, s := range n.Body.List {
		ret, ok := s.(*ast.ReturnStmt)
		if !ok {
			return false
		}
		for _, x := range ret.Results {
			zero = zero && r.isZero(x)
		}
	}
	return zero
}

// isZero reports whether an expression is written as a zero value.
func (r *inputReader) isZero(x ast.Expr) bool {
	if lit, ok := ast.Unparen(x).(*ast.CompositeLit); ok {
		return len(lit.Elts) == 0
	}
	tv := r.info.Types[x]
	switch {
	case tv.IsNil():
		return true
	case tv.Value == nil:
		return false
	case tv.Value.Kind() == constant.String:
		return constant.StringVal(tv.Value) == ""
	case tv.Value.Kind() == constant.Bool:
		return !constant.BoolVal(tv.Value)
	}
	return constant.Sign(tv.Value) == 0
}

// assignment records the nils that are assigned, and the values that are put into others.
func (r *inputReader) assignment(n *ast.AssignStmt) {
	for i, x := range n.Rhs {
		if len(n.Lhs) != len(n.Rhs) || n.Tok == token.DEFINE {
			break
		}
		r.maybeNil(x, r.info.TypeOf(n.Lhs[i]))
		if _, isVar := n.Lhs[i].(*ast.Ident); !isVar && r.info.Types[x].Value == nil {
			r.links++
		}
	}
}

// maybeNil notes an expression that is nil where a value of type t is wanted.
func (r *inputReader) maybeNil(x ast.Expr, t types.Type) {
	if r.info.Types[x].IsNil() {
		r.addNil(t)
	}
}

// define notes the variables that hold results of calls, and whether an error is ignored.
func (r *inputReader) define(n *ast.AssignStmt) {
	if len(n.Rhs) != 1 {
		return
	}
	r.connect(n)
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok || r.callee(call) == nil {
		return
	}
	results := r.callee(call).Type().(*types.Signature).Results()
	for i, l := range n.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			continue
		}
		if id.Name == "_" && i < results.Len() && isError(results.At(i).Type()) {
			r.ignored = true
		} else if obj := r.info.ObjectOf(id); obj != nil {
			r.results[obj] = true
		}
	}
}

// last notes whether the last call uses a result of an earlier one.
func (r *inputReader) last(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.results[r.info.ObjectOf(id)] {
			r.own = true
		}
		return true
	})
}

// callee returns the function of the module that is called; nil for any other call.
func (r *inputReader) callee(n *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.IndexExpr:
		id, _ = f.X.(*ast.Ident)
	}
	if id == nil {
		return nil
	}
	fn, _ := r.info.Uses[id].(*types.Func)
	if fn == nil || fn.Pkg() == nil || !within(fn.Pkg().Path(), r.module) {
		return nil
	}
	return fn.Origin()
}

func (r *inputReader) call(n *ast.CallExpr) {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "new" && len(n.Args) == 1 {
		r.object(r.info.TypeOf(n.Args[0]))
		return
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "make" && len(n.Args) > 1 {
		if s, ok := r.info.TypeOf(n.Args[0]).Underlying().(*types.Slice); ok &&
			types.ExprString(n.Args[1]) != "0" {
			r.addNil(s.Elem()) // its elements are nil
		}
		return
	}
	if len(n.Args) == 1 && isNilLiteral(n.Args[0]) {
		if p, ok := ast.Unparen(n.Fun).(*ast.StarExpr); ok { // also of a package that is not loaded
			r.nils = append(r.nils, "*"+types.ExprString(p.X))
		} else if r.info.Types[n.Fun].IsType() {
			r.addNil(r.info.TypeOf(n.Fun))
		}
	}
	fn := r.callee(n)
	if fn == nil {
		return
	}
	r.calls = append(r.calls, fn)
	params := fn.Signature().Params()
	for i, a := range n.Args {
		t := r.info.TypeOf(a)
		switch last := params.Len() - 1; {
		case fn.Signature().Variadic() && i >= last:
			if s, ok := params.At(last).Type().(*types.Slice); ok && !n.Ellipsis.IsValid() {
				r.maybeNil(a, s.Elem())
			}
		case i <= last:
			r.maybeNil(a, params.At(i).Type())
			// No bytes are a text, too. And what the module does not import has no type here.
			if isNilLiteral(a) || t == nil || t == types.Typ[types.Invalid] {
				t = params.At(i).Type()
			}
		}
		switch {
		case isText(t):
			if r.matters(fn, a) {
				r.texts++
			}
		case isNumber(t):
			r.numbers++
		case fn.Signature().Recv() != nil && isReference(t) && !isNilLiteral(a):
			r.links++
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
				r.cycle = r.cycle || r.isPart(sel.X, a)
			}
		}
	}
}

// matters reports whether a text that is passed to fn is likely to be what crashes the last call: it is
// an argument of that call, or of a function or of a method with an error, which may parse it, or it is
// more than a name such as "a".
func (r *inputReader) matters(fn *types.Func, x ast.Expr) bool {
	results := fn.Signature().Results()
	if r.isLast || fn.Signature().Recv() == nil ||
		results.Len() > 0 && isError(results.At(results.Len()-1).Type()) {
		return true
	}
	v := r.info.Types[x].Value
	if v == nil || v.Kind() != constant.String {
		return true
	}
	text := constant.StringVal(v)
	return text != "" && strings.Trim(text, text[:1]) != ""
}

// composite notes a literal of a struct of the module, and the nils among the elements.
func (r *inputReader) composite(n *ast.CompositeLit) {
	t := r.info.TypeOf(n)
	if t == nil {
		return
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok { // an element &T{} without its type
		t = p.Elem()
	}
	r.object(t, setFields(t, n)...)
	for _, e := range n.Elts {
		var name *ast.Ident
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, _ = kv.Key.(*ast.Ident)
			e = kv.Value
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			r.maybeNil(e, u.Elem())
		case *types.Map:
			r.maybeNil(e, u.Elem())
		case *types.Struct:
			if name != nil {
				if v, ok := r.info.Uses[name].(*types.Var); ok {
					r.maybeNil(e, v.Type())
				}
			}
		}
	}
}

func isNilLiteral(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil"
}

// zero notes a variable without a value: a nil, or a struct.
func (r *inputReader) zero(t types.Type) {
	r.addNil(t)
	r.object(t)
}

func (r *inputReader) addNil(t types.Type) {
	if t == nil {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if u.Empty() {
			r.anyNil = true
			return
		}
		r.nils = append(r.nils, types.TypeString(t, (*types.Package).Name))
	case *types.Pointer, *types.Signature, *types.Chan:
		r.nils = append(r.nils, types.TypeString(t, (*types.Package).Name))
	}
}

// number records an implausibly large constant, and reports whether x is an integer constant.
func (r *inputReader) number(x ast.Expr) bool {
	v := r.info.Types[x].Value
	if v == nil || v.Kind() != constant.Int {
		return false
	}
	if n, exact := constant.Int64Val(v); r.huge == "" &&
		(!exact || n >= hugeNumber || n <= -hugeNumber) {
		r.huge = types.ExprString(x)
	}
	r.enumerated(x, v)
	return true
}

// data reports whether users would write the inputs, too: texts and numbers, and what the module's
// own calls return.
func (in *inputs) data() bool {
	return len(in.nils) == 0 && len(in.objects) == 0 && len(in.stubs) == 0 && in.huge == ""
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isText reports whether a value of type t is a text: a string, bytes, runes, a list of strings, a reader of the standard
// library, or a request.
func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && (b.Info()&types.IsString != 0 || b.Kind() == types.Byte || b.Kind() == types.Rune)
	}
	switch t.String() {
	case "io.Reader", "*strings.Reader", "*bytes.Reader", "*bytes.Buffer", "*bufio.Reader":
		return true
	}
	return isRequest(t)
}

// isRequest reports whether a value of type t is a request to a server, or holds one, such as the context of a web
// framework: clients decide what is in it.
func isRequest(t types.Type) bool {
	const request = "*net/http.Request"
	if t.String() == request {
		return true
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			if r := m.Signature().Results(); r.Len() == 1 && r.At(0).Type().String() == request {
				return true
			}
		}
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() && f.Type().String() == request {
			return true
		}
	}
	return false
}

func isNumber(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// within reports whether a package belongs to a module.
func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}
