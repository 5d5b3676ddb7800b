package infer

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/infer/invariant"
	"dsd/internal/format"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// A Violation is an invariant that samples of a trace contradict.
type Violation struct {
	Func      string
	At        schemas.At
	Invariant schemas.Invariant
	// Samples counts the contradicting samples.
	Samples int64
	// Values holds the invariant's variables in the first of them, such as "n is -1".
	Values []string
	// Test is the first test, by name, that made the first of them, or "" if it is not known.
	Test string
}

// Violations returns the invariants of a document that a trace contradicts, in the document's
// order. It ignores points that the trace does not declare. unknown lists the invariants that
// cannot be evaluated because the trace has different variables, with the reasons.
//
// Errors: those of reading, and a trace of another module.
func Violations(doc *schemas.Invariants, t *schemas.TraceReader) (
	found []*Violation, unknown []string, err error) {
	if doc.Module.Path != t.Header.Module.Path {
		return nil, nil, fmt.Errorf("%s: trace of module %s, want %s as in the invariants",
			t.Name(), t.Header.Module.Path, doc.Module.Path)
	}
	byPoint := map[int][]*check{} // by number in the trace
	var all []*check
	numbers := map[pointKey][]int{} // in the trace
	for i, d := range t.Header.Points {
		k := pointKey{d.Func, d.At}
		numbers[k] = append(numbers[k], i)
	}
	for _, p := range doc.Points {
		for _, i := range numbers[pointKey{p.Func, p.At}] {
			scope := invariant.NewScope(t.Header.Points[i].Vars)
			for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
				c := &check{Violation: &Violation{Func: p.Func, At: p.At, Invariant: inv}}
				if c.cond, err = scope.Condition(inv.Expr); err != nil {
					unknown = append(unknown, fmt.Sprintf("%s %s: %v", p.Func, p.At, err))
					continue
				}
				byPoint[i] = append(byPoint[i], c)
				all = append(all, c)
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
		if len(byPoint[s.Point]) == 0 {
			continue
		}
		vars := t.Header.Points[s.Point].Vars
		values := make([]invariant.Value, len(vars))
		for i := range vars {
			values[i] = invariant.Parse(&vars[i], []byte(s.Values[i]))
		}
		for _, c := range byPoint[s.Point] {
			if c.failed {
				continue
			}
			ok, err := c.cond.Holds(values)
			switch {
			case err != nil:
				reason := fmt.Sprintf("%s %s: %s: %v", c.Func, c.At, c.Invariant.Expr, err)
				unknown = append(unknown, reason)
				c.failed = true
			case !ok:
				if c.Samples += s.Count; c.Values == nil {
					c.Values = describeValues(c.Invariant.Vars, vars, s.Values)
					if s.Test > 0 {
						c.Test = t.Header.Witnesses[s.Test-1]
					}
				}
			}
		}
	}
	for _, c := range all {
		if c.Samples > 0 {
			found = append(found, c.Violation)
		}
	}
	return found, unknown, nil
}

// check is an invariant that Violations checks.
type check struct {
	*Violation
	cond   *invariant.Condition
	failed bool // cond cannot be evaluated
}

// describeValues returns the values of an invariant's variables in a sample, such as "n is 3". For
// an element it describes the sequence; if a sequence is also a reference, it describes the
// elements.
func describeValues(names []string, vars []schemas.TraceVar, values []string) []string {
	out := []string{}
	for _, name := range names {
		if i := strings.IndexByte(name, '['); i > 0 {
			name = name[:i]
		}
		for i := len(vars) - 1; i >= 0; i-- { // the elements come after the reference
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

// String says what is violated, by how many calls, and with which values.
func (v *Violation) String() string {
	text := v.Invariant.Expr + "  violated by " + plural(v.Samples, "call")
	if len(v.Values) > 0 {
		text += ": " + strings.Join(v.Values, ", ")
	}
	if v.Test != "" {
		text += " in " + shortTest(v.Test)
	}
	return text
}

// ShowViolations writes violations as text, one line each below the name of their function.
func ShowViolations(w io.Writer, list []*Violation) error {
	last := ""
	for _, v := range list {
		if head := v.head(); head != last {
			if _, err := fmt.Fprintln(w, head); err != nil {
				return err
			}
			last = head
		}
		if _, err := fmt.Fprintf(w, "    %s\n", v); err != nil {
			return err
		}
	}
	return nil
}

// head names the program point.
func (v *Violation) head() string { return v.Func + ", " + pointName(v.At) }

// AnnotateViolations writes, for each program point with violations, the workflow command of GitHub that
// annotates the line of its function, or of the package's first file if the function is not in prog, as
// methods of interfaces. relative makes positions relative to where the output is read.
func AnnotateViolations(w io.Writer, prog *source.Program, list []*Violation, relative func(pos string) string) error {
	positions := map[string]string{}
	for _, pkg := range prog.Packages {
		positions[pkg.Path] = prog.Pos(pkg.Files[0].Name.Pos())
		for _, f := range pkg.Funcs() {
			positions[f.Name] = prog.Pos(f.Decl.Name.Pos())
		}
	}
	for len(list) > 0 {
		n := 1
		lines := []string{list[0].String()}
		for n < len(list) && list[n].head() == list[0].head() {
			lines = append(lines, list[n].String())
			n++
		}
		v := list[0]
		pos := positions[v.Func]
		if pos == "" {
			pos = positions[symbol.Parse(v.Func).Package]
		}
		pos = relative(pos)
		title := plural(int64(n), "invariant") + " of " + v.head()
		text := format.Annotation(format.Warning, symbol.ParsePos(pos).File, pos, title, strings.Join(lines, "\n"))
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// shortTest returns the name of a test without the path of its package.
func shortTest(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
