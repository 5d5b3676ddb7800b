package instrument

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"dsd/schemas"
)

// DefaultDepth is how many steps through fields and pointers values are followed, where nothing else is asked for.
const DefaultDepth = 2

// maxVars is how many variables of an entry are observed.
const maxVars = 80

// observer builds, for one program point, the list of its variables and the Go code that reports their values, in
// the same order, to the sample held by `h`.
type observer struct {
	pkg   *types.Package // from where fields are seen
	scope *types.Scope   // of the names that the code may use
	h     string         // name of the variable that holds the sample
	vars  []schemas.TraceVar
	code  strings.Builder
	temp  int
	depth int // steps through fields and pointers
	// capped are the slices, as they are written, whose capacity is observed.
	capped map[string]bool
	// relevant says which fields are observed; nil that all are.
	relevant func(*types.Var) bool
}

// origin says how a value was reached, which decides what may be read of it.
type origin struct {
	depth   int
	shared  bool   // reached through a pointer or a package-level variable: another goroutine may be writing it
	pointer string // name of the nearest pointer on the way
}

func (o *observer) add(name string, t types.Type, rep schemas.Rep, from origin, call string) {
	o.vars = append(o.vars, schemas.TraceVar{Name: name, Type: o.typeString(t), Rep: rep, Pointer: from.pointer})
	o.code.WriteString(call + "; ")
}

func (o *observer) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(o.pkg))
}

// call reports a value, computed by the expression arg, to the sample.
func (o *observer) call(method, arg string) string { return o.h + "." + method + "(" + arg + ")" }

// hidden says that a predeclared name means something else in the testee at this place; the runtime has a substitute.
func (o *observer) hidden(name string) bool {
	_, obj := o.scope.LookupParent(name, token.NoPos)
	return obj == nil || obj.Parent() != types.Universe
}

func (o *observer) convert(t, expr string) string {
	if o.hidden(t) {
		t = rtName + "." + strings.ToUpper(t[:1]) + t[1:]
	}
	return t + "(" + expr + ")"
}

func (o *observer) length(expr string) string {
	if o.hidden("len") {
		return rtName + ".Len(" + expr + ")"
	}
	return o.convert("int64", "len("+expr+")")
}

func (o *observer) capacity(expr string) string {
	if o.hidden("cap") {
		return rtName + ".Cap(" + expr + ")"
	}
	return o.convert("int64", "cap("+expr+")")
}

func (o *observer) isNil(expr string) string {
	if o.hidden("nil") {
		return rtName + ".IsNil(" + expr + ")"
	}
	return expr + " == nil"
}

// value observes a value of type t, called name in the trace and computed by the Go expression expr, which is cheap
// and free of effects. Of a shared value only single words are read: a string or interface that another goroutine is
// writing could be seen half written, and following it would crash the testee.
func (o *observer) value(name, expr string, t types.Type, from origin) {
	if len(o.vars) >= maxVars {
		return
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		o.basic(name, expr, t, u, from)

	case *types.Pointer:
		o.pointer(name, expr, t, u, from)

	case *types.Slice:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		o.add("len("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.length(expr)))
		if o.capped[name] {
			o.add("cap("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.capacity(expr)))
		}
		if rep := sequenceOf(u.Elem()); rep != "" && !from.shared { // a slice that is being written could be seen half written
			o.add(name, u, rep, from, o.call("Items", expr)) // as [3]int, which says that it is a value
		}

	case *types.Map:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		if !from.shared { // len of a map reads a word, but of an object that may be in the middle of growing
			o.add("len("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.length(expr)))
		}

	case *types.Chan:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		if len(o.vars)+2 > maxVars {
			return
		}
		from.pointer = name // what waits in a channel lies elsewhere, and changes
		fmt.Fprintf(&o.code, "if !(%s) { ", o.isNil(expr))
		o.add("len("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.length(expr)))
		o.add("cap("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.capacity(expr)))
		fmt.Fprintf(&o.code, "} else { %s.Skip(2) }; ", o.h)

	case *types.Signature:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))

	case *types.Interface:
		if from.shared {
			o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		} else {
			o.add(name, t, schemas.RepType, from, o.call("Type", expr))
		}

	case *types.Struct:
		o.fields(name, expr, t, u, from)

	case *types.Array:
		if rep := sequenceOf(u.Elem()); rep != "" && !from.shared && u.Len() <= maxArray {
			o.add(name, u, rep, from, o.call("Items", expr)) // as [3]int, which says that it is a value
		}
	}
}

