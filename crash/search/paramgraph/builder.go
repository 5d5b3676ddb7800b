package paramgraph

import (
	"go/types"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/crash/search/constants"
	"dsd/internal/source"
)

// maxOps bounds the operations that are no targets: past it, no further types get operations that make
// their values, but for basic types.
const maxOps = 3000

// Builder builds the parameter graph of a package.
type Builder struct {
	Prog *source.Program
	Pkg  *source.Package
	// File is the file of the package that the operations are written in.
	File *gofile.File

	g    *Graph
	work []*Node         // types that have no operations yet
	done map[string]bool // keys of types whose methods or constructors are in the table
	// targets holds the operations that call functions, true for those to test.
	targets map[*candidate.Op]bool
	// internal is set if operations may be used that users of the package cannot do.
	internal bool
	// thorough is set if code that uses reflection gets all structs that are known, not only a few, and if package-level
	// variables are set.
	thorough bool
	// required are functions to test though they are not exported, and handed the methods of other
	// packages' types that are tested because the package hands out their values.
	required, handed map[*types.Func]bool
}

// NewBuilder starts the graph of a package. Its exported functions and methods are the targets;
// values come from exported functions, from literals, and from what the standard library offers.
//
// The functions in required are targets in any case. If there are any, values come from functions
// that are not exported and from other packages of the module, too. Arguments have the observed
// values more often than others.
func NewBuilder(
	prog *source.Program, pkg *source.Package,
	required []*types.Func, observed constants.Observed,
) *Builder {
	return newBuilder(prog, pkg, required, observed, false)
}

// NewThorough is NewBuilder for the search for one crash: values of any type have more types than where all functions are
// tested, which has less time for each.
func NewThorough(
	prog *source.Program, pkg *source.Package,
	required []*types.Func, observed constants.Observed,
) *Builder {
	return newBuilder(prog, pkg, required, observed, true)
}

func newBuilder(
	prog *source.Program, pkg *source.Package,
	required []*types.Func, observed constants.Observed, thorough bool,
) *Builder {
	b := &Builder{
		Prog: prog, Pkg: pkg, File: gofile.New(pkg.Types), thorough: thorough,
		g: &Graph{
			nodes: map[string]*Node{}, Constants: constants.Collect(pkg, observed),
			data: dataDepths{prog, map[types.Type]int{}},
		},
		done: map[string]bool{}, targets: map[*candidate.Op]bool{},
		internal: len(required) > 0, required: map[*types.Func]bool{}, handed: map[*types.Func]bool{},
	}
	for _, fn := range required {
		b.required[fn] = true
	}
	b.addHanded()
	b.addPackage()
	b.addHeld()
	b.provideAll()
	if b.thorough {
		b.addReentrant()
		b.provideAll()
	}
	return b
}

// Table returns the operations so far.
func (b *Builder) Table() []*candidate.Op { return b.g.Table }

// Graph adds the operations that make values of the types that operations added with Add need, and
// returns the linked graph.
func (b *Builder) Graph() *Graph {
	b.provideAll()
	b.g.link(b.targets)
	if b.thorough {
		if keys, _ := tagKeys(b.Pkg, true); len(keys) > 0 {
			b.g.AddLiterals(fieldNames)
		}
	}
	return b.g
}

// need adds a type to the worklist unless the graph has it.
func (b *Builder) need(t types.Type) {
	t = types.Unalias(t)
	k := Key(t)
	if b.g.nodes[k] == nil {
		n := &Node{Type: t}
		b.g.nodes[k] = n
		b.work = append(b.work, n)
	}
}

// provideAll adds the operations that make values of all types of the worklist.
func (b *Builder) provideAll() {
	for len(b.work) > 0 {
		n := b.work[0]
		b.work = b.work[1:]
		b.provide(n)
	}
}

