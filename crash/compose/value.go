package compose

import (
	"fmt"
	"go/types"
	"strings"

	"dsd/crash/gofile"
	"dsd/schemas"
)

// value returns the expression for a node of type t, and writes the variables that it needs. typed
// reports whether the context gives an untyped constant its type.
func (w *writer) value(n *schemas.Node, t types.Type, typed bool) string {
	if n.Var != "" {
		return w.declared(n)
	}
	if types.TypeString(t, nil) == "reflect.Value" {
		return w.reflectValue(n)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return w.basic(n, t, u, typed)

	case *types.Pointer:
		if n.Ref == nil {
			return "nil"
		}
		if n.Path != "" {
			return "&" + w.part(*n.Ref, n.Path)
		}
		return w.pointer(*n.Ref, u.Elem())

	case *types.Slice:
		if n.Ref == nil {
			return "nil"
		}
		return w.slice(n, t, u.Elem())

	case *types.Map:
		if n.Ref == nil {
			return "nil"
		}
		if w.cyclic[*n.Ref] && w.vars[*n.Ref] == "" {
			return w.mapLit(*n.Ref, t, u)
		}
		return w.shared(*n.Ref, func() string { return w.mapLit(*n.Ref, t, u) })

	case *types.Chan:
		if n.Ref == nil {
			if n.Lit == "nil" {
				return "nil"
			}
			return w.makeChan(t, u, 0)
		}
		return w.channel(*n.Ref, t, u)

	case *types.Signature:
		switch {
		case n.Lit == "nil" || w.exact && n.Lit == "" && n.Ref == nil:
			return "nil"
		case n.Ref != nil:
			return w.closure(*n.Ref, t, u)
		}
		return w.stub(n, u)

	case *types.Interface:
		return w.iface(n, t)

	case *types.Struct:
		return w.typ(t) + "{" + w.fields(n, t, u) + "}"

	case *types.Array:
		var parts []string
		for i := range n.Elems {
			e := &n.Elems[i]
			parts = append(parts,
				fmt.Sprintf("%d: %s", e.Index, w.value(&e.Value, u.Elem(), true)))
		}
		return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
	}
	fail("a value of type %s cannot be written", t)
	return ""
}

// basic returns the expression for a node of a basic type u, or of a named type t with that
// underlying type.
func (w *writer) basic(n *schemas.Node, t types.Type, u *types.Basic, typed bool) string {
	lit := n.Lit
	info := u.Info()
	switch {
	case lit == "" && info&types.IsString != 0:
		lit = `""`
	case lit == "" && info&types.IsBoolean != 0:
		lit = "false"
	case lit == "" && u.Kind() == types.UnsafePointer:
		lit = "nil"
	case lit == "":
		lit = "0"
	}
	if info&types.IsComplex != 0 && !strings.HasPrefix(lit, "complex(") {
		lit = "0"
	}
	// the parts of a complex number
	if strings.Contains(lit, "(math.") || strings.Contains(lit, " math.") {
		lit = strings.ReplaceAll(lit, "math.", w.file.Use("math", "math")+".")
		typed = typed && t == types.Typ[types.Complex128]
	}
	if strings.HasPrefix(lit, "math.") { // a call, which has type float64
		lit = w.file.Use("math", "math") + strings.TrimPrefix(lit, "math")
		if t != types.Typ[types.Float64] {
			return w.typ(t) + "(" + lit + ")"
		}
		return lit
	}
	isDefault := t == types.Typ[types.Int] || t == types.Typ[types.String] ||
		t == types.Typ[types.Bool]
	if typed || isDefault {
		return lit
	}
	return w.typ(t) + "(" + lit + ")"
}

// declared returns a package-level variable, its address, or a function, which the node names.
func (w *writer) declared(n *schemas.Node) string {
	text, ampersand := strings.CutPrefix(n.Var, "&")
	path, name := cutName(text)
	out := name
	if path == w.fn.Pkg.Path && w.fn.Pkg.Types.Scope().Lookup(name) == nil {
		fail("package %s has no %s", path, name)
	}
	if path != w.fn.Pkg.Path {
		pkg := w.importable(path)
		if !isExported(name) || pkg == nil || pkg.Scope().Lookup(name) == nil {
			fail("%s cannot be named in package %s", text, w.fn.Pkg.Path)
		}
		out = w.file.Use(path, pkg.Name()) + "." + name
	}
	if ampersand {
		out = "&" + out
	}
	return out
}

