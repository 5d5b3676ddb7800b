package vcgen

import (
	"fmt"
	"strings"
	"testing"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// tiny is a world of hand-written functions.
type tiny map[string]*ir.Func

func (w tiny) Func(key string) *ir.Func                  { return w[key] }
func (w tiny) FuncValue(uint32) string                   { return "" }
func (w tiny) Method(uint32, string, string) string      { return "" }
func (w tiny) Effects(string) []*logic.Var               { return nil }
func (w tiny) Live(f *ir.Func) [][]bool                  { return f.Live() }
func (w tiny) Initials(string) ([]string, []*logic.Term) { return nil, nil }
func (w tiny) Literals() map[uint32]string               { return map[uint32]string{} }
func local(name string, i int) *logic.Var {
	return &logic.Var{Name: name,
		Sort: logic.Int, Index: i}
}
func block(i int, end ir.End,
	c ...ir.Cmd) *ir.Block {
	return &ir.Block{Index: i, Cmds: c, End: end}
}

// obligations prints what is left to prove, a line each: the path, then the condition.
func obligations(p *Program) string {
	var out strings.Builder
	for _, o := range p.Obligations {
		for i := len(o.Path) - 1; i >= 0; i-- {
			fmt.Fprintf(&out, "%v; ", o.Path[i])
		}
		fmt.Fprintf(&out, "|- %v %s\n", o.Cond, o.Kind)
	}
	return out.String()
}

func passify(w tiny, key string, n int) (*Program, *logic.Builder) {
	b := logic.NewBuilder()
	var in []*logic.Term
	for i := range n {
		in = append(in, b.Var(local(string(rune('p'+i)), i)))
	}
	return Execute(w, key, b, in, Begin(w, key, b, nil, DefaultOptions), nil, DefaultOptions), b
}

// TestJoin checks that after a branch a variable is a choice between its two values, that the
// condition of the branch is dropped, and that what was asserted on one side still holds there.
func TestJoin(t *testing.T) {
	b := logic.NewBuilder()
	x, y := local("x", 0), local("y", 1)
	X, Y := b.Var(x), b.Var(y)
	k := func(n uint64) *logic.Term { return b.Const(logic.Int, n) }
	f := &ir.Func{Name: "f", Params: []*logic.Var{x}, NumVars: 2, Blocks: []*ir.Block{
		block(0, ir.Branch{Cond: b.Cmp(logic.OpSLt, X, k(5)), Then: 1, Else: 2}),
		block(1, ir.Jump{To: 3}, &ir.Assert{Cond: b.Not(b.Eq(X, k(3))), Kind: schemas.DivZero},
			&ir.Assign{Dst: y, Src: k(1)}),
		block(2, ir.Jump{To: 3}, &ir.Assign{Dst: y, Src: k(2)}),
		block(3, ir.Return{}, &ir.Assert{Cond: b.Cmp(logic.OpSLt, Y, X), Kind: schemas.Index}),
	}}
	p, _ := passify(tiny{"f": f}, "f", 1)
	want := "(bvslt p 5); |- (not (= 3 p)) div-zero\n" +
		"(or (bvsle 5 p) (not (= 3 p))); |- (bvslt (ite (bvslt p 5) 1 2) p) index\n"
	if got := obligations(p); strings.ReplaceAll(got, "(= p 3)", "(= 3 p)") != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// loop is: i = 0; while i < n { assert i != 9; i++ }
func loop(b *logic.Builder, n *logic.Term, params ...*logic.Var) *ir.Func {
	i := local("i", 1)
	I := b.Var(i)
	return &ir.Func{Name: "f", Params: params, NumVars: 2,
		Loops: map[int]*ir.Loop{1: {Head: 1, Last: 2}}, Blocks: []*ir.Block{
			block(0, ir.Jump{To: 1}, &ir.Assign{Dst: i, Src: b.Const(logic.Int, 0)}),
			block(1, ir.Branch{Cond: b.Cmp(logic.OpSLt, I, n), Then: 2, Else: 3}),
			block(2, ir.Jump{To: 1},
				&ir.Assert{Cond: b.Not(b.Eq(I, b.Const(logic.Int, 9))), Kind: schemas.Index},
				&ir.Assign{Dst: i, Src: b.Add(I, b.Const(logic.Int, 1))}),
			block(3, ir.Return{}),
		}}
}

// TestUnroll checks that a loop whose end is not known is followed for a few passes, which
// Bounded lists, and that one with known conditions is followed to its end.
func TestUnroll(t *testing.T) {
	b := logic.NewBuilder()
	n := local("n", 0)
	p, _ := passify(tiny{"f": loop(b, b.Var(n), n)}, "f", 1)
	if len(p.Obligations) != 0 || p.Folded != 3 || len(p.Bounded) != 1 {
		t.Errorf("unknown end: %d obligations, %d folded, bounded by %v", len(p.Obligations), p.Folded,
			p.Bounded)
	}
	p, _ = passify(tiny{"f": loop(b, b.Const(logic.Int, 20))}, "f", 0)
	if len(p.Obligations) != 1 || !p.Obligations[0].Cond.IsFalse() || p.Folded != 9 ||
		len(p.Bounded) != 0 {
		t.Errorf("known end: %d obligations, %d folded, bounded by %v", len(p.Obligations), p.Folded,
			p.Bounded)
	}
}

// TestRecursion checks that a function which calls itself is followed once more, and that its
// results are havocked then.
func TestRecursion(t *testing.T) {
	b := logic.NewBuilder()
	x, r := local("x", 0), local("r", 1)
	f := func(arg *logic.Term) *ir.Func {
		return &ir.Func{Name: "f", Params: []*logic.Var{x}, Results: []*logic.Var{r}, NumVars: 2,
			Blocks: []*ir.Block{
				block(0, ir.Return{}, &ir.Call{Static: "f", Args: []*logic.Term{arg}, Results: []*logic.Var{r}},
					&ir.Assert{Cond: b.Eq(b.Var(r), b.Var(x)), Kind: schemas.Index}),
			}}
	}
	for _, tt := range []struct {
		arg                         *logic.Term
		overflows, indexes, bounded int
	}{
		{b.Var(x), 1, 0, 0},
		// two questions, which the solver answers; of what the last call returned, none is
		// asked
		{b.Bin(logic.OpBXor, b.Var(x), b.Const(logic.Int, 5)), 2, 0, 2},
		// counts down, perhaps from below zero
		{b.Add(b.Var(x), b.Const(logic.Int, ^uint64(0))), 1, 0, 2},
		{b.Bin(logic.OpBAnd, b.Var(x), b.Const(logic.Int, 0xff)), 2, 0, 2}, // the same call if x is small
	} {
		p, _ := passify(tiny{"f": f(tt.arg)}, "f", 1)
		n := map[schemas.Kind]int{}
		for _, o := range p.Obligations {
			n[o.Kind]++
		}
		if n["stack-overflow"] != tt.overflows || n["index"] != tt.indexes ||
			len(p.Bounded) != tt.bounded {
			t.Errorf("f(%v): %v, bounded by %v", tt.arg, n, p.Bounded)
		}
	}
}

// TestLimits: which conditions bound a variable, and that conditions that share parts are looked at once: as
// a tree, those here have 2^60 parts.
func TestLimits(t *testing.T) {
	b := logic.NewBuilder()
	n, m := b.Var(local("n", 0)), b.Var(local("m", 1))
	seven := b.Const(logic.Int, 7)
	flag := func(i int) *logic.Term {
		return b.Var(&logic.Var{Name: fmt.Sprint("f", i), Sort: logic.Bool, Index: i})
	}
	deep := func(c *logic.Term) *logic.Term {
		for i := range 60 {
			c = b.Or(b.And(flag(2*i), c), b.And(flag(2*i+1), b.Not(c)))
		}
		return c
	}
	below := b.Cmp(logic.OpSLt, n, seven) // n < 7
	for _, test := range []struct {
		cond     *logic.Term
		down, up bool
	}{
		{below, false, true},
		{b.Not(below), true, false},
		{b.Cmp(logic.OpSLt, m, seven), false, false},
		{b.Or(flag(0), b.And(flag(1), below)), false, true},
		{deep(below), true, true},
		{deep(b.Cmp(logic.OpSLt, m, seven)), false, false},
	} {
		g := (*pathCond)(nil).push(test.cond, "")
		if down, up := limits(g, nil, n, true), limits(g, nil, n, false); down != test.down || up != test.up {
			t.Errorf("%.80v: limits from below %v, from above %v", test.cond.Op, down, up)
		}
		if limits(g, g, n, true) {
			t.Error("a condition before the path limits")
		}
	}
}

// TestInterrupted checks that a canceled execution stops at the next block.
func TestInterrupted(t *testing.T) {
	b := logic.NewBuilder()
	w := tiny{"f": loop(b, b.Const(logic.Int, 20))}
	passes := 0
	opt := DefaultOptions
	opt.Interrupted = func() bool { passes++; return passes > 15 } // seven passes of two blocks each
	p := Execute(w, "f", b, nil, Begin(w, "f", b, nil, opt), nil, opt)
	if !p.Truncated || p.Folded != 7 || len(p.Obligations) != 0 {
		t.Errorf("%d obligations, %d folded, truncated %v", len(p.Obligations), p.Folded, p.Truncated)
	}
}

// TestWellFormed checks that the conditions on a slice cover all its scalars.
func TestWellFormed(t *testing.T) {
	b := logic.NewBuilder()
	g := &logic.Group{}
	for _, p := range []struct {
		name string
		sort logic.Sort
		role logic.Role
	}{{"obj", logic.Obj, logic.RoleObj}, {"slot", logic.Slot, logic.RoleSlot}, {"len", logic.Int,
		logic.RoleLen}, {"cap", logic.Int, logic.RoleCap}} {
		g.Vars = append(g.Vars, &logic.Var{Name: p.name, Sort: p.sort,
			Domain: logic.Domain{Role: p.role, Region: 7, Group: g}})
	}
	length := b.Var(g.Of(logic.RoleLen))
	wf := NewInputs(b).WellFormed([]*logic.Term{b.Cmp(logic.OpSLt, b.Const(logic.Int, 2), length)})
	for _, tt := range []struct {
		name          string
		obj, len, cap uint64
		want          bool
	}{
		{"nil", 0, 0, 0, true},
		{"plain", 7<<16 + 1, 3, 4, true},
		{"negative", 7<<16 + 1, ^uint64(0), 4, false},
		{"longer than its capacity", 7<<16 + 1, 5, 4, false},
		{"nil with elements", 0, 1, 1, false},
		{"of another type", 8<<16 + 1, 1, 1, false},
	} {
		m := &logic.Model{Vars: map[*logic.Var]uint64{g.Vars[0]: tt.obj, g.Vars[2]: tt.len,
			g.Vars[3]: tt.cap}}
		ok := true
		for _, v := range m.EvalAll(wf) {
			ok = ok && v == 1
		}
		if ok != tt.want {
			t.Errorf("%s: well-formed %v, want %v", tt.name, ok, tt.want)
		}
	}
}
