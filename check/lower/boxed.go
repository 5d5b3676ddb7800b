package lower

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"dsd/internal/source"
)

// scanBoxed collects the types of pkg that become the dynamic type of an interface: those of the
// values that are assigned, passed, returned, sent, put into composite values or compared where an
// interface is wanted. See boxInstances for those of generic functions.
func (w *World) scanBoxed(pkg *source.Package, file *ast.File) {
	for _, d := range file.Decls {
		s := &boxScanner{pkg.Info, w.addBoxed, w.addKeyLiteral}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if fn, ok := pkg.Info.Defs[d.Name].(*types.Func); ok && d.Body != nil {
				s.add = func(t types.Type) {
					if t != nil && hasTypeParam(t) {
						w.boxed[fn] = append(w.boxed[fn], t)
					}
					w.addBoxed(t)
				}
				s.body(d.Body, fn.Signature())
				w.scanUses(pkg, d, fn)
			}
		case *ast.GenDecl:
			s.body(d, nil)
			w.scanUses(pkg, d, nil)
		}
	}
}

// addBoxed adds a type to those that an interface may hold.
func (it *interfaceTypes) addBoxed(t types.Type) {
	if t == nil {
		return
	}
	if _, ok := t.(*types.Tuple); ok {
		return
	}
	t = types.Default(t)
	k := it.typeKey(t)
	if it.isBoxed[k] {
		return
	}
	it.isBoxed[k] = true
	if types.IsInterface(t) || hasTypeParam(t) || t == types.Typ[types.UntypedNil] ||
		t == types.Typ[types.Invalid] {
		return
	}
	it.boxedTypes = append(it.boxedTypes, t)
}

// implementers returns the known types whose values are put into interfaces, or may be, and that
// implement an interface: each once, those of the testee's packages first. It is computed once for an
// interface, and again if more types were found since.
func (it *interfaceTypes) implementers(t types.Type) []types.Type {
	k := it.typeKey(t)
	if m := it.implementing[k]; m != nil && m.boxed == len(it.boxedTypes) {
		return m.types
	}
	m := &implementing{boxed: len(it.boxedTypes)}
	iface := t.Underlying().(*types.Interface)
	seen := map[uint32]bool{}
	for _, c := range slices.Concat(it.candidates, it.programTypes, it.assertedTypes, it.boxedTypes) {
		if n := it.Tag(c); !seen[n] && types.Implements(c, iface) {
			seen[n] = true
			m.types = append(m.types, c)
		}
	}
	it.implementing[k] = m
	return m.types
}

// implementing memoizes implementers: types are those that were found among so many boxed ones.
type implementing struct {
	boxed int
	types []types.Type
}

// boxScanner finds the implicit and explicit conversions to interfaces, and adds the types of what is
// converted.
type boxScanner struct {
	info *types.Info
	add  func(types.Type)
	// addKey gets the constant strings that are keys of maps.
	addKey func(string)
}

// body looks at the statements and expressions in n, which is in a function with that signature; nil
// if it is in none.
func (s *boxScanner) body(n ast.Node, sig *types.Signature) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if t, ok := s.info.TypeOf(n).(*types.Signature); ok {
				s.body(n.Body, t)
			}
			return false
		case *ast.CallExpr:
			s.call(n)
		case *ast.AssignStmt:
			if n.Tok == token.ASSIGN {
				s.all(n.Rhs, len(n.Lhs), func(i int) types.Type { return s.info.TypeOf(n.Lhs[i]) })
			}
		case *ast.ValueSpec:
			if n.Type != nil {
				t := s.info.TypeOf(n.Type)
				s.all(n.Values, len(n.Names), func(int) types.Type { return t })
			}
		case *ast.ReturnStmt:
			if sig != nil {
				s.all(n.Results, sig.Results().Len(),
					func(i int) types.Type { return sig.Results().At(i).Type() })
			}
		case *ast.SendStmt:
			if c, ok := under(s.info.TypeOf(n.Chan)).(*types.Chan); ok {
				s.expr(c.Elem(), n.Value)
			}
		case *ast.CompositeLit:
			s.literal(n)
		case *ast.IndexExpr:
			if m, ok := under(s.info.TypeOf(n.X)).(*types.Map); ok {
				s.expr(m.Key(), n.Index)
				s.key(n.Index)
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				s.expr(s.info.TypeOf(n.X), n.Y)
				s.expr(s.info.TypeOf(n.Y), n.X)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil {
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						s.expr(s.info.TypeOf(n.Tag), e)
						s.expr(s.info.TypeOf(e), n.Tag)
					}
				}
			}
		}
		return true
	})
}

