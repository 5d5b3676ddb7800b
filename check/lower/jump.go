package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
)

// jumps holds the places that break, continue and goto may jump to.
type jumps struct {
	targets []target // of break and continue, innermost last
	label   string   // of the statement that is lowered next, or ""
	// gotos holds the labels that goto statements name, and labels their blocks.
	gotos  map[types.Object]bool
	labels map[types.Object]*ir.Block
}

// A target is a statement that break or continue may refer to.
type target struct {
	label     string    // or ""
	brk, cont *ir.Block // where break and continue jump; cont is nil if it is not a loop
	isBlock   bool      // neither a loop nor a switch, so that only a labeled break leaves it
}

// newJumps returns the jumps of a function body, outside all statements.
func newJumps(info *types.Info, body *ast.BlockStmt) jumps {
	j := jumps{gotos: map[types.Object]bool{}, labels: map[types.Object]*ir.Block{}}
	ast.Inspect(body, func(n ast.Node) bool {
		if s, ok := n.(*ast.BranchStmt); ok && s.Tok == token.GOTO {
			j.gotos[info.Uses[s.Label]] = true
		}
		return true
	})
	return j
}

// pushTarget enters the body of a statement that break or continue may refer to.
func (j *jumps) pushTarget(t target) { j.targets = append(j.targets, t) }

// popTarget leaves the body of the innermost such statement.
func (j *jumps) popTarget() { j.targets = j.targets[:len(j.targets)-1] }

// takeLabel returns the label of the statement that is lowered now, and forgets it.
func (j *jumps) takeLabel() string {
	label := j.label
	j.label = ""
	return label
}

// inLoop reports whether the current statement may run more than once. A function with goto
// statements is taken to be a loop.
func (j *jumps) inLoop() bool {
	return len(j.gotos) > 0 ||
		slices.ContainsFunc(j.targets, func(t target) bool { return t.cont != nil })
}

// destination returns the block that a break or continue jumps to, or nil if its target is outside
// the function, which can be the body of a loop over a function.
func (j *jumps) destination(s *ast.BranchStmt) *ir.Block {
	for _, t := range slices.Backward(j.targets) {
		switch {
		case s.Label != nil && t.label != s.Label.Name, s.Label == nil && t.isBlock:
		case s.Tok == token.BREAK:
			return t.brk
		case t.cont != nil:
			return t.cont
		}
	}
	return nil
}

// labelBlock returns the block at label o.
func (j *jumps) labelBlock(o types.Object) *ir.Block {
	b := j.labels[o]
	if b == nil {
		b = newBlock()
		j.labels[o] = b
	}
	return b
}

// labeledStmt lowers a labeled statement. A label that a goto names starts a block. A label of a
// loop, switch or select is remembered for the statement's target; any other statement S becomes
//
//	S; goto end
//	end:
//
// where break jumps to end.
func (l *lowerer) labeledStmt(s *ast.LabeledStmt) {
	if o := l.pkg.Info.Defs[s.Label]; l.gotos[o] {
		at := l.labelBlock(o)
		l.jump(at)
		l.start(at)
	}
	l.label = s.Label.Name
	switch s.Stmt.(type) {
	case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		l.stmt(s.Stmt)
	default:
		end := l.block()
		l.pushTarget(target{label: s.Label.Name, brk: end, isBlock: true})
		l.label = ""
		l.stmt(s.Stmt)
		l.popTarget()
		l.jump(end)
		l.start(end)
	}
}

// branchStmt lowers break, continue and goto to jumps. Those that leave the body of a loop over a
// function are a matter of rangefunc.go.
func (l *lowerer) branchStmt(s *ast.BranchStmt) {
	switch s.Tok {
	case token.GOTO:
		if o := l.pkg.Info.Uses[s.Label]; l.body != nil &&
			(o.Pos() < l.body.from || o.Pos() >= l.body.to) {
			l.branchInRangeFunc(s)
			return
		}
		from, to := l.cur, l.labelBlock(l.pkg.Info.Uses[s.Label])
		l.jump(to)
		l.fixups = append(l.fixups, func() {
			if to.Index <= from.Index {
				l.addGotoLoop(to.Index, from.Index)
			}
		})
		return
	case token.FALLTHROUGH:
		return // see switchStmt
	}
	switch to := l.destination(s); {
	case to != nil:
		l.jump(to)
	case l.body != nil:
		l.branchInRangeFunc(s)
	default:
		panic(unsupportedf("a jump to nowhere"))
	}
}
