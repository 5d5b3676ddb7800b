package gofile

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxLine is the length of a line, in columns, from which on it is broken, and tab the
	// number of columns that a tab takes.
	maxLine = 100
	tab     = 8
	// maxText is the length of a part, in bytes, of a long string.
	maxText = 70
	// maxRounds bounds how deep literals in literals are broken.
	maxRounds = 8
)

// Format formats a file as gofmt -s does to composite literals. It breaks lines that are too long at the elements of the
// outermost composite literal in them, and long strings into parts.
func Format(src []byte) ([]byte, error) {
	out, err := format.Source(src)
	if err != nil {
		return nil, err
	}
	if simple, err := format.Source(withoutTypes(out)); err == nil {
		out = simple
	}
	for range maxRounds {
		broken := breakLines(out)
		if broken == nil {
			break
		}
		next, err := format.Source(broken)
		if err != nil {
			break // as it was
		}
		out = next
	}
	return out, nil
}

// insertion is a text to insert at an offset, in place of del bytes.
type insertion struct {
	at, del int
	text    string
}

// breakLines breaks each line that is too long, once; nil if there is nothing to break.
func breakLines(src []byte) []byte {
	if !slices.ContainsFunc(strings.Split(string(src), "\n"), tooLong) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return nil
	}
	lines := strings.Split(string(src), "\n")
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	long := func(n ast.Node) bool {
		line := fset.Position(n.Pos()).Line
		return line == fset.Position(n.End()).Line && tooLong(lines[line-1])
	}
	var list []insertion
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false // paths and tags cannot be broken
		case *ast.CompositeLit:
			if len(n.Elts) == 0 || !long(n) || !longest(n) {
				return true
			}
			list = append(list, elements(src, n, offset)...)
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING && n.Value[0] == '"' && len(n.Value) > 2*maxText && long(n) {
				if text := parts(n.Value); text != "" {
					list = append(list, insertion{offset(n.Pos()), len(n.Value), text})
				}
			}
		}
		return true
	})
	if len(list) == 0 {
		return nil
	}
	return apply(src, list)
}

// apply makes changes, which are sorted.
func apply(src []byte, list []insertion) (out []byte) {
	at := 0
	for _, x := range list {
		out = append(append(out, src[at:x.at]...), x.text...)
		at = x.at + x.del
	}
	return append(out, src[at:]...)
}

// withoutTypes removes the types of the elements of composite literals where the type of the literal
// around them says as much.
func withoutTypes(src []byte) []byte {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return src
	}
	var list []insertion
	drop := func(want ast.Expr, x ast.Expr) {
		begin := x.Pos()
		if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
			star, ok := want.(*ast.StarExpr)
			if !ok {
				return
			}
			want, x = star.X, u.X
		}
		lit, ok := x.(*ast.CompositeLit)
		if ok && lit.Type != nil && types.ExprString(lit.Type) == types.ExprString(want) {
			list = append(list, insertion{at: fset.Position(begin).Offset, del: int(lit.Lbrace - begin)})
		}
	}
	// elided is the type of the literals without a type, by the literal.
	elided := map[*ast.CompositeLit]ast.Expr{}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		t := lit.Type
		if t == nil {
			t = elided[lit]
		}
		var key, elem ast.Expr
		switch t := t.(type) {
		case *ast.ArrayType:
			elem = t.Elt
		case *ast.MapType:
			key, elem = t.Key, t.Value
		default:
			return true
		}
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if key != nil {
					drop(key, kv.Key)
				}
				x = kv.Value
			}
			drop(elem, x)
			if inner, ok := x.(*ast.CompositeLit); ok && inner.Type == nil {
				elided[inner] = elem
			}
		}
		return true
	})
	slices.SortFunc(list, func(a, b insertion) int { return a.at - b.at })
	return apply(src, list)
}

// tooLong reports whether a line has too many columns. Comments are left as they are.
func tooLong(line string) bool {
	rest := strings.TrimLeft(line, "\t")
	return len(rest)+tab*(len(line)-len(rest)) > maxLine && !strings.HasPrefix(rest, "//")
}

// longest reports whether no element takes most of a literal: that one is broken instead.
func longest(n *ast.CompositeLit) bool {
	for _, e := range n.Elts {
		if len(n.Elts) == 1 || e.End()-e.Pos() > (n.Rbrace-n.Lbrace)*3/4 {
			inner := false
			ast.Inspect(e, func(m ast.Node) bool {
				c, ok := m.(*ast.CompositeLit)
				inner = inner || ok && len(c.Elts) > 1
				return !inner
			})
			return !inner
		}
	}
	return true
}

// elements puts the elements of a literal on lines of their own; many plain ones share a line.
func elements(src []byte, n *ast.CompositeLit, offset func(token.Pos) int) (out []insertion) {
	out = append(out, insertion{at: offset(n.Lbrace) + 1, text: "\n"})
	width := 0
	for i, e := range n.Elts {
		end := offset(e.End())
		if i == len(n.Elts)-1 {
			out = append(out, insertion{end, offset(n.Rbrace) - end, ",\n"})
			break
		}
		_, plain := e.(*ast.BasicLit)
		if width += int(e.End()-e.Pos()) + 2; plain && width < maxText {
			continue
		}
		comma := end + strings.IndexByte(string(src[end:offset(n.Rbrace)]), ',')
		out = append(out, insertion{at: comma + 1, text: "\n"})
		width = 0
	}
	return out
}

// parts writes a string literal as a sum of shorter ones, each on a line of its own; "" if it cannot.
func parts(literal string) string {
	text, err := strconv.Unquote(literal)
	if err != nil {
		return ""
	}
	var out []string
	part := ""
	for len(text) > 0 {
		size := 1
		for size < len(text) && size < 4 && text[size]&0xc0 == 0x80 { // keep characters whole
			size++
		}
		r := text[:size]
		if part != "" && len(strconv.Quote(part+r)) > maxText {
			out = append(out, strconv.Quote(part))
			part = ""
		}
		part += r
		text = text[size:]
	}
	return strings.Join(append(out, strconv.Quote(part)), " +\n")
}

// Body returns the text between the braces of a function without results in a formatted file.
func Body(src, name string) string {
	_, rest, _ := strings.Cut(src, "\nfunc "+name+"(")
	_, rest, _ = strings.Cut(rest, "\n")
	body, _, _ := strings.Cut(rest, "\n}")
	return body
}
