package lower

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/expr"
	"dsd/schemas"
)

// Contract begins the contract of a function, or of an interface's method, of package pkg. recv is
// the receiver, nil if the contract is not about it; typeArgs are the type arguments of the
// instance that is analyzed. Add the invariants with Clause, before World.Close. The error says
// which type has no terms.
func (w *World) Contract(
	pkg *types.Package, sig *types.Signature, recv *types.Var,
	typeArgs map[*types.TypeParam]types.Type,
) (c *ContractBuilder, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = u
		}
	}()
	c = &ContractBuilder{
		w: w, pkg: pkg, names: map[string]Value{}, k: &ir.Contract{},
		l: w.newLowerer("", "<contract>", token.NoPos, nil, nil),
	}
	bind := func(v *types.Var, name string, list *[]*logic.Var) {
		t := w.apply(v.Type(), typeArgs)
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

// resultName returns the name that invariants have for a result.
func resultName(results *types.Tuple, i int) string {
	if name := results.At(i).Name(); name != "" && name != "_" {
		return name
	}
	if results.Len() == 1 {
		return "result"
	}
	return fmt.Sprintf("result%d", i)
}

// ContractBuilder turns invariants into clauses of a contract.
type ContractBuilder struct {
	w   *World
	l   *lowerer
	pkg *types.Package
	// names are the receiver, the parameters and the results.
	names map[string]Value
	k     *ir.Contract
	// old reports whether memories are read as they were at the function's entry.
	old bool
	// defined are the conditions under which everything evaluated exists: pointers are not nil.
	defined []*logic.Term
}

// Done returns the contract.
func (c *ContractBuilder) Done() *ir.Contract { return c.k }

// Clause adds an invariant, in the language of internal/expr. An invariant that reads through a nil
// pointer says nothing. The error names what cannot be expressed as a term: it is then not assumed.
func (c *ContractBuilder) Clause(id string, at schemas.At, text string) error {
	e, err := expr.Parse(text)
	if err != nil {
		return err
	}
	t, err := c.term(e)
	if err != nil {
		return err
	}
	cl := ir.Clause{ID: id, Term: t}
	if at == schemas.AtEntry {
		c.k.Entry = append(c.k.Entry, cl)
	} else {
		c.k.Exit = append(c.k.Exit, cl)
	}
	return nil
}

// term returns the term of an invariant. The error names what cannot be expressed.
func (c *ContractBuilder) term(e expr.Expr) (t *logic.Term, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			err = u
		}
	}()
	c.old, c.defined, c.l.limits = false, nil, nil
	cond := c.cond(e)
	c.defined = append(c.defined, c.l.limits...)
	return c.l.b.Implies(c.l.b.And(c.defined...), cond), nil
}

// cond returns the term of a condition.
func (c *ContractBuilder) cond(e expr.Expr) *logic.Term {
	b := c.l.b
	switch e := e.(type) {
	case *expr.Unary:
		if e.Op == token.NOT {
			return b.Not(c.cond(e.X))
		}
	case *expr.Implies:
		return b.Implies(c.cond(e.If), c.cond(e.Then))
	case *expr.Binary:
		switch {
		case e.Op == token.LAND:
			return b.And(c.cond(e.X), c.cond(e.Y))
		case e.Op == token.LOR:
			return b.Or(c.cond(e.X), c.cond(e.Y))
		case expr.IsComparison(e.Op):
			return c.compare(e)
		}
	}
	v := c.value(e, nil)
	if len(v.Leaves) != 1 || v.Leaves[0].Sort != logic.Bool {
		panic(unsupportedf("the condition %s", e))
	}
	return v.Leaves[0]
}

