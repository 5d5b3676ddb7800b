package compose

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"dsd/crash/gofile"
	"dsd/internal/source"
	"dsd/schemas"
)

// A call template is a sequence of calls that ends with the call of a function and leaves arguments
// open. As a function of the open arguments it is given to the solver, which deduces arguments that
// make the last call crash. Running sequences finds such arguments only by luck where a constructor
// computes a field from its arguments [STAR 4.5.2].

// CallTemplate is a sequence of calls with open arguments.
type CallTemplate struct {
	// Name is the name of the function whose parameters are the open arguments, and Source its
	// declaration.
	Name, Source string

	params []types.Type // of the open arguments
	lines  []string     // statements, with a placeholder for each open argument
}

const (
	// maxConstructors is the number of constructors of a type that are tried.
	maxConstructors = 2
	// maxMutators is the number of methods of a type that are tried, each after the first
	// constructor.
	maxMutators = 3
	// maxTemplates is the number of templates of a function.
	maxTemplates = 3
	// maxDepth bounds the nesting of constructors: arguments of arguments, and so on.
	maxDepth = 3
)

// CallTemplates returns templates that end with a call of f; they use exported functions of its
// package. name begins the names of their functions. writes reports whether a method writes fields
// that matter for the crash.
//
// There are none if f is generic, if all its inputs can be literals anyway, or if one cannot be
// made.
func CallTemplates(f *source.Func, name string, writes func(*types.Func) bool) []CallTemplate {
	sig := f.Obj.Type().(*types.Signature)
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return nil
	}
	var in []types.Type
	if sig.Recv() != nil {
		in = append(in, sig.Recv().Type())
	}
	for v := range sig.Params().Variables() {
		in = append(in, v.Type())
	}
	p := &producer{pkg: f.Pkg.Types, writes: writes}
	// In the n-th template each input is made in its n-th way, or in its last one.
	ways := make([][]production, len(in))
	most := 1
	for i, t := range in {
		if ways[i] = p.ways(t, 0); len(ways[i]) == 0 {
			return nil
		}
		most = max(most, len(ways[i]))
	}
	if !slices.ContainsFunc(ways, func(w []production) bool { return !w[0].open }) {
		return nil
	}
	file := gofile.New(f.Pkg.Types)
	var out []CallTemplate
	for n := range min(most, maxTemplates) {
		b := &templateBuilder{}
		var args []string
		for i := range in {
			args = append(args, ways[i][min(n, len(ways[i])-1)].write(b))
		}
		call := f.Obj.Name()
		if sig.Recv() != nil {
			recv := strings.TrimPrefix(args[0], "*")
			if ways[0][0].open { // a literal becomes a variable of the receiver's type
				recv = b.variable()
				b.lines = append(b.lines,
					"var "+recv+" "+file.Type(in[0])+" = "+args[0])
			}
			call, args = recv+"."+call, args[1:]
		}
		b.call("", call, sig, args)
		out = append(out, b.template(fmt.Sprintf("%s%d", name, n), file))
	}
	return out
}

// production is a way to make a value: write adds the statements that it needs to a template and
// returns an expression. open reports whether the value is an open argument.
type production struct {
	open  bool
	write func(b *templateBuilder) string
}

// producer finds productions.
type producer struct {
	pkg    *types.Package
	writes func(*types.Func) bool
}

// ways returns the ways to make a value of type t: as an open argument, or else by constructors,
// with and without calls of methods afterwards.
func (p *producer) ways(t types.Type, depth int) []production {
	if p.literal(t, map[types.Type]bool{}) {
		open := func(b *templateBuilder) string { return b.open(t) }
		return []production{{open: true, write: open}}
	}
	elem, pointer := t, false
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		elem, pointer = ptr.Elem(), true
	}
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || named.Obj().Pkg() != p.pkg || named.TypeParams().Len() > 0 || depth == maxDepth {
		return nil
	}
	var out []production
	scope := p.pkg.Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || len(out) == maxConstructors {
			continue
		}
		if c, ok := p.construct(fn, elem, pointer, depth); ok {
			out = append(out, c)
		}
	}
	_, isStruct := elem.Underlying().(*types.Struct)
	if len(out) == 0 && isStruct && named.Obj().Exported() {
		out = append(out, production{write: func(b *templateBuilder) string {
			v := b.variable()
			b.lines = append(b.lines, v+" := &"+named.Obj().Name()+"{}")
			if pointer {
				return v
			}
			return "*" + v
		}})
	}
	return append(out, p.mutated(out, named, depth)...)
}

