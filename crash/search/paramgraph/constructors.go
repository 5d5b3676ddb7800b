package paramgraph

import (
	"go/types"
	"slices"
	"sort"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// Uncallable holds the packages of the standard library whose functions have effects outside the
// process, or depend on when they run.
var Uncallable = map[string]bool{
	"os": true, "os/exec": true, "net": true, "net/http": true, "syscall": true, "time": true,
	"plugin": true, "os/signal": true, "runtime": true, "os/user": true, "log/syslog": true,
	"testing": true,
}

// zeroIsUseful reports whether the zero value of a type of another package is ready to use.
func zeroIsUseful(named *types.Named) bool {
	switch Key(named) {
	case "bytes.Buffer", "strings.Builder", "sync.Mutex", "sync.RWMutex", "sync.WaitGroup",
		"sync.Once", "sync.Map", "time.Time", "math/big.Int", "math/big.Float",
		"math/big.Rat", "net/url.URL":
		return true
	}
	return false
}

// constructed returns the types of the first results of the exported functions and methods of a
// type's package that make values of it: the type, or a pointer to it, once for each function.
func constructed(named *types.Named) []types.Type {
	var out []types.Type
	add := func(fn *types.Func) {
		if sig := fn.Type().(*types.Signature); fn.Exported() && returns(sig, named) {
			out = append(out, sig.Results().At(0).Type())
		}
	}
	for _, fn := range constructors(named) {
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

// HasConstructor reports whether an exported function or method of a type's package makes values of it.
func HasConstructor(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && len(constructed(named)) > 0
}

// constructors returns the exported functions of a type's package whose first result is the type or
// a pointer to it.
func constructors(named *types.Named) []*types.Func {
	var out []*types.Func
	if named.Obj().Pkg() == nil {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if ok && fn.Exported() && returns(fn.Type().(*types.Signature), named) {
			out = append(out, fn)
		}
	}
	return out
}

// returns reports whether the first result of a function is of a type or a pointer to it.
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

// maxConstructors is the number of constructors of one type that are called: those with the fewest
// parameters that do not need a value of the type, if there are enough.
const maxConstructors = 3

// needs returns the number of parameters of a constructor, and more if one of them is of the type itself.
func needs(fn *types.Func, named *types.Named) int {
	params := fn.Type().(*types.Signature).Params()
	n := params.Len()
	for v := range params.Variables() {
		if p, ok := types.Unalias(v.Type()).(*types.Named); ok && p.Obj() == named.Obj() {
			return n + 100
		}
	}
	return n
}

// addConstructors adds the functions that make values of a type of another package.
func (b *Builder) addConstructors(named *types.Named) {
	path := named.Obj().Pkg().Path()
	if path == "time" {
		b.addTimes(named)
		return
	}
	if b.done[Key(named)] || Uncallable[path] || !b.File.Importable(named.Obj().Pkg()) {
		return
	}
	b.done[Key(named)] = true
	list := constructors(named)
	sort.SliceStable(list, func(i, j int) bool { return needs(list[i], named) < needs(list[j], named) })
	if len(list) == 0 {
		b.addMakers(named)
	}
	for _, fn := range list[:min(len(list), maxConstructors)] {
		sig := fn.Type().(*types.Signature)
		if sig.TypeParams().Len() > 0 {
			targs := inferTypeArgs(sig, named)
			if targs == nil {
				continue
			}
			if inst, err := types.Instantiate(nil, sig, targs, true); err == nil {
				b.Add(candidate.Call(fn, nil, targs, inst.(*types.Signature)))
			}
			continue
		}
		if strings.HasPrefix(fn.Name(), "Must") { // panics by design
			continue
		}
		b.Add(candidate.Call(fn, nil, nil, sig))
	}
}

// addMakers adds the methods of other types of its package that make values of a type which no function makes: the context
// of a request is made by the server. Those without parameters, which pools have, are left out where others have some.
func (b *Builder) addMakers(named *types.Named) {
	var list []*types.Func
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || tn.IsAlias() || tn.Type() == named.Origin() {
			continue
		}
		owner, ok := tn.Type().(*types.Named)
		if !ok || owner.TypeParams().Len() > 0 {
			continue
		}
		for m := range owner.Methods() {
			if m.Exported() && returns(m.Signature(), named) && needs(m, named) < 100 {
				list = append(list, m)
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return needs(list[i], named) < needs(list[j], named) })
	if n := len(list); n > 0 && needs(list[n-1], named) > 0 {
		list = slices.DeleteFunc(list, func(m *types.Func) bool { return needs(m, named) == 0 })
	}
	for _, m := range list[:min(len(list), maxConstructors)] {
		b.Add(candidate.Call(m, m.Signature().Recv().Type(), nil, withoutReceiver(m.Signature())))
	}
}

// addTimes adds operations that make values of types of package time and do not depend on the
// current time.
func (b *Builder) addTimes(named *types.Named) {
	if b.done[Key(named)] {
		return
	}
	b.done[Key(named)] = true
	fixed := func(t types.Type, expr string) {
		b.Add(candidate.Expression(t, func(f *gofile.File) string {
			return strings.ReplaceAll(expr, "time.", f.Use("time", "time")+".")
		}, expr))
	}
	switch named.Obj().Name() {
	case "Time":
		b.Add(candidate.Composite(named, false, nil))
		fixed(named, "time.Date(2024, time.February, 29, 23, 59, 58, 123456789, time.UTC)")
		if fn, ok := named.Obj().Pkg().Scope().Lookup("Unix").(*types.Func); ok {
			b.Add(candidate.Call(fn, nil, nil, fn.Type().(*types.Signature)))
		}

	case "Location":
		fixed(types.NewPointer(named), "time.UTC")
		fixed(types.NewPointer(named), `time.FixedZone("X", -3*3600)`)
	}
}
