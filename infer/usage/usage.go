// Package usage learns how objects of a module's types are used: which calls follow which on the same object [SEED 3.1].
//
// Call sequences come from the paths through the source and from objects in the running tests; a model is the 2-gram transition
// system that has all of them.
package usage

import (
	"go/types"
	"sort"
	"strings"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// Learner collects what is seen.
type Learner struct {
	models map[string]*model
}

type model struct {
	sequences   int64
	transitions map[[2]string]int64
	values      map[value]int64
}

type value struct {
	call  string
	param int
	lit   string
}

// New returns a learner that has seen nothing.
func New() *Learner { return &Learner{models: map[string]*model{}} }

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

// maxValues is how many constants are kept of a parameter.
const maxValues = 20

// Models are the models of all types of which anything was seen, with header h.
func (l *Learner) Models(h schemas.Header) *schemas.Models {
	out := &schemas.Models{Header: h, Models: []schemas.Model{}}
	for typ, m := range l.models {
		d := schemas.Model{Type: typ, Sequences: m.sequences}
		for t, n := range m.transitions {
			d.Transitions = append(d.Transitions, schemas.Transition{From: t[0], To: t[1], Count: n})
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

// constants are the values of parameters, the most frequent of each.
func (m *model) constants() []schemas.ModelValue {
	var list []schemas.ModelValue
	for v, n := range m.values {
		list = append(list, schemas.ModelValue{Call: v.call, Param: v.param, Lit: v.lit, Count: n})
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

// typeOf is the name of the named type that a type is, or points to, if it is of the module of prog; "" otherwise.
func typeOf(prog *source.Program, t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || prog.Package(n.Obj().Pkg().Path()) == nil && !strings.HasPrefix(n.Obj().Pkg().Path(), prog.Module+"/") {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// DOT writes a model as a graph for Graphviz: the calls, and how often one follows another.
func DOT(m *schemas.Model) string {
	var out strings.Builder
	short := symbol.Short
	out.WriteString("digraph " + quote(short(m.Type)) + " {\n\trankdir=LR\n\tnode [shape=box]\n\t\"\" [shape=point]\n")
	for _, t := range m.Transitions {
		out.WriteString("\t" + quote(short(t.From)) + " -> " + quote(short(t.To)) + " [label=" + quote(count(t.Count)) + "]\n")
	}
	out.WriteString("}\n")
	return out.String()
}
