package candidate

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"dsd/crash/gofile"
)

// Op is an operation: what a statement of a program can do. It takes values of types In and returns
// values of types Out.
type Op struct {
	// Name describes the operation to people: New, (*Stack).Push, []int.
	Name string
	// Func is the function or method that is called; nil if none is.
	Func    *types.Func
	In, Out []types.Type
	// Variadic reports whether the last type of In may be repeated any number of times, or be
	// absent.
	Variadic bool
	// Lit reports whether the result is the statement's literal.
	Lit bool
	// Internal reports whether only code inside the package can write it: it uses an unexported
	// name.
	Internal bool
	// OnFirst reports whether it works on its first argument: the receiver of a method, the
	// owner of the field that is set.
	OnFirst bool
	// Nil reports whether the result is nil.
	Nil bool
	// Converts reports whether the static type of the argument matters, not only that it is
	// assignable to In.
	Converts bool
	// Pure reports whether it has no effect besides its result.
	Pure bool
	// Fields are the fields that a composite literal or an assignment sets; Fields[i] is set to
	// argument i, and nil if that is no value of a field.
	Fields []*types.Var
	// Sets is the package-level variable that it sets; nil if it sets none.
	Sets *types.Var
	// Goals are indices into BuildOptions.Goals: what the arguments are compared with.
	Goals []int
	// Captures reports whether the arguments are used after the operation, by a function that
	// it makes.
	Captures bool
	// Address reports whether it takes the address of a variable.
	Address bool
	// Copies reports whether the result is a copy of the first argument, a struct, in which
	// Fields[1] is set.
	Copies bool
	// Body reports whether the last argument is the body of a request or a response.
	Body bool
	// expr returns the operation in Go: an expression, or a statement if it has no results.
	// args are the arguments in Go; packages that it names become imports of f.
	expr func(f *gofile.File, args []string) string
}

// Key returns a text that tells operations apart: what it takes, and its source as a file f has it.
func (o *Op) Key(f *gofile.File) string {
	var in, out []string
	for _, t := range o.In {
		in = append(in, types.TypeString(t, nil))
	}
	for _, t := range o.Out {
		out = append(out, types.TypeString(t, nil))
	}
	return fmt.Sprintf("%s (%s) (%s) %s", o.Name, strings.Join(in, ", "), strings.Join(out, ", "), o.entry(f, nil))
}

// Call returns the operation that calls a function or method. If recv is not nil, it is the type of
// the receiver, which is then the first argument. targs are the type arguments of a generic
// function, and sig is its signature after substituting them.
func Call(fn *types.Func, recv types.Type, targs []types.Type, sig *types.Signature) *Op {
	o := &Op{Name: fn.Name(), Func: fn, Internal: !fn.Exported()}
	if recv != nil {
		o.In = append(o.In, recv)
		o.OnFirst = true
		unqualified := func(*types.Package) string { return "" }
		o.Name = types.TypeString(recv, unqualified) + "." + fn.Name()
	}
	for i := range sig.Params().Len() {
		o.In = append(o.In, sig.Params().At(i).Type())
	}
	for i := range sig.Results().Len() {
		o.Out = append(o.Out, sig.Results().At(i).Type())
	}
	o.expr = func(f *gofile.File, args []string) string {
		name := fn.Name()
		if recv != nil {
			name, args = args[0]+"."+name, args[1:]
		} else if fn.Pkg() != f.Pkg && fn.Pkg().Path() != f.Pkg.Path() {
			name = f.Use(fn.Pkg().Path(), fn.Pkg().Name()) + "." + name
		}
		if len(targs) > 0 {
			var list []string
			for _, t := range targs {
				list = append(list, f.Type(t))
			}
			name += "[" + strings.Join(list, ", ") + "]"
		}
		return name + "(" + callArguments(f, sig, args) + ")"
	}
	return o
}

// CallHeld returns the operation that calls a function literal, fn. held returns the expression of the variable that holds it.
func CallHeld(fn *types.Func, name string, held func(f *gofile.File) string) *Op {
	o := Call(fn, nil, nil, fn.Signature())
	o.Name, o.Internal = name, true
	o.expr = func(f *gofile.File, args []string) string {
		return held(f) + "(" + callArguments(f, fn.Signature(), args) + ")"
	}
	return o
}

