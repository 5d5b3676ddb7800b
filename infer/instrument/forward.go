package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"dsd/internal/callgraph"
	"dsd/internal/overlay"
	"dsd/internal/source"
)

// forwarder is a function that all calls of one interface method in one package go through, so that
// the method is observed as its callers see it [DSD 7.2]:
//
//	func _dsd_via0(_dsd_i pkg.I, n int) (_dsd_r0 error) {
//		[enter]; if _dsd_h.On() { return _dsd_via0s(_dsd_h, _dsd_i, n) }; return _dsd_i.M(n)
//	}
//	func _dsd_via0s(_dsd_h *Handle, _dsd_i pkg.I, n int) (_dsd_r0 error) {
//		[observe entry and exit] _dsd_r0 = _dsd_i.M(n); return
//	}
//
// Most calls are not observed, and cost one more call.
type forwarder struct {
	name   string
	iface  types.Type
	method *types.Func
}

// interfaceCalls redirects the calls in a body of methods of the module's named interfaces: i.M(x)
// becomes _dsd_via0(i, x), which evaluates the same operands in the same order.
func (w *rewriter) interfaceCalls(e *overlay.Edits, body *ast.BlockStmt, src []byte) {
	// Calls of go and defer statements stay: a nil interface panics in the statement itself,
	// and recover works only in the deferred function itself.
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
				return true // i.M(f()): a call with several results must be the only argument
			}
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		s := w.pkg.Info.Selections[sel]
		if s == nil || s.Kind() != types.MethodVal ||
			len(s.Index()) != 1 && !types.IsInterface(s.Recv()) {
			return true
		}
		v := w.forwarderFor(s)
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

// forwarderFor returns the forwarder for a selected method, or nil if its calls cannot be
// redirected.
func (w *rewriter) forwarderFor(s *types.Selection) *forwarder {
	named, ok := types.Unalias(s.Recv()).(*types.Named)
	if !ok || !types.IsInterface(named) || named.TypeParams().Len() > 0 ||
		named.Obj().Pkg() == nil {
		return nil
	}
	obj := named.Obj()
	if w.prog.Package(obj.Pkg().Path()) == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	m := s.Obj().(*types.Func)
	sig := m.Type().(*types.Signature)
	if !w.nameable(named) || !w.nameable(sig.Params()) || !w.nameable(sig.Results()) {
		return nil
	}
	key := named.String() + "." + m.Name()
	if v := w.forwarders[key]; v != nil {
		return v
	}
	v := &forwarder{fmt.Sprintf("_dsd_via%d", len(w.forwarders)), named, m}
	w.forwarders[key] = v
	w.order = append(w.order, v)
	return v
}