// arith returns a sum, difference or product of integers, the remainder by a constant, or the bits
// that two have in common.
func (c *ContractBuilder) arith(e *expr.Binary, like types.Type) Value {
	x, y := c.operands(e, like)
	if u, ok := x.Type.Underlying().(*types.Basic); ok && u.Info()&types.IsInteger != 0 {
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND:
			return c.l.arith(e.Op, x, y, token.NoPos)
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
	panic(unsupportedf("the operand %s", e))
}

// operands returns both sides of an operator. A constant takes the type of the other side, and that
// of like if both are constants.
func (c *ContractBuilder) operands(e *expr.Binary, like types.Type) (x, y Value) {
	if isConst(e.X) && !isConst(e.Y) {
		y = c.value(e.Y, like)
		return c.value(e.X, y.Type), y
	}
	x = c.value(e.X, like)
	return x, c.value(e.Y, x.Type)
}

// compare returns the term of a comparison.
func (c *ContractBuilder) compare(e *expr.Binary) *logic.Term {
	l := c.l
	not := func(t *logic.Term) *logic.Term {
		if e.Op == token.NEQ {
			return l.b.Not(t)
		}
		return t
	}
	switch {
	case expr.IsNil(e.Y):
		return not(l.isZero(c.value(e.X, nil)))
	case expr.IsNil(e.X):
		return not(l.isZero(c.value(e.Y, nil)))
	}
	x, y := c.operands(e, nil)
	same := len(x.Leaves) == len(y.Leaves) && len(x.Leaves) > 0 &&
		x.Leaves[0].Sort == y.Leaves[0].Sort
	if !same {
		panic(unsupportedf("the comparison %s", e))
	}
	if e.Op == token.EQL || e.Op == token.NEQ {
		return not(l.equal(x, y))
	}
	if u, ok := x.Type.Underlying().(*types.Basic); !ok || u.Info()&types.IsOrdered == 0 {
		panic(unsupportedf("the comparison %s", e))
	}
	return l.order(e.Op, x, y)
}

// isConst reports whether e is a constant that takes the type of what it is compared with.
func isConst(e expr.Expr) bool {
	_, ok := e.(*expr.Const)
	return ok && !expr.IsNil(e)
}

// value returns the value of an operand. A constant takes the type like.
func (c *ContractBuilder) value(e expr.Expr, like types.Type) Value {
	switch e := e.(type) {
	case *expr.Const:
		if isConst(e) {
			return c.constant(e, like)
		}
	case *expr.Name:
		if v, ok := c.names[e.Name]; ok {
			return v
		}
		if v, ok := c.pkg.Scope().Lookup(e.Name).(*types.Var); ok {
			b := c.l.b
			obj, slot := b.Const(logic.Obj, uint64(c.w.Global(v))), b.Const(logic.Slot, 0)
			return c.load(memory(obj, slot, v.Type()))
		}
	case *expr.Deref:
		return c.load(c.deref(c.value(e.X, nil)))
	case *expr.Binary:
		return c.arith(e, like)
	case *expr.Sel:
		return c.field(e)
	case *expr.Suffix:
		return c.result(e)
	case *expr.Old:
		was := c.old
		c.old = true
		v := c.value(e.X, like)
		c.old = was
		return v
	case *expr.Call:
		if e.Func == "len" {
			return c.length(c.value(e.Args[0], nil))
		}
	}
	panic(unsupportedf("the operand %s", e))
}

// length returns len(v).
func (c *ContractBuilder) length(v Value) Value {
	switch u := v.Type.Underlying().(type) {
	case *types.Slice, *types.Basic:
		if len(v.Leaves) > 2 {
			return c.l.intValue(v.Leaves[2])
		}
	case *types.Map:
		m := c.l.b.Select(c.memory(c.w.MapLen()), v.Leaves[0], c.l.b.Const(logic.Slot, 0))
		return c.l.intValue(c.l.b.Ite(c.l.isZero(v), c.l.int(0), m))
	case *types.Array:
		return c.l.intValue(c.l.int(u.Len()))
	}
	panic(unsupportedf("the length of %s", v.Type))
}

// constant returns a number, string or bool as a value of type like.
func (c *ContractBuilder) constant(e *expr.Const, like types.Type) Value {
	if e.Value.Kind() == constant.Bool {
		return Value{types.Typ[types.Bool], []*logic.Term{c.l.b.Bool(constant.BoolVal(e.Value))}}
	}
	if like == nil {
		panic(unsupportedf("the constant %s alone", e))
	}
	u, ok := like.Underlying().(*types.Basic)
	if !ok {
		panic(unsupportedf("the constant %s for a %s", e, like))
	}
	kind, want := e.Value.Kind(), types.IsInteger
	switch kind {
	case constant.String:
		want = types.IsString
	case constant.Int:
		want = types.IsInteger | types.IsFloat
	case constant.Float:
		want = types.IsFloat
	}
	if u.Info()&want == 0 {
		panic(unsupportedf("the constant %s for a %s", e, like))
	}
	return c.l.constant(e.Value, like)
}

// deref returns the location that a pointer points to. The clause says nothing if the pointer is
// nil.
func (c *ContractBuilder) deref(p Value) location {
	if pointee(p.Type) == nil {
		panic(unsupportedf("a dereference of %s", p.Type))
	}
	c.defined = append(c.defined, c.l.b.Not(c.l.isZero(p)))
	return memory(p.Leaves[0], p.Leaves[1], pointee(p.Type))
}

// field returns a field of a struct, or of the struct that a pointer points to.
func (c *ContractBuilder) field(e *expr.Sel) Value {
	x := c.value(e.X, nil)
	t := x.Type
	if p := pointee(t); p != nil {
		t = p
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		panic(unsupportedf("the field %s", e))
	}
	for i := range s.NumFields() {
		if s.Field(i).Name() != e.Field {
			continue
		}
		if pointee(x.Type) != nil {
			return c.load(c.l.field(c.deref(x), i))
		}
		return c.l.fieldOfValue(x, []int{i}, token.NoPos)
	}
	panic(unsupportedf("the field %s", e))
}

// load reads a location, now or at the entry.
func (c *ContractBuilder) load(at location) Value {
	if c.w.IsLarge(at.typ) {
		panic(unsupportedf("the large value of type %s", at.typ))
	}
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

// memory returns the contents of a memory, now or at the entry.
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
