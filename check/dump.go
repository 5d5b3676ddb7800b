package check

import (
	"fmt"
	"slices"
	"strings"

	"dsd/check/logic"
	"dsd/check/vcgen"
)

// Forms are what a function becomes on its way to the solver:
//
//	ir       guarded commands
//	passive  what may fail, each with all that is assumed and asserted on the way there, over the inputs alone
//	wp       the weakest precondition: the condition on the inputs under which nothing fails, as one formula
//	smt      the solver's questions
//
// Those of wp and smt are SMT-LIB, which replays in a stock solver.
var Forms = []string{"ir", "passive", "wp", "smt"}

func (c *checker) dumps(form string) bool {
	return c.opt.Dump != nil && slices.Contains(c.opt.Forms, form)
}

// dump writes the forms of a function that Passify made.
func (c *checker) dump(name string, b *logic.Builder, p *vcgen.Program) {
	if c.dumps("passive") {
		c.opt.Dump(name, "passive", c.passive(p))
	}
	if c.dumps("wp") {
		var conds []*logic.Term
		for _, o := range p.Obligations {
			conds = append(conds, b.Implies(b.And(o.Path...), o.Cond))
		}
		decls, equations, texts := logic.NewWriter().Query([]*logic.Term{b.And(conds...)})
		c.opt.Dump(name, "wp", fmt.Sprintf("; nothing fails in %s, as far as it is followed, if this holds\n%s%s(assert %s)\n(check-sat)\n", name, decls, equations, texts[0]))
	}
}

// passive lists the obligations; parts that they share are named where they are first used.
func (c *checker) passive(p *vcgen.Program) string {
	var out strings.Builder
	w := logic.NewWriter()
	for i, o := range p.Obligations {
		_, equations, texts := w.Query(o.Path)
		_, more, cond := w.Query([]*logic.Term{o.Cond})
		fmt.Fprintf(&out, "; %d: %s at %s: %s\n", i+1, o.Kind, c.prog.Pos(o.Pos), o.Message)
		for _, call := range o.Calls {
			fmt.Fprintf(&out, "; called at %s: %s\n", c.prog.Pos(call.Pos), call.Callee)
		}
		out.WriteString(equations)
		for j := len(texts) - 1; j >= 0; j-- {
			fmt.Fprintf(&out, "assume %s\n", texts[j])
		}
		fmt.Fprintf(&out, "%sassert %s\n\n", more, cond[0])
	}
	return out.String()
}
