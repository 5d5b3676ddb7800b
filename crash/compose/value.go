package compose

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"dsd/crash/gofile"
	"dsd/schemas"
)

// maxElements is the number of elements up to which slices are written out.
const maxElements = 8

// value is the expression for a node of type t; typed says that the place it goes to gives an untyped constant its
// type.
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
			return w.makeChan(u, 0)
		}
		return w.channel(*n.Ref, u)

	case *types.Signature:
		if n.Lit == "nil" {
			return "nil"
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
			parts = append(parts, fmt.Sprintf("%d: %s", e.Index, w.value(&e.Value, u.Elem(), true)))
		}
		return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
	}
	fail("a value of type %s cannot be written", t)
	return ""
}

// makeChan makes a channel that holds n elements, with room for another, so that a send does not wait for nobody.
func (w *writer) makeChan(u *types.Chan, n int) string {
	return fmt.Sprintf("make(%s, %d)", w.typ(types.NewChan(types.SendRecv, u.Elem())), n+1)
}

// channel writes a channel with what is to be received from it.
func (w *writer) channel(i int, u *types.Chan) string {
	n := &w.ce.Objects[i]
	room := len(n.Elems)
	if n.Cap != nil { // it is known, and with one more it would not block where it did
		room = max(room, int(*n.Cap)) - 1
	}
	if len(n.Elems) == 0 && !n.Closed {
		return w.shared(i, func() string { return w.makeChan(u, room) })
	}
	if w.vars[i] == "" {
		v := w.name("c")
		w.vars[i] = v
		w.emit("%s := %s", v, w.makeChan(u, room))
		for j := range n.Elems {
			w.emit("%s <- %s", v, w.value(&n.Elems[j].Value, u.Elem(), true))
		}
		if n.Closed {
			w.emit("close(%s)", v)
		}
	}
	return w.vars[i]
}

func (w *writer) basic(n *schemas.Node, t types.Type, u *types.Basic, typed bool) string {
	lit := n.Lit
	info := u.Info()
	switch {
	case lit == "" && info&types.IsString != 0:
		lit = `""`
	case lit == "" && info&types.IsBoolean != 0:
		lit = "false"
	case lit == "":
		lit = "0"
	}
	if info&types.IsComplex != 0 && !strings.HasPrefix(lit, "complex(") {
		lit = "0"
	}
	if strings.Contains(lit, "(math.") || strings.Contains(lit, " math.") { // the parts of a complex number
		lit = strings.ReplaceAll(lit, "math.", w.file.Use("math", "math")+".")
		typed = typed && t == types.Typ[types.Complex128]
	}
	if strings.HasPrefix(lit, "math.") {
		lit = w.file.Use("math", "math") + strings.TrimPrefix(lit, "math")
		if t != types.Typ[types.Float64] {
			return w.typ(t) + "(" + lit + ")"
		}
		return lit
	}
	if typed || u == types.Typ[types.Int] && t == u || t == types.Typ[types.String] || t == types.Typ[types.Bool] {
		return lit
	}
	return w.typ(t) + "(" + lit + ")"
}

// shared writes an object in place if it is used once, else as a variable. It must not refer to itself, unless it is a map.
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

// pointer writes the pointer to an object that holds a value of type t. An object on a cycle is filled after it has its
// variable.
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

// fields writes the constrained fields of a struct as those of a literal.
func (w *writer) fields(n *schemas.Node, t types.Type, s *types.Struct) string {
	var parts []string
	w.eachField(n, t, s, func(name, e string) { parts = append(parts, name+": "+e) })
	return strings.Join(parts, ", ")
}

