package instrument

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// RuntimeDir is the directory of the runtime, below the module's root.
const RuntimeDir = "zz_dsd_observe"

//go:embed observe/observe.go
var runtimeSource []byte

// fixedFiles are the files of the runtime that are the same in each testee.
//
//go:embed observe/values.go observe/map_unix.go observe/map_windows.go
var fixedFiles embed.FS

// Result is a rewritten testee.
type Result struct {
	// Files are the rewritten and added files, by path relative to the module's root.
	Files map[string][]byte
	// Points are the program points. The runtime reports on them by index.
	Points []schemas.TracePoint
	// Tests are the test functions, sorted. The runtime reports on them by index.
	Tests []string
	// Skipped are the functions and files that are not observed, with the reasons, sorted by
	// name.
	Skipped []schemas.LeftOut
}

// Rewrite instruments prog.Packages; see Instrumenter.Rewrite.
func Rewrite(prog *source.Program, depth int) *Result { return New(prog, depth).Rewrite(prog.Packages) }

// An Instrumenter instruments parts of a program. It must not be used concurrently.
type Instrumenter struct {
	prog  *source.Program
	depth int
	// relevance has the fields that functions read and write.
	relevance    *relevance
	implementers *implementers
}

// New analyzes a program. Values will be followed for depth steps through fields and pointers.
//
// The cost is linear in the size of the source, times that of a bit set of fields.
func New(prog *source.Program, depth int) *Instrumenter {
	return &Instrumenter{prog, depth, newRelevance(prog, depth), newImplementers(prog)}
}

// Rewrite instruments every function and method with a body in packages, and the calls in them
// of methods of the module's named interfaces. The program is not changed.
//
// Each function has three points, in this order: entry, exit and panic. For each package, in order,
// come the points of its functions, in source order, then those of the interface methods that it
// calls. The variables of an exit are those of the entry, as old values if they can change; those
// that may have changed; and the results.
//
// The cost is linear in the size of the packages.
func (in *Instrumenter) Rewrite(packages []*source.Package) *Result {
	r := &Result{Files: map[string][]byte{}}
	for _, pkg := range packages {
		if pkg.CgoError != "" {
			continue
		}
		w := &rewriter{
			Instrumenter: in, pkg: pkg, res: r, forwarders: map[string]*forwarder{}, sharedNames: map[string]string{},
		}
		w.rewrite()
	}
	markTests(in.prog, packages, r)
	points := fmt.Sprintf("const Points = %d", len(r.Points))
	runtime := bytes.Replace(runtimeSource, []byte("const Points = 0"), []byte(points), 1)
	dir, _ := in.prog.Generated(RuntimeDir)
	r.Files[dir+"/observe.go"] = runtime
	for _, name := range []string{"values.go", "map_unix.go", "map_windows.go"} {
		text, err := fixedFiles.ReadFile("observe/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		r.Files[dir+"/"+name] = text
	}
	sort.Slice(r.Skipped, func(i, j int) bool { return r.Skipped[i].Name < r.Skipped[j].Name })
	return r
}

// Names that the instrumentation adds to files of the testee. A file that uses names with _dsd_ is
// not instrumented.
const (
	rtName = "_dsd_rt" // the runtime
	hName  = "_dsd_h"  // the handle of the call
	// okName is a variable that is true once the function is sure to return. Where it is false,
	// the runtime must look at the stack, which takes longer than all the rest.
	okName = "_dsd_ok"
)

// usesOurNames is why a file that uses names with _dsd_ is skipped.
const usesOurNames = "the file uses names that begin with _dsd_"

// rewriter instruments one package.
type rewriter struct {
	*Instrumenter
	pkg *source.Package
	res *Result
	// forwarders are the functions that interface calls go through, by interface and method,
	// and order has them in the order of their first calls.
	forwarders map[string]*forwarder
	order      []*forwarder
	// pure are the pure methods of the package's types.
	pure map[*types.TypeName][]pureMethod
	// sharedNames are the functions of sharedFile by what they do, and sharedText is their source.
	sharedNames map[string]string
	sharedText  bytes.Buffer
}

const (
	// sharedFile is the file with functions that observe a receiver, in the folder of the package, and
	// sharedName the name of their parameter.
	sharedFile = "zz_dsd_shared.go"
	sharedName = "_dsd_x"
)

// share is observer.share.
func (w *rewriter) share(t types.Type, code string) string {
	typ := types.TypeString(t, types.RelativeTo(w.pkg.Types))
	key := typ + " " + code
	name := w.sharedNames[key]
	if name == "" {
		name = fmt.Sprintf("_dsd_observe%d", len(w.sharedNames))
		w.sharedNames[key] = name
		fmt.Fprintf(&w.sharedText, "\nfunc %s(%s *%s.Handle, %s %s) { %s}\n", name, hName, rtName, sharedName, typ, code)
	}
	return name
}

// rewrite instruments the files of the package.
func (w *rewriter) rewrite() {
	funcs := map[*ast.FuncDecl]*source.Func{}
	for _, f := range w.pkg.Funcs() {
		funcs[f.Decl] = f
	}
	w.pureMethods()
	for i, file := range w.pkg.Files {
		src := w.pkg.Sources[i]
		if strings.Contains(string(src), "_dsd_") {
			w.skip(w.rel(w.pkg.Filenames[i]), usesOurNames)
			continue
		}
		var e overlay.Edits
		used := false
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || funcs[fd] == nil {
				continue
			}
			if reason := source.Uninstrumentable(fd); reason != "" {
				w.skip(funcs[fd].Name, reason)
				continue
			}
			w.function(&e, funcs[fd])
			w.interfaceCalls(&e, fd.Body, src)
			used = true
		}
		if !used {
			continue
		}
		imports := fmt.Sprintf("; import %s %q", rtName, runtimePath(w.prog))
		e.Insert(w.offset(file.Name.End()), imports)
		w.res.Files[w.rel(w.pkg.Filenames[i])] = e.Apply(src)
	}
	if len(w.sharedNames) > 0 {
		text := fmt.Sprintf("package %s\n\nimport %s %q\n%s", w.pkg.Name, rtName, runtimePath(w.prog), w.sharedText.String())
		w.res.Files[w.rel(filepath.Join(w.pkg.Dir, sharedFile))] = []byte(text)
	}
	if len(w.order) > 0 {
		w.res.Files[w.rel(filepath.Join(w.pkg.Dir, "zz_dsd_via.go"))] = w.forwarderFile()
	}
}

