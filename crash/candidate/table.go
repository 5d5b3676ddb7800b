package candidate

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/source"
)

// Op is something that a statement of a candidate can do: take values of types In and make ones of types Out.
type Op struct {
	// Name is for people: New, (*Stack).Push, []int.
	Name string
	// Func is the function or method that is called, nil if none is.
	Func    *types.Func
	In, Out []types.Type
	// Variadic says that the last of In may be there any number of times.
	Variadic bool
	// Lit says that the value is the statement's literal.
	Lit bool
	// Internal says that no user of the package can do it.
	Internal bool
	// OnFirst says that it is a method, or sets a field, of the first of In.
	OnFirst bool
	// Nil says that the value is nil.
	Nil bool
	// Converts says that its argument's type matters, not just that it can be assigned to In.
	Converts bool
	// Pure says that it does nothing but make a value.
	Pure bool
	// Fields are those that a composite, or an assignment, sets, in step with In.
	Fields []*types.Var
	// Goals are those of the operation's arguments, see Build.
	Goals []int
	// Captures says that the arguments are used after the operation: by a function that it makes.
	Captures bool
	// Address says that it takes the address of a variable.
	Address bool
	// expr is the operation in Go.
	expr func(f *gofile.File, args []string) string
}

// Expr is the operation as an expression, or a statement if it has no results, in file f.
func (o *Op) Expr(f *gofile.File, args []string) string { return o.expr(f, args) }

// Call is the operation that calls a function or method with type arguments in place. args of a method begin with its
// receiver, of type recv.
func Call(fn *types.Func, recv types.Type, targs []types.Type, sig *types.Signature) *Op {
	o := &Op{Name: fn.Name(), Func: fn, Internal: !fn.Exported()}
	if recv != nil {
		o.In = append(o.In, recv)
		o.OnFirst = true
		o.Name = types.TypeString(recv, func(*types.Package) string { return "" }) + "." + fn.Name()
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
		return name + "(" + arguments(f, sig, args) + ")"
	}
	return o
}

// arguments is the list of a call's arguments. A literal of the variadic ones is written as its elements.
func arguments(f *gofile.File, sig *types.Signature, args []string) string {
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

// Literal is the operation that makes the statement's literal, of basic type t.
func Literal(t types.Type) *Op {
	return &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Lit: true, Pure: true}
}

// Zero is the zero value of type t.
func Zero(t types.Type) *Op {
	return &Op{Name: "zero " + types.TypeString(t, nil), Out: []types.Type{t}, Pure: true, Nil: nilable(t), expr: func(f *gofile.File, _ []string) string {
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			return f.Type(t) + "{}"
		case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
			return "(" + f.Type(t) + ")(nil)"
		}
		return "*new(" + f.Type(t) + ")"
	}}
}

