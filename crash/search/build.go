package search

import (
	"go/types"
	"slices"
	"sort"

	"dsd/crash/candidate"
	"dsd/crash/candidate/run"
	"dsd/crash/gofile"
	"dsd/internal/source"
	"dsd/schemas"
)

// maxOps bounds the table: past it, no more types are provided for.
const maxOps = 3000

// New makes the parameter graph of a package: its exported functions and methods are the targets, and values come from
// exported functions, from literals, and from what the standard library offers.
//
// Arguments have values that were observed more often than others. If there are goals, their functions are targets, too, and values come from functions that are not exported as well, and
// from the methods of other packages of the module.
func New(prog *source.Program, pkg *source.Package, goals []Goal, observed Observed) *Graph {
	files := append(slices.Clone(pkg.Files), testFiles(pkg)...)
	b := &graphBuilder{g: &Graph{nodes: map[string]*node{}, observed: observed, usage: usageOf(files), own: own(pkg)}, prog: prog, pkg: pkg, file: gofile.New(pkg.Types), constants: constants(files), done: map[string]bool{},
		targets: map[*candidate.Op]bool{}, wanted: map[*types.Func]bool{}, inside: len(goals) > 0}
	for _, g := range goals {
		b.wanted[g.Func] = true
	}
	found := samples(pkg.Dir)
	for _, text := range found {
		b.constants[types.String] = append(b.constants[types.String], value{text: text})
	}
	b.g.vocabulary = &run.Vocabulary{Words: vocabulary(files, found)}
	for _, v := range b.constants[types.String] {
		b.g.vocabulary.Texts = append(b.g.vocabulary.Texts, v.text)
	}
	for _, v := range b.constants[types.Int] {
		b.g.vocabulary.Numbers = append(b.g.vocabulary.Numbers, v.bits)
	}
	b.functions()
	b.provideAll()
	b.carve()
	b.provideAll()
	b.g.link(b.targets)
	return b.g
}

// provideAll adds the operations that make values of all types that are wanted.
func (b *graphBuilder) provideAll() {
	for len(b.work) > 0 {
		n := b.work[0]
		b.work = b.work[1:]
		b.provide(n)
	}
}

type graphBuilder struct {
	g         *Graph
	prog      *source.Program
	pkg       *source.Package
	file      *gofile.File
	constants map[types.BasicKind][]value
	work      []*node         // types whose values are to be provided
	done      map[string]bool // types whose methods are in the table
	targets   map[*candidate.Op]bool
	// inside says that operations are wanted that users of the package cannot do; wanted are functions to be targets in any case.
	inside bool
	wanted map[*types.Func]bool
}

// need returns the node of a type whose values are wanted.
func (b *graphBuilder) need(t types.Type) *node {
	t = types.Unalias(t)
	k := key(t)
	n := b.g.nodes[k]
	if n == nil {
		n = &node{typ: t}
		b.g.nodes[k] = n
		b.work = append(b.work, n)
	}
	return n
}

// add adds an operation, and says that its arguments are wanted; false if it cannot be written in the package.
func (b *graphBuilder) add(o *candidate.Op) bool {
	for _, t := range append(append([]types.Type{}, o.In...), o.Out...) {
		if !b.file.Nameable(t) {
			return false
		}
	}
	b.g.Table = append(b.g.Table, o)
	for _, t := range o.In {
		b.need(t)
	}
	for _, t := range o.Out {
		b.need(t)
	}
	return true
}

// functions adds the exported functions and variables of the package, and its exported types' methods.
func (b *graphBuilder) functions() {
	scope := b.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			if _, basic := o.Type().Underlying().(*types.Basic); o.Exported() && !basic {
				b.add(candidate.Variable(o))
			}
		case *types.Func:
			if o.Exported() || b.inside && o.Name() != "main" {
				b.target(o, nil, o.Type().(*types.Signature))
			}
		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if (o.Exported() || b.inside) && ok && !o.IsAlias() {
				if inst := b.instance(named); inst != nil {
					b.methods(inst)
				}
			}
		}
	}
}

