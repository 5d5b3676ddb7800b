package logic

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// leaves holds variables for tables: x, y, z of 8 bits, s of 32, w of 64, booleans p, q, r, floats
// f, g.
type leaves struct {
	*Builder
	x, y, z, s, w, p, q, r, f, g *Term
}

func newLeaves() leaves {
	b := NewBuilder()
	v := func(name string, s Sort) *Term { return b.Var(&Var{Name: name, Sort: s}) }
	return leaves{b, v("x", BV(8)), v("y", BV(8)), v("z", BV(8)), v("s", BV(32)), v("w", BV(64)),
		v("p", Bool), v("q", Bool), v("r", Bool), v("f", Float(64)), v("g", Float(32))}
}

func (l leaves) k(v int64) *Term     { return l.Const(BV(8), uint64(v)) }
func (l leaves) n(v int64) *Term     { return l.Const(BV(64), uint64(v)) }
func (l leaves) fl(v float64) *Term  { return l.Const(Float(64), math.Float64bits(v)) }
func (l leaves) lt(x, y *Term) *Term { return l.Cmp(OpSLt, x, y) }

// TestSimplify checks the simplifications that the rest of check relies on, and terms that must
// stay as they are.
func TestSimplify(t *testing.T) {
	l := newLeaves()
	x, y, z, w, p, q, r, f := l.x, l.y, l.z, l.w, l.p, l.q, l.r, l.f
	for _, test := range []struct {
		got  *Term
		want string
	}{
		// Booleans.
		{l.And(), "true"},
		{l.Or(), "false"},
		{l.And(p), "p"},
		{l.And(p, p), "p"},
		{l.And(q, p, l.True()), "(and p q)"},
		{l.And(p, l.And(q, r)), "(and p q r)"},
		{l.And(p, q, l.False()), "false"},
		{l.And(p, l.Not(p)), "false"},
		{l.Or(p, l.Not(p)), "true"},
		{l.And(p, l.Or(p, q)), "p"},
		{l.And(p, l.Or(l.Not(p), q)), "(and p q)"},
		{l.Or(p, l.And(p, q)), "p"},
		{l.Or(p, l.And(l.Not(p), q)), "(or p q)"},
		{l.And(p, l.Or(l.Not(p), l.Not(q)), q), "false"},
		{l.Not(l.Not(p)), "p"},
		{l.Implies(p, p), "true"},
		{l.Implies(l.True(), q), "q"},
		{l.Not(l.lt(x, y)), "(bvsle y x)"},
		{l.Not(l.Cmp(OpULe, x, y)), "(bvult y x)"},
		{l.Not(l.Cmp(OpFLt, f, f)), "(not (fp.lt f f))"}, // not (fp.leq f f), since f may be NaN

		// Choices.
		{l.Ite(l.True(), x, y), "x"},
		{l.Ite(p, x, x), "x"},
		{l.Ite(l.Not(p), x, y), "(ite p y x)"},
		{l.Ite(p, l.Ite(p, x, y), z), "(ite p x z)"},
		{l.Ite(p, l.True(), q), "(or p q)"},
		{l.Ite(p, q, l.False()), "(and p q)"},
		{l.Ite(p, l.False(), l.True()), "(not p)"},

		// Integers.
		{l.Add(x, l.k(0)), "x"},
		{l.Add(l.k(3), l.Add(x, l.k(-3))), "x"},
		{l.Add(l.Add(x, l.k(1)), l.Add(y, l.k(2))), "(bvadd (bvadd x y) 3)"},
		{l.Sub(x, x), "0"},
		{l.Sub(l.Add(x, y), y), "x"},
		{l.Add(l.Sub(x, y), y), "x"},
		{l.Add(l.k(127), l.k(1)), "-128"},
		{l.Mul(x, l.k(0)), "0"},
		{l.Mul(l.k(1), x), "x"},
		{l.Mul(l.Mul(x, l.k(3)), l.k(5)), "(bvmul x 15)"},
		{l.Mul(l.Add(x, y), l.k(3)), "(bvmul (bvadd x y) 3)"},
		{l.Bin(OpUDiv, x, l.k(8)), "(bvlshr x 3)"},
		{l.Bin(OpURem, x, l.k(8)), "(bvand x 7)"},
		{l.Bin(OpUDiv, x, l.k(-128)), "(bvlshr x 7)"},
		{l.Bin(OpSDiv, x, l.k(8)), "(bvsdiv x 8)"}, // rounds towards zero: not a shift
		{l.Bin(OpSDiv, x, x), "(bvsdiv x x)"},      // 0/0 is not 1
		{l.Bin(OpURem, x, x), "(bvurem x x)"},
		{l.Bin(OpUDiv, x, l.k(0)), "(bvudiv x 0)"},
		{l.Bin(OpSDiv, l.k(-128), l.k(-1)), "-128"},
		{l.Bin(OpSRem, l.k(-128), l.k(-1)), "0"},
		{l.Bin(OpSDiv, l.k(-7), l.k(2)), "-3"},
		{l.Bin(OpSRem, l.k(-7), l.k(2)), "-1"},
		{l.Bin(OpUDiv, l.k(5), l.k(0)), "-1"},
		{l.Bin(OpSDiv, l.k(-5), l.k(0)), "1"},
		{l.Bin(OpSRem, l.k(-5), l.k(0)), "-5"},
		{l.Bin(OpShl, x, l.k(8)), "0"},
		{l.Bin(OpAShr, x, l.k(8)), "(bvashr x 8)"},
		{l.Bin(OpAShr, l.k(-128), l.k(127)), "-1"},
		{l.Bin(OpBAnd, x, x), "x"},
		{l.Bin(OpBXor, x, x), "0"},
		{l.Bin(OpBOr, l.k(-1), x), "-1"},

		// Equations and comparisons.
		{l.Eq(x, x), "true"},
		{l.Eq(l.Add(x, l.k(1)), l.Add(x, l.k(2))), "false"},
		{l.Eq(l.Add(x, l.k(1)), l.k(5)), "(= x 4)"},
		{l.Eq(l.Ite(p, l.k(1), l.k(2)), l.k(2)), "(not p)"},
		{l.Eq(l.ZExt(x, 64), l.n(-1)), "false"},
		{l.Eq(l.ZExt(x, 64), l.n(200)), "(= x -56)"},
		{l.Eq(l.SExt(x, 64), l.n(200)), "false"},
		{l.Eq(l.SExt(x, 64), l.n(-56)), "(= x -56)"},
		{l.Eq(f, f), "true"},                // identity
		{l.Cmp(OpFEq, f, f), "(fp.eq f f)"}, // Go's ==: NaN
		{l.Eq(l.fl(0), l.fl(math.Copysign(0, -1))), "false"},
		{l.Cmp(OpFEq, l.fl(0), l.fl(math.Copysign(0, -1))), "true"},
		{l.Cmp(OpULt, l.ZExt(x, 64), l.n(256)), "true"},
		{l.Cmp(OpULt, l.ZExt(x, 64), l.n(255)), "(bvult (zero_extend x) 255)"},
		{l.Cmp(OpSLt, l.SExt(x, 64), l.n(-128)), "false"},
		{l.Cmp(OpSLe, l.n(-128), l.SExt(x, 64)), "true"},
		{l.Cmp(OpSLt, l.Bin(OpBAnd, w, l.n(7)), l.n(8)), "true"},
		{l.Cmp(OpSLt, l.Bin(OpSRem, w, l.n(8)), l.n(8)), "true"},
		{l.Cmp(OpSLe, l.n(-7), l.Bin(OpSRem, w, l.n(8))), "true"},
		{l.Cmp(OpSLe, l.n(0), l.Bin(OpSRem, w, l.n(8))), "(bvsle 0 (bvsrem w 8))"},
		{l.Cmp(OpSLe, l.n(0), l.Bin(OpURem, w, l.n(10))), "true"},
		{l.Cmp(OpSLe, w, l.n(math.MaxInt64)), "true"},
		{l.Cmp(OpULt, w, l.n(0)), "false"},
		{l.Cmp(OpSLt, l.Ite(p, l.n(1), l.n(5)), l.n(3)), "p"},

		// Widths.
		{l.Extract(7, 0, l.ZExt(x, 64)), "x"},
		{l.Extract(7, 0, l.SExt(x, 64)), "x"},
		{l.Extract(15, 0, l.SExt(x, 64)), "(sign_extend x)"},
		{l.Extract(7, 0, l.Add(w, l.n(256))), "(extract[7:0] w)"},
		{l.Extract(15, 8, l.Add(w, l.n(256))), "(extract[15:8] (bvadd w 256))"}, // lower bits carry
		{l.SExt(l.ZExt(x, 16), 64), "(zero_extend x)"},
		{l.ZExt(l.SExt(x, 16), 64), "(zero_extend (sign_extend x))"},

		// Floats: no law of the reals holds.
		{l.FBin(OpFAdd, f, l.fl(0)), "(fp.add RNE f 0x0)"},
		{l.FBin(OpFSub, f, f), "(fp.sub RNE f f)"},
		{l.FBin(OpFMul, f, l.fl(1)), "(fp.mul RNE f 0x3ff0000000000000)"},
		{l.FBin(OpFDiv, l.fl(0), l.fl(0)), "0x7ff8000000000000"},
		{l.FBin(OpFDiv, l.fl(-1), l.fl(0)), "0xfff0000000000000"},
		{l.FConv(OpFToF, Float(32), l.fl(0.1)), "0x3dcccccd"},
		{l.FConv(OpFToF, Float(32), l.fl(1e300)), "0x7f800000"},
		{l.FConv(OpFFromU, Float(32), l.n(-1)), "0x5f800000"},
		{l.FConv(OpFFromS, Float(32), l.n(1<<24+1)), "0x4b800000"}, // rounds to even
		{l.FConv(OpFFromS, Float(32), l.n(1<<24+3)), "0x4b800002"},
		// rounds once; rounding to 64 bits first would make a tie
		{l.FConv(OpFFromS, Float(32), l.n(1<<62+1<<38+1)), "0x5e800001"},
		{l.FConv(OpFFromU, Float(32), l.n(-1<<63+1<<39+1)), "0x5f000001"},

		// Out of range, the result of a conversion to an integer depends on the machine.
		{l.FConv(OpFToS, BV(8), l.fl(127.9)), "127"},
		{l.FConv(OpFToS, BV(8), l.fl(128)), "(fp.to_sbv 0x4060000000000000)"},
		{l.FConv(OpFToS, BV(8), l.fl(-128.9)), "-128"},
		{l.FConv(OpFToS, BV(8), l.fl(-129)), "(fp.to_sbv 0xc060200000000000)"},
		{l.FConv(OpFToU, BV(8), l.fl(255.9)), "-1"},
		{l.FConv(OpFToU, BV(8), l.fl(256)), "(fp.to_ubv 0x4070000000000000)"},
		{l.FConv(OpFToU, BV(8), l.fl(-0.9)), "0"},
		{l.FConv(OpFToU, BV(8), l.fl(-1)), "(fp.to_ubv 0xbff0000000000000)"},
		{l.FConv(OpFToS, BV(64), l.fl(-1<<63)), "-9223372036854775808"},
		{l.FConv(OpFToS, BV(64), l.fl(1<<63)), "(fp.to_sbv 0x43e0000000000000)"},
		{l.FConv(OpFToU, BV(64), l.fl(1<<63)), "-9223372036854775808"},
		{l.FConv(OpFToU, BV(64), l.fl(1<<64)), "(fp.to_ubv 0x43f0000000000000)"},
		{l.FConv(OpFToS, BV(64), l.fl(math.NaN())), "(fp.to_sbv 0x7ff8000000000000)"},
		{l.FConv(OpFToU, BV(64), l.fl(math.Inf(1))), "(fp.to_ubv 0x7ff0000000000000)"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// If ranges decide a comparison with a constant, the result is right for all values.
func TestRanges(t *testing.T) {
	l := newLeaves()
	edges := []int64{0, 1, 2, 3, 7, 8, 10, 16, 63, 64, 65, 100, 127, -128, -127, -100, -64, -10, -2,
		-1}
	forms := []struct {
		name string
		of   func(c int64) *Term
		is   func(x uint8, c int8) int16
	}{
		{"x", func(int64) *Term { return l.x }, func(x uint8, _ int8) int16 { return int16(int8(x)) }},
		{"x & c", func(c int64) *Term { return l.Bin(OpBAnd, l.x, l.k(c)) },
			func(x uint8, c int8) int16 { return int16(int8(x) & c) }},
		{"x % c, unsigned", func(c int64) *Term { return l.Bin(OpURem, l.x, l.k(c)) },
			func(x uint8, c int8) int16 {
				if c == 0 {
					return int16(int8(x))
				}
				return int16(int8(x % uint8(c)))
			}},
		{"x % c", func(c int64) *Term { return l.Bin(OpSRem, l.x, l.k(c)) }, func(x uint8, c int8) int16 {
			if c == 0 {
				return int16(int8(x))
			}
			return int16(int8(x) % c)
		}},
		{"x >> c, unsigned", func(c int64) *Term { return l.Bin(OpLShr, l.x, l.k(c)) },
			func(x uint8, c int8) int16 { return int16(int8(x >> uint8(c))) }},
		{"uint16(x)", func(int64) *Term { return l.ZExt(l.x, 16) },
			func(x uint8, _ int8) int16 { return int16(x) }},
		{"int16(x)", func(int64) *Term { return l.SExt(l.x, 16) },
			func(x uint8, _ int8) int16 { return int16(int8(x)) }},
	}
	decided := 0
	for _, f := range forms {
		for _, c := range edges {
			side := f.of(c)
			for k := int64(-300); k <= 300; k++ {
				if side.Sort.Bits() == 8 && int64(int8(k)) != k {
					continue
				}
				con := l.Const(side.Sort, uint64(k))
				for _, op := range []Op{OpULt, OpULe, OpSLt, OpSLe} {
					for _, left := range []bool{true, false} {
						p, q := side, con
						if !left {
							p, q = con, side
						}
						got, ok := l.Cmp(op, p, q).Const()
						if !ok {
							continue
						}
						decided++
						for x := range 256 {
							// Signed numbers of 16 bits; unsigned ones
							// are compared in their own width.
							a, b := int64(f.is(uint8(x), int8(c))), k
							if !left {
								a, b = b, a
							}
							if op == OpULt || op == OpULe {
								wide := int64(1) << side.Sort.Bits()
								a, b = (a+wide)%wide, (b+wide)%wide
							}
							want := a < b || a == b && (op == OpULe || op == OpSLe)
							if want != (got == 1) {
								t.Fatalf("%s with c = %d: (%v %v %v) is decided as %v, but not for x = %d", f.name, c, op,
									p, q, got == 1, x)
							}
						}
					}
				}
			}
		}
	}
	if decided < 50000 {
		t.Errorf("only %d comparisons were decided", decided)
	}
}

// Objects of disjoint regions differ.
func TestRegions(t *testing.T) {
	b := NewBuilder()
	v := func(name string, r Role, region uint32) *Term {
		return b.Var(&Var{Name: name, Sort: Obj, Domain: Domain{Role: r, Region: region}})
	}
	a1, a2, c := v("a1", RoleObj, 1), v("a2", RoleObj, 1), v("c", RoleObj, 2)
	str := v("str", RoleStrObj, 3)
	iface, bare := v("iface", RoleIfaceObj, 1), v("bare", RoleNone, 0)
	cond := b.Var(&Var{Name: "cond", Sort: Bool})
	k := func(o uint32) *Term { return b.Const(Obj, uint64(o)) }
	fresh1, fresh2, global := k(RegionFresh<<16+1), k(RegionFresh<<16+2), k(RegionStatic<<16+1)
	contents := b.Select(b.Var(&Var{Name: "next", Sort: Memory(Obj),
		Domain: Domain{Role: RoleObj, Region: 1}}), a1, b.Const(Slot, 0))
	few, many := k(1<<16), k(1<<16)
	for i := range uint32(maxRegions + 2) {
		many = b.Ite(b.Eq(bare, k(i)), k(i<<16+1), many)
		if i == 3 {
			few = many
		}
	}
	for _, test := range []struct {
		x, y *Term
		want string // "=" if it remains an equation
	}{
		{a1, a2, "(= a1 a2)"},
		{a1, c, "(= a1 c)"}, // both may be nil
		{a1, k(0), "(= a1 0)"},
		{a1, fresh1, "false"},
		{a1, global, "false"},
		{a1, k(1<<16 + 5), "(= a1 65541)"},
		{a1, k(2<<16 + 5), "false"},
		{c, k(2<<16 + 5), "(= c 131077)"},
		{str, global, "false"},
		{fresh1, fresh2, "false"},
		{fresh1, global, "false"},
		{iface, fresh1, "(= iface -2147483647)"}, // an interface may hold anything
		{bare, fresh1, "(= bare -2147483647)"},
		{contents, fresh1, "false"},
		{contents, a1, "(= a1 next[a1,0])"},
		{b.Ite(cond, a1, c), fresh1, "false"},
		{b.Ite(cond, a1, bare), fresh1, "(= -2147483647 (ite cond a1 bare))"},
		{b.Ite(cond, fresh1, fresh2), a1, "false"},
		{few, b.Ite(cond, fresh1, fresh2), "false"},
		{many, b.Ite(cond, fresh1, fresh2), "="}, // too many regions
	} {
		got := b.Eq(test.x, test.y)
		if b.Eq(test.y, test.x) != got {
			t.Errorf("%v == %v is %v, but the other way round it is %v", test.x, test.y, got,
				b.Eq(test.y, test.x))
		}
		if text := got.String(); text != test.want && test.want != "=" || test.want == "=" &&
			got.Op != OpEq {
			t.Errorf("%v == %v: got %s, want %s", test.x, test.y, text, test.want)
		}
	}
}

// Reads of string constants are resolved without the solver.
func TestLiterals(t *testing.T) {
	b := NewBuilder()
	b.Literals[RegionStatic<<16+1] = "ab"
	b.Literals[RegionStatic<<16+2] = ""
	bytes := b.Var(&Var{Name: "bytes", Sort: Memory(BV(8))})
	words := b.Var(&Var{Name: "words", Sort: Memory(BV(64))})
	i := b.Var(&Var{Name: "i", Sort: Slot})
	ab, none := b.Const(Obj, RegionStatic<<16+1), b.Const(Obj, RegionStatic<<16+2)
	s := b.Var(&Var{Name: "s", Sort: Obj, Domain: Domain{Role: RoleStrObj, Region: 3}})
	p := b.Var(&Var{Name: "p", Sort: Bool})
	at := func(k uint64) *Term { return b.Const(Slot, k) }
	for _, test := range []struct {
		got  *Term
		want string
	}{
		{b.Select(bytes, ab, at(0)), "97"},
		{b.Select(bytes, ab, at(1)), "98"},
		{b.Select(bytes, ab, at(2)), "0"},
		{b.Select(bytes, ab, i), "(ite (= i 0) 97 (ite (= i 1) 98 0))"},
		{b.Select(bytes, none, i), "0"},
		{b.Select(bytes, s, i), "bytes[s,i]"},
		{b.Select(bytes, b.Ite(p, ab, s), at(0)), "(ite p 97 bytes[s,0])"},
		{b.Select(words, ab, at(0)), "words[1073741825,0]"}, // another memory
		{b.Select(b.Store(bytes, s, at(0), b.Const(BV(8), 1)), ab, at(0)), "97"},
		// inputs point to the start of objects
		{b.Select(b.Var(&Var{Name: "slots", Sort: Memory(Slot), Domain: Domain{Role: RoleSlot}}), s, i),
			"0"},
	} {
		if got := test.got.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// All NaNs are one value.
func TestNaN(t *testing.T) {
	b := NewBuilder()
	one, other := b.Const(Float(64), math.Float64bits(math.NaN())), b.Const(Float(64),
		0x7ff8000000000000)
	if got := b.Eq(one, other); !got.IsTrue() {
		t.Errorf("NaN = NaN is %v, want true", got)
	}
	v := &Var{Name: "f", Sort: Float(64)}
	m := &Model{Vars: map[*Var]uint64{v: math.Float64bits(math.NaN())}}
	if got := m.Eval(b.Eq(b.Var(v), other)); got != 1 {
		t.Errorf("f = NaN is %d where f is NaN, want 1", got)
	}
}

// Copies of variables have new groups, which line up with the old ones.
func TestFresh(t *testing.T) {
	obj := &Var{Name: "s.obj", Sort: Obj, Domain: Domain{Role: RoleObj, Region: 1}}
	n := &Var{Name: "s.len", Sort: Int, Domain: Domain{Role: RoleLen}}
	alone := &Var{Name: "n", Sort: Int}
	g := &Group{Vars: []*Var{obj, n}}
	obj.Domain.Group, n.Domain.Group = g, g
	out := Fresh([]*Var{obj, alone, n})
	if len(out) != 3 || out[0] == obj || out[0].Name != "s.obj" || out[1].Domain.Group != nil {
		t.Fatalf("got %v", out)
	}
	fresh := out[0].Domain.Group
	if fresh == g || fresh != out[2].Domain.Group || len(fresh.Vars) != 2 ||
		fresh.Vars[0] != out[0] || fresh.Vars[1] != out[2] {
		t.Errorf("the copies' group is %v", fresh)
	}
	if fresh.Of(RoleLen) != out[2] || fresh.Of(RoleCap) != nil || (*Group)(nil).Of(RoleLen) != nil {
		t.Errorf("Of finds the wrong variable")
	}
	if obj.Domain.Group != g || len(g.Vars) != 2 {
		t.Errorf("the old variables changed")
	}
}

// Leaves returns the address of a cell before the cell.
func TestLeaves(t *testing.T) {
	l := newLeaves()
	next := l.Var(&Var{Name: "next", Sort: Memory(Obj)})
	cell := l.Select(next, l.Select(next, l.s, l.n(0)), l.w)
	var got []string
	for _, x := range Leaves(l.Eq(cell, l.s), l.p, l.Not(l.p)) {
		got = append(got, x.String())
	}
	if got, want := strings.Join(got, "; "), "s; next[s,0]; w; next[next[s,0],w]; p"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestConstText(t *testing.T) {
	b := NewBuilder()
	for _, test := range []struct {
		s    Sort
		v    uint64
		want string
	}{
		{Bool, 1, "true"},
		{Bool, 0, "false"},
		{BV(8), 0x0a, "#x0a"},
		{BV(64), 1 << 63, "#x8000000000000000"},
		{BV(1), 1, "#b1"},
		{BV(5), 5, "#b00101"},
		{Float(64), math.Float64bits(1), "(fp #b0 #b01111111111 #x0000000000000)"},
		{Float(64), math.Float64bits(math.Inf(-1)), "(fp #b1 #b11111111111 #x0000000000000)"},
		{Float(64), 1, "(fp #b0 #b00000000000 #x0000000000001)"},
		{Float(32), uint64(math.Float32bits(-0.1)), "(fp #b1 #x7b #b10011001100110011001101)"},
		{Float(32), 1 << 31, "(fp #b1 #x00 #b00000000000000000000000)"},
	} {
		if got := constText(b.Const(test.s, test.v)); got != test.want {
			t.Errorf("%#x of sort %v: got %s, want %s", test.v, test.s, got, test.want)
		}
	}
}

// Shared subterms are declared once per session and defined in each query.
func TestQuery(t *testing.T) {
	l := newLeaves()
	sum := l.Add(l.x, l.y)
	w := NewWriter()
	mem := l.Var(&Var{Name: "two\nlines", Sort: Memory(BV(8))})
	for i, test := range []struct {
		terms []*Term
		want  string
	}{
		{[]*Term{l.lt(sum, l.x), l.lt(sum, l.y)}, `; v0 = x
(declare-const v0 (_ BitVec 8))
; v1 = y
(declare-const v1 (_ BitVec 8))
(declare-const tN (_ BitVec 8))
--
(assert (= tN (bvadd v0 v1)))
--
(bvslt tN v0)
(bvslt tN v1)`},
		{[]*Term{l.lt(sum, l.k(0)), l.Eq(sum, l.z)}, `; v2 = z
(declare-const v2 (_ BitVec 8))
--
(assert (= tN (bvadd v0 v1)))
--
(bvslt tN #x00)
(= v2 tN)`},
		{[]*Term{l.lt(sum, l.k(1))}, `--
--
(bvslt (bvadd v0 v1) #x01)`},
		{[]*Term{l.Eq(l.Select(mem, l.s, l.n(7)), l.x)}, `; v3 = s
(declare-const v3 (_ BitVec 32))
; v4 = two lines
(declare-fun v4 ((_ BitVec 32) (_ BitVec 64)) (_ BitVec 8))
--
--
(= v0 (v4 v3 #x0000000000000007))`},
	} {
		decls, eqs, texts := w.Query(test.terms)
		got := regexp.MustCompile(`\bt\d+\b`).ReplaceAllString(
			decls+"--\n"+eqs+"--\n"+strings.Join(texts, "\n"), "tN")
		if got != test.want {
			t.Errorf("query %d: got\n%s\nwant\n%s", i, got, test.want)
		}
	}
}

// Every name in a query is declared exactly once in the session, and every shared subterm is
// defined in each query that uses it.
func TestNames(t *testing.T) {
	for seed := range int64(60) {
		g := newGenerator(seed)
		for range termsASeed {
			g.grow()
		}
		var terms []*Term
		for _, p := range g.pairs {
			if p.t.Sort == Bool && !hasFBits(p.t) { // see TestSharedFBits
				terms = append(terms, p.t)
			}
		}
		if err := checkNames(terms); err != "" {
			t.Fatalf("seed %d: %s", seed, err)
		}
	}
}

var (
	nameUse  = regexp.MustCompile(`(?m)(?:^|[ (])([vtb]\d+)\b`)
	nameDecl = regexp.MustCompile(`\(declare-(?:const|fun) ([vtb]\d+) `)
	nameEq   = regexp.MustCompile(`(?m)^\(assert \(= (t\d+) `)
)

// checkNames writes queries of three terms each in one session and reports wrong uses of names.
func checkNames(terms []*Term) string {
	w := NewWriter()
	known := map[string]bool{}
	for i := 0; i < len(terms); i += 3 {
		decls, eqs, texts := w.Query(terms[i:min(i+3, len(terms))])
		for _, d := range nameDecl.FindAllStringSubmatch(decls, -1) {
			if known[d[1]] {
				return d[1] + " is declared twice"
			}
			known[d[1]] = true
		}
		defined := map[string]bool{}
		for _, d := range nameEq.FindAllStringSubmatch(eqs, -1) {
			if defined[d[1]] {
				return d[1] + " is equated twice"
			}
			defined[d[1]] = true
		}
		for _, n := range nameUse.FindAllStringSubmatch(eqs+strings.Join(texts, "\n"), -1) {
			if !known[n[1]] {
				return n[1] + " is not declared"
			}
			if n[1][0] == 't' && !defined[n[1]] {
				return n[1] + " is not equated to anything in this query"
			}
		}
	}
	return ""
}

func hasFBits(t *Term) bool {
	for _, x := range reachable(t) {
		if x.Op == OpFBits {
			return true
		}
	}
	return false
}

// The bits of a float may be used twice in a query.
func TestSharedFBits(t *testing.T) {
	l := newLeaves()
	bits := l.FConv(OpFBits, BV(64), l.f)
	decls, eqs, texts := NewWriter().Query([]*Term{l.Cmp(OpULt, bits, l.n(5)),
		l.Cmp(OpULt, bits, l.n(6))})
	name := fmt.Sprintf("t%d", bits.ID)
	if strings.Contains(eqs, name) && !strings.Contains(decls, "(declare-const "+name+" ") {
		t.Errorf("%s is not declared:\n%s%s%s", name, decls, eqs, texts)
	}
}

// A builder panics at its limit. Terms that exist already do not count.
func TestLimit(t *testing.T) {
	l := newLeaves()
	made := l.Add(l.x, l.y)
	l.Limit = l.Size()
	if l.Add(l.x, l.y) != made {
		t.Errorf("the sum was made twice")
	}
	defer func() {
		if _, ok := recover().(TooLarge); !ok {
			t.Errorf("a term past the limit was made")
		}
	}()
	l.Add(l.x, l.z)
}
