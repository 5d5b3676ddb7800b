package instrument

import (
	"go/ast"
	"go/types"

	"dsd/internal/source"
)

// relevance says which fields a function, or what it calls, can read or write; of others there is nothing to learn [DAIKON: relevant
// variables]. It errs on the side of too many: what goes to a function without source, or to an interface, is read in full.
type relevance struct {
	depth  int                 // to which values are observed
	number map[*types.Var]int  // fields, in the order in which they were met
	used   map[*types.Var]bool // parameters and receivers that a body mentions
	of     map[*types.Func]*reads
	named  map[string][]*types.Func // methods by name, for calls through interfaces
}

// reads is what one function does.
type reads struct {
	fields  fieldSet
	callees []*types.Func
}

// fieldSet is a set of fields, by number.
type fieldSet []uint64

func (s *fieldSet) add(n int) {
	for len(*s) <= n/64 {
		*s = append(*s, 0)
	}
	(*s)[n/64] |= 1 << (n % 64)
}

func (s fieldSet) has(n int) bool { return n/64 < len(s) && s[n/64]&(1<<(n%64)) != 0 }

// join adds the fields of t, and says whether there were new ones.
func (s *fieldSet) join(t fieldSet) (changed bool) {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	for i, w := range t {
		if (*s)[i]|w != (*s)[i] {
			(*s)[i] |= w
			changed = true
		}
	}
	return changed
}

// relevanceOf looks at all functions of a program.
func relevanceOf(prog *source.Program, depth int) *relevance {
	r := &relevance{depth: depth, number: map[*types.Var]int{}, used: map[*types.Var]bool{}, of: map[*types.Func]*reads{}, named: map[string][]*types.Func{}}
	var order []*types.Func
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			r.of[f.Obj] = &reads{}
			order = append(order, f.Obj)
			if f.Obj.Type().(*types.Signature).Recv() != nil {
				r.named[f.Obj.Name()] = append(r.named[f.Obj.Name()], f.Obj)
			}
		}
	}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			if f.Decl.Body != nil {
				r.body(pkg.Info, f.Decl.Body, r.of[f.Obj])
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range order {
			d := r.of[f]
			for _, g := range d.callees {
				changed = d.fields.join(r.of[g].fields) || changed
			}
		}
	}
	return r
}

func (r *relevance) field(f *types.Var) int {
	f = f.Origin()
	n, ok := r.number[f]
	if !ok {
		n = len(r.number)
		r.number[f] = n
	}
	return n
}

// body looks at what a function does itself.
func (r *relevance) body(info *types.Info, body *ast.BlockStmt, d *reads) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil {
				r.path(s, d)
			}
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && v.IsField() { // of a literal
				d.fields.add(r.field(v))
			} else if ok {
				r.used[v] = true
			}
			if f, ok := info.Uses[n].(*types.Func); ok {
				r.calls(f, d)
			}
		case *ast.BinaryExpr:
			r.whole(info.TypeOf(n.X), d, 0)
		case *ast.CallExpr:
			r.call(info, n, d)
		}
		return true
	})
}

// path notes the fields that a selection goes through.
func (r *relevance) path(s *types.Selection, d *reads) {
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
		d.fields.add(r.field(st.Field(i)))
		t = st.Field(i).Type()
	}
}

// calls notes a function that is mentioned, which may be called.
func (r *relevance) calls(f *types.Func, d *reads) {
	f = f.Origin()
	if r.of[f] != nil {
		d.callees = append(d.callees, f)
	} else if recv := f.Type().(*types.Signature).Recv(); recv != nil && types.IsInterface(recv.Type()) {
		d.callees = append(d.callees, r.named[f.Name()]...)
	}
}

// call notes what is passed on to where it is not followed.
func (r *relevance) call(info *types.Info, call *ast.CallExpr, d *reads) {
	var callee *types.Func
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		callee, _ = info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		callee, _ = info.Uses[fun.Sel].(*types.Func)
		if callee != nil && r.of[callee.Origin()] == nil {
			r.whole(info.TypeOf(fun.X), d, 0)
		}
	}
	followed := callee != nil && r.of[callee.Origin()] != nil
	sig, _ := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	for i, arg := range call.Args {
		t := info.TypeOf(arg)
		if followed && sig != nil && !types.IsInterface(parameter(sig, i)) {
			continue
		}
		r.whole(t, d, 0)
	}
}

// parameter is the type of the i-th argument's parameter.
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

// whole notes all fields of a type, as deep as they are observed.
func (r *relevance) whole(t types.Type, d *reads, depth int) {
	if t == nil || depth > r.depth {
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
		d.fields.add(r.field(st.Field(i)))
		r.whole(st.Field(i).Type(), d, depth+1)
	}
}

// receiver says which fields of its receiver are relevant to a method: those that any method of the type reads or writes, as what one leaves
// the others find; none if it does not mention its receiver.
func (r *relevance) receiver(f *types.Func, methods []*types.Func) func(*types.Var) bool {
	if recv := f.Type().(*types.Signature).Recv(); recv == nil || !r.used[recv] {
		return func(*types.Var) bool { return false }
	}
	return r.fields(methods...)
}

// fields says which fields are relevant to functions: to one, or to all methods that may be called through an interface.
func (r *relevance) fields(fs ...*types.Func) func(*types.Var) bool {
	var all fieldSet
	for _, f := range fs {
		if d := r.of[f.Origin()]; d != nil {
			all.join(d.fields)
		}
	}
	return func(f *types.Var) bool {
		n, ok := r.number[f.Origin()]
		return ok && all.has(n)
	}
}