// target adds a function or method, to be tested.
func (b *graphBuilder) target(fn *types.Func, recv types.Type, sig *types.Signature) {
	var targs []types.Type
	if params := sig.TypeParams(); params.Len() > 0 {
		var inst types.Type
		if inst, targs = instantiate(sig, params.Len()); inst == nil {
			b.g.leave(fn, "no type arguments are known")
			return
		}
		sig = inst.(*types.Signature)
	}
	if o := candidate.Call(fn, recv, targs, sig); b.add(o) {
		b.targets[o] = fn.Exported() && fn.Pkg() == b.pkg.Types || b.wanted[fn.Origin()]
	} else {
		b.g.leave(fn, "a type of its signature cannot be named in the package")
	}
}

func (g *Graph) leave(fn *types.Func, why string) {
	g.Skipped = append(g.Skipped, schemas.Skipped{Func: source.FuncName(fn), Reason: why})
}

// methods adds the methods of a type of the package and of pointers to it.
func (b *graphBuilder) methods(named *types.Named) {
	own := named.Obj().Pkg() == b.pkg.Types
	near := b.inside && named.Obj().Pkg() != nil && b.prog.Package(named.Obj().Pkg().Path()) != nil && b.file.Importable(named.Obj().Pkg())
	if b.done[key(named)+" methods"] || !own && !near {
		return
	}
	if u, ok := named.Underlying().(*types.Interface); ok {
		b.done[key(named)+" methods"] = true
		b.abstract(named, u)
		return
	}
	b.done[key(named)+" methods"] = true
	b.promoted(named)
	for i := range named.NumMethods() {
		m := named.Method(i)
		if m.Exported() || own && b.inside {
			sig := m.Type().(*types.Signature)
			b.target(m, sig.Recv().Type(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		}
	}
}

// abstract adds the methods of an interface: what users call where constructors return one.
func (b *graphBuilder) abstract(named *types.Named, u *types.Interface) {
	for m := range u.Methods() {
		if m.Exported() && u.IsMethodSet() {
			sig := m.Type().(*types.Signature)
			b.target(m, named, types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		}
	}
}

// maxPromoted is how many methods of embedded types are called on a type.
const maxPromoted = 60

// promoted adds the exported methods that a type has from those that it embeds: they make values, and are tested where they are
// declared.
func (b *graphBuilder) promoted(named *types.Named) {
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return
	}
	set := types.NewMethodSet(types.NewPointer(named))
	n := 0
	for sel := range set.Methods() {
		fn, ok := sel.Obj().(*types.Func)
		if !ok || len(sel.Index()) < 2 || !fn.Exported() || n >= maxPromoted {
			continue
		}
		sig := fn.Type().(*types.Signature)
		if sig.Recv() == nil || types.IsInterface(sig.Recv().Type()) {
			continue
		}
		b.add(candidate.Call(fn, types.NewPointer(named), nil, types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())))
		n++
	}
}

// argumentTypes are tried as type arguments, simplest first.
var argumentTypes = []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64], types.NewSlice(types.Typ[types.Int])}

// instantiate gives a generic function or type the first type arguments that satisfy its constraints; nil if there are none.
func instantiate(t types.Type, params int) (types.Type, []types.Type) {
	args := make([]types.Type, params)
	var fill func(i int) types.Type
	fill = func(i int) types.Type {
		if i == len(args) {
			if inst, err := types.Instantiate(nil, t, args, true); err == nil {
				return inst
			}
			return nil
		}
		for _, arg := range argumentTypes {
			args[i] = arg
			if inst := fill(i + 1); inst != nil {
				return inst
			}
		}
		return nil
	}
	if params > 3 {
		return nil, nil
	}
	return fill(0), args
}

// instance is a named type with type arguments, if it needs any; nil if none are known.
func (b *graphBuilder) instance(named *types.Named) *types.Named {
	if named.TypeParams().Len() == 0 || named.TypeArgs().Len() > 0 {
		return named
	}
	inst, _ := instantiate(named, named.TypeParams().Len())
	if inst == nil {
		return nil
	}
	return inst.(*types.Named)
}

