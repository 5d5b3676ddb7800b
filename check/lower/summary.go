package lower

import (
	"go/types"
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
)

// summaries holds facts about lowered functions that the next pass asks for repeatedly.
type summaries struct {
	live map[*ir.Func][][]bool
	// effects and callees are by the key of the function.
	effects map[string][]*logic.Var
	callees map[string][]string
	// methodCalls are the calls of methods of interfaces, by method, signature and interface.
	methodCalls map[string]*methodCall
}

// Callees returns the keys of the functions that the function with that key may call, as far as
// calls name them, and of the closures that it makes.
func (s *summaries) Callees(key string) []string { return s.callees[key] }

// Live returns the result of f.Live, which was computed once.
func (s *summaries) Live(f *ir.Func) [][]bool { return s.live[f] }

// Effects returns the memories that the function with that key and its callees may write. It is nil
// if the function has no body.
func (s *summaries) Effects(key string) []*logic.Var { return s.effects[key] }

// summarize computes the summaries, and the package-level variables that functions may read.
func (w *World) summarize() {
	w.live, w.methodCalls = map[*ir.Func][][]bool{}, map[string]*methodCall{}
	keys := make([]string, 0, len(w.funcs))
	for k, f := range w.funcs {
		keys = append(keys, k)
		w.live[f] = f.Live()
	}
	sort.Strings(keys)
	w.callees = map[string][]string{}
	for _, k := range keys {
		w.callees[k] = append(w.callees[k], w.calleesOf(w.funcs[k])...)
		if outer := enclosing(k); outer != "" {
			w.callees[outer] = append(w.callees[outer], k)
		}
	}
	w.computeEffects(keys)
	w.computeReads(keys)
	w.findNotNil()
}

// enclosing returns the key of the function around a function literal or a loop body, or "". The
// function that makes a closure is taken to call it.
func enclosing(key string) string {
	if i := max(strings.LastIndex(key, ".func"), strings.LastIndex(key, "-range")); i > 0 {
		return key[:i]
	}
	return ""
}

// calleesOf returns the functions that f may call, as far as its calls name them: the callees of
// static calls, and the called methods of all dynamic types that implement the interface, each once. Calls of function
// values name none.
func (w *World) calleesOf(f *ir.Func) []string {
	var out []string
	added, seen := map[string]bool{}, map[*methodCall]bool{}
	add := func(keys ...string) {
		for _, k := range keys {
			if !added[k] {
				added[k] = true
				out = append(out, k)
			}
		}
	}
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			call, ok := c.(*ir.Call)
			if !ok {
				continue
			}
			switch {
			case call.Tag != nil:
				if m := w.methodCall(call); !seen[m] {
					seen[m] = true
					add(m.keys...)
				}
			case call.Fn == nil:
				if w.funcs[call.Static] != nil {
					add(call.Static)
				}
			}
		}
	}
	return out
}

// computeEffects computes the least sets with
//
//	effects(f) = the writes of f's own body + effects(g) for each callee g of f
func (w *World) computeEffects(keys []string) {
	w.effects = map[string][]*logic.Var{}
	sets := map[string]callgraph.Set{} // of Var.Index
	for _, k := range keys {
		var set callgraph.Set
		for m := range w.funcs[k].Writes {
			set.Add(m.Index)
		}
		sets[k] = set
	}
	callgraph.Close(keys, w.Callees, sets)
	for _, k := range keys {
		for i := range sets[k].All() {
			w.effects[k] = append(w.effects[k], w.MemoryOrder[i])
		}
	}
}

// findNotNil finds the package-level variables of other modules, such as os.Stdout and io.EOF,
// which are taken not to be nil, and os.Args, which is taken not to be empty. The terms are made here, because functions are checked
// concurrently later.
func (w *World) findNotNil() {
	for _, g := range w.Globals() {
		if w.prog.Package(g.Var.Pkg().Path()) != nil {
			continue
		}
		part := 0 // the scalar that is not zero: the reference, or the length
		switch g.Var.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
		default:
			if g.Var.Pkg().Path() != "os" || g.Var.Name() != "Args" {
				continue
			}
			part = 2
		}
		m := w.Memories(w.typeKey(g.Var.Type()), g.Var.Type())[part]
		obj := w.builder.Const(logic.Obj, uint64(g.Obj))
		slot := w.builder.Const(logic.Slot, 0)
		w.notNil = append(w.notNil,
			externalVar{g.Obj, w.builder.Select(w.builder.Var(m), obj, slot)})
	}
}
