package logic

import (
	"fmt"
	"maps"
	"math/rand"
	"testing"
)

// memory mirrors a memory term: the write that made it.
type memory struct {
	op   Op      // OpVar, OpIte, OpStore, OpFill, OpReplace, OpCopy
	v    *Var    // of OpVar
	a, b *memory // a is the memory written to; b the memory read, or the other branch
	args []*mirror
}

func (m *memory) text(depth int) string {
	switch {
	case m.op == OpVar:
		return m.v.Name
	case depth <= 0:
		return "..."
	}
	s := "(" + m.op.String() + " " + m.a.text(depth-1)
	if m.b != nil {
		s += " " + m.b.text(depth-1)
	}
	for _, a := range m.args {
		s += " " + a.text(depth-1)
	}
	return s + ")"
}

// contents is the contents of a memory whose addresses are all known.
type contents struct {
	initial *Var // for objects that were not written to
	objects map[uint32]*object
}

// object is the contents of an object: cells that were written, on top of one value for all slots
// or the initial contents of an object (this one, or one that replaced it).
type object struct {
	cells map[uint64]uint64
	fill  *uint64
	from  *Var
	of    uint32
}

func (c *contents) object(obj uint32) *object {
	if x := c.objects[obj]; x != nil {
		return x
	}
	return &object{from: c.initial, of: obj}
}

func (c *contents) read(o *oracle, obj uint32, slot uint64) uint64 {
	x := c.object(obj)
	if v, ok := x.cells[slot]; ok {
		return v
	}
	if x.fill != nil {
		return *x.fill
	}
	return o.m.Cells[Cell{x.from, x.of, slot}]
}

// with returns the contents with one object replaced.
func (c *contents) with(obj uint32, x *object) *contents {
	n := &contents{c.initial, maps.Clone(c.objects)}
	if n.objects == nil {
		n.objects = map[uint32]*object{}
	}
	n.objects[obj] = x
	return n
}

func (o *oracle) contents(m *memory) *contents {
	if c := o.memories[m]; c != nil {
		return c
	}
	c := o.write(m)
	o.memories[m] = c
	return c
}

func (o *oracle) write(m *memory) *contents {
	arg := func(i int) uint64 { return o.eval(m.args[i]) }
	change := func(c *contents, obj uint32) *object {
		x := *c.object(obj)
		x.cells = maps.Clone(x.cells)
		if x.cells == nil {
			x.cells = map[uint64]uint64{}
		}
		return &x
	}
	switch m.op {
	case OpVar:
		return &contents{initial: m.v}

	case OpIte:
		if arg(0) == 1 {
			return o.contents(m.a)
		}
		return o.contents(m.b)

	case OpStore: // at obj, slot
		x := change(o.contents(m.a), uint32(arg(0)))
		x.cells[arg(1)] = arg(2)
		return o.contents(m.a).with(uint32(arg(0)), x)

	case OpFill: // obj
		v := arg(1)
		return o.contents(m.a).with(uint32(arg(0)), &object{fill: &v})

	case OpReplace: // obj, from b
		obj := uint32(arg(0))
		return o.contents(m.a).with(obj, o.contents(m.b).object(obj))

	case OpCopy: // to, at, n, from b: obj, slot
		var values []uint64
		for i := range arg(2) {
			values = append(values, o.contents(m.b).read(o, uint32(arg(3)), arg(4)+i))
		}
		x := change(o.contents(m.a), uint32(arg(0)))
		for i, v := range values {
			x.cells[arg(1)+uint64(i)] = v
		}
		return o.contents(m.a).with(uint32(arg(0)), x)
	}
	panic("no oracle for " + m.op.String())
}

// memoryGenerator makes random writes to memories and random reads.
type memoryGenerator struct {
	r                    *rand.Rand
	b                    *Builder
	conds, objs, indices []*Var
	classes              []*class
	reads                []pair
}

// class holds the memories of values of one sort.
type class struct {
	value Sort
	vars  []*Var // initial memories, then variables that are values
	terms []*Term
	mems  []*memory
}

const (
	regionA, regionB, regionText = 1, 2, 3
	hello, empty                 = RegionStatic<<16 + 1, RegionStatic<<16 + 2
)

// objectPool holds the objects.
var objectPool = []uint32{
	0, 7, regionA<<16 + 1, regionA<<16 + 2, regionB<<16 + 1, regionText<<16 +
		1, hello, empty, RegionStatic<<16 + 3, RegionFresh<<16 + 1, RegionFresh<<16 + 2,
}

