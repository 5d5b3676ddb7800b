package instrument

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"dsd/schemas"
)

// DefaultDepth is the default number of steps through fields and pointers that values are followed
// for.
const DefaultDepth = 2

const (
	// maxVars bounds the variables of an entry.
	maxVars = 80
	// maxArray bounds the elements of an array that is observed.
	maxArray = 32
)

// observer builds, for one program point, the list of its variables and the Go code that reports
// their values, in the same order, to the sample held by `h`.
type observer struct {
	pkg   *types.Package // which sees its unexported fields
	scope *types.Scope   // of the names that the code may use
	h     string         // name of the variable that holds the sample
	vars  []schemas.TraceVar
	code  strings.Builder
	temp  int // number of the next temporary variable
	depth int // steps through fields and pointers
	// capped are the slices whose capacity is observed, as the source writes them.
	capped map[string]bool
	// relevant reports whether to observe a field; nil observes all.
	relevant func(*types.Var) bool
	// share returns the name of a function that has this code for a value _dsd_x of type t, to be called in
	// place of it; nil if there is none.
	share func(t types.Type, code string) string
}

// minShared is the length of the code from which on it is shared.
const minShared = 300

// origin is how a value was reached, which decides what may be read of it.
type origin struct {
	depth int // steps through fields and pointers
	// shared reports whether it was reached through a pointer or a package-level variable, so
	// that another goroutine may be writing it.
	shared  bool
	pointer string // name of the last pointer on the way
}

// add adds a variable, and the call that reports its value.
func (o *observer) add(name string, t types.Type, rep schemas.Rep, from origin, call string) {
	v := schemas.TraceVar{Name: name, Type: o.typeString(t), Rep: rep, Pointer: from.pointer}
	o.vars = append(o.vars, v)
	o.code.WriteString(call + "; ")
}

// typeString returns a type as the package under test writes it.
func (o *observer) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(o.pkg))
}

// call returns a call that reports the value of an expression to the sample.
func (o *observer) call(method, arg string) string { return o.h + "." + method + "(" + arg + ")" }

// hidden reports whether a predeclared name means something else where the code goes. The runtime
// has a substitute for each.
func (o *observer) hidden(name string) bool {
	_, obj := o.scope.LookupParent(name, token.NoPos)
	return obj == nil || obj.Parent() != types.Universe
}

// convert returns a conversion of an expression to a predeclared type.
func (o *observer) convert(t, expr string) string {
	if o.hidden(t) {
		t = rtName + "." + strings.ToUpper(t[:1]) + t[1:]
	}
	return t + "(" + expr + ")"
}

// length returns the length of the value of an expression, as an int64.
func (o *observer) length(expr string) string {
	if o.hidden("len") {
		return rtName + ".Len(" + expr + ")"
	}
	return o.convert("int64", "len("+expr+")")
}

// capacity returns the capacity of the value of an expression, as an int64.
func (o *observer) capacity(expr string) string {
	if o.hidden("cap") {
		return rtName + ".Cap(" + expr + ")"
	}
	return o.convert("int64", "cap("+expr+")")
}

// addLength adds the length of a value as a variable.
func (o *observer) addLength(name, expr string, from origin) {
	call := o.call("Int", o.length(expr))
	o.add("len("+name+")", types.Typ[types.Int], schemas.RepInt, from, call)
}

// addCapacity adds the capacity of a value as a variable.
func (o *observer) addCapacity(name, expr string, from origin) {
	call := o.call("Int", o.capacity(expr))
	o.add("cap("+name+")", types.Typ[types.Int], schemas.RepInt, from, call)
}

// isNil returns a test whether the value of an expression is nil.
func (o *observer) isNil(expr string) string {
	if o.hidden("nil") {
		return rtName + ".IsNil(" + expr + ")"
	}
	return expr + " == nil"
}

// input observes a receiver or parameter whose value the expression expr has. The function relevant
// decides on fields unless the input does.
func (o *observer) input(in input, expr string, relevant func(*types.Var) bool) {
	if o.relevant = relevant; in.relevant != nil {
		o.relevant = in.relevant
	}
	if !o.shared(in, expr) {
		o.value(in.name, expr, in.typ, origin{})
	}
	o.results(in, expr)
	o.relevant = relevant
}

// shared observes a receiver by a call of a function that the methods of its type share: a type may have
// hundreds of methods, and hundreds of fields. It reports false if that is not worth it.
func (o *observer) shared(in input, expr string) bool {
	if !in.receiver || o.share == nil || len(o.vars) > 0 {
		return false
	}
	inner := observer{
		pkg: o.pkg, scope: o.pkg.Scope(), h: o.h, depth: o.depth, capped: o.capped, relevant: o.relevant,
	}
	inner.value(in.name, sharedName, in.typ, origin{})
	if inner.code.Len() < minShared {
		return false
	}
	o.vars = inner.vars
	fmt.Fprintf(&o.code, "%s(%s, %s); ", o.share(in.typ, inner.code.String()), o.h, expr)
	return true
}

