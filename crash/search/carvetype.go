package search

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strconv"
	"strings"

	"dsd/crash/candidate"
	"dsd/crash/gofile"
)

// op returns an operation made for a key, adding it to the table first.
//
// The types of the operation are those of the loaded package: the tests are checked with another copy of it. It is nil if there
// are no such types, as they are declared in the tests, or if the harness cannot name them.
func (c *carver) op(k string, t types.Type, make func(t types.Type) *candidate.Op) *candidate.Op {
	if o, ok := c.made[k]; ok {
		return o
	}
	c.made[k] = nil
	if t = c.native(t); t == nil {
		return nil
	}
	o := make(t)
	if o == nil || !c.b.has(o) && !c.b.add(o) {
		return nil
	}
	c.made[k] = o
	return o
}

// has says that an operation is in the table.
func (b *graphBuilder) has(o *candidate.Op) bool { return slices.Contains(b.g.Table, o) }

// native is a type as the loaded program has it, nil if it has not.
func (c *carver) native(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil {
			return t
		}
		if o.Parent() != o.Pkg().Scope() {
			return nil
		}
		p := c.lookup(o.Pkg().Path())
		if p == nil {
			return nil
		}
		own, ok := p.Scope().Lookup(o.Name()).(*types.TypeName)
		if !ok {
			return nil
		}
		if t.TypeArgs().Len() == 0 {
			return types.Unalias(own.Type())
		}
		var args []types.Type
		for a := range t.TypeArgs().Types() {
			if a = c.native(a); a == nil {
				return nil
			}
			args = append(args, a)
		}
		inst, err := types.Instantiate(nil, own.Type(), args, true)
		if err != nil {
			return nil
		}
		return inst
	case *types.Pointer:
		if e := c.native(t.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := c.native(t.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := c.native(t.Elem()); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := c.native(t.Elem()); e != nil {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		if k, e := c.native(t.Key()), c.native(t.Elem()); k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Interface:
		if t.Empty() {
			return t
		}
	case *types.Signature:
		params, results := c.tuple(t.Params()), c.tuple(t.Results())
		if t.TypeParams().Len() == 0 && params != nil && results != nil {
			return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
		}
	case *types.Struct:
		var fields []*types.Var
		var tags []string
		for i := range t.NumFields() {
			f := t.Field(i)
			ft := c.native(f.Type())
			if ft == nil || !f.Exported() {
				return nil
			}
			fields = append(fields, types.NewField(token.NoPos, nil, f.Name(), ft, f.Embedded()))
			tags = append(tags, t.Tag(i))
		}
		return types.NewStruct(fields, tags)
	}
	return nil
}

func (c *carver) tuple(t *types.Tuple) *types.Tuple {
	vars := []*types.Var{}
	for v := range t.Variables() {
		vt := c.native(v.Type())
		if vt == nil {
			return nil
		}
		vars = append(vars, types.NewParam(token.NoPos, nil, "", vt))
	}
	return types.NewTuple(vars...)
}

// lookup is a package of the loaded program, nil if it has none of that path.
func (c *carver) lookup(path string) *types.Package {
	if p := c.b.prog.Package(path); p != nil {
		return p.Types
	}
	if c.b.prog.Imports(path) {
		if p, err := c.b.prog.Import(path); err == nil {
			return p
		}
	}
	return nil
}

// closed says that an expression means the same outside of its function and its file: it names nothing but what is predeclared,
// its own, exported by other packages that the harness may import, or declared in the package, tests aside.
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
				ok = ok && (o.Imported().Path() == c.b.pkg.Path || c.b.file.Importable(o.Imported()) && !unsafe[o.Imported().Path()] || o.Imported().Path() == "time")
			case *types.Var:
				ok = ok && o.IsField()
			case *types.Func: // a method
			case *types.Label:
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

// reachable says that a package-level object is there without the test files.
func (c *carver) reachable(obj types.Object) bool {
	if p := obj.Pkg(); p.Path() != c.b.pkg.Path && p.Path() != c.b.pkg.Path+"_test" {
		return obj.Exported()
	}
	return c.b.pkg.Types.Scope().Lookup(obj.Name()) != nil && obj.Pkg().Path() == c.b.pkg.Path
}

// use is where an expression's text names a package.
type use struct {
	from, to   int // of the name and the dot
	path, name string
}

// text is an expression as it stands, with the places where it names packages.
func (c *carver) text(x ast.Expr) (string, []use) {
	at := c.fset.Position(x.Pos())
	src, ok := c.src[at.Filename]
	to := c.fset.Position(x.End()).Offset
	if !ok || to > len(src) {
		return "", nil
	}
	var uses []use
	ast.Inspect(x, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if p, ok := c.info.Uses[id].(*types.PkgName); ok {
				uses = append(uses, use{c.fset.Position(id.Pos()).Offset - at.Offset, c.fset.Position(sel.Sel.Pos()).Offset - at.Offset, p.Imported().Path(), p.Imported().Name()})
			}
		}
		return true
	})
	sort.Slice(uses, func(i, j int) bool { return uses[i].from < uses[j].from })
	return string(src[at.Offset:to]), uses
}

// spelled is such a text in a file.
func spelled(text string, uses []use, f *gofile.File) string {
	var out strings.Builder
	at := 0
	for _, u := range uses {
		out.WriteString(text[at:u.from])
		if u.path != f.Pkg.Path() {
			out.WriteString(f.Use(u.path, u.name) + ".")
		}
		at = u.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// oneLine writes a text in one line, so that each operation of the table has one.
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
		case tok == token.PERIOD: // a package's name is found by the dot after it
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