// skip adds a function or file that is not observed.
func (w *rewriter) skip(name, reason string) {
	w.res.Skipped = append(w.res.Skipped, schemas.LeftOut{Name: name, Reason: reason})
}

// runtimePath returns the import path of the runtime.
func runtimePath(prog *source.Program) string {
	_, importPath := prog.Generated(RuntimeDir)
	return importPath
}

// offset returns the byte offset of a position in its file.
func (w *rewriter) offset(p token.Pos) int { return w.prog.Fset.PositionFor(p, false).Offset }

// rel returns the name of a file relative to the module's root, with slashes.
func (w *rewriter) rel(name string) string { return relativeTo(w.prog, name) }

// relativeTo returns the name of a file relative to a program's root, with slashes.
func relativeTo(prog *source.Program, name string) string {
	rel, err := filepath.Rel(prog.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// input is a receiver or parameter: its names in the source and in the trace, and its type.
type input struct {
	ident, name string
	typ         types.Type
	// relevant reports whether to observe a field of it; nil leaves that to the function.
	relevant func(*types.Var) bool
	// pure are the methods whose results are observed.
	pure []pureMethod
	// receiver reports whether it is a receiver that is a pointer, and whose type has no type parameters.
	receiver bool
}

// function inserts the observation of the inputs after the opening brace, with a deferred one of
// the outputs.
func (w *rewriter) function(e *overlay.Edits, f *source.Func) {
	sig := f.Obj.Type().(*types.Signature)
	var ins []input
	if r := sig.Recv(); r != nil && r.Name() != "" && r.Name() != "_" {
		relevant := w.relevance.receiver(f.Obj, w.methods(r.Type()))
		ins = append(ins, input{r.Name(), r.Name(), r.Type(), relevant, w.pureOf(f.Obj), isPointer(r.Type()) && sig.RecvTypeParams().Len() == 0})
	}
	for i := range sig.Params().Len() {
		if p := sig.Params().At(i); p.Name() != "" && p.Name() != "_" {
			in := input{p.Name(), p.Name(), p.Type(), nil, nil, false}
			if !w.relevance.used[p] {
				in.relevant = func(*types.Var) bool { return false }
			}
			ins = append(ins, in)
		}
	}
	outs := w.nameResults(e, f.Decl.Type.Results, sig.Results())
	point := commonPoint(f.Name, sig, outs)
	for i := range sig.Params().Len() {
		if name := sig.Params().At(i).Name(); name != "_" {
			point.Params[i] = name
		}
	}
	fc := focus{
		scope:      w.pkg.Info.Scopes[f.Decl.Type],
		relevant:   w.relevance.fields(f.Obj),
		conditions: conditionsOf(w.pkg, f.Decl.Body),
		capped:     cappedIn(f.Decl.Body),
		keys:       keysIn(w.pkg, f.Decl.Body, ins),
	}
	enter, rest := w.observe(point, fc, ins, globalsOf(w.pkg, f.Decl.Body), outs)
	e.Insert(w.offset(f.Decl.Body.Lbrace)+1, enter+rest)
	w.markReturns(e, f.Decl)
}

// methods returns the declared methods of a receiver's type.
func (w *rewriter) methods(t types.Type) (out []*types.Func) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		named = named.Origin()
		for i := range named.NumMethods() {
			out = append(out, named.Method(i))
		}
	}
	return out
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// output is a result: its names in the source and in the trace, and its type.
type output struct {
	ident, name string
	typ         types.Type
}

// nameResults returns the results of a function. It gives a name to each that has none, so that a
// deferred function can see it.
func (w *rewriter) nameResults(e *overlay.Edits, list *ast.FieldList, results *types.Tuple) []output {
	NameResults(e, w.offset, list, results)
	var outs []output
	for i, ident := range ResultIdents(results) {
		outs = append(outs, output{ident, ResultName(results, i), results.At(i).Type()})
	}
	return outs
}

// ResultIdents returns the names that the results of a function have after NameResults.
func ResultIdents(results *types.Tuple) []string {
	var idents []string
	for i := range results.Len() {
		ident := results.At(i).Name()
		if ident == "" || ident == "_" {
			ident = fmt.Sprintf("_dsd_r%d", i)
		}
		idents = append(idents, ident)
	}
	return idents
}

// NameResults gives a name to each result of a function that has none, so that a deferred function can
// see it. offset returns the byte offset of a position in the file.
func NameResults(e *overlay.Edits, offset func(token.Pos) int, list *ast.FieldList, results *types.Tuple) {
	if list == nil {
		return
	}
	idents := ResultIdents(results)
	i := 0
	for _, field := range list.List {
		if len(field.Names) == 0 {
			open, end := "", ""
			if !list.Opening.IsValid() {
				open, end = "(", ")"
			}
			e.Insert(offset(field.Type.Pos()), open+idents[i]+" ")
			if end != "" {
				e.Insert(offset(field.Type.End()), end)
			}
			i++
			continue
		}
		for _, id := range field.Names {
			if id.Name == "_" {
				e.Replace(offset(id.Pos()), offset(id.End()), idents[i])
			}
			i++
		}
	}
}

// ResultName returns the name that invariants have for the i-th result: its own, or else result, or
// resultI if there are several.
func ResultName(results *types.Tuple, i int) string {
	if name := results.At(i).Name(); name != "" && name != "_" {
		return name
	}
	if results.Len() == 1 {
		return "result"
	}
	return fmt.Sprintf("result%d", i)
}

// globalsOf returns the package-level variables of pkg that a function body mentions, sorted by
// name. It leaves out variables that a parameter or result hides, as the inserted code cannot name
// them.
func globalsOf(pkg *source.Package, body *ast.BlockStmt) []*types.Var {
	seen := map[*types.Var]bool{}
	var out []*types.Var
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := pkg.Info.Uses[id].(*types.Var)
		if ok && v.Parent() == pkg.Types.Scope() && !seen[v] {
			seen[v] = true
			if _, inC := source.CName(v); !inC { // cgo refuses its own names
				out = append(out, v)
			}
		}
		return true
	})
	inner := pkg.Info.Scopes[funcTypeOf(pkg, body)]
	kept := out[:0]
	for _, v := range out {
		if inner == nil || inner.Lookup(v.Name()) == nil {
			kept = append(kept, v)
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].Name() < kept[j].Name() })
	return kept
}

// funcTypeOf returns the function type whose scope has the parameters of the function with that
// body.
func funcTypeOf(pkg *source.Package, body *ast.BlockStmt) ast.Node {
	for _, f := range pkg.Files {
		if f.Pos() <= body.Pos() && body.End() <= f.End() {
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Body == body {
					return fd.Type
				}
			}
		}
	}
	return nil
}
