package instrument

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"dsd/internal/expr"
	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// RuntimeDir is the directory, below the module's root, of the virtual package that takes the observations.
const RuntimeDir = "internal/zz_dsd_observe"

//go:embed observe/observe.go
var runtimeSource []byte

// Result is a rewritten testee.
type Result struct {
	// Files are the rewritten and added files, by path relative to the module's root.
	Files map[string][]byte
	// Points are the program points; the runtime reports on them by index.
	Points []schemas.TracePoint
	// Tests are the test functions, sorted; the runtime reports on them by index.
	Tests []string
	// Skipped are the functions that are not observed, with the reason, sorted.
	Skipped []schemas.LeftOut
}

// Rewrite instruments every function and method with a body of prog.Packages, and the calls through named
// interfaces of the module in them.
//
// Points come three a function, entry, exit and panic, packages in order and functions in source order, then those of the
// interfaces. An exit's variables are those of the entry (old values), then what can have changed, then the results. Values are followed for
// depth steps through fields and pointers.
func Rewrite(prog *source.Program, depth int) *Result {
	r := &Result{Files: map[string][]byte{}}
	relevance := newRelevance(prog, depth)
	for _, pkg := range prog.Packages {
		w := &rewriter{prog: prog, pkg: pkg, res: r, depth: depth, relevance: relevance, vias: map[string]*via{}}
		w.rewrite()
	}
	// The number of points is known only now.
	markTests(prog, r)
	r.Files[RuntimeDir+"/observe.go"] = bytes.Replace(runtimeSource, []byte("const Points = 0"), []byte(fmt.Sprintf("const Points = %d", len(r.Points))), 1)
	sort.Slice(r.Skipped, func(i, j int) bool { return r.Skipped[i].Name < r.Skipped[j].Name })
	return r
}

// Names of ours in the testee's files; a testee that uses them is not observed.
const (
	rtName = "_dsd_rt"
	hName  = "_dsd_h"
)

// rewriter instruments one package.
type rewriter struct {
	prog  *source.Program
	pkg   *source.Package
	res   *Result
	depth int
	// relevance says which fields functions read and write.
	relevance *relevance
	// vias are the helpers for interface calls, by interface and method.
	vias     map[string]*via
	viaOrder []*via
}

func (w *rewriter) rewrite() {
	funcs := map[*ast.FuncDecl]*source.Func{}
	for _, f := range w.pkg.Funcs() {
		funcs[f.Decl] = f
	}
	for i, file := range w.pkg.Files {
		src := w.pkg.Sources[i]
		if strings.Contains(string(src), "_dsd_") {
			w.res.Skipped = append(w.res.Skipped, schemas.LeftOut{Name: w.rel(w.pkg.Filenames[i]), Reason: "the file uses names that begin with _dsd_"})
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
				w.res.Skipped = append(w.res.Skipped, schemas.LeftOut{Name: funcs[fd].Name, Reason: reason})
				continue
			}
			w.function(&e, funcs[fd])
			w.interfaceCalls(&e, fd.Body, src)
			used = true
		}
		if !used {
			continue
		}
		e.Insert(w.offset(file.Name.End()), fmt.Sprintf("; import %s %q", rtName, path.Join(w.prog.Module, RuntimeDir)))
		w.res.Files[w.rel(w.pkg.Filenames[i])] = e.Apply(src)
	}
	if len(w.viaOrder) > 0 {
		w.res.Files[w.rel(filepath.Join(w.pkg.Dir, "zz_dsd_via.go"))] = w.viaFile()
	}
}

func (w *rewriter) offset(p token.Pos) int { return w.prog.Fset.PositionFor(p, false).Offset }

func (w *rewriter) rel(name string) string {
	rel, err := filepath.Rel(w.prog.Dir, name)
	if err != nil {
		return name
	}
	return filepath.ToSlash(rel)
}

// input is a receiver or parameter: what it is called in the source and in the trace.
type input struct {
	ident, name string
	typ         types.Type
	// relevant says which of its fields are observed; nil that those of the function are.
	relevant func(*types.Var) bool
}

