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

// A drive is a sequence of calls that ends with the call of a function, with arguments left open: the solver is asked for
// arguments that make the function crash. Where running sequences is luck, because a constructor computes a field from its
// arguments, it deduces them [STAR 4.5.2].

// CallTemplate is such a sequence, as a function of the open arguments.
type CallTemplate struct {
	// Name is that of the function, Source its declaration.
	Name, Source string

	params []types.Type
	// lines are the statements, with marks where the open arguments go.
	lines []string
}

// Bounds of what is tried: constructors of a type, methods that are called after one, and drives of a function.
const (
	maxConstructors = 2
	maxMutators     = 3
	maxDrives       = 3
	maxOpenDepth    = 3
)

// CallTemplates are sequences that end with a call of f. Name begins the names of their functions. Writers says of a method whether it
// writes what matters. There are none if all inputs of f are open anyway, or one cannot be made by exported functions.
func CallTemplates(f *source.Func, name string, writers func(*types.Func) bool) []CallTemplate {
	d := &driver{pkg: f.Pkg.Types, file: gofile.New(f.Pkg.Types), writers: writers}
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
	// In the n-th drive each input is made in its n-th way, or its last.
	ways := make([][]made, len(in))
	most := 1
	for i, t := range in {
		if ways[i] = d.ways(t, 0); len(ways[i]) == 0 {
			return nil
		}
		most = max(most, len(ways[i]))
	}
	if !slices.ContainsFunc(ways, func(w []made) bool { return !w[0].open }) {
		return nil
	}
	var out []CallTemplate
	for n := range min(most, maxDrives) {
		b := &driveBuilder{}
		var args []string
		for i := range in {
			args = append(args, ways[i][min(n, len(ways[i])-1)].write(b))
		}
		call := f.Obj.Name()
		if sig.Recv() != nil {
			recv := strings.TrimPrefix(args[0], "*")
			if ways[0][0].open { // a method wants a value of its type
				recv = b.variable()
				b.lines = append(b.lines, "var "+recv+" "+d.file.Type(in[0])+" = "+args[0])
			}
			call, args = recv+"."+call, args[1:]
		}
		if sig.Variadic() {
			args[len(args)-1] += "..."
		}
		b.lines = append(b.lines, call+"("+strings.Join(args, ", ")+")")
		out = append(out, b.drive(fmt.Sprintf("%s%d", name, n), d.file))
	}
	return out
}

// driver finds ways to make values.
type driver struct {
	pkg     *types.Package
	file    *gofile.File
	writers func(*types.Func) bool
}

// made is a way to make a value: write adds the statements and returns the expression. open says that it is left to the solver.
type made struct {
	open  bool
	write func(b *driveBuilder) string
}

// driveBuilder writes one drive.
type driveBuilder struct {
	params []types.Type
	lines  []string
	vars   int
}

func (b *driveBuilder) open(t types.Type) string {
	b.params = append(b.params, t)
	return mark(len(b.params) - 1)
}

func (b *driveBuilder) variable() string {
	b.vars++
	return fmt.Sprintf("v%d", b.vars)
}

// mark stands for the i-th open argument.
func mark(i int) string { return fmt.Sprintf("\x00%d\x00", i) }

// drive is the finished drive.
func (b *driveBuilder) drive(name string, file *gofile.File) CallTemplate {
	var params []string
	body := strings.Join(b.lines, "\n\t")
	for i, t := range b.params {
		params = append(params, fmt.Sprintf("p%d %s", i, file.Type(t)))
		body = strings.ReplaceAll(body, mark(i), fmt.Sprintf("p%d", i))
	}
	return CallTemplate{Name: name, Source: fmt.Sprintf("func %s(%s) {\n\t%s\n}\n", name, strings.Join(params, ", "), body), params: b.params, lines: b.lines}
}

// ways are the ways to make a value of type t.
func (d *driver) ways(t types.Type, depth int) []made {
	if d.literal(t, map[types.Type]bool{}) {
		return []made{{open: true, write: func(b *driveBuilder) string { return b.open(t) }}}
	}
	elem, pointer := t, false
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		elem, pointer = p.Elem(), true
	}
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || named.Obj().Pkg() != d.pkg || named.TypeParams().Len() > 0 || depth == maxOpenDepth {
		return nil
	}
	var out []made
	scope := d.pkg.Scope()
	n := 0
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || n == maxConstructors {
			continue
		}
		if m, ok := d.construct(fn, elem, pointer, depth); ok {
			n++
			out = append(out, m)
		}
	}
	if s, ok := elem.Underlying().(*types.Struct); n == 0 && ok && named.Obj().Exported() && s != nil {
		out = append(out, made{write: func(b *driveBuilder) string {
			v := b.variable()
			b.lines = append(b.lines, v+" := &"+named.Obj().Name()+"{}")
			return deref(v, pointer)
		}})
	}
	return append(out, d.mutated(out, named, depth)...)
}

