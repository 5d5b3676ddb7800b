package infer

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// Annotate writes the files of the program that declare functions with invariants, each after a line
// "-- name --". Above the declaration of a function stand, as comments, the invariants of its entry and
// its return, with their IDs. A question mark precedes one that check does not assume. match limits them
// to functions whose names contain it.
//
// Errors: no function of prog.Packages whose name contains match has invariants; those of w.
func Annotate(w io.Writer, prog *source.Program, doc *schemas.Invariants, match string) error {
	comments := map[string]string{}
	for _, p := range doc.Points {
		if !strings.Contains(p.Func, match) || p.At == schemas.AtType || p.At == schemas.AtPanic {
			continue
		}
		var b strings.Builder
		for _, inv := range slices.Concat(p.Invariants, p.Ambitious) {
			mark := " "
			if !inv.Assumed {
				mark = "?"
			}
			fmt.Fprintf(&b, "//  %s %-5s %s\n", mark, inv.ID, inv.Expr)
		}
		if b.Len() > 0 {
			comments[p.Func] += fmt.Sprintf("// %s, %s:\n%s", pointName(p.At), plural(p.Samples, "call"), b.String())
		}
	}
	out := bufio.NewWriter(w)
	written := false
	for _, pkg := range prog.Packages {
		funcs := pkg.Funcs()
		for i, file := range pkg.Files {
			var e overlay.Edits
			n := 0
			for _, f := range funcs {
				text := comments[f.Name]
				if text == "" || f.Decl.Pos() < file.Pos() || f.Decl.Pos() > file.End() {
					continue
				}
				start := f.Decl.Pos()
				if f.Decl.Doc != nil {
					start = f.Decl.Doc.Pos()
					text += "//\n"
				}
				e.Insert(prog.Fset.PositionFor(start, false).Offset, text)
				n++
			}
			if n > 0 {
				fmt.Fprintf(out, "-- %s --\n%s", prog.Rel(pkg.Filenames[i]), e.Apply(pkg.Sources[i]))
				written = true
			}
		}
	}
	if !written {
		return fmt.Errorf("no function of these packages whose name contains %q has invariants", match)
	}
	return out.Flush()
}
