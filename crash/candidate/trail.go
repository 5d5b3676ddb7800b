package candidate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
)

// TargetFrame is a line of a function that is on the stack to be reproduced.
type TargetFrame struct {
	// Func is the function that the frame is of, or that encloses the function literal it is of.
	Func *source.Func
	// InLiteral says that the frame is of a function literal.
	InLiteral bool
	// Line is where the frame's call stands, or the crash; 0 if that is not known.
	Line int
	// Kind is the kind of the panic, in the innermost frame alone.
	Kind string
}

// trail instruments the functions on a stack: the conditions on the way to each place report how near they are to being met, and
// the place that it is reached. How the way leads is read off the syntax: into the branches that hold the place, and past
// branches before it that leave.
type trail struct {
	r *rewriter
	e *overlay.Edits
	// frame is the number of the frame, body the function's.
	frame int
	place TargetFrame
	steps []step
}

// step is something that has to happen on the way.
type step struct {
	// text says what, in Go.
	text string
	// edit reports it; rest is how many steps are left after it.
	edit func(rest int)
}

// follow instruments one frame and returns its steps, in Go.
func (r *rewriter) follow(e *overlay.Edits, frame int, p TargetFrame) []string {
	t := &trail{r: r, e: e, frame: frame, place: p}
	body := t.body()
	if p.Line > 0 {
		t.list(body.List)
	}
	e.Insert(r.offset(body.Lbrace+1), fmt.Sprintf(" %s.At(%d, %d); ", rtName, frame, len(t.steps)+1))
	var texts []string
	for i, s := range t.steps {
		s.edit(len(t.steps) - i)
		texts = append(texts, s.text)
	}
	return texts
}

// body is that of the function which the frame is of.
func (t *trail) body() *ast.BlockStmt {
	body := t.place.Func.Decl.Body
	if t.place.InLiteral && t.place.Line > 0 {
		ast.Inspect(body, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncLit); ok && t.holds(f.Body) {
				body = f.Body
			}
			return true
		})
	}
	return body
}

func (t *trail) line(p token.Pos) int { return t.r.prog.Fset.PositionFor(p, false).Line }

// holds says that the place is among the lines of a node.
func (t *trail) holds(n ast.Node) bool {
	return t.line(n.Pos()) <= t.place.Line && t.place.Line <= t.line(n.End())
}

// list follows a list of statements.
func (t *trail) list(list []ast.Stmt) {
	at := -1
	for i, s := range list {
		if t.holds(s) {
			at = i
			break
		}
	}
	if at < 0 {
		return
	}
	for _, s := range list[:at] {
		t.past(s)
	}
	t.into(list[at], true)
}

// past follows the way past a statement that may leave.
func (t *trail) past(s ast.Stmt) {
	f, ok := s.(*ast.IfStmt)
	switch {
	case !ok:
	case leaves(f.Body):
		t.condition(f.Cond, false)
		if f.Else != nil {
			t.past(f.Else)
		}
	case f.Else != nil && leaves(f.Else):
		t.condition(f.Cond, true)
	}
}

// leaves says that control does not come to the end of a statement.
func leaves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return len(s.List) > 0 && leaves(s.List[len(s.List)-1])
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			return ok && id.Name == "panic"
		}
	case *ast.IfStmt:
		return s.Else != nil && leaves(s.Body) && leaves(s.Else)
	}
	return false
}

// into follows the way into the statement that holds the place; inList says that statements can be put before it.
func (t *trail) into(s ast.Stmt, inList bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		t.list(s.List)
		return
	case *ast.LabeledStmt:
		t.into(s.Stmt, false)
		return
	case *ast.IfStmt:
		switch {
		case t.inside(s.Body):
			t.condition(s.Cond, true)
			t.list(s.Body.List)
			return
		case s.Else != nil && t.holds(s.Else):
			t.condition(s.Cond, false)
			t.into(s.Else, false)
			return
		}
	case *ast.ForStmt:
		if t.inside(s.Body) {
			if s.Cond != nil {
				t.condition(s.Cond, true)
			}
			t.list(s.Body.List)
			return
		}
	case *ast.RangeStmt:
		if t.inside(s.Body) {
			t.pass(s.Body.Lbrace + 1)
			t.list(s.Body.List)
			return
		}
	case *ast.SwitchStmt:
		if t.clause(s.Body, s.Tag == nil) {
			return
		}
	case *ast.TypeSwitchStmt:
		if t.clause(s.Body, false) {
			return
		}
	case *ast.SelectStmt:
		if t.clause(s.Body, false) {
			return
		}
	}
	if inList {
		t.pass(s.Pos())
	}
	if t.place.Kind != "" {
		t.crash(s)
	}
}

