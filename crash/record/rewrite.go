package record

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"dsd/internal/callgraph"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Names that recording adds to files of the testee. A file that uses names with _dsd_ is left
// alone.
const (
	rtName = "_dsd_rt"
	okName = "_dsd_ok"
)

// function is a recorded function, with the fields of keep.Func.
type function struct {
	name, symbol, main string
	inputs             []string
	receiver           bool
	globals            []string
	closure            bool // whether a function literal is added
}

// rewriter rewrites the packages of one program.
type rewriter struct {
	prog *source.Program
	// keep is the import path of the runtime.
	keep string
	// funcs and skipped collect the functions of all programs.
	funcs   *[]function
	skipped *[]schemas.LeftOut
	// only are the symbols of the functions to record; nil for all that are not trivial.
	only map[string]bool
	// copies reports whether functions copy their arguments on entry, used whether they save
	// fields on entry, and fatal whether they write their arguments on entry, for a fatal
	// error.
	copies, used, fatal bool
	// writes are the fields that functions write, if used is set.
	writes *writes
	calls  *calls
	// errors are the error variables of the standard library that the packages may use.
	errors map[string]bool
	// files are the rewritten and added files, by absolute name.
	files map[string][]byte

	// The current package and file:

	pkg *source.Package
	src []byte
	e   *overlay.Edits
	// helpers are declarations for the end of the file.
	helpers []string
	// globals are the package-level variables that functions of the package read.
	globals map[string]bool
	// zeros are the types of the variables that the package gets to stand in for what nil
	// pointers point to; see saves.go. The index is the number in the name.
	zeros []string
}

// rewrite rewrites the functions of the program's packages, so that they keep their arguments.
func (w *rewriter) rewrite() {
	g := callgraph.New(w.prog)
	w.calls = newCalls(g)
	if w.used {
		w.writes = newWrites(g)
	}
	for _, pkg := range w.prog.Packages {
		w.pkg, w.globals, w.zeros = pkg, map[string]bool{}, nil
		recorded := false
		for i, file := range pkg.Files {
			recorded = w.file(file, i) || recorded
		}
		if recorded || w.only != nil { // the program must contain the runtime
			w.library()
			w.files[filepath.Join(pkg.Dir, "zz_dsd_keep.go")] = w.register()
		}
	}
}

// file rewrites a file, and reports whether it has a function to record.
func (w *rewriter) file(file *ast.File, i int) bool {
	w.src, w.e, w.helpers = w.pkg.Sources[i], &overlay.Edits{}, nil
	if strings.Contains(string(w.src), "_dsd_") {
		w.skip(w.pkg.Filenames[i], "the file uses names that begin with _dsd_")
		return false
	}
	recorded := false
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || fd.Name.Name == "_" || fd.Recv == nil && fd.Name.Name == "init" {
			continue
		}
		obj, ok := w.pkg.Info.Defs[fd.Name].(*types.Func)
		if !ok {
			continue
		}
		if why := source.Uninstrumentable(fd); why != "" {
			w.skip(source.FuncName(obj), why)
			continue
		}
		if !w.wanted(fd, obj) {
			continue
		}
		w.function(fd, obj)
		recorded = true
	}
	if !recorded {
		return false
	}
	w.e.Insert(w.offset(file.Name.End()), fmt.Sprintf("; import %s %q", rtName, w.keep))
	text := w.e.Apply(w.src)
	for _, h := range w.helpers {
		text = append(append(text, '\n'), h...)
	}
	w.files[w.pkg.Filenames[i]] = append(text, '\n')
	return true
}

// wanted reports whether a function is to be recorded.
func (w *rewriter) wanted(fd *ast.FuncDecl, obj *types.Func) bool {
	if w.only == nil {
		return !w.trivial(fd, obj)
	}
	return w.only[symbolOf(obj)] || w.pkg.Name == "main" && w.only[mainSymbol(obj)]
}

// skip adds a function or file that cannot be recorded.
func (w *rewriter) skip(name, why string) {
	*w.skipped = append(*w.skipped, schemas.LeftOut{Name: name, Reason: why})
}

