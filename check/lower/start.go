package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// addStart adds an initializer to those of a program's start; addInitial has queued that of constant
// variables.
func (w *World) addStart(pkg *source.Package, vars []*types.Var, e ast.Expr, constant bool) {
	if !w.hasStart {
		return
	}
	key := initialKey(pkg, vars)
	if !constant {
		key = fmt.Sprintf("<start>%s.%d", pkg.Path, len(w.starts))
		w.enqueueInitial(pkg, key, vars, e)
	}
	in := initializer{key: key, pkg: pkg, vars: vars}
	if f := w.roots[e]; f != nil {
		in.root = w.Key(f.Obj, nil)
	}
	w.starts = append(w.starts, in)
}

// addZeros adds the zero values of the variables of a package to a program's start.
func (w *World) addZeros(pkg *source.Package) {
	if !w.hasStart {
		return
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok {
			w.addStart(pkg, []*types.Var{v}, nil, false)
		}
	}
}

// addStartInit adds an init function to a program's start.
func (w *World) addStartInit(pkg *source.Package, decl *ast.FuncDecl) {
	if !w.hasStart {
		return
	}
	f := w.funcLits[decl.Body]
	key, _ := w.need(f.Obj, nil)
	w.starts = append(w.starts, initializer{key: key, pkg: pkg, root: key})
}

// start returns the package of a program's main function or of an init function, and the starts before
// it; nil for other functions.
func (w *World) start(key string) (*source.Package, []initializer) {
	for i, in := range w.starts {
		if in.root == key {
			return in.pkg, w.starts[:i]
		}
	}
	path, ok := strings.CutSuffix(key, ".main")
	if !ok {
		return nil, nil
	}
	if pkg := w.prog.Package(path); pkg != nil && pkg.Name == "main" {
		return pkg, w.starts
	}
	return nil, nil
}

// startKeys returns the keys of the functions that run before the function with that key, which starts
// in pkg: of all that came before, those that its package imports. Before main that is all of them;
// before others only those that can change what they read, so that the cost does not grow with the
// square of the number of initializers.
func (w *World) startKeys(key string, pkg *source.Package, before []initializer) []string {
	imported := dependencies(pkg.Types)
	var list []initializer
	for _, in := range before {
		if f := w.funcs[in.key]; f != nil && f.Unsupported == "" && imported[in.pkg.Types] {
			list = append(list, in)
		}
	}
	needed := make([]bool, len(list))
	if strings.HasSuffix(key, ".main") {
		for i := range needed {
			needed[i] = true
		}
	}
	read := slices.Clone(w.mayRead(key))
	for changed := !strings.HasSuffix(key, ".main"); changed; {
		changed = false
		for i := len(list) - 1; i >= 0; i-- {
			if !needed[i] && w.mayChange(list[i], read) {
				needed[i], changed = true, true
				read.Union(w.mayRead(list[i].key))
			}
		}
	}
	var keys []string
	for i, in := range list {
		if needed[i] {
			keys = append(keys, in.key)
		}
	}
	return keys
}

// mayChange reports whether an initializer or init function may change one of the package-level
// variables of a set, or what one refers to. One that calls no function of the testee changes only the
// variables that it is for.
func (w *World) mayChange(in initializer, vars callgraph.Set) bool {
	for _, v := range in.vars {
		if o, ok := w.globals[v]; ok {
			if i, ok := slices.BinarySearch(w.globalObjs, o); ok && vars.Has(i) {
				return true
			}
		}
	}
	calls := len(in.vars) == 0 || slices.ContainsFunc(w.callees[in.key], func(key string) bool {
		return ir.OriginOf(key) != ir.FromModel
	})
	return calls && w.mayRead(in.key).Meets(vars)
}

// dependencies returns the types of a package and of those that it imports, also indirectly.
func dependencies(pkg *types.Package) map[*types.Package]bool {
	out := map[*types.Package]bool{}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if !out[p] {
			out[p] = true
			for _, q := range p.Imports() {
				add(q)
			}
		}
	}
	add(pkg)
	return out
}
