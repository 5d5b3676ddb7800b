package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"dsd/check/logic"
	"dsd/internal/source"
)

// A World holds what the lowered functions of one program, the testee, share.
//
// One goroutine fills it, with New, Root, Add and Close. After Close it is only read, by any number
// of goroutines.
//
// Each embedded struct is one idea with its own file. It sees only the structs that it is built on.
type World struct {
	prog    *source.Program
	builder *logic.Builder

	*typeTable      // names, tags and regions of types
	*interfaceTypes // the dynamic types of interfaces
	*generics       // the type arguments of generic functions
	*genericUses    // what their instances put into interfaces
	*layoutTable    // the scalars of values
	*memoryTable    // the memories that hold objects
	*staticObjects  // package-level variables and string constants
	*functionTable  // functions and the worklist
	*modelLibrary   // the standard library
	*initialState   // what package-level variables hold at first
	*summaries      // facts about lowered functions
}

// New scans the packages of prog. It lowers the initializers of constant package-level variables
// and the functions that they call, but no others.
func New(prog *source.Program) *World {
	tt := newTypeTable(prog)
	it := newInterfaceTypes(tt)
	lt := newLayoutTable(tt, int(8*prog.Sizes.Sizeof(types.Typ[types.Uintptr])))
	w := &World{
		prog:           prog,
		builder:        logic.NewBuilder(),
		typeTable:      tt,
		interfaceTypes: it,
		generics:       newGenerics(it),
		genericUses: &genericUses{boxed: map[*types.Func][]types.Type{},
			uses: map[*types.Func][]genericUse{}},
		layoutTable:   lt,
		memoryTable:   newMemoryTable(it, lt),
		staticObjects: newStaticObjects(),
		functionTable: newFunctionTable(tt),
		modelLibrary:  &modelLibrary{prog: prog, models: map[string]*source.Func{}},
		initialState: &initialState{prog: prog, assigned: map[*types.Var]bool{},
			byInit: map[*types.Var][]ast.Expr{}, roots: map[ast.Expr]*source.Func{}},
		summaries: &summaries{},
	}
	for _, pkg := range prog.All {
		w.scanInstances(pkg)
	}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			w.decls[f.Obj] = f
		}
		literals, numbers := pkg.Literals()
		initializers := pkg.Initializers()
		for _, f := range initializers {
			w.roots[f.Decl.Body.List[0].(*ast.AssignStmt).Rhs[0]] = f
		}
		w.unnamed[pkg] = slices.Concat(initializers, pkg.Inits(), literals)
		w.litNumbers[pkg] = numbers
		for _, f := range w.unnamed[pkg] {
			w.decls[f.Obj] = f
			w.funcLits[f.Decl.Body] = f
		}
		w.scanTypes(pkg)
		for _, file := range pkg.Files {
			w.scanSyntax(pkg, file)
			w.scanBoxed(pkg, file)
			w.scanRecover(pkg, file) // dependencies come first: their functions are in decls
			w.scanAssigned(pkg, file)
		}
	}
	w.boxInstances()
	for _, pair := range w.converted { // now that all fields with addresses are known
		w.share(pair[0], pair[1])
	}
	w.builder.AnyTime = true
	w.loadModels()
	w.queueInitials()
	return w
}

// Close adds the wrappers for the methods that are called through interfaces, and computes the
// summaries. No function can be added after it.
//
// A wrapper may mention more types and call more methods, so Close iterates until nothing is added.
func (w *World) Close() {
	for {
		before := len(w.queued)
		for i := 0; i < len(w.tags); i++ { // it grows
			t := w.tagTypes[w.tags[i]]
			set := w.methodSet(t)
			for i := range set.Len() {
				if m := set.At(i).Obj().Name(); w.methodNames[m] {
					w.ifaceWrapper(t, m)
				}
			}
		}
		w.drain()
		if len(w.queued) == before {
			break
		}
	}
	// Domains are computed when variables are made, and types that got their tag later are in
	// none of them. That is intended: the dynamic types that an input may have depend on the
	// testee's declarations, not on the order of lowering.
	w.closed = true
	w.sortMemories()
	w.summarize()
}

// A Param is a parameter, or the receiver, of a function under analysis.
type Param struct {
	Name     string // "_" if it has none
	Type     types.Type
	Vars     []*logic.Var // its scalars
	Receiver bool
}

// A Root is a function under analysis.
type Root struct {
	Func *source.Func
	Key  string // of the lowered function, see World.Func
	// TypeArgs are the arguments for the type parameters of the function or of its receiver.
	TypeArgs []types.Type
	// Params are the receiver, if there is one, and the parameters.
	Params []Param
	// Err is the reason why the function cannot be analyzed, or nil. Then Params is not set.
	Err error
}

