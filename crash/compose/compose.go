package compose

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/source"
	"dsd/schemas"
)

// Test is a generated test.
type Test struct {
	// Func is the function that the test calls.
	Func *source.Func
	// Name is the name of the test function, File the base name of its file, and Source the
	// file's text, formatted.
	Name, File, Source string
	// Inputs is the body of the test function.
	Inputs string
	// Files are further files that the test needs.
	Files []schemas.TestFile
	// BuiltBy is schemas.ByLiteral if the test sets or calls what is not exported, else
	// schemas.BySequence.
	BuiltBy schemas.BuiltBy
	// Replaced is a type of the inputs that the test cannot name, and in place of whose value it
	// has another one; "" if there is none.
	Replaced string
	// Lost says which values of a recorded call the test does not have as they were.
	Lost []string
}

// Error is why inputs cannot be written in Go.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

// sourceChanged is the reason for inputs that do not fit the function.
const sourceChanged = "the source has changed since"

// fail ends the writing of a test: it panics with an *Error, which compose recovers.
func fail(format string, args ...any) { panic(&Error{fmt.Sprintf(format, args...)}) }

// recoverError is deferred by functions that return the *Error of fail. Other panics go on.
func recoverError(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(*Error)
		if !ok {
			panic(r)
		}
		*err = e
	}
}

// Compose returns the test for a counterexample of f, with a test function called name in a file of
// the given base name; comment explains it. The error is an *Error.
func Compose(
	prog *source.Program, f *source.Func, ce *schemas.Counterexample,
	name, file, comment string,
) (*Test, error) {
	return compose(prog, f, ce, name, file, comment, (*writer).body)
}

// compose returns a test whose body is written by write.
func compose(
	prog *source.Program, f *source.Func, ce *schemas.Counterexample,
	name, file, comment string,
	write func(*writer),
) (test *Test, err error) {
	defer recoverError(&err)
	n := len(ce.Objects)
	w := &writer{
		prog: prog, fn: f, ce: ce, builtBy: schemas.BySequence,
		file: gofile.New(f.Pkg.Types), taken: f.Pkg.TestNames(),
		mirrors: map[string]types.Type{},
		refs:    make([]int, n), sizes: make([]int64, n),
		cyclic: make([]bool, n), vars: make([]string, n),
	}
	w.file.Reserved, w.file.Prefix = w.taken, gofile.NamePrefix(name)
	testing := w.file.Use("testing", "testing")
	w.survey()
	write(w)
	w.useAll()
	body := strings.Join(w.lines, "\n")
	decls := w.file.Declarations(body) + strings.Join(w.decls, "")
	var out bytes.Buffer
	fmt.Fprintf(&out, "package %s\n\n%s\n", f.Pkg.Name, w.file.Imports(body+decls+testing+"."))
	if len(w.lost) > 0 {
		comment += " Not as recorded: " + strings.Join(w.lost, "; ") + "."
	}
	fmt.Fprintf(&out, "// %s\n", gofile.Comment(comment))
	fmt.Fprintf(&out, "func %s(%s*%s.T) {\n%s\n}\n%s", name, w.param, testing, body, decls)
	src, err := gofile.Format(out.Bytes())
	if err != nil {
		return nil, &Error{"the test cannot be written: " + err.Error()}
	}
	return &Test{
		Func: f, Name: name, File: file, Source: string(src),
		Inputs:  gofile.Body(string(src), name),
		BuiltBy: w.builtBy, Replaced: w.replaced, Lost: w.lost,
	}, nil
}

// writer writes one test.
type writer struct {
	prog     *source.Program
	fn       *source.Func
	ce       *schemas.Counterexample
	typeArgs map[*types.TypeParam]types.Type
	// exact forbids values that only resemble those of the counterexample; for recorded calls.
	exact   bool
	builtBy schemas.BuiltBy
	// replaced and lost are Test.Replaced and Test.Lost.
	replaced string
	lost     []string

	file  *gofile.File
	taken map[string]bool // names of variables
	lines []string        // of the body
	param string          // name of the test's parameter and a space; "" if it is not used
	// mirrors are types that the test declares in place of types that it cannot name, by the
	// texts of these; decls are their declarations.
	mirrors map[string]types.Type
	decls   []string

	// By object; see survey.
	refs   []int    // number of references
	sizes  []int64  // length of the array that all slices of it lie in
	cyclic []bool   // it refers to itself, directly or not
	vars   []string // the variable that holds the reference; "" until there is one
}

// lose adds to Test.Lost.
func (w *writer) lose(what string) {
	if !slices.Contains(w.lost, what) {
		w.lost = append(w.lost, what)
	}
}