// under returns the underlying type of t, nil if there is no type.
func under(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// value notes a value of type from where type to is wanted.
func (s *boxScanner) value(to, from types.Type) {
	if to != nil && types.IsInterface(to) {
		s.add(from)
	}
}

// expr notes an expression where type to is wanted.
func (s *boxScanner) expr(to types.Type, e ast.Expr) { s.value(to, s.info.TypeOf(e)) }

// all notes n values, of as many expressions or of one with several results. The function to
// returns the type that is wanted of the i-th.
func (s *boxScanner) all(list []ast.Expr, n int, to func(i int) types.Type) {
	if len(list) == 1 && n > 1 {
		if t, ok := s.info.TypeOf(list[0]).(*types.Tuple); ok {
			for i := range min(n, t.Len()) {
				s.value(to(i), t.At(i).Type())
			}
			return
		}
	}
	for i, e := range list {
		if i < n {
			s.expr(to(i), e)
		}
	}
}

// key notes a key of a map, if it is a constant string.
func (s *boxScanner) key(e ast.Expr) {
	if v := s.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		s.addKey(constant.StringVal(v))
	}
}

// call notes a conversion, or the arguments of a call.
func (s *boxScanner) call(n *ast.CallExpr) {
	fun := s.info.Types[n.Fun]
	switch {
	case fun.IsType():
		if len(n.Args) == 1 {
			s.expr(fun.Type, n.Args[0])
		}
		return
	case fun.IsBuiltin():
		id, _ := ast.Unparen(n.Fun).(*ast.Ident)
		switch {
		case id == nil:
		case id.Name == "panic" && len(n.Args) == 1:
			s.add(s.info.TypeOf(n.Args[0]))
		case id.Name == "append" && !n.Ellipsis.IsValid():
			if t, ok := under(s.info.TypeOf(n.Args[0])).(*types.Slice); ok {
				s.all(n.Args[1:], len(n.Args)-1, func(int) types.Type { return t.Elem() })
			}
		case id.Name == "delete" && len(n.Args) == 2:
			if m, ok := under(s.info.TypeOf(n.Args[0])).(*types.Map); ok {
				s.expr(m.Key(), n.Args[1])
			}
		}
		return
	}
	sig, ok := under(fun.Type).(*types.Signature)
	if !ok {
		return
	}
	params := sig.Params()
	count := len(n.Args)
	if len(n.Args) == 1 {
		if t, ok := s.info.TypeOf(n.Args[0]).(*types.Tuple); ok {
			count = t.Len()
		}
	}
	s.all(n.Args, count, func(i int) types.Type {
		if sig.Variadic() && i >= params.Len()-1 && !n.Ellipsis.IsValid() {
			if t, ok := params.At(params.Len() - 1).Type().(*types.Slice); ok {
				return t.Elem()
			}
		}
		if i < params.Len() {
			return params.At(i).Type()
		}
		return nil
	})
}

// literal notes the elements of a composite value.
func (s *boxScanner) literal(n *ast.CompositeLit) {
	t := under(s.info.TypeOf(n))
	if p, ok := t.(*types.Pointer); ok { // an element &T{} whose type is left out
		t = p.Elem().Underlying()
	}
	for i, e := range n.Elts {
		kv, _ := e.(*ast.KeyValueExpr)
		if kv != nil {
			e = kv.Value
		}
		switch t := t.(type) {
		case *types.Slice:
			s.expr(t.Elem(), e)
		case *types.Array:
			s.expr(t.Elem(), e)
		case *types.Map:
			s.expr(t.Elem(), e)
			if kv != nil {
				s.expr(t.Key(), kv.Key)
				s.key(kv.Key)
			}
		case *types.Struct:
			if kv == nil {
				if i < t.NumFields() {
					s.expr(t.Field(i).Type(), e)
				}
			} else if id, ok := kv.Key.(*ast.Ident); ok {
				if f, ok := s.info.Uses[id].(*types.Var); ok {
					s.expr(f.Type(), e)
				}
			}
		}
	}
}
