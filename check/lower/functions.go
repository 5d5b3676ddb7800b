package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"dsd/check/ir"
	"dsd/internal/source"
)

// A functionTable holds the lowered functions by key, the worklist of functions that are still to
// be lowered, and the identities of functions as values.
type functionTable struct {
	*typeTable

	// decls maps a declared function or model to its syntax.
	decls map[*types.Func]*source.Func
	// unnamed are the initializers that may panic, the init functions and the function literals that
	// are lowered like declared functions; see source.Package.Initializers and Literals. funcLits maps
	// the bodies of the latter two to them.
	unnamed  map[*source.Package][]*source.Func
	funcLits map[*ast.BlockStmt]*source.Func
	// litNumbers are the numbers of function literals in their names.
	litNumbers map[*source.Package]map[*ast.FuncLit]int
	funcs      map[string]*ir.Func
	// queue is the worklist. queued holds the keys of all functions that ever were in it, and
	// of function literals, which are lowered with the function around them.
	queue  []pending
	queued map[string]bool
	closed bool // no function can be added
	// fnIDs numbers the keys of functions: their identities as values. Identity 0 is that of a nil
	// function.
	fnIDs *numbering
	// instantiated has the type arguments of the first instance of each generic function that another
	// function needs.
	instantiated map[*types.Func][]types.Type
	// recoveringMethods has the names of the testee's methods that call recover, and recoveringValues
	// reports whether a function that does is used as a value. makesChannels reports whether any
	// function of the testee makes a channel.
	recoveringMethods               map[string]bool
	recoveringValues, makesChannels bool
	// methodNames are the names of the methods that are called through interfaces.
	methodNames map[string]bool
	// methodSigs maps the key of a wrapper of a method to the key of the method's signature.
	methodSigs map[string]string
}

// Unnamed returns the initializers of a package that may panic, its init functions, and the function
// literals that are lowered like declared functions.
func (ft *functionTable) Unnamed(pkg *source.Package) []*source.Func { return ft.unnamed[pkg] }

// litNumber returns the number of a function literal of pkg in its name.
func (ft *functionTable) litNumber(pkg *source.Package, lit *ast.FuncLit) int {
	if ft.litNumbers[pkg] == nil { // of models
		_, ft.litNumbers[pkg] = pkg.Literals()
	}
	return ft.litNumbers[pkg][lit]
}

// newFunctionTable returns a table without functions.
func newFunctionTable(tt *typeTable) *functionTable {
	return &functionTable{
		typeTable:   tt,
		decls:       map[*types.Func]*source.Func{},
		unnamed:     map[*source.Package][]*source.Func{},
		funcLits:    map[*ast.BlockStmt]*source.Func{},
		litNumbers:  map[*source.Package]map[*ast.FuncLit]int{},
		funcs:       map[string]*ir.Func{},
		queued:      map[string]bool{},
		fnIDs:       newNumbering(maxFnID),
		methodNames: map[string]bool{},
		methodSigs:  map[string]string{},

		instantiated:      map[*types.Func][]types.Type{},
		recoveringMethods: map[string]bool{},
	}
}

// A pending function is in the worklist: an instance of a declared function, or a wrapper.
type pending struct {
	key  string
	f    *source.Func
	m    instance
	make func() *ir.Func // of a wrapper, else nil
}

// Key returns the key of an instance of a function: its name in stack traces and, in braces, the
// type arguments.
func (ft *functionTable) Key(f *types.Func, args []types.Type) string {
	k := source.FuncName(f)
	if len(args) > 0 {
		var names []string
		for _, a := range args {
			names = append(names, ft.typeKey(a))
		}
		k += "{" + strings.Join(names, ", ") + "}"
	}
	return k
}

// need queues the instance of a function for lowering and returns its key. ok reports whether the
// function has a body, its own or that of a model.
func (w *World) need(f *types.Func, args []types.Type) (key string, ok bool) {
	f = f.Origin()
	if len(args) > 0 && w.instantiated[f] == nil {
		w.instantiated[f] = args
	}
	key = w.Key(f, args)
	src := w.decls[f]
	if src == nil {
		if src = w.modelOf(f); src == nil {
			return key, false
		}
	}
	w.enqueue(pending{key: key, f: src, m: bindings(src.Obj, args)})
	return key, true
}

// enqueue appends a function to the worklist, unless it ever was there.
func (ft *functionTable) enqueue(p pending) {
	if ft.queued[p.key] {
		return
	}
	if ft.closed {
		panic("lower: " + p.key + " was not lowered before Close")
	}
	ft.queued[p.key] = true
	ft.queue = append(ft.queue, p)
}

// addLowered adds a function that was lowered together with the function around it.
func (ft *functionTable) addLowered(key string, f *ir.Func) {
	ft.funcs[key] = f
	ft.queued[key] = true
}

// drain lowers functions until the worklist is empty.
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

// fnID returns the identity of the function as a value.
func (ft *functionTable) fnID(key string) uint32 {
	id, _ := ft.fnIDs.number(key)
	return id
}

// maxFnID is the largest identity of a function.
const maxFnID = 1<<31 - 1

// Func returns the lowered function with that key, or nil if it has no body.
func (ft *functionTable) Func(key string) *ir.Func { return ft.funcs[key] }

// FuncValue returns the key of the function with that identity, or "" if there is none.
func (ft *functionTable) FuncValue(id uint32) string { return ft.fnIDs.names[id] }

// Method returns the key of the wrapper that calls the named method on the dynamic type with that tag, or
// "" if there is none. sig is the key of the method's signature, see ir.Call.
func (ft *functionTable) Method(tag uint32, name, sig string) string {
	t := ft.tagKey(tag) // not typeKey: it may be called concurrently
	if t == "" {
		return ""
	}
	key := wrapperKey(t, name)
	if ft.funcs[key] == nil || ft.methodSigs[key] != sig {
		return ""
	}
	return key
}

// wrapperKey returns the key of the wrapper that calls a method of the type with key t.
func wrapperKey(t, method string) string { return "<" + t + ">." + method }
