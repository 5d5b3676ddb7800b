package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"dsd/check/logic"
	"dsd/check/vcgen"
	"dsd/schemas"
)

// Contract prepares the learned invariants of a function (or of an interface's method) as terms. sig is its
// signature, typeArgs those of the analysed instance; add the clauses with Clause, before Close.
func (w *World) Contract(pkg *types.Package, sig *types.Signature, recv *types.Var, m map[*types.TypeParam]types.Type) (c *ContractBuilder, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = u
		}
	}()
	c = &ContractBuilder{w: w, pkg: pkg, names: map[string]Value{}, k: &vcgen.Contract{}, l: &lowerer{w: w, b: w.builder}}
	c.l.out = newFunc("<contract>")
	bind := func(v *types.Var, name string, list *[]*logic.Var) {
		t := w.apply(v.Type(), m)
		val := Value{Type: t}
		for i, leaf := range w.Layout(t) {
			x := c.l.newVar(fmt.Sprintf("%s.%d", name, i), leaf.Sort)
			*list = append(*list, x)
			val.Leaves = append(val.Leaves, w.builder.Var(x))
		}
		if name != "" && name != "_" {
			c.names[name] = val
		}
	}
	if recv != nil {
		bind(recv, recv.Name(), &c.k.Params)
	}
	for i := range sig.Params().Len() {
		bind(sig.Params().At(i), sig.Params().At(i).Name(), &c.k.Params)
	}
	for i := range sig.Results().Len() {
		bind(sig.Results().At(i), resultName(sig.Results(), i), &c.k.Results)
	}
	return c, nil
}

// resultName is what invariants call a result.
func resultName(results *types.Tuple, i int) string {
	if name := results.At(i).Name(); name != "" && name != "_" {
		return name
	}
	if results.Len() == 1 {
		return "result"
	}
	return fmt.Sprintf("result%d", i)
}

// ContractBuilder collects the clauses of a contract.
type ContractBuilder struct {
	w     *World
	l     *lowerer
	pkg   *types.Package
	names map[string]Value
	k     *vcgen.Contract
	// old says that memory is read as it was at the entry.
	old bool
	// defined are the conditions under which what was evaluated exists: the pointers on the way are not nil.
	defined []*logic.Term
}

// Done returns the contract.
func (c *ContractBuilder) Done() *vcgen.Contract { return c.k }

// Clause adds an invariant, a Go expression as schemas.Invariant describes it. One that reads through a nil pointer says
// nothing. An error means that the expression cannot be understood here.
func (c *ContractBuilder) Clause(id string, at schemas.At, expr string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = u
		}
	}()
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return err
	}
	c.old, c.defined, c.l.limits = false, nil, nil
	cond := c.cond(e)
	c.defined = append(c.defined, c.l.limits...)
	cl := vcgen.Clause{ID: id, Term: c.l.b.Implies(c.l.b.And(c.defined...), cond)}
	if at == schemas.AtEntry {
		c.k.Entry = append(c.k.Entry, cl)
	} else {
		c.k.Exit = append(c.k.Exit, cl)
	}
	return nil
}

// cond evaluates a condition.
func (c *ContractBuilder) cond(e ast.Expr) *logic.Term {
	b := c.l.b
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.cond(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return b.Not(c.cond(e.X))
		}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && id.Name == "implies" && len(e.Args) == 2 {
			return b.Implies(c.cond(e.Args[0]), c.cond(e.Args[1]))
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return b.And(c.cond(e.X), c.cond(e.Y))
		case token.LOR:
			return b.Or(c.cond(e.X), c.cond(e.Y))
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return c.compare(e)
		}
	}
	v := c.value(e, nil)
	if len(v.Leaves) != 1 || v.Leaves[0].Sort != logic.Bool {
		panic(unsupportedf("the condition %s", types.ExprString(e)))
	}
	return v.Leaves[0]
}

// arith evaluates a sum, difference or product, the remainder by a constant, or bits in common, of integers.
func (c *ContractBuilder) arith(e *ast.BinaryExpr, like types.Type) Value {
	x, y := c.operands(e, like)
	if u, ok := x.Type.Underlying().(*types.Basic); ok && u.Info()&types.IsInteger != 0 {
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND:
			return c.l.arith(e.Op, x, y, e.OpPos)
		case token.REM:
			op := logic.OpURem
			if isSigned(x.Type) {
				op = logic.OpSRem
			}
			if isConst(e.Y) && !c.l.isZero(y).IsTrue() {
				return Value{x.Type, []*logic.Term{c.l.b.Bin(op, x.Leaves[0], y.Leaves[0])}}
			}
		}
	}
	panic(unsupportedf("the operand %s", types.ExprString(e)))
}

// operands evaluates both sides of an operator; constants take the type of the other side, or like if both are.
func (c *ContractBuilder) operands(e *ast.BinaryExpr, like types.Type) (x, y Value) {
	if isConst(e.X) && !isConst(e.Y) {
		y = c.value(e.Y, like)
		return c.value(e.X, y.Type), y
	}
	x = c.value(e.X, like)
	return x, c.value(e.Y, x.Type)
}

