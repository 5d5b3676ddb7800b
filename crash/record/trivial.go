package record

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/callgraph"
	"dsd/internal/source"
)

// Functions that are trivial are not recorded: to record them would cost more than it helps
// [REC 2.3.2]. ReCrash leaves out empty and non-public methods, and those with fewer than seven
// bytecode instructions. Here the sizes are counted in nodes of the syntax tree, and limited by
// how likely a function panics, is inlined, or is called often.
const (
	maxTrivial = 16 // of a leaf that only reads and writes fields and compares
	maxSmall   = 40 // of a leaf that the program calls, and the compiler may inline
	maxLeaf    = 80 // of a leaf that only its package can call
	maxInner   = 60 // of another function that only its package can call
)

// trivial reports whether a function is not worth recording:
//   - a leaf that cannot panic, since no stack trace has it;
//   - a getter or setter, or another small leaf;
//   - a function that other packages cannot call, if it is small or called often: its callers are
//     recorded. In a main package that holds for leaves alone, since nothing imports it.
//
// A leaf is a function that calls nothing. A function that only function literals call has no callers that are recorded,
// such as a helper of a command line's actions.
func (w *rewriter) trivial(fd *ast.FuncDecl, obj *types.Func) bool {
	b := body{info: w.pkg.Info, leaf: true, plain: true, safe: true}
	ast.Inspect(fd.Body, b.visit)
	inner := !exported(obj) && !w.calls.byLiterals[obj]
	library := w.pkg.Name != "main"
	switch {
	case b.leaf && b.safe:
		return true
	case b.leaf && b.plain && b.nodes <= maxTrivial:
		return true
	case b.leaf && inner && b.nodes <= maxLeaf:
		return true
	case b.leaf && library && w.calls.called[obj] && b.nodes <= maxSmall:
		return true
	}
	return library && inner && !b.closed && (b.nodes <= maxInner || w.calls.hot[obj])
}

// calls holds how the functions of a program are called, by calls that name them.
type calls struct {
	// called are the functions that another function calls.
	called map[*types.Func]bool
	// hot are the functions that are called in a loop, or lie on a cycle of the call graph.
	hot map[*types.Func]bool
	// byLiterals are the functions that are called in function literals and nowhere else.
	byLiterals map[*types.Func]bool
}

// newCalls looks at all calls in a program, whose call graph is g. The cost is linear in the size of the source.
func newCalls(prog *source.Program, g *callgraph.Graph) *calls {
	c := &calls{called: map[*types.Func]bool{}, hot: map[*types.Func]bool{}, byLiterals: map[*types.Func]bool{}}
	for _, f := range g.Funcs {
		for _, e := range g.Edges(f.Obj) {
			if e.Kind != callgraph.Call {
				continue
			}
			c.called[e.Callee] = c.called[e.Callee] || e.Callee != f.Obj
			c.hot[e.Callee] = c.hot[e.Callee] || e.Callee == f.Obj || e.Loop
		}
	}
	direct := map[*types.Func]bool{} // called outside of function literals
	for _, pkg := range prog.All {
		for _, file := range pkg.Files {
			callees(pkg.Info, file, direct, c.byLiterals)
		}
	}
	for fn := range direct {
		delete(c.byLiterals, fn)
	}
	for _, component := range g.Components(callgraph.Call) {
		for _, fn := range component {
			c.hot[fn] = c.hot[fn] || len(component) > 1
		}
	}
	return c
}

// callees adds the functions that a part of a file calls to outside, and those that its function literals call to inside.
func callees(info *types.Info, part ast.Node, outside, inside map[*types.Func]bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			callees(info, n.Body, inside, inside)
			return false
		case *ast.CallExpr:
			if fn := callgraph.Callee(info, n); fn != nil {
				outside[fn] = true
			}
		}
		return true
	})
}

// body describes the body of a function.
type body struct {
	info *types.Info
	// nodes is the number of nodes of the syntax tree.
	nodes int
	// leaf reports whether it calls nothing, and has no function literals nor go or defer
	// statements.
	leaf bool
	// plain reports whether it does no more than read and write fields and compare.
	plain bool
	// safe reports whether nothing in it can panic.
	safe bool
	// closed reports whether it has function literals, defers calls, or starts or talks to
	// other goroutines.
	closed bool
}