// Name returns the function's name in stack traces or, since those call all initializers init, that of
// an initializer alone.
func (r *Root) Name() string { return source.FuncName(r.Func.Obj) }

// Root lowers f and all functions that it calls, and makes variables for the inputs of f. The
// error, if there is one, is in the result.
func (w *World) Root(f *source.Func) (r *Root) {
	r = &Root{Func: f}
	defer func() {
		if p := recover(); p != nil {
			u, ok := p.(unsupported)
			if !ok {
				panic(p)
			}
			r.Err = u
		}
	}()
	r.Key, r.TypeArgs, r.Err = w.Add(f)
	if r.Err != nil {
		return r
	}
	if reason := w.funcs[r.Key].Unsupported; reason != "" {
		r.Err = unsupported{reason}
		return r
	}
	m := bindings(f.Obj, r.TypeArgs)
	sig := f.Obj.Type().(*types.Signature)
	add := func(v *types.Var, receiver bool) {
		t := w.apply(v.Type(), m)
		name := v.Name()
		if name == "" {
			name = "_"
		}
		vars := w.InputVars(name, t)
		w.assumeForeign(vars, f.Obj.Pkg())
		if madeByTesting(t) {
			vars[0].Domain.Some = true
		}
		r.Params = append(r.Params, Param{name, t, vars, receiver})
	}
	if sig.Recv() != nil {
		add(sig.Recv(), true)
	}
	for i := range sig.Params().Len() {
		add(sig.Params().At(i), false)
	}
	return r
}

// madeByTesting reports whether t is the type of a value that package testing passes to tests, such as
// *testing.T. Only that package makes such values, so a parameter of the type is not nil.
func madeByTesting(t types.Type) bool {
	if p := pointee(t); p != nil {
		t = p
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "testing" {
		return false
	}
	switch n.Obj().Name() {
	case "T", "B", "F", "M", "PB", "TB":
		return true
	}
	return false
}

// Add lowers f and all functions that it calls, and returns the key and the type arguments of f. A
// generic function is lowered for representative type arguments, or else for those with which a
// function needs it that was added before; the error reports that none were found.
func (w *World) Add(f *source.Func) (string, []types.Type, error) {
	args, err := w.rootArgs(f)
	if err != nil {
		return "", nil, err
	}
	key, _ := w.need(f.Obj, args)
	w.drain()
	return key, args, nil
}

// Lowered returns the instance of f that Root would make if something needed it already, without variables
// for its inputs, and nil otherwise.
func (w *World) Lowered(f *source.Func) *Root {
	args, err := w.rootArgs(f)
	if err != nil {
		return nil
	}
	key := w.Key(f.Obj.Origin(), args)
	if fn := w.funcs[key]; fn == nil || fn.Unsupported != "" {
		return nil
	}
	return &Root{Func: f, Key: key, TypeArgs: args}
}

// rootArgs returns the type arguments of f as a root.
func (w *World) rootArgs(f *source.Func) ([]types.Type, error) {
	sig := f.Obj.Type().(*types.Signature)
	params := sig.TypeParams()
	var generic types.Object = f.Obj
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
		generic = receiverName(sig.Recv())
	}
	if params.Len() == 0 {
		return nil, nil
	}
	args, err := w.Representative(generic, params)
	if err != nil && w.instantiated[f.Obj] != nil {
		return w.instantiated[f.Obj], nil
	}
	return args, err
}

// receiverName returns the declaration of a receiver's type.
func receiverName(recv *types.Var) *types.TypeName {
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t).(*types.Named).Obj()
}

// Bindings maps the type parameters of f, or of its receiver, to type arguments.
func (w *World) Bindings(f *types.Func, args []types.Type) map[*types.TypeParam]types.Type {
	return bindings(f, args)
}

// bindings maps the type parameters of f, or of its receiver, to args.
func bindings(f *types.Func, args []types.Type) instance {
	sig := f.Type().(*types.Signature)
	params := sig.TypeParams()
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
	}
	m := instance{}
	for i := range min(params.Len(), len(args)) {
		m[params.At(i)] = args[i]
	}
	return m
}

// Inputs returns the scalars of the root's parameters in order.
func (r *Root) Inputs(b *logic.Builder) []*logic.Term {
	var out []*logic.Term
	for _, p := range r.Params {
		for _, v := range p.Vars {
			out = append(out, b.Var(v))
		}
	}
	return out
}

// unsupported is the panic with which lowering gives up a function. emitter.protect recovers it, or
// the exported method that was called.
type unsupported struct {
	reason string
}

func (u unsupported) Error() string { return u.reason }

// unsupportedf returns the value to panic with when a construct is not supported.
func unsupportedf(format string, args ...any) unsupported {
	return unsupported{fmt.Sprintf(format, args...)}
}
