package search

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"dsd/crash/candidate"
	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/schemas"
)

// Goal is a crash that is looked for: a function, the inputs that are said to crash it, and how.
type Goal struct {
	Func           *types.Func
	Counterexample *schemas.Counterexample
	Kind           schemas.Kind
	// Line is where it crashes, "file:line".
	Line string
}

// reaches says that a crash is the one that is looked for.
func (g *Goal) reaches(x *Crash) bool {
	return x.Kind == g.Kind && x.Frames[0].Pos == g.Line
}

// args are the wanted arguments of the function, its receiver first.
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

// aim is a goal as candidates are drawn for it.
type aim struct {
	goal   *Goal
	number int // that the runtime tells it by
	args   []schemas.Node
	op     int // that calls the function
	// writers are operations that write a field which the goal constrains: calls of them bring it nearer [STAR 4.5.3].
	writers []int
	// near are candidates that came nearer than those before them.
	near []candidate.Program
	done bool
}

// maxNear is how many candidates are kept of a goal, the nearest.
const maxNear = 20

// aims finds the operations for goals, and tells these of them.
func (g *Graph) aims(goals []Goal, writes ModSets) ([]*aim, []candidate.Goal) {
	var list []*aim
	var told []candidate.Goal
	byFunc := map[*types.Func]int{}
	for _, t := range g.Targets {
		byFunc[g.Table[t].Func.Origin()] = t
	}
	for i := range goals {
		op, ok := byFunc[goals[i].Func]
		args := goals[i].args()
		if !ok || len(args) != len(g.in[op]) {
			continue
		}
		a := &aim{goal: &goals[i], number: len(told), args: args, op: op}
		fields := ConstrainedFields(goals[i].Counterexample)
		for j, o := range g.Table {
			if o.Func == nil {
				continue
			}
			for v := range writes.Of(o.Func).All() {
				if fields[v.Name()] {
					a.writers = append(a.writers, j)
					break
				}
			}
		}
		g.Table[op].Goals = append(g.Table[op].Goals, len(told))
		told = append(told, candidate.Goal{Args: args, Objects: goals[i].Counterexample.Objects})
		list = append(list, a)
	}
	return list, told
}

// ConstrainedFields are the names of the fields and package-level variables of which a counterexample says something.
func ConstrainedFields(ce *schemas.Counterexample) map[string]bool {
	out := map[string]bool{}
	ce.Walk(func(n *schemas.Node) {
		for i := range n.Fields {
			out[n.Fields[i].Name] = true
		}
	})
	for i := range ce.Globals {
		out[ce.Globals[i].Name[strings.LastIndexByte(ce.Globals[i].Name, '.')+1:]] = true
	}
	return out
}

// ModSets holds the fields and package-level variables that each function assigns, itself or in a
// function that it names.
type ModSets = *callgraph.Summary

// FindModSets computes the fields and package-level variables that each function of the module assigns.
// It is a hint for the search and neither sound nor precise: each variable on the left of an
// assignment counts, so all of x, f and i in x.f[i] = v, and so does each key of a struct literal.
// Calls through interfaces are not followed.
func FindModSets(prog *source.Program) ModSets {
	g := callgraph.New(prog)
	return g.Summarize(callgraph.Call|callgraph.Value, func(f *source.Func, add func(*types.Var)) {
		info := f.Pkg.Info
		assigned := func(x ast.Expr) {
			ast.Inspect(x, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					v, ok := info.Uses[id].(*types.Var)
					if ok && (v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()) {
						add(v)
					}
				}
				return true
			})
		}
		ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, x := range n.Lhs {
					assigned(x)
				}

			case *ast.IncDecStmt:
				assigned(n.X)

			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					if v, ok := info.Uses[id].(*types.Var); ok && v.IsField() {
						add(v)
					}
				}
			}
			return true
		})
	})
}

// toward draws a candidate for a goal: one that came near with another call before its last, or a new one.
func (s *sampler) toward(a *aim) candidate.Program {
	if len(a.near) > 0 && s.r.Intn(3) > 0 {
		return s.nearer(a, a.near[s.r.Intn(len(a.near))])
	}
	b := &builder{table: s.g.Table}
	w := &wanting{s: s, b: b, objects: a.goal.Counterexample.Objects, made: map[int]int{}}
	var args []int
	for i, n := range s.g.in[a.op] {
		args = append(args, w.value(n, &a.args[i], 1+s.r.Intn(maxDrawn)))
	}
	b.add(candidate.Stmt{Op: a.op, Args: args})
	return b.prog
}

