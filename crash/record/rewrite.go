package record

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Names of ours in the testee's files; a file that uses them is left as it is.
const (
	rtName = "_dsd_rt"
	okName = "_dsd_ok"
)

// function is a function that is recorded, as keep.Func has it.
type function struct {
	name, symbol, main string
	inputs             []string
	receiver           bool
	globals            []string
	// closure says that a function literal is added to it.
	closure bool
}

// rewriter rewrites the packages of one program.
type rewriter struct {
	prog *source.Program
	// keep is the import path of the runtime.
	keep string
	// funcs are those of all programs.
	funcs   *[]function
	skipped *[]schemas.LeftOut
	// only are the symbols of the functions that are recorded; nil if all are that are not trivial.
	only map[string]bool
	// writes says which fields functions write, which are then saved as they are entered; nil if none are.
	writes *writes
	// errors are the standard library's error variables.
	errors map[string]bool
	// copies says that arguments are copied as functions are entered.
	copies bool
	calls  *calls
	// fatal says that functions keep their arguments as they are entered, for a fatal error.
	fatal bool
	// files are the rewritten and added files, by absolute name.
	files map[string][]byte

	pkg *source.Package
	src []byte
	e   *overlay.Edits
	// helpers are declarations that go to the end of the file.
	helpers []string
	// globals are the package-level variables that functions of the package read.
	globals map[string]bool
	// zeros are the types of the package's variables that stand in for what nil would point to, by their number.
	zeros []string
}

// rewrite lets the functions of the program's packages keep their arguments.
func (w *rewriter) rewrite() {
	w.calls = callsIn(w.prog)
	for _, pkg := range w.prog.Packages {
		w.pkg, w.globals, w.zeros = pkg, map[string]bool{}, nil
		recorded := false
		for i, file := range pkg.Files {
			recorded = w.file(file, i) || recorded
		}
		if recorded || w.only != nil { // the runtime must be there
			w.library()
			w.files[filepath.Join(pkg.Dir, "zz_dsd_keep.go")] = w.register()
		}
	}
}

// file rewrites a file; false if nothing in it is recorded.
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
		if why := source.Untouchable(fd); why != "" {
			w.skip(source.FuncName(obj), why)
			continue
		}
		if w.only == nil && w.trivial(fd, obj) || w.only != nil && !w.only[symbolOf(obj)] && !(w.pkg.Name == "main" && w.only[mainSymbol(obj)]) {
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

func (w *rewriter) skip(name, why string) {
	*w.skipped = append(*w.skipped, schemas.LeftOut{Name: name, Reason: why})
}

func (w *rewriter) offset(p token.Pos) int { return w.prog.Fset.PositionFor(p, false).Offset }

// function lets a function keep its arguments, until it returns.
func (w *rewriter) function(fd *ast.FuncDecl, obj *types.Func) {
	f := function{name: source.FuncName(obj), symbol: symbolOf(obj), receiver: fd.Recv != nil, globals: w.reads(fd.Body)}
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

// deferred is the statement, at the beginning of a function, that acts if it does not return, and the declarations that this needs. What
// the runtime gets are pointers, so that the arguments keep their static types in any version of the language.
//
// A function literal takes the name of the first one that is there, func1, so it is not one if that can be avoided.
func (w *rewriter) deferred(fd *ast.FuncDecl, obj *types.Func, inputs []input, number int) (prelude string, helpers []string) {
	typeArgs, generic := typeArguments(fd)
	kinds := w.parameterTypes(fd)
	late := ""
	if w.defers(fd.Body) { // what it deferred may panic after it returned
		late = " || " + rtName + ".Panicking()"
	}
	plain := !slices.ContainsFunc(kinds, func(t string) bool { return strings.ContainsAny(t, "\n/") })
	if !generic && w.writes == nil && !w.copies && plain {
		names, params, values, pointers := "", "", "", ""
		for i, in := range inputs {
			names += ", " + in.ident
			params += fmt.Sprintf(", _dsd_v%d %s", i, kinds[i])
			values += fmt.Sprintf(", _dsd_v%d", i)
			pointers += fmt.Sprintf(", &_dsd_v%d", i)
		}
		return fmt.Sprintf("defer _dsd_leave%d(&%s%s)", number, okName, names), []string{
			// The first is small enough to be inlined.
			fmt.Sprintf("func _dsd_leave%[1]d(_dsd_ok *bool%[2]s) { if !*_dsd_ok%[4]s { _dsd_fail%[1]d(%[3]s) } }", number, params, strings.TrimPrefix(values, ", "), late),
			fmt.Sprintf("func _dsd_fail%d(%s) { %s.Frame(%d, nil%s) }", number, strings.TrimPrefix(params, ", "), rtName, number, pointers),
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
		prelude = boxes + fmt.Sprintf("_dsd_c := %s.Copy(%s); ", rtName, strings.TrimPrefix(pointers, ", "))
		boxes, pointers = "", ", _dsd_c..."
	case w.writes != nil:
		var before string
		before, saved = w.saves(fd, obj, inputs)
		prelude += before
		frame, pointers = "FrameUsed", ", _dsd_s"+pointers
	}
	return prelude + fmt.Sprintf("defer func() { if !%s%s { %s%s%s.%s(%d, %s%s) } }()", okName, late, boxes, saved, rtName, frame, number, typeArgs, pointers), nil
}

// enter is the statement, at the beginning of a function, that writes what it is called with.
func (w *rewriter) enter(fd *ast.FuncDecl, inputs []input, number int) string {
	typeArgs, _ := typeArguments(fd)
	boxes, pointers := "", ""
	for i, in := range inputs {
		boxes += fmt.Sprintf("_dsd_v%d := %s; ", i, in.ident)
		pointers += fmt.Sprintf(", &_dsd_v%d", i)
	}
	return fmt.Sprintf(" { %s%s.Enter(%d, %s%s) }; ", boxes, rtName, number, typeArgs, pointers)
}

// defers says that a function defers a call of a function value or method of an interface, or of the module's own functions: those of
// others, such as Unlock and Close, hardly ever panic.
func (w *rewriter) defers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			list := calleesOf(w.pkg.Info, n.Call, nil)
			found = len(list) == 0 || w.prog.Package(list[0].Pkg().Path()) != nil
		}
		return !found
	})
	return found
}

