package fix

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// Change is a change of one file, with which a function returns early unless a condition holds.
type Change struct {
	// Cond is the condition, over the parameters of the function.
	Cond string
	// File is the changed file, relative to the testee's root, with slashes, and Src its content before.
	File string
	Src  []byte
	// Edits are in the order of their offsets, and do not overlap.
	Edits []Edit
}

// Edit replaces Src[From:To] with Text.
type Edit struct {
	From, To int // byte offsets
	Text     string
}

// Apply returns the changed content of the file.
func (c *Change) Apply() []byte {
	var edits overlay.Edits
	for _, e := range c.Edits {
		edits.Replace(e.From, e.To, e.Text)
	}
	return edits.Apply(c.Src)
}

// LineCol returns the line and the column of a byte offset of Src, both from 1, columns in bytes.
func (c *Change) LineCol(offset int) (line, col int) {
	before := c.Src[:offset]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

// Summary says in a line what the change does.
func (c *Change) Summary() string { return "return early unless " + c.Cond }

// Propose returns the change with which fn, a function of prog, returns before anything else is done, unless
// cond holds: an error, if it returns one, and zero values. cond is a conjunction of comparisons. If
// the change cannot be written, why says so.
func Propose(prog *source.Program, fn *source.Func, cond string) (c *Change, why string) {
	p := &proposal{prog: prog, fn: fn, cond: cond}
	for i, f := range fn.Pkg.Files {
		if f.FileStart <= fn.Decl.Pos() && fn.Decl.Pos() < f.FileEnd {
			p.file, p.src = f, fn.Pkg.Sources[i]
			name, err := filepath.Rel(prog.Dir, fn.Pkg.Filenames[i])
			if err != nil || strings.HasPrefix(name, "..") {
				return nil, fn.Pkg.Filenames[i] + " is outside the module"
			}
			p.change = &Change{Cond: cond, File: filepath.ToSlash(name), Src: p.src}
		}
	}
	switch {
	case p.file == nil:
		return nil, fn.Name + " is in a file that the build generates"
	case ast.IsGenerated(p.file):
		return nil, p.change.File + " is generated"
	}
	failed, err := negated(cond)
	if err != nil {
		return nil, err.Error()
	}
	if why := p.write(failed); why != "" {
		return nil, why
	}
	return p.change, ""
}

// proposal is the state of Propose.
type proposal struct {
	prog   *source.Program
	fn     *source.Func
	cond   string
	file   *ast.File
	src    []byte
	change *Change
}

// offset returns the byte offset of a position in the file.
func (p *proposal) offset(pos token.Pos) int { return p.prog.Fset.PositionFor(pos, false).Offset }

// line returns the line of a position.
func (p *proposal) line(pos token.Pos) int { return p.prog.Fset.PositionFor(pos, false).Line }

// write makes the edits for a check that the function begins with; failed is its condition. It
// returns why it cannot.
func (p *proposal) write(failed string) (why string) {
	results, importing, why := p.results()
	if why != "" {
		return why
	}
	check := fmt.Sprintf("\tif %s {\n\t\t%s\n\t}\n", failed, strings.TrimSpace("return "+strings.Join(results, ", ")))
	if importing {
		p.importErrors()
	}
	body := p.fn.Decl.Body
	first := body.Rbrace
	if len(body.List) > 0 {
		first = body.List[0].Pos()
	}
	from, to := p.offset(body.Lbrace)+1, p.offset(body.Rbrace)
	switch {
	case p.line(first) > p.line(body.Lbrace):
		next := from + bytes.IndexByte(p.src[from:], '\n') + 1
		p.edit(next, next, check)
	case p.line(body.Lbrace) == p.line(body.Rbrace):
		p.edit(from, to, "\n"+check+"\t"+string(bytes.TrimSpace(p.src[from:to]))+"\n")
	default:
		p.edit(from, p.offset(first), "\n"+check+"\t")
	}
	return ""
}

// importErrors makes the edit that imports package errors.
func (p *proposal) importErrors() {
	at, text := p.offset(p.file.Name.End()), "\n\nimport \"errors\""
	for _, d := range p.file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || d.Doc != nil { // the comment of import "C" is C
			continue
		}
		if d.Lparen.IsValid() && len(d.Specs) > 0 && p.line(d.Specs[0].Pos()) > p.line(d.Lparen) {
			at, text = p.offset(d.Lparen)+1, "\n\t\"errors\""
		} else {
			at, text = p.offset(d.Pos()), "import \"errors\"\n"
		}
		break
	}
	p.edit(at, at, text)
}