// key observes whether a map has a key.
func (o *observer) key(m, k input) {
	if len(o.vars) >= maxVars {
		return
	}
	fmt.Fprintf(&o.code, "if !(%s) { _, _dsd_k := %s[%s]; ", o.isNil(m.ident), m.ident, k.ident)
	o.add("has("+m.name+", "+k.name+")", types.Typ[types.Bool], schemas.RepBool, origin{pointer: m.name}, o.call("Bool", "_dsd_k"))
	fmt.Fprintf(&o.code, "} else { %s.Skip(1) }; ", o.h)
}

// maxArray is how many elements an array has at most that is observed.
const maxArray = 32

// sequenceOf is how a slice with elements of type t is represented; "" if its elements are not observed. Bytes are many, and say little one by
// one.
func sequenceOf(t types.Type) schemas.Rep {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.Uint8:
		case info&types.IsUnsigned != 0:
			return schemas.RepUints
		case info&types.IsInteger != 0:
			return schemas.RepInts
		case info&types.IsFloat != 0:
			return schemas.RepFloats
		case info&types.IsString != 0:
			return schemas.RepStrings
		}
	case *types.Pointer:
		return schemas.RepRefs
	}
	return ""
}

// inMemory says that a variable of a sequence is of what its elements are, which who holds the slice can change.
func inMemory(v schemas.TraceVar) bool {
	switch v.Rep {
	case schemas.RepInts, schemas.RepUints, schemas.RepFloats, schemas.RepStrings, schemas.RepRefs:
		return !strings.HasPrefix(v.Type, "[") || strings.HasPrefix(v.Type, "[]")
	}
	return false
}

func (o *observer) basic(name, expr string, t types.Type, u *types.Basic, from origin) {
	switch info := u.Info(); {
	case info&types.IsUnsigned != 0:
		o.add(name, t, schemas.RepUint, from, o.call("Uint", o.convert("uint64", expr)))
	case info&types.IsInteger != 0:
		o.add(name, t, schemas.RepInt, from, o.call("Int", o.convert("int64", expr)))
	case info&types.IsFloat != 0:
		o.add(name, t, schemas.RepFloat, from, o.call("Float", o.convert("float64", expr)))
	case info&types.IsBoolean != 0:
		o.add(name, t, schemas.RepBool, from, o.call("Bool", o.convert("bool", expr)))
	case info&types.IsString != 0:
		if !from.shared {
			o.add(name, t, schemas.RepString, from, o.call("String", o.convert("string", expr)))
		}
		o.add("len("+name+")", types.Typ[types.Int], schemas.RepInt, from, o.call("Int", o.length(expr)))
	}
}

func (o *observer) pointer(name, expr string, t types.Type, u *types.Pointer, from origin) {
	// The pointer is read once: it may change between a test and a use.
	v := fmt.Sprintf("_dsd_t%d", o.temp)
	o.temp++
	o.code.WriteString(fmt.Sprintf("%s := %s; ", v, expr))
	o.add(name, t, schemas.RepRef, from, o.call("Ptr", v))
	if from.depth >= o.depth {
		return
	}
	inner := observer{pkg: o.pkg, scope: o.scope, h: o.h, temp: o.temp, vars: o.vars, depth: o.depth, capped: o.capped, relevant: o.relevant}
	to := origin{depth: from.depth, shared: true, pointer: name}
	if s, ok := u.Elem().Underlying().(*types.Struct); ok {
		inner.fields(name, v, u.Elem(), s, to)
	} else if _, ok := u.Elem().Underlying().(*types.Basic); ok {
		to.depth++
		inner.value("*"+name, "*"+v, u.Elem(), to)
	}
	if n := len(inner.vars) - len(o.vars); n > 0 {
		fmt.Fprintf(&o.code, "if !(%s) { %s} else { %s.Skip(%d) }; ", o.isNil(v), inner.code.String(), o.h, n)
		o.vars, o.temp = inner.vars, inner.temp
	}
}

func (o *observer) fields(name, expr string, t types.Type, s *types.Struct, from origin) {
	if from.depth >= o.depth || opaque(t) {
		return
	}
	from.depth++
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || !f.Exported() && f.Pkg() != o.pkg || o.relevant != nil && !o.relevant(f) {
			continue
		}
		o.value(name+"."+f.Name(), expr+"."+f.Name(), f.Type(), from)
	}
}

// opaque says that a type's fields are none of our business.
func opaque(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() {
	case "sync", "sync/atomic", "time", "reflect", "testing":
		return true
	}
	return false
}
