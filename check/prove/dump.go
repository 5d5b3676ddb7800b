package prove

import (
	"fmt"
	"strings"

	"dsd/check/logic"
	"dsd/check/vcgen"
)

// Forms are the intermediate forms of a function on its way to the solver:
//
//	ir       guarded commands
//	passive  the obligations, each with all that is assumed and asserted on the way, over the inputs
//	wp       the weakest precondition: the condition on the inputs under which nothing fails
//	smt      the queries
//
// wp and smt are SMT-LIB, which any solver replays.
var Forms = []string{"ir", "passive", "wp", "smt"}

// dump writes the forms of the obligations.
func (a *analysis) dump(p *vcgen.Program) {
	name := a.r.Name()
	if a.Dumps("passive") {
		a.Dump(name, "passive", a.passive(p))
	}
	if a.Dumps("wp") {
		var conds []*logic.Term
		for _, o := range p.Obligations {
			conds = append(conds, a.q.B.Implies(a.q.B.And(o.Path...), o.Cond))
		}
		decls, equations, texts := logic.NewWriter().Query([]*logic.Term{a.q.B.And(conds...)})
		a.Dump(name, "wp", fmt.Sprintf("; nothing fails in %s, as far as it is followed, if this holds\n"+
			"%s%s(assert %s)\n(check-sat)\n", name, decls, equations, texts[0]))
	}
}

// passive lists the obligations. Shared subterms are named where they are first used.
func (a *analysis) passive(p *vcgen.Program) string {
	var out strings.Builder
	w := logic.NewWriter()
	for i, o := range p.Obligations {
		_, equations, texts := w.Query(o.Path)
		_, more, cond := w.Query([]*logic.Term{o.Cond})
		fmt.Fprintf(&out, "; %d: %s at %s: %s\n", i+1, o.Kind, a.Prog.Pos(o.Pos), o.Message)
		for _, call := range o.Calls {
			fmt.Fprintf(&out, "; called at %s: %s\n", a.Prog.Pos(call.Pos), call.Callee)
		}
		out.WriteString(equations)
		for j := len(texts) - 1; j >= 0; j-- {
			fmt.Fprintf(&out, "assume %s\n", texts[j])
		}
		fmt.Fprintf(&out, "%sassert %s\n\n", more, cond[0])
	}
	return out.String()
}
