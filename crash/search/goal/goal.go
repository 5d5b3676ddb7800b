package goal

import (
	"go/types"
	"math"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/candidate/instrument"
	"dsd/crash/search/paramgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Goal is a crash to find: a function, inputs that are expected to crash it, and how it crashes.
type Goal struct {
	Func *types.Func
	// Counterexample is nil if no inputs are known.
	Counterexample *schemas.Counterexample
	// Callers are functions whose calls may lead to Func, the nearest first.
	Callers []*types.Func
	// Trail are the frames from the panic outwards, to Func or to one of Callers.
	Trail []instrument.TargetFrame
	// Kind is the kind of the panic.
	Kind schemas.Kind
	// Line is where it panics, "file:line".
	Line string
}

// ReachedBy reports whether a panic with these frames, innermost first, is the one to find: of that
// kind, at that line, below a call of the function.
func (g *Goal) ReachedBy(kind schemas.Kind, frames []schemas.Frame) bool {
	if kind != g.Kind || len(frames) == 0 || frames[0].Pos != g.Line {
		return false
	}
	name := symbol.Plain(source.FuncName(g.Func))
	return slices.ContainsFunc(frames, func(f schemas.Frame) bool {
		return symbol.Plain(f.Func) == name
	})
}

// arguments returns the arguments of the counterexample, the receiver first.
func (g *Goal) arguments() []schemas.Node {
	var out []schemas.Node
	if g.Counterexample == nil {
		return nil
	}
	if r := g.Counterexample.Receiver; r != nil {
		out = append(out, r.Node)
	}
	for i := range g.Counterexample.Params {
		out = append(out, g.Counterexample.Params[i].Node)
	}
	return out
}

// Plan draws candidates of a graph towards a goal.
type Plan struct {
	Goal *Goal
	// Number identifies the goal to the runtime: its index in what Plans returns.
	Number int
	// Ops call the function, or one of those that lead there.
	Ops []int
	// Done is set when the goal is reached.
	Done bool

	// args are the arguments of the counterexample, for the operation own; own is -1 without.
	args []schemas.Node
	own  int
	// nearest is the least distance of a candidate to the trail.
	nearest float32
	// writers are operations that write a field that the goal constrains [STAR 4.5.3].
	writers []int
	// closest are the last candidates that met more conditions than those before them. Each
	// ends with the call of the function.
	closest []candidate.Program
}

// maxClosest is the number of candidates that a plan keeps.
const maxClosest = 20

// Plans returns plans for the goals whose functions are targets of the graph, and these goals in
// the form that the harness checks. It adds the numbers of the goals to the operations of the
// graph.
func Plans(g *paramgraph.Graph, goals []Goal, writes ModSets) ([]*Plan, []candidate.Goal) {
	var plans []*Plan
	var out []candidate.Goal
	byFunc := map[*types.Func]int{}
	for _, t := range g.Targets {
		byFunc[g.Table[t].Func.Origin()] = t
	}
	for i := range goals {
		p := &Plan{Goal: &goals[i], Number: i, own: -1, nearest: float32(math.Inf(1))}
		op, callable := byFunc[goals[i].Func]
		var known candidate.Goal
		if callable {
			p.Ops = append(p.Ops, op)
			if args := goals[i].arguments(); args != nil && len(args) == len(g.In[op]) {
				p.own, p.args = op, args
				p.writers = writers(g, goals[i].Counterexample, writes)
				known = candidate.Goal{Args: args, Objects: goals[i].Counterexample.Objects}
				g.Table[op].Goals = append(g.Table[op].Goals, i)
			}
		}
		for _, f := range goals[i].Callers {
			if op, ok := byFunc[f]; ok {
				p.Ops = append(p.Ops, op)
			}
		}
		out = append(out, known)
		if len(p.Ops) > 0 {
			plans = append(plans, p)
		}
	}
	return plans, out
}

// writers returns the operations that write a field or variable that a counterexample constrains.
func writers(g *paramgraph.Graph, ce *schemas.Counterexample, writes ModSets) []int {
	var out []int
	names := ConstrainedFields(ce)
	for i, o := range g.Table {
		if o.Func == nil {
			continue
		}
		for v := range writes.Of(o.Func).All() {
			if names[v.Name()] {
				out = append(out, i)
				break
			}
		}
	}
	return out
}

// Renumber updates plans after a call of Graph.Keep, which returned moved. It returns the plans
// whose function is still a target.
func Renumber(plans []*Plan, g *paramgraph.Graph, moved map[int]int) []*Plan {
	var out []*Plan
	for _, p := range plans {
		var ops []int
		for _, op := range p.Ops {
			to, ok := moved[op]
			if !ok || !slices.Contains(g.Targets, to) {
				to = -1
			} else {
				ops = append(ops, to)
			}
			if op == p.own {
				p.own = to
			}
		}
		if len(ops) == 0 {
			continue
		}
		var writers []int
		for _, w := range p.writers {
			if i, ok := moved[w]; ok {
				writers = append(writers, i)
			}
		}
		p.Ops, p.writers = ops, writers
		out = append(out, p)
	}
	return out
}

// Nearer keeps a candidate that is at a distance to the trail, if no other was as near.
func (p *Plan) Nearer(c candidate.Program, distance float32) {
	if distance < p.nearest {
		p.nearest = distance
		p.Keep(c)
	}
}

// Bound is the distance of the nearest candidate.
func (p *Plan) Bound() float32 { return p.nearest }

// Calls reports whether an operation calls the function, or one that leads there.
func (p *Plan) Calls(op int) bool { return slices.Contains(p.Ops, op) }

// Keep keeps a candidate that came closer to the goal, up to its last call of the function, or of
// one that leads there.
func (p *Plan) Keep(c candidate.Program) {
	for i := len(c) - 1; i >= 0; i-- {
		if p.Calls(c[i].Op) {
			if len(p.closest) == maxClosest {
				p.closest = p.closest[1:]
			}
			p.closest = append(p.closest, c[:i+1:i+1])
			break
		}
	}
}
