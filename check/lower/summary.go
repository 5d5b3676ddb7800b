package lower

import (
	"go/types"
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
)

// summaries holds facts about lowered functions that the next pass asks for repeatedly.
type summaries struct {
	live map[*ir.Func][][]bool
	// effects and callees are by the key of the function.
	effects map[string][]*logic.Var
	callees map[string][]string
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
	w.live = map[*ir.Func][][]bool{}
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
// static calls, and all methods of the called name. Calls of function values name none.
func (ft *functionTable) calleesOf(f *ir.Func) []string {
	var out []string
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			call, ok := c.(*ir.Call)
			if !ok {
				continue
			}
			switch {
			case call.Tag != nil:
				for tag := 1; tag < len(ft.tagTypes); tag++ {
					k := wrapperKey(ft.typeKey(ft.tagTypes[tag]), call.Method)
					if ft.funcs[k] != nil {
						out = append(out, k)
					}
				}
			case call.Fn == nil:
				if ft.funcs[call.Static] != nil {
					out = append(out, call.Static)
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
	sets := map[string][]bool{} // by Var.Index
	for _, k := range keys {
		sets[k] = make([]bool, len(w.MemoryOrder))
		for m := range w.funcs[k].Writes {
			sets[k][m.Index] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, k := range keys {
			set := sets[k]
			for _, c := range w.callees[k] {
				for i, on := range sets[c] {
					if on && !set[i] {
						set[i] = true
						changed = true
					}
				}
			}
		}
	}
	for _, k := range keys {
		for i, on := range sets[k] {
			if on {
				w.effects[k] = append(w.effects[k], w.MemoryOrder[i])
			}
		}
	}
}

// computeReads computes, for each function, the objects of the package-level variables that it or
// its callees mention.
func (w *World) computeReads(keys []string) {
	isGlobal := map[uint32]bool{}
	for _, o := range w.globals {
		isGlobal[o] = true
	}
	w.mayRead = map[string]map[uint32]bool{}
	for _, k := range keys {
		w.mayRead[k] = mentionedObjects(w.funcs[k], isGlobal)
	}
	for changed := true; changed; {
		changed = false
		for _, k := range keys {
			for _, c := range w.callees[k] {
				for o := range w.mayRead[c] {
					if !w.mayRead[k][o] {
						w.mayRead[k][o] = true
						changed = true
					}
				}
			}
		}
	}
}

// mentionedObjects returns the constant objects in the terms of f for which want is true.
func mentionedObjects(f *ir.Func, want map[uint32]bool) map[uint32]bool {
	out := map[uint32]bool{}
	seen := map[*logic.Term]bool{}
	var visit func(t *logic.Term)
	visit = func(t *logic.Term) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		if v, ok := t.Const(); ok && t.Sort == logic.Obj && want[uint32(v)] {
			out[uint32(v)] = true
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			for _, t := range ir.Terms(c) {
				visit(t)
			}
		}
		if br, ok := b.End.(ir.Branch); ok {
			visit(br.Cond)
		}
	}
	return out
}

// findNotNil finds the package-level variables of other modules, such as os.Stdout and io.EOF,
// which are taken not to be nil. The terms are made here, because functions are checked
// concurrently later.
func (w *World) findNotNil() {
	for _, g := range w.Globals() {
		if w.prog.Package(g.Var.Pkg().Path()) != nil {
			continue
		}
		switch g.Var.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface, *types.Map, *types.Signature:
			m := w.Memories(w.typeKey(g.Var.Type()), g.Var.Type())[0]
			obj := w.builder.Const(logic.Obj, uint64(g.Obj))
			slot := w.builder.Const(logic.Slot, 0)
			place := w.builder.Select(w.builder.Var(m), obj, slot)
			w.notNil = append(w.notNil, externalVar{g.Obj, place})
		}
	}
}
