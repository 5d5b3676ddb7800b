package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// via is a helper through which the calls of one method of one interface go in one package, so that the method is
// observed as its callers see it [DSD 7.2]:
//
//	func _dsd_via0(_dsd_i pkg.I, n int) (_dsd_r0 error) { [enter]; if _dsd_h != nil { return _dsd_via0s(_dsd_h, _dsd_i, n) }; return _dsd_i.M(n) }
//	func _dsd_via0s(_dsd_h *Handle, _dsd_i pkg.I, n int) (_dsd_r0 error) { [observe entry and exit] _dsd_r0 = _dsd_i.M(n); return }
//
// Most calls are not observed, and take no more than one that goes in between.
type via struct {
	name   string
	iface  types.Type
	method *types.Func
}

// interfaceCalls redirects the calls in body of methods of named interfaces of the module: i.M(x) becomes
// _dsd_via0(i, x), which evaluates the same operands in the same order.
func (w *rewriter) interfaceCalls(e *overlay.Edits, body *ast.BlockStmt, src []byte) {
	// Calls that go and defer statements make stay: a nil interface panics in the statement itself, and recover works
	// only in the very function that is deferred.
	kept := map[*ast.CallExpr]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.GoStmt:
			kept[s.Call] = true
		case *ast.DeferStmt:
			kept[s.Call] = true
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || kept[call] {
			return true
		}
		if len(call.Args) == 1 {
			if _, ok := w.pkg.Info.TypeOf(call.Args[0]).(*types.Tuple); ok {
				return true // i.M(f()) passes several values, which no other argument may stand beside
			}
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		s := w.pkg.Info.Selections[sel]
		if s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 && !types.IsInterface(s.Recv()) {
			return true
		}
		v := w.viaFor(s)
		if v == nil {
			return true
		}
		e.Insert(w.offset(sel.X.Pos()), v.name+"(")
		from, to := w.offset(sel.X.End()), w.offset(call.Lparen)+1
		sep := ", " + strings.Repeat("\n", bytes.Count(src[from:to], []byte("\n")))
		e.Replace(from, to, sep)
		return true
	})
}

// viaFor returns the helper for a selected method, or nil if the call is to be left alone.
func (w *rewriter) viaFor(s *types.Selection) *via {
	named, ok := types.Unalias(s.Recv()).(*types.Named)
	if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 || named.Obj().Pkg() == nil {
		return nil
	}
	if w.prog.Package(named.Obj().Pkg().Path()) == nil || named.Obj().Parent() != named.Obj().Pkg().Scope() {
		return nil
	}
	m := s.Obj().(*types.Func)
	sig := m.Type().(*types.Signature)
	if !w.canName(named) || !w.canName(sig.Params()) || !w.canName(sig.Results()) {
		return nil
	}
	key := named.String() + "." + m.Name()
	if v := w.vias[key]; v != nil {
		return v
	}
	v := &via{fmt.Sprintf("_dsd_via%d", len(w.vias)), named, m}
	w.vias[key] = v
	w.viaOrder = append(w.viaOrder, v)
	return v
}

// canName says that every type that t mentions can be written in a file of this package.
func (w *rewriter) canName(t types.Type) bool {
	ok := true
	seen := map[types.Type]bool{}
	var visit func(types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			obj := t.Obj()
			if obj.Pkg() == nil {
				return
			}
			if obj.Parent() != obj.Pkg().Scope() || obj.Pkg() != w.pkg.Types && (!obj.Exported() || !mayImport(w.pkg.Path, obj.Pkg().Path())) {
				ok = false
			}
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i))
			}
		case *types.TypeParam:
			ok = false
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Tuple:
			for i := range t.Len() {
				visit(t.At(i).Type())
			}
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Struct:
			ok = ok && t.NumFields() == 0
		case *types.Interface:
			ok = ok && t.NumMethods() == 0 && !t.IsComparable()
		}
	}
	visit(t)
	return ok
}

// mayImport says that the rule for internal packages lets the package called from import the one called to.
func mayImport(from, to string) bool {
	i := strings.LastIndex("/"+to+"/", "/internal/")
	if i < 0 {
		return true
	}
	parent := strings.TrimSuffix(to[:i], "/")
	return parent != "" && (from == parent || strings.HasPrefix(from, parent+"/"))
}

