package infer

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/schemas"
)

// Show writes a document for people: each function with what held when it was entered and when it returned, and each type with what held of it
// always, which is not repeated of its methods. Only functions whose names contain match are shown. What check does not assume is marked with
// a question mark. With panics, only what functions were called with when they panicked, and not otherwise.
func Show(w io.Writer, doc *schemas.Invariants, match string, panics bool) error {
	out := bufio.NewWriter(w)
	last := ""
	always := map[string]map[string]bool{} // by type: what is not repeated of its methods
	for _, p := range doc.Points {
		if p.At == schemas.AtType {
			always[p.Func] = map[string]bool{}
			for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
				always[p.Func][inv.Expr] = true
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
			list = slices.DeleteFunc(list, func(inv schemas.Invariant) bool { return always[typ][inv.Expr] })
		}
		if len(list) == 0 {
			fmt.Fprintln(out, "      nothing of its own held always")
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

// places are what program points are called.
var pointNames = map[schemas.At]string{schemas.AtEntry: "on entry", schemas.AtExit: "on return", schemas.AtPanic: "on panic", schemas.AtType: "always"}

// placeName is what a program point is called.
func pointName(at schemas.At) string {
	if name, ok := pointNames[at]; ok {
		return name
	}
	return "on return " + strings.TrimPrefix(string(at), string(schemas.AtExit)) // one of several ways out
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