// typeArguments is an expression for the type arguments of a generic function, as the runtime gets them; "nil" if there are none, or one
// of the parameters has no name.
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

// parameterTypes are the types of the receiver and the parameters, as the file writes them.
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

// symbolOf is what the runtime calls a function, but for type arguments.
func symbolOf(f *types.Func) string { return symbol.Plain(source.FuncName(f)) }

// mainSymbol is what it calls one of a main package in its program.
func mainSymbol(f *types.Func) string {
	return "main." + symbol.Parse(source.FuncName(f)).Local()
}

// input is a receiver or parameter: what it is called in the rewritten source, and in the document.
type input struct {
	ident, name string
	obj         types.Object
}

// named gives names to the receiver or parameters that have none.
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

// receiverTypeParams are the names of the type parameters of a receiver's type.
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

// changes says that a variable may be assigned to in a body, or have its address taken, so that it has to be copied to be kept; a copy
// of one that never changes costs nothing.
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
		case *ast.SelectorExpr: // a method of its address
			if s := w.pkg.Info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				found = found || is(n.X)
			}
		}
		return !found
	})
	return found
}

// root is the variable whose own memory an expression denotes a part of.
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

// reads are the package-level variables of its package that a function reads.
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

// register is a file that registers the package-level variables that the package's functions read, and those that hold errors, which are
// known by their identity.
func (w *rewriter) register() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport %s %q\n\nvar _ = %s.Var\n\nfunc init() {\n", w.pkg.Name, rtName, w.keep, rtName)
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

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// library notes the errors that the standard library's packages have which the package imports.
func (w *rewriter) library() {
	for _, imp := range w.pkg.Types.Imports() {
		if !symbol.MayBeStandard(imp.Path()) || w.prog.Package(imp.Path()) != nil || imp.Path() == "unsafe" || !w.prog.Imports(imp.Path()) {
			continue
		}
		for _, name := range imp.Scope().Names() {
			if v, ok := imp.Scope().Lookup(name).(*types.Var); ok && v.Exported() && isError(v.Type()) {
				w.errors[imp.Path()+"."+name] = true
			}
		}
	}
}