// literal reports whether a user of the package can write any value of a type as a literal.
func (p *producer) literal(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	defer delete(seen, t)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		if n.Obj().Pkg() != p.pkg || !n.Obj().Exported() {
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return p.literal(u.Elem(), seen)
	case *types.Array:
		return p.literal(u.Elem(), seen)
	case *types.Map:
		return p.literal(u.Key(), seen) && p.literal(u.Elem(), seen)
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !p.literal(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// construct returns the call of a function as a production of a value of type elem, or of a pointer
// to one; ok is false if that is not its first result, or if an argument cannot be made.
func (p *producer) construct(
	fn *types.Func, elem types.Type, pointer bool, depth int,
) (c production, ok bool) {
	sig := fn.Type().(*types.Signature)
	if sig.TypeParams().Len() > 0 || sig.Results().Len() == 0 {
		return production{}, false
	}
	first := types.Unalias(sig.Results().At(0).Type())
	isPointer := false
	if ptr, ok := first.(*types.Pointer); ok {
		first, isPointer = ptr.Elem(), true
	}
	if !types.Identical(first, elem) || !isPointer && pointer {
		return production{}, false
	}
	args, ok := p.arguments(sig, depth+1)
	if !ok {
		return production{}, false
	}
	return production{write: func(b *templateBuilder) string {
		texts := b.write(args)
		v := b.variable()
		results := v + strings.Repeat(", _", sig.Results().Len()-1) + " := "
		b.call(results, fn.Name(), sig, texts)
		if isPointer && !pointer {
			return "*" + v
		}
		return v
	}}, true
}

// mutated returns productions that make a value in the first of the ways given and then call a
// method, once or twice.
func (p *producer) mutated(ways []production, named *types.Named, depth int) []production {
	var out []production
	n := 0
	for m := range named.Methods() {
		sig := m.Type().(*types.Signature)
		_, onPointer := sig.Recv().Type().(*types.Pointer)
		if !onPointer || !m.Exported() || !p.writes(m) || n == maxMutators ||
			len(ways) == 0 {
			continue
		}
		args, ok := p.arguments(sig, depth+1)
		if !ok {
			continue
		}
		n++
		for times := 1; times <= 2; times++ {
			out = append(out, production{write: func(b *templateBuilder) string {
				e := ways[0].write(b)
				for range times {
					callee := strings.TrimPrefix(e, "*") + "." + m.Name()
					b.call("", callee, sig, b.write(args))
				}
				return e
			}})
		}
	}
	return out
}

// arguments returns the first way to make each parameter of a function, and reports whether there
// is one for each.
func (p *producer) arguments(sig *types.Signature, depth int) ([]production, bool) {
	var out []production
	for v := range sig.Params().Variables() {
		w := p.ways(v.Type(), depth)
		if len(w) == 0 {
			return nil, false
		}
		out = append(out, w[0])
	}
	return out, true
}

// templateBuilder writes one template.
type templateBuilder struct {
	params []types.Type
	lines  []string
	vars   int // number of variables so far
}

// maxVariables is the number of names v1, v2, ... that the test of a template keeps for the
// template's variables.
const maxVariables = 9

// open adds an open argument of type t and returns its placeholder.
func (b *templateBuilder) open(t types.Type) string {
	b.params = append(b.params, t)
	return placeholder(len(b.params) - 1)
}

// placeholder returns the text that stands for the i-th open argument.
func placeholder(i int) string { return fmt.Sprintf("\x00%d\x00", i) }

// variable returns a new name for a variable.
func (b *templateBuilder) variable() string {
	b.vars++
	return fmt.Sprintf("v%d", b.vars)
}

// write writes the arguments of a call and returns their expressions.
func (b *templateBuilder) write(args []production) []string {
	var texts []string
	for _, a := range args {
		texts = append(texts, a.write(b))
	}
	return texts
}

// call adds a call; results is what stands before it.
func (b *templateBuilder) call(results, callee string, sig *types.Signature, args []string) {
	if sig.Variadic() {
		args[len(args)-1] += "..."
	}
	b.lines = append(b.lines, results+callee+"("+strings.Join(args, ", ")+")")
}

// template returns the finished template, whose function is called name.
func (b *templateBuilder) template(name string, file *gofile.File) CallTemplate {
	var params []string
	body := strings.Join(b.lines, "\n\t")
	for i, t := range b.params {
		params = append(params, fmt.Sprintf("p%d %s", i, file.Type(t)))
		body = strings.ReplaceAll(body, placeholder(i), fmt.Sprintf("p%d", i))
	}
	source := fmt.Sprintf("func %s(%s) {\n\t%s\n}\n", name, strings.Join(params, ", "), body)
	return CallTemplate{Name: name, Source: source, params: b.params, lines: b.lines}
}

// Compose returns the test for a counterexample of the template's function: the calls, with the
// counterexample's parameters as the open arguments. f is the function that the last call calls.
// Otherwise it is like the function Compose.
func (d *CallTemplate) Compose(
	prog *source.Program, f *source.Func, ce *schemas.Counterexample,
	name, file, comment string,
) (*Test, error) {
	return compose(prog, f, ce, name, file, comment, func(w *writer) {
		if len(ce.Params) != len(d.params) {
			fail("the counterexample has %d parameters, the call template %d",
				len(ce.Params), len(d.params))
		}
		for i := range maxVariables + 1 {
			w.taken[fmt.Sprintf("v%d", i)] = true
		}
		lines := strings.Join(d.lines, "\n\t")
		for i, t := range d.params {
			e := w.value(&ce.Params[i].Node, t, true)
			if len(e) > maxInlineArg {
				e = w.variable(fmt.Sprintf("p%d", i), e, t)
			}
			lines = strings.ReplaceAll(lines, placeholder(i), e)
		}
		// Leave nil out where it stands for the variadic arguments.
		lines = strings.ReplaceAll(lines, ", nil...)", ")")
		lines = strings.ReplaceAll(lines, "(nil...)", "()")
		w.emit("%s", lines)
	})
}
