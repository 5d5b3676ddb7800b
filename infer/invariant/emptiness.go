package invariant

import (
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// emptiness is the template of a slice or map that is nil whenever it is empty:
// implies(len(s) == 0, s == nil).
type emptiness struct {
	ref, length int   // columns
	nils        int64 // samples in which it was nil
	filled      bool  // some sample was not empty
	refuted     bool  // some sample was empty and not nil
}

// newEmptinesses returns the templates for the slices and maps of a point.
func newEmptinesses(decl Declaration) (out []*emptiness) {
	for i, v := range decl.Vars {
		if kindOf(v.Rep) != ref || decl.At == schemas.AtExit && isOldName(v.Name) {
			continue
		}
		if !strings.HasPrefix(v.Type, "[]") && !strings.HasPrefix(v.Type, "map[") {
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

// learn updates the template with a batch.
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

// emit emits the instance, if there were samples of both kinds.
func (e *emptiness) emit(p *Point, add adder) {
	if e.refuted || e.nils == 0 || !e.filled {
		return
	}
	r, l := p.view(e.ref), p.view(e.length)
	cond := &expr.Implies{
		If:   expr.Eq(l.variable(), expr.Zero),
		Then: expr.Eq(r.variable(), expr.Nil),
	}
	add("nil-if-empty", nil, cond, confidenceOf(0.5, e.nils), r.n, r, l)
}
