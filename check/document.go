package check

import (
	"context"
	"fmt"
	"go/types"
	"sort"

	"dsd/check/lower"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// document puts the results together, in an order that depends on the testee alone.
func (c *checker) document(ctx context.Context, results []*result) *schemas.Warnings {
	doc := &schemas.Warnings{
		Header:   schemas.Header{Module: schemas.Module{Path: c.prog.Module, Go: c.prog.GoVersion}, Incomplete: ctx.Err() != nil},
		Assumed:  c.opt.Assume != nil,
		Warnings: []schemas.Warning{}, Skipped: []schemas.Skipped{}, Bounded: []schemas.Skipped{},
	}
	for i, res := range results {
		r := c.roots[i]
		if res == nil {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: r.Func.Name, Reason: "interrupted"})
			continue
		}
		if res.err != nil {
			doc.Skipped = append(doc.Skipped, schemas.Skipped{Func: r.Func.Name, Reason: res.err.Error()})
			continue
		}
		doc.Functions++
		for _, b := range res.bounded {
			doc.Bounded = append(doc.Bounded, schemas.Skipped{Func: r.Func.Name, Reason: b})
		}
		st := &doc.Stats
		st.Assertions += res.stats.Assertions
		st.Folded += res.stats.Folded
		st.Queries += res.stats.Queries
		st.Unsat += res.stats.Unsat
		st.Sat += res.stats.Sat
		st.Unknown += res.stats.Unknown
		st.Guessed += res.stats.Guessed
		for _, f := range res.warnings {
			doc.Warnings = append(doc.Warnings, c.warning(r, res, f))
		}
	}
	sort.SliceStable(doc.Warnings, func(i, j int) bool {
		a, b := &doc.Warnings[i], &doc.Warnings[j]
		if a.Pos != b.Pos {
			return symbol.PosLess(a.Pos, b.Pos)
		}
		return a.Func < b.Func
	})
	for i := range doc.Warnings {
		doc.Warnings[i].ID = fmt.Sprintf("W%d", i+1)
	}
	byName := func(l []schemas.Skipped) func(i, j int) bool {
		return func(i, j int) bool { return l[i].Func < l[j].Func }
	}
	sort.SliceStable(doc.Skipped, byName(doc.Skipped))
	sort.SliceStable(doc.Bounded, byName(doc.Bounded))
	return doc
}

// maxBranches is how many of the last conditions on the way to a panic a warning tells.
const maxBranches = 12

// path is the way to a panic through the source: the conditions that were decided, and the calls.
func (c *checker) path(f *found) []schemas.Step {
	var out []schemas.Step
	skip := len(f.branches) - maxBranches
	depth := 0
	enter := func(to int) {
		for ; depth < to && depth < len(f.calls); depth++ {
			if call := f.calls[depth]; call.Pos.IsValid() {
				out = append(out, schemas.Step{Pos: c.prog.Pos(call.Pos), Note: "calls " + call.Callee})
			}
		}
	}
	for i, b := range f.branches {
		enter(b.Depth)
		if i >= skip {
			note := b.Text + " is true"
			if !b.Holds {
				note = b.Text + " is false"
			}
			out = append(out, schemas.Step{Pos: c.prog.Pos(b.Pos), Note: note})
		}
	}
	enter(len(f.calls))
	return out
}

func (c *checker) warning(r *lower.Root, res *result, f *found) schemas.Warning {
	w := schemas.Warning{
		Kind: f.kind, Func: r.Func.Name, Pos: c.prog.Pos(f.pos), Message: f.message, Status: schemas.Unknown,
		Path: []schemas.Step{}, Assumed: []string{}, Preconditions: res.pre,
	}
	w.Path = append(w.Path, c.path(f)...)
	seen := map[string]bool{}
	for _, id := range f.used {
		if !seen[id] {
			seen[id] = true
			w.Assumed = append(w.Assumed, id)
		}
	}
	sort.Slice(w.Assumed, func(i, j int) bool {
		if len(w.Assumed[i]) != len(w.Assumed[j]) {
			return len(w.Assumed[i]) < len(w.Assumed[j])
		}
		return w.Assumed[i] < w.Assumed[j]
	})
	if f.ptr != nil {
		for _, param := range r.Params {
			switch param.Type.Underlying().(type) {
			case *types.Struct, *types.Signature: // calling a nil function is no dereference of an argument
				continue
			}
			if len(param.Vars) > 0 && param.Vars[0] == f.ptr {
				w.Param = param.Name
			}
		}
	}
	if f.model != nil {
		w.Status = schemas.Sat
		w.Counterexample = c.counterexample(r, f)
	}
	return w
}
