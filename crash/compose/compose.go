package compose

import (
	"bytes"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/source"
	"dsd/schemas"
)

// Test is a test that may crash.
type Test struct {
	// Func is the function that the test calls.
	Func *source.Func
	// Name is that of the test function, File that of its file, Source the file's text, gofmt'ed.
	Name, File, Source string
	// Inputs is the body of the test.
	Inputs string
	// Files are those that the test needs besides its own.
	Files []schemas.TestFile
	// BuiltBy is "literal" if the test sets what a user of the package cannot set, else "sequence".
	BuiltBy schemas.BuiltBy
}

// Error says why inputs cannot be written in Go.
type Error struct{ Reason string }

func (e *Error) Error() string { return e.Reason }

func fail(format string, args ...any) { panic(&Error{fmt.Sprintf(format, args...)}) }

// Compose writes the test called name for a counterexample of f. The error is an *Error.
func Compose(prog *source.Program, f *source.Func, ce *schemas.Counterexample, name, file, comment string) (*Test, error) {
	return compose(prog, f, ce, name, file, comment, (*writer).body)
}

// compose writes a test with the body that is given.
func compose(prog *source.Program, f *source.Func, ce *schemas.Counterexample, name, file, comment string, write func(*writer)) (c *Test, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	w := &writer{prog: prog, f: f, ce: ce, builtBy: schemas.BySequence, file: gofile.New(f.Pkg.Types), taken: map[string]bool{}, mirrors: map[string]types.Type{},
		refs: make([]int, len(ce.Objects)), vars: make([]string, len(ce.Objects)), sizes: make([]int64, len(ce.Objects)), cyclic: make([]bool, len(ce.Objects))}
	w.file.Reserved, w.file.Prefix = w.taken, gofile.NamePrefix(name)
	testing := w.file.Use("testing", "testing")
	w.survey()
	write(w)
	var out bytes.Buffer
	body := strings.Join(w.lines, "\n")
	stubs := w.file.Declarations(body) + strings.Join(w.decls, "")
	fmt.Fprintf(&out, "package %s\n\n%s\n", f.Pkg.Name, w.file.Imports(body+stubs+testing+"."))
	fmt.Fprintf(&out, "// %s\n", gofile.Comment(comment))
	fmt.Fprintf(&out, "func %s(%s*%s.T) {\n%s\n}\n%s", name, w.t, testing, body, stubs)
	src, err := format.Source(out.Bytes())
	if err != nil {
		return nil, &Error{"the test cannot be written: " + err.Error()}
	}
	return &Test{Func: f, Name: name, File: file, Source: string(src), Inputs: body, BuiltBy: w.builtBy}, nil
}

// writer writes one test.
type writer struct {
	prog    *source.Program
	f       *source.Func
	ce      *schemas.Counterexample
	inst    map[*types.TypeParam]types.Type
	lines   []string
	mirrors map[string]types.Type // declared like types that the test cannot name, by their texts
	decls   []string              // of these
	exact   bool                  // values that are like what is wanted will not do
	t       string                // what the test calls its parameter, with a blank, "" if nothing uses it
	file    *gofile.File
	taken   map[string]bool // names of variables
	builtBy schemas.BuiltBy

	// Of the objects: how many references there are, how long the array is that all slices of it lie in, whether it
	// refers to itself in the end, and the variable that holds the pointer or slice, once there is one.
	refs   []int
	sizes  []int64
	cyclic []bool
	vars   []string
}

func (w *writer) emit(format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf("\t"+format, args...))
}

// survey looks at the objects before anything is written: those with one reference can be written in place, those on a
// cycle cannot.
func (w *writer) survey() {
	to := make([][]int, len(w.ce.Objects)) // what each object refers to
	visit := func(n *schemas.Node, found func(int)) {
		n.Walk(func(n *schemas.Node) {
			if n.Ref == nil || *n.Ref >= len(w.refs) {
				return
			}
			i := *n.Ref
			found(i)
			if n.Path != "" { // it must be a variable
				found(i)
			}
			if n.Len != nil && n.Path == "" {
				w.sizes[i] = max(w.sizes[i], n.Offset+*n.Len)
			}
			if n.Cap != nil && n.Path == "" {
				w.sizes[i] = max(w.sizes[i], n.Offset+*n.Cap)
			}
		})
	}
	for i := range w.ce.Objects {
		visit(&w.ce.Objects[i], func(j int) { to[i] = append(to[i], j) })
	}
	seen := make([]bool, len(w.refs))
	var reach func(i int)
	reach = func(i int) {
		w.refs[i]++
		if !seen[i] {
			seen[i] = true
			for _, j := range to[i] {
				reach(j)
			}
		}
	}
	if w.ce.Receiver != nil {
		visit(&w.ce.Receiver.Node, reach)
	}
	for i := range w.ce.Params {
		visit(&w.ce.Params[i].Node, reach)
	}
	for i := range w.ce.Globals {
		visit(&w.ce.Globals[i].Node, reach)
	}
	for i := range to {
		w.cyclic[i] = comesBack(to, i)
	}
}

