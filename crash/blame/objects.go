package blame

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"dsd/internal/source"
)

// object notes that a value of type t is written without a call, if t is a struct of the module.
// fields are those that are set: it is its zero value if there are none.
func (r *inputReader) object(t types.Type, fields ...string) {
	zero := len(fields) == 0
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil || !within(named.Obj().Pkg().Path(), r.module) {
		return
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return
	}
	switch {
	case zero && r.zeroAllowed(named):
		r.zeros = append(r.zeros, named.Obj().Name())
		return
	case (constructor(named) == "" || isOpen(s)) && r.asWritten(named, fields):
		r.records++
		r.fixture = r.code.fixtures[named.Obj()].fn + " writes a " + named.Obj().Name()
		return
	case r.code.configs[named.Obj()] != "":
		r.records++
		return
	case r.code.made[named.Obj()] && constructor(named) == "": // such as the nodes of a parser
		r.inner = append(r.inner, named.Obj().Name())
	case zero && constructor(named) == "": // there is no other way to make one
		r.records++
		return
	case constructor(named) != "":
		r.made = append(r.made, named.Obj().Name())
	case isOpen(s):
		r.records++
		return
	}
	r.objects = append(r.objects, named.Obj().Name())
}

// asWritten reports whether tests write values of a type, too, and what all of them set that may be nil
// is among the given fields or assigned later.
func (r *inputReader) asWritten(t *types.Named, fields []string) bool {
	w := r.code.fixtures[t.Obj()]
	if w == nil {
		return false
	}
	for name := range w.fields {
		if !slices.Contains(fields, name) && !r.assigned[name] {
			return false
		}
	}
	return true
}

// enumerated notes an integer of a type of the module that has named constants if it is none of them,
// nor a sum of them where each is a bit.
func (r *inputReader) enumerated(x ast.Expr, v constant.Value) {
	t := namedOf(r.info.TypeOf(x))
	if t == nil || t.Obj().Pkg() == nil || !within(t.Obj().Pkg().Path(), r.module) || r.noConstant != "" {
		return
	}
	scope := t.Obj().Pkg().Scope()
	count, bits := 0, uint64(0)
	flags := true
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), t) {
			continue
		}
		if constant.Compare(c.Val(), token.EQL, v) {
			return
		}
		n, _ := constant.Uint64Val(c.Val())
		count++
		bits |= n
		flags = flags && n&(n-1) == 0
	}
	n, exact := constant.Uint64Val(v)
	if count < 2 || flags && exact && n&^bits == 0 {
		return
	}
	r.noConstant = fmt.Sprintf("%s is none of the constants of %s", v, t.Obj().Name())
}

// setFields returns the names of the fields that a literal of type t sets, if that is a struct.
func setFields(t types.Type, n *ast.CompositeLit) (names []string) {
	s, ok := t.Underlying().(*types.Struct)
	for i, e := range n.Elts {
		if kv, isKey := e.(*ast.KeyValueExpr); isKey {
			if id, isName := kv.Key.(*ast.Ident); isName {
				names = append(names, id.Name)
			}
		} else if ok && i < s.NumFields() {
			names = append(names, s.Field(i).Name())
		}
	}
	return names
}

// configTypes returns the struct types with exported fields alone that an exported function takes in
// order to make a value of another type of the module, as NewServer(Config): users write these.
func configTypes(prog *source.Program) map[*types.TypeName]string {
	out := map[*types.TypeName]string{}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			sig := f.Obj.Signature()
			if sig.Recv() != nil || !f.Obj.Exported() || sig.Results().Len() == 0 {
				continue
			}
			made := namedOf(sig.Results().At(0).Type())
			if made == nil || made.Obj().Pkg() != f.Obj.Pkg() {
				continue
			}
			for i := range sig.Params().Len() {
				t := namedOf(sig.Params().At(i).Type())
				if t == nil || t.Obj() == made.Obj() || t.Obj().Pkg() == nil || !t.Obj().Exported() {
					continue
				}
				s, ok := t.Underlying().(*types.Struct)
				if ok && isOpen(s) && constructor(t) == "" && out[t.Obj()] == "" {
					out[t.Obj()] = f.Obj.Name()
				}
			}
		}
	}
	return out
}

// callersOwn reports whether a type that a test of pkg declares implements an exported interface of the
// package that no type of the module implements: then callers have to declare one, too. Its methods
// return nothing that may be nil, as the type of the test does.
func (c *code) callersOwn(pkg *types.Package, name string) bool {
	stub, ok := pkg.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return false
	}
	implements := func(t types.Type, iface *types.Interface) bool {
		return types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface)
	}
	for _, other := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(other).(*types.TypeName)
		if !ok || !tn.Exported() || !types.IsInterface(tn.Type()) {
			continue
		}
		iface := tn.Type().Underlying().(*types.Interface)
		if iface.NumMethods() == 0 || !iface.IsMethodSet() || returnsNil(iface) ||
			!implements(stub.Type(), iface) {
			continue
		}
		for _, p := range c.prog.All {
			for _, n := range p.Types.Scope().Names() {
				t, ok := p.Types.Scope().Lookup(n).(*types.TypeName)
				if ok && !t.IsAlias() && !types.IsInterface(t.Type()) && implements(t.Type(), iface) {
					return false
				}
			}
		}
		return true
	}
	return false
}

// returnsNil reports whether a method of an interface has a result that may be nil, apart from errors.
func returnsNil(iface *types.Interface) bool {
	for i := range iface.NumMethods() {
		results := iface.Method(i).Signature().Results()
		for j := range results.Len() {
			t := results.At(j).Type()
			switch t.Underlying().(type) {
			case *types.Basic, *types.Struct, *types.Array:
			default:
				if !isError(t) {
					return true
				}
			}
		}
	}
	return false
}

// readyZero matches documentation by which the zero value of a type may be used.
var readyZero = regexp.MustCompile(`(?is)\bzero[ -]?values?\b[^.]*\b(ready|usable|valid|empty|` +
	`use|used|useful|default)`)

// zeroAllowed reports whether the documentation of a type allows its zero value.
func (r *inputReader) zeroAllowed(t *types.Named) bool {
	pkg := r.prog.Package(t.Obj().Pkg().Path())
	if pkg == nil {
		return false
	}
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range gd.Specs {
				ts, ok := s.(*ast.TypeSpec)
				if ok && ts.Name.Name == t.Obj().Name() {
					return readyZero.MatchString(gd.Doc.Text() + " " + ts.Doc.Text())
				}
			}
		}
	}
	return false
}

// isOpen reports whether all fields of a struct are exported.
func isOpen(s *types.Struct) bool {
	for i := range s.NumFields() {
		if !s.Field(i).Exported() {
			return false
		}
	}
	return true
}

// constructor returns the name of an exported function of the package of t that returns a value of
// t, or a pointer to one; "" if there is none.
func constructor(t *types.Named) string {
	scope := t.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() {
			continue
		}
		results := fn.Type().(*types.Signature).Results()
		if results.Len() > 0 {
			if n := namedOf(results.At(0).Type()); n != nil && n.Obj() == t.Obj() {
				return name
			}
		}
	}
	return ""
}

// namedOf returns the named type that t is, or points to; nil if there is none.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}