func newMemoryGenerator(seed int64) *memoryGenerator {
	g := &memoryGenerator{r: rand.New(rand.NewSource(seed)), b: NewBuilder()}
	g.b.Literals[hello] = "hello"
	g.b.Literals[empty] = ""
	for i := range 2 {
		g.conds = append(g.conds, &Var{Name: fmt.Sprintf("c%d", i), Sort: Bool})
		g.indices = append(g.indices, &Var{Name: fmt.Sprintf("i%d", i), Sort: Slot})
	}
	for i, d := range []Domain{
		{Role: RoleObj, Region: regionA}, {Role: RoleObj, Region: regionA}, {Role: RoleObj,
			Region: regionB}, {Role: RoleStrObj, Region: regionText},
		{Role: RoleIfaceObj, Region: regionA}, {},
	} {
		g.objs = append(g.objs, &Var{Name: fmt.Sprintf("p%d", i), Sort: Obj, Domain: d})
	}
	for _, c := range []struct {
		s Sort
		d Domain
	}{
		{BV(8), Domain{}}, {Obj, Domain{Role: RoleObj, Region: regionB}}, {Slot,
			Domain{Role: RoleSlot}}, {BV(64), Domain{}}, {Bool, Domain{}}, {Float(64), Domain{}},
	} {
		k := &class{value: c.s}
		for i := range 2 {
			v := &Var{Name: fmt.Sprintf("%s-%d-%d", sortName(c.s), c.d.Role, i), Sort: Memory(c.s),
				Domain: c.d}
			k.vars = append(k.vars, v)
			k.terms = append(k.terms, g.b.Var(v))
			k.mems = append(k.mems, &memory{op: OpVar, v: v})
		}
		k.vars = append(k.vars, &Var{Name: "value " + sortName(c.s), Sort: c.s, Domain: c.d})
		g.classes = append(g.classes, k)
	}
	return g
}

func (g *memoryGenerator) one(list []*Var) pair {
	v := list[g.r.Intn(len(list))]
	return pair{g.b.Var(v), &mirror{op: OpVar, sort: v.Sort, v: v}}
}

func (g *memoryGenerator) constant(s Sort, v uint64) pair {
	return pair{g.b.Const(s, v), &mirror{op: OpConst, sort: s, val: v}}
}

func (g *memoryGenerator) ite(x, y pair) pair {
	c := g.cond()
	return pair{g.b.Ite(c.t, x.t, y.t),
		&mirror{op: OpIte, sort: x.m.sort, args: []*mirror{c.m, x.m, y.m}}}
}

func (g *memoryGenerator) cond() pair {
	switch g.r.Intn(5) {
	case 0:
		x, y := g.obj(0), g.obj(0)
		return pair{g.b.Eq(x.t, y.t), &mirror{op: OpEq, sort: Bool, args: []*mirror{x.m, y.m}}}
	case 1:
		x, y := g.one(g.indices), g.slot()
		return pair{g.b.Cmp(OpULt, x.t, y.t), &mirror{op: OpULt, sort: Bool, args: []*mirror{x.m, y.m}}}
	}
	return g.one(g.conds)
}

func (g *memoryGenerator) obj(depth int) pair {
	switch k := g.r.Intn(8); {
	case k == 0 && depth > 0:
		return g.ite(g.obj(depth-1), g.obj(depth-1))
	case k == 1 && depth > 0:
		return g.read(g.classes[1])
	case k < 5:
		return g.one(g.objs)
	}
	return g.constant(Obj, uint64(objectPool[g.r.Intn(len(objectPool))]))
}

// slot returns an index near 0, on either side.
func (g *memoryGenerator) slot() pair {
	switch g.r.Intn(6) {
	case 0, 1:
		return g.constant(Slot, uint64(g.r.Intn(6)))
	case 2:
		x, k := g.one(g.indices), g.constant(Slot, uint64(g.r.Intn(5)-2))
		return pair{g.b.Add(x.t, k.t), &mirror{op: OpAdd, sort: Slot, args: []*mirror{x.m, k.m}}}
	case 3:
		return g.ite(g.one(g.indices), g.constant(Slot, uint64(g.r.Intn(6)-1)))
	}
	return g.one(g.indices)
}

func (g *memoryGenerator) value(c *class) pair {
	switch g.r.Intn(3) {
	case 0:
		if c.value.Kind == KBool {
			return g.constant(Bool, uint64(g.r.Intn(2)))
		}
		return g.constant(c.value, uint64(g.r.Intn(200)))
	case 1:
		return g.read(c)
	}
	return g.one(c.vars[2:])
}

