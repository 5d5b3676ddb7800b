package infer

import (
	"slices"

	"dsd/infer/invariant"
	"dsd/internal/expr"
	"dsd/schemas"
)

// interfaceCredit makes executions of a method count for the method of an interface that it
// implements. An execution counts if its inputs satisfy the preconditions of calls through the
// interface [DSD 7.4].
type interfaceCredit struct {
	target *point // the exit of the interface's method
	// pre holds the preconditions of the interface's method.
	pre []*invariant.Condition
	// entry and exit give, for each variable of the interface's points, the column in the
	// samples of the executed method's exit, or -1 for none.
	entry, exit []int
}

// prepareCredits computes the credits of all points and reports whether there are any.
func (l *learner) prepareCredits() bool {
	some := false
	for _, to := range l.points {
		entry := l.points[pointKey{to.fn, schemas.AtEntry}]
		if to.at != schemas.AtExit || !to.decl.Interface ||
			entry == nil || entry.learned.Samples() == 0 {
			continue
		}
		var pre []*invariant.Condition
		scope := invariant.NewScope(entry.decl.Vars)
		for _, inv := range entry.learned.Invariants() {
			if c, err := scope.Condition(inv.Expr); err == nil {
				pre = append(pre, c)
			}
		}
		for _, name := range to.decl.Implementers {
			from := l.points[pointKey{name, schemas.AtExit}]
			if from == nil || from.learned.Samples() == 0 ||
				len(from.decl.Params) != len(to.decl.Params) ||
				len(from.decl.Results) != len(to.decl.Results) {
				continue
			}
			from.credits = append(from.credits, &interfaceCredit{
				target: to,
				pre:    pre,
				entry:  counterparts(entry, from, true),
				exit:   counterparts(to, from, false),
			})
			some = true
		}
	}
	return some
}

// counterparts returns, for each variable of the interface's point of, the column of the same
// variable in the executed method's exit from, or -1 for none. Parameters and results correspond by
// position. atEntry selects the values that variables had at the entry.
func counterparts(of, from *point, atEntry bool) []int {
	roots := map[string]string{}
	for i, name := range of.decl.Params {
		roots[name] = from.decl.Params[i]
	}
	for i, name := range of.decl.Results {
		roots[name] = from.decl.Results[i]
	}
	find := func(name string, rep schemas.Rep) int {
		return slices.IndexFunc(from.decl.Vars, func(w schemas.TraceVar) bool {
			return w.Name == name && w.Rep == rep
		})
	}
	var out []int
	for _, v := range of.decl.Vars {
		inner, old := expr.CutOld(v.Name)
		column := -1
		for root, counterpart := range roots {
			name, ok := expr.RenameVar(inner, root, counterpart)
			if !ok || counterpart == "" {
				continue
			}
			// What cannot change has no old form.
			column = find(expr.OldName(name), v.Rep)
			if column < 0 || !old && !atEntry {
				column = find(name, v.Rep)
			}
		}
		out = append(out, column)
	}
	return out
}

// accepts reports whether the inputs of an execution satisfy the preconditions. A precondition that
// cannot be evaluated counts as satisfied.
func (c *interfaceCredit) accepts(inputs []invariant.Value) bool {
	for _, cond := range c.pre {
		if ok, err := cond.Holds(inputs); err == nil && !ok {
			return false
		}
	}
	return true
}
