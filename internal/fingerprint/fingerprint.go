// Package fingerprint names panics so that the name survives changes elsewhere.
//
// A position changes whenever a line is added above it, and an ID whenever something else is found. What a fault is
// does not: a kind of panic, in a statement, of a function, in calls of a function. So that is what a fingerprint
// is made of:
//
//   - the kind, and the function that is analyzed or called;
//   - the declaration around the panic, by its name, without the file that it is in;
//   - the statement's own tokens, without comments, line breaks and what is nested in it: the bodies of an if
//     statement or a function literal;
//   - its place among the equal statements of that declaration;
//   - if the column is known, the token of the statement that it is.
//
// Two panics of one document that have all this in common are told apart by their order (NumberWarnings, NumberCrashes).
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// length is the number of hexadecimal digits of a fingerprint.
const length = 16

// Sites finds the statements of a program. It must not be used by several goroutines at the same time.
type Sites struct {
	prog  *source.Program
	files map[string]*file // by the name that positions have
	decls map[ast.Node][]*statement
}

// file is a file of the program.
type file struct {
	pkg    *source.Package
	syntax *ast.File
	text   []byte
}

// statement is a statement, or a specification of variables, with its own tokens.
type statement struct {
	node   ast.Node
	tokens []tok
	text   string // the tokens, separated by spaces
	// place is that among the equal statements of the declaration, from 0 on.
	place int
}

// tok is a token and where it begins.
type tok struct {
	offset int // in the file
	text   string
}

// New returns the sites of a program.
func New(prog *source.Program) *Sites {
	s := &Sites{prog: prog, files: map[string]*file{}, decls: map[ast.Node][]*statement{}}
	for _, pkg := range prog.All {
		for i, f := range pkg.Files {
			s.files[prog.Rel(pkg.Filenames[i])] = &file{pkg, f, pkg.Sources[i]}
		}
	}
	return s
}

// Of returns the fingerprint of a panic of a kind at a position, as documents write it, with or without a
// column, in a call of function fn. A position outside of the program, in another module, counts by its file
// without the module's version.
func (s *Sites) Of(kind schemas.Kind, fn, pos string) string {
	parts := []string{string(kind), symbol.Plain(fn)}
	at := symbol.ParsePos(pos)
	if decl, name, f := s.around(at); decl != nil {
		parts = append(parts, name)
		if st, token := s.statement(decl, f, at); st != nil {
			parts = append(parts, st.text, strconv.Itoa(st.place), token)
		}
	} else {
		module, rest, _ := strings.Cut(at.File, "@")
		_, rest, _ = strings.Cut(rest, "/")
		parts = append(parts, module, rest)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])[:length]
}

// Positions returns the positions of all tokens in the statements of a declaration of the program.
func (s *Sites) Positions(decl ast.Decl) (out []symbol.Pos) {
	at := symbol.ParsePos(s.prog.Pos(decl.Pos()))
	f := s.files[at.File]
	if f == nil {
		return nil
	}
	file := s.prog.Fset.File(decl.Pos())
	for _, st := range s.statements(decl, f) {
		for _, t := range st.tokens {
			out = append(out, symbol.ParsePos(s.prog.Pos(file.Pos(t.offset))))
		}
	}
	return out
}

// Lines returns the lines of the innermost statement at a position, without what is nested in it; nil if there is
// none.
func (s *Sites) Lines(at symbol.Pos) (out []int) {
	decl, _, f := s.around(at)
	if decl == nil {
		return nil
	}
	st, _ := s.statement(decl, f, at)
	if st == nil {
		return nil
	}
	file := s.prog.Fset.File(st.node.Pos())
	for _, t := range st.tokens {
		if line := file.Line(file.Pos(t.offset)); len(out) == 0 || out[len(out)-1] != line {
			out = append(out, line)
		}
	}
	return out
}

// around returns the declaration that a position is in, its name, and its file; nil if there is none.
func (s *Sites) around(at symbol.Pos) (ast.Decl, string, *file) {
	f := s.files[at.File]
	if f == nil {
		return nil, "", nil
	}
	for _, d := range f.syntax.Decls {
		if s.line(d.Pos()) > at.Line || s.line(d.End()) < at.Line {
			continue
		}
		name := f.pkg.Path + "."
		if fd, ok := d.(*ast.FuncDecl); ok {
			if fd.Recv != nil && len(fd.Recv.List) == 1 {
				name += strings.Join(texts(s.tokens(f, fd.Recv.List[0].Type, nil)), "") + "."
			}
			name += fd.Name.Name
		}
		return d, name, f
	}
	return nil, "", nil
}

// statement returns the innermost statement of a declaration at a position, and the number of the token there,
// "" if the position has no column; nil if there is none.
func (s *Sites) statement(decl ast.Decl, f *file, at symbol.Pos) (*statement, string) {
	offset := -1
	if at.Col > 0 {
		file := s.prog.Fset.File(decl.Pos())
		if at.Line <= file.LineCount() {
			offset = file.Offset(file.LineStart(at.Line)) + at.Col - 1
		}
	}
	var best *statement
	for _, st := range s.statements(decl, f) {
		if !s.covers(st, at.Line, offset) {
			continue
		}
		if best == nil || st.node.Pos() >= best.node.Pos() && offset >= 0 {
			best = st // those inside come later
		}
	}
	if best == nil || offset < 0 {
		return best, ""
	}
	n := 0
	for n < len(best.tokens) && best.tokens[n].offset < offset {
		n++
	}
	return best, strconv.Itoa(n)
}