// offset returns the byte offset of a position in its file.
func (w *rewriter) offset(p token.Pos) int { return w.prog.Fset.PositionFor(p, false).Offset }

// function rewrites a function, so that it keeps its arguments until it returns.
func (w *rewriter) function(fd *ast.FuncDecl, obj *types.Func) {
	f := function{
		name: source.FuncName(obj), symbol: symbolOf(obj),
		receiver: fd.Recv != nil, globals: w.reads(fd.Body),
	}
	if w.pkg.Name == "main" {
		f.main = mainSymbol(obj)
	}
	var inputs []input
	if fd.Recv != nil {
		inputs = w.named(fd.Recv)
	}
	inputs = append(inputs, w.named(fd.Type.Params)...)
	for _, in := range inputs {
		f.inputs = append(f.inputs, in.name)
	}
	number := len(*w.funcs)
	if w.fatal {
		*w.funcs = append(*w.funcs, f)
		w.e.Insert(w.offset(fd.Body.Lbrace)+1, w.enter(fd, inputs, number))
		return
	}
	prelude, helpers := w.deferred(fd, obj, inputs, number)
	w.helpers = append(w.helpers, helpers...)
	f.closure = helpers == nil
	*w.funcs = append(*w.funcs, f)
	w.e.Insert(w.offset(fd.Body.Lbrace)+1, " "+okName+" := false; "+prelude+"; ")
	w.returns(fd)
}

// deferred returns the statement for the beginning of a function that acts if the function does not
// return, and the declarations that it needs. For f(x int) with number 7 these are
//
//	defer _dsd_leave7(&_dsd_ok, x);
//
//	func _dsd_leave7(_dsd_ok *bool, _dsd_v0 int) { if !*_dsd_ok { _dsd_fail7(_dsd_v0) } }
//	func _dsd_fail7(_dsd_v0 int) { _dsd_rt.Frame(7, nil, &_dsd_v0) }
//
// The runtime gets pointers, so that the arguments keep their static types. A function literal
// would be named func1 and renumber those of the function, so one is deferred only where it must
// be: in generic functions, in modes that save something on entry, and where a type takes several
// lines.
func (w *rewriter) deferred(
	fd *ast.FuncDecl, obj *types.Func, inputs []input, number int,
) (prelude string, helpers []string) {
	typeArgs, generic := typeArguments(fd)
	kinds := w.parameterTypes(fd)
	late := ""
	if w.defers(fd.Body) { // a deferred call may panic after the function returned
		late = " || " + rtName + ".Panicking()"
	}
	plain := !slices.ContainsFunc(kinds, func(t string) bool { // on one line, without comments
		return strings.ContainsAny(t, "\n/")
	})
	if !generic && w.writes == nil && !w.copies && plain {
		names, params, values, pointers := "", "", "", ""
		for i, in := range inputs {
			names += ", " + in.ident
			params += fmt.Sprintf(", _dsd_v%d %s", i, kinds[i])
			values += fmt.Sprintf(", _dsd_v%d", i)
			pointers += fmt.Sprintf(", &_dsd_v%d", i)
		}
		return fmt.Sprintf("defer _dsd_leave%d(&%s%s)", number, okName, names), []string{
			// The first one is small enough to be inlined.
			fmt.Sprintf("func _dsd_leave%[1]d(_dsd_ok *bool%[2]s) { if !*_dsd_ok%[4]s { _dsd_fail%[1]d(%[3]s) } }",
				number, params, strings.TrimPrefix(values, ", "), late),
			fmt.Sprintf("func _dsd_fail%d(%s) { %s.Frame(%d, nil%s) }",
				number, strings.TrimPrefix(params, ", "), rtName, number, pointers),
		}
	}
	boxes, pointers := "", ""
	for i, in := range inputs {
		arg := in.ident
		if in.obj != nil && !w.copies && w.changes(fd.Body, in.obj) {
			arg = fmt.Sprintf("_dsd_a%d", i)
			prelude += fmt.Sprintf("%s := %s; ", arg, in.ident)
		}
		boxes += fmt.Sprintf("_dsd_v%d := %s; ", i, arg)
		pointers += fmt.Sprintf(", &_dsd_v%d", i)
	}
	frame, saved := "Frame", ""
	switch {
	case w.copies && len(inputs) > 0:
		args := strings.TrimPrefix(pointers, ", ")
		prelude = boxes + fmt.Sprintf("_dsd_c := %s.Copy(%s); ", rtName, args)
		boxes, pointers = "", ", _dsd_c..."
	case w.writes != nil:
		var before string
		before, saved = w.saves(fd, obj, inputs)
		prelude += before
		frame, pointers = "FrameUsed", ", _dsd_s"+pointers
	}
	return prelude + fmt.Sprintf("defer func() { if !%s%s { %s%s%s.%s(%d, %s%s) } }()",
		okName, late, boxes, saved, rtName, frame, number, typeArgs, pointers), nil
}

