package infer

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/internal/expr"
	"dsd/schemas"
)

// A Side is one of two documents that Diff compares.
type Side struct {
	Doc   *schemas.Invariants
	Trace Source // from which Doc was learned; nil if there is none
}

// Diff returns the changes of the invariants from one document to another of the same module. An
// invariant that vanished or became weaker has a witness in the new trace: a call that contradicts
// it. One that appeared or became stronger has its witness in the old trace.
//
// An invariant that follows from another of the same point neither appears nor vanishes.
//
// Errors: documents of different modules; those of reading the traces.
func Diff(before, after Side) (*schemas.Changes, error) {
	if before.Doc.Module.Path != after.Doc.Module.Path {
		return nil, fmt.Errorf("invariants of module %s cannot be compared with those of %s",
			after.Doc.Module.Path, before.Doc.Module.Path)
	}
	out := &schemas.Changes{Header: schemas.Header{
		Module:     after.Doc.Module,
		Incomplete: before.Doc.Incomplete || after.Doc.Incomplete,
	}}
	was, is := invariantsByPoint(before.Doc), invariantsByPoint(after.Doc)
	lost := &schemas.Invariants{Header: before.Doc.Header}
	gained := &schemas.Invariants{Header: after.Doc.Header}
	for _, at := range unionOfPoints(was, is) {
		changes, refutable := diffPoint(at, was[at], is[at])
		out.Changes = append(out.Changes, changes...)
		addRefutable(lost, at, refutable["lost"])
		addRefutable(gained, at, refutable["gained"])
	}
	if err := addWitnesses(out.Changes, lost, after.Trace); err != nil {
		return nil, err
	}
	return out, addWitnesses(out.Changes, gained, before.Trace)
}

// addRefutable adds the invariants of a point to a document, unless there are none.
func addRefutable(doc *schemas.Invariants, at pointKey, list []schemas.Invariant) {
	if len(list) > 0 {
		p := schemas.Point{Func: at.fn, At: at.at, Invariants: list}
		doc.Points = append(doc.Points, p)
	}
}

// invariantsByPoint returns the invariants of a document by point.
func invariantsByPoint(doc *schemas.Invariants) map[pointKey][]schemas.Invariant {
	out := map[pointKey][]schemas.Invariant{}
	for _, p := range doc.Points {
		k := pointKey{p.Func, p.At}
		out[k] = append(append(out[k], p.Invariants...), p.Ambitious...)
	}
	return out
}

// unionOfPoints returns the points of two documents, sorted.
func unionOfPoints(a, b map[pointKey][]schemas.Invariant) []pointKey {
	var out []pointKey
	for k := range a {
		out = append(out, k)
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b pointKey) int {
		return cmp.Or(cmp.Compare(a.fn, b.fn), cmp.Compare(a.at, b.at))
	})
	return out
}

// diffPoint compares the invariants of a point. It pairs two that only one side has if one follows
// from the other. refutable has, under "lost", the old invariants that the new trace may
// contradict, and under "gained" the new ones that the old trace may contradict.
func diffPoint(at pointKey, was, is []schemas.Invariant) (
	changes []schemas.Change, refutable map[string][]schemas.Invariant) {
	refutable = map[string][]schemas.Invariant{}
	old, fresh := notIn(was, is), notIn(is, was)
	taken := make([]bool, len(fresh))
	add := func(kind schemas.ChangeKind, o, n *schemas.Invariant) {
		c := schemas.Change{Func: at.fn, At: at.at, Kind: kind}
		if o != nil {
			c.Old = o.Expr
		}
		if n != nil {
			c.New = n.Expr
		}
		if kind == schemas.Vanished || kind == schemas.Weakened {
			refutable["lost"] = append(refutable["lost"], *o)
		} else {
			refutable["gained"] = append(refutable["gained"], *n)
		}
		changes = append(changes, c)
	}
	for i := range old {
		o := &old[i]
		kind, match := schemas.Vanished, -1
		for j := range fresh {
			n := &fresh[j]
			if taken[j] || !sameNames(o.Vars, n.Vars) {
				continue
			}
			if entails(o, n) {
				kind, match = schemas.Weakened, j
				break
			}
			if match < 0 && entails(n, o) {
				kind, match = schemas.Strengthened, j
			}
		}
		switch {
		case match >= 0:
			taken[match] = true
			add(kind, o, &fresh[match])
		case !followsFrom(o, is): // otherwise is still implies it
			add(schemas.Vanished, o, nil)
		}
	}
	for j := range fresh {
		if n := &fresh[j]; !taken[j] && !followsFrom(n, was) {
			add(schemas.Appeared, nil, n)
		}
	}
	return changes, refutable
}