// nearer changes a candidate for a goal, whose last statement is the call.
func (s *sampler) nearer(a *aim, p candidate.Program) candidate.Program {
	if s.r.Intn(4) == 0 {
		return s.change(p)
	}
	last := p[len(p)-1]
	b := s.extend(p[:len(p)-1])
	for range 1 + s.r.Intn(3) {
		if len(b.prog) < maxStatements {
			s.mutate(b, a)
		}
	}
	last.Args = slices.Clone(last.Args)
	if s.r.Intn(4) == 0 {
		i := s.r.Intn(max(len(last.Args), 1))
		if i < len(last.Args) {
			if r := s.pick(s.registers(b.prog, len(b.prog)), s.g.in[a.op][i]); r >= 0 {
				last.Args[i] = r
			}
		}
	}
	b.add(last)
	return b.prog
}

// mutate adds a call of something that writes a field which the goal constrains, or of any target, on a value that is there.
func (s *sampler) mutate(b *builder, a *aim) {
	for range 10 {
		op := s.target()
		if len(a.writers) > 0 && s.r.Intn(4) > 0 {
			op = a.writers[s.r.Intn(len(a.writers))]
		}
		if s.callOn(b, op) {
			return
		}
	}
}

// wanting makes values that are as a goal says, as far as literals can say it; the rest is drawn.
type wanting struct {
	s       *sampler
	b       *builder
	objects []schemas.Node
	made    map[int]int // results that hold objects
}

// value makes a value of a type, and returns its number. The type must have values.
func (w *wanting) value(n *node, want *schemas.Node, depth int) int {
	if n.cheapest > depth {
		depth = n.cheapest
	}
	if want.Ref != nil {
		if r, ok := w.made[*want.Ref]; ok {
			return r
		}
	}
	if w.s.r.Intn(8) > 0 {
		if r := w.literal(n, want, depth); r >= 0 {
			if want.Ref != nil {
				w.made[*want.Ref] = r
			}
			return r
		}
	}
	return w.s.value(w.b, n, depth)
}

// literal makes the value that is wanted, -1 if no operation does.
func (w *wanting) literal(n *node, want *schemas.Node, depth int) int {
	parts := want // what says the elements and fields
	if want.Ref != nil && *want.Ref < len(w.objects) {
		parts = &w.objects[*want.Ref]
	}
	for _, p := range n.producers {
		op := w.s.g.Table[p.op]
		switch {
		case p.out < 0 || !w.s.feasible(p.op, depth-1):
		case op.Lit:
			if v, ok := valueOf(want.Lit); ok {
				return w.b.add(candidate.Stmt{Op: p.op, Bits: v.bits, Text: v.text})
			}
		case want.Lit == "nil":
			if op.Nil {
				return w.b.add(candidate.Stmt{Op: p.op})
			}
		case op.Variadic && want.Ref != nil:
			var args []int
			for i := range min(length(want), 8) {
				if w.s.g.in[p.op][0].cheapest == 0 {
					break // nothing makes an element
				}
				args = append(args, w.value(w.s.g.in[p.op][0], element(parts, i), depth-1))
			}
			return w.b.add(candidate.Stmt{Op: p.op, Args: args})
		case op.Converts && want.Dynamic != nil:
			if types.TypeString(op.In[0], nil) == want.Dynamic.Type {
				return w.b.add(candidate.Stmt{Op: p.op, Args: []int{w.value(w.s.g.in[p.op][0], want.Dynamic, depth-1)}})
			}
		case len(op.Fields) > 0 && w.s.r.Intn(2) == 0:
			var args []int
			for i, f := range op.Fields {
				args = append(args, w.value(w.s.g.in[p.op][i], fieldNode(parts, f.Name()), depth-1))
			}
			return w.b.add(candidate.Stmt{Op: p.op, Args: args})
		}
	}
	return -1
}

func length(n *schemas.Node) int64 {
	if n.Len == nil {
		return 0
	}
	return *n.Len
}

// element is what is wanted of an element.
func element(n *schemas.Node, i int64) *schemas.Node {
	for j := range n.Elems {
		if n.Elems[j].Index == i && n.Elems[j].Key == nil {
			return &n.Elems[j].Value
		}
	}
	return &schemas.Node{}
}

// fieldNode is what is wanted of a field.
func fieldNode(n *schemas.Node, name string) *schemas.Node {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			return &n.Fields[i].Node
		}
	}
	return &schemas.Node{}
}

// valueOf reads a Go literal of a counterexample.
func valueOf(lit string) (value, bool) {
	switch {
	case lit == "" || lit == "nil" || lit == "func" || strings.HasPrefix(lit, "math."):
		return value{}, false
	case lit == "true":
		return value{bits: 1}, true
	case lit == "false":
		return value{}, true
	}
	v := constant.MakeFromLiteral(strings.TrimPrefix(lit, "-"), kindOfLiteral(lit), 0)
	switch v.Kind() {
	case constant.String:
		return value{text: constant.StringVal(v)}, true
	case constant.Int:
		bits, ok := constant.Uint64Val(v)
		if strings.HasPrefix(lit, "-") {
			bits = -bits
		}
		return value{bits: bits}, ok
	}
	return value{}, false
}
