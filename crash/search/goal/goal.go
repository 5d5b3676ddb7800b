package goal

import (
	"go/types"
	"slices"

	"dsd/crash/candidate"
	"dsd/crash/search/paramgraph"
	"dsd/schemas"
)

// Goal is a crash to find: a function, inputs that are expected to crash it, and how it crashes.
type Goal struct {
	Func           *types.Func
	Counterexample *schemas.Counterexample
	// Kind is the kind of the panic.
	Kind schemas.Kind
	// Line is where it panics, "file:line".
	Line string
}

// ReachedBy reports whether a panic at a position is the one to find.
func (g *Goal) ReachedBy(kind schemas.Kind, pos string) bool {
	return kind == g.Kind && pos == g.Line
}

// args returns the arguments of the counterexample, the receiver first.
func (g *Goal) args() []schemas.Node {
	var out []schemas.Node
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
	// Op calls the function.
	Op int
	// Done is set when the goal is reached.
	Done bool

	args []schemas.Node
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
		op, ok := byFunc[goals[i].Func]
		args := goals[i].args()
		if !ok || len(args) != len(g.In[op]) {
			continue
		}
		number := len(out)
		plans = append(plans, &Plan{
			Goal: &goals[i], Number: number, Op: op, args: args,
			writers: writers(g, goals[i].Counterexample, writes),
		})
		g.Table[op].Goals = append(g.Table[op].Goals, number)
		objects := goals[i].Counterexample.Objects
		out = append(out, candidate.Goal{Args: args, Objects: objects})
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
		op, ok := moved[p.Op]
		if !ok || !slices.Contains(g.Targets, op) {
			continue
		}
		var writers []int
		for _, w := range p.writers {
			if i, ok := moved[w]; ok {
				writers = append(writers, i)
			}
		}
		p.Op, p.writers = op, writers
		out = append(out, p)
	}
	return out
}

// Keep keeps a candidate that came closer to the goal, up to its last call of the function.
func (p *Plan) Keep(c candidate.Program) {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].Op == p.Op {
			if len(p.closest) == maxClosest {
				p.closest = p.closest[1:]
			}
			p.closest = append(p.closest, c[:i+1:i+1])
			break
		}
	}
}