// value observes a value of type t, called name in the trace and computed by the Go expression
// expr, which is cheap and has no side effects.
//
// Of a shared value only single words are read. Another goroutine may be writing a string, slice or
// interface, and following one that is half written would crash the testee.
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
		o.addLength(name, expr, from)
		if o.capped[name] {
			o.addCapacity(name, expr, from)
		}
		if rep := sequenceOf(u.Elem()); rep != "" && !from.shared { // it may be half written
			o.add(name, u, rep, from, o.call("Items", expr))
		}

	case *types.Map:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		if !from.shared { // len reads from the map itself, which may be growing
			o.addLength(name, expr, from)
		}

	case *types.Chan:
		o.add(name, t, schemas.RepRef, from, o.call("Nil", o.isNil(expr)))
		if len(o.vars)+2 > maxVars {
			return
		}
		from.pointer = name // the buffer of a channel is memory elsewhere, which changes
		fmt.Fprintf(&o.code, "if !(%s) { ", o.isNil(expr))
		o.addLength(name, expr, from)
		o.addCapacity(name, expr, from)
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
			// The type is written as [3]int, even if it has a name, to show that it is
			// no slice.
			o.add(name, u, rep, from, o.call("Items", expr))
		}
	}
}

// key observes whether a map has a key, if the map is not nil.
func (o *observer) key(m, k input) {
	if len(o.vars) >= maxVars {
		return
	}
	fmt.Fprintf(&o.code, "if !(%s) { _, _dsd_k := %s[%s]; ", o.isNil(m.ident), m.ident, k.ident)
	name, from := "has("+m.name+", "+k.name+")", origin{pointer: m.name}
	o.add(name, types.Typ[types.Bool], schemas.RepBool, from, o.call("Bool", "_dsd_k"))
	fmt.Fprintf(&o.code, "} else { %s.Skip(1) }; ", o.h)
}

// sequenceOf returns the representation of a slice with elements of type t, or "" if its elements
// are not observed. Byte slices are long, and their single elements carry little information.
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

// isSharedSequence reports whether a variable holds the elements of a slice, which everybody who
// has the slice can change. The elements of an array cannot be changed that way.
func isSharedSequence(v schemas.TraceVar) bool {
	switch v.Rep {
	case schemas.RepInts, schemas.RepUints, schemas.RepFloats, schemas.RepStrings,
		schemas.RepRefs:
		return !strings.HasPrefix(v.Type, "[") || strings.HasPrefix(v.Type, "[]")
	}
	return false
}

// basic observes a value of a basic type.
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
			call := o.call("String", o.convert("string", expr))
			o.add(name, t, schemas.RepString, from, call)
		}
		o.addLength(name, expr, from)
	}
}

// pointer observes a pointer, and what it points to if it is not nil.
func (o *observer) pointer(name, expr string, t types.Type, u *types.Pointer, from origin) {
	// The pointer is read once, since it may change between the test for nil and the use.
	v := fmt.Sprintf("_dsd_t%d", o.temp)
	o.temp++
	fmt.Fprintf(&o.code, "%s := %s; ", v, expr)
	o.add(name, t, schemas.RepRef, from, o.call("Ptr", v))
	if from.depth >= o.depth {
		return
	}
	inner := observer{
		pkg: o.pkg, scope: o.scope, h: o.h, temp: o.temp, vars: o.vars, depth: o.depth,
		capped: o.capped, relevant: o.relevant,
	}
	to := origin{depth: from.depth, shared: true, pointer: name}
	if s, ok := u.Elem().Underlying().(*types.Struct); ok {
		inner.fields(name, v, u.Elem(), s, to)
	} else if _, ok := u.Elem().Underlying().(*types.Basic); ok {
		to.depth++
		inner.value("*"+name, "*"+v, u.Elem(), to)
	}
	if n := len(inner.vars) - len(o.vars); n > 0 {
		fmt.Fprintf(&o.code, "if !(%s) { %s} else { %s.Skip(%d) }; ",
			o.isNil(v), inner.code.String(), o.h, n)
		o.vars, o.temp = inner.vars, inner.temp
	}
}

// fields observes the fields of a struct that the package sees and that are relevant.
func (o *observer) fields(name, expr string, t types.Type, s *types.Struct, from origin) {
	if from.depth >= o.depth || isLibraryState(t) {
		return
	}
	from.depth++
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || !f.Exported() && f.Pkg() != o.pkg ||
			o.relevant != nil && !o.relevant(f) {
			continue
		}
		o.value(name+"."+f.Name(), expr+"."+f.Name(), f.Type(), from)
	}
}

// isLibraryState reports whether the fields of a type are not observed, since the testee does not
// see them.
func isLibraryState(t types.Type) bool {
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