// function inserts, after the opening brace, the observation of the inputs, and a deferred one of the outputs.
func (w *rewriter) function(e *overlay.Edits, f *source.Func) {
	sig := f.Obj.Type().(*types.Signature)
	var ins []input
	if r := sig.Recv(); r != nil && r.Name() != "" && r.Name() != "_" {
		ins = append(ins, input{r.Name(), r.Name(), r.Type(), w.relevance.receiver(f.Obj, w.methods(r.Type()))})
	}
	for i := range sig.Params().Len() {
		if p := sig.Params().At(i); p.Name() != "" && p.Name() != "_" {
			in := input{p.Name(), p.Name(), p.Type(), nil}
			if !w.relevance.used[p] {
				in.relevant = func(*types.Var) bool { return false }
			}
			ins = append(ins, in)
		}
	}
	outs := w.nameResults(e, f.Decl.Type.Results, sig.Results())
	point := pointOf(f.Name, sig, outs)
	for i := range sig.Params().Len() {
		if name := sig.Params().At(i).Name(); name != "_" {
			point.Params[i] = name
		}
	}
	seen := view{scope: w.pkg.Info.Scopes[f.Decl.Type], relevant: w.relevance.fields(f.Obj), conditions: conditionsOf(w.pkg, f.Decl.Body), capped: cappedIn(f.Decl.Body), keys: keysIn(w.pkg, f.Decl.Body, ins)}
	enter, rest := w.observe(point, seen, ins, globalsOf(w.pkg, f.Decl.Body), outs)
	e.Insert(w.offset(f.Decl.Body.Lbrace)+1, enter+rest)
	w.markReturns(e, f.Decl)
}

// input observes one, computed by the expression expr; relevant says which fields are, where it does not say so itself.
func (o *observer) input(in input, expr string, relevant func(*types.Var) bool) {
	if o.relevant = relevant; in.relevant != nil {
		o.relevant = in.relevant
	}
	o.value(in.name, expr, in.typ, origin{})
	o.relevant = relevant
}

// methods are those of a receiver's type.
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

// pointOf is what the points of a function have in common.
func pointOf(name string, sig *types.Signature, outs []output) schemas.TracePoint {
	p := schemas.TracePoint{Func: name}
	if r := sig.Recv(); r != nil && r.Name() != "_" {
		p.Receiver = r.Name()
	}
	if n := sig.Params().Len(); n > 0 {
		p.Params = make([]string, n)
	}
	for _, o := range outs {
		p.Results = append(p.Results, o.name)
	}
	return p
}

// output is a result: what it is called in the source and in the trace.
type output struct {
	ident, name string
	typ         types.Type
}

// nameResults gives a name to each result that has none, so that a deferred function can see it.
func (w *rewriter) nameResults(e *overlay.Edits, list *ast.FieldList, results *types.Tuple) []output {
	var outs []output
	if list == nil {
		return nil
	}
	i := 0
	for _, field := range list.List {
		if len(field.Names) == 0 {
			ident := fmt.Sprintf("_dsd_r%d", i)
			open, end := "", ""
			if !list.Opening.IsValid() {
				open, end = "(", ")"
			}
			e.Insert(w.offset(field.Type.Pos()), open+ident+" ")
			if end != "" {
				e.Insert(w.offset(field.Type.End()), end)
			}
			outs = append(outs, output{ident, ResultName(results, i), results.At(i).Type()})
			i++
			continue
		}
		for _, id := range field.Names {
			ident := id.Name
			if ident == "_" {
				ident = fmt.Sprintf("_dsd_r%d", i)
				e.Replace(w.offset(id.Pos()), w.offset(id.End()), ident)
			}
			outs = append(outs, output{ident, ResultName(results, i), results.At(i).Type()})
			i++
		}
	}
	return outs
}

// ResultName is what invariants call the i-th result: its own name, else result, or resultI of several.
func ResultName(results *types.Tuple, i int) string {
	if name := results.At(i).Name(); name != "" && name != "_" {
		return name
	}
	if results.Len() == 1 {
		return "result"
	}
	return fmt.Sprintf("result%d", i)
}

// view is what a function's source says of what to observe.
type view struct {
	scope      *types.Scope // whose names hold where the code goes
	relevant   func(*types.Var) bool
	conditions []expr.Expr
	capped     map[string]bool
	keys       [][2]input // maps and keys
}

