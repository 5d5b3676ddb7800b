package paramgraph

import (
	"go/types"

	"dsd/internal/symbol"
)

// maxHanded is the number of methods of other packages' types that are tested in a package.
const maxHanded = 30

// untested holds the packages of the standard library whose interfaces are not tested. Their methods
// have preconditions that only the library's own calls satisfy, or run no code of the module.
var untested = map[string]bool{"sort": true, "container/heap": true, "context": true, "reflect": true}

// addHanded adds the exported methods of interfaces of other packages whose values exported functions of
// the package return, and of the types of the module that these methods return, as targets: a user of
// the package calls them, and what runs may be code of the package that has no exported name.
func (b *Builder) addHanded() {
	var results []types.Type
	add := func(sig *types.Signature) {
		if sig.TypeParams().Len() == 0 && sig.RecvTypeParams().Len() == 0 {
			for v := range sig.Results().Variables() {
				results = append(results, v.Type())
			}
		}
	}
	scope := b.Pkg.Types.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Func:
			add(o.Type().(*types.Signature))
		case *types.TypeName:
			if named, ok := o.Type().(*types.Named); ok && !o.IsAlias() {
				for m := range named.Methods() {
					if m.Exported() {
						add(m.Type().(*types.Signature))
					}
				}
			}
		}
	}
	own := len(results) // what follows comes from methods of interfaces
	for i := 0; i < len(results) && len(b.handed) < maxHanded; i++ {
		t := types.Unalias(results[i])
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		if ok && b.isHanded(named, i < own) {
			for _, sig := range b.addHandedMethods(named) {
				add(sig)
			}
		}
	}
}

// isHanded reports whether the methods of a type are to be tested though it belongs to another package. direct
// reports whether functions of the package return its values.
func (b *Builder) isHanded(named *types.Named, direct bool) bool {
	pkg := named.Obj().Pkg()
	if pkg == nil || pkg == b.Pkg.Types || b.done[Key(named)+" methods"] || named.TypeArgs().Len() > 0 ||
		!b.File.Nameable(named) {
		return false
	}
	if b.Prog.Package(pkg.Path()) != nil {
		return types.IsInterface(named) || !direct
	}
	return types.IsInterface(named) && symbol.MayBeStandard(pkg.Path()) &&
		!Uncallable[pkg.Path()] && !untested[pkg.Path()]
}

// addHandedMethods adds the exported methods of a type as targets and returns their signatures.
func (b *Builder) addHandedMethods(named *types.Named) (added []*types.Signature) {
	b.done[Key(named)+" methods"] = true
	if u, ok := named.Underlying().(*types.Interface); ok {
		if !u.IsMethodSet() {
			return nil
		}
		for m := range u.Methods() {
			if m.Exported() && len(b.handed) < maxHanded {
				b.handed[m] = true
				b.addTarget(m, named, withoutReceiver(m.Type().(*types.Signature)))
				added = append(added, m.Type().(*types.Signature))
			}
		}
		return added
	}
	for m := range named.Methods() {
		if m.Exported() && len(b.handed) < maxHanded {
			b.handed[m] = true
			sig := m.Type().(*types.Signature)
			b.addTarget(m, sig.Recv().Type(), withoutReceiver(sig))
			added = append(added, sig)
		}
	}
	return added
}
