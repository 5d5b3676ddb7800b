package infer

import (
	"slices"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// A Judge evaluates the invariants of a document in single samples, such as those of one call that
// crashed. It is strict: where an invariant's variables existed in every sample that it was learned
// from, they must exist. An invariant about c[i] means that i is in range, too, and one about x.f
// that x is not nil. It must not be used concurrently.
type Judge struct {
	points  []schemas.TracePoint
	learned []*schemas.Point // parallel to points; nil if nothing is known
	// checks are prepared when a point is asked about: a document has far more than a run needs. The indices are those of
	// points.
	checks map[int][]*strictCheck
}

// strictCheck is an invariant that a Judge evaluates.
type strictCheck struct {
	inv    schemas.Invariant
	cond   *invariant.Condition
	exists bool // in every sample that inv was learned from
}

// NewJudge returns a judge for samples of points. Invariants that a point cannot evaluate, because
// it has other variables, are left out.
func NewJudge(doc *schemas.Invariants, points []schemas.TracePoint) *Judge {
	type key struct {
		fn string
		at schemas.At
	}
	byKey := map[key]*schemas.Point{}
	for i := range doc.Points {
		byKey[key{doc.Points[i].Func, doc.Points[i].At}] = &doc.Points[i]
	}
	j := &Judge{points: points, learned: make([]*schemas.Point, len(points)), checks: map[int][]*strictCheck{}}
	for i := range points {
		j.learned[i] = byKey[key{points[i].Func, points[i].At}]
	}
	return j
}

// at returns the checks of a point.
func (j *Judge) at(point int) []*strictCheck {
	p := j.learned[point]
	if p == nil {
		return nil
	}
	list, ok := j.checks[point]
	if !ok {
		scope := invariant.NewScope(j.points[point].Vars)
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			if cond, err := scope.Condition(inv.Expr); err == nil {
				list = append(list, &strictCheck{inv, cond, inv.Samples >= p.Samples})
			}
		}
		j.checks[point] = list
	}
	return list
}

// Known returns the number of invariants that the judge evaluates at a point, given by its index.
func (j *Judge) Known(point int) int { return len(j.at(point)) }

// Violated returns the invariants that a sample of a point contradicts. values are as the trace has
// them, parallel to the point's variables.
func (j *Judge) Violated(point int, values []string) []schemas.Invariant {
	vars := j.points[point].Vars
	if len(values) != len(vars) || len(j.at(point)) == 0 {
		return nil
	}
	parsed := make([]invariant.Value, len(vars))
	for i := range vars {
		parsed[i] = invariant.Parse(&vars[i], []byte(values[i]))
	}
	var out []schemas.Invariant
	for _, c := range j.at(point) {
		holds, exists, err := c.cond.Evaluate(parsed)
		if err == nil && (!exists && c.exists || exists && !holds) {
			out = append(out, c.inv)
		}
	}
	return out
}
