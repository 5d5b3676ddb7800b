package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// World holds what the lowered functions of one testee share: layouts, memories, numbers of types and functions.
//
// It is filled by one goroutine (New, Add, Close); after Close it is only read, by any number.
type World struct {
	prog    *source.Program
	context *types.Context

	typeKeys map[types.Type]string
	layouts  map[string][]Leaf
	memories map[string][]*logic.Var
	// MemoryOrder are all memories in the order in which they were made.
	MemoryOrder []*logic.Var
	regions     map[string]uint32
	merged      map[*types.Var]bool           // fields whose address is taken
	candidates  []types.Type                  // named types of the testee and pointers to them, sorted by name
	programs    []types.Type                  // named types of programs
	instances   map[types.Object][]types.Type // type arguments of generic functions and types in the build
	noCompare   []uint32                      // tags of uncomparable types, see uncomparables
	dynamic     map[string][]uint32           // interface type -> tags of dynamic types
	tags        map[string]uint32             // type -> tag
	tagTypes    []types.Type                  // by tag
	mentioned   []types.Type                  // types that the testee asserts interfaces to

	decls  map[*types.Func]*source.Func
	models map[string]*source.Func // of functions without a body here, by name
	words  *types.Package          // the vocabulary of the models
	// Faults are the models that do not fit the standard library of the testee's Go; they are not used.
	Faults  []error
	funcs   map[string]*ir.Func
	queue   []pending
	queued  map[string]bool
	fnIDs   map[string]uint32 // function key -> identity as a value
	fnKeys  []string          // by identity
	globals map[*types.Var]uint32
	// literals are the objects of string constants.
	literals    map[string]uint32
	literalText map[uint32]string
	assigned    map[*types.Var]bool // package-level variables that functions may change
	initials    []initial
	notNil      []external               // sorted by object
	reads       map[string]callgraph.Set // package-level variables that a function may read, by object
	panicObj    uint32                   // the hidden variable in which recover finds its panic
	statics     uint32                   // objects of globals and literals made so far
	builder     *logic.Builder
	methodNames map[string]bool // methods called through interfaces
	closed      bool
	live        map[*ir.Func][][]bool
	effects     map[string][]*logic.Var
	callees     map[string][]string
	olds        map[*logic.Var]*logic.Var // memories as they were at the entry of a call
}

// pending is a function that was named but not lowered yet.
type pending struct {
	key string
	f   *source.Func
	m   instance
	// Wrappers.
	make func() *ir.Func
}

// TagOther is the dynamic type of an interface of which no implementation is known.
const TagOther = 0xfffe

// New prepares the lowering of prog's functions; nothing is lowered yet.
func New(prog *source.Program) *World {
	w := &World{
		prog: prog, context: types.NewContext(),
		typeKeys: map[types.Type]string{}, layouts: map[string][]Leaf{}, memories: map[string][]*logic.Var{},
		regions: map[string]uint32{}, merged: map[*types.Var]bool{}, assigned: map[*types.Var]bool{}, dynamic: map[string][]uint32{}, tags: map[string]uint32{},
		instances: map[types.Object][]types.Type{}, decls: map[*types.Func]*source.Func{}, funcs: map[string]*ir.Func{}, queued: map[string]bool{},
		fnIDs: map[string]uint32{}, fnKeys: []string{""}, globals: map[*types.Var]uint32{},
		literals: map[string]uint32{}, literalText: map[uint32]string{}, tagTypes: []types.Type{nil},
		builder: logic.NewBuilder(), methodNames: map[string]bool{}, olds: map[*logic.Var]*logic.Var{},
	}
	w.panicObj = w.static()
	for _, t := range []types.Type{types.Typ[types.Int], types.Typ[types.String], types.Typ[types.Float64], types.Typ[types.Bool]} {
		w.Tag(t)
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
	w.initialisations()
	return w
}

// scanTypes collects the named types that an interface of the testee may hold.
func (w *World) scanTypes(pkg *source.Package) {
	add := func(t types.Type) { w.candidates = append(w.candidates, t, types.NewPointer(t)) }
	if pkg.Name == "main" { // a program's types are nobody else's
		add = func(t types.Type) { w.programs = append(w.programs, t) }
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() { // sorted
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || types.IsInterface(n) {
			continue
		}
		var t types.Type = n
		if n.TypeParams().Len() > 0 {
			args, err := w.Representative(tn, n.TypeParams())
			if err != nil {
				continue
			}
			if t, err = types.Instantiate(w.context, n, args, false); err != nil {
				continue
			}
		}
		add(t)
	}
}

// scanSyntax finds the fields whose address is taken and the types that interfaces are asserted to.
func (w *World) scanSyntax(pkg *source.Package, file *ast.File) {
	addressed := func(e ast.Expr) {
		if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
			if v, ok := pkg.Info.Uses[sel.Sel].(*types.Var); ok && v.IsField() {
				w.merged[v.Origin()] = true
			}
		}
	}
	mention := func(e ast.Expr) {
		if t := pkg.Info.TypeOf(e); t != nil && !types.IsInterface(t) && !hasTypeParam(t) && t != types.Typ[types.UntypedNil] {
			w.mentioned = append(w.mentioned, t)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				addressed(n.X)
			}
		case *ast.SelectorExpr:
			if s := pkg.Info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				if pointee(s.Recv()) == nil && !types.IsInterface(s.Recv()) {
					addressed(n.X)
				}
				// A method promoted through fields takes the address of the last of them.
				if f, ok := s.Obj().(*types.Func); ok && len(s.Index()) > 1 {
					if _, ptr := f.Type().(*types.Signature).Recv().Type().(*types.Pointer); ptr {
						w.merged[fieldAt(s.Recv(), s.Index()[:len(s.Index())-1]).Origin()] = true
					}
				}
			}
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				mention(n.Type)
			}
		case *ast.TypeSwitchStmt:
			for _, c := range n.Body.List {
				for _, e := range c.(*ast.CaseClause).List {
					mention(e)
				}
			}
		}
		return true
	})
}

