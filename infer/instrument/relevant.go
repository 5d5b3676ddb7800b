package instrument

import (
	"go/ast"
	"go/types"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// relevance finds the fields that are relevant to a function: those that the function or its
// callees can read or write. All others are not observed, since nothing can be learned about the
// function from them [DAIKON: relevant variables].
//
// It errs on the side of too many fields: all fields of a value count if the value is compared, or
// passed to a function without source, to a function value, or as an interface.
type relevance struct {
	graph *callgraph.Graph
	depth int // up to which fields of fields are observed
	// used are the parameters and receivers that the body of their function mentions.
	used map[*types.Var]bool
	// touched has the relevant fields of each function.
	touched *callgraph.Summary
}

// newRelevance analyzes all functions of a program. The cost is linear in the size of the source,
// times that of a bit set of fields.
func newRelevance(prog *source.Program, depth int) *relevance {
	r := &relevance{graph: callgraph.New(prog), depth: depth, used: map[*types.Var]bool{}}
	own := func(f *source.Func, add func(*types.Var)) {
		if f.Pkg.CgoError != "" {
			return // it has no test binary, and not all of its expressions have types
		}
		b := bodyFields{r, f.Pkg.Info, add}
		ast.Inspect(f.Decl.Body, b.visit)
	}
	r.touched = r.graph.Summarize(callgraph.AnyKind, own)
	return r
}

// bodyFields adds the fields that a function reads or writes by itself.
type bodyFields struct {
	*relevance
	info *types.Info
	add  func(*types.Var)
}

func (b *bodyFields) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		if s := b.info.Selections[n]; s != nil {
			b.path(s)
		}

	case *ast.Ident:
		v, ok := b.info.Uses[n].(*types.Var)
		switch {
		case ok && v.IsField(): // the key of a struct literal
			b.add(v)
		case ok:
			b.used[v] = true
		}

	case *ast.BinaryExpr:
		b.allFields(b.info.TypeOf(n.X), 0)

	case *ast.CallExpr:
		b.call(n)
	}
	return true
}

// path adds the fields that a selection goes through.
func (b *bodyFields) path(s *types.Selection) {
	t := s.Recv()
	index := s.Index()
	if s.Kind() != types.FieldVal {
		index = index[:len(index)-1]
	}
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return
		}
		b.add(st.Field(i))
		t = st.Field(i).Type()
	}
}

// call adds all fields of the receiver and arguments that go where the analysis does not follow.
func (b *bodyFields) call(call *ast.CallExpr) {
	var callee *types.Func
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		callee, _ = b.info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		callee, _ = b.info.Uses[fun.Sel].(*types.Func)
		if callee != nil && !b.graph.Has(callee) {
			b.allFields(b.info.TypeOf(fun.X), 0)
		}
	}
	followed := callee != nil && b.graph.Has(callee)
	sig, _ := b.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	for i, arg := range call.Args {
		if followed && sig != nil && !types.IsInterface(parameter(sig, i)) {
			continue
		}
		b.allFields(b.info.TypeOf(arg), 0)
	}
}

// parameter returns the type of the parameter that the i-th argument is assigned to.
func parameter(sig *types.Signature, i int) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		if s, ok := sig.Params().At(n - 1).Type().(*types.Slice); ok {
			return s.Elem()
		}
	}
	if i < n {
		return sig.Params().At(i).Type()
	}
	return types.Typ[types.Invalid]
}

// allFields adds all fields of a struct type or a pointer to one, and those of fields that are
// structs, as deep as values are observed.
func (b *bodyFields) allFields(t types.Type, depth int) {
	if t == nil || depth > b.depth {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		b.add(st.Field(i))
		b.allFields(st.Field(i).Type(), depth+1)
	}
}

// receiver returns a predicate that reports whether a field of its receiver is relevant to a
// method. The fields that any method of the type reads or writes are, since methods see what others
// left; no field is if the method does not mention its receiver.
func (r *relevance) receiver(f *types.Func, methods []*types.Func) func(*types.Var) bool {
	if recv := f.Type().(*types.Signature).Recv(); recv == nil || !r.used[recv] {
		return func(*types.Var) bool { return false }
	}
	return r.fields(methods...)
}

// fields returns a predicate that reports whether a field is relevant to some of the functions: a
// single one, or all methods that a call through an interface may lead to.
func (r *relevance) fields(fs ...*types.Func) func(*types.Var) bool {
	return r.touched.Of(fs...).Has
}