func (c *ContractBuilder) compare(e *ast.BinaryExpr) *logic.Term {
	l := c.l
	isNil := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == "nil" }
	not := func(t *logic.Term) *logic.Term {
		if e.Op == token.NEQ {
			return l.b.Not(t)
		}
		return t
	}
	switch {
	case isNil(e.Y):
		return not(l.isZero(c.value(e.X, nil)))
	case isNil(e.X):
		return not(l.isZero(c.value(e.Y, nil)))
	}
	x, y := c.operands(e, nil)
	if len(x.Leaves) != len(y.Leaves) || len(x.Leaves) == 0 || x.Leaves[0].Sort != y.Leaves[0].Sort {
		panic(unsupportedf("the comparison %s", types.ExprString(e)))
	}
	if e.Op == token.EQL || e.Op == token.NEQ {
		return not(l.equal(x, y))
	}
	if u, ok := x.Type.Underlying().(*types.Basic); !ok || u.Info()&types.IsOrdered == 0 {
		panic(unsupportedf("the comparison %s", types.ExprString(e)))
	}
	return l.order(e.Op, x, y)
}

func isConst(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return isConst(e.X)
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
}

// value evaluates an operand; constants take the type of the other side.
func (c *ContractBuilder) value(e ast.Expr, like types.Type) Value {
	l := c.l
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.value(e.X, like)
	case *ast.BasicLit, *ast.UnaryExpr:
		if isConst(e) {
			return c.constant(e, like)
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return Value{types.Typ[types.Bool], []*logic.Term{l.b.Bool(e.Name == "true")}}
		}
		if v, ok := c.names[e.Name]; ok {
			return v
		}
		if v, ok := c.pkg.Scope().Lookup(e.Name).(*types.Var); ok {
			at := memory(l.b.Const(logic.Obj, uint64(c.w.Global(v))), l.b.Const(logic.Slot, 0), v.Type())
			return c.load(at)
		}
	case *ast.StarExpr:
		return c.load(c.deref(c.value(e.X, nil)))
	case *ast.BinaryExpr:
		return c.arith(e, like)
	case *ast.SelectorExpr:
		return c.field(e)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok || len(e.Args) != 1 {
			break
		}
		switch id.Name {
		case "old":
			was := c.old
			c.old = true
			v := c.value(e.Args[0], like)
			c.old = was
			return v
		case "len":
			return c.length(c.value(e.Args[0], nil))
		}
	}
	panic(unsupportedf("the operand %s", types.ExprString(e)))
}

func (c *ContractBuilder) length(v Value) Value {
	t := types.Typ[types.Int]
	switch u := v.Type.Underlying().(type) {
	case *types.Slice, *types.Basic:
		if len(v.Leaves) > 2 {
			return Value{t, []*logic.Term{v.Leaves[2]}}
		}
	case *types.Map:
		m := c.l.b.Select(c.memory(c.w.MapLen()), v.Leaves[0], c.l.b.Const(logic.Slot, 0))
		return Value{t, []*logic.Term{c.l.b.Ite(c.l.isZero(v), c.l.int(0), m)}}
	case *types.Array:
		return Value{t, []*logic.Term{c.l.int(u.Len())}}
	}
	panic(unsupportedf("the length of %s", v.Type))
}

func (c *ContractBuilder) constant(e ast.Expr, like types.Type) Value {
	if like == nil {
		panic(unsupportedf("the constant %s alone", types.ExprString(e)))
	}
	u, ok := like.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("the constant %s for a %s", types.ExprString(e), like))
	}
	text := types.ExprString(e)
	var v constant.Value
	switch {
	case u.Info()&types.IsString != 0:
		s, err := strconv.Unquote(text)
		if err != nil {
			panic(unsupportedf("the constant %s", text))
		}
		v = constant.MakeString(s)
	case u.Info()&types.IsFloat != 0, u.Info()&types.IsInteger != 0:
		neg := strings.HasPrefix(text, "-")
		kind := token.INT
		if strings.ContainsAny(text, ".eE") {
			kind = token.FLOAT
		}
		v = constant.MakeFromLiteral(strings.TrimPrefix(text, "-"), kind, 0)
		if neg {
			v = constant.UnaryOp(token.SUB, v, 0)
		}
	}
	if v == nil || v.Kind() == constant.Unknown {
		panic(unsupportedf("the constant %s", text))
	}
	return c.l.constant(v, like)
}

// deref is where a pointer points to; the clause says nothing if it is nil.
func (c *ContractBuilder) deref(p Value) location {
	if pointee(p.Type) == nil {
		panic(unsupportedf("a dereference of %s", p.Type))
	}
	c.defined = append(c.defined, c.l.b.Not(c.l.isZero(p)))
	return memory(p.Leaves[0], p.Leaves[1], pointee(p.Type))
}

func (c *ContractBuilder) field(e *ast.SelectorExpr) Value {
	x := c.value(e.X, nil)
	t := x.Type
	if p := pointee(t); p != nil {
		t = p
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		panic(unsupportedf("the field %s", types.ExprString(e)))
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() != e.Sel.Name {
			continue
		}
		if pointee(x.Type) != nil {
			return c.load(c.l.field(c.deref(x), i))
		}
		return c.l.fieldOfValue(x, []int{i}, e.Pos())
	}
	panic(unsupportedf("the field %s", types.ExprString(e)))
}

// load reads a place, now or at the entry.
func (c *ContractBuilder) load(at location) Value {
	v := Value{Type: at.typ}
	for _, leaf := range c.w.Layout(at.typ) {
		if at.class != "" && isLeaf(at.typ) {
			leaf.Class = at.class
		}
		m := c.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		v.Leaves = append(v.Leaves, c.l.b.Select(c.memory(m), at.obj, c.l.offset(at.slot, leaf.Slot)))
	}
	return v
}

// memory is a memory now, or at the entry.
func (c *ContractBuilder) memory(m *logic.Var) *logic.Term {
	if !c.old {
		return c.l.b.Var(m)
	}
	if c.w.olds[m] == nil {
		o := *m
		o.Name, o.Old = "old "+m.Name, true
		c.w.olds[m] = &o
	}
	return c.l.b.Var(c.w.olds[m])
}