// viaFile is the file that holds the package's helpers.
func (w *rewriter) viaFile() []byte {
	imports := map[string]string{}
	var order []string
	qualify := func(p *types.Package) string {
		if p == w.pkg.Types {
			return ""
		}
		if imports[p.Path()] == "" {
			imports[p.Path()] = fmt.Sprintf("_dsd_p%d", len(imports))
			order = append(order, p.Path())
		}
		return imports[p.Path()]
	}
	var body bytes.Buffer
	for _, v := range w.viaOrder {
		sig := v.method.Type().(*types.Signature)
		var params strings.Builder
		fmt.Fprintf(&params, "_dsd_i %s", types.TypeString(v.iface, qualify))
		var ins []input
		args := []string{}
		for i := range sig.Params().Len() {
			p := sig.Params().At(i)
			ident := fmt.Sprintf("_dsd_x%d", i)
			t := types.TypeString(p.Type(), qualify)
			arg := ident
			if sig.Variadic() && i == sig.Params().Len()-1 {
				t = "..." + types.TypeString(p.Type().(*types.Slice).Elem(), qualify)
				arg += "..."
			}
			fmt.Fprintf(&params, ", %s %s", ident, t)
			ins = append(ins, input{ident, paramName(sig.Params(), i), p.Type(), nil})
			args = append(args, arg)
		}
		var results []string
		var outs []output
		var idents []string
		for i := range sig.Results().Len() {
			ident := fmt.Sprintf("_dsd_r%d", i)
			idents = append(idents, ident)
			results = append(results, ident+" "+types.TypeString(sig.Results().At(i).Type(), qualify))
			outs = append(outs, output{ident, ResultName(sig.Results(), i), sig.Results().At(i).Type()})
		}
		name := source.InterfaceMethodName(v.iface.(*types.Named), v.method)
		point := pointOf(name, sig, outs)
		point.Interface, point.Receiver, point.Implementers = true, "", w.implementers(v)
		for i, in := range ins {
			point.Params[i] = in.name
		}
		enter, rest := w.observe(point, view{scope: w.pkg.Types.Scope(), relevant: w.relevance.fields(w.relevance.graph.Methods(v.method.Name())...)}, ins, nil, outs)
		call := fmt.Sprintf("_dsd_i.%s(%s)", v.method.Name(), strings.Join(args, ", "))
		slow := fmt.Sprintf("%ss(%s)", v.name, strings.Join(append([]string{hName, "_dsd_i"}, args...), ", "))
		ret, assign, end := "return ", strings.Join(idents, ", ")+" = ", ""
		if len(outs) == 0 {
			ret, assign, end = "", "", " return;"
		}
		fmt.Fprintf(&body, "\nfunc %s(%s) (%s) {%s if %s.On() { %s%s;%s }; %s%s }\n", v.name, params.String(), strings.Join(results, ", "), enter, hName, ret, slow, end, ret, call)
		fmt.Fprintf(&body, "\nfunc %ss(%s *%s.Handle, %s) (%s) {%s %s%s; %s = true; return }\n", v.name, hName, rtName, params.String(), strings.Join(results, ", "), rest, assign, call, okName)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\nimport %s %q\n", w.pkg.Name, rtName, path.Join(w.prog.Module, RuntimeDir))
	for _, p := range order {
		fmt.Fprintf(&out, "import %s %q\n", imports[p], p)
	}
	out.Write(body.Bytes())
	return out.Bytes()
}

// paramName is what invariants call the i-th parameter of an interface's method: its own name, else argI.
func paramName(params *types.Tuple, i int) string {
	if name := params.At(i).Name(); name != "" && name != "_" {
		return name
	}
	name := fmt.Sprintf("arg%d", i)
	for j := range params.Len() {
		if params.At(j).Name() == name {
			return "_" + name
		}
	}
	return name
}

// implementers are the functions of the program that a call of an interface's method may execute, sorted.
func (w *rewriter) implementers(v *via) []string {
	iface := v.iface.Underlying().(*types.Interface)
	var out []string
	for _, pkg := range w.prog.All {
		for _, name := range pkg.Types.Scope().Names() {
			t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
				continue
			}
			if named, ok := t.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
				continue
			}
			p := types.NewPointer(t.Type())
			if !types.Implements(p, iface) {
				continue
			}
			obj, _, _ := types.LookupFieldOrMethod(p, true, v.method.Pkg(), v.method.Name())
			if f, ok := obj.(*types.Func); ok && !types.IsInterface(f.Type().(*types.Signature).Recv().Type()) {
				out = append(out, source.FuncName(f))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