// inside says that the place is inside a block, not on the line that opens it unless that is its only one.
func (t *trail) inside(b *ast.BlockStmt) bool {
	return t.holds(b) && (t.line(b.Lbrace) < t.place.Line || t.line(b.Lbrace) == t.line(b.Rbrace))
}

// clause follows the way into the clause of a switch that holds the place; false if none does.
func (t *trail) clause(body *ast.BlockStmt, conditions bool) bool {
	for _, c := range body.List {
		var list []ast.Stmt
		var colon token.Pos
		switch c := c.(type) {
		case *ast.CaseClause:
			list, colon = c.Body, c.Colon
			if t.holds(c) && conditions && len(c.List) > 0 {
				from := len(t.steps)
				for _, x := range c.List {
					t.leaf(x, true)
				}
				t.join(from)
			}
		case *ast.CommClause:
			list, colon = c.Body, c.Colon
		}
		if !t.holds(c) || len(list) == 0 || t.place.Line <= t.line(colon) && t.line(c.End()) > t.line(colon) {
			continue
		}
		t.pass(colon + 1)
		t.list(list)
		return true
	}
	return false
}

// add adds a step.
func (t *trail) add(text string, edit func(rest int)) { t.steps = append(t.steps, step{text, edit}) }

// pass adds the step that control comes to a position between statements.
func (t *trail) pass(at token.Pos) {
	t.add(fmt.Sprintf("control comes to line %d", t.line(at)), func(rest int) {
		t.e.Insert(t.r.offset(at), fmt.Sprintf(" %s.At(%d, %d); ", rtName, t.frame, rest))
	})
}

// join makes one step of those from a number on: any of them will do.
func (t *trail) join(from int) {
	if len(t.steps)-from < 2 {
		return
	}
	list := append([]step(nil), t.steps[from:]...)
	var texts []string
	for _, s := range list {
		texts = append(texts, s.text)
	}
	t.steps = append(t.steps[:from], step{strings.Join(texts, " || "), func(rest int) {
		for _, s := range list {
			s.edit(rest)
		}
	}})
}

// condition adds the steps of a condition that must come out as wanted.
func (t *trail) condition(x ast.Expr, want bool) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		t.condition(x.X, want)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			t.condition(x.X, !want)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			from := len(t.steps)
			t.condition(x.X, want)
			t.condition(x.Y, want)
			if (x.Op == token.LAND) != want { // one is enough
				t.join(from)
			}
			return
		}
	}
	t.leaf(x, want)
}

// comparisons are the numbers that the runtime has for operators.
var comparisons = map[token.Token]int{token.EQL: 0, token.NEQ: 1, token.LSS: 2, token.LEQ: 3, token.GTR: 4, token.GEQ: 5}

// leaf adds the step of a condition without && and ||.
func (t *trail) leaf(x ast.Expr, want bool) {
	if typ := t.r.pkg.Info.TypeOf(x); typ == nil || !plainBool(typ) {
		return
	}
	if tv := t.r.pkg.Info.Types[x]; tv.Value != nil {
		return
	}
	open := func(rest int) string { return fmt.Sprintf("%s.Bool(%d, %d, %v, ", rtName, t.frame, rest, want) }
	if b, ok := x.(*ast.BinaryExpr); ok && t.pure(b.X) && t.pure(b.Y) {
		if op, ok := comparisons[b.Op]; ok {
			for _, k := range []struct {
				info types.BasicInfo
				name string
				conv string
			}{{types.IsInteger, "Ints", "int64"}, {types.IsFloat, "Floats", "float64"}, {types.IsString, "Texts", "string"}} {
				if t.is(b.X, k.info) && t.is(b.Y, k.info) {
					open = func(rest int) string {
						return fmt.Sprintf("%s.%s(%d, %d, %d, %v, %s(%s), %s(%s), ", rtName, k.name, t.frame, rest, op, want, k.conv, t.text(b.X), k.conv, t.text(b.Y))
					}
				}
			}
		}
	}
	text := t.text(x)
	if !want {
		text = "!(" + text + ")"
	}
	t.add(text, func(rest int) { t.wrap(x, open(rest)) })
}

