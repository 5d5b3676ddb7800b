package record

import (
	"go/ast"
	"go/token"
	"go/types"

	"dsd/internal/source"
)

// maxTrivial is how many nodes of the syntax tree the body of a trivial function has at most, maxSmall that of a leaf that the program
// calls, which would be inlined if it were not recorded, maxLeaf that of a leaf that only its package calls, and maxInner that of another
// that only its package calls.
const (
	maxTrivial = 16
	maxSmall   = 40
	maxLeaf    = 80
	maxInner   = 60
)

// trivial says that recording a function would cost more than it does: a leaf that cannot panic, which is on no stack; a getter, a setter,
// or another leaf that does no more than read and write fields and compare; and functions that are small, or called often, whose callers
// are recorded [REC 2.3]. All that a main package has is called by itself alone: of it only leaves are trivial.
func (w *rewriter) trivial(fd *ast.FuncDecl, obj *types.Func) bool {
	b := body{info: w.pkg.Info, leaf: true, plain: true, safe: true}
	ast.Inspect(fd.Body, b.visit)
	inner := !reachable(obj)
	switch {
	case b.leaf && b.safe, b.leaf && b.plain && b.nodes <= maxTrivial, b.leaf && inner && b.nodes <= maxLeaf,
		b.leaf && w.pkg.Name != "main" && w.calls.called[obj] && b.nodes <= maxSmall:
		return true
	}
	return inner && !b.closed && w.pkg.Name != "main" && (b.nodes <= maxInner || w.calls.often[obj])
}

// calls are how functions of a program are called, by name, by others of it.
type calls struct {
	// called are those that are, and often those that are in loops, or call themselves, directly or not.
	called, often map[*types.Func]bool
	callees       map[*types.Func][]*types.Func
	// order and low are those of Tarjan's algorithm, which finds what calls itself.
	order, low map[*types.Func]int
	stack      []*types.Func
}

// callsIn looks at all calls of a program. Its cost is linear in the size of the source.
func callsIn(prog *source.Program) *calls {
	c := &calls{called: map[*types.Func]bool{}, often: map[*types.Func]bool{}, callees: map[*types.Func][]*types.Func{},
		order: map[*types.Func]int{}, low: map[*types.Func]int{}}
	for _, pkg := range prog.All {
		for _, f := range pkg.Funcs() {
			c.in(f.Decl.Body, pkg.Info, f.Obj, false)
		}
	}
	for f := range c.callees {
		if c.order[f] == 0 {
			c.visit(f)
		}
	}
	return c
}

// in looks at the calls in a part of a function, which may be in a loop.
func (c *calls) in(part ast.Node, info *types.Info, caller *types.Func, loop bool) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if !loop {
				c.in(n, info, caller, true)
				return false
			}
		case *ast.RangeStmt:
			if !loop {
				c.in(n.X, info, caller, false)
				c.in(n.Body, info, caller, true)
				return false
			}
		case *ast.CallExpr:
			for _, callee := range calleesOf(info, n, nil) {
				c.callees[caller] = append(c.callees[caller], callee)
				c.called[callee] = c.called[callee] || callee != caller
				c.often[callee] = c.often[callee] || loop || callee == caller
			}
		}
		return true
	})
}

// visit finds the functions that call each other in a circle.
func (c *calls) visit(f *types.Func) {
	c.order[f] = len(c.order) + 1
	c.low[f] = c.order[f]
	base := len(c.stack)
	c.stack = append(c.stack, f)
	for _, g := range c.callees[f] {
		if c.order[g] == 0 {
			c.visit(g)
		}
		if c.low[g] > 0 { // it is still on the stack: f and g may be of one circle
			c.low[f] = min(c.low[f], c.low[g])
		}
	}
	if c.low[f] != c.order[f] {
		return
	}
	for _, g := range c.stack[base:] {
		c.low[g] = 0
		c.often[g] = c.often[g] || len(c.stack)-base > 1
	}
	c.stack = c.stack[:base]
}

// body is what the body of a function is like.
type body struct {
	info  *types.Info
	nodes int
	// leaf says that it calls nothing, plain that it does no more than read and write fields and compare, safe that nothing in it can
	// panic, and closed that it has function literals, or defers, or starts or talks to other goroutines.
	leaf, plain, safe, closed bool
}

func (b *body) visit(n ast.Node) bool {
	switch n := n.(type) {
	case nil:
		return false
	case *ast.CallExpr:
		tv := b.info.Types[n.Fun]
		id, _ := ast.Unparen(n.Fun).(*ast.Ident)
		switch {
		case tv.IsType():
			b.safe = b.safe && basic(tv.Type)
			b.plain = b.plain && !arrayLike(tv.Type)
		case tv.IsBuiltin() && id != nil && (id.Name == "len" || id.Name == "cap" || id.Name == "append" || id.Name == "copy" || id.Name == "min" || id.Name == "max"):
		case tv.IsBuiltin():
			b.safe = false
			b.plain = b.plain && id != nil && id.Name != "panic" && id.Name != "make" && id.Name != "close"
		default:
			b.leaf = false
		}
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
		b.safe = b.safe && b.within(n)
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

// operators are those of assignments that may panic.
var operators = map[token.Token]token.Token{token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR}

// operation looks at a binary operation.
func (b *body) operation(op token.Token, x, y ast.Expr) {
	switch op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		b.plain = false
		tv := b.info.Types[y]
		b.safe = b.safe && (tv.Value != nil || unsigned(tv.Type) && op != token.QUO && op != token.REM)
	case token.EQL, token.NEQ:
		b.safe = b.safe && (basic(b.info.TypeOf(x)) || b.info.Types[y].IsNil())
	}
}

// within says that an index is always in range: a byte's in an array that has an element for each, or a constant one of an array.
func (b *body) within(n *ast.IndexExpr) bool {
	array, ok := b.info.TypeOf(n.X).Underlying().(*types.Array)
	if !ok {
		return false
	}
	index := b.info.Types[n.Index]
	t, ok := index.Type.Underlying().(*types.Basic)
	return index.Value != nil || ok && t.Kind() == types.Uint8 && array.Len() >= 256
}

// basic says that a type is one of the basic ones, whose values can be compared.
func basic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// arrayLike says that a conversion to a type may panic: to an array or a pointer to one.
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

// rangeable says that to range over a value of a type cannot panic.
func rangeable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Slice, *types.Array, *types.Map:
		return true
	}
	return false
}

// reachable says that other packages can call a function: its name and that of its receiver's type are exported.
func reachable(f *types.Func) bool {
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
