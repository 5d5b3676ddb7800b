package confirm

import (
	"go/types"
	"slices"

	"dsd/crash/candidate/instrument"
	"dsd/crash/search/goal"
	"dsd/crash/verify"
	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// callers are, by function, the functions that call it or pass it on.
type callers map[*types.Func][]*source.Func

// callersOf returns the callers of the functions of a graph.
func callersOf(g *callgraph.Graph) callers {
	out := callers{}
	for _, f := range g.Funcs {
		for _, e := range g.Edges(f.Obj) {
			callees := []*types.Func{e.Callee}
			if !g.Has(e.Callee) {
				callees = g.Methods(e.Callee.Name())
			}
			for _, m := range callees {
				m = m.Origin()
				if !slices.Contains(out[m], f) {
					out[m] = append(out[m], f)
				}
			}
		}
	}
	return out
}

// maxAnyCallers is the number of exported functions that are tried where no call is known that leads
// to the warned function.
const maxAnyCallers = 30

// goal returns the warned crash as a goal of the search: the way from the panic to the warned
// function and, if that is not exported, on to the nearest exported function that leads there.
func (c *confirmer) goal(t *target, callers callers) goal.Goal {
	w := t.warning
	g := goal.Goal{
		Func: t.fn.Obj, Counterexample: w.Counterexample, Kind: w.Kind,
		Line: symbol.Line(w.Pos), Trail: c.trail(w),
	}
	if t.inLiteral {
		g.Counterexample = nil
	}
	for _, s := range callers.leading(t.fn) {
		if !s.fn.Obj.Exported() {
			continue
		}
		if len(g.Callers) == 0 && !t.fn.Obj.Exported() {
			var outer []instrument.TargetFrame
			for at := s; at.to != nil; at = at.to {
				outer = append(outer, instrument.TargetFrame{Func: at.fn})
			}
			slices.Reverse(outer)
			g.Trail = append(g.Trail, outer...)
		}
		g.Callers = append(g.Callers, s.fn.Obj)
	}
	if len(g.Callers) == 0 && !t.fn.Obj.Exported() { // called through a table of functions, say
		for _, f := range t.fn.Pkg.Funcs() {
			if f.Obj.Exported() && len(g.Callers) < maxAnyCallers {
				g.Callers = append(g.Callers, f.Obj)
			}
		}
	}
	return g
}

// trail returns the frames from the panic of a warning to the warned function, as far as these are
// functions of the testee.
func (c *confirmer) trail(w *schemas.Warning) (out []instrument.TargetFrame) {
	name := w.Func
	add := func(pos string) {
		fn, literal := verify.Enclosing(c.funcs, name)
		line := symbol.ParsePos(pos).Line
		f := instrument.TargetFrame{Func: fn, InLiteral: literal, Line: line}
		if fn != nil && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, s := range w.Path {
		if callee := s.Callee(); callee != "" {
			add(s.Pos)
			name = callee
		}
	}
	add(w.Pos)
	slices.Reverse(out)
	if len(out) > 0 {
		out[0].Kind = w.Kind
	}
	return out
}

// step is a function from which calls lead to another one.
type step struct {
	fn *source.Func
	to *step // what it calls on the way; nil for the last one
}

// leading returns the functions of f's package, other than f, that lead to f by a few calls, the
// nearest first.
func (c callers) leading(f *source.Func) []*step {
	list := []*step{{fn: f}}
	seen := map[*source.Func]bool{f: true}
	from := 0
	for range maxCallers {
		to := len(list)
		for _, s := range list[from:to] {
			for _, g := range c[s.fn.Obj] {
				if g.Pkg == f.Pkg && !seen[g] {
					seen[g] = true
					list = append(list, &step{fn: g, to: s})
				}
			}
		}
		from = to
	}
	return list[1:]
}