// sameNames reports whether two lists have the same names, in any order.
func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// notIn returns the invariants of a list whose expressions another list does not have.
func notIn(list, other []schemas.Invariant) (out []schemas.Invariant) {
	has := map[string]bool{}
	for _, inv := range other {
		has[inv.Expr] = true
	}
	for _, inv := range list {
		if !has[inv.Expr] {
			out = append(out, inv)
		}
	}
	return out
}

// followsFrom reports whether an invariant follows from one of a list.
func followsFrom(inv *schemas.Invariant, list []schemas.Invariant) bool {
	return slices.ContainsFunc(list, func(other schemas.Invariant) bool {
		return entails(&other, inv)
	})
}

// entails reports whether b follows from a, as far as expr.Entails can tell. An invariant that
// cannot be parsed follows from itself only.
func entails(a, b *schemas.Invariant) bool {
	if a.Expr == b.Expr {
		return true
	}
	x, errX := expr.Parse(a.Expr)
	y, errY := expr.Parse(b.Expr)
	return errX == nil && errY == nil && expr.Entails(x, y)
}

// addWitnesses sets the witnesses of changes to calls in a trace that contradict the refutable
// invariants.
func addWitnesses(changes []schemas.Change, refutable *schemas.Invariants, trace Source) error {
	if trace == nil || len(refutable.Points) == 0 {
		return nil
	}
	t, err := trace()
	if err != nil {
		return err
	}
	found, _, err := Violations(refutable, t)
	if err != nil {
		return err
	}
	by := map[pointKey]map[string]*Violation{}
	for _, v := range found {
		k := pointKey{v.Func, v.At}
		if by[k] == nil {
			by[k] = map[string]*Violation{}
		}
		by[k][v.Invariant.Expr] = v
	}
	for i := range changes {
		c := &changes[i]
		stronger := c.Old
		if c.Kind == schemas.Appeared || c.Kind == schemas.Strengthened {
			stronger = c.New
		}
		if v := by[pointKey{c.Func, c.At}][stronger]; v != nil && c.Witness == nil {
			c.Witness = &schemas.Witness{Test: v.Test, Values: v.Values, Samples: v.Samples}
		}
	}
	return nil
}

// ShowChanges writes changes as text. A minus precedes an old invariant, a plus a new one.
func ShowChanges(w io.Writer, d *schemas.Changes) error {
	var out strings.Builder
	last := pointKey{}
	for _, c := range d.Changes {
		if at := (pointKey{c.Func, c.At}); at != last {
			if last.fn != "" {
				out.WriteByte('\n')
			}
			fmt.Fprintf(&out, "%s, %s\n", c.Func, pointName(c.At))
			last = at
		}
		switch c.Kind {
		case schemas.Appeared:
			fmt.Fprintf(&out, "  + %s\n", c.New)
		case schemas.Vanished:
			fmt.Fprintf(&out, "  - %s\n", c.Old)
		default:
			fmt.Fprintf(&out, "  - %s\n  + %s  (%s)\n", c.Old, c.New, c.Kind)
		}
		if x := c.Witness; x != nil {
			verb := "refuted by"
			if c.Kind == schemas.Appeared || c.Kind == schemas.Strengthened {
				verb = "contradicted before by"
			}
			text := fmt.Sprintf("      %s %s", verb, plural(x.Samples, "call"))
			if x.Test != "" {
				text += " in " + shortTest(x.Test)
			}
			if len(x.Values) > 0 {
				text += ": " + strings.Join(x.Values, ", ")
			}
			fmt.Fprintln(&out, text)
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
