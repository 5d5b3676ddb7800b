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
	// funcs, lits and skipped collect the functions and function literals of all programs.
	funcs   *[]function
	lits    *[]literal
	skipped *[]schemas.LeftOut
	// only are the symbols of the functions to record; nil for all that are not trivial.
	only map[string]bool
	// copies reports whether functions copy their arguments on entry, used whether they save
	// fields on entry, and fatal whether they write their arguments on entry, for a fatal
	// error.
	copies, used, fatal bool
	// switched reports whether functions record only while their switches are on, closures whether
	// the captured variables of closures are recorded.
	switched, closures bool
	// writes are the fields that functions write, if used is set.
	writes *writes
	calls  *calls
	// entries are the functions through which requests come in, if switched is set.
	entries *entries
	// errors are the error variables of the standard library that the packages may use.
	errors map[string]bool
	// files are the rewritten and added files, by absolute name.
	files map[string][]byte

	// The current package and file:

	pkg *source.Package
	src []byte
	e   *overlay.Edits
	// here are the functions whose calls are recorded, and found those of them that some program has. leads are the
	// functions that may be on the stack then.
	here  []string
	found map[string]bool
	leads map[*types.Func]bool

	// renamed are the variables of the file that get other names.
	renamed map[types.Object]string
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
	w.calls = newCalls(w.prog, g)
	if w.switched {
		w.entries = newEntries(w, g)
	}
	if w.used {
		w.writes = newWrites(g)
	}
	if len(w.here) > 0 {
		w.leads = w.leading(g)
	}
	for _, pkg := range w.prog.Packages {
		w.pkg, w.globals, w.zeros = pkg, map[string]bool{}, nil
		recorded := false
		for i, file := range pkg.Files {
			recorded = w.file(file, i) || recorded
		}
		if recorded || w.only != nil || w.switched { // the program must contain the runtime
			w.library()
			w.files[filepath.Join(pkg.Dir, "zz_dsd_keep.go")] = w.register()
		}
	}
}

// file rewrites a file, and reports whether it has a function to record.
func (w *rewriter) file(file *ast.File, i int) bool {
	w.src, w.e, w.helpers, w.renamed = w.pkg.Sources[i], &overlay.Edits{}, nil, map[types.Object]string{}
	if strings.Contains(string(w.src), "_dsd_") {
		w.skip(w.pkg.Filenames[i], "the file uses names that begin with _dsd_")
		return false
	}
	recorded := false
	for _, d := range file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil || fd.Name.Name == "_" ||
			fd.Recv == nil && fd.Name.Name == "init" {
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
		if w.isHere(obj) {
			w.e.Insert(w.offset(fd.Body.Lbrace)+1, " "+rtName+".Here(); ")
			recorded = true
			continue
		}
		if !w.wanted(fd, obj) {
			continue
		}
		w.function(fd, obj)
		recorded = true
	}
	if w.switched {
		recorded = w.handlers(file) || recorded
	}
	if w.closures { // last, when it is known which variables get other names
		recorded = w.literals(file, w.pkg.Filenames[i]) || recorded
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
		return !w.trivial(fd, obj) || w.switched && w.entries.isEntry(obj)
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
	// A function that is mostly not recorded is left as it is but for its first statement. Once it is recorded, it
	// finds out the slow way whether it returned.
	entry := w.switched && w.entries.isEntry(obj)
	watched := !w.switched || entry
	prelude, helpers := w.deferred(fd, obj, inputs, number, watched)
	w.helpers = append(w.helpers, helpers...)
	f.closure = helpers == nil
	*w.funcs = append(*w.funcs, f)
	if w.switched {
		prelude = fmt.Sprintf("if %s.On[%d].Load() { %s }", rtName, number, prelude)
	}
	if entry {
		prelude = w.leave(fd.Body) + prelude
	}
	if w.leads[obj] {
		prelude = w.push(fd, inputs, number) + prelude
	}
	if watched {
		prelude = okName + " := false; " + prelude
	}
	w.e.Insert(w.offset(fd.Body.Lbrace)+1, " "+prelude+"; ")
	if watched {
		w.returns(fd)
	}
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
//
// In a function that is not watched there is no variable _dsd_ok, and the runtime is asked.
func (w *rewriter) deferred(
	fd *ast.FuncDecl, obj *types.Func, inputs []input, number int, watched bool,
) (prelude string, helpers []string) {
	typeArgs, generic := typeArguments(fd)
	kinds := w.parameterTypes(fd)
	panics, ok, okParam := rtName+".Panicking()", "", ""
	if watched {
		late := ""
		if w.defers(fd.Body) { // a deferred call may panic after the function returned
			late = " || " + panics
		}
		panics, ok, okParam = "!"+okName+late, "&"+okName, okName+" *bool"
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
		return fmt.Sprintf("defer _dsd_leave%d(%s)", number, strings.TrimPrefix(ok+names, ", ")), []string{
			// The first one is small enough to be inlined.
			fmt.Sprintf("func _dsd_leave%[1]d(%[2]s) { if %[4]s { _dsd_fail%[1]d(%[3]s) } }",
				number, strings.TrimPrefix(okParam+params, ", "), strings.TrimPrefix(values, ", "),
				strings.Replace(panics, "!", "!*", 1)),
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
	return prelude + fmt.Sprintf("defer func() { if %s { %s%s%s.%s(%d, %s%s) } }()",
		panics, boxes, saved, rtName, frame, number, typeArgs, pointers), nil
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

// symbolOf returns the name of a function in stack traces, without type arguments.
func symbolOf(f *types.Func) string { return symbol.Plain(source.FuncName(f)) }

// mainSymbol returns the name that a function has in stack traces if its package is the main one.
func mainSymbol(f *types.Func) string {
	return "main." + symbol.Parse(source.FuncName(f)).Local()
}