// covers reports whether a statement's own tokens are on a line, or around an offset if that is not negative.
func (s *Sites) covers(st *statement, line, offset int) bool {
	file := s.prog.Fset.File(st.node.Pos())
	for _, t := range st.tokens {
		if offset < 0 && file.Line(file.Pos(t.offset)) == line || offset >= 0 && t.offset <= offset && offset < t.offset+len(t.text) {
			return true
		}
	}
	return false
}

// statements returns the statements of a declaration in the order of their positions, those inside of
// others after them.
func (s *Sites) statements(decl ast.Decl, f *file) []*statement {
	if list, ok := s.decls[decl]; ok {
		return list
	}
	var list []*statement
	places := map[string]int{}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.LabeledStmt, *ast.DeclStmt:
			return true
		case ast.Stmt, *ast.ValueSpec:
		default:
			return true
		}
		st := &statement{node: n}
		st.tokens = s.tokens(f, n, nested(n))
		st.text = strings.Join(texts(st.tokens), " ")
		st.place = places[st.text]
		places[st.text]++
		list = append(list, st)
		return true
	})
	s.decls[decl] = list
	return list
}

// nested returns what inside a statement is not its own: blocks, and statements in them.
func nested(n ast.Node) (out []ast.Node) {
	ast.Inspect(n, func(inner ast.Node) bool {
		switch inner := inner.(type) {
		case *ast.BlockStmt:
			out = append(out, inner)
			return false
		case *ast.CaseClause:
			if inner != n {
				out = append(out, inner)
				return false
			}
			for _, st := range inner.Body {
				out = append(out, st)
			}
		case *ast.CommClause:
			if inner != n {
				out = append(out, inner)
				return false
			}
			for _, st := range inner.Body {
				out = append(out, st)
			}
			return false
		case *ast.IfStmt:
			if inner != n { // else if
				out = append(out, inner)
				return false
			}
		}
		return true
	})
	return out
}

// tokens returns the tokens of a node that are in none of the nodes without. A comma before a closing bracket
// is left out, as its presence depends on line breaks.
func (s *Sites) tokens(f *file, n ast.Node, without []ast.Node) (out []tok) {
	file := s.prog.Fset.File(n.Pos())
	from, to := file.Offset(n.Pos()), min(file.Offset(n.End()), len(f.text))
	type span struct{ from, to int }
	var holes []span
	for _, w := range without {
		holes = append(holes, span{file.Offset(w.Pos()), file.Offset(w.End())})
	}
	return scan(f.text[from:to], from, func(offset int) bool {
		return slices.ContainsFunc(holes, func(h span) bool { return h.from <= offset && offset < h.to })
	})
}

// Normalize returns the tokens of Go source, separated by spaces: without comments, line breaks, and commas that only
// line breaks need.
func Normalize(text []byte) string {
	return strings.Join(texts(scan(text, 0, func(int) bool { return false })), " ")
}

// scan returns the tokens of a text that begins at an offset of its file, without those at offsets that skip accepts.
func scan(text []byte, from int, skip func(offset int) bool) (out []tok) {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
	start := token.Pos(1) // of a file set's first file
	for {
		pos, t, lit := sc.Scan()
		if t == token.EOF {
			return out
		}
		offset := from + int(pos-start)
		if skip(offset) || t == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" {
			lit = t.String()
		}
		closing := t == token.RPAREN || t == token.RBRACK || t == token.RBRACE
		if last := len(out) - 1; closing && last >= 0 && out[last].text == "," {
			out = out[:last]
		}
		out = append(out, tok{offset, lit})
	}
}

func texts(list []tok) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.text
	}
	return out
}

func (s *Sites) line(pos token.Pos) int { return s.prog.Fset.PositionFor(pos, false).Line }

// Warnings sets the fingerprints of warnings of prog.
func Warnings(prog *source.Program, list []schemas.Warning) {
	s := New(prog)
	for i := range list {
		list[i].Fingerprint = s.Of(list[i].Kind, list[i].Func, list[i].Pos)
	}
}

// Crashes sets the fingerprints of crashes of prog, and makes them different.
func Crashes(prog *source.Program, list []schemas.Crash) {
	s := New(prog)
	for i := range list {
		list[i].Fingerprint = s.Of(list[i].Kind, list[i].Func, list[i].Pos)
	}
	NumberCrashes(list)
}

// NumberWarnings makes the fingerprints of the warnings of a document different: of equal ones, the second gets -2
// at its end, and so on. It forgets such numbers of before.
func NumberWarnings(list []schemas.Warning) {
	count := map[string]int{}
	for i := range list {
		list[i].Fingerprint = number(list[i].Fingerprint, count)
	}
}

// NumberCrashes is like NumberWarnings.
func NumberCrashes(list []schemas.Crash) {
	count := map[string]int{}
	for i := range list {
		list[i].Fingerprint = number(list[i].Fingerprint, count)
	}
}

// Base returns a fingerprint without the number that NumberWarnings and NumberCrashes append.
func Base(fingerprint string) string {
	base, _, _ := strings.Cut(fingerprint, "-")
	return base
}

func number(fingerprint string, count map[string]int) string {
	f := Base(fingerprint)
	if count[f]++; count[f] > 1 && f != "" {
		return fmt.Sprintf("%s-%d", f, count[f])
	}
	return f
}