// read adds a read of a memory of the class.
func (g *memoryGenerator) read(c *class) pair {
	i := g.r.Intn(len(c.mems))
	o, s := g.obj(1), g.slot()
	return pair{g.b.Select(c.terms[i], o.t, s.t),
		&mirror{op: OpSelect, sort: c.value, mem: c.mems[i], args: []*mirror{o.m, s.m}}}
}

// write adds a memory to the class.
func (g *memoryGenerator) write(c *class) {
	i, j := len(c.mems)-1, g.r.Intn(len(c.mems))
	if g.r.Intn(4) == 0 {
		i = g.r.Intn(len(c.mems))
	}
	b, at := g.b, c.terms[i]
	m := &memory{a: c.mems[i]}
	arg := func(p pair) *Term {
		m.args = append(m.args, p.m)
		return p.t
	}
	var t *Term
	switch g.r.Intn(8) {
	case 0:
		m.op, m.b = OpIte, c.mems[j]
		t = b.Ite(arg(g.cond()), at, c.terms[j])
	case 1:
		m.op = OpFill
		t = b.Fill(at, arg(g.obj(1)), arg(g.value(c)))
	case 2:
		m.op, m.b = OpReplace, c.mems[j]
		t = b.Replace(at, arg(g.obj(1)), c.terms[j])
	case 3, 4:
		m.op, m.b = OpCopy, c.mems[j]
		n := g.constant(Slot, uint64(g.r.Intn(5)))
		if g.r.Intn(2) == 0 {
			n = g.one(g.indices)
		}
		t = b.Copy(at, arg(g.obj(1)), arg(g.slot()), arg(n), c.terms[j], arg(g.obj(1)), arg(g.slot()))
	default:
		m.op = OpStore
		t = b.Store(at, arg(g.obj(1)), arg(g.slot()), arg(g.value(c)))
	}
	c.terms = append(c.terms, t)
	c.mems = append(c.mems, m)
}

// model returns a well-formed state: objects are in their regions, slots of pointers are 0, and
// string constants hold their text.
func (g *memoryGenerator) model() *Model {
	m := &Model{Vars: map[*Var]uint64{}, Cells: map[Cell]uint64{}}
	value := func(v *Var, s Sort) uint64 {
		switch {
		case v.Domain.Role == RoleSlot:
			return 0
		case s == Obj && v.Domain.Role != RoleNone && v.Domain.Role != RoleIfaceObj:
			for {
				if o := objectPool[g.r.Intn(len(objectPool))]; o == 0 || o>>16 == v.Domain.Region {
					return uint64(o)
				}
			}
		case s == Obj:
			return uint64(objectPool[g.r.Intn(len(objectPool))])
		case s.Kind == KBool:
			return uint64(g.r.Intn(2))
		}
		return uint64(g.r.Intn(200))
	}
	for _, v := range g.conds {
		m.Vars[v] = uint64(g.r.Intn(2))
	}
	for _, v := range g.indices {
		m.Vars[v] = uint64(g.r.Intn(5))
	}
	for _, v := range g.objs {
		m.Vars[v] = value(v, Obj)
	}
	for _, c := range g.classes {
		for _, v := range c.vars[2:] {
			m.Vars[v] = value(v, v.Sort)
		}
		for _, v := range c.vars[:2] {
			for _, o := range objectPool {
				for i := range uint64(12) {
					at := Cell{v, o, i - 3}
					text, literal := g.b.Literals[o]
					switch {
					case literal && c.value == BV(8) && at.Slot < uint64(len(text)):
						m.Cells[at] = uint64(text[at.Slot])
					case !(literal && c.value == BV(8)):
						m.Cells[at] = value(v, c.value)
					}
				}
			}
		}
	}
	return m
}

// A read after any writes has the value that a table of cells would hold, and mentions only initial
// contents.
func TestMemories(t *testing.T) {
	for seed := range int64(400) {
		g := newMemoryGenerator(seed)
		for range 25 {
			g.write(g.classes[g.r.Intn(len(g.classes))])
			for _, c := range g.classes {
				g.reads = append(g.reads, g.read(c))
			}
			g.reads = append(g.reads, g.cond())
		}
		for i := range 4 {
			m := g.model()
			o := newOracle(m)
			for _, p := range g.reads {
				if got, want := m.Eval(p.t), o.eval(p.m); got != want {
					t.Fatalf("seed %d, model %d: asked for %s\nat %s\nbuilt %s\ngot %#x, want %#x", seed, i, p.m,
						p.m.values(o), show(p.t), got, want)
				}
			}
		}
		var roots []*Term
		for _, p := range g.reads {
			roots = append(roots, p.t)
		}
		for _, x := range reachable(roots...) {
			if x.Sort.Kind == KMemory {
				t.Fatalf("seed %d: what was read mentions the memory %s", seed, show(x))
			}
		}
	}
}