// callArguments returns the argument list of a call. A slice literal for the variadic parameter is
// replaced by its elements.
func callArguments(f *gofile.File, sig *types.Signature, args []string) string {
	text := strings.Join(args, ", ")
	if !sig.Variadic() {
		return text
	}
	last := args[len(args)-1]
	t := f.Type(sig.Params().At(sig.Params().Len() - 1).Type())
	rest := strings.Join(args[:len(args)-1], ", ")
	switch inner, isLit := strings.CutPrefix(last, t+"{"); {
	case last == "nil" || last == "("+t+")(nil)" || last == t+"{}":
		return rest
	case isLit && strings.HasSuffix(inner, "}"):
		return strings.TrimPrefix(rest+", "+strings.TrimSuffix(inner, "}"), ", ")
	}
	return text + "..."
}

// Literal returns the operation that makes the statement's literal, of type t, whose underlying
// type is basic.
func Literal(t types.Type) *Op {
	return &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Lit: true, Pure: true}
}

// Zero returns the operation that makes the zero value of type t.
func Zero(t types.Type) *Op {
	return &Op{
		Name: "zero " + types.TypeString(t, nil), Out: []types.Type{t},
		Pure: true, Nil: nilable(t),
		expr: func(f *gofile.File, _ []string) string {
			switch t.Underlying().(type) {
			case *types.Struct, *types.Array:
				return f.Type(t) + "{}"
			}
			if nilable(t) {
				return "(" + f.Type(t) + ")(nil)"
			}
			return "*new(" + f.Type(t) + ")"
		},
	}
}

// nilable reports whether nil is a value of type t.
func nilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature,
		*types.Interface:
		return true
	}
	return false
}

// Composite returns the operation that makes a struct of type t with the given fields, or a pointer
// to one.
func Composite(t types.Type, pointer bool, fields []*types.Var) *Op {
	o := &Op{Name: types.TypeString(t, nil) + "{}", Out: []types.Type{t}, Pure: true}
	if pointer {
		o.Out[0] = types.NewPointer(t)
	}
	o.Fields = fields
	for _, v := range fields {
		o.In = append(o.In, v.Type())
		o.Internal = o.Internal || !v.Exported()
	}
	o.expr = func(f *gofile.File, args []string) string {
		var parts []string
		for i, v := range fields {
			// An interface that holds a zero value is not zero itself.
			holdsZero := args[i] != "nil" && types.IsInterface(v.Type())
			if !gofile.IsZero(args[i]) || holdsZero {
				parts = append(parts, v.Name()+": "+args[i])
			}
		}
		text := f.Type(t) + "{" + strings.Join(parts, ", ") + "}"
		if pointer {
			text = "&" + text
		}
		return text
	}
	return o
}

// SliceOf returns the operation that makes a slice of type t with any number of elements.
func SliceOf(t types.Type) *Op {
	elem := t.Underlying().(*types.Slice).Elem()
	return &Op{
		Name: types.TypeString(t, nil), In: []types.Type{elem}, Out: []types.Type{t},
		Variadic: true, Pure: true,
		expr: func(f *gofile.File, args []string) string {
			return f.Type(t) + "{" + strings.Join(args, ", ") + "}"
		},
	}
}

// MapOf returns the operation that makes a map of type t, with one entry or with none.
func MapOf(t types.Type, entry bool) *Op {
	o := &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Pure: true}
	if entry {
		m := t.Underlying().(*types.Map)
		o.In = []types.Type{m.Key(), m.Elem()}
	}
	o.expr = func(f *gofile.File, args []string) string {
		if entry {
			return f.Type(t) + "{" + args[0] + ": " + args[1] + "}"
		}
		return f.Type(t) + "{}"
	}
	return o
}

// PointerTo returns the operation that makes a pointer of type t to a copy of a value.
func PointerTo(t types.Type) *Op {
	elem := t.Underlying().(*types.Pointer).Elem()
	return &Op{
		Name: "&" + types.TypeString(elem, nil),
		In:   []types.Type{elem}, Out: []types.Type{t}, Pure: true,
		expr: func(f *gofile.File, args []string) string {
			return pointerToCopy(f, t, args[0])
		},
	}
}

