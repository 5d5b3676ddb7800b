package record

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// In the mode used, functions save fields on entry [REC 2.3.1]: those that the function or its
// callees may write, in the structs that the arguments lead to. Each becomes a local variable, so
// that nothing is allocated unless the function panics.

const (
	// maxSaved bounds the fields that are saved for one argument.
	maxSaved = 12
	// maxPointers bounds the pointers between an argument and a field that is saved.
	maxPointers = 3
	// zeroName begins the names of the zero variables that stand in for what nil pointers point
	// to.
	zeroName = "_dsd_zero"
)

// saving builds the source text that saves the fields for one function.
type saving struct {
	w    *rewriter
	f    *types.Func
	room int // number of fields that may still be saved for the current argument
	// before runs on entry. copies and list run when a panic unwinds the function; they pass
	// the fields and what they held to the runtime.
	before, copies, list strings.Builder
	pointers, fields     int // numbers of the variables made so far
	queue                []target
}

// target is a struct whose fields may be saved. The expression at denotes it and is never the
// dereference of a nil pointer.
type target struct {
	at    string
	typ   *types.Struct
	depth int // number of pointers from the argument
}

// saves returns the statements that save the fields that a function may write, and those that list
// them with their addresses when a panic unwinds the function. The arguments are visited in order
// and their structs breadth first. The cost at run time is at most maxSaved loads and stores for
// each argument.
func (w *rewriter) saves(fd *ast.FuncDecl, obj *types.Func, inputs []input) (before, list string) {
	s := &saving{w: w, f: obj.Origin()}
	for i, x := range parameterExprs(fd) {
		s.room, s.queue = maxSaved, nil
		if _, ok := x.(*ast.Ellipsis); ok {
			continue
		}
		switch t := w.pkg.Info.TypeOf(x).Underlying().(type) {
		case *types.Struct:
			s.follow(inputs[i].ident, t, 0)
		case *types.Pointer:
			if w.writes.writesBelow(s.f, t.Elem(), maxPointers) {
				z := s.orZero(inputs[i].ident, t.Elem(), s.newOf(fd, x))
				if z != "" {
					s.reach(z, t.Elem(), 1)
				}
			}
		}
		for len(s.queue) > 0 && s.room > 0 {
			p := s.queue[0]
			s.queue = s.queue[1:]
			s.save(p)
			s.follow(p.at, p.typ, p.depth)
		}
	}
	list = s.copies.String() + "_dsd_s := []interface{}{" + s.list.String() + "}; "
	return s.before.String(), list
}

// save saves the fields of a struct that the function may write and the package can name, unless
// there are more than there is room for.
func (s *saving) save(p target) {
	fields := slices.DeleteFunc(s.w.writes.fields(s.f, p.typ), func(v *types.Var) bool {
		return !v.Exported() && v.Pkg() != s.w.pkg.Types
	})
	if len(fields) > s.room {
		return
	}
	for _, v := range fields {
		s.keep(p.at + "." + v.Name())
	}
}

// keep saves the value of an expression.
func (s *saving) keep(x string) {
	s.room--
	name := fmt.Sprintf("_dsd_u%d", s.fields)
	s.fields++
	fmt.Fprintf(&s.before, "%s := %s; ", name, x)
	// The function literal copies the variable, so that it escapes only if the literal is
	// called.
	fmt.Fprintf(&s.copies, "%s := %s; ", name, name)
	fmt.Fprintf(&s.list, "&%s, &%s, ", x, name)
}

// reach continues with what a pointer that is not nil points to.
func (s *saving) reach(pointer string, elem types.Type, depth int) {
	if u, ok := elem.Underlying().(*types.Struct); ok {
		s.queue = append(s.queue, target{pointer, u, depth})
	} else if s.room > 0 && s.w.writes.writesPointee(s.f, elem) {
		s.keep("*" + pointer)
	}
}

// follow continues with what the pointers in a struct point to, if the function may write there.
func (s *saving) follow(x string, typ *types.Struct, depth int) {
	for i := range typ.NumFields() {
		v := typ.Field(i)
		if v.Name() == "_" || !v.Exported() && v.Pkg() != s.w.pkg.Types {
			continue
		}
		at := x + "." + v.Name()
		switch t := v.Type().Underlying().(type) {
		case *types.Struct:
			s.follow(at, t, depth)
		case *types.Pointer:
			left := maxPointers - depth
			if left <= 0 || !s.w.writes.writesBelow(s.f, t.Elem(), left) {
				continue
			}
			if z := s.orZero(at, t.Elem(), ""); z != "" {
				s.reach(z, t.Elem(), depth+1)
			}
		}
	}
}

// orZero declares a variable for a pointer, or for a pointer to a zero value if that is nil, and
// returns its name. The zero value is a variable of the package or, if the package cannot declare
// one of the type, the value of the expression alloc. The name is "" if there is neither.
func (s *saving) orZero(x string, elem types.Type, alloc string) string {
	if text := s.w.packageType(elem); text != "" {
		i := slices.Index(s.w.zeros, text)
		if i < 0 {
			i = len(s.w.zeros)
			s.w.zeros = append(s.w.zeros, text)
		}
		alloc = fmt.Sprintf("&%s%d", zeroName, i)
	}
	if alloc == "" {
		return ""
	}
	z := fmt.Sprintf("_dsd_z%d", s.pointers)
	s.pointers++
	fmt.Fprintf(&s.before, "%[1]s := %[2]s; if %[1]s == nil { %[1]s = %[3]s }; ", z, x, alloc)
	return z
}

// packageType returns a type as a declaration of the package writes it, or "" if it is neither a
// type of the package without type arguments nor a predeclared one.
func (w *rewriter) packageType(t types.Type) string {
	scope := w.pkg.Types.Scope()
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		obj := t.Obj()
		if t.TypeArgs() == nil && t.TypeParams() == nil && scope.Lookup(obj.Name()) == obj {
			return obj.Name()
		}
	case *types.Basic:
		if scope.Lookup(t.Name()) == nil && types.Universe.Lookup(t.Name()) != nil {
			return t.Name()
		}
	}
	return ""
}

// newOf returns an expression for a pointer to a zero value of the type that a parameter points to,
// or "" if a name in it means something else in the body of the function.
func (s *saving) newOf(fd *ast.FuncDecl, typ ast.Expr) string {
	star, ok := ast.Unparen(typ).(*ast.StarExpr)
	if !ok || s.w.hides(fd, star.X) {
		return ""
	}
	return "new(" + string(s.w.src[s.w.offset(star.X.Pos()):s.w.offset(star.X.End())]) + ")"
}

// hides reports whether a parameter or result of a function hides a name in a type expression.
func (w *rewriter) hides(fd *ast.FuncDecl, typ ast.Expr) (hidden bool) {
	scope := w.pkg.Info.Scopes[fd.Type]
	ast.Inspect(typ, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := scope.Lookup(id.Name); obj != nil {
				if _, isType := obj.(*types.TypeName); !isType {
					hidden = true
				}
			}
		}
		return !hidden
	})
	return hidden
}
