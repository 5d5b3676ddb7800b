package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"dsd/internal/overlay"
	"dsd/internal/source"
	"dsd/schemas"
)

// The trail is the way through the functions of a stack to the lines where they were left. Each
// function of the target reports the steps that are left to its line (the approach level) and, for
// the next condition, how near it is to coming out as needed (the branch distance) [EVO III-B]; the
// runtime adds these up over the frames.
//
// The steps are read off the syntax: the way leads into the branches and loops that hold the line,
// and past the statements before it that would leave, such as
//
//	if x == nil {
//		return
//	}
//
// Among these, only if statements count; the way out of an earlier loop or switch is no step.

// TargetFrame is a frame of the stack that is to be reproduced: a line of a function.
type TargetFrame struct {
	// Func is the function, or the one that encloses the function literal.
	Func *source.Func
	// InLiteral reports whether the frame is that of a function literal.
	InLiteral bool
	// Line is the line of the call or, in the innermost frame, of the panic; 0 if unknown.
	Line int
	// Kind is the kind of the panic; set in the innermost frame only.
	Kind schemas.Kind
	// Cycle holds the names of the functions of an endless recursion, quoted and with commas between them; set in the
	// innermost frame only.
	Cycle string

	// guard is set for a guard, which is on no stack: how its last result must be. leave is the return that is to be
	// reached then. See guard.go.
	guard string
	leave *ast.ReturnStmt
}

// trail instruments one function of the target.
type trail struct {
	r     *rewriter
	e     *overlay.Edits
	index int // of the frame
	frame TargetFrame
	alone bool // no other frame is in the same function
	steps []step
	// calls are the calls whose last results variables hold.
	calls map[types.Object]*ast.CallExpr
}

// step is something that has to happen on the way.
type step struct {
	// text describes it, in Go.
	text string
	// edit inserts the report; rest is the number of steps left after this one.
	edit func(rest int)
}

// follow instruments one frame and returns its steps, as Go source. alone reports whether the frame is the only one in
// its function.
func (r *rewriter) follow(e *overlay.Edits, index int, frame TargetFrame, alone bool) []string {
	t := &trail{r: r, e: e, index: index, frame: frame, alone: alone}
	body := t.way()
	enter := "At"
	if frame.guard != "" {
		enter = "Begin"
	}
	e.Insert(r.offset(body.Lbrace+1),
		fmt.Sprintf(" %s.%s(%d, %d); ", rtName, enter, index, len(t.steps)+1))
	var texts []string
	for i, s := range t.steps {
		s.edit(len(t.steps) - i)
		texts = append(texts, s.text)
	}
	return texts
}

// way finds the steps of the frame, and returns the body that they are in.
func (t *trail) way() *ast.BlockStmt {
	body := t.body()
	if t.frame.Line > 0 {
		t.list(body.List)
	}
	t.leave()
	return body
}

// body returns the body of the function or function literal that the frame belongs to.
func (t *trail) body() *ast.BlockStmt {
	body := t.frame.Func.Decl.Body
	if t.frame.InLiteral && t.frame.Line > 0 {
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

// holds reports whether the frame's line is among the lines of a node.
func (t *trail) holds(n ast.Node) bool {
	return t.line(n.Pos()) <= t.frame.Line && t.frame.Line <= t.line(n.End())
}

// inside reports whether the frame's line is inside a block. The line that opens a block counts
// only if the block has no other.
func (t *trail) inside(b *ast.BlockStmt) bool {
	return t.holds(b) &&
		(t.line(b.Lbrace) < t.frame.Line || t.line(b.Lbrace) == t.line(b.Rbrace))
}

// list follows the way through a list of statements.
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

// past follows the way past a statement that may leave the list.
func (t *trail) past(s ast.Stmt) {
	f, ok := s.(*ast.IfStmt)
	if !ok {
		t.note(s)
		return
	}
	t.note(f.Init)
	switch {
	case leaves(f.Body):
		t.condition(f.Cond, false)
		if f.Else != nil {
			t.past(f.Else)
		}
	case f.Else != nil && leaves(f.Else):
		t.condition(f.Cond, true)
	}
}

// leaves reports whether control never reaches the end of a statement, as far as its syntax shows.
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

// into follows the way into the statement that holds the line; inList reports whether a statement
// can be inserted before it.
func (t *trail) into(s ast.Stmt, inList bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		t.list(s.List)
		return
	case *ast.LabeledStmt:
		t.into(s.Stmt, false)
		return
	case *ast.IfStmt:
		t.note(s.Init)
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
			t.reach(s.Body.Lbrace + 1)
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
		t.reach(s.Pos())
	}
	if t.frame.Kind != "" {
		t.operands(s)
	}
}

// clause follows the way into the clause of a switch or select that holds the line and reports
// whether there is one. With conditions, the expressions of the clauses are conditions: it is a
// switch without a tag.
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
		onlyHead := t.frame.Line <= t.line(colon) && t.line(c.End()) > t.line(colon)
		if !t.holds(c) || len(list) == 0 || onlyHead {
			continue
		}
		t.reach(colon + 1)
		t.list(list)
		return true
	}
	return false
}

