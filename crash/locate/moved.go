package locate

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
)

// fitOld looks for the statement of a frame whose text is of another version: in the build's function of the same
// name, whatever its file, the line with the same source. Of several such lines it takes the one with as many before it,
// if the function has as many as it had, otherwise the one that moved least within the function. It reports whether it
// set the position, or the misfit of a line that is gone; false if the version's source does not tell, and the position
// has to be tried as it is.
func (l *locator) fitOld(f *stacktrace.Located, name symbol.Name, dir, base string) bool {
	if l.old == nil {
		return false
	}
	text, version := l.old(f.Module, f.Frame, l.rel(f, filepath.Join(dir, base)))
	if version == "" {
		return false
	}
	was := l.parseText(base, text)
	if was.syntax == nil {
		return false
	}
	then := l.enclosing(was.syntax, f.Line)
	if then == nil || !slices.Contains(name.Declared(), then.Name.Name) {
		return false
	}
	source := strings.TrimSpace(was.lines[f.Line-1])
	before := l.same(was, then, source)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		is := l.parse(filepath.Join(dir, e.Name()))
		now := l.declaration(is, declared(then))
		if now == nil {
			continue
		}
		f.Decl = declared(now)
		at := l.same(is, now, source)
		if source == "" || len(at) == 0 {
			f.Misfit = fmt.Sprintf("%s has %q at line %d in %s, and not in the build", f.Decl, source, f.Line, version)
			return true
		}
		line := at[0]
		moved := l.fset.Position(now.Pos()).Line - l.fset.Position(then.Pos()).Line
		for i, n := range at {
			if len(at) == len(before) && before[i] == f.Line {
				line = n
				break
			}
			if len(at) != len(before) && abs(n-f.Line-moved) < abs(line-f.Line-moved) {
				line = n
			}
		}
		pos := symbol.Pos{File: l.rel(f, filepath.Join(dir, e.Name())), Line: line}
		l.setPos(f, is, pos)
		if f.Pos.IsValid() && (line != f.Line || e.Name() != base) {
			f.Assumed = fmt.Sprintf("%s:%d of %s is %s of the build, by its source %q", base, f.Line, version, pos, source)
		}
		return true
	}
	return false
}

// same returns the lines of a function whose source is the given one, without indentation.
func (l *locator) same(f *file, fn *ast.FuncDecl, source string) (lines []int) {
	first, last := l.fset.Position(fn.Pos()).Line, l.fset.Position(fn.End()).Line
	for n := first; n <= min(last, len(f.lines)); n++ {
		if strings.TrimSpace(f.lines[n-1]) == source {
			lines = append(lines, n)
		}
	}
	return lines
}

// declaration returns the declaration of the function in a file, nil if it has none.
func (l *locator) declaration(f *file, name string) *ast.FuncDecl {
	if f.syntax == nil {
		return nil
	}
	for _, d := range f.syntax.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && declared(fd) == name {
			return fd
		}
	}
	return nil
}

func abs(n int) int { return max(n, -n) }
