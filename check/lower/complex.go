package lower

import (
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
)

// complexArith is arithmetic on complex numbers, which are pairs of floats. Like the compiler's, products and quotients
// of complex64 are computed in float64.
func (l *lowerer) complexArith(op token.Token, x, y Value) Value {
	b := l.b
	t, part := x.Type, x.Leaves[0].Sort
	switch op {
	case token.ADD, token.SUB:
		f := logic.OpFAdd
		if op == token.SUB {
			f = logic.OpFSub
		}
		return Value{t, []*logic.Term{b.FBin(f, x.Leaves[0], y.Leaves[0]), b.FBin(f, x.Leaves[1], y.Leaves[1])}}
	}
	wide := func(f *logic.Term) *logic.Term { return b.FConv(logic.OpFToF, logic.Float(64), f) }
	narrow := func(f *logic.Term) *logic.Term { return b.FConv(logic.OpFToF, part, f) }
	if part == logic.Float(64) {
		wide = func(f *logic.Term) *logic.Term { return f }
		narrow = wide
	}
	p, q, r, s := wide(x.Leaves[0]), wide(x.Leaves[1]), wide(y.Leaves[0]), wide(y.Leaves[1])
	if op == token.MUL {
		mul := func(x, y *logic.Term) *logic.Term { return b.FBin(logic.OpFMul, x, y) }
		re := b.FBin(logic.OpFSub, mul(p, r), mul(q, s))
		im := b.FBin(logic.OpFAdd, mul(p, s), mul(q, r))
		return Value{t, []*logic.Term{narrow(re), narrow(im)}}
	}
	quo := l.w.models["runtime.ComplexQuo"]
	if quo == nil {
		panic(unsupportedf("complex division with this version of Go"))
	}
	key := l.w.Key(quo.Obj, nil)
	l.w.enqueue(pending{key: key, f: quo})
	res := l.emitCall(&ir.Call{Static: key, Sig: quo.Obj.Type().(*types.Signature)}, []Value{{types.Typ[types.Float64], []*logic.Term{p, q, r, s}}})
	return Value{t, []*logic.Term{narrow(res[0].Leaves[0]), narrow(res[1].Leaves[0])}}
}