func fieldAt(t types.Type, index []int) *types.Var {
	var f *types.Var
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f = t.Underlying().(*types.Struct).Field(i)
		t = f.Type()
	}
	return f
}

func hasTypeParam(t types.Type) bool {
	return strings.Contains(types.TypeString(t, nil), "$") || containsParam(t, map[types.Type]bool{})
}

func containsParam(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return containsParam(t.Elem(), seen)
	case *types.Slice:
		return containsParam(t.Elem(), seen)
	case *types.Array:
		return containsParam(t.Elem(), seen)
	case *types.Chan:
		return containsParam(t.Elem(), seen)
	case *types.Map:
		return containsParam(t.Key(), seen) || containsParam(t.Elem(), seen)
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if containsParam(t.TypeArgs().At(i), seen) {
				return true
			}
		}
	case *types.Tuple:
		for i := range t.Len() {
			if containsParam(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Signature:
		return containsParam(t.Params(), seen) || containsParam(t.Results(), seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if containsParam(t.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// Tag is the number of a dynamic type.
func (w *World) Tag(t types.Type) uint32 {
	k := w.typeKey(t)
	if n, ok := w.tags[k]; ok {
		return n
	}
	n := uint32(len(w.tagTypes))
	w.tags[k] = n
	w.tagTypes = append(w.tagTypes, t)
	return n
}

// TagType is the type of that number, nil if there is none.
func (w *World) TagType(tag uint32) types.Type {
	if int(tag) < len(w.tagTypes) {
		return w.tagTypes[tag]
	}
	return nil
}

// dynamicTypes returns the tags that an input of interface type t may have, with the regions of what they hold: the
// types of the testee that implement t, and for the empty interface a few plain types and those that the testee asks
// for.
func (w *World) dynamicTypes(t types.Type) (tags, regions []uint32, boxes []bool) {
	k := w.typeKey(t)
	if list, ok := w.dynamic[k]; ok {
		tags = list
	} else {
		iface := t.Underlying().(*types.Interface)
		seen := map[uint32]bool{}
		add := func(c types.Type) {
			if n := w.Tag(c); !seen[n] && len(tags) < 24 {
				seen[n] = true
				tags = append(tags, n)
			}
		}
		if iface.NumMethods() == 0 {
			add(types.Typ[types.Int])
			add(types.Typ[types.String])
			add(types.Typ[types.Bool])
			for _, c := range w.mentioned {
				add(c)
			}
			add(anUncomparable)
		} else {
			for _, c := range w.candidates {
				if types.Implements(c, iface) {
					add(c)
				}
			}
			if len(tags) == 0 {
				tags = append(tags, TagOther)
			}
		}
		w.dynamic[k] = tags
	}
	for _, n := range tags {
		regions = append(regions, w.tagRegion(n))
		dyn := w.TagType(n)
		boxes = append(boxes, dyn == nil || pointee(dyn) == nil)
	}
	return tags, regions, boxes
}

// anUncomparable is the uncomparable type that an input of type any may have, whatever the testee declares.
var anUncomparable = types.NewSlice(types.Typ[types.Int])

// uncomparables are the tags of the uncomparable types that an interface of the testee may hold.
func (w *World) uncomparables() []uint32 {
	if w.noCompare == nil {
		for _, t := range append(append([]types.Type{anUncomparable}, w.mentioned...), w.candidates...) {
			if n := w.Tag(t); !types.Comparable(t) && !slices.Contains(w.noCompare, n) {
				w.noCompare = append(w.noCompare, n)
			}
		}
	}
	return w.noCompare
}

// tagRegion is the region of the object that an interface of that dynamic type refers to.
func (w *World) tagRegion(tag uint32) uint32 {
	t := w.TagType(tag)
	if t == nil {
		return w.region(nil, "box of another type")
	}
	if p := pointee(t); p != nil {
		return w.region(p, "")
	}
	return w.region(nil, "box "+w.typeKey(t))
}

// Global is the object that holds a package-level variable.
func (w *World) Global(v *types.Var) uint32 {
	o, ok := w.globals[v]
	if !ok {
		o = w.static()
		w.globals[v] = o
	}
	return o
}

func (w *World) static() uint32 {
	w.statics++
	return logic.RegionStatic<<16 + w.statics
}

// literal is the object that holds the bytes of a string constant.
func (w *World) literal(s string) uint32 {
	o, ok := w.literals[s]
	if !ok {
		o = w.static()
		w.literals[s] = o
		w.literalText[o] = s
	}
	return o
}

// Literals are the texts of the string constants by object.
func (w *World) Literals() map[uint32]string { return w.literalText }

// Globals returns the package-level variables that lowered functions mention, by object, sorted by object.
func (w *World) Globals() []Global {
	var out []Global
	for v, o := range w.globals {
		out = append(out, Global{v, o})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Obj < out[j].Obj })
	return out
}

// Global is a package-level variable and its object.
type Global struct {
	Var *types.Var
	Obj uint32
}

// Key names an instance of a function.
func (w *World) Key(f *types.Func, args []types.Type) string {
	k := source.FuncName(f)
	if len(args) > 0 {
		var names []string
		for _, a := range args {
			names = append(names, w.typeKey(a))
		}
		k += "{" + strings.Join(names, ", ") + "}"
	}
	return k
}

// need queues the instance of a function for lowering and returns its key; ok is false if it has no body here.
func (w *World) need(f *types.Func, args []types.Type) (key string, ok bool) {
	f = f.Origin()
	key = w.Key(f, args)
	src := w.decls[f]
	if src == nil {
		if src = w.model(f); src == nil {
			return key, false
		}
	}
	w.enqueue(pending{key: key, f: src, m: bindings(src.Obj, args)})
	return key, true
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

func (w *World) enqueue(p pending) {
	if w.queued[p.key] {
		return
	}
	if w.closed {
		panic("lower: " + p.key + " was not lowered before Close")
	}
	w.queued[p.key] = true
	w.queue = append(w.queue, p)
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

func (w *World) drain() {
	for len(w.queue) > 0 {
		p := w.queue[0]
		w.queue = w.queue[1:]
		if p.make != nil {
			w.funcs[p.key] = p.make()
		} else {
			w.funcs[p.key] = w.lower(p)
		}
	}
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

// Func returns a lowered function by key, nil if it has no body here.
func (w *World) Func(key string) *ir.Func { return w.funcs[key] }

// FuncValue returns the key of the function with that identity, "" if there is none.
func (w *World) FuncValue(id uint32) string {
	if int(id) < len(w.fnKeys) {
		return w.fnKeys[id]
	}
	return ""
}

func (w *World) fnID(key string) uint32 {
	id, ok := w.fnIDs[key]
	if !ok {
		id = uint32(len(w.fnKeys))
		w.fnIDs[key] = id
		w.fnKeys = append(w.fnKeys, key)
	}
	return id
}

// Method returns the key of the wrapper that calls a method of dynamic type tag, "" if there is none.
func (w *World) Method(tag uint32, name string) string {
	t := w.TagType(tag)
	if t == nil {
		return ""
	}
	key := wrapperKey(w.typeKey(t), name)
	if w.funcs[key] == nil {
		return ""
	}
	return key
}

func wrapperKey(t, method string) string { return "<" + t + ">." + method }

// unsupported is the panic by which lowering gives up a function.
type unsupported struct {
	reason string
}

func (u unsupported) Error() string { return u.reason }

func unsupportedf(format string, args ...any) unsupported {
	return unsupported{fmt.Sprintf(format, args...)}
}