// shared returns what write returns for object i, in place if there is one reference, else through
// a variable. The object must not be on a cycle, unless write gives it a variable first.
func (w *writer) shared(i int, write func() string) string {
	if w.vars[i] != "" {
		return w.vars[i]
	}
	e := write()
	if w.refs[i] > 1 {
		v := w.name("x")
		w.emit("%s := %s", v, e)
		w.vars[i] = v
		return v
	}
	return e
}

// pointer returns the pointer to an object that holds a value of type t. An object on a cycle is
// filled after it has its variable.
func (w *writer) pointer(i int, t types.Type) string {
	if w.vars[i] != "" {
		return w.vars[i]
	}
	if e := w.constructed(t); e != "" {
		return w.shared(i, func() string { return e })
	}
	n := &w.ce.Objects[i]
	s, isStruct := t.Underlying().(*types.Struct)
	if w.refs[i] <= 1 && isStruct {
		return "&" + w.typ(t) + "{" + w.fields(n, t, s) + "}"
	}
	if isStruct && !w.cyclic[i] {
		fields := w.fields(n, t, s)
		v := w.name("p")
		w.vars[i] = v
		w.emit("%s := &%s{%s}", v, w.typ(t), fields)
		return v
	}
	v := w.name("p")
	w.vars[i] = v
	if isStruct {
		w.emit("%s := &%s{}", v, w.typ(t))
		w.eachField(n, t, s, func(name, e string) { w.emit("%s.%s = %s", v, name, e) })
		return v
	}
	w.emit("%s := new(%s)", v, w.typ(t))
	if e := w.value(n, t, true); !isZero(e, t) {
		w.emit("*%s = %s", v, e)
	}
	return v
}

// part returns a part of object i: a field or element, of the object's variable. path leads to it,
// such as .items[3].name.
func (w *writer) part(i int, path string) string {
	obj := &w.ce.Objects[i]
	t := w.parseType(obj.Type)
	if w.vars[i] == "" {
		if a, ok := t.(*types.Array); ok && strings.HasPrefix(path, "[") {
			w.filled(i, types.NewSlice(a.Elem()), a.Elem(), a.Len(), a.Len())
		} else {
			w.pointer(i, t)
		}
	}
	for rest := path; rest != ""; { // check that the test can reach it
		step := rest[1:]
		if end := strings.IndexAny(step, ".["); end >= 0 {
			step = step[:end]
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			t = w.settable(t, u, step).Type()
		case *types.Array:
			t = u.Elem()
		default:
			fail("%s of %s is no field or element", path, obj.Type)
		}
		rest = rest[1+len(step):]
	}
	return w.vars[i] + path
}

// fields returns the constrained fields of a struct as the elements of a literal.
func (w *writer) fields(n *schemas.Node, t types.Type, s *types.Struct) string {
	var parts []string
	w.eachField(n, t, s, func(name, e string) { parts = append(parts, name+": "+e) })
	return strings.Join(parts, ", ")
}

// eachField visits the constrained fields of a struct that do not have their zero value.
func (w *writer) eachField(n *schemas.Node, t types.Type, s *types.Struct,
	visit func(name, value string)) {
	for i := range n.Fields {
		in := &n.Fields[i]
		if in.Name == "_" && fieldOf(s, in.Name) != nil {
			continue
		}
		f := w.settable(t, s, in.Name)
		e := w.value(&in.Node, f.Type(), true)
		if isZero(e, f.Type()) {
			continue
		}
		if !f.Exported() {
			w.builtBy = schemas.ByLiteral
		}
		visit(f.Name(), e)
	}
}

// settable returns the field of struct type t that has a name. It fails if there is none, or if the
// test cannot set it.
func (w *writer) settable(t types.Type, s *types.Struct, name string) *types.Var {
	f := fieldOf(s, name)
	if f == nil {
		fail("%s has no field %s: "+sourceChanged, t, name)
	}
	if !f.Exported() && f.Pkg() != w.fn.Pkg.Types {
		fail("the field %s of %s cannot be set from package %s", f.Name(), t, w.fn.Pkg.Path)
	}
	return f
}

// fieldOf returns the field of a struct that has a name, or nil.
func fieldOf(s *types.Struct, name string) *types.Var {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return s.Field(i)
		}
	}
	return nil
}

// isZero reports whether an expression is the zero value of a type. An interface that holds a zero
// value is not.
func isZero(e string, t types.Type) bool {
	return gofile.IsZero(e) && (e == "nil" || !types.IsInterface(t))
}
