package lower

import (
	"fmt"
	"go/types"

	"dsd/check/logic"
	"dsd/internal/source"
)

// World holds what the lowered functions of one testee share: layouts, memories, numbers of types and functions.
//
// It is filled by one goroutine (New, Add, Close); after Close it is only read, by any number.
type World struct {
	prog    *source.Program
	builder *logic.Builder

	*typeTable      // names, tags and regions of types
	*interfaceTypes // the dynamic types of interfaces
	*generics       // the type arguments of generic functions
	*layoutTable    // the scalars of values
	*memoryTable    // the memories that hold objects
	*staticObjects  // package-level variables and string constants
	*functionTable  // functions and the worklist
	*modelLibrary   // the standard library
	*initialState   // what package-level variables hold at first
	*summaries      // facts about lowered functions
}

// New prepares the lowering of prog's functions; nothing is lowered yet.
func New(prog *source.Program) *World {
	tt := newTypeTable(prog)
	it := newInterfaceTypes(tt)
	lt := newLayoutTable(tt)
	w := &World{
		prog:           prog,
		builder:        logic.NewBuilder(),
		typeTable:      tt,
		interfaceTypes: it,
		generics:       newGenerics(it),
		layoutTable:    lt,
		memoryTable:    newMemoryTable(it, lt),
		staticObjects:  newStaticObjects(),
		functionTable:  newFunctionTable(tt),
		modelLibrary:   &modelLibrary{prog: prog, models: map[string]*source.Func{}},
		initialState:   &initialState{prog: prog, assigned: map[*types.Var]bool{}},
		summaries:      &summaries{},
	}
	for _, pkg := range prog.All {
		w.scanInstances(pkg)
	}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			w.decls[f.Obj] = f
		}
		w.scanTypes(pkg)
		for _, file := range pkg.Files {
			w.scanSyntax(pkg, file)
			w.scanAssigned(pkg, file)
		}
	}
	w.loadModels()
	w.queueInitials()
	return w
}

// Close makes the wrappers through which methods are called by interfaces; the world is complete then.
func (w *World) Close() {
	for {
		before := len(w.queued)
		for tag := 1; tag < len(w.tagTypes); tag++ {
			t := w.tagTypes[tag]
			set := types.NewMethodSet(t)
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
	// Domains are computed when variables are made; types that were numbered later are in none, by design: which
	// dynamic types an input may have depends on the testee's declarations, not on the order of lowering.
	w.closed = true
	w.finish()
}

// Param is a parameter (or receiver) of a function under analysis.
type Param struct {
	Name     string
	Type     types.Type
	Vars     []*logic.Var
	Receiver bool
}

// Root is a function under analysis.
type Root struct {
	Func     *source.Func
	Key      string
	TypeArgs []types.Type
	Params   []Param
	// Err says why the function cannot be analysed, nil if it can.
	Err error
}

// Root lowers f, and all that it calls, for analysis.
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
		r.Params = append(r.Params, Param{name, t, w.InputVars(name, t), receiver})
	}
	if sig.Recv() != nil {
		add(sig.Recv(), true)
	}
	for i := range sig.Params().Len() {
		add(sig.Params().At(i), false)
	}
	return r
}

// Add lowers a function, by representative type arguments if it is generic, and all that it calls. It returns the
// function's key and type arguments.
func (w *World) Add(f *source.Func) (string, []types.Type, error) {
	sig := f.Obj.Type().(*types.Signature)
	params := sig.TypeParams()
	var generic types.Object = f.Obj
	if sig.Recv() != nil {
		params = sig.RecvTypeParams()
		generic = receiverName(sig.Recv())
	}
	var args []types.Type
	if params.Len() > 0 {
		var err error
		if args, err = w.Representative(generic, params); err != nil {
			return "", nil, err
		}
	}
	key, _ := w.need(f.Obj, args)
	w.drain()
	return key, args, nil
}

// receiverName is the declaration of a receiver's type.
func receiverName(recv *types.Var) *types.TypeName {
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t).(*types.Named).Obj()
}

// Bindings maps the type parameters of a function (or of its receiver) to type arguments.
func (w *World) Bindings(f *types.Func, args []types.Type) map[*types.TypeParam]types.Type {
	return bindings(f, args)
}

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

// Inputs are the scalars of the root's parameters.
func (r *Root) Inputs(b *logic.Builder) []*logic.Term {
	var out []*logic.Term
	for _, p := range r.Params {
		for _, v := range p.Vars {
			out = append(out, b.Var(v))
		}
	}
	return out
}

// unsupported is the panic by which lowering gives up a function.
type unsupported struct {
	reason string
}

func (u unsupported) Error() string { return u.reason }

func unsupportedf(format string, args ...any) unsupported {
	return unsupported{fmt.Sprintf(format, args...)}
}