// observe declares an entry, an exit and a panic point, which have in common what point says, and returns the statements that report on them:
//
//	_dsd_h := _dsd_rt.Enter(entry);
//
//	_dsd_ok := false; [copies of inputs]; if _dsd_h.On() { [inputs] _dsd_h.Entry() };
//	defer func() { if _dsd_h.Returning(_dsd_ok) { [inputs and globals again] [results] _dsd_h.Exit() } }();
func (w *rewriter) observe(point schemas.TracePoint, seen view, ins []input, globals []*types.Var, outs []output) (enter, rest string) {
	entry, relevant := len(w.res.Points), seen.relevant
	observer := func() *observer {
		return &observer{pkg: w.pkg.Types, scope: seen.scope, h: hName, depth: w.depth, relevant: relevant, capped: seen.capped}
	}
	in := observer()
	for _, p := range ins {
		in.input(p, p.ident, relevant)
	}
	for _, g := range globals {
		in.value(g.Name(), g.Name(), g.Type(), origin{shared: true})
	}
	for _, k := range seen.keys {
		in.key(k[0], k[1])
	}
	// What a callee can change for its caller to see: what pointers lead to, and package-level variables.
	again := observer()
	again.temp = in.temp
	var copies strings.Builder
	for i, p := range ins {
		if !leadsToMemory(p.typ) {
			continue
		}
		c := fmt.Sprintf("_dsd_a%d", i)
		fmt.Fprintf(&copies, "%s := %s; _ = %s; ", c, p.ident, c)
		again.input(p, c, relevant)
	}
	for _, g := range globals {
		again.value(g.Name(), g.Name(), g.Type(), origin{shared: true})
	}
	exit := observer()
	exit.temp, exit.relevant = again.temp, nil
	for _, o := range outs {
		exit.value(o.name, o.ident, o.typ, origin{})
	}
	isGlobal := map[string]bool{}
	for _, g := range globals {
		isGlobal[g.Name()] = true
	}
	inMemory := func(v schemas.TraceVar) bool {
		return v.Pointer != "" || isGlobal[rootOf(v.Name)] || inMemory(v)
	}
	exitVars := []schemas.TraceVar{}
	for _, v := range in.vars {
		if inMemory(v) {
			v.Name = expr.OldName(v.Name)
		}
		exitVars = append(exitVars, v)
	}
	// The second look at the inputs repeats those values that cannot have changed; they carry no news and no column.
	var news []string
	for _, v := range again.vars {
		if inMemory(v) {
			exitVars = append(exitVars, v)
			news = append(news, "1")
		} else {
			news = append(news, "0")
		}
	}
	for _, v := range exit.vars {
		v.Result = true
		exitVars = append(exitVars, v)
	}
	before, after := splitters(seen.conditions, in.vars, inMemory)
	entryVars := nonNil(in.vars)
	point.At, point.Vars, point.Conditions = schemas.AtEntry, entryVars, before
	w.res.Points = append(w.res.Points, point)
	point.At, point.Vars, point.Conditions = schemas.AtExit, exitVars, after
	w.res.Points = append(w.res.Points, point)
	point.At, point.Vars, point.Conditions = schemas.AtPanic, entryVars, before
	w.res.Points = append(w.res.Points, point)
	second := ""
	if again.code.Len() > 0 {
		second = fmt.Sprintf("%[1]s.Keep(%[2]q); %[3]s%[1]s.KeepAll(); ", hName, strings.Join(news, ""), again.code.String())
	}
	enter = fmt.Sprintf(" %s := %s.Enter(%d);", hName, rtName, entry)
	rest = fmt.Sprintf(" %[2]s := false; %[3]sif %[1]s.On() { %[4]s%[1]s.Entry() }; defer func() { if %[1]s.Returning(%[2]s) { %[5]s%[6]s%[1]s.Exit() } }();",
		hName, okName, copies.String(), in.code.String(), second, exit.code.String())
	return enter, rest
}

func nonNil(v []schemas.TraceVar) []schemas.TraceVar {
	if v == nil {
		return []schemas.TraceVar{}
	}
	return v
}

// rootOf is the variable at the bottom of a path: c of len(c.items).
func rootOf(name string) string {
	name = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(name, "len("), "cap("), "*")
	if i := strings.IndexAny(name, ".)"); i >= 0 {
		name = name[:i]
	}
	return name
}

// leadsToMemory says that a value of type t gives access to observed variables elsewhere.
func leadsToMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Slice:
		return sequenceOf(u.Elem()) != ""
	case *types.Chan:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			switch f := u.Field(i).Type().Underlying().(type) {
			case *types.Pointer, *types.Chan:
				return true
			case *types.Slice:
				if sequenceOf(f.Elem()) != "" {
					return true
				}
			}
		}
	}
	return false
}

// globalsOf returns the package-level variables of pkg that body mentions, in order of name.
func globalsOf(pkg *source.Package, body *ast.BlockStmt) []*types.Var {
	seen := map[*types.Var]bool{}
	var out []*types.Var
	// A global that a local name hides at the function's opening brace cannot be hidden there by a local of the body,
	// only by a parameter: such a global is not observed.
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := pkg.Info.Uses[id].(*types.Var)
		if ok && v.Parent() == pkg.Types.Scope() && !seen[v] {
			seen[v] = true
			out = append(out, v)
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

// funcTypeOf finds the function type whose scope holds the parameters of the function with that body.
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
