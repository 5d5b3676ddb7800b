package compose

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"dsd/internal/source"
	"dsd/schemas"
)

//go:embed load/load.go
var loader []byte

// LoaderFile is the base name of the file with what loads recorded values, beside the tests that do.
const LoaderFile = "crash_load_test.go"

// packageClause is that of the loader.
var packageClause = regexp.MustCompile(`(?ms)^// Package load .*?^package load$`)

// Recorded writes the test called name for a recorded call of f, with literals. Without globals, package-level variables stay as they
// are. The error is an *Error.
func Recorded(prog *source.Program, f *source.Func, call *schemas.Counterexample, name, file, comment string) (*Test, error) {
	return compose(prog, f, Prune(call), name, file, comment, func(w *writer) {
		w.exact = true
		w.body()
	})
}

// Loaded writes the test called name for a recorded call of f. What it was called with is loaded from a file in testdata, as a recording
// has it: values that no literal makes, and large ones. The error is an *Error.
func Loaded(prog *source.Program, f *source.Func, call *schemas.Counterexample, name, file, comment string) (*Test, error) {
	data := "testdata/" + strings.TrimSuffix(file, "_test.go") + ".json"
	call = Prune(call)
	c, err := compose(prog, f, call, name, file, comment, func(w *writer) {
		w.exact = true
		w.loaded(data)
	})
	if err != nil {
		return nil, err
	}
	call.Types = nil // the test declares them
	text, err := json.MarshalIndent(call, "", "  ")
	if err != nil {
		return nil, &Error{err.Error()}
	}
	c.Files = []schemas.TestFile{
		{File: LoaderFile, Content: packageClause.ReplaceAllString(string(loader), "package "+f.Pkg.Name)},
		{File: data, Content: string(text) + "\n"},
	}
	c.BuiltBy = schemas.ByLiteral
	return c, nil
}

// loaded writes variables for the receiver and the parameters, what loads them, and the call.
func (w *writer) loaded(data string) {
	sig := w.f.Obj.Type().(*types.Signature)
	w.typeArgs(sig)
	t := w.name("t")
	w.t = t + " "
	var pointers, args []string
	variable := func(name string, t types.Type) string {
		v := w.name(name)
		w.emit("var %s %s", v, w.typ(t))
		pointers = append(pointers, "&"+v)
		return v
	}
	recv := ""
	if r := sig.Recv(); r != nil {
		if w.ce.Receiver == nil {
			fail("the recording has no receiver: the source has changed since")
		}
		recv = variable(r.Name(), w.apply(r.Type()))
	}
	if sig.Params().Len() != len(w.ce.Params) {
		fail("the recording has %d parameters, the function %d: the source has changed since", len(w.ce.Params), sig.Params().Len())
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		v := variable(p.Name(), w.apply(p.Type()))
		if sig.Variadic() && i == sig.Params().Len()-1 {
			v += "..."
		}
		args = append(args, v)
	}
	var globals []string
	for i := range w.ce.Globals {
		if path, name := cutLast(w.ce.Globals[i].Name); path == w.f.Pkg.Path {
			globals = append(globals, fmt.Sprintf("%q: &%s", w.ce.Globals[i].Name, name))
		}
	}
	w.emit("crashLoad(%s, %q, map[string]interface{}{%s}, map[string]interface{}{%s}, map[string]interface{}{%s}, %s)",
		t, data, strings.Join(w.mentioned(), ", "), strings.Join(globals, ", "), strings.Join(w.dynamic(), ", "), strings.Join(pointers, ", "))
	w.emit("%s(%s)", w.callee(recv), strings.Join(args, ", "))
}

func cutLast(name string) (path, local string) {
	dot := strings.LastIndexByte(name, '.')
	return name[:max(dot, 0)], name[dot+1:]
}

// mentioned are the package-level variables and functions that values refer to, as entries of a map, as far as they can be named.
func (w *writer) mentioned() []string {
	var out []string
	seen := map[string]bool{}
	w.ce.Walk(func(n *schemas.Node) {
		if n.Var == "" || seen[n.Var] {
			return
		}
		seen[n.Var] = true
		if e := w.tryDeclared(n); e != "" {
			out = append(out, fmt.Sprintf("%q: %s", n.Var, e))
		}
	})
	slices.Sort(out)
	return out
}

// dynamic are values of the dynamic types that the test can name, so that they are part of its program, with their methods.
func (w *writer) dynamic() []string {
	var out []string
	seen := map[string]bool{}
	add := func(text string) {
		if seen[text] {
			return
		}
		seen[text] = true
		t := w.tryType(text)
		if t == nil {
			return
		}
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			out = append(out, fmt.Sprintf("%q: (%s)(nil)", text, w.typ(p)))
		} else {
			out = append(out, fmt.Sprintf("%q: *new(%s)", text, w.typ(t)))
		}
	}
	w.ce.Walk(func(n *schemas.Node) {
		if n.Dynamic != nil {
			add(n.Dynamic.Type)
		}
		if n.Elem != "" {
			add(n.Elem)
		}
	})
	slices.Sort(out)
	return out
}

// tryDeclared is declared, but "" if the test cannot name it.
func (w *writer) tryDeclared(n *schemas.Node) (e string) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(*Error); !ok {
				panic(r)
			}
			e = ""
		}
	}()
	return w.declared(n)
}

// Size is how many values a call leads to.
func Size(c *schemas.Counterexample) int {
	n := 0
	Prune(c).Walk(func(*schemas.Node) { n++ })
	return n
}

// Prune leaves out the objects that the values of a call do not lead to: other frames' are there, too.
func Prune(c *schemas.Counterexample) *schemas.Counterexample {
	number := map[int]int{}
	var order []int
	var copyNode func(n *schemas.Node) schemas.Node
	copyNode = func(n *schemas.Node) schemas.Node {
		out := *n
		if n.Ref != nil {
			i, ok := number[*n.Ref]
			if !ok {
				i = len(order)
				number[*n.Ref] = i
				order = append(order, *n.Ref)
			}
			out.Ref = &i
		}
		out.Fields = slices.Clone(n.Fields)
		for i := range out.Fields {
			out.Fields[i].Node = copyNode(&n.Fields[i].Node)
		}
		out.Elems = slices.Clone(n.Elems)
		for i := range out.Elems {
			if k := n.Elems[i].Key; k != nil {
				key := copyNode(k)
				out.Elems[i].Key = &key
			}
			out.Elems[i].Value = copyNode(&n.Elems[i].Value)
		}
		if n.Dynamic != nil {
			d := copyNode(n.Dynamic)
			out.Dynamic = &d
		}
		return out
	}
	inputs := func(list []schemas.Input) []schemas.Input {
		out := slices.Clone(list)
		for i := range out {
			out[i].Node = copyNode(&list[i].Node)
		}
		return out
	}
	out := &schemas.Counterexample{TypeArgs: c.TypeArgs, Types: c.Types}
	if c.Receiver != nil {
		out.Receiver = &inputs([]schemas.Input{*c.Receiver})[0]
	}
	out.Params, out.Globals = inputs(c.Params), inputs(c.Globals)
	for i := 0; i < len(order); i++ {
		if order[i] < len(c.Objects) {
			out.Objects = append(out.Objects, copyNode(&c.Objects[order[i]]))
		}
	}
	return out
}