// visit updates the description with a node of the syntax tree.
func (b *body) visit(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return false

	case *ast.CallExpr:
		b.call(n)

	case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
		b.leaf, b.closed = false, true

	case *ast.ForStmt, *ast.BranchStmt:
		b.plain = false

	case *ast.RangeStmt:
		b.plain = false
		b.safe = b.safe && rangeable(b.info.TypeOf(n.X))

	case *ast.SliceExpr, *ast.TypeAssertExpr:
		b.plain, b.safe = false, false

	case *ast.IndexExpr:
		b.plain = false
		b.safe = b.safe && b.inBounds(n)

	case *ast.StarExpr:
		b.safe = false

	case *ast.UnaryExpr:
		b.safe, b.plain = b.safe && n.Op != token.ARROW, b.plain && n.Op != token.ARROW

	case *ast.SelectorExpr:
		if s := b.info.Selections[n]; s != nil && s.Indirect() {
			b.safe = false
		}

	case *ast.BinaryExpr:
		b.operation(n.Op, n.X, n.Y)

	case *ast.AssignStmt:
		if op, ok := operators[n.Tok]; ok {
			b.operation(op, n.Lhs[0], n.Rhs[0])
		}

	case *ast.SwitchStmt:
		b.safe = b.safe && (n.Tag == nil || basic(b.info.TypeOf(n.Tag)))
	}
	b.nodes++
	return true
}

// call updates the description with a call, or a conversion.
func (b *body) call(n *ast.CallExpr) {
	tv := b.info.Types[n.Fun]
	switch {
	case tv.IsType():
		b.safe = b.safe && basic(tv.Type)
		b.plain = b.plain && !arrayLike(tv.Type)

	case tv.IsBuiltin():
		name := ""
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			name = id.Name
		}
		switch name {
		case "len", "cap", "append", "copy", "min", "max":
		case "panic", "make", "close", "":
			b.safe, b.plain = false, false
		default:
			b.safe = false
		}

	default:
		b.leaf = false
	}
}

// operators maps the tokens of assignments that may panic to their operators.
var operators = map[token.Token]token.Token{
	token.QUO_ASSIGN: token.QUO,
	token.REM_ASSIGN: token.REM,
	token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR,
}

// operation updates the description with a binary operation.
func (b *body) operation(op token.Token, x, y ast.Expr) {
	switch op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		b.plain = false
		tv := b.info.Types[y]
		shift := op != token.QUO && op != token.REM
		b.safe = b.safe && (tv.Value != nil || unsigned(tv.Type) && shift)
	case token.EQL, token.NEQ:
		b.safe = b.safe && (basic(b.info.TypeOf(x)) || b.info.Types[y].IsNil())
	}
}

// inBounds reports whether an index is always in range: a constant one of an array, or a byte in an
// array with an element for each byte.
func (b *body) inBounds(n *ast.IndexExpr) bool {
	array, ok := b.info.TypeOf(n.X).Underlying().(*types.Array)
	if !ok {
		return false
	}
	index := b.info.Types[n.Index]
	t, ok := index.Type.Underlying().(*types.Basic)
	return index.Value != nil || ok && t.Kind() == types.Uint8 && array.Len() >= 256
}

// basic reports whether the values of a type are of a basic type, so that comparing them or
// converting to the type cannot panic.
func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// arrayLike reports whether a conversion to a type may panic: to an array or a pointer to one.
func arrayLike(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

func unsigned(t types.Type) bool {
	u, ok := t.Underlying().(*types.Basic)
	return ok && u.Info()&types.IsUnsigned != 0
}

// rangeable reports whether a loop over a value of a type cannot panic by itself.
func rangeable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array, *types.Map:
		return true
	}
	return false
}

// exported reports whether other packages can call a function by name: the name is exported, and so
// is that of the receiver's type.
func exported(f *types.Func) bool {
	if recv := f.Type().(*types.Signature).Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok && !n.Obj().Exported() {
			return false
		}
	}
	return f.Exported()
}
