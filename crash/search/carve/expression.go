package carve

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
	"dsd/crash/search/paramgraph"
)

// maxExpression is the length of the longest expression that becomes an operation, in bytes.
const maxExpression = 2000

// expression adds an expression that depends on no variable, with the text of the source.
func (w *walker) expression(x ast.Expr, t types.Type) (int, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if ok && b.Info()&types.IsUntyped != 0 || !w.c.closed(x) {
		return 0, false
	}
	text, names := w.c.text(x)
	if text == "" || len(text) > maxExpression {
		return 0, false
	}
	k := "expr " + key(t) + " " + text
	if _, ok := w.c.added[k]; !ok {
		if w.c.expressions++; w.c.expressions > maxExpressions {
			return 0, false
		}
	}
	// An element of a composite literal may leave out its type.
	lit, _ := x.(*ast.CompositeLit)
	untyped := lit != nil && lit.Type == nil
	o := w.c.op(k, t, func(own types.Type) *candidate.Op {
		typ := w.c.graphType(w.c.info.TypeOf(x))
		if typ == nil {
			return nil
		}
		o := candidate.Expression(own, func(f *gofile.File) string {
			out := oneLine(qualify(text, names, f))
			if p, ok := typ.(*types.Pointer); ok && untyped {
				return "&" + f.Type(p.Elem()) + out
			} else if untyped {
				return f.Type(typ) + out
			}
			return out
		}, "from a test")
		o.Internal = w.c.internal(x)
		return o
	})
	if o == nil {
		return 0, false
	}
	return w.add(stmt{op: o}), true
}

// closed reports whether an expression means the same outside of its function and file. It may name
// only what is predeclared, what it declares itself, what importable packages export, and what the
// package declares outside its tests.
func (c *carver) closed(x ast.Expr) bool {
	ok := true
	own := map[types.Object]bool{}
	ast.Inspect(x, func(n ast.Node) bool {
		id, is := n.(*ast.Ident)
		if !is {
			return ok
		}
		if obj := c.info.Defs[id]; obj != nil {
			own[obj] = true
			return ok
		}
		obj := c.info.Uses[id]
		switch {
		case obj == nil:
			ok = id.Name == "_" || types.Universe.Lookup(id.Name) != nil
		case own[obj] || obj.Pkg() == nil:
		case obj.Parent() != nil && obj.Parent() == obj.Pkg().Scope():
			ok = ok && c.reachable(obj)
		default:
			switch o := obj.(type) {
			case *types.PkgName:
				ok = ok && c.mayImport(o.Imported())
			case *types.Var:
				ok = ok && o.IsField()
			case *types.Func, *types.Label: // methods, and labels of function literals
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

// internal reports whether an expression names what the package does not export, in place of which
// users of the package have nothing.
func (c *carver) internal(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := c.info.Uses[id]
			if obj == nil || obj.Pkg() == nil || obj.Exported() {
				return true
			}
			v, _ := obj.(*types.Var)
			method, _ := obj.(*types.Func)
			found = found || obj.Parent() == obj.Pkg().Scope() || v != nil && v.IsField() ||
				method != nil && method.Signature().Recv() != nil
		}
		return !found
	})
	return found
}

// mayImport reports whether candidates may use a package. They may use values of package time, such
// as durations, though its functions are not called.
func (c *carver) mayImport(p *types.Package) bool {
	path := p.Path()
	return path == c.b.Pkg.Path || path == "time" ||
		c.b.File.Importable(p) && !paramgraph.Uncallable[path]
}

// reachable reports whether a package-level object can be named without the test files.
func (c *carver) reachable(obj types.Object) bool {
	path := obj.Pkg().Path()
	if path != c.b.Pkg.Path && path != c.b.Pkg.Path+"_test" {
		return obj.Exported()
	}
	return path == c.b.Pkg.Path && c.b.Pkg.Types.Scope().Lookup(obj.Name()) != nil
}

// pkgName is a place in the text of an expression that names a package.
type pkgName struct {
	from, to   int // byte offsets of the name with its dot
	path, name string
}

// text returns the text of an expression and the places where it names packages, "" if the source
// is not known.
func (c *carver) text(x ast.Expr) (string, []pkgName) {
	start := c.fset.Position(x.Pos())
	src, ok := c.src[start.Filename]
	end := c.fset.Position(x.End()).Offset
	if !ok || end > len(src) {
		return "", nil
	}
	offset := func(p token.Pos) int { return c.fset.Position(p).Offset - start.Offset }
	var names []pkgName
	ast.Inspect(x, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if p, ok := c.info.Uses[id].(*types.PkgName); ok {
				names = append(names, pkgName{
					offset(id.Pos()), offset(sel.Sel.Pos()),
					p.Imported().Path(), p.Imported().Name(),
				})
			}
		}
		return true
	})
	sort.Slice(names, func(i, j int) bool { return names[i].from < names[j].from })
	return string(src[start.Offset:end]), names
}

// qualify returns the text of an expression with the names that a file has for its packages.
func qualify(text string, names []pkgName, f *gofile.File) string {
	var out strings.Builder
	at := 0
	for _, n := range names {
		out.WriteString(text[at:n.from])
		if n.path != f.Pkg.Path() {
			out.WriteString(f.Use(n.path, n.name) + ".")
		}
		at = n.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// oneLine returns Go source as one line: each operation of the table takes one line of a file.
func oneLine(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var s scanner.Scanner
	var fset token.FileSet
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), nil, 0)
	var out strings.Builder
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.TrimSuffix(strings.TrimSpace(out.String()), ";")

		case tok == token.SEMICOLON:
			out.WriteString("; ")

		case tok == token.STRING && strings.Contains(lit, "\n"):
			out.WriteString(strconv.Quote(lit[1:len(lit)-1]) + " ")

		case tok == token.PERIOD: // the name of a package is recognized by the dot after it
			joined := strings.TrimSuffix(out.String(), " ") + "."
			out.Reset()
			out.WriteString(joined)

		case tok.IsLiteral():
			out.WriteString(lit + " ")

		default:
			out.WriteString(tok.String() + " ")
		}
	}
}
