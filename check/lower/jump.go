package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
)

// A target is a statement that break or continue may refer to.
type target struct {
	label     string    // or ""
	brk, cont *ir.Block // where break and continue jump; cont is nil if it is not a loop
	isBlock   bool      // neither a loop nor a switch, so that only a labelled break leaves it
}

// pushTarget enters the body of a statement that break or continue may refer to.
func (l *lowerer) pushTarget(t target) { l.targets = append(l.targets, t) }

// popTarget leaves the body of the innermost such statement.
func (l *lowerer) popTarget() { l.targets = l.targets[:len(l.targets)-1] }

// labeledStmt lowers a labelled statement. A label that a goto names starts a block. A label of a
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

// labelBlock returns the block at label o.
func (l *lowerer) labelBlock(o types.Object) *ir.Block {
	b := l.labels[o]
	if b == nil {
		b = l.block()
		l.labels[o] = b
	}
	return b
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
	for i := len(l.targets) - 1; i >= 0; i-- {
		t := l.targets[i]
		if s.Label != nil && t.label != s.Label.Name || s.Label == nil && t.isBlock {
			continue
		}
		if s.Tok == token.BREAK {
			l.jump(t.brk)
			return
		}
		if t.cont != nil {
			l.jump(t.cont)
			return
		}
	}
	if l.body != nil {
		l.branchInRangeFunc(s)
		return
	}
	panic(unsupportedf("a jump to nowhere"))
}