// values returns the values of a mirror's arguments.
func (m *mirror) values(o *oracle) string {
	s := ""
	for _, a := range m.args {
		s += fmt.Sprintf("%#x ", o.eval(a))
	}
	return s
}

// Copies may have more slots than could be written one by one.
func TestLongCopies(t *testing.T) {
	b := NewBuilder()
	mem := b.Var(&Var{Name: "M", Sort: Memory(BV(64))})
	from, to := b.Const(Obj, 1<<16+1), b.Const(Obj, 1<<16+2)
	slot := func(i uint64) *Term { return b.Const(Slot, i) }
	const most = ^uint64(0)
	for _, test := range []struct {
		at, n, slot uint64
		read        uint64
		want        string
	}{
		{0, 1 << 40, 0, 1<<40 - 1, "M[65537,1099511627775]"},
		{0, 1 << 40, 0, 1 << 40, "M[65538,1099511627776]"},
		{5, most, 0, 5, "M[65537,0]"},
		{5, most, 0, 4, "M[65538,4]"}, // the only slot that a copy of 2^64-1 slots does not write
		{5, most, 7, 3, "M[65537,5]"}, // wraps around
		{1 << 63, 1 << 63, 0, most, "M[65537,9223372036854775807]"},
		{1 << 63, 1 << 63, 0, 0, "M[65538,0]"},
		{0, 0, 0, 0, "M[65538,0]"},
	} {
		m := b.Copy(mem, to, slot(test.at), slot(test.n), mem, from, slot(test.slot))
		if got := b.Select(m, to, slot(test.read)).String(); got != test.want {
			t.Errorf("slot %d after a copy of %d slots from %d to %d is %s, want %s", test.read, test.n,
				test.slot, test.at, got, test.want)
		}
		if got := b.Select(m, from, slot(test.read)); got != b.Select(mem, from, slot(test.read)) {
			t.Errorf("a copy of %d slots to another object changed the first: %v", test.n, got)
		}
	}
}

// A copy reads everything before it writes, as Go's copy does.
func TestOverlappingCopy(t *testing.T) {
	b := NewBuilder()
	mem := b.Var(&Var{Name: "M", Sort: Memory(BV(8))})
	o := b.Const(Obj, 1<<16+1)
	slot := func(i uint64) *Term { return b.Const(Slot, i) }
	for i := range uint64(4) {
		mem = b.Store(mem, o, slot(i), b.Const(BV(8), 10+i))
	}
	up := b.Copy(mem, o, slot(1), slot(3), mem, o, slot(0))
	down := b.Copy(mem, o, slot(0), slot(3), mem, o, slot(1))
	for i, want := range [][2]uint64{{10, 11}, {10, 12}, {11, 13}, {12, 13}} {
		for j, m := range []*Term{up, down} {
			if got, ok := b.Select(m, o, slot(uint64(i))).Const(); !ok || got != want[j] {
				t.Errorf("%s: slot %d is %d (constant: %v), want %d", [...]string{"up", "down"}[j], i, got, ok,
					want[j])
			}
		}
	}
}

// A read behind two branches sees what was written behind a branch inside one of them.
func TestNestedBranches(t *testing.T) {
	b := NewBuilder()
	v := &Var{Name: "m", Sort: Memory(Int), Domain: Domain{Role: RoleNone}}
	c1, c2 := b.Var(&Var{Name: "c1", Sort: Bool, Index: 1}), b.Var(&Var{Name: "c2", Sort: Bool, Index: 2})
	object := func(i uint64) *Term { return b.Const(Obj, RegionFresh<<16+i) }
	slot, before := b.Const(Slot, 0), b.Var(v)
	inner := b.Ite(c1, b.Store(before, object(1), slot, b.Const(Int, 5)), before)
	outer := b.Ite(c2, b.Store(inner, object(2), slot, b.Const(Int, 6)), before)
	initial := func(i uint64) *Term { return b.Select(before, object(i), slot) }
	for i, want := range []*Term{
		initial(0),
		b.Ite(c2, b.Ite(c1, b.Const(Int, 5), initial(1)), initial(1)),
		b.Ite(c2, b.Const(Int, 6), initial(2)),
	} {
		if got := b.Select(outer, object(uint64(i)), slot); got != want {
			t.Errorf("object %d: %v, want %v", i, got, want)
		}
	}
}