func (p *proposal) edit(from, to int, text string) {
	p.change.Edits = append(p.change.Edits, Edit{from, to, text})
}

// results returns what the function returns early, and whether the file must import package errors
// for that. It returns why there is nothing.
func (p *proposal) results() (values []string, importing bool, why string) {
	list := p.fn.Obj.Signature().Results()
	var written []string // the types of the results
	if r := p.fn.Decl.Type.Results; r != nil {
		for _, f := range r.List {
			for range max(len(f.Names), 1) {
				written = append(written, string(p.src[p.offset(f.Type.Pos()):p.offset(f.Type.End())]))
			}
		}
	}
	for i := range list.Len() {
		values = append(values, zero(list.At(i).Type(), written[i]))
	}
	last := list.Len() - 1
	if last < 0 || !types.Identical(list.At(last).Type(), types.Universe.Lookup("error").Type()) {
		return values, false, ""
	}
	call, importing := p.errorCall()
	if call == "" {
		return nil, false, "package errors has no name in " + p.change.File
	}
	values[last] = fmt.Sprintf("%s(%s)", call, strconv.Quote(p.message()))
	return values, importing, ""
}

// message is the text of the error that the function returns.
func (p *proposal) message() string {
	name := p.fn.Name[strings.LastIndexByte(p.fn.Name, '.')+1:]
	return fmt.Sprintf("%s: %s: want %s", p.fn.Pkg.Name, name, p.cond)
}

// errorCall returns the function that makes an error of a text, "" if the file has no name for it.
func (p *proposal) errorCall() (call string, importing bool) {
	for _, want := range []struct{ path, function string }{{"errors", "New"}, {"fmt", "Errorf"}} {
		for _, i := range p.file.Imports {
			if i.Path.Value != strconv.Quote(want.path) {
				continue
			}
			name := want.path
			if i.Name != nil {
				name = i.Name.Name
			}
			if name != "_" && name != "." && !p.declares(name) {
				return name + "." + want.function, false
			}
		}
	}
	if p.fn.Pkg.Types.Scope().Lookup("errors") != nil || p.declares("errors") {
		return "", false
	}
	for _, i := range p.file.Imports {
		name := path.Base(strings.Trim(i.Path.Value, `"`))
		if i.Name != nil {
			name = i.Name.Name
		}
		if name == "errors" {
			return "", false // another package of that name
		}
	}
	return "errors.New", true
}

// declares reports whether a name is that of a parameter or result.
func (p *proposal) declares(name string) bool {
	sig := p.fn.Obj.Signature()
	if r := sig.Recv(); r != nil && r.Name() == name {
		return true
	}
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for i := range list.Len() {
			if list.At(i).Name() == name {
				return true
			}
		}
	}
	return false
}

// zero returns the zero value of a type, of which written is the source.
func zero(t types.Type, written string) string {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return "*new(" + written + ")"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Kind() == types.UnsafePointer:
			return "nil"
		}
		return "0"
	case *types.Struct, *types.Array:
		return written + "{}"
	}
	return "nil"
}

// opposite are comparisons that hold exactly if another one does not, of operands that are no floats.
var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// negated returns the condition under which a conjunction of comparisons does not hold.
func negated(cond string) (string, error) {
	x, err := parser.ParseExpr(cond)
	if err != nil {
		return "", err
	}
	var parts []string
	var visit func(x ast.Expr) error
	visit = func(x ast.Expr) error {
		b, ok := x.(*ast.BinaryExpr)
		switch {
		case ok && b.Op == token.LAND:
			if err := visit(b.X); err != nil {
				return err
			}
			return visit(b.Y)
		case ok && opposite[b.Op] != 0:
			op, y := opposite[b.Op], types.ExprString(b.Y)
			if c, ok := b.X.(*ast.CallExpr); ok && types.ExprString(c.Fun) == "len" && op == token.LEQ && y == "0" {
				op = token.EQL // a length is not negative
			}
			parts = append(parts, fmt.Sprintf("%s %s %s", types.ExprString(b.X), op, y))
			return nil
		}
		return fmt.Errorf("%s is no comparison", types.ExprString(x))
	}
	if err := visit(x); err != nil {
		return "", err
	}
	return strings.Join(parts, " || "), nil
}
