package finding

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/lower"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// maxBranches is the number of conditions, the last ones before the panic, that a warning lists.
const maxBranches = 12

// Warning returns the warning of a finding in the function r. pos writes positions. preconditions
// reports whether entry invariants of r were assumed. The id is left empty.
func (f *Finding) Warning(
	pos func(token.Pos) string, w *lower.World, r *lower.Root, preconditions bool,
) schemas.Warning {
	out := schemas.Warning{
		Kind: f.Kind, Func: r.Func.Name, Pos: pos(f.Pos), Message: f.Message,
		Status: schemas.Unknown, Path: f.path(pos), Assumed: f.assumed(), Preconditions: preconditions,
		Recovered: f.Recovered,
		Param:     f.parameter(r),
	}
	// It is not known who calls a function literal, and with which arguments.
	if r.Func.Literal && len(r.Params) > 0 {
		f.dependsOn = append(f.dependsOn, "who calls the function literal, and with what")
	}
	if f.Model != nil {
		out.Status = schemas.Sat
		out.Counterexample = f.counterexample(w, r)
		slices.Sort(f.dependsOn)
		if out.DependsOn = slices.Compact(f.dependsOn); len(out.DependsOn) > 0 {
			out.Status = schemas.Free
		}
		out.Counterexample.Wait = slices.ContainsFunc(f.Calls, func(c vcgen.Call) bool { return c.Go })
	}
	return out
}

// path returns the way to the panic through the source: conditions that were decided, and calls.
func (f *Finding) path(pos func(token.Pos) string) []schemas.Step {
	out := []schemas.Step{}
	skip := len(f.Branches) - maxBranches
	depth := 0
	enter := func(to int) { // the calls up to that depth
		for ; depth < to && depth < len(f.Calls); depth++ {
			if call := f.Calls[depth]; call.Pos.IsValid() {
				verb := schemas.StepCalls
				switch {
				case call.Go:
					verb = schemas.StepStarts
				case call.Callback:
					verb = schemas.StepOffers
				}
				out = append(out, schemas.Step{Pos: pos(call.Pos), Note: verb + call.Callee})
			}
		}
	}
	for i, b := range f.Branches {
		enter(b.Depth)
		if i < skip {
			continue
		}
		note := b.Text + " is true"
		if !b.Holds {
			note = b.Text + " is false"
		}
		out = append(out, schemas.Step{Pos: pos(b.Pos), Note: note})
	}
	enter(len(f.Calls))
	return out
}

// assumed returns the ids of the invariants used, each once, I2 before I10.
func (f *Finding) assumed() []string {
	out := append([]string{}, f.Used...)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return slices.Compact(out)
}

// parameter returns the name of the parameter that is dereferenced itself; "" if none is.
func (f *Finding) parameter(r *lower.Root) string {
	name := ""
	for _, param := range r.Params {
		switch param.Type.Underlying().(type) {
		case *types.Struct, *types.Signature: // calling a nil function dereferences no argument
			continue
		}
		if f.Input != nil && len(param.Vars) > 0 && param.Vars[0] == f.Input {
			name = param.Name
		}
	}
	return name
}
