package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"dsd/crash/candidate/run"
	"dsd/internal/callgraph"
)

// condition adds the steps of a condition that must come out as wanted:
//
//	a && b  true:   two steps          a || b  true:   one step, either suffices
//	a && b  false:  one step           a || b  false:  two steps
//	!a      want:   a, not want        others:         one step, a leaf
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
			if (x.Op == token.LAND) != want {
				t.join(from)
			}
			return
		}
	}
	t.leaf(x, want)
}

// comparisons are the runtime's numbers of the comparison operators.
var comparisons = map[token.Token]int{
	token.EQL: run.Equal, token.NEQ: run.NotEqual,
	token.LSS: run.Less, token.LEQ: run.LessEqual,
	token.GTR: run.Greater, token.GEQ: run.GreaterEqual,
}

// comparer is a function of the runtime that reports a comparison of operands of a sort; conv is
// the type that it takes.
type comparer struct {
	info           types.BasicInfo
	function, conv string
}

var comparers = []comparer{
	{types.IsInteger, "Ints", "int64"},
	{types.IsFloat, "Floats", "float64"},
	{types.IsString, "Texts", "string"},
}

// comparer returns the comparer for the operands of a comparison, or nil.
func (t *trail) comparer(b *ast.BinaryExpr) *comparer {
	for i, c := range comparers {
		if t.is(b.X, c.info) && t.is(b.Y, c.info) {
			return &comparers[i]
		}
	}
	return nil
}

// leaf adds the step of a condition without && and ||. The condition is wrapped in a call that
// returns its value:
//
//	i < n             =>  Ints(frame, rest, op, want, int64(i), int64(n), i < n)
//	f() < n           =>  Once(frame, rest, op, want, int64(f()), int64(n))
//	bytes.Equal(a, b) =>  Bytes(frame, rest, want, bytes.Equal, a, b), and so for HasPrefix and HasSuffix
//	f(x)              =>  Bool(frame, rest, want, f(x))
//
// The first form needs operands that can be evaluated twice.
func (t *trail) leaf(x ast.Expr, want bool) {
	if typ := t.r.pkg.Info.TypeOf(x); typ == nil || !plainBool(typ) {
		return
	}
	if tv := t.r.pkg.Info.Types[x]; tv.Value != nil {
		return
	}
	if g, ok := t.guardOf(x, want); ok {
		text := t.text(x)
		if !want {
			text = "!(" + text + ")"
		}
		t.guarded(x, text, want, g)
		return
	}
	open := func(rest int) string {
		return fmt.Sprintf("%s.Bool(%d, %d, %v, ", rtName, t.index, rest, want)
	}
	if b, ok := x.(*ast.BinaryExpr); ok && t.pure(b.X) && t.pure(b.Y) {
		if op, ok := comparisons[b.Op]; ok {
			if c := t.comparer(b); c != nil {
				open = func(rest int) string {
					return fmt.Sprintf("%s.%s(%d, %d, %d, %v, %s(%s), %s(%s), ",
						rtName, c.function, t.index, rest, op, want,
						c.conv, t.text(b.X), c.conv, t.text(b.Y))
				}
			}
		}
	}
	text := t.text(x)
	if !want {
		text = "!(" + text + ")"
	}
	if edit := t.once(x, want); edit != nil {
		t.add(text, edit)
		return
	}
	t.add(text, func(rest int) {
		t.e.Insert(t.r.offset(x.Pos()), open(rest))
		t.e.Insert(t.r.offset(x.End()), ")")
	})
}

// textFunctions are functions of the standard library that compare texts, and the functions of the runtime that report that.
var textFunctions = map[string]string{
	"bytes.Equal": "Bytes", "bytes.HasPrefix": "BytesPrefix", "bytes.HasSuffix": "BytesSuffix",
	"strings.HasPrefix": "Prefix", "strings.HasSuffix": "Suffix",
}

// once returns the edit of a condition whose operands the runtime compares, because they can be evaluated only once;
// nil if it is none, or if the condition may be a step of several frames: its text can be rewritten only once.
func (t *trail) once(x ast.Expr, want bool) func(rest int) {
	if !t.alone {
		return nil
	}
	switch x := x.(type) {
	case *ast.CallExpr:
		fn := callgraph.Callee(t.r.pkg.Info, x)
		if fn == nil || len(x.Args) != 2 {
			return nil
		}
		if function := textFunctions[fn.FullName()]; function != "" {
			return func(rest int) {
				t.e.Insert(t.r.offset(x.Pos()), fmt.Sprintf("%s.%s(%d, %d, %v, ", rtName, function, t.index, rest, want))
				t.e.Replace(t.r.offset(x.Lparen), t.r.offset(x.Lparen+1), ", ")
			}
		}
	case *ast.BinaryExpr:
		op, ok := comparisons[x.Op]
		if !ok || t.pure(x.X) && t.pure(x.Y) || !t.is(x.X, types.IsInteger) || !t.is(x.Y, types.IsInteger) ||
			shiftsConstant(x) {
			return nil
		}
		function, conv := "Once", "int64"
		if t.is(x.X, types.IsUnsigned) && t.is(x.Y, types.IsUnsigned) {
			function, conv = "UnsignedOnce", "uint64"
		}
		return func(rest int) {
			t.e.Insert(t.r.offset(x.Pos()),
				fmt.Sprintf("%s.%s(%d, %d, %d, %v, %s(", rtName, function, t.index, rest, op, want, conv))
			between := t.source(x.X.End(), x.Y.Pos())
			t.e.Replace(t.r.offset(x.X.End()), t.r.offset(x.Y.Pos()),
				"), "+strings.Repeat("\n", strings.Count(between, "\n"))+conv+"(")
			t.e.Insert(t.r.offset(x.End()), "))")
		}
	}
	return nil
}

// shiftsConstant reports whether a part of an expression shifts a constant: its type would be that of a conversion
// around it.
func shiftsConstant(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.SHL || b.Op == token.SHR) {
			if _, ok := ast.Unparen(b.X).(*ast.BasicLit); ok {
				found = true
			}
		}
		return true
	})
	return found
}

// plainBool reports whether a type is bool itself or that of an untyped condition.
func plainBool(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// is reports whether an expression is of a basic type of a sort. A constant must also fit the
// widest type of the sort.
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
		return fitsInt64.MatchString(tv.Value.ExactString())
	}
	return true
}

// fitsInt64 matches integers of at most 18 digits.
var fitsInt64 = regexp.MustCompile(`^-?\d{1,18}$`)

// pure reports whether evaluating an expression twice has the same effect as evaluating it once.
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

// text returns the source text of an expression.
func (t *trail) text(x ast.Expr) string { return t.source(x.Pos(), x.End()) }

// source returns the source text between two positions of a file.
func (t *trail) source(from, to token.Pos) string {
	file := t.r.prog.Fset.File(from)
	for i, f := range t.r.pkg.Files {
		if t.r.prog.Fset.File(f.Pos()) == file {
			return string(t.r.pkg.Sources[i][t.r.offset(from):t.r.offset(to)])
		}
	}
	return ""
}
