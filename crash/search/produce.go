package search

import (
	"go/types"
	"slices"
	"sort"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// provide adds the operations that make values of a type.
func (b *graphBuilder) provide(n *node) {
	if len(b.g.Table) > maxOps {
		return
	}
	t := n.typ
	named, _ := t.(*types.Named)
	if p, ok := t.(*types.Pointer); ok {
		named, _ = types.Unalias(p.Elem()).(*types.Named)
	}
	if named != nil {
		b.methods(named)
		if named.Obj().Pkg() != nil && (named.Obj().Pkg() != b.pkg.Types || named.TypeArgs().Len() > 0) {
			b.constructors(named)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if n.values = b.values(u); len(n.values) > 0 {
			b.add(candidate.Literal(t))
		}
	case *types.Pointer:
		b.pointer(t, u)
	case *types.Struct:
		b.structs(t, u, false)
	case *types.Array:
		b.add(candidate.Zero(t))
	case *types.Slice:
		b.add(candidate.Zero(t))
		b.add(candidate.SliceOf(t))
		if types.IsInterface(u.Elem()) { // it may hold itself
			b.add(candidate.SetElem(t))
		}
		if e, ok := u.Elem().Underlying().(*types.Basic); ok && (e.Kind() == types.Byte || e.Kind() == types.Rune) && types.Identical(u.Elem(), types.Unalias(types.Typ[e.Kind()])) {
			b.add(candidate.Derived(t, types.Typ[types.String], "bytes", func(f *gofile.File, arg string) string { return f.Type(t) + "(" + arg + ")" }))
		}
	case *types.Map:
		b.add(candidate.MapOf(t, false))
		b.add(candidate.MapOf(t, true))
		b.add(candidate.SetEntry(t))
	case *types.Chan:
		b.add(candidate.MakeChan(t))
	case *types.Signature:
		b.add(candidate.Stub(t))
		b.add(candidate.Zero(t))
	case *types.Interface:
		b.implementations(t, u)
	}
}

func (b *graphBuilder) pointer(t types.Type, u *types.Pointer) {
	elem := types.Unalias(u.Elem())
	s, ok := elem.Underlying().(*types.Struct)
	b.add(candidate.Zero(t))
	if !ok {
		b.add(candidate.PointerTo(t))
		return
	}
	if named, ok := elem.(*types.Named); ok && named.Obj().Pkg() == b.pkg.Types && slices.ContainsFunc(b.made(named), func(t types.Type) bool { return types.Identical(t, elem) }) {
		b.add(candidate.AddressOf(t))
	}
	b.structs(elem, s, true)
}

// structs adds the literals of a struct type: the empty one if users may write that, and one with the exported fields set.
func (b *graphBuilder) structs(t types.Type, s *types.Struct, pointer bool) {
	named, _ := t.(*types.Named)
	foreign := named != nil && named.Obj().Pkg() != b.pkg.Types
	if named != nil && !named.Obj().Exported() && !b.inside {
		return // values come from who may name it
	}
	var fields []*types.Var
	hidden := false
	for f := range s.Fields() {
		switch {
		case !f.Exported():
			hidden = true
		case b.file.Nameable(f.Type()) && len(fields) < 6:
			fields = append(fields, f)
		}
	}
	// A type with a constructor and secrets is made by that.
	if hidden && named != nil && (b.constructed(named) || foreign && !zeroIsUseful(named)) {
		if !pointer && !foreign {
			b.add(candidate.Deref(t))
		}
		b.fields(t, s, pointer)
		return
	}
	if !pointer && named != nil && !foreign && s.NumFields() > 2 {
		b.add(candidate.Deref(t))
	}
	lists := [][]*types.Var{nil}
	if len(fields) > 0 {
		lists = append(lists, fields)
	}
	for _, list := range lists {
		o := candidate.Composite(t, pointer, list)
		o.Internal = o.Internal || named != nil && !named.Obj().Exported()
		b.add(o)
	}
	b.fields(t, s, pointer)
}

// maxFields is how many fields of a type are set one by one.
const maxFields = 40

// fields adds that exported fields are set one by one, as they are of types with many, and after a constructor.
func (b *graphBuilder) fields(t types.Type, s *types.Struct, pointer bool) {
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || b.prog.Package(named.Obj().Pkg().Path()) == nil {
		return
	}
	if !pointer {
		return
	}
	n := 0
	for f := range s.Fields() {
		if f.Exported() && n < maxFields && b.file.Nameable(f.Type()) && b.add(candidate.SetField(types.NewPointer(t), f)) {
			n++
		}
	}
}

// zeroIsUseful says that the zero value of another package's type is ready to use.
func zeroIsUseful(named *types.Named) bool {
	switch key(named) {
	case "bytes.Buffer", "strings.Builder", "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Map", "time.Time", "math/big.Int", "math/big.Float", "math/big.Rat", "net/url.URL":
		return true
	}
	return false
}

// constructed says that an exported function or method of the type's package makes values of it, or pointers to them.
func (b *graphBuilder) constructed(named *types.Named) bool { return len(b.made(named)) > 0 }

// made are the first results of the exported functions and methods of the type's package that make values of it, or pointers to
// them.
func (b *graphBuilder) made(named *types.Named) []types.Type {
	var out []types.Type
	add := func(fn *types.Func) {
		if sig := fn.Type().(*types.Signature); fn.Exported() && returns(sig, named) {
			out = append(out, sig.Results().At(0).Type())
		}
	}
	for _, fn := range makers(named) {
		add(fn)
	}
	if named.Obj().Pkg() == nil {
		return out
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.Type() == named.Origin() {
			continue
		}
		if owner, ok := types.Unalias(tn.Type()).(*types.Named); ok {
			for m := range owner.Methods() {
				add(m)
			}
		}
	}
	return out
}

// returns says that the first result is of a type, or a pointer to it.
func returns(sig *types.Signature, named *types.Named) bool {
	if sig.Results().Len() == 0 {
		return false
	}
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	r, ok := t.(*types.Named)
	return ok && r.Obj() == named.Obj()
}

// makers are the exported functions of a type's package that return it, or a pointer to it, first.
func makers(named *types.Named) []*types.Func {
	var out []*types.Func
	if named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() {
			continue
		}
		if returns(fn.Type().(*types.Signature), named) {
			out = append(out, fn)
		}
	}
	return out
}

// unsafe are packages of the standard library whose functions reach out of the process, or depend on when they run.
var unsafe = map[string]bool{"os": true, "os/exec": true, "net": true, "net/http": true, "syscall": true, "time": true, "plugin": true, "os/signal": true, "runtime": true, "os/user": true, "log/syslog": true, "testing": true}

// times adds what makes values of package time that do not depend on when that is.
func (b *graphBuilder) times(named *types.Named) {
	if b.done[key(named)] {
		return
	}
	b.done[key(named)] = true
	fixed := func(t types.Type, expr string) {
		b.add(candidate.Expression(t, func(f *gofile.File) string { return strings.ReplaceAll(expr, "time.", f.Use("time", "time")+".") }, expr))
	}
	switch named.Obj().Name() {
	case "Time":
		b.add(candidate.Composite(named, false, nil))
		fixed(named, "time.Date(2024, time.February, 29, 23, 59, 58, 123456789, time.UTC)")
		if fn, ok := named.Obj().Pkg().Scope().Lookup("Unix").(*types.Func); ok {
			b.add(candidate.Call(fn, nil, nil, fn.Type().(*types.Signature)))
		}
	case "Location":
		fixed(types.NewPointer(named), "time.UTC")
		fixed(types.NewPointer(named), `time.FixedZone("X", -3*3600)`)
	}
}

// constructors adds the functions that make values of another package's type.
func (b *graphBuilder) constructors(named *types.Named) {
	path := named.Obj().Pkg().Path()
	if path == "time" {
		b.times(named)
		return
	}
	if b.done[key(named)] || unsafe[path] || !b.file.Importable(named.Obj().Pkg()) {
		return
	}
	b.done[key(named)] = true
	list := makers(named)
	sort.SliceStable(list, func(i, j int) bool {
		return list[i].Type().(*types.Signature).Params().Len() < list[j].Type().(*types.Signature).Params().Len()
	})
	for i, fn := range list {
		sig := fn.Type().(*types.Signature)
		if i >= 3 {
			continue
		}
		if n := sig.TypeParams().Len(); n > 0 {
			if targs := inferred(sig, named); targs != nil {
				if inst, err := types.Instantiate(nil, sig, targs, true); err == nil {
					b.add(candidate.Call(fn, nil, targs, inst.(*types.Signature)))
				}
			}
			continue
		}
		if strings.HasPrefix(fn.Name(), "Must") {
			continue
		}
		b.add(candidate.Call(fn, nil, nil, sig))
	}
}

// inferred are the type arguments with which a function's first result is of a type with type arguments, or a pointer to it; nil
// if there are none.
func inferred(sig *types.Signature, named *types.Named) []types.Type {
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	r, ok := t.(*types.Named)
	if !ok || r.TypeArgs().Len() != named.TypeArgs().Len() {
		return nil
	}
	out := make([]types.Type, sig.TypeParams().Len())
	for i := range r.TypeArgs().Len() {
		if p, ok := types.Unalias(r.TypeArgs().At(i)).(*types.TypeParam); ok && p.Index() < len(out) {
			out[p.Index()] = named.TypeArgs().At(i)
		}
	}
	if slices.Contains(out, nil) {
		return nil
	}
	return out
}

// anything are types of values for an interface without methods: code that looks into them by reflection meets each kind, and
// pointers to decode into.
var anything = func() []types.Type {
	in, text, empty := types.Typ[types.Int], types.Typ[types.String], types.NewInterfaceType(nil, nil) // any is not in old versions of Go
	field := func(name string, t types.Type) *types.Var { return types.NewField(0, nil, name, t, false) }
	record := types.NewStruct([]*types.Var{field("A", in), field("B", empty), field("C", types.NewPointer(text))}, nil)
	return []types.Type{in, text, types.Typ[types.Float64], types.Typ[types.Bool], types.NewSlice(in), types.NewSlice(empty), types.NewSlice(types.Universe.Lookup("byte").Type()),
		types.NewMap(text, empty), types.NewArray(in, 2), record,
		types.NewPointer(in), types.NewPointer(text), types.NewPointer(types.NewSlice(in)), types.NewPointer(types.NewMap(text, empty)), types.NewPointer(record), types.NewPointer(empty)}
}()

// implementations adds values of an interface: of the types that implement it, or nil if there are none.
func (b *graphBuilder) implementations(t types.Type, u *types.Interface) {
	fixed := func(name, path, expr string) {
		b.add(candidate.Expression(t, func(f *gofile.File) string {
			base := path[strings.LastIndexByte(path, '/')+1:]
			return f.Use(path, base) + "." + expr
		}, name))
	}
	of := func(path, function string) {
		b.add(candidate.Derived(t, types.Typ[types.String], function, func(f *gofile.File, arg string) string {
			return f.Use(path, path) + "." + function + "(" + arg + ")"
		}))
	}
	switch key(t) {
	case "error":
		fixed("error", "errors", `New("e")`)
		b.add(candidate.Zero(t))
		return
	case "context.Context":
		fixed("context", "context", "Background()")
		return
	case "io.Reader", "io.ByteReader", "io.RuneReader", "io.ReadSeeker", "io.ReaderAt", "io.RuneScanner", "io.ByteScanner":
		of("strings", "NewReader")
		return
	case "io.ReadCloser":
		b.add(candidate.Derived(t, types.Typ[types.String], "reader", func(f *gofile.File, arg string) string {
			return f.Use("io", "io") + ".NopCloser(" + f.Use("strings", "strings") + ".NewReader(" + arg + "))"
		}))
		return
	case "io.ReadWriter":
		of("bytes", "NewBufferString")
		return
	case "io.Writer", "io.StringWriter", "io.ByteWriter":
		fixed("writer", "bytes", "NewBuffer(nil)")
		return
	}
	if u.NumMethods() == 0 && u.IsMethodSet() {
		for _, arg := range anything {
			b.convert(t, arg)
		}
		b.add(candidate.Zero(t))
		return
	}
	found := 0
	for _, p := range b.prog.All {
		if p != b.pkg && !b.file.Importable(p.Types) {
			continue
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) || p != b.pkg && !tn.Exported() {
				continue
			}
			named := b.instance(tn.Type().(*types.Named))
			if named == nil || found >= 6 {
				continue
			}
			for _, c := range []types.Type{named, types.NewPointer(named)} {
				if types.Implements(c, u) {
					b.convert(t, c)
					found++
					break
				}
			}
		}
	}
	if found > 0 {
		b.add(candidate.Zero(t))
		return
	}
	if named, ok := t.(*types.Named); ok && b.constructed(named) { // somebody makes proper ones
		b.add(candidate.Zero(t))
	} else if results, ok := b.file.StubResults(t); ok {
		b.add(candidate.StubType(t, results))
	} else {
		b.add(candidate.Zero(t))
	}
}

// convert adds the conversion of values of one type to another.
func (b *graphBuilder) convert(to, from types.Type) {
	b.add(candidate.Convert(to, from))
}
