package lower

import (
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
)

// summaries are facts about lowered functions that the passes after this one ask for repeatedly.
type summaries struct {
	live map[*ir.Func][][]bool
	// effects and callees are by the key of the function.
	effects map[string][]*logic.Var
	callees map[string][]string
}

// finish computes what is asked of finished functions again and again: their live variables, and what they may write
// together with all that they call.
func (w *World) finish() {
	w.live = map[*ir.Func][][]bool{}
	w.effects = map[string][]*logic.Var{}
	keys := make([]string, 0, len(w.funcs))
	for k, f := range w.funcs {
		keys = append(keys, k)
		w.live[f] = f.Live()
	}
	sort.Strings(keys)
	sets := map[string]callgraph.Set{}
	callees := map[string][]string{}
	for _, k := range keys {
		f := w.funcs[k]
		var set callgraph.Set
		for m := range f.Writes {
			set.Add(m.Index)
		}
		sets[k] = set
		callees[k] = append(callees[k], w.calleesOf(f)...)
		if i := max(strings.LastIndex(k, ".func"), strings.LastIndex(k, "-range")); i > 0 { // who makes a closure may call it
			callees[k[:i]] = append(callees[k[:i]], k)
		}
	}
	w.callees = callees
	w.computeReads(keys, callees)
	callgraph.Close(keys, func(k string) []string { return callees[k] }, sets)
	for _, k := range keys {
		for i := range sets[k].All() {
			w.effects[k] = append(w.effects[k], w.MemoryOrder[i])
		}
	}
}

// calleesOf lists the functions that f may call, as far as calls name them: by static calls, by the methods' names, and
// by the closures that it makes (which are named after it).
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
					if k := wrapperKey(ft.typeKey(ft.tagTypes[tag]), call.Method); ft.funcs[k] != nil {
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

// Callees are the functions that the one named key may call, as far as calls name them, and the closures that it makes.
func (s *summaries) Callees(key string) []string { return s.callees[key] }

// Live is f.Live, remembered.
func (s *summaries) Live(f *ir.Func) [][]bool { return s.live[f] }

// Effects are the memories that the function named key, and what it calls, may write; nil if it has no body here.
func (s *summaries) Effects(key string) []*logic.Var { return s.effects[key] }