// enter returns the statement for the beginning of a function that writes its arguments.
func (w *rewriter) enter(fd *ast.FuncDecl, inputs []input, number int) string {
	typeArgs, _ := typeArguments(fd)
	boxes, pointers := "", ""
	for i, in := range inputs {
		boxes += fmt.Sprintf("_dsd_v%d := %s; ", i, in.ident)
		pointers += fmt.Sprintf(", &_dsd_v%d", i)
	}
	return fmt.Sprintf(" { %s%s.Enter(%d, %s%s) }; ", boxes, rtName, number, typeArgs, pointers)
}

// defers reports whether a function defers a call that may well panic: of a function value, a
// method of an interface, or a function of the module. Functions of other modules, such as Unlock
// and Close, hardly ever panic.
func (w *rewriter) defers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			f := callgraph.Callee(w.pkg.Info, n.Call)
			found = f == nil || callgraph.IsInterfaceMethod(f) ||
				w.prog.Package(f.Pkg().Path()) != nil
		}
		return !found
	})
	return found
}

// typeArguments returns an expression for the type arguments of a function, for the runtime, and
// reports whether the function is generic. The expression is "nil" if the function is not generic
// or one of its type parameters is blank.
func typeArguments(fd *ast.FuncDecl) (text string, generic bool) {
	var names []string
	if fd.Recv != nil {
		names = receiverTypeParams(fd.Recv.List[0].Type)
	}
	if fd.Type.TypeParams != nil {
		for _, field := range fd.Type.TypeParams.List {
			for _, id := range field.Names {
				names = append(names, id.Name)
			}
		}
	}
	if len(names) == 0 || slices.Contains(names, "_") {
		return "nil", len(names) > 0
	}
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s.TypeOf[%s]()", rtName, name))
	}
	return rtName + ".Types(" + strings.Join(list, ", ") + ")", true
}

// parameterTypes returns the types of the receiver and the parameters, as the file writes them.
func (w *rewriter) parameterTypes(fd *ast.FuncDecl) []string {
	var out []string
	for _, x := range parameterExprs(fd) {
		prefix := ""
		if v, ok := x.(*ast.Ellipsis); ok {
			x, prefix = v.Elt, "[]"
		}
		out = append(out, prefix+string(w.src[w.offset(x.Pos()):w.offset(x.End())]))
	}
	return out
}

// symbolOf returns the name of a function in stack traces, without type arguments.
func symbolOf(f *types.Func) string { return symbol.Plain(source.FuncName(f)) }

// mainSymbol returns the name that a function has in stack traces if its package is the main one.
func mainSymbol(f *types.Func) string {
	return "main." + symbol.Parse(source.FuncName(f)).Local()
}

// input is a receiver or parameter: its name in the rewritten source, and in the document.
type input struct {
	ident, name string
	obj         types.Object // nil if it has no name
}