// nameable reports whether a file of this package can write a type and all types that it mentions.
func (w *rewriter) nameable(t types.Type) bool {
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
			visible := obj.Pkg() == w.pkg.Types ||
				obj.Exported() && mayImport(w.pkg.Path, obj.Pkg().Path())
			if obj.Parent() != obj.Pkg().Scope() || !visible {
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

// mayImport reports whether the rule for internal packages lets package from import package to.
func mayImport(from, to string) bool {
	i := strings.LastIndex("/"+to+"/", "/internal/")
	if i < 0 {
		return true
	}
	parent := strings.TrimSuffix(to[:i], "/")
	return parent != "" && (from == parent || strings.HasPrefix(from, parent+"/"))
}

// forwarderFile returns the file with the forwarders of the package.
func (w *rewriter) forwarderFile() []byte {
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
	for _, v := range w.order {
		w.writeForwarder(&body, v, qualify)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\nimport %s %q\n", w.pkg.Name, rtName, runtimePath(w.prog))
	for _, p := range order {
		fmt.Fprintf(&out, "import %s %q\n", imports[p], p)
	}
	out.Write(body.Bytes())
	return out.Bytes()
}

// writeForwarder writes the two functions of a forwarder, and adds the points of its method. The
// function qualify returns the name of a package in the file.
func (w *rewriter) writeForwarder(body *bytes.Buffer, v *forwarder, qualify types.Qualifier) {
	sig := v.method.Type().(*types.Signature)
	params := "_dsd_i " + types.TypeString(v.iface, qualify)
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
		params += fmt.Sprintf(", %s %s", ident, t)
		ins = append(ins, input{ident, paramName(sig.Params(), i), p.Type(), nil, nil, false})
		args = append(args, arg)
	}
	var results, idents []string
	var outs []output
	for i := range sig.Results().Len() {
		ident := fmt.Sprintf("_dsd_r%d", i)
		t := sig.Results().At(i).Type()
		idents = append(idents, ident)
		results = append(results, ident+" "+types.TypeString(t, qualify))
		outs = append(outs, output{ident, ResultName(sig.Results(), i), t})
	}

	name := source.InterfaceMethodName(v.iface.(*types.Named), v.method)
	point := commonPoint(name, sig, outs)
	point.Interface, point.Receiver, point.Implementers = true, "", w.implementers.of(v.iface, v.method)
	for i, in := range ins {
		point.Params[i] = in.name
	}
	methods := w.relevance.graph.Methods(v.method.Name())
	f := focus{scope: w.pkg.Types.Scope(), relevant: w.relevance.fields(methods...)}
	enter, rest := w.observe(point, f, ins, nil, outs)

	call := fmt.Sprintf("_dsd_i.%s(%s)", v.method.Name(), strings.Join(args, ", "))
	slowArgs := strings.Join(append([]string{hName, "_dsd_i"}, args...), ", ")
	slow := fmt.Sprintf("%ss(%s)", v.name, slowArgs)
	ret, assign, end := "return ", strings.Join(idents, ", ")+" = ", ""
	if len(outs) == 0 {
		ret, assign, end = "", "", " return;"
	}
	list := strings.Join(results, ", ")
	fmt.Fprintf(body, "\nfunc %s(%s) (%s) {%s if %s.On() { %s%s;%s }; %s%s }\n",
		v.name, params, list, enter, hName, ret, slow, end, ret, call)
	fmt.Fprintf(body, "\nfunc %ss(%s *%s.Handle, %s) (%s) {%s %s%s; %s = true; return }\n",
		v.name, hName, rtName, params, list, rest, assign, call, okName)
}

// paramName returns the name that invariants have for the i-th parameter of an interface method:
// its own, or else argI.
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

// implementers finds the methods that calls through interfaces may execute. Packages that call the same
// methods share the answers: a large module has thousands of types with a method.
type implementers struct {
	// pointers are the pointers to the program's types with names, but for generic ones and interfaces.
	pointers []types.Type
	// byInterface are those of pointers that implement an interface, and methods the names of their methods, sorted.
	byInterface map[string][]types.Type
	methods     map[string][]string
}

func newImplementers(prog *source.Program) *implementers {
	s := &implementers{byInterface: map[string][]types.Type{}, methods: map[string][]string{}}
	for _, pkg := range prog.All {
		for _, name := range pkg.Types.Scope().Names() {
			t, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() || types.IsInterface(t.Type()) {
				continue
			}
			if named, ok := t.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
				continue
			}
			s.pointers = append(s.pointers, types.NewPointer(t.Type()))
		}
	}
	return s
}

// of returns the names of the methods of the program that a call of m through an interface may execute, sorted. The
// caller must not change the list.
func (s *implementers) of(iface types.Type, m *types.Func) []string {
	name := types.TypeString(iface, nil)
	key := name + " " + m.Id()
	if list, ok := s.methods[key]; ok {
		return list
	}
	implementing, ok := s.byInterface[name]
	if !ok {
		for _, p := range s.pointers {
			if types.Implements(p, iface.Underlying().(*types.Interface)) {
				implementing = append(implementing, p)
			}
		}
		s.byInterface[name] = implementing
	}
	var out []string
	for _, p := range implementing {
		obj, _, _ := types.LookupFieldOrMethod(p, true, m.Pkg(), m.Name())
		if f, ok := obj.(*types.Func); ok && !callgraph.IsInterfaceMethod(f) {
			out = append(out, source.FuncName(f))
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	s.methods[key] = out
	return out
}
