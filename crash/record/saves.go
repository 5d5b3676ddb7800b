package record

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// What --copy used saves as a function is entered: the fields that the function may write of what its arguments point to, and of what
// fields of that point to in turn [REC 2.3].

const (
	// maxSaved is how many fields are saved of what one argument leads to.
	maxSaved = 12
	// maxPointers is how many pointers are followed from an argument to a field that is saved.
	maxPointers = 3
	// zeroName begins the names of the variables that stand in for what nil would point to.
	zeroName = "_dsd_zero"
)

// saving is the source text, in the making, that saves the fields of one function's arguments.
type saving struct {
	w    *rewriter
	f    *types.Func
	room int // for the fields of the argument of the moment
	// before runs as the function is entered; copies and list once a panic passes, and say the fields and what they held.
	before, copies, list strings.Builder
	pointers, fields     int // how many have a variable
	queue                []pointee
}

// pointee is a struct that an expression denotes, which is never that of a nil pointer.
type pointee struct {
	at    string
	typ   *types.Struct
	depth int
}

// saves is what saves the fields that a function may write of what its arguments lead to, and what lists them, with their addresses, once
// a panic passes. Its cost at run time is that of at most maxSaved loads and stores for each argument.
func (w *rewriter) saves(fd *ast.FuncDecl, obj *types.Func, inputs []input) (before, at string) {
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
				if z := s.orZero(inputs[i].ident, t.Elem(), s.newOf(fd, x)); z != "" {
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
	return s.before.String(), s.copies.String() + "_dsd_s := []interface{}{" + s.list.String() + "}; "
}

// parameterExprs are the types of the receiver and of each parameter, as the source has them.
func parameterExprs(fd *ast.FuncDecl) (out []ast.Expr) {
	var list []*ast.Field
	if fd.Recv != nil {
		list = append(list, fd.Recv.List...)
	}
	for _, field := range append(list, fd.Type.Params.List...) {
		for range max(len(field.Names), 1) {
			out = append(out, field.Type)
		}
	}
	return out
}

// save saves the fields of a struct that the function may write, unless there are more than there is room for.
func (s *saving) save(p pointee) {
	fields := slices.DeleteFunc(s.w.writes.fields(s.f, p.typ), func(v *types.Var) bool { return !v.Exported() && v.Pkg() != s.w.pkg.Types })
	if len(fields) > s.room {
		return
	}
	for _, v := range fields {
		s.keep(p.at + "." + v.Name())
	}
}

// keep saves what an expression denotes.
func (s *saving) keep(x string) {
	s.room--
	name := fmt.Sprintf("_dsd_u%d", s.fields)
	s.fields++
	fmt.Fprintf(&s.before, "%s := %s; ", name, x)
	fmt.Fprintf(&s.copies, "%s := %s; ", name, name) // the function literal copies, and nothing escapes unless it is called
	fmt.Fprintf(&s.list, "&%s, &%s, ", x, name)
}

// reach goes on to what a pointer points to, which is not nil.
func (s *saving) reach(pointer string, elem types.Type, depth int) {
	if u, ok := elem.Underlying().(*types.Struct); ok {
		s.queue = append(s.queue, pointee{pointer, u, depth})
	} else if s.room > 0 && s.w.writes.writesPointee(s.f, elem) {
		s.keep("*" + pointer)
	}
}

// follow goes on to what pointers in a struct point to, if the function may write something there.
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
			if depth < maxPointers && s.w.writes.writesBelow(s.f, t.Elem(), maxPointers-depth) {
				if z := s.orZero(at, t.Elem(), ""); z != "" {
					s.reach(z, t.Elem(), depth+1)
				}
			}
		}
	}
}

// orZero is a variable that is an expression's pointer, or one to a zero value if that is nil: one of the package, or alloc, if the
// package cannot have one of the type; "" if there is none.
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

// packageType is a type as a declaration of the package writes it: one of the package's own or a predeclared one, without type arguments;
// "" for others.
func (w *rewriter) packageType(t types.Type) string {
	scope := w.pkg.Types.Scope()
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if obj := t.Obj(); t.TypeArgs() == nil && t.TypeParams() == nil && scope.Lookup(obj.Name()) == obj {
			return obj.Name()
		}
	case *types.Basic:
		if scope.Lookup(t.Name()) == nil && types.Universe.Lookup(t.Name()) != nil {
			return t.Name()
		}
	}
	return ""
}

// newOf is an expression for a pointer to a zero value of what a parameter's type points to, "" if a name in it means something else in
// the function's body.
func (s *saving) newOf(fd *ast.FuncDecl, typ ast.Expr) string {
	star, ok := ast.Unparen(typ).(*ast.StarExpr)
	if !ok || s.w.hides(fd, star.X) {
		return ""
	}
	return "new(" + string(s.w.src[s.w.offset(star.X.Pos()):s.w.offset(star.X.End())]) + ")"
}

// hides says that a parameter or result of a function hides a name of a type.
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
