package blame

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"dsd/crash/verify"
	"dsd/internal/callgraph"
	"dsd/internal/source"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// code is the source of the testee, indexed.
type code struct {
	prog  *source.Program
	funcs map[string]*source.Func // by name
	// files holds, by name relative to the module's root, the file and its package.
	files map[string]fileOf
	// methods holds the methods of a named type by its declaration.
	methods map[*types.TypeName][]*source.Func
	// made holds the named types of which the module itself writes literals, apart from tests.
	made map[*types.TypeName]bool
	// fixtures and configs hold the types of which users write values: see fixtureTypes and
	// configTypes.
	fixtures map[*types.TypeName]*fixture
	configs  map[*types.TypeName]string
	// written are the names of the fields that tests of the module set.
	written map[string]bool
	// reached are the functions that exported ones lead to; nil until public needs them.
	reached map[*types.Func]bool
	// sites holds the calls of each function in the module; nil until callSites needs them.
	sites map[*types.Func][]callSite
}

// public reports whether exported functions of the module, but for helpers, lead to a function.
func (c *code) public(fn *types.Func) bool {
	if c.reached == nil {
		c.reached = map[*types.Func]bool{}
		g := callgraph.New(c.prog)
		var visit func(fn *types.Func)
		visit = func(fn *types.Func) {
			if c.reached[fn] {
				return
			}
			c.reached[fn] = true
			for _, e := range g.Edges(fn) {
				if callgraph.IsInterfaceMethod(e.Callee) {
					for _, m := range g.Methods(e.Callee.Name()) {
						visit(m)
					}
					continue
				}
				visit(e.Callee.Origin())
			}
		}
		for _, f := range g.Funcs {
			if f.Obj.Exported() && helper(c.prog, f) == "" {
				visit(f.Obj)
			}
		}
	}
	return c.reached[fn.Origin()]
}

type fileOf struct {
	file *ast.File
	pkg  *source.Package
}

func newCode(prog *source.Program) *code {
	c := &code{
		prog: prog, funcs: verify.Funcs(prog), files: map[string]fileOf{},
		methods: map[*types.TypeName][]*source.Func{}, made: map[*types.TypeName]bool{},
		configs: configTypes(prog),
	}
	c.fixtures, c.written = fixtures(prog)
	for _, pkg := range prog.All {
		for _, f := range pkg.Files {
			c.files[symbol.ParsePos(prog.Pos(f.Package)).File] = fileOf{f, pkg}
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok {
					if t := namedOf(pkg.Info.TypeOf(lit)); t != nil && len(lit.Elts) > 0 {
						c.made[t.Obj()] = true
					}
				}
				return true
			})
		}
		for _, f := range pkg.Funcs() {
			if r := f.Obj.Type().(*types.Signature).Recv(); r != nil {
				if n := namedOf(r.Type()); n != nil {
					c.methods[n.Obj()] = append(c.methods[n.Obj()], f)
				}
			}
		}
	}
	return c
}

// site is the operation that panics.
type site struct {
	pkg *source.Package
	fn  *source.Func
	// subject is the expression whose value makes the operation panic: the nil pointer, the
	// index or bound, the size; nil if it is not known. indexed is the slice, array or string
	// that is indexed.
	subject, indexed ast.Expr
	// fromParam is the parameter or receiver of the called function whose value the subject is,
	// as it was passed on; nil if it is computed, or from elsewhere.
	fromParam *types.Var
	// others are further expressions of the line that may be nil: a position of a stack trace has
	// no column.
	others []ast.Expr
	// raises reports whether the line calls panic.
	raises bool
}

// siteOf finds the operation that panics, or the call of another module's function that does; nil if no
// function of the testee is on the stack.
func (c *code) siteOf(e *evidence) *site {
	pos := symbol.ParsePos(e.crash.Pos)
	if _, ok := c.files[pos.File]; !ok {
		pos = symbol.ParsePos(e.line)
	}
	f, ok := c.files[pos.File]
	if !ok || e.at == nil {
		return nil
	}
	s := &site{pkg: f.pkg, fn: e.at}
	ast.Inspect(e.at.Decl.Body, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		p := c.prog.Fset.PositionFor(n.Pos(), false)
		end := c.prog.Fset.PositionFor(n.End(), false)
		if p.Line > pos.Line || end.Line < pos.Line {
			return false
		}
		c.operation(s, n, e.crash.Kind, pos)
		return true
	})
	if s.subject == nil {
		return s
	}
	s.fromParam = c.origin(s, s.subject, e.crash.Stack)
	for _, x := range s.others { // prefer a parameter that was nil in the run
		if v := c.origin(s, x, e.crash.Stack); v != nil && e.crash.Kind == schemas.NilDeref &&
			e.observed != nil && e.observed.nilInput(e.called, v) {
			s.subject, s.fromParam = x, v
		}
	}
	return s
}