// named returns the inputs of a receiver or parameter list. It gives names to those without.
func (w *rewriter) named(list *ast.FieldList) []input {
	var out []input
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		if len(field.Names) == 0 {
			ident := fmt.Sprintf("_dsd_p%d", int(field.Pos()-list.Pos()))
			w.e.Insert(w.offset(field.Type.Pos()), ident+" ")
			out = append(out, input{ident, "_", nil})
		}
		for _, id := range field.Names {
			if id.Name == "_" {
				ident := fmt.Sprintf("_dsd_p%d", int(id.Pos()-list.Pos()))
				w.e.Replace(w.offset(id.Pos()), w.offset(id.End()), ident)
				out = append(out, input{ident, "_", nil})
				continue
			}
			out = append(out, input{id.Name, id.Name, w.pkg.Info.Defs[id]})
		}
	}
	return out
}

// receiverTypeParams returns the names of the type parameters of a receiver's type.
func receiverTypeParams(t ast.Expr) []string {
	if p, ok := ast.Unparen(t).(*ast.StarExpr); ok {
		t = p.X
	}
	var list []ast.Expr
	switch t := ast.Unparen(t).(type) {
	case *ast.IndexExpr:
		list = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		list = t.Indices
	}
	var out []string
	for _, x := range list {
		if id, ok := x.(*ast.Ident); ok {
			out = append(out, id.Name)
		}
	}
	return out
}

// changes reports whether a body may assign to a variable or take its address, so that the variable
// must be copied on entry. Others need no copy, since they keep their value.
func (w *rewriter) changes(body *ast.BlockStmt, v types.Object) bool {
	found := false
	is := func(x ast.Expr) bool {
		id, ok := root(x).(*ast.Ident)
		return ok && w.pkg.Info.Uses[id] == v
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || is(x)
			}
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.SliceExpr: // of an array
			found = found || is(n.X)
		case *ast.SelectorExpr: // a method of the address
			if s := w.pkg.Info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				found = found || is(n.X)
			}
		}
		return !found
	})
	return found
}

// root returns the variable that an expression denotes a part of: x for x.f[i].
func root(x ast.Expr) ast.Expr {
	for {
		switch y := ast.Unparen(x).(type) {
		case *ast.SelectorExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		default:
			return y
		}
	}
}

// reads returns the package-level variables of its package that a function mentions.
func (w *rewriter) reads(body *ast.BlockStmt) []string {
	var out []string
	seen := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := w.pkg.Info.Uses[id].(*types.Var)
		if ok && v.Parent() == w.pkg.Types.Scope() && !seen[v] {
			seen[v] = true
			w.globals[v.Name()] = true
			out = append(out, w.pkg.Path+"."+v.Name())
		}
		return true
	})
	return out
}

// register returns a file for the package that registers the package-level variables that its
// functions mention, and its errors, which are known by their identity. It also declares the zero
// variables.
func (w *rewriter) register() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport %s %q\n\nvar _ = %s.Var\n\nfunc init() {\n",
		w.pkg.Name, rtName, w.keep, rtName)
	for _, name := range w.pkg.Types.Scope().Names() {
		v, ok := w.pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok || name == "_" {
			continue
		}
		if w.globals[name] {
			fmt.Fprintf(&b, "\t%s.Var(%q, &%s)\n", rtName, w.pkg.Path+"."+name, name)
		}
		if isError(v.Type()) {
			fmt.Fprintf(&b, "\t%s.Sentinel(%q, &%s)\n", rtName, w.pkg.Path+"."+name, name)
		}
	}
	b.WriteString("}\n")
	for i, t := range w.zeros {
		fmt.Fprintf(&b, "\nvar %s%d %s\n", zeroName, i, t)
	}
	return []byte(b.String())
}

// isError reports whether a type is error.
func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// library adds the error variables of the packages of the standard library that the package
// imports.
func (w *rewriter) library() {
	for _, imp := range w.pkg.Types.Imports() {
		if !symbol.MayBeStandard(imp.Path()) || w.prog.Package(imp.Path()) != nil ||
			imp.Path() == "unsafe" || !w.prog.Imports(imp.Path()) {
			continue
		}
		for _, name := range imp.Scope().Names() {
			v, ok := imp.Scope().Lookup(name).(*types.Var)
			if ok && v.Exported() && isError(v.Type()) {
				w.errors[imp.Path()+"."+name] = true
			}
		}
	}
}
