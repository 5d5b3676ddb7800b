package instrument

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

// pureMethod is a method without parameters that returns an integer and does nothing else, so that
// its result is a property of its receiver: l.Len(). It is observed by calls of a copy, which is not
// instrumented itself:
//
//	func _dsd_pure0(l *list) int { return l.root.size - l.start }
//
// [Daikon] calls it a pure method; there, users list them.
type pureMethod struct {
	obj  *types.Func
	copy string
}

// maxPure is the number of pure methods that are observed of a receiver.
const maxPure = 2

// pureFile is the file with the copies, in the folder of the package.
const pureFile = "zz_dsd_pure.go"

// pureMethods finds the pure methods of the package by the types of their receivers, which are
// pointers, in the order of the source, and writes the file with their copies. Methods whose results
// are values that are observed anyway, such as fields, are left out.
func (w *rewriter) pureMethods() {
	w.pure = map[*types.TypeName][]pureMethod{}
	var file bytes.Buffer
	fmt.Fprintf(&file, "package %s\n", w.pkg.Name)
	n := 0
	for _, f := range w.pkg.Funcs() {
		recv := f.Obj.Signature().Recv()
		if recv == nil || !w.isPure(f) {
			continue
		}
		named, ok := types.Unalias(recv.Type().Underlying().(*types.Pointer).Elem()).(*types.Named)
		if !ok || len(w.pure[named.Obj()]) == maxPure {
			continue
		}
		m := pureMethod{f.Obj, fmt.Sprintf("_dsd_pure%d", n)}
		n++
		w.pure[named.Obj()] = append(w.pure[named.Obj()], m)
		result := types.TypeString(f.Obj.Signature().Results().At(0).Type(), types.RelativeTo(w.pkg.Types))
		fmt.Fprintf(&file, "\nfunc %s(%s *%s) %s %s\n", m.copy, recv.Name(), named.Obj().Name(), result,
			w.text(f.Decl.Body))
	}
	if n > 0 {
		w.res.Files[w.rel(w.pkg.Dir+"/"+pureFile)] = file.Bytes()
	}
}

// text returns the source of a node.
func (w *rewriter) text(n ast.Node) []byte {
	name := w.prog.Fset.PositionFor(n.Pos(), false).Filename
	for i, f := range w.pkg.Filenames {
		if f == name {
			return w.pkg.Sources[i][w.offset(n.Pos()):w.offset(n.End())]
		}
	}
	return nil
}

// isPure reports whether a method has a pointer receiver and no parameters, and its body consists of
// returns, perhaps under conditions, of an integer that is computed from fields, lengths and
// constants of the package: it ends soon, and changes nothing.
func (w *rewriter) isPure(f *source.Func) bool {
	sig := f.Obj.Signature()
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 || sig.Results().At(0).Name() != "" ||
		sig.Recv().Name() == "" || sig.Recv().Name() == "_" || sig.RecvTypeParams().Len() > 0 {
		return false
	}
	p, ok := sig.Recv().Type().(*types.Pointer)
	if !ok {
		return false
	}
	if _, ok := p.Elem().Underlying().(*types.Struct); !ok {
		return false
	}
	b, ok := sig.Results().At(0).Type().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || strings.Contains(string(w.text(f.Decl.Body)), "_dsd_") {
		return false
	}
	list := f.Decl.Body.List
	if len(list) == 1 {
		if ret, ok := list[0].(*ast.ReturnStmt); ok && w.isObserved(ret.Results[0]) {
			return false
		}
	}
	return w.pureStatements(list)
}

// pureStatements reports whether a list consists of returns, and of conditions with such.
func (w *rewriter) pureStatements(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ReturnStmt:
			if len(s.Results) != 1 || !w.isPureExpr(s.Results[0]) {
				return false
			}
		case *ast.BlockStmt:
			if !w.pureStatements(s.List) {
				return false
			}
		case *ast.IfStmt:
			if s.Init != nil || !w.isPureExpr(s.Cond) || !w.pureStatements(s.Body.List) ||
				s.Else != nil && !w.pureStatements([]ast.Stmt{s.Else}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isPureExpr reports whether an expression reads nothing but its operands' fields and lengths, and
// constants of the package. It may panic.
func (w *rewriter) isPureExpr(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		switch obj := w.pkg.Info.Uses[e].(type) {
		case *types.Var:
			return obj.Pkg() == w.pkg.Types && obj.Parent() != w.pkg.Types.Scope()
		case *types.Const:
			return obj.Pkg() == nil || obj.Parent() == w.pkg.Types.Scope()
		case *types.Nil:
			return true
		}
	case *ast.ParenExpr:
		return w.isPureExpr(e.X)
	case *ast.SelectorExpr:
		s := w.pkg.Info.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && w.isPureExpr(e.X)
	case *ast.StarExpr:
		return w.isPureExpr(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && w.isPureExpr(e.X)
	case *ast.BinaryExpr:
		return w.isPureExpr(e.X) && w.isPureExpr(e.Y)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok || len(e.Args) != 1 || !w.isPureExpr(e.Args[0]) {
			return false
		}
		if _, ok := w.pkg.Info.Uses[id].(*types.Builtin); ok {
			_, isMap := w.pkg.Info.TypeOf(e.Args[0]).Underlying().(*types.Map) // may be growing
			return (id.Name == "len" || id.Name == "cap") && !isMap
		}
		obj, ok := w.pkg.Info.Uses[id].(*types.TypeName)
		return ok && obj.Parent() == types.Universe
	}
	return false
}

// isObserved reports whether an expression is a path of fields, or the length of one, that is
// observed anyway.
func (w *rewriter) isObserved(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 {
		e = call.Args[0]
	}
	for steps := 0; ; steps++ {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			_, ok := ast.Unparen(e).(*ast.Ident)
			return ok && steps <= w.depth
		}
		e = sel.X
	}
}

// pureOf returns the pure methods to observe of a receiver in one of its methods: those of its type,
// but for the method itself, if the method has an integer that they may be related to.
func (w *rewriter) pureOf(f *types.Func) []pureMethod {
	sig := f.Signature()
	p, ok := sig.Recv().Type().(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	hasInt := false
	for i := range sig.Params().Len() {
		b, ok := sig.Params().At(i).Type().Underlying().(*types.Basic)
		hasInt = hasInt || ok && b.Info()&types.IsInteger != 0
	}
	if !hasInt {
		return nil
	}
	var out []pureMethod
	for _, m := range w.pure[named.Obj()] {
		if m.obj != f {
			out = append(out, m)
		}
	}
	return out
}

// results observes the results of the pure methods of a value that is a pointer.
func (o *observer) results(in input, expr string) {
	if len(in.pure) == 0 || len(o.vars)+len(in.pure) > maxVars {
		return
	}
	fmt.Fprintf(&o.code, "if !(%s) { ", o.isNil(expr))
	for _, m := range in.pure {
		t := m.obj.Signature().Results().At(0).Type()
		rep, report := schemas.RepInt, "Int"
		if t.Underlying().(*types.Basic).Info()&types.IsUnsigned != 0 {
			rep, report = schemas.RepUint, "Uint"
		}
		to := strings.ToLower(report) + "64"
		o.add(in.name+"."+m.obj.Name()+"()", t, rep, origin{pointer: in.name},
			fmt.Sprintf("%s.Result(func() { %s })", o.h,
				o.call(report, o.convert(to, m.copy+"("+expr+")"))))
	}
	fmt.Fprintf(&o.code, "} else { %s.Skip(%d) }; ", o.h, len(in.pure))
}