// add adds a step.
func (t *trail) add(text string, edit func(rest int)) {
	t.steps = append(t.steps, step{text, edit})
}

// reach adds the step that control reaches a position between statements.
func (t *trail) reach(at token.Pos) {
	t.add(fmt.Sprintf("control comes to line %d", t.line(at)), func(rest int) {
		text := fmt.Sprintf(" %s.At(%d, %d); ", rtName, t.index, rest)
		if rest == 1 && t.frame.Kind == schemas.StackOverflow {
			text = fmt.Sprintf(" %s.Again(%d, %s); ", rtName, t.index, t.frame.Cycle)
		}
		t.e.Insert(t.r.offset(at), text)
	})
}

// join makes one step of the steps from an index on: any of them suffices.
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

// operands lets the operations of a statement that may panic, on the frame's line, report how far
// their operands are from that.
func (t *trail) operands(s ast.Stmt) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return t.frame.InLiteral
		case *ast.IndexExpr:
			if t.frame.Kind == schemas.Index && t.holds(n.Index) && t.sequence(n.X) {
				t.report(n.Index, "Index", "len("+t.text(n.X)+")")
			}
		case *ast.SliceExpr:
			if t.frame.Kind == schemas.SliceBounds && t.sequence(n.X) {
				t.sliceBounds(n)
			}
		case *ast.BinaryExpr:
			divides := n.Op == token.QUO || n.Op == token.REM
			if t.frame.Kind == schemas.DivZero && divides && t.holds(n.Y) {
				t.report(n.Y, "Divisor", "")
			}
		}
		return true
	})
}

// sliceBounds lets the bounds of a slice expression report how far they are from being out of
// range.
func (t *trail) sliceBounds(n *ast.SliceExpr) {
	bound := "len(" + t.text(n.X) + ")" // of the low index
	if n.High != nil && t.holds(n.High) {
		limit := bound
		if _, ok := t.r.pkg.Info.TypeOf(n.X).Underlying().(*types.Slice); ok {
			limit = "cap(" + t.text(n.X) + ")"
		}
		t.report(n.High, "High", limit)
		bound = ""
		if t.pure(n.High) {
			bound = "int(" + t.text(n.High) + ")"
		}
	}
	if n.Low != nil && t.holds(n.Low) && bound != "" {
		t.report(n.Low, "High", bound)
	}
}

// sequence reports whether an expression is a string or slice that can be evaluated twice.
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

// report passes an operand through a function of the runtime, with a bound if there is one. Only
// operands of predeclared integer types that are not constant are reported.
func (t *trail) report(x ast.Expr, function, bound string) {
	tv := t.r.pkg.Info.Types[x]
	if tv.Value != nil || tv.Type == nil {
		return
	}
	b, ok := types.Unalias(tv.Type).(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return
	}
	open, end := fmt.Sprintf("%s.%s(%d, ", rtName, function, t.index), ")"
	if bound != "" {
		end = ", " + bound + ")"
	}
	if b.Kind() != types.Int { // the runtime takes and returns an int
		if shiftsConstant(x) {
			return
		}
		open, end = b.Name()+"("+open+"int(", ")"+end+")"
	}
	t.e.Insert(t.r.offset(x.Pos()), open)
	t.e.Insert(t.r.offset(x.End()), end)
}