// maxInlineArg is the length of the longest expression, in bytes, that is written as an argument.
// Longer ones become variables.
const maxInlineArg = 40

// emit appends a line to the body.
func (w *writer) emit(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf("\t"+format, args...))
}

// body writes the inputs and the call.
func (w *writer) body() {
	sig := w.fn.Obj.Type().(*types.Signature)
	w.setTypeArgs(sig)
	for i := range w.ce.Globals {
		w.global(&w.ce.Globals[i])
	}
	recv := ""
	if r := sig.Recv(); r != nil {
		recv = w.receiver(r)
	}
	if sig.Params().Len() != len(w.ce.Params) {
		fail("the counterexample has %d parameters, the function %d: "+sourceChanged,
			len(w.ce.Params), sig.Params().Len())
	}
	var args []string
	for i := range w.ce.Params {
		p := sig.Params().At(i)
		t := w.apply(p.Type())
		e := w.value(&w.ce.Params[i].Node, t, true)
		if len(e) > maxInlineArg {
			e = w.variable(p.Name(), e, t)
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			if e == "nil" {
				continue
			}
			e += "..."
		}
		args = append(args, e)
	}
	w.emit("%s(%s)", w.callee(recv), strings.Join(args, ", "))
	if w.ce.Wait {
		w.emit("// A goroutine panics.")
		w.emit("%s.Sleep(100 * %[1]s.Millisecond)", w.file.Use("time", "time"))
	}
}

// setTypeArgs parses the type arguments of the counterexample.
func (w *writer) setTypeArgs(sig *types.Signature) {
	params := sig.TypeParams()
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
	}
	w.typeArgs = map[*types.TypeParam]types.Type{}
	for i, text := range w.ce.TypeArgs {
		if i < params.Len() {
			w.typeArgs[params.At(i)] = w.parseType(text)
		}
	}
}

// callee returns the expression that is called; recv is the receiver, "" for a function.
func (w *writer) callee(recv string) string {
	name := w.fn.Obj.Name()
	switch params := w.fn.Obj.Type().(*types.Signature).TypeParams(); {
	case recv != "":
		return recv + "." + name
	case len(w.ce.TypeArgs) > 0:
		var list []string
		for i := range params.Len() {
			list = append(list, w.typ(w.typeArgs[params.At(i)]))
		}
		return name + "[" + strings.Join(list, ", ") + "]"
	}
	return name
}

// receiver writes the receiver and returns the variable that holds it.
func (w *writer) receiver(r *types.Var) string {
	if w.ce.Receiver == nil {
		fail("the counterexample has no receiver: " + sourceChanged)
	}
	t := w.apply(r.Type())
	n := &w.ce.Receiver.Node
	name := r.Name()
	if name == "" || name == "_" {
		name = "recv"
	}
	if n.Lit == "nil" {
		v := w.name(name)
		w.emit("var %s %s", v, w.typ(t))
		return v
	}
	e := w.value(n, t, true)
	if p, ok := t.Underlying().(*types.Pointer); ok && n.Ref == nil {
		e = "new(" + w.typ(p.Elem()) + ")"
	}
	if isBasic(t) {
		e = w.typ(t) + "(" + e + ")"
	}
	if e = w.named(e, t); w.taken[e] { // a variable already
		return e
	}
	return w.variable(name, e, t)
}

// named returns an expression of a function or a channel as one of its type, if the type has a
// name: the expressions that value returns may be of the underlying type, which has no methods.
func (w *writer) named(e string, t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Signature, *types.Chan:
	default:
		return e
	}
	name := w.typ(t)
	_, isNamed := types.Unalias(t).(*types.Named)
	if !isNamed || strings.HasPrefix(e, name+"(") || strings.HasPrefix(e, "make("+name+",") {
		return e
	}
	return name + "(" + e + ")"
}

// global sets a package-level variable of the function's package. The variables of other packages
// are left as they are.
func (w *writer) global(in *schemas.Input) {
	path, name := cutName(in.Name)
	if path != w.fn.Pkg.Path {
		return
	}
	if in.Dynamic != nil && in.Dynamic.Type == in.Type {
		// an interface that only must not be nil, as its initial value is assumed to be
		return
	}
	v, ok := w.fn.Pkg.Types.Scope().Lookup(name).(*types.Var)
	if !ok {
		return
	}
	if in.Var == in.Name { // it has its initial value
		return
	}
	e := w.value(&in.Node, v.Type(), true)
	w.emit("%s = %s", name, e)
	w.builtBy = schemas.ByLiteral
}