// operation notes n if it is an operation of a kind that may panic at a position. A position of a
// stack trace has no column: then the first such operation of the line counts.
func (c *code) operation(s *site, n ast.Node, kind schemas.Kind, pos symbol.Pos) {
	at := func(p token.Pos) bool {
		q := c.prog.Fset.PositionFor(p, false)
		return q.Line == pos.Line && (pos.Col == 0 || q.Column == pos.Col)
	}
	note := func(p token.Pos, subject, indexed ast.Expr) {
		switch {
		case !at(p):
		case s.subject == nil:
			s.subject, s.indexed = subject, indexed
		case pos.Col == 0 && subject != s.subject:
			s.others = append(s.others, subject)
		}
	}
	switch n := n.(type) {
	case *ast.IndexExpr:
		if kind == schemas.Index {
			note(n.Index.Pos(), n.Index, n.X)
			note(n.Pos(), n.Index, n.X)
		}
	case *ast.BinaryExpr:
		if kind == schemas.DivZero && (n.Op == token.QUO || n.Op == token.REM) {
			note(n.OpPos, n.Y, nil)
			note(n.Pos(), n.Y, nil)
		}
	case *ast.SliceExpr:
		if kind == schemas.SliceBounds {
			for _, b := range []ast.Expr{n.High, n.Low, n.Max} {
				if b != nil && s.subject == nil {
					note(n.Pos(), b, n.X)
				}
			}
		}
	case *ast.SelectorExpr:
		if kind == schemas.NilDeref && isReference(s.pkg.Info.TypeOf(n.X)) {
			note(n.Sel.Pos(), n.X, nil)
			note(n.Pos(), n.X, nil)
		}
	case *ast.StarExpr:
		if kind == schemas.NilDeref {
			note(n.Pos(), n.X, nil)
		}
	case *ast.CallExpr:
		if kind == schemas.ExplicitPanic { // perhaps a library refuses a number
			for _, a := range n.Args {
				if isNumber(s.pkg.Info.TypeOf(a)) && s.pkg.Info.Types[a].Value == nil {
					note(n.Pos(), a, nil)
				}
			}
		}
		id, ok := ast.Unparen(n.Fun).(*ast.Ident)
		if !ok {
			return
		}
		if _, builtin := s.pkg.Info.Uses[id].(*types.Builtin); !builtin {
			if kind == schemas.NilDeref && isReference(s.pkg.Info.TypeOf(id)) {
				note(n.Pos(), id, nil) // a nil function
			}
			return
		}
		line := c.prog.Fset.PositionFor(n.Pos(), false).Line
		s.raises = s.raises || id.Name == "panic" && line == pos.Line
		if id.Name == "make" && kind == schemas.MakeSlice && len(n.Args) > 1 {
			note(n.Pos(), n.Args[1], nil)
		}
	case *ast.TypeAssertExpr:
		if kind == schemas.TypeAssert {
			note(n.Pos(), n.X, nil)
			note(n.Lparen, n.X, nil)
		}
	}
}