// link resolves the types of the operations, finds the producers of each type, and leaves targets out that need a value
// which nothing makes.
func (g *Graph) link(targets map[*candidate.Op]bool) {
	g.in, g.out, g.usual, g.Targets, g.setters = nil, nil, nil, nil, nil
	for _, n := range g.nodes {
		n.producers, n.sizes, n.cheapest = nil, nil, 0
	}
	for i, o := range g.Table {
		var in, out []*node
		for _, t := range o.In {
			in = append(in, g.nodes[key(t)])
		}
		for j, t := range o.Out {
			n := g.nodes[key(t)]
			out = append(out, n)
			if n.values == nil || o.Lit { // numbers and strings are literals
				n.producers = append(n.producers, producer{i, j})
			}
		}
		if o.OnFirst && len(in) > 0 && (o.Func != nil || len(out) == 0) { // a method, or a field that is set
			if o.Func == nil {
				g.setters = append(g.setters, i)
			}
			if _, ok := o.In[0].(*types.Pointer); ok || types.IsInterface(o.In[0]) && o.Func != nil || o.Func == nil && len(o.Fields) == 0 {
				in[0].producers = append(in[0].producers, producer{i, -1})
			}
		}
		usual := make([][]value, len(in))
		for j, n := range in {
			if basic, ok := n.typ.Underlying().(*types.Basic); ok {
				usual[j] = g.usualOf(o, j, basic)
			}
		}
		g.in, g.out, g.usual = append(g.in, in), append(g.out, out), append(g.usual, usual)
	}
	g.depths(false)
	g.depths(true)
	for i, o := range g.Table {
		if !targets[o] {
			continue
		}
		missing := ""
		for _, n := range g.in[i] {
			if n.cheapest == 0 {
				missing = key(n.typ)
			}
		}
		if missing == "" {
			g.Targets = append(g.Targets, i)
		} else {
			g.leave(o.Func, "nothing makes a "+missing)
		}
	}
	sort.SliceStable(g.Skipped, func(i, j int) bool { return g.Skipped[i].Func < g.Skipped[j].Func })
}

// depths finds for each type that has none yet the least depth at which there are values, with odd ones or without: a type has
// odd values alone only if no other operation makes any.
func (g *Graph) depths(withOdd bool) {
	for depth := 1; depth <= maxDrawn; depth++ {
		var found []*node
		for _, n := range g.nodes {
			if n.cheapest == 0 && slices.ContainsFunc(n.producers, func(p producer) bool { return g.makes(p, depth, withOdd) }) {
				found = append(found, n)
			}
		}
		for _, n := range found {
			n.cheapest = depth
		}
	}
}

// makes says that a producer makes values at most depth deep.
func (g *Graph) makes(p producer, depth int, withOdd bool) bool {
	o := g.Table[p.op]
	switch {
	case !withOdd && odd(o):
		return false
	case o.Lit:
		return len(g.out[p.op][0].values) > 0
	case o.Variadic:
		return true
	}
	for _, n := range g.in[p.op] {
		if n.cheapest == 0 || n.cheapest >= depth {
			return false
		}
	}
	return true
}

// Keep leaves in the graph the operations of a table alone: those that compile. dropped says why the others do not. It
// returns those of the aims whose operation is left.
func (g *Graph) Keep(table []*candidate.Op, dropped map[*candidate.Op]string, aims []*aim) []*aim {
	number := map[*candidate.Op]int{}
	for i, o := range table {
		number[o] = i
	}
	targets := map[*candidate.Op]bool{}
	for _, i := range g.Targets {
		if o := g.Table[i]; dropped[o] == "" {
			targets[o] = true
		} else {
			g.leave(o.Func, "a call does not compile: "+dropped[o])
		}
	}
	old := g.Table
	g.Table = table
	g.link(targets)
	var left []*aim
	for _, a := range aims {
		op, ok := number[old[a.op]]
		if !ok || !slices.Contains(g.Targets, op) {
			continue
		}
		var writers []int
		for _, w := range a.writers {
			if i, ok := number[old[w]]; ok {
				writers = append(writers, i)
			}
		}
		a.op, a.writers = op, writers
		left = append(left, a)
	}
	return left
}
