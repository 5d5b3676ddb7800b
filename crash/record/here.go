package record

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"dsd/internal/callgraph"
)

// isHere reports whether a function is one of Options.Here: a call of it is recorded with its stack,
// without a panic. See keep.Here.
func (w *rewriter) isHere(obj *types.Func) bool {
	return slices.Contains(w.here, symbolOf(obj)) || w.pkg.Name == "main" && slices.Contains(w.here, mainSymbol(obj))
}

// leading returns the functions of a program that may be on the stack when one of Options.Here is called: those from which
// a path of the call graph leads there, where a function value may be any.
func (w *rewriter) leading(g *callgraph.Graph) map[*types.Func]bool {
	callers := map[string][]*types.Func{} // by what they call: the key of a function, or the name of a method
	var work []string
	out := map[*types.Func]bool{}
	add := func(fn *types.Func) {
		if !out[fn] {
			out[fn] = true
			work = append(work, fn.FullName(), fn.Name())
		}
	}
	for _, f := range g.Funcs {
		for _, e := range g.Edges(f.Obj) {
			key := e.Callee.Origin().FullName()
			if e.Kind&(callgraph.InterfaceCall|callgraph.InterfaceValue) != 0 {
				key = e.Callee.Name()
			}
			callers[key] = append(callers[key], f.Obj)
		}
		if callsValue(f.Pkg.Info, f.Decl.Body) {
			add(f.Obj)
		}
	}
	for _, pkg := range w.prog.Packages {
		w.pkg = pkg
		for _, f := range pkg.Funcs() {
			if w.isHere(f.Obj) {
				w.found[symbolOf(f.Obj)], w.found[mainSymbol(f.Obj)] = true, true
				add(f.Obj)
			}
		}
	}
	for len(work) > 0 {
		key := work[len(work)-1]
		work = work[:len(work)-1]
		for _, fn := range callers[key] {
			add(fn)
		}
		delete(callers, key)
	}
	return out
}

// callsValue reports whether a function calls function values.
func callsValue(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			tv := info.Types[ast.Unparen(call.Fun)]
			_, literal := ast.Unparen(call.Fun).(*ast.FuncLit)
			found = !tv.IsType() && !tv.IsBuiltin() && !literal && callgraph.Callee(info, call) == nil
		}
		return !found
	})
	return found
}

// push returns the statements for the beginning of a function that keep its arguments while it runs.
func (w *rewriter) push(fd *ast.FuncDecl, inputs []input, number int) string {
	typeArgs, _ := typeArguments(fd)
	boxes, pointers := "", ""
	for i, in := range inputs {
		boxes += fmt.Sprintf("_dsd_h%d := %s; ", i, in.ident)
		pointers += fmt.Sprintf(", &_dsd_h%d", i)
	}
	if w.copies && len(inputs) > 0 {
		pointers = fmt.Sprintf(", %s.Copy(%s)...", rtName, strings.TrimPrefix(pointers, ", "))
	}
	return fmt.Sprintf("%s%s.Push(%d, %s%s); defer %[2]s.Pop(); ", boxes, rtName, number, typeArgs, pointers)
}
