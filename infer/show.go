package infer

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/schemas"
)

// Show writes a document as text: for each function the invariants of its entry and its return, and
// for each type its invariants, which are not repeated for its methods. It shows functions whose
// names contain match. A question mark precedes an invariant that check does not assume. With
// panics, Show writes only what distinguishes the calls that panicked.
//
// Errors: no function's name contains match; those of w.
func Show(w io.Writer, doc *schemas.Invariants, match string, panics bool) error {
	out := bufio.NewWriter(w)
	last := ""
	ofType := map[string]map[string]bool{} // by type: the expressions of its invariants
	for _, p := range doc.Points {
		if p.At == schemas.AtType {
			ofType[p.Func] = map[string]bool{}
			for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
				ofType[p.Func][inv.Expr] = true
			}
		}
	}
	for _, p := range doc.Points {
		if !strings.Contains(p.Func, match) || panics && p.At != schemas.AtPanic {
			continue
		}
		if p.Func != last {
			if last != "" {
				fmt.Fprintln(out)
			}
			fmt.Fprintln(out, p.Func)
			last = p.Func
		}
		fmt.Fprintf(out, "  %s, %s\n", pointName(p.At), plural(p.Samples, "call"))
		list := slices.Concat(p.Invariants, p.Ambitious)
		if typ, ok := typeOf(p.Func); ok && p.At != schemas.AtType {
			list = slices.DeleteFunc(list, func(inv schemas.Invariant) bool {
				return ofType[typ][inv.Expr]
			})
		}
		if len(list) == 0 {
			fmt.Fprintln(out, "      no invariants of its own")
		}
		for _, inv := range list {
			mark := " "
			if !inv.Assumed {
				mark = "?"
			}
			fmt.Fprintf(out, "    %s %s\n", mark, inv.Expr)
		}
	}
	if last == "" && panics {
		fmt.Fprintln(out, "no function panicked in the tests")
	} else if last == "" && match != "" {
		return fmt.Errorf("no function's name contains %q", match)
	}
	return out.Flush()
}

// pointNames maps program points to their names in texts.
var pointNames = map[schemas.At]string{
	schemas.AtEntry: "on entry",
	schemas.AtExit:  "on return",
	schemas.AtPanic: "on panic",
	schemas.AtType:  "always",
}

// pointName returns the name of a program point. An exit may have a number: Daikon has one for each
// return.
func pointName(at schemas.At) string {
	if name, ok := pointNames[at]; ok {
		return name
	}
	return "on return " + strings.TrimPrefix(string(at), string(schemas.AtExit))
}

// plural returns a number with its noun.
func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
