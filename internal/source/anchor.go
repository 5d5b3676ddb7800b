package source

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// An anchor is a declaration of a file: a function, or a specification in a group. Positions inside,
// counted from its first line, stay the same when code around the declaration changes.
type anchor struct {
	name     string // unique in the program
	pos, end token.Pos
}

// anchors are the declarations of a program.
type anchors struct {
	sorted []anchor // by position
	byName map[string]token.Pos
}

// Anchored returns a position relative to the declaration around it, for ResolveAnchored.
func (p *Program) Anchored(pos token.Pos) string {
	p.anchorsOnce.Do(p.findAnchors)
	list := p.anchors.sorted
	i, found := slices.BinarySearchFunc(list, pos, func(a anchor, pos token.Pos) int {
		return cmp.Compare(a.pos, pos)
	})
	if !found {
		i--
	}
	if i < 0 || pos > list[i].end {
		return "=" + p.Pos(pos)
	}
	from, at := p.Fset.PositionFor(list[i].pos, false), p.Fset.PositionFor(pos, false)
	return fmt.Sprintf("%s+%d:%d", list[i].name, at.Line-from.Line, at.Column)
}

// ResolveAnchored returns the position, as Pos writes it, that Anchored has returned of this program or of
// one in which the declaration was the same; ok is false if there is no such declaration.
func (p *Program) ResolveAnchored(s string) (pos string, ok bool) {
	if pos, ok := strings.CutPrefix(s, "="); ok {
		return pos, true
	}
	p.anchorsOnce.Do(p.findAnchors)
	i := strings.LastIndexByte(s, '+')
	if i < 0 {
		return "", false
	}
	start, ok := p.anchors.byName[s[:i]]
	line, column, _ := strings.Cut(s[i+1:], ":")
	n, err := strconv.Atoi(line)
	if !ok || err != nil {
		return "", false
	}
	at := p.Fset.PositionFor(start, false)
	return fmt.Sprintf("%s:%d:%s", p.Rel(at.Filename), at.Line+n, column), true
}

// findAnchors fills anchors.
func (p *Program) findAnchors() {
	p.anchors.byName = map[string]token.Pos{}
	count := map[string]int{}
	add := func(pkg *Package, name string, n ast.Node) {
		name = pkg.Path + "." + name
		if count[name]++; count[name] > 1 { // init, _
			name = fmt.Sprintf("%s#%d", name, count[name])
		}
		p.anchors.byName[name] = n.Pos()
		p.anchors.sorted = append(p.anchors.sorted, anchor{name, n.Pos(), n.End()})
	}
	for _, pkg := range p.All {
		for _, file := range pkg.Files {
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					name := d.Name.Name
					if d.Recv != nil && len(d.Recv.List) == 1 {
						name = receiverText(d.Recv.List[0].Type) + "." + name
					}
					add(pkg, name, d)
				case *ast.GenDecl:
					for _, s := range d.Specs {
						switch s := s.(type) {
						case *ast.ValueSpec:
							add(pkg, s.Names[0].Name, s)
						case *ast.TypeSpec:
							add(pkg, s.Name.Name, s)
						}
					}
				}
			}
		}
	}
	slices.SortFunc(p.anchors.sorted, func(a, b anchor) int { return cmp.Compare(a.pos, b.pos) })
}

// receiverText returns the name of a receiver's type.
func receiverText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverText(e.X)
	case *ast.ParenExpr:
		return receiverText(e.X)
	case *ast.IndexExpr:
		return receiverText(e.X)
	case *ast.IndexListExpr:
		return receiverText(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