// isReference reports whether a value of type t may be nil and is followed.
func isReference(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// origin follows an expression of a site outwards through the frames of the stack: it returns the
// parameter or receiver of the outermost function whose value it is.
func (c *code) origin(s *site, x ast.Expr, stack []schemas.Frame) *types.Var {
	v := variable(s.pkg, x)
	fn := s.fn
	for i := 0; v != nil; i++ {
		if fn == nil || !isParam(fn, v) {
			return nil
		}
		if i+1 >= len(stack) {
			return v
		}
		caller := verify.Func(c.funcs, stack[i+1].Func)
		if caller == nil {
			return nil
		}
		v = variable(caller.Pkg, c.argument(caller, symbol.ParsePos(stack[i+1].Pos), fn, v))
		fn = caller
	}
	return nil
}

// argument returns what a function passes, at a line, for a parameter or the receiver of a callee.
func (c *code) argument(
	caller *source.Func, pos symbol.Pos, callee *source.Func, v *types.Var,
) (out ast.Expr) {
	for _, s := range c.callSites(callee.Obj) {
		if s.caller.Obj == caller.Obj && c.prog.Fset.PositionFor(s.call.Pos(), false).Line <= pos.Line &&
			c.prog.Fset.PositionFor(s.call.End(), false).Line >= pos.Line {
			return passed(s.call, callee.Obj.Signature(), v)
		}
	}
	return nil
}

// variable returns the variable that an expression is, or is a variable plus or minus a constant;
// nil if it is anything else.
func variable(pkg *source.Package, e ast.Expr) *types.Var {
	if id, ok := stem(pkg, e).(*ast.Ident); ok {
		return pkg.Info.Uses[id].(*types.Var)
	}
	return nil
}

// isParam reports whether v is a parameter of f or its receiver.
func isParam(f *source.Func, v *types.Var) bool {
	sig := f.Obj.Type().(*types.Signature)
	if v == sig.Recv() {
		return true
	}
	for i := range sig.Params().Len() {
		if sig.Params().At(i) == v {
			return true
		}
	}
	return false
}

// returnsError reports whether the last result of a function is an error.
func returnsError(f *source.Func) bool {
	r := f.Obj.Type().(*types.Signature).Results()
	return r.Len() > 0 && isError(r.At(r.Len()-1).Type())
}

// announces matches documentation that announces a panic, denies that which excludes one, and
// forbids that which rules inputs out.
var (
	announces = regexp.MustCompile(`(?i)\bpanics?\b`)
	denies    = regexp.MustCompile(
		`(?i)(\bnot|n't|\bnever|without|instead of|rather than|\bno|avoids?|prevents?) (a )?panic`)
	forbids = regexp.MustCompile(`(?i)\b(must|should|may|can|cannot|need)( not|n't)? (be|have)\b` +
		`[^.]*\b(nil|empty|zero|positive|negative|sorted|valid|same|initiali[sz]ed|less|greater|` +
		`at least|range|length|power)|caller (must|has to|is responsible)|undefined behaviou?r|` +
		`out of (range|bounds)|\bassumes\b|precondition`)
)

// sentence returns the sentence of a function's documentation that a pattern matches, "" if there
// is none.
func sentence(f *source.Func, pattern *regexp.Regexp) string {
	if f == nil || f.Decl.Doc == nil {
		return ""
	}
	text := strings.ReplaceAll(f.Decl.Doc.Text(), "\n", " ")
	for _, sentence := range strings.SplitAfter(text, ". ") {
		if pattern.MatchString(sentence) {
			return strings.TrimSpace(sentence)
		}
	}
	return ""
}

// helperPath matches the import paths of packages that only tests, examples and tools use.
var helperPath = regexp.MustCompile(
	`(?i)(^|/)([\w-]*test(s|ing|util|utils|data|helpers?)?|[\w-]*mocks?|fakes?|_?examples?|cmd|` +
		`tools?|bench(marks?)?|fuzz\w*|scripts?|_\w+)(/|$)`)

// helper returns why no user of the module calls a function: it belongs to tests, examples or
// tools. It is "" if users may.
func helper(prog *source.Program, f *source.Func) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(f.Pkg.Path, prog.Module), "/")
	switch {
	case f.Pkg.Name == "main":
		return "package main: nobody imports it"
	case helperPath.MatchString(rel):
		return "package " + rel + " is for tests, examples or tools"
	case strings.HasPrefix(f.Obj.Name(), "Fuzz"):
		return f.Obj.Name() + " is a fuzz target"
	}
	for _, imp := range f.Pkg.Types.Imports() {
		if imp.Path() == "testing" {
			return "package " + f.Pkg.Name + " imports testing"
		}
	}
	return ""
}

// generated reports whether a function is in a generated file.
func (c *code) generated(f *source.Func) bool {
	at := symbol.ParsePos(c.prog.Pos(f.Decl.Pos())).File
	return ast.IsGenerated(c.files[at].file)
}

// isInternal reports whether only the module itself may import a package.
func isInternal(path string) bool {
	return strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/internal")
}

// line returns the text of a line of the module, "file:line" with the file relative to its root.
func (c *code) line(pos string) (text string, ok bool) {
	at := symbol.ParsePos(pos)
	f := c.files[at.File]
	if f.pkg == nil {
		return "", false
	}
	src := f.pkg.Sources[slices.Index(f.pkg.Files, f.file)]
	lines := bytes.Split(src, []byte("\n"))
	if at.Line < 1 || at.Line > len(lines) {
		return "", false
	}
	return string(lines[at.Line-1]), true
}