// AddressOf returns the operation that makes a pointer of type t to a value: to a copy of it in the
// harness, to its variable in a test.
func AddressOf(t types.Type) *Op {
	elem := t.Underlying().(*types.Pointer).Elem()
	return &Op{
		Name: "&" + types.TypeString(elem, nil),
		In:   []types.Type{elem}, Out: []types.Type{t}, OnFirst: true, Address: true,
		expr: func(f *gofile.File, args []string) string {
			if token.IsIdentifier(args[0]) {
				return "&" + args[0]
			}
			return pointerToCopy(f, t, args[0])
		},
	}
}

// copyPrefix begins the expressions that pointerToCopy returns.
const copyPrefix = "func(v "

// pointerToCopy returns an expression for a pointer of type t to a copy of a value.
func pointerToCopy(f *gofile.File, t types.Type, value string) string {
	elem := t.Underlying().(*types.Pointer).Elem()
	return fmt.Sprintf(copyPrefix+"%s) %s { return &v }(%s)", f.Type(elem), f.Type(t), value)
}

// Stub returns the operation that makes a function of type t. Its arguments are the results that
// the function returns each time.
func Stub(t types.Type) *Op {
	sig := t.Underlying().(*types.Signature)
	o := &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Pure: true, Captures: true}
	for i := range sig.Results().Len() {
		o.In = append(o.In, sig.Results().At(i).Type())
	}
	o.expr = func(f *gofile.File, args []string) string {
		params := gofile.WithoutNames(sig.Params())
		results := gofile.WithoutNames(sig.Results())
		unnamed := types.NewSignatureType(nil, nil, nil, params, results, sig.Variadic())
		text := f.Type(unnamed) + " { "
		if len(args) > 0 {
			text += "return " + strings.Join(args, ", ") + " "
		}
		text += "}"
		if _, named := types.Unalias(t).(*types.Named); named {
			text = f.Type(t) + "(" + text + ")"
		}
		return text
	}
	return o
}

// StubType returns the operation that makes a value of interface type t, of a type that the file
// declares. Its arguments, of types results, are what the methods return each time; see
// gofile.StubResults.
func StubType(t types.Type, results []types.Type) *Op {
	return &Op{
		Name: "stub of " + types.TypeString(t, nil), In: results, Out: []types.Type{t},
		Pure: true,
		expr: func(f *gofile.File, args []string) string { return f.Stub(t, args) },
	}
}

// Deref returns the operation that loads the value of type t that a pointer points to.
func Deref(t types.Type) *Op {
	return &Op{
		Name: "*" + types.TypeString(t, nil), In: []types.Type{types.NewPointer(t)},
		Out: []types.Type{t}, OnFirst: true,
		expr: func(_ *gofile.File, args []string) string { return "*" + args[0] },
	}
}

// MakeChan returns the operation that makes a channel of type t with a buffer of one element.
func MakeChan(t types.Type) *Op {
	both := types.NewChan(types.SendRecv, t.Underlying().(*types.Chan).Elem())
	return &Op{
		Name: types.TypeString(t, nil), Out: []types.Type{t}, Pure: true,
		expr: func(f *gofile.File, _ []string) string {
			return "(" + f.Type(t) + ")(make(" + f.Type(both) + ", 1))"
		},
	}
}

// SetField returns the operation that sets a field of the struct that a pointer of type t points
// to.
func SetField(t types.Type, v *types.Var) *Op {
	return &Op{
		Name: v.Name() + " =", In: []types.Type{t, v.Type()}, Fields: []*types.Var{nil, v},
		Internal: !v.Exported(), OnFirst: true,
		expr: func(_ *gofile.File, args []string) string {
			return args[0] + "." + v.Name() + " = " + args[1]
		},
	}
}