// comesBack says that a path leads from node i of a graph back to it.
func comesBack(to [][]int, i int) bool {
	seen := make([]bool, len(to))
	work := to[i]
	for len(work) > 0 {
		j := work[0]
		work = work[1:]
		if j == i {
			return true
		}
		if !seen[j] {
			seen[j] = true
			work = append(work[:len(work):len(work)], to[j]...)
		}
	}
	return false
}

// body writes the inputs and the call.
func (w *writer) body() {
	sig := w.f.Obj.Type().(*types.Signature)
	w.typeArgs(sig)
	for i := range w.ce.Globals {
		w.global(&w.ce.Globals[i])
	}
	recv := ""
	if r := sig.Recv(); r != nil {
		recv = w.receiver(r)
	}
	if sig.Params().Len() != len(w.ce.Params) {
		fail("the counterexample has %d parameters, the function %d: the source has changed since", len(w.ce.Params), sig.Params().Len())
	}
	var args []string
	for i := range w.ce.Params {
		p := sig.Params().At(i)
		t := w.apply(p.Type())
		e := w.value(&w.ce.Params[i].Node, t, true)
		if len(e) > 40 {
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
}

// typeArgs reads the type arguments.
func (w *writer) typeArgs(sig *types.Signature) {
	params := sig.TypeParams()
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
	}
	w.inst = map[*types.TypeParam]types.Type{}
	for i, text := range w.ce.TypeArgs {
		if i < params.Len() {
			w.inst[params.At(i)] = w.parseType(text)
		}
	}
}

// callee is what is called, on a receiver if there is one.
func (w *writer) callee(recv string) string {
	name := w.f.Obj.Name()
	switch params := w.f.Obj.Type().(*types.Signature).TypeParams(); {
	case recv != "":
		return recv + "." + name
	case len(w.ce.TypeArgs) > 0:
		var list []string
		for i := range params.Len() {
			list = append(list, w.typ(w.inst[params.At(i)]))
		}
		return name + "[" + strings.Join(list, ", ") + "]"
	}
	return name
}

// receiver writes the receiver and returns what the method is called on.
func (w *writer) receiver(r *types.Var) string {
	if w.ce.Receiver == nil {
		fail("the counterexample has no receiver: the source has changed since")
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
	if token.IsIdentifier(e) && w.taken[e] {
		return e
	}
	if _, ok := t.Underlying().(*types.Basic); ok {
		e = w.typ(t) + "(" + e + ")"
	}
	return w.variable(name, e, t)
}

// variable puts an expression into a variable and returns its name.
func (w *writer) variable(name, e string, t types.Type) string {
	v := w.name(name)
	if e == "nil" {
		w.emit("var %s %s", v, w.typ(t))
	} else if types.IsInterface(t) || isBasic(t) {
		w.emit("var %s %s = %s", v, w.typ(t), e)
	} else {
		w.emit("%s := %s", v, e)
	}
	return v
}

func isBasic(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }

// name makes a variable name that hides nothing that the test mentions.
func (w *writer) name(name string) string {
	if name == "" || name == "_" {
		name = "v"
	}
	try := name
	for i := 1; w.taken[try] || w.file.HasImport(try) || w.f.Pkg.Types.Scope().Lookup(try) != nil || types.Universe.Lookup(try) != nil || w.isImport(try) || token.IsKeyword(try); i++ {
		try = fmt.Sprintf("%s%d", name, i)
	}
	w.taken[try] = true
	return try
}

func (w *writer) isImport(name string) bool {
	if name == "testing" {
		return true
	}
	for _, file := range w.f.Pkg.Files {
		for _, spec := range file.Imports {
			p := strings.Trim(spec.Path.Value, `"`)
			if p[strings.LastIndexByte(p, '/')+1:] == name {
				return true
			}
		}
	}
	return false
}

// global sets a package-level variable of the package under test; those of others are left as they are.
func (w *writer) global(in *schemas.Input) {
	path, name := in.Name[:strings.LastIndexByte(in.Name, '.')], in.Name[strings.LastIndexByte(in.Name, '.')+1:]
	if path != w.f.Pkg.Path || in.Dynamic != nil && in.Dynamic.Type == in.Type {
		return // also an interface that only must not be nil, as its initial value is taken not to be
	}
	v, ok := w.f.Pkg.Types.Scope().Lookup(name).(*types.Var)
	if !ok {
		return
	}
	if in.Var == in.Name { // it is what it is
		return
	}
	e := w.value(&in.Node, v.Type(), true)
	w.emit("%s = %s", name, e)
	w.builtBy = schemas.ByLiteral
}
