package invariant

import (
	"math"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// emptiness is the template of a slice or map that is nil when it is empty: len(s) == 0 says that s == nil.
type emptiness struct {
	ref, length int   // the columns
	nils        int64 // samples in which it was nil
	filled      bool  // it was not empty in some
	refuted     bool  // it was empty, and not nil
}

// emptinesses are those of the slices and maps of a point.
func newEmptinesses(decl Declaration) (out []*emptiness) {
	for i, v := range decl.Vars {
		if kinds[v.Rep] != ref || decl.At == schemas.AtExit && isOldName(v.Name) {
			continue
		}
		if u := v.Type; !strings.HasPrefix(u, "[]") && !strings.HasPrefix(u, "map[") {
			continue
		}
		for j, w := range decl.Vars {
			if w.Name == "len("+v.Name+")" {
				out = append(out, &emptiness{ref: i, length: j})
				break
			}
		}
	}
	return out
}

func (e *emptiness) learn(b *batch) {
	if e.refuted {
		return
	}
	r, l := &b.columns[e.ref], &b.columns[e.length]
	for row := range b.n {
		if !r.present(row) || !l.present(row) {
			continue
		}
		switch {
		case r.code[row] == 0:
			e.nils += b.counts[row]
		case l.code[row] == 0:
			e.refuted = true
			return
		default:
			e.filled = true
		}
	}
}

// emit instantiates the template.
func (e *emptiness) emit(p *Point, add adder) {
	r, l := p.view(e.ref), p.view(e.length)
	if !e.refuted && e.nils > 0 && e.filled {
		add("nil-if-empty", nil, &expr.Implies{If: expr.Eq(l.variable(), expr.Zero), Then: expr.Eq(r.variable(), expr.Nil)}, confidenceOf(0.5, e.nils), r.n, r, l)
	}
}

// getter says of a method that it leaves its receiver as it was, in all that is observed of it; that is of two variables at least.
func (p *Point) getter() (inv learned, ok bool) {
	root := p.decl.Receiver
	if p.decl.At != schemas.AtExit || root == "" {
		return inv, false
	}
	n := 0
	for i, v := range p.decl.Vars {
		name, old := expr.CutOld(v.Name)
		if !old || !isPartOf(name, root) || kinds[v.Rep] == sequence && len(p.derived) > 0 && i >= len(p.decl.Vars)-len(p.derived) {
			continue
		}
		same := false
		for j, w := range p.decl.Vars {
			if w.Name == name && w.Rep == v.Rep {
				same = p.leader(i) == p.leader(j)
			}
		}
		if !same {
			return inv, false
		}
		n++
	}
	confidence := confidenceOf(0.5, p.rows)
	if n < 2 || confidence < p.Confidence {
		return inv, false
	}
	all := &expr.Deref{X: expr.Var(root)}
	return learned{schemas.Invariant{Template: "unchanged-receiver", Vars: []string{root}, Samples: p.samples,
		Confidence: math.Floor(confidence*1e4) / 1e4}, expr.Eq(all, &expr.Old{X: all})}, true
}

// under says that a variable is a part of root: s.items, len(s.items).
func isPartOf(name, root string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "len("), "cap(")
	return strings.HasPrefix(name, root+".")
}

// withoutImplied leaves out comparisons that follow from two others: a < c, where a < b and b < c. Only those without conditions count.
func withoutImplied(list []learned) []learned {
	type edge struct{ from, to string }
	strict := map[edge]bool{} // of a <= b false
	next := map[string][]string{}
	for _, inv := range list {
		if e := (edge{}); (inv.Template == "less" || inv.Template == "less-equal") && expr.Guards(inv.cond) == nil {
			e = edge{inv.Vars[0], inv.Vars[1]}
			strict[e] = inv.Template == "less"
			next[e.from] = append(next[e.from], e.to)
		}
	}
	if len(strict) < 3 {
		return list
	}
	out := list[:0:0]
	for _, inv := range list {
		implied := false
		if (inv.Template == "less" || inv.Template == "less-equal") && expr.Guards(inv.cond) == nil {
			isStrict := inv.Template == "less"
			for _, b := range next[inv.Vars[0]] {
				second, ok := strict[edge{b, inv.Vars[1]}]
				if ok && (!isStrict || second || strict[edge{inv.Vars[0], b}]) {
					implied = true
					break
				}
			}
		}
		if !implied {
			out = append(out, inv)
		}
	}
	return out
}
