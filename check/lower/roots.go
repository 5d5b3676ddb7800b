package lower

import (
	"go/types"
	"sort"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
	"dsd/internal/source"
)

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
	if reason := w.funcs[r.Key].Opaque; reason != "" {
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
	w.mentions(keys, callees)
	callgraph.Close(keys, func(k string) []string { return callees[k] }, sets)
	for _, k := range keys {
		for i := range sets[k].All() {
			w.effects[k] = append(w.effects[k], w.MemoryOrder[i])
		}
	}
}

// calleesOf lists the functions that f may call, as far as calls name them: by static calls, by the methods' names, and
// by the closures that it makes (which are named after it).
func (w *World) calleesOf(f *ir.Func) []string {
	var out []string
	for _, b := range f.Blocks {
		for _, c := range b.Cmds {
			call, ok := c.(*ir.Call)
			if !ok {
				continue
			}
			switch {
			case call.Tag != nil:
				for tag := 1; tag < len(w.tagTypes); tag++ {
					if k := wrapperKey(w.typeKey(w.tagTypes[tag]), call.Method); w.funcs[k] != nil {
						out = append(out, k)
					}
				}
			case call.Fn == nil:
				if w.funcs[call.Static] != nil {
					out = append(out, call.Static)
				}
			}
		}
	}
	return out
}

// Callees are the functions that the one named key may call, as far as calls name them, and the closures that it makes.
func (w *World) Callees(key string) []string { return w.callees[key] }

// Live is f.Live, remembered.
func (w *World) Live(f *ir.Func) [][]bool { return w.live[f] }

// Effects are the memories that the function named key, and what it calls, may write; nil if it has no body here.
func (w *World) Effects(key string) []*logic.Var { return w.effects[key] }

// Bindings maps the type parameters of a function (or of its receiver) to type arguments.
func (w *World) Bindings(f *types.Func, args []types.Type) map[*types.TypeParam]types.Type {
	return bindings(f, args)
}

// BoxClass overrides, for a type that is neither struct nor array, the memory class of its values inside interfaces.
func (w *World) BoxClass(t types.Type) string {
	if isLeaf(t) {
		return "box " + w.typeKey(t)
	}
	return ""
}

// FieldClass overrides the memory class of a field that is neither struct nor array.
func (w *World) FieldClass(t types.Type, f *types.Var) string {
	if isLeaf(f.Type()) {
		return w.fieldClass(t, f)
	}
	return ""
}

// Contents are the memories that hold the parts of values of type t.
func (w *World) Contents(t types.Type) []*logic.Var {
	seen := map[*logic.Var]bool{}
	var out []*logic.Var
	for _, leaf := range w.elemLayout(t) {
		m := w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		if !seen[m] {
			seen[m] = true
			out = append(out, m)
		}
	}
	return out
}
