package usage

import (
	"fmt"
	"go/types"
	"sort"
	"strings"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Learner collects call sequences.
type Learner struct {
	models map[string]*model // by name of the type
}

// model holds the counts for the objects of one type.
type model struct {
	sequences   int64
	transitions map[[2]string]int64 // by call and next call; "" comes before the first call
	values      map[value]int64
}

// value is a constant that is passed to a parameter of a call, as a Go literal.
type value struct {
	call  string
	param int
	lit   string
}

// New returns a learner without sequences.
func New() *Learner { return &Learner{models: map[string]*model{}} }

// model returns the model of a type.
func (l *Learner) model(typ string) *model {
	m := l.models[typ]
	if m == nil {
		m = &model{transitions: map[[2]string]int64{}, values: map[value]int64{}}
		l.models[typ] = m
	}
	return m
}

// sequence adds a sequence of calls on an object of a type.
func (l *Learner) sequence(typ string, calls []string) {
	if len(calls) == 0 {
		return
	}
	m := l.model(typ)
	m.sequences++
	from := ""
	for _, to := range calls {
		m.transitions[[2]string{from, to}]++
		from = to
	}
}

// maxValues bounds the constants that are kept for a parameter.
const maxValues = 20

// Models returns the models of all types with sequences or constants, sorted by type, with the
// given header. Transitions are sorted by call.
func (l *Learner) Models(h schemas.Header) *schemas.Models {
	out := &schemas.Models{Header: h, Models: []schemas.Model{}}
	for typ, m := range l.models {
		d := schemas.Model{Type: typ, Sequences: m.sequences}
		for t, n := range m.transitions {
			d.Transitions = append(d.Transitions,
				schemas.Transition{From: t[0], To: t[1], Count: n})
		}
		sort.Slice(d.Transitions, func(i, j int) bool {
			a, b := d.Transitions[i], d.Transitions[j]
			return a.From < b.From || a.From == b.From && a.To < b.To
		})
		d.Values = m.constants()
		out.Models = append(out.Models, d)
	}
	sort.Slice(out.Models, func(i, j int) bool { return out.Models[i].Type < out.Models[j].Type })
	return out
}

// constants returns the most frequent constants of each parameter, sorted by call and parameter.
func (m *model) constants() []schemas.ModelValue {
	var list []schemas.ModelValue
	for v, n := range m.values {
		list = append(list,
			schemas.ModelValue{Call: v.call, Param: v.param, Lit: v.lit, Count: n})
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		switch {
		case a.Call != b.Call:
			return a.Call < b.Call
		case a.Param != b.Param:
			return a.Param < b.Param
		case a.Count != b.Count:
			return a.Count > b.Count
		}
		return a.Lit < b.Lit
	})
	var out []schemas.ModelValue
	n := 0
	for i, v := range list {
		if n++; i > 0 && (list[i-1].Call != v.Call || list[i-1].Param != v.Param) {
			n = 1
		}
		if n <= maxValues {
			out = append(out, v)
		}
	}
	return out
}

// typeOf returns the name of a type of the module, given the type or a pointer to it. It returns ""
// for all other types.
func typeOf(prog *source.Program, t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	path := n.Obj().Pkg().Path()
	if prog.Package(path) == nil && !strings.HasPrefix(path, prog.Module+"/") {
		return ""
	}
	return path + "." + n.Obj().Name()
}

// DOT returns a model as a graph for Graphviz, with the transitions and their counts as edges.
func DOT(m *schemas.Model) string {
	var out strings.Builder
	short := symbol.Short
	fmt.Fprintf(&out, "digraph %q {\n\trankdir=LR\n\tnode [shape=box]\n\t\"\" [shape=point]\n",
		short(m.Type))
	for _, t := range m.Transitions {
		fmt.Fprintf(&out, "\t%q -> %q [label=\"%d\"]\n", short(t.From), short(t.To), t.Count)
	}
	out.WriteString("}\n")
	return out.String()
}