func (t *trail) wrap(x ast.Expr, open string) {
	t.e.Insert(t.r.offset(x.Pos()), open)
	t.e.Insert(t.r.offset(x.End()), ")")
}

// plainBool says that a type is bool itself, or that of an untyped condition.
func plainBool(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// is says that an expression is of a basic type of a sort, and, if it is constant, one that fits the widest of that sort.
func (t *trail) is(x ast.Expr, info types.BasicInfo) bool {
	tv := t.r.pkg.Info.Types[x]
	if tv.Type == nil {
		return false
	}
	if _, ok := types.Unalias(tv.Type).(*types.TypeParam); ok {
		return false
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&info == 0 {
		return false
	}
	if tv.Value != nil && info == types.IsInteger {
		return smallNumber.MatchString(tv.Value.ExactString())
	}
	return true
}

// smallNumber is a number that fits int64.
var smallNumber = regexp.MustCompile(`^-?\d{1,18}$`)

// pure says that evaluating an expression twice does what evaluating it once does.
func (t *trail) pure(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return t.pure(x.X)
	case *ast.SelectorExpr:
		return t.pure(x.X)
	case *ast.StarExpr:
		return t.pure(x.X)
	case *ast.IndexExpr:
		return t.pure(x.X) && t.pure(x.Index)
	case *ast.UnaryExpr:
		return x.Op != token.ARROW && t.pure(x.X)
	case *ast.BinaryExpr:
		return t.pure(x.X) && t.pure(x.Y)
	case *ast.CallExpr:
		if id, ok := x.Fun.(*ast.Ident); ok && len(x.Args) == 1 && t.pure(x.Args[0]) {
			b, ok := t.r.pkg.Info.Uses[id].(*types.Builtin)
			return ok && (b.Name() == "len" || b.Name() == "cap")
		}
	}
	return false
}

// text is an expression as it stands in the source.
func (t *trail) text(x ast.Expr) string {
	file := t.r.prog.Fset.File(x.Pos())
	for i, f := range t.r.pkg.Files {
		if t.r.prog.Fset.File(f.Pos()) == file {
			return string(t.r.pkg.Sources[i][t.r.offset(x.Pos()):t.r.offset(x.End())])
		}
	}
	return ""
}

// crash lets what may crash in a statement, on the place's line, report how near it is to that.
func (t *trail) crash(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return t.place.InLiteral
		case *ast.IndexExpr:
			if t.place.Kind == "index" && t.here(n.Index) && t.sequence(n.X) {
				t.report(n.Index, "Index", "len("+t.text(n.X)+")")
			}
		case *ast.SliceExpr:
			if t.place.Kind != "slice-bounds" || !t.sequence(n.X) {
				break
			}
			bound := "len(" + t.text(n.X) + ")"
			if n.High != nil && t.here(n.High) {
				of := bound
				if _, ok := t.r.pkg.Info.TypeOf(n.X).Underlying().(*types.Slice); ok {
					of = "cap(" + t.text(n.X) + ")"
				}
				t.report(n.High, "High", of)
				bound = ""
				if t.pure(n.High) {
					bound = "int(" + t.text(n.High) + ")"
				}
			}
			if n.Low != nil && t.here(n.Low) && bound != "" {
				t.report(n.Low, "High", bound)
			}
		case *ast.BinaryExpr:
			if t.place.Kind == "div-zero" && (n.Op == token.QUO || n.Op == token.REM) && t.here(n.Y) {
				t.report(n.Y, "Divisor", "")
			}
		}
		return true
	})
}

func (t *trail) here(x ast.Expr) bool {
	return t.line(x.Pos()) <= t.place.Line && t.place.Line <= t.line(x.End())
}

// sequence says that an expression is a string or slice that can be evaluated twice.
func (t *trail) sequence(x ast.Expr) bool {
	typ := t.r.pkg.Info.TypeOf(x)
	if typ == nil || !t.pure(x) {
		return false
	}
	switch u := typ.Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	}
	return false
}

// report passes a number, of type int and not constant, through a function of the runtime.
func (t *trail) report(x ast.Expr, function, bound string) {
	tv := t.r.pkg.Info.Types[x]
	if tv.Value != nil || tv.Type == nil || !types.Identical(tv.Type, types.Typ[types.Int]) {
		return
	}
	t.e.Insert(t.r.offset(x.Pos()), fmt.Sprintf("%s.%s(%d, ", rtName, function, t.frame))
	if bound != "" {
		bound = ", " + bound
	}
	t.e.Insert(t.r.offset(x.End()), bound+")")
}