// With returns the operation that makes a copy of a struct of type t in which a field has another value. A test copies
// only what it uses otherwise, too.
func With(t types.Type, v *types.Var) *Op {
	return &Op{
		Name: "with " + v.Name() + " =", In: []types.Type{t, v.Type()}, Out: []types.Type{t},
		Fields: []*types.Var{nil, v}, Internal: !v.Exported(), Pure: true, Copies: true,
		expr: func(f *gofile.File, args []string) string {
			typ := f.Type(t)
			return fmt.Sprintf("func(s %s, v %s) %s { s.%s = v; return s }(%s)", typ, f.Type(v.Type()), typ, v.Name(), strings.Join(args, ", "))
		},
	}
}

// SetElem returns the operation that sets the first element of a slice of type t.
func SetElem(t types.Type) *Op {
	elem := t.Underlying().(*types.Slice).Elem()
	return &Op{
		Name: types.TypeString(t, nil) + "[0] =", In: []types.Type{t, elem}, OnFirst: true,
		expr: func(_ *gofile.File, args []string) string {
			return args[0] + "[0] = " + args[1]
		},
	}
}

// SetEntry returns the operation that sets an entry of a map of type t.
func SetEntry(t types.Type) *Op {
	m := t.Underlying().(*types.Map)
	return &Op{
		Name: types.TypeString(t, nil) + "[] =", In: []types.Type{t, m.Key(), m.Elem()},
		OnFirst: true,
		expr: func(_ *gofile.File, args []string) string {
			return args[0] + "[" + args[1] + "] = " + args[2]
		},
	}
}

// Convert returns the operation that converts a value to the interface type to.
func Convert(to, from types.Type) *Op {
	return &Op{
		Name: types.TypeString(from, nil) + " as " + types.TypeString(to, nil),
		In:   []types.Type{from}, Out: []types.Type{to}, Pure: true, Converts: true,
		expr: func(f *gofile.File, args []string) string { return args[0] },
	}
}

// Variable returns the operation that reads a package-level variable.
func Variable(v *types.Var) *Op {
	return &Op{
		Name: v.Name(), Out: []types.Type{v.Type()},
		expr: func(f *gofile.File, _ []string) string { return variable(f, v) },
	}
}

// SetVariable returns the operation that sets a package-level variable. In the harness, the variable has its old value
// again when the candidate ends.
func SetVariable(v *types.Var) *Op {
	return &Op{
		Name: v.Name() + " =", In: []types.Type{v.Type()}, Sets: v,
		expr: func(f *gofile.File, args []string) string { return variable(f, v) + " = " + args[0] },
	}
}

// variable returns the name of a package-level variable in a file.
func variable(f *gofile.File, v *types.Var) string {
	if v.Pkg() == f.Pkg || v.Pkg().Path() == f.Pkg.Path() {
		return v.Name()
	}
	return f.Use(v.Pkg().Path(), v.Pkg().Name()) + "." + v.Name()
}

// Derived returns the operation that computes a value of type to from one of type from; expr
// returns the expression for an argument in Go.
func Derived(to, from types.Type, name string, expr func(f *gofile.File, arg string) string) *Op {
	return Made(to, []types.Type{from}, name, func(f *gofile.File, args []string) string { return expr(f, args[0]) })
}

// Made returns the operation that makes a value of type to of values of the types in, by an expression.
func Made(to types.Type, in []types.Type, name string, expr func(f *gofile.File, args []string) string) *Op {
	return &Op{Name: name, In: in, Out: []types.Type{to}, Pure: true, expr: expr}
}

// Statement returns the operation that changes its first argument, of the first of the types in, by a statement.
func Statement(name string, in []types.Type, expr func(f *gofile.File, args []string) string) *Op {
	return &Op{Name: name, In: in, OnFirst: true, expr: expr}
}

// Expression returns the operation that evaluates an expression of type t without arguments.
func Expression(t types.Type, expr func(f *gofile.File) string, name string) *Op {
	return &Op{
		Name: name, Out: []types.Type{t}, Pure: true,
		expr: func(f *gofile.File, _ []string) string { return expr(f) },
	}
}

// MayBeNil reports whether nil is an ordinary value of an interface type: one without methods, or
// error.
func MayBeNil(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && (u.NumMethods() == 0 || types.TypeString(t, nil) == "error")
}
