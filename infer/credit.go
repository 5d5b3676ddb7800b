package infer

import (
	"slices"

	"dsd/infer/invariant"
	"dsd/internal/expr"
	"dsd/schemas"
)

// loan lets the executions of a method count for that of an interface: those whose inputs meet what is known of calls through the interface
// [DSD 7.4].
type interfaceCredit struct {
	target *point // the exit of the interface's method
	// pre are the preconditions of the interface's method; entry and exit are, for each variable of its points, the executed method's, -1 for
	// none.
	pre         []*invariant.Condition
	entry, exit []int
}

// interfaces prepares the loans. It says whether there are any.
func (l *learner) prepareCredits() bool {
	some := false
	for _, to := range l.points {
		entry := l.points[pointKey{to.fn, schemas.AtEntry}]
		if to.at != schemas.AtExit || !to.decl.Interface || entry == nil || entry.learned.Samples() == 0 {
			continue
		}
		var pre []*invariant.Condition
		for _, inv := range entry.learned.Invariants() {
			if c, err := invariant.NewCondition(inv.Expr, entry.decl.Vars); err == nil {
				pre = append(pre, c)
			}
		}
		for _, name := range to.decl.Implementers {
			from := l.points[pointKey{name, schemas.AtExit}]
			if from == nil || from.learned.Samples() == 0 || len(from.decl.Params) != len(to.decl.Params) || len(from.decl.Results) != len(to.decl.Results) {
				continue
			}
			loan := &interfaceCredit{target: to, pre: pre, exit: counterparts(to, from, false), entry: counterparts(entry, from, true)}
			from.credits = append(from.credits, loan)
			some = true
		}
	}
	return some
}

// counterparts are, for the variables of an interface's point, the columns of an executed method's exit: of what was before, where before is
// true.
func counterparts(of, from *point, before bool) []int {
	roots := map[string]string{}
	for i, name := range of.decl.Params {
		roots[name] = from.decl.Params[i]
	}
	for i, name := range of.decl.Results {
		roots[name] = from.decl.Results[i]
	}
	find := func(name string, rep schemas.Rep) int {
		return slices.IndexFunc(from.decl.Vars, func(w schemas.TraceVar) bool { return w.Name == name && w.Rep == rep })
	}
	var out []int
	for _, v := range of.decl.Vars {
		inner, old := expr.CutOld(v.Name)
		column := -1
		for root, theirs := range roots {
			if name, ok := renameRoot(inner, root, theirs); ok && theirs != "" {
				if column = find(expr.OldName(name), v.Rep); column < 0 || !old && !before {
					column = find(name, v.Rep)
				}
			}
		}
		out = append(out, column)
	}
	return out
}

// meets says that the inputs of an execution meet the preconditions.
func (l *interfaceCredit) accepts(inputs []invariant.Value) bool {
	for _, c := range l.pre {
		if ok, err := c.Holds(inputs); err == nil && !ok {
			return false
		}
	}
	return true
}
