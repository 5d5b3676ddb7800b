package compose

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// A recorded closure is written as its function literal, copied from the source, after variables
// that hold what it captured. Where the test cannot repeat the literal, a function that returns zero
// values stands in for it, and the test says so.

// lostClosure is the entry of Test.Lost for a closure that the test could not copy.
const lostClosure = "a closure, in place of which a function returns zero values"

// functionLiteral is a function literal in the source.
type functionLiteral struct {
	pkg *source.Package
	src []byte // of the file
	lit *ast.FuncLit
}

// closure returns the expression for the closure of object i, of type t.
func (w *writer) closure(i int, t types.Type, sig *types.Signature) string {
	n := &w.ce.Objects[i]
	if w.vars[i] != "" || !w.cyclic[i] {
		return w.shared(i, func() string {
			return w.copied(n, sig, func(v *types.Var, name string) string {
				return w.variable(name, w.captured(n, v), v.Type())
			})
		})
	}
	f := w.name("f")
	w.vars[i] = f
	w.emit("var %s %s", f, w.typ(t))
	names := map[*types.Var]string{}
	var order []*types.Var
	w.emit("%s = %s", f, w.copied(n, sig, func(v *types.Var, name string) string {
		names[v], order = w.name(name), append(order, v)
		w.emit("var %s %s", names[v], w.typ(v.Type()))
		return names[v]
	}))
	for _, v := range order { // what they hold may lead to the closure
		if e := w.captured(n, v); !isZero(e, v.Type()) {
			w.emit("%s = %s", names[v], e)
		}
	}
	return f
}

// captured returns the expression for what a closure had in variable v.
func (w *writer) captured(n *schemas.Node, v *types.Var) string {
	part := &schemas.Node{}
	for i := range n.Fields {
		if n.Fields[i].Name == v.Name() {
			part = &n.Fields[i].Node
		}
	}
	return w.value(part, v.Type(), true)
}

// copied returns the function literal of a closure. For each variable that it captured, declare
// declares one of a name that is free, and returns its name.
func (w *writer) copied(
	n *schemas.Node, sig *types.Signature, declare func(v *types.Var, name string) string,
) string {
	lines, vars := len(w.lines), slices.Clone(w.vars)
	text, err := w.tryCopy(n, sig, declare)
	if err != nil {
		w.lines, w.vars = w.lines[:lines], vars
		return w.stub(&schemas.Node{}, sig)
	}
	w.builtBy = schemas.ByLiteral
	return text
}

// tryCopy is copied, with an error where the test cannot repeat the literal.
func (w *writer) tryCopy(
	n *schemas.Node, sig *types.Signature, declare func(v *types.Var, name string) string,
) (text string, err error) {
	defer recoverError(&err)
	l := w.literalAt(n.Literal)
	if !types.Identical(l.pkg.Info.TypeOf(l.lit), sig) {
		fail("the function literal at %s has another type: "+sourceChanged, n.Literal)
	}
	renamed := map[types.Object]string{}
	inner := l.names()
	w.mustRepeat(l, inner)
	for _, v := range source.Captured(l.pkg.Info, l.lit) {
		if !w.file.Nameable(v.Type()) {
			fail("%s has a type that the test cannot name", v.Name())
		}
		free := v.Name()
		for inner[free] || !w.free(free) {
			free += "0"
		}
		renamed[v] = declare(v, free)
	}
	return w.copy(l, renamed), nil
}

// literalAt returns the function literal at a place (see schemas.Node.Literal).
func (w *writer) literalAt(at string) *functionLiteral {
	slash := strings.LastIndexByte(at, '/')
	parts := strings.Split(at[slash+1:], ":")
	if pkg := w.prog.Package(at[:max(slash, 0)]); pkg != nil && len(parts) == 3 {
		line, _ := strconv.Atoi(parts[1])
		column, _ := strconv.Atoi(parts[2])
		for i, file := range pkg.Files {
			if filepath.Base(pkg.Filenames[i]) != parts[0] {
				continue
			}
			var found *ast.FuncLit
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.FuncLit); ok {
					if p := w.prog.Fset.PositionFor(lit.Pos(), false); p.Line == line && p.Column == column {
						found = lit
					}
				}
				return found == nil
			})
			if found != nil {
				return &functionLiteral{pkg, pkg.Sources[i], found}
			}
		}
	}
	fail("there is no function literal at %s: "+sourceChanged, at)
	return nil
}

// names returns the names that a literal declares.
func (l *functionLiteral) names() map[string]bool {
	out := map[string]bool{}
	ast.Inspect(l.lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && l.pkg.Info.Defs[id] != nil {
			out[id.Name] = true
		}
		return true
	})
	return out
}

