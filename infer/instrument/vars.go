package instrument

import (
	"fmt"
	"go/types"
	"strings"

	"dsd/schemas"
)

// Limits of what is observed at one point.
const (
	maxDepth = 2  // steps through fields and pointers
	maxVars  = 80 // variables of an entry
)

// observer builds, for one program point, the list of its variables and the Go code that reports their values, in
// the same order, to the sample held by `h`.
type observer struct {
	pkg  *types.Package // from where fields are seen
	h    string         // name of the variable that holds the sample
	vars []schemas.TraceVar
	code strings.Builder
	temp int
}

// origin says how a value was reached, which decides what may be read of it.
type origin struct {
	depth   int
	shared  bool   // reached through a pointer or a package-level variable: another goroutine may be writing it
	pointer string // name of the nearest pointer on the way
}

func (o *observer) add(name string, t types.Type, rep string, from origin, call string) {
	o.vars = append(o.vars, schemas.TraceVar{Name: name, Type: o.typeString(t), Rep: rep, Pointer: from.pointer})
	o.code.WriteString(call + "; ")
}

func (o *observer) typeString(t types.Type) string {
	return types.TypeString(t, types.RelativeTo(o.pkg))
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
		o.add(name, t, "ref", from, fmt.Sprintf("%s.Nil(%s == nil)", o.h, expr))
		o.add("len("+name+")", types.Typ[types.Int], "int", from, fmt.Sprintf("%s.Int(int64(len(%s)))", o.h, expr))

	case *types.Map:
		o.add(name, t, "ref", from, fmt.Sprintf("%s.Nil(%s == nil)", o.h, expr))
		if !from.shared { // len of a map reads a word, but of an object that may be in the middle of growing
			o.add("len("+name+")", types.Typ[types.Int], "int", from, fmt.Sprintf("%s.Int(int64(len(%s)))", o.h, expr))
		}

	case *types.Chan, *types.Signature:
		o.add(name, t, "ref", from, fmt.Sprintf("%s.Nil(%s == nil)", o.h, expr))

	case *types.Interface:
		if from.shared {
			o.add(name, t, "ref", from, fmt.Sprintf("%s.Nil(%s == nil)", o.h, expr))
		} else {
			o.add(name, t, "type", from, fmt.Sprintf("%s.Type(%s)", o.h, expr))
		}

	case *types.Struct:
		o.fields(name, expr, t, u, from)

	case *types.Array:
		// Elements are not observed yet.
	}
}

func (o *observer) basic(name, expr string, t types.Type, u *types.Basic, from origin) {
	switch info := u.Info(); {
	case info&types.IsUnsigned != 0:
		o.add(name, t, "uint", from, fmt.Sprintf("%s.Uint(uint64(%s))", o.h, expr))
	case info&types.IsInteger != 0:
		o.add(name, t, "int", from, fmt.Sprintf("%s.Int(int64(%s))", o.h, expr))
	case info&types.IsFloat != 0:
		o.add(name, t, "float", from, fmt.Sprintf("%s.Float(float64(%s))", o.h, expr))
	case info&types.IsBoolean != 0:
		o.add(name, t, "bool", from, fmt.Sprintf("%s.Bool(bool(%s))", o.h, expr))
	case info&types.IsString != 0:
		if !from.shared {
			o.add(name, t, "string", from, fmt.Sprintf("%s.String(string(%s))", o.h, expr))
		}
		o.add("len("+name+")", types.Typ[types.Int], "int", from, fmt.Sprintf("%s.Int(int64(len(%s)))", o.h, expr))
	}
}

func (o *observer) pointer(name, expr string, t types.Type, u *types.Pointer, from origin) {
	// The pointer is read once: it may change between a test and a use.
	v := fmt.Sprintf("_dsd_t%d", o.temp)
	o.temp++
	o.code.WriteString(fmt.Sprintf("%s := %s; ", v, expr))
	o.add(name, t, "ref", from, fmt.Sprintf("%s.Ptr(%s)", o.h, v))
	if from.depth >= maxDepth {
		return
	}
	inner := observer{pkg: o.pkg, h: o.h, temp: o.temp, vars: o.vars}
	to := origin{depth: from.depth, shared: true, pointer: name}
	if s, ok := u.Elem().Underlying().(*types.Struct); ok {
		inner.fields(name, v, u.Elem(), s, to)
	} else if _, ok := u.Elem().Underlying().(*types.Basic); ok {
		to.depth++
		inner.value("*"+name, "*"+v, u.Elem(), to)
	}
	if n := len(inner.vars) - len(o.vars); n > 0 {
		fmt.Fprintf(&o.code, "if %s != nil { %s} else { %s.Skip(%d) }; ", v, inner.code.String(), o.h, n)
		o.vars, o.temp = inner.vars, inner.temp
	}
}

func (o *observer) fields(name, expr string, t types.Type, s *types.Struct, from origin) {
	if from.depth >= maxDepth || opaque(t) {
		return
	}
	from.depth++
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || !f.Exported() && f.Pkg() != o.pkg {
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
