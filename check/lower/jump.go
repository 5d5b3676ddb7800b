package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/check/ir"
)

// target is a statement that break or continue may leave.
type target struct {
	label     string
	brk, cont *ir.Block
	isBlock   bool // neither loop nor switch: only a labelled break leaves it
}

// labeledStmt lowers a labelled statement: a loop or switch that break and continue name, or a place to go to.
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
	default: // a plain block that break may leave
		end := l.block()
		l.targets = append(l.targets, target{label: s.Label.Name, brk: end, isBlock: true})
		l.label = ""
		l.stmt(s.Stmt)
		l.targets = l.targets[:len(l.targets)-1]
		l.jump(end)
		l.start(end)
	}
}

// labelBlock is the block that a goto to the label o goes to.
func (l *lowerer) labelBlock(o types.Object) *ir.Block {
	b := l.labels[o]
	if b == nil {
		b = l.block()
		l.labels[o] = b
	}
	return b
}

func (l *lowerer) branchStmt(s *ast.BranchStmt) {
	switch s.Tok {
	case token.GOTO:
		if o := l.pkg.Info.Uses[s.Label]; l.body != nil && (o.Pos() < l.body.from || o.Pos() >= l.body.to) {
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
		return // switchStmt sees to it
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