// outer visits the identifiers in a literal whose declarations are outside of it. Predeclared ones are left
// out.
func (l *functionLiteral) outer(visit func(id *ast.Ident, obj types.Object)) {
	ast.Inspect(l.lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := l.pkg.Info.Uses[id]
		if obj == nil || obj.Pkg() == nil || l.lit.Pos() <= obj.Pos() && obj.Pos() < l.lit.End() {
			return true
		}
		visit(id, obj)
		return true
	})
}

// qualified returns, for the names of packages in a literal, the names behind them.
func (l *functionLiteral) qualified() map[*ast.Ident]*ast.Ident {
	out := map[*ast.Ident]*ast.Ident{}
	ast.Inspect(l.lit, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				if _, ok := l.pkg.Info.Uses[x].(*types.PkgName); ok {
					out[x] = s.Sel
				}
			}
		}
		return true
	})
	return out
}

// mustRepeat fails unless the test can say all that a literal mentions. inner are the names that
// the literal declares.
func (w *writer) mustRepeat(l *functionLiteral, inner map[string]bool) {
	behind := l.qualified()
	qualified := map[*ast.Ident]bool{}
	for _, sel := range behind {
		qualified[sel] = true
	}
	here := w.fn.Pkg.Path
	l.outer(func(id *ast.Ident, obj types.Object) {
		if p, ok := obj.(*types.PkgName); ok {
			name := ""
			switch {
			case p.Imported().Path() == here:
				name = behind[id].Name
			case !w.file.Importable(p.Imported()):
				fail("%s cannot be imported by package %s", p.Imported().Path(), here)
			default:
				name = w.file.Use(p.Imported().Path(), p.Imported().Name())
			}
			if inner[name] {
				fail("%s means something else in the function literal", name)
			}
			return
		}
		v, isVar := obj.(*types.Var)
		f, isFunc := obj.(*types.Func)
		member := isVar && v.IsField() || isFunc && f.Signature().Recv() != nil
		global := obj.Parent() == obj.Pkg().Scope()
		switch {
		case member || obj.Pkg().Path() == here && global:
			if !obj.Exported() && obj.Pkg().Path() != here {
				fail("%s cannot be named in package %s", id.Name, here)
			}
		case qualified[id]:
		case global:
			pkg := w.importable(obj.Pkg().Path())
			if !obj.Exported() || pkg == nil || inner[w.file.Use(obj.Pkg().Path(), obj.Pkg().Name())] {
				fail("%s cannot be named in package %s", id.Name, here)
			}
		case !isVar:
			fail("%s is declared in a function", id.Name)
		}
	})
}

// copy returns the text of a literal that mustRepeat accepts, with variables renamed and packages
// named as the test does it.
func (w *writer) copy(l *functionLiteral, renamed map[types.Object]string) string {
	offset := func(p token.Pos) int { return w.prog.Fset.PositionFor(p, false).Offset }
	var edits overlay.Edits
	behind := l.qualified()
	l.outer(func(id *ast.Ident, obj types.Object) {
		text := renamed[obj]
		if p, ok := obj.(*types.PkgName); ok {
			if p.Imported().Path() == w.fn.Pkg.Path {
				edits.Replace(offset(id.Pos()), offset(behind[id].Pos()), "")
				return
			}
			text = w.file.Use(p.Imported().Path(), p.Imported().Name())
		} else if obj.Parent() == obj.Pkg().Scope() && obj.Pkg() == l.pkg.Types && l.pkg != w.fn.Pkg {
			text = w.file.Use(obj.Pkg().Path(), obj.Pkg().Name()) + "." + id.Name
		}
		if text != "" && text != id.Name {
			edits.Replace(offset(id.Pos()), offset(id.End()), text)
		}
	})
	return string(edits.Within(l.src, offset(l.lit.Pos()), offset(l.lit.End())))
}

// loadedClosures writes the function literals of closures for the loader, and returns them and
// pointers to what they captured as entries of the map of names.
func (w *writer) loadedClosures() (entries []string) {
	for i := range w.ce.Objects {
		n := &w.ce.Objects[i]
		if n.Literal == "" {
			continue
		}
		var pointers []string
		text, err := w.tryCopy(n, w.signatureAt(n.Literal), func(v *types.Var, name string) string {
			name = w.name(name)
			w.emit("var %s %s", name, w.typ(v.Type()))
			pointers = append(pointers, fmt.Sprintf("%q: &%s", fmt.Sprintf("closure %d %s", i, v.Name()), name))
			return name
		})
		if err != nil {
			w.lose(lostClosure)
			continue
		}
		f := w.name("f")
		w.emit("%s := %s", f, text)
		entries = append(append(entries, fmt.Sprintf("%q: %s", fmt.Sprintf("closure %d", i), f)), pointers...)
	}
	return entries
}

// signatureAt returns the type of the function literal at a place, nil if there is none.
func (w *writer) signatureAt(at string) (sig *types.Signature) {
	var err error
	func() {
		defer recoverError(&err)
		l := w.literalAt(at)
		sig, _ = l.pkg.Info.TypeOf(l.lit).(*types.Signature)
	}()
	return sig
}
