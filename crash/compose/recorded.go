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

// loader is the source of the loader.
//
//go:embed load/load.go
var loader []byte

// LoaderFile is the base name of the file with the loader, which stands beside the tests that load
// recorded values.
const LoaderFile = "crash_load_test.go"

// loaderPackage matches the package clause of the loader with its comment.
var loaderPackage = regexp.MustCompile(`(?ms)^// Package load .*?^package load$`)

// Recorded returns the test for a recorded call of f whose inputs are literals; otherwise it is
// like Compose. Package-level variables that the call does not list keep their initial values.
func Recorded(
	prog *source.Program, f *source.Func, call *schemas.Counterexample,
	name, file, comment string,
) (*Test, error) {
	return compose(prog, f, Prune(call), name, file, comment, func(w *writer) {
		w.exact = true
		w.loseOthers()
		w.body()
	})
}

// Loaded returns the test for a recorded call of f whose inputs are loaded from a JSON file in
// testdata; otherwise it is like Compose. It is for values that cannot be written as literals, and
// for large ones. Test.Files holds the JSON file and the loader.
func Loaded(
	prog *source.Program, f *source.Func, call *schemas.Counterexample,
	name, file, comment string,
) (*Test, error) {
	data := "testdata/" + strings.TrimSuffix(file, "_test.go") + ".json"
	call = Prune(call)
	c, err := compose(prog, f, call, name, file, comment, func(w *writer) {
		w.exact = true
		w.loseOthers()
		w.loaded(data)
	})
	if err != nil {
		return nil, err
	}
	call.Types = nil // the test has declared them
	text, err := json.MarshalIndent(call, "", "  ")
	if err != nil {
		return nil, &Error{err.Error()}
	}
	loaderSource := loaderPackage.ReplaceAllString(string(loader), "package "+f.Pkg.Name)
	c.Files = []schemas.TestFile{
		{File: LoaderFile, Content: loaderSource},
		{File: data, Content: string(text) + "\n"},
	}
	c.BuiltBy = schemas.ByLiteral
	return c, nil
}

// loseOthers adds to Test.Lost what the recording says is lost, but for closures: their stubs do.
func (w *writer) loseOthers() {
	w.ce.Walk(func(n *schemas.Node) {
		if n.Lost != "" && n.Lit != "func" {
			w.lose(n.Lost)
		}
	})
}

// loaded writes variables for the receiver and the parameters, the call of the loader that sets
// them from a file, and the call of the function.
func (w *writer) loaded(data string) {
	sig := w.fn.Obj.Type().(*types.Signature)
	w.setTypeArgs(sig)
	t := w.name("t")
	w.param = t + " "
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
			fail("the recording has no receiver: " + sourceChanged)
		}
		recv = variable(r.Name(), w.apply(r.Type()))
	}
	if sig.Params().Len() != len(w.ce.Params) {
		fail("the recording has %d parameters, the function %d: "+sourceChanged,
			len(w.ce.Params), sig.Params().Len())
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
		full := w.ce.Globals[i].Name
		if path, name := cutName(full); path == w.fn.Pkg.Path {
			globals = append(globals, fmt.Sprintf("%q: &%s", full, name))
		}
	}
	w.ce.Walk(func(n *schemas.Node) {
		if n.Lit == "func" && n.Var == "" {
			w.lose(lostClosure)
		}
	})
	names := append(w.declaredNames(), w.loadedClosures()...)
	mapLit := func(entries []string) string {
		return "map[string]interface{}{" + strings.Join(entries, ", ") + "}"
	}
	w.emit("crashLoad(%s, %q, %s, %s, %s, %s)", t, data, mapLit(names),
		mapLit(globals), mapLit(w.dynamicTypes()), strings.Join(pointers, ", "))
	w.emit("%s(%s)", w.callee(recv), strings.Join(args, ", "))
}

// declaredNames returns the package-level variables and functions that values refer to and that the
// test can name, as entries of a map literal.
func (w *writer) declaredNames() []string {
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

// dynamicTypes returns zero values of the dynamic types that the test can name, as entries of a map
// literal. They make the types, with their methods, part of the test's program.
func (w *writer) dynamicTypes() []string {
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
			if t, of := w.tryType(n.Dynamic.Type), w.tryType(n.Type); t != nil && of != nil {
				w.implement(t, of)
			}
		}
		if n.Elem != "" {
			add(n.Elem)
		}
	})
	slices.Sort(out)
	return out
}

// tryDeclared is like declared, but returns "" if the test cannot name the declaration.
func (w *writer) tryDeclared(n *schemas.Node) string {
	var err error
	e := func() string {
		defer recoverError(&err)
		return w.declared(n)
	}()
	return e
}