// Add adds an operation, and the types of its arguments and results to the worklist. It reports
// false if the package cannot name one of these types.
func (b *Builder) Add(o *candidate.Op) bool {
	for _, t := range append(append([]types.Type{}, o.In...), o.Out...) {
		if !b.File.Nameable(t) {
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

// addPackage adds the functions and variables of the package, and the methods of its types: the
// exported ones, or all if the graph is internal.
func (b *Builder) addPackage() {
	scope := b.Pkg.Types.Scope()
	settings := 0
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			_, basic := o.Type().Underlying().(*types.Basic)
			if o.Exported() && !basic {
				b.Add(candidate.Variable(o))
			}
			if o.Exported() && basic && b.thorough && settings < maxSettings && b.reads(o) {
				b.Add(candidate.SetVariable(o))
				settings++
			}

		case *types.Func:
			if o.Exported() || b.internal && o.Name() != "main" {
				b.addTarget(o, nil, o.Type().(*types.Signature))
			}

		case *types.TypeName:
			named, ok := types.Unalias(o.Type()).(*types.Named)
			if (o.Exported() || b.internal) && ok && !o.IsAlias() {
				if inst := instance(named); inst != nil {
					b.addMethods(inst)
				}
				if params := named.TypeParams().Len(); params > 0 {
					for _, t := range b.furtherArguments(false) {
						if inst, _ := instantiateWith(named, params, t); inst != nil {
							b.addMethods(inst.(*types.Named))
						}
					}
				}
			}
		}
	}
}

// maxSettings is the number of package-level variables that are set.
const maxSettings = 12

// reads reports whether the package uses one of its package-level variables.
func (b *Builder) reads(v *types.Var) bool {
	for _, o := range b.Pkg.Info.Uses {
		if o == v {
			return true
		}
	}
	return false
}

// addTarget adds the call of a function, or of a method on a receiver of type recv, as a target if
// it is exported by the package or required.
func (b *Builder) addTarget(fn *types.Func, recv types.Type, sig *types.Signature) {
	params := sig.TypeParams().Len()
	if params == 0 {
		b.addCall(fn, recv, nil, sig)
		return
	}
	inst, targs := instantiate(sig, params)
	if inst == nil {
		b.g.skip(fn, "no type arguments are known")
		return
	}
	b.addCall(fn, recv, targs, inst.(*types.Signature))
	for _, t := range b.furtherArguments(b.required[fn.Origin()]) {
		if inst, targs := instantiateWith(sig, params, t); inst != nil {
			b.addCall(fn, recv, targs, inst.(*types.Signature))
		}
	}
}

// addCall adds the call of a function or method with type arguments, and sig after substituting them, as a target if it
// is exported by the package or required.
func (b *Builder) addCall(fn *types.Func, recv types.Type, targs []types.Type, sig *types.Signature) {
	if o := candidate.Call(fn, recv, targs, sig); b.Add(o) {
		exported := fn.Exported() && fn.Pkg() == b.Pkg.Types
		b.targets[o] = exported || b.required[fn.Origin()] || b.handed[fn]
	} else {
		b.g.skip(fn, "a type of its signature cannot be named in the package")
	}
}

// addMethods adds the methods of a named type and of pointers to it. The type is of the package, or
// of another package of the module if the graph is internal.
func (b *Builder) addMethods(named *types.Named) {
	pkg := named.Obj().Pkg()
	own := pkg == b.Pkg.Types
	ofModule := b.internal && pkg != nil && b.Prog.Package(pkg.Path()) != nil &&
		b.File.Importable(pkg)
	k := Key(named) + " methods"
	if b.done[k] || !own && !ofModule {
		return
	}
	b.done[k] = true
	if u, ok := named.Underlying().(*types.Interface); ok {
		b.addInterfaceMethods(named, u)
		return
	}
	b.addPromoted(named)
	for i := range named.NumMethods() {
		m := named.Method(i)
		if m.Exported() || own && b.internal {
			sig := m.Type().(*types.Signature)
			b.addTarget(m, sig.Recv().Type(), withoutReceiver(sig))
		}
	}
}

// addInterfaceMethods adds the methods of an interface: users call these if a constructor returns
// the interface.
func (b *Builder) addInterfaceMethods(named *types.Named, u *types.Interface) {
	for m := range u.Methods() {
		if m.Exported() && u.IsMethodSet() {
			b.addTarget(m, named, withoutReceiver(m.Type().(*types.Signature)))
		}
	}
}

// maxPromoted is the number of promoted methods that are called on a type.
const maxPromoted = 60

// addPromoted adds the exported methods that a struct type has from its embedded fields. They make
// values, but are no targets: they are tested on the type that declares them.
func (b *Builder) addPromoted(named *types.Named) {
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return
	}
	ptr := types.NewPointer(named)
	n := 0
	for sel := range types.NewMethodSet(ptr).Methods() {
		fn, ok := sel.Obj().(*types.Func)
		if !ok || len(sel.Index()) < 2 || !fn.Exported() || n >= maxPromoted {
			continue
		}
		sig := fn.Type().(*types.Signature)
		if sig.Recv() == nil || types.IsInterface(sig.Recv().Type()) {
			continue
		}
		b.Add(candidate.Call(fn, ptr, nil, withoutReceiver(sig)))
		n++
	}
}

// withoutReceiver returns the signature of a method as that of a function.
func withoutReceiver(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}