// Composite is a struct of type t with the fields named, or a pointer to one.
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
			if !gofile.IsZero(args[i]) || args[i] != "nil" && types.IsInterface(v.Type()) { // an interface may hold a zero value
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

// SliceOf is a slice of type t with any elements.
func SliceOf(t types.Type) *Op {
	return &Op{Name: types.TypeString(t, nil), In: []types.Type{t.Underlying().(*types.Slice).Elem()}, Out: []types.Type{t}, Variadic: true, Pure: true,
		expr: func(f *gofile.File, args []string) string { return f.Type(t) + "{" + strings.Join(args, ", ") + "}" }}
}

// MapOf is a map of type t with an entry, or none.
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

// PointerTo is a pointer of type t to a copy of a value.
func PointerTo(t types.Type) *Op {
	elem := t.Underlying().(*types.Pointer).Elem()
	return &Op{Name: "&" + types.TypeString(elem, nil), In: []types.Type{elem}, Out: []types.Type{t}, Pure: true, expr: func(f *gofile.File, args []string) string {
		return fmt.Sprintf("func(v %s) %s { return &v }(%s)", f.Type(elem), f.Type(t), args[0])
	}}
}

// AddressOf is a pointer of type t to a value, a copy of it in the harness and its variable in a test.
func AddressOf(t types.Type) *Op {
	elem := t.Underlying().(*types.Pointer).Elem()
	return &Op{Name: "&" + types.TypeString(elem, nil), In: []types.Type{elem}, Out: []types.Type{t}, OnFirst: true, Address: true, expr: func(f *gofile.File, args []string) string {
		if token.IsIdentifier(args[0]) {
			return "&" + args[0]
		}
		return fmt.Sprintf("func(v %s) %s { return &v }(%s)", f.Type(elem), f.Type(t), args[0])
	}}
}

// Stub is a function of type t that returns the same values each time.
func Stub(t types.Type) *Op {
	sig := t.Underlying().(*types.Signature)
	o := &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Pure: true, Captures: true}
	for i := range sig.Results().Len() {
		o.In = append(o.In, sig.Results().At(i).Type())
	}
	o.expr = func(f *gofile.File, args []string) string {
		text := f.Type(types.NewSignatureType(nil, nil, nil, gofile.WithoutNames(sig.Params()), gofile.WithoutNames(sig.Results()), sig.Variadic())) + " { "
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

// StubType is a value of an interface t: of a type that the file declares, whose methods return the same values each time.
// results are their types.
func StubType(t types.Type, results []types.Type) *Op {
	return &Op{Name: "stub of " + types.TypeString(t, nil), In: results, Out: []types.Type{t}, Pure: true,
		expr: func(f *gofile.File, args []string) string { return f.Stub(t, args) }}
}

// Deref is what a pointer to a value of type t points to.
func Deref(t types.Type) *Op {
	return &Op{Name: "*" + types.TypeString(t, nil), In: []types.Type{types.NewPointer(t)}, Out: []types.Type{t}, OnFirst: true,
		expr: func(_ *gofile.File, args []string) string { return "*" + args[0] }}
}

// MakeChan is a channel of type t with room.
func MakeChan(t types.Type) *Op {
	both := types.NewChan(types.SendRecv, t.Underlying().(*types.Chan).Elem())
	return &Op{Name: types.TypeString(t, nil), Out: []types.Type{t}, Pure: true,
		expr: func(f *gofile.File, _ []string) string { return "(" + f.Type(t) + ")(make(" + f.Type(both) + ", 1))" }}
}

// SetField sets a field of what a pointer of type t points to.
func SetField(t types.Type, v *types.Var) *Op {
	return &Op{Name: v.Name() + " =", In: []types.Type{t, v.Type()}, Fields: []*types.Var{nil, v}, Internal: !v.Exported(), OnFirst: true,
		expr: func(_ *gofile.File, args []string) string { return args[0] + "." + v.Name() + " = " + args[1] }}
}

// SetElem sets the first element of a slice of type t.
func SetElem(t types.Type) *Op {
	return &Op{Name: types.TypeString(t, nil) + "[0] =", In: []types.Type{t, t.Underlying().(*types.Slice).Elem()}, OnFirst: true,
		expr: func(_ *gofile.File, args []string) string { return args[0] + "[0] = " + args[1] }}
}

// SetEntry sets an entry of a map of type t.
func SetEntry(t types.Type) *Op {
	m := t.Underlying().(*types.Map)
	return &Op{Name: types.TypeString(t, nil) + "[] =", In: []types.Type{t, m.Key(), m.Elem()}, OnFirst: true,
		expr: func(_ *gofile.File, args []string) string { return args[0] + "[" + args[1] + "] = " + args[2] }}
}

// Convert makes a value of an interface of one of a type that implements it.
func Convert(to, from types.Type) *Op {
	return &Op{Name: types.TypeString(from, nil) + " as " + types.TypeString(to, nil), In: []types.Type{from}, Out: []types.Type{to}, Pure: true, Converts: true,
		expr: func(f *gofile.File, args []string) string { return args[0] }}
}

// Variable is an exported package-level variable.
func Variable(v *types.Var) *Op {
	return &Op{Name: v.Name(), Out: []types.Type{v.Type()}, expr: func(f *gofile.File, _ []string) string {
		if v.Pkg() == f.Pkg || v.Pkg().Path() == f.Pkg.Path() {
			return v.Name()
		}
		return f.Use(v.Pkg().Path(), v.Pkg().Name()) + "." + v.Name()
	}}
}

// Derived is a value of type to that is made of one of type from, by an expression in Go.
func Derived(to, from types.Type, name string, expr func(f *gofile.File, arg string) string) *Op {
	return &Op{Name: name, In: []types.Type{from}, Out: []types.Type{to}, Pure: true, expr: func(f *gofile.File, args []string) string { return expr(f, args[0]) }}
}

// Expression is an expression of type t that names packages, given by their paths, by the last parts of those.
func Expression(t types.Type, expr func(f *gofile.File) string, name string) *Op {
	return &Op{Name: name, Out: []types.Type{t}, Pure: true, expr: func(f *gofile.File, _ []string) string { return expr(f) }}
}

// entry is the operation as an entry of the runtime's table; numbers are those of functions with preconditions.
func (o *Op) entry(f *gofile.File, numbers map[string]int) string {
	if o.Lit {
		t := f.Type(o.Out[0])
		switch b := o.Out[0].Underlying().(*types.Basic); {
		case b.Info()&types.IsBoolean != 0:
			return fmt.Sprintf("{Lit: func(b uint64, _ string) any { return %s(b == 1) }}", t)
		case b.Info()&types.IsString != 0:
			return fmt.Sprintf("{Lit: func(_ uint64, s string) any { return %s(s) }}", t)
		case b.Info()&types.IsFloat != 0:
			return fmt.Sprintf("{Lit: func(b uint64, _ string) any { return %s(%s.Float64frombits(b)) }}", t, f.Use("math", "math"))
		case b.Info()&types.IsComplex != 0:
			return fmt.Sprintf("{Lit: func(b uint64, _ string) any { return %s(complex(%s.Float64frombits(b), 0)) }}", t, f.Use("math", "math"))
		default:
			return fmt.Sprintf("{Lit: func(b uint64, _ string) any { return %s(b) }}", t)
		}
	}
	if o.Variadic {
		elem := f.Type(o.In[len(o.In)-1])
		return fmt.Sprintf("{Args: -1, Do: func(f *%[1]s.Frame) { s := make(%[2]s, f.N()); for i := range s { s[i] = %[1]s.As[%[3]s](f.Arg(i)) }; f.Put(s) }}",
			rtName, f.Type(o.Out[0]), elem)
	}
	args := make([]string, len(o.In))
	for i, t := range o.In {
		args[i] = fmt.Sprintf("%s.As[%s](f.Arg(%d))", rtName, f.Type(t), i)
	}
	bind := ""
	if o.Captures {
		for i, a := range args {
			args[i] = fmt.Sprintf("a%d", i)
			bind += fmt.Sprintf("%s := %s; ", args[i], a)
		}
	}
	text := o.expr(f, args)
	switch len(o.Out) {
	case 0:
	case 1: // a function or channel gets its named type
		text = bind + "var r " + f.Type(o.Out[0]) + " = " + text + "; f.Put(r)"
	default:
		var names, puts []string
		for i := range o.Out {
			names = append(names, fmt.Sprintf("r%d", i))
			puts = append(puts, fmt.Sprintf("f.Put(r%d)", i))
		}
		text = strings.Join(names, ", ") + " := " + text + "; " + strings.Join(puts, "; ")
		if n := len(o.Out) - 1; types.TypeString(o.Out[n], nil) == "error" && o.Func != nil { // nobody uses the results then
			text += fmt.Sprintf("; f.Stop(r%d)", n)
		}
	}
	number := 0
	if o.Func != nil {
		number = numbers[source.FuncName(o.Func)]
	}
	goals := ""
	if len(o.Goals) > 0 {
		goals = fmt.Sprintf("Goals: %#v, ", o.Goals)
	}
	var any []int
	for i, t := range o.In {
		if MayBeNil(t) {
			any = append(any, i)
		}
	}
	if len(any) > 0 {
		goals += fmt.Sprintf("Any: %#v, ", any)
	}
	return fmt.Sprintf("{Args: %d, Call: %v, Number: %d, %sDo: func(f *%s.Frame) { %s }}", len(o.In), o.Func != nil, number, goals, rtName, text)
}

// MayBeNil says that nil is a value like others of an interface type: it has no methods, or is error.
func MayBeNil(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && (u.NumMethods() == 0 || types.TypeString(t, nil) == "error")
}

// tableFile is the file that hands the table, the goals, as JSON, and the steps of the trail to the runtime, whose import path
// is given.
func tableFile(f *gofile.File, runtime string, table []*Op, numbers map[string]int, goals string, steps []int) string {
	f.Reserved["f"], f.Reserved["table"] = true, true
	var entries strings.Builder
	for _, o := range table {
		fmt.Fprintf(&entries, "\t\t%s, // %s\n", o.entry(f, numbers), o.Name)
	}
	text := entries.String()
	stubs := f.Declarations(text)
	trail := ""
	if len(steps) > 0 {
		trail = fmt.Sprintf("%s.Trail(%#v)\n\t", rtName, steps)
	}
	// A variable, as a function with so many literals takes the compiler long.
	return fmt.Sprintf("//go:build go1.21\n\npackage %s\n\nimport (\n\t%s %q\n\tzz_testing \"testing\"\n)\n\n%s\nvar zz_dsd_table = []%s.Op{\n%s\t}\n\nfunc TestMain(*zz_testing.M) {\n\t%s.Goals(%q)\n\t%s%s.Main(zz_dsd_table)\n}\n%s",
		f.Pkg.Name(), rtName, runtime, f.Imports(text+stubs), rtName, text, rtName, goals, trail, rtName, stubs)
}
