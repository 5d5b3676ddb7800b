package finding

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// Finding is an obligation that may fail. It does without the obligation's terms, which are large.
type Finding struct {
	Kind    schemas.Kind
	Message string
	Pos     token.Pos
	// Calls lead from the function to the panic, outermost first.
	Calls []vcgen.Call
	// Branches are the conditions that were decided on the way.
	Branches []vcgen.BranchStep
	// Input is what a nil dereference dereferences, if it is an input itself.
	Input *logic.Var
	// Model is the model of the failure, nil if the solver found none.
	Model *logic.Model
	// Recovered reports whether a deferred function may recover the panic.
	Recovered bool
	// Used are the ids of the invariants that the failure rests on, with repetitions.
	Used []string
	// dependsOn says in words what the panic depends on and no caller can choose: a result or a side
	// effect of a call that was not followed, the unexported state of an object of another package,
	// which only calls of that package make, or whether a call happens.
	dependsOn []string

	returned []returned // by calls that were not followed, in order
	received []received // from channels, in order
}

// returned is what a call that was not followed returns under the model.
type returned struct {
	callee  string
	results *types.Tuple
	vars    []*logic.Var
	// from is the input that holds the called function value, the zero input for other calls.
	from input
}

// received is a value received from a channel. ok is false for a channel that is closed and empty.
type received struct {
	obj  uint32
	ok   bool
	elem types.Type
	vars []*logic.Var
}

// input names an input: a variable, or the slot of an object in the memory variable v.
type input struct {
	v    *logic.Var
	obj  uint32
	slot uint64
}

// inputOf returns the input that t is under a model. It is the zero input if t is computed, or nil.
func inputOf(t *logic.Term, m *logic.Model) input {
	for t != nil {
		switch t.Op {
		case logic.OpIte:
			if m.Eval(t.Args[0]) == 1 {
				t = t.Args[1]
			} else {
				t = t.Args[2]
			}
			continue
		case logic.OpVar:
			return input{v: t.Var}
		case logic.OpSelect:
			return input{t.Var, uint32(m.Eval(t.Args[0])), m.Eval(t.Args[1])}
		default:
			return input{}
		}
	}
	return input{}
}

// New returns the finding of an obligation of p. The model is nil if the solver found none.
func New(o *vcgen.Obligation, p *vcgen.Program, model *logic.Model) *Finding {
	f := &Finding{
		Kind: o.Kind, Message: o.Message, Pos: o.Pos, Calls: o.Calls, Branches: o.Branches,
		Model: model, Used: o.Used,
	}
	if o.Ptr != nil && o.Ptr.Op == logic.OpVar {
		f.Input = o.Ptr.Var
	}
	if model == nil {
		return f
	}
	for _, h := range vcgen.Reached(model, p.Havoced[:o.HavocedBefore]) {
		results := h.Sig.Results()
		if h.Chan == nil {
			f.returned = append(f.returned, returned{h.Callee, results, h.Vars, inputOf(h.Fn, model)})
			continue
		}
		ch, ok := uint32(model.Eval(h.Chan)), model.Vars[h.OK] == 1
		f.received = append(f.received, received{ch, ok, results.At(0).Type(), h.Vars})
	}
	f.dependsOn = f.unknowns(o, p)
	if o.Uncertain {
		for _, c := range o.Calls {
			if c.Callback {
				f.dependsOn = append(f.dependsOn, "whether others call "+c.Callee)
			}
		}
		if len(f.dependsOn) == 0 {
			f.dependsOn = []string{"what runs at the same time"}
		}
	}
	return f
}

// unknowns says in words on which variables that no input determines the panic depends. The results of
// a function that is an input itself are inputs, too.
func (f *Finding) unknowns(o *vcgen.Obligation, p *vcgen.Program) []string {
	given := map[*logic.Var]bool{}
	for _, r := range f.returned {
		if r.from.v != nil {
			for _, v := range r.vars {
				given[v] = true
			}
		}
	}
	open := func(v *logic.Var) bool { return p.Invented[v] != "" && !given[v] }
	var out []string
	for v := range f.Model.Depends(append(o.Path[:len(o.Path):len(o.Path)], o.Cond), open, p.Axioms) {
		out = append(out, p.Invented[v])
	}
	return out
}

// Site identifies the warning that an obligation belongs to: its copies in unrolled loops share
// one.
type Site struct {
	kind  schemas.Kind
	pos   token.Pos
	calls string
	// input reports whether an input itself is dereferenced, which tells less than what it
	// leads to.
	input bool
}

// Sure reports whether the inputs alone decide that the panic happens.
func (f *Finding) Sure() bool { return f.Model != nil && len(f.dependsOn) == 0 }

// DependOn adds what the panic depends on, in words.
func (f *Finding) DependOn(what string) { f.dependsOn = append(f.dependsOn, what) }

// Same reports whether both are the same panic after the same calls, whatever is dereferenced.
func (s Site) Same(t Site) bool {
	return s.kind == t.kind && s.pos == t.pos && s.calls == t.calls
}

// SiteOf returns the site of an obligation.
func SiteOf(o *vcgen.Obligation) Site {
	s := Site{kind: o.Kind, pos: o.Pos, input: o.Ptr != nil && o.Ptr.Op == logic.OpVar}
	for _, call := range o.Calls {
		s.calls += fmt.Sprint(call.Pos, " ")
	}
	return s
}