func deref(v string, pointer bool) string {
	if pointer {
		return v
	}
	return "*" + v
}

// construct makes a value by calling a function whose first result it is, or a pointer to it.
func (d *driver) construct(fn *types.Func, elem types.Type, pointer bool, depth int) (made, bool) {
	sig := fn.Type().(*types.Signature)
	if sig.TypeParams().Len() > 0 || sig.Results().Len() == 0 {
		return made{}, false
	}
	first := types.Unalias(sig.Results().At(0).Type())
	isPointer := false
	if p, ok := first.(*types.Pointer); ok {
		first, isPointer = p.Elem(), true
	}
	if !types.Identical(first, elem) || !isPointer && pointer {
		return made{}, false
	}
	args, ok := d.arguments(sig, depth+1)
	if !ok {
		return made{}, false
	}
	return made{write: func(b *driveBuilder) string {
		var texts []string
		for _, a := range args {
			texts = append(texts, a.write(b))
		}
		if sig.Variadic() {
			texts[len(texts)-1] += "..."
		}
		v := b.variable()
		names := []string{v}
		for range sig.Results().Len() - 1 {
			names = append(names, "_")
		}
		b.lines = append(b.lines, strings.Join(names, ", ")+" := "+fn.Name()+"("+strings.Join(texts, ", ")+")")
		if isPointer && !pointer {
			return "*" + v
		}
		return v
	}}, true
}

// arguments are the first ways to make the parameters of a function.
func (d *driver) arguments(sig *types.Signature, depth int) ([]made, bool) {
	var out []made
	for v := range sig.Params().Variables() {
		w := d.ways(v.Type(), depth)
		if len(w) == 0 {
			return nil, false
		}
		out = append(out, w[0])
	}
	return out, true
}

// mutated are values on which a method is called, once and twice.
func (d *driver) mutated(plain []made, named *types.Named, depth int) []made {
	var out []made
	n := 0
	for m := range named.Methods() {
		sig := m.Type().(*types.Signature)
		if _, ok := sig.Recv().Type().(*types.Pointer); !ok || !m.Exported() || !d.writers(m) || n == maxMutators || len(plain) == 0 {
			continue
		}
		args, ok := d.arguments(sig, depth+1)
		if !ok {
			continue
		}
		n++
		for times := 1; times <= 2; times++ {
			out = append(out, made{write: func(b *driveBuilder) string {
				e := plain[0].write(b)
				for range times {
					var texts []string
					for _, a := range args {
						texts = append(texts, a.write(b))
					}
					if sig.Variadic() {
						texts[len(texts)-1] += "..."
					}
					b.lines = append(b.lines, strings.TrimPrefix(e, "*")+"."+m.Name()+"("+strings.Join(texts, ", ")+")")
				}
				return e
			}})
		}
	}
	return out
}

// literal says that a user of the package can write any value of a type as a literal.
func (d *driver) literal(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	defer delete(seen, t)
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && (n.Obj().Pkg() != d.pkg || !n.Obj().Exported()) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return d.literal(u.Elem(), seen)
	case *types.Array:
		return d.literal(u.Elem(), seen)
	case *types.Map:
		return d.literal(u.Key(), seen) && d.literal(u.Elem(), seen)
	case *types.Interface:
		return u.NumMethods() == 0
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !d.literal(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// Compose writes the test called name for a counterexample of a drive of f. The error is an *Error.
func (d *CallTemplate) Compose(prog *source.Program, f *source.Func, ce *schemas.Counterexample, name, file, comment string) (*Test, error) {
	return compose(prog, f, ce, name, file, comment, func(w *writer) {
		if len(ce.Params) != len(d.params) {
			fail("the counterexample has %d parameters, the drive %d", len(ce.Params), len(d.params))
		}
		for i := range 10 {
			w.taken[fmt.Sprintf("v%d", i)] = true
		}
		lines := strings.Join(d.lines, "\n\t")
		for i, t := range d.params {
			e := w.value(&ce.Params[i].Node, t, true)
			if len(e) > 40 {
				e = w.variable(fmt.Sprintf("p%d", i), e, t)
			}
			lines = strings.ReplaceAll(lines, mark(i), e)
		}
		lines = strings.ReplaceAll(lines, ", nil...)", ")")
		lines = strings.ReplaceAll(lines, "(nil...)", "()")
		w.emit("%s", lines)
	})
}
