package instrument

import (
	"fmt"
	"go/types"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// commonPoint returns the fields that the points of a function have in common.
func commonPoint(name string, sig *types.Signature, outs []output) schemas.TracePoint {
	p := schemas.TracePoint{Func: name}
	if r := sig.Recv(); r != nil && r.Name() != "_" {
		p.Receiver = r.Name()
	}
	if n := sig.Params().Len(); n > 0 {
		p.Params = make([]string, n)
	}
	for _, o := range outs {
		p.Results = append(p.Results, o.name)
	}
	return p
}

// focus is what to observe in a function, as its source shows.
type focus struct {
	scope      *types.Scope // of the names that the inserted code may use
	relevant   func(*types.Var) bool
	conditions []expr.Expr
	capped     map[string]bool
	keys       [][2]input // maps and keys
}

// observe adds an entry, an exit and a panic point to the result, and returns the statements that
// report on them:
//
//	_dsd_h := _dsd_rt.Enter(entry);
//
//	_dsd_ok := false; [copies of inputs];
//	if _dsd_h.On() { [inputs] _dsd_h.Entry() };
//	defer func() {
//		if _dsd_h.Returning(_dsd_ok) { [inputs and globals again] [results] _dsd_h.Exit() }
//	}();
//
// The argument point has what the points have in common.
func (w *rewriter) observe(
	point schemas.TracePoint, f focus, ins []input, globals []*types.Var, outs []output,
) (enter, rest string) {
	newObserver := func(temp int, relevant func(*types.Var) bool) *observer {
		return &observer{
			pkg: w.pkg.Types, scope: f.scope, h: hName, depth: w.depth,
			relevant: relevant, capped: f.capped, temp: temp, share: w.share,
		}
	}

	entry := newObserver(0, f.relevant)
	for _, p := range ins {
		entry.input(p, p.ident, f.relevant)
	}
	for _, g := range globals {
		entry.value(g.Name(), g.Name(), g.Type(), origin{shared: true})
	}
	for _, k := range f.keys {
		entry.key(k[0], k[1])
	}

	// At the exit, inputs are observed again where a callee can change what its caller sees:
	// memory behind references, and package-level variables.
	again := newObserver(entry.temp, f.relevant)
	var copies strings.Builder
	for i, p := range ins {
		if !leadsToMemory(p.typ) {
			continue
		}
		c := fmt.Sprintf("_dsd_a%d", i)
		fmt.Fprintf(&copies, "%s := %s; _ = %s; ", c, p.ident, c)
		again.input(p, c, f.relevant)
	}
	for _, g := range globals {
		again.value(g.Name(), g.Name(), g.Type(), origin{shared: true})
	}

	exit := newObserver(again.temp, nil)
	for _, o := range outs {
		exit.value(o.name, o.ident, o.typ, origin{})
	}

	isGlobal := map[string]bool{}
	for _, g := range globals {
		isGlobal[g.Name()] = true
	}
	mayChange := func(v schemas.TraceVar) bool {
		return v.Pointer != "" || isGlobal[rootOf(v.Name)] || isSharedSequence(v)
	}
	exitVars, mask := exitVars(entry.vars, again.vars, exit.vars, mayChange)
	number := len(w.res.Points)
	w.addPoints(point, f.conditions, entry.vars, exitVars, mayChange)

	second := ""
	if again.code.Len() > 0 {
		second = fmt.Sprintf("%[1]s.Keep(%[2]q); %[3]s%[1]s.KeepAll(); ",
			hName, mask, again.code.String())
	}
	enter = fmt.Sprintf(" %s := %s.Enter(%d);", hName, rtName, number)
	rest = fmt.Sprintf(" %[2]s := false; %[3]sif %[1]s.On() { %[4]s%[1]s.Entry() };"+
		" defer func() { if %[1]s.Returning(%[2]s) { %[5]s%[6]s%[1]s.Exit() } }();",
		hName, okName, copies.String(), entry.code.String(), second, exit.code.String())
	return enter, rest
}

// exitVars returns the variables of an exit point: those of the entry, as old values if they may
// change; those that may have changed, as they are at the exit; and the results. The mask tells
// which of the values that are observed again are kept, for Handle.Keep: those that cannot have
// changed are not, and have no column.
func exitVars(
	entry, again, results []schemas.TraceVar, mayChange func(schemas.TraceVar) bool,
) (vars []schemas.TraceVar, mask string) {
	vars = []schemas.TraceVar{}
	for _, v := range entry {
		if mayChange(v) {
			v.Name = expr.OldName(v.Name)
		}
		vars = append(vars, v)
	}
	for _, v := range again {
		if mayChange(v) {
			vars = append(vars, v)
			mask += "1"
		} else {
			mask += "0"
		}
	}
	for _, v := range results {
		v.Result = true
		vars = append(vars, v)
	}
	return vars, mask
}

// addPoints adds the entry, exit and panic points of a function, in this order.
func (w *rewriter) addPoints(
	point schemas.TracePoint, conditions []expr.Expr,
	entryVars, exitVars []schemas.TraceVar, mayChange func(schemas.TraceVar) bool,
) {
	before, after := splitters(conditions, entryVars, mayChange)
	if entryVars == nil {
		entryVars = []schemas.TraceVar{}
	}
	point.At, point.Vars, point.Conditions = schemas.AtEntry, entryVars, before
	w.res.Points = append(w.res.Points, point)
	point.At, point.Vars, point.Conditions = schemas.AtExit, exitVars, after
	w.res.Points = append(w.res.Points, point)
	point.At, point.Vars, point.Conditions = schemas.AtPanic, entryVars, before
	w.res.Points = append(w.res.Points, point)
}

// rootOf returns the variable at the start of a path: c of len(c.items).
func rootOf(name string) string {
	name = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(name, "len("), "cap("), "*")
	if i := strings.IndexAny(name, ".)"); i >= 0 {
		name = name[:i]
	}
	return name
}

// leadsToMemory reports whether a value of type t refers to other memory that is observed.
func leadsToMemory(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Slice:
		return sequenceOf(u.Elem()) != ""
	case *types.Chan:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			switch f := u.Field(i).Type().Underlying().(type) {
			case *types.Pointer, *types.Chan:
				return true
			case *types.Slice:
				if sequenceOf(f.Elem()) != "" {
					return true
				}
			}
		}
	}
	return false
}
