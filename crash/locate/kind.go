package locate

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"

	"dsd/internal/kind"
	"dsd/internal/stacktrace"
	"dsd/internal/symbol"
	"dsd/schemas"
)

// checkKind takes the position of the frame that panicked back, and says so, if nothing on that line can panic
// with the kind: the source has been edited since, by whole lines.
func (l *locator) checkKind(f *stacktrace.Located, k schemas.Kind) {
	if k == "" || !f.Pos.IsValid() || f.Module == nil {
		return
	}
	at := l.fileOf(f)
	if at.syntax == nil || l.mayPanic(at.syntax, f.Pos.Line, k) {
		return
	}
	title := string(k)
	if d := kind.Of(k); d != nil {
		title = d.Title
	}
	f.Misfit = fmt.Sprintf("no %s is possible at %s of the build, where %q stands: another version, or edited lines",
		title, f.Pos, f.Source)
	f.Pos, f.Source = symbol.Pos{}, ""
}

// repanics reports whether a frame belongs to a deferred function that panics again with the value that it recovered: its
// line calls panic and cannot raise a runtime panic of kind k. Go's own tracebacks show the calls of panic, so package stack
// drops such frames there; error trackers such as Sentry leave these calls out.
func (l *locator) repanics(f *stacktrace.Located, k schemas.Kind) (found bool) {
	if k == "" || k == schemas.ExplicitPanic || !f.Pos.IsValid() || f.Module == nil {
		return false
	}
	at := l.fileOf(f)
	if at.syntax == nil || l.mayPanic(at.syntax, f.Pos.Line, k) {
		return false
	}
	ast.Inspect(at.syntax, func(n ast.Node) bool {
		if n == nil || !l.spans(n, f.Pos.Line) {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		found = found || ok && isPanic(call)
		return true
	})
	return found
}

// isPanic reports whether a call is one of the function panic.
func isPanic(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

// fileOf returns the file of a frame's position.
func (l *locator) fileOf(f *stacktrace.Located) *file {
	return l.parse(filepath.Join(f.Module.Dir, filepath.FromSlash(f.Pos.File)))
}

// mayPanic reports whether an expression or statement that is on a line, or around it, may raise a panic of a kind. It
// is generous: false is certain.
func (l *locator) mayPanic(file *ast.File, line int, k schemas.Kind) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found || !l.spans(n, line) {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			id, _ := n.Fun.(*ast.Ident)
			switch {
			case isPanic(n):
				found = found || k == schemas.ExplicitPanic
			case id != nil && k == schemas.MakeSlice:
				found = found || id.Name == "make" || id.Name == "append"
			default:
				found = found || calls[k]
			}
		case *ast.IndexExpr, *ast.IndexListExpr:
			found = found || indexes[k]
		case *ast.SliceExpr:
			found = found || k == schemas.SliceBounds || k == schemas.NilDeref
		case *ast.SelectorExpr, *ast.StarExpr, *ast.RangeStmt:
			found = found || k == schemas.NilDeref
		case *ast.TypeAssertExpr:
			found = found || k == schemas.TypeAssert
		case *ast.TypeSwitchStmt, *ast.SwitchStmt, *ast.CompositeLit:
			found = found || k == schemas.Uncomparable
		case *ast.SendStmt:
			found = found || k == schemas.Chan
		case *ast.BinaryExpr:
			found = found || mayFail(n.Op, k)
		case *ast.AssignStmt:
			found = found || mayFail(binary[n.Tok], k)
		case *ast.IncDecStmt:
			found = found || k == schemas.NilMap
		case *ast.GoStmt:
			found = found || k == schemas.NilDeref
		}
		return true
	})
	return found
}

// calls are the kinds that a call may raise in its own line, a conversion and the functions that the compiler inlines
// among them; indexes those of an index expression, also of a map.
var (
	calls = map[schemas.Kind]bool{
		schemas.ExplicitPanic: true, schemas.NilDeref: true, schemas.Conversion: true, schemas.StackOverflow: true,
		schemas.Chan: true, schemas.Uncomparable: true, schemas.SliceBounds: true, schemas.TypeAssert: true,
	}
	indexes = map[schemas.Kind]bool{
		schemas.Index: true, schemas.NilMap: true, schemas.NilDeref: true, schemas.Uncomparable: true,
	}
)

// mayFail reports whether an operator may raise a panic of a kind.
func mayFail(op token.Token, k schemas.Kind) bool {
	switch op {
	case token.QUO, token.REM:
		return k == schemas.DivZero
	case token.SHL, token.SHR:
		return k == schemas.Shift
	case token.EQL, token.NEQ:
		return k == schemas.Uncomparable || k == schemas.NilDeref
	}
	return false
}

// binary are the operators of assignments.
var binary = map[token.Token]token.Token{
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}
