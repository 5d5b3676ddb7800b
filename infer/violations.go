package infer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/infer/invariant"
	"dsd/schemas"
)

// A Violation is an invariant that samples of a trace contradict.
type Violation struct {
	Func      string
	At        schemas.At
	Invariant schemas.Invariant
	// Samples is how many did, and Values what the invariant's variables were in the first of them, as the trace has them; Test is the first
	// test, by name, that made it, if that is known.
	Samples int64
	Values  []string
	Test    string
}

// Violations finds the invariants of a document that a trace contradicts, in the document's order. Points that the trace does not declare are
// not looked at; unknown are those invariants that cannot be judged, because the trace has other variables: each is told with the reason.
//
// Errors: those of reading, and a trace of another module.
func Violations(doc *schemas.Invariants, t *schemas.TraceReader) (found []*Violation, unknown []string, err error) {
	if doc.Module.Path != t.Header.Module.Path {
		return nil, nil, fmt.Errorf("%s: is a trace of module %s, and the invariants are of %s", t.Name(), t.Header.Module.Path, doc.Module.Path)
	}
	type check struct {
		*Violation
		cond   *invariant.Condition
		failed bool // it cannot be judged
	}
	of := map[int][]*check{}
	var all []*check
	for _, p := range doc.Points {
		for i, d := range t.Header.Points {
			if d.Func != p.Func || d.At != p.At {
				continue
			}
			for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
				j := &check{Violation: &Violation{Func: p.Func, At: p.At, Invariant: inv}}
				if j.cond, err = invariant.NewCondition(inv.Expr, d.Vars); err != nil {
					unknown = append(unknown, fmt.Sprintf("%s %s: %v", p.Func, p.At, err))
					continue
				}
				of[i] = append(of[i], j)
				all = append(all, j)
			}
		}
	}
	for {
		s, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if len(of[s.Point]) == 0 {
			continue
		}
		vars := t.Header.Points[s.Point].Vars
		values := make([]invariant.Value, len(vars))
		for i := range vars {
			values[i] = invariant.Parse(&vars[i], []byte(s.Values[i]))
		}
		for _, j := range of[s.Point] {
			if j.failed {
				continue
			}
			ok, err := j.cond.Holds(values)
			switch {
			case err != nil:
				unknown = append(unknown, fmt.Sprintf("%s %s: %s: %v", j.Func, j.At, j.Invariant.Expr, err))
				j.failed = true
			case !ok:
				if j.Samples += s.Count; j.Values == nil {
					j.Values = describeValues(j.Invariant.Vars, vars, s.Values)
					if s.Test > 0 {
						j.Test = t.Header.Witnesses[s.Test-1]
					}
				}
			}
		}
	}
	for _, j := range all {
		if j.Samples > 0 {
			found = append(found, j.Violation)
		}
	}
	return found, unknown, nil
}

// shown are the values of an invariant's variables in a sample: n is 3.
func describeValues(names []string, vars []schemas.TraceVar, values []string) []string {
	out := []string{}
	for _, name := range names {
		if i := strings.IndexByte(name, '['); i > 0 { // an element is shown with the others
			name = name[:i]
		}
		for i := len(vars) - 1; i >= 0; i-- { // of a sequence, its elements rather than whether it is nil
			if text := name + " is " + values[i]; vars[i].Name == name {
				if !slices.Contains(out, text) {
					out = append(out, text)
				}
				break
			}
		}
	}
	return out
}

// ShowViolations writes them for people, a line each below their function.
func ShowViolations(w io.Writer, list []*Violation) error {
	last := ""
	for _, v := range list {
		if head := v.Func + ", " + pointName(v.At); head != last {
			if _, err := fmt.Fprintln(w, head); err != nil {
				return err
			}
			last = head
		}
		why := ""
		if len(v.Values) > 0 {
			why = ": " + strings.Join(v.Values, ", ")
		}
		if v.Test != "" {
			why += " in " + shortTest(v.Test)
		}
		if _, err := fmt.Fprintf(w, "    %s  violated by %s%s\n", v.Invariant.Expr, plural(v.Samples, "call"), why); err != nil {
			return err
		}
	}
	return nil
}

// shortTest is a test's name without its package's path.
func shortTest(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
