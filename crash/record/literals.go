package record

import (
	"fmt"
	"go/ast"
	"path/filepath"

	"dsd/internal/source"
)

// literal is a function literal, with the fields of keep.Literal.
type literal struct {
	at, file string
	line     int
	captured []string
}

// literals inserts the code that reads captured variables (see keep.Captured) into the function literals of a
// file, and reports whether there are any. A literal that uses n and m begins with
//
//	if _dsd_rt.Asked.Load() { _dsd_c0 := m; _dsd_c1 := n; _dsd_rt.Captured(7, &_dsd_c0, &_dsd_c1) }
//
// The copies keep the variables' static types, and let them stay on the stack.
func (w *rewriter) literals(file *ast.File, name string) (found bool) {
	for _, d := range file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && source.Uninstrumentable(fd) != "" {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				found = true
				w.literal(lit, name)
			}
			return true
		})
	}
	return found
}

// literal inserts that code into one function literal. name is the absolute name of its file.
func (w *rewriter) literal(lit *ast.FuncLit, name string) {
	at := w.prog.Fset.PositionFor(lit.Pos(), false)
	l := literal{
		at:   fmt.Sprintf("%s/%s:%d:%d", w.pkg.Path, filepath.Base(name), at.Line, at.Column),
		file: filepath.ToSlash(name), line: at.Line,
	}
	copies, pointers := "", ""
	for i, v := range source.Captured(w.pkg.Info, lit) {
		l.captured = append(l.captured, v.Name())
		name := v.Name()
		if w.renamed[v] != "" {
			name = w.renamed[v]
		}
		copies += fmt.Sprintf("_dsd_c%d := %s; ", i, name)
		pointers += fmt.Sprintf(", &_dsd_c%d", i)
	}
	w.e.Insert(w.offset(lit.Body.Lbrace)+1, fmt.Sprintf(" if %[1]s.Asked.Load() { %[2]s%[1]s.Captured(%[3]d%[4]s) }; ",
		rtName, copies, len(*w.lits), pointers))
	*w.lits = append(*w.lits, l)
}