// eachField visits the fields of a struct that do not have their zero value.
func (w *writer) eachField(n *schemas.Node, t types.Type, s *types.Struct, visit func(name, value string)) {
	for i := range n.Fields {
		in := &n.Fields[i]
		f := fieldOf(s, in.Name)
		if f == nil {
			fail("%s has no field %s: the source has changed since", t, in.Name)
		}
		if in.Name == "_" {
			continue
		}
		if !f.Exported() && f.Pkg() != w.f.Pkg.Types {
			fail("the field %s of %s cannot be set from package %s", f.Name(), t, w.f.Pkg.Path)
		}
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

// isZero says that an expression is the zero value of a type; an interface that holds one is not.
func isZero(e string, t types.Type) bool {
	return gofile.IsZero(e) && (e == "nil" || !types.IsInterface(t))
}

func fieldOf(s *types.Struct, name string) *types.Var {
	for i := range s.NumFields() {
		if s.Field(i).Name() == name {
			return s.Field(i)
		}
	}
	return nil
}

// slice writes a slice; slices that share their array are cut from one variable.
func (w *writer) slice(n *schemas.Node, t, elem types.Type) string {
	var length, capacity int64
	if n.Len != nil {
		length = *n.Len
	}
	capacity = length
	if n.Cap != nil {
		capacity = max(length, *n.Cap)
	}
	cut := func(of string) string {
		from := ""
		if n.Offset > 0 {
			from = strconv.FormatInt(n.Offset, 10)
		}
		return fmt.Sprintf("%s[%s:%d:%d]", of, from, n.Offset+length, n.Offset+capacity)
	}
	if n.Path != "" {
		return cut(w.part(*n.Ref, n.Path))
	}
	obj := &w.ce.Objects[*n.Ref]
	if w.refs[*n.Ref] > 1 || n.Offset > 0 {
		v := w.vars[*n.Ref]
		if v == "" {
			size := w.sizes[*n.Ref]
			v = w.filled(*n.Ref, t, elem, size, size)
		}
		return cut(v)
	}
	if obj.Lit != "" { // bytes
		e := w.typ(t) + "(" + obj.Lit + ")"
		if capacity > length {
			return cut(e)
		}
		return e
	}
	if length > maxElements || capacity > length {
		return w.filled(*n.Ref, t, elem, length, capacity)
	}
	parts := make([]string, length)
	for i := range parts {
		parts[i] = w.value(&schemas.Node{}, elem, true)
	}
	for i := range obj.Elems {
		if e := &obj.Elems[i]; e.Index < length {
			parts[e.Index] = w.value(&e.Value, elem, true)
		}
	}
	return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
}

// part is a part of an object that is a variable: one of its fields or elements.
func (w *writer) part(i int, path string) string {
	obj := &w.ce.Objects[i]
	if w.vars[i] == "" {
		t := w.parseType(obj.Type)
		if a, ok := t.(*types.Array); ok && strings.HasPrefix(path, "[") {
			w.filled(i, types.NewSlice(a.Elem()), a.Elem(), a.Len(), a.Len())
		} else {
			w.pointer(i, t)
		}
	}
	t := w.parseType(obj.Type)
	for rest := path; rest != ""; { // it must be in reach
		step := rest[1:]
		if end := strings.IndexAny(step, ".["); end >= 0 {
			step = step[:end]
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			f := fieldOf(u, step)
			if f == nil {
				fail("%s has no field %s: the source has changed since", t, step)
			}
			if !f.Exported() && f.Pkg() != w.f.Pkg.Types {
				fail("the field %s of %s cannot be set from package %s", f.Name(), t, w.f.Pkg.Path)
			}
			t = f.Type()
		case *types.Array:
			t = u.Elem()
		default:
			fail("%s of %s is no field or element", path, obj.Type)
		}
		rest = rest[1+len(step):]
	}
	return w.vars[i] + path
}

// declared is a package-level variable, its address, or a function.
func (w *writer) declared(n *schemas.Node) string {
	text, ampersand := strings.CutPrefix(n.Var, "&")
	dot := strings.LastIndexByte(text, '.')
	path, name := text[:max(dot, 0)], text[dot+1:]
	out := name
	if path != w.f.Pkg.Path {
		if !isExported(name) {
			fail("%s cannot be named in package %s", text, w.f.Pkg.Path)
		}
		pkg := w.importable(path)
		if pkg == nil || pkg.Scope().Lookup(name) == nil {
			fail("%s cannot be named in package %s", text, w.f.Pkg.Path)
		}
		out = w.file.Use(path, pkg.Name()) + "." + name
	}
	if ampersand {
		out = "&" + out
	}
	return out
}

// filled makes a variable with a slice and sets its constrained elements.
func (w *writer) filled(ref int, t, elem types.Type, length, capacity int64) string {
	v := w.name("s")
	w.vars[ref] = v
	obj := &w.ce.Objects[ref]
	if obj.Lit != "" {
		w.emit("%s := %s(%s)", v, w.typ(t), obj.Lit)
		return v
	}
	if capacity > length {
		w.emit("%s := make(%s, %d, %d)", v, w.typ(t), length, capacity)
	} else {
		w.emit("%s := make(%s, %d)", v, w.typ(t), length)
	}
	for i := range obj.Elems {
		e := &obj.Elems[i]
		if x := w.value(&e.Value, elem, true); e.Index < length && !isZero(x, elem) {
			w.emit("%s[%d] = %s", v, e.Index, x)
		}
	}
	return v
}

func (w *writer) mapLit(i int, t types.Type, m *types.Map) string {
	n := &w.ce.Objects[i]
	if w.cyclic[i] {
		v := w.name("m")
		w.vars[i] = v
		w.emit("%s := %s{}", v, w.typ(t))
		w.eachEntry(n, m, func(key, value string) { w.emit("%s[%s] = %s", v, key, value) })
		return v
	}
	var parts []string
	w.eachEntry(n, m, func(key, value string) { parts = append(parts, key+": "+value) })
	return w.typ(t) + "{" + strings.Join(parts, ", ") + "}"
}

func (w *writer) eachEntry(n *schemas.Node, m *types.Map, visit func(key, value string)) {
	for i := range n.Elems {
		if e := &n.Elems[i]; e.Key != nil {
			visit(w.value(e.Key, m.Key(), true), w.value(&e.Value, m.Elem(), true))
		}
	}
}

// stub is a function that returns what the node says, call by call, and zero values otherwise.
func (w *writer) stub(n *schemas.Node, sig *types.Signature) string {
	var params, results []string
	for i := range sig.Params().Len() {
		p := w.typ(sig.Params().At(i).Type())
		if sig.Variadic() && i == sig.Params().Len()-1 {
			p = "..." + strings.TrimPrefix(p, "[]")
		}
		params = append(params, p)
	}
	for i := range sig.Results().Len() {
		results = append(results, "_ "+w.typ(sig.Results().At(i).Type()))
	}
	s := "func(" + strings.Join(params, ", ") + ")"
	if len(results) == 0 {
		return s + " {}"
	}
	s += " (" + strings.Join(results, ", ") + ") {"
	returns := make([]string, len(n.Elems))
	same := true
	for i := range n.Elems {
		returns[i] = "return " + w.results(&n.Elems[i].Value, sig.Results())
		same = same && n.Elems[i].Index == int64(i) && returns[i] == returns[0]
	}
	switch {
	case len(returns) == 0:
		return s + " return }"
	case same:
		return s + " " + returns[0] + " }"
	}
	calls := w.name("calls")
	w.emit("%s := 0", calls)
	s += fmt.Sprintf("\n%s++\nswitch %s {", calls, calls)
	for i, r := range returns {
		s += fmt.Sprintf("\ncase %d:\n%s", n.Elems[i].Index+1, r)
	}
	return s + "\n}\nreturn\n}"
}

// results writes the operands of a return statement.
func (w *writer) results(n *schemas.Node, list *types.Tuple) string {
	if list.Len() == 1 {
		return w.value(n, list.At(0).Type(), true)
	}
	vals := make([]string, list.Len())
	for i := range vals {
		part := &schemas.Node{}
		for k := range n.Fields {
			if n.Fields[k].Name == strconv.Itoa(i) {
				part = &n.Fields[k].Node
			}
		}
		vals[i] = w.value(part, list.At(i).Type(), true)
	}
	return strings.Join(vals, ", ")
}

// iface writes an interface by what it holds.
func (w *writer) iface(n *schemas.Node, t types.Type) string {
	d := n.Dynamic
	switch {
	case d == nil:
		return "nil"
	case d.Type == n.Type:
		return w.known(t)
	}
	dt := w.tryType(d.Type)
	if dt == nil { // what matters may be just that there is something
		return w.known(t)
	}
	if hidden(dt) {
		w.builtBy = schemas.ByLiteral
	}
	e := w.value(d, dt, false)
	if p, ok := dt.Underlying().(*types.Pointer); ok {
		if d.Ref == nil && d.Lit != "nil" {
			return "new(" + w.typ(p.Elem()) + ")"
		}
		if e == "nil" {
			return "(" + w.typ(dt) + ")(nil)"
		}
	} else if e == "nil" {
		return w.typ(dt) + "(nil)"
	}
	return e
}

// hidden says that a type, or what it points to, has a name that users of its package cannot write.
func hidden(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && !n.Obj().Exported()
}
