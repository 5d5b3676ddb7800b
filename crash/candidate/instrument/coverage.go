package instrument

import (
	"fmt"
	"go/ast"
	"go/token"

	"dsd/internal/overlay"
)

// seenName is the name of the variable of a package that marks its blocks: an array, so that a mark is one
// instruction.
const seenName = rtName + "_seen"

// countPass is the statement that counts a pass.
const countPass = " if %[1]s.Passes--; %[1]s.Passes < 0 { %[1]s.OutOfPasses() }; "

// cover numbers the blocks of a function's body and inserts into each a statement that marks it as
// executed:
//
//	for cond { body }
//	for cond { if Passes--; Passes < 0 { OutOfPasses() };  seen[7] = true;  body }
//
// A block begins wherever control can arrive without passing the statement before: at the body of a
// function, loop or branch, and at the clauses of a switch or select. The bodies of functions and
// loops count passes besides. The bodies of functions that may change package-level variables set
// Dirty, so that they are reset. Blocks that make a value of the wanted dynamic type set Made.
func (r *rewriter) cover(e *overlay.Edits, body *ast.BlockStmt) {
	mark := func(n ast.Node, at token.Pos) {
		if r.made[n] {
			e.Insert(r.offset(at), " "+rtName+".Made = true; ")
		}
		e.Insert(r.offset(at), fmt.Sprintf(" %s[%d] = true; ", seenName, r.out.Blocks-r.first))
		r.out.Blocks++
	}
	counted := map[*ast.BlockStmt]bool{body: true} // bodies of functions and loops
	inSwitch := map[*ast.BlockStmt]bool{}          // blocks that hold clauses, not statements
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			counted[n.Body] = true
		case *ast.RangeStmt:
			counted[n.Body] = true
		case *ast.FuncLit:
			counted[n.Body] = true
		case *ast.SwitchStmt:
			inSwitch[n.Body] = true
		case *ast.TypeSwitchStmt:
			inSwitch[n.Body] = true
		case *ast.SelectStmt:
			inSwitch[n.Body] = true
		case *ast.BlockStmt:
			begin := r.offset(n.Lbrace + 1)
			if r.mutable.sites[n] {
				e.Insert(begin, " "+rtName+".Dirty = true; ")
			}
			if counted[n] {
				e.Insert(begin, fmt.Sprintf(countPass, rtName))
			}
			if !inSwitch[n] {
				mark(n, n.Lbrace+1)
			}
		case *ast.CaseClause:
			mark(n, n.Colon+1)
		case *ast.CommClause:
			mark(n, n.Colon+1)
		}
		return true
	})
}
