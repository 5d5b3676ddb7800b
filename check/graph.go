package check

import (
	"go/types"
	"math"
	"sort"
	"strconv"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/schemas"
)

// counterexample reads a model back as Go values: an object graph that names what the model constrains.
func (c *checker) counterexample(r *lower.Root, f *found) *schemas.Counterexample {
	g := &grapher{w: c.w, model: f.model, index: map[uint32]int{}, cells: map[*logic.Var][]cell{}, returned: map[place][]returned{}, received: f.received}
	for _, r := range f.returned {
		if r.from.v != nil {
			g.returned[r.from] = append(g.returned[r.from], r)
		}
	}
	for at, v := range f.model.Cells {
		g.cells[at.Var] = append(g.cells[at.Var], cell{at.Obj, at.Slot, v})
	}
	for _, list := range g.cells {
		sort.Slice(list, func(i, j int) bool {
			if list[i].obj != list[j].obj {
				return list[i].obj < list[j].obj
			}
			return list[i].slot < list[j].slot
		})
	}
	out := &schemas.Counterexample{Params: []schemas.Input{}}
	for _, t := range r.TypeArgs {
		out.TypeArgs = append(out.TypeArgs, types.TypeString(t, nil))
	}
	for _, p := range r.Params {
		in := schemas.Input{Name: p.Name, Node: g.value(p.Type, g.vars(p.Vars))}
		if p.Receiver {
			out.Receiver = &in
		} else {
			out.Params = append(out.Params, in)
		}
	}
	for _, global := range c.w.Globals() {
		n := g.at(global.Var.Type(), global.Obj, 0, "")
		if constrained(n) {
			out.Globals = append(out.Globals, schemas.Input{Name: global.Var.Pkg().Path() + "." + global.Var.Name(), Node: n})
		}
	}
	for _, r := range f.returned {
		if r.from.v != nil {
			continue // see Node
		}
		if n := g.results(r); constrained(n) {
			out.Returns = append(out.Returns, schemas.Input{Name: r.callee, Node: n})
		}
	}
	out.Objects = g.nodes
	return out
}

func constrained(n schemas.Node) bool {
	return n.Lit != "" || n.Ref != nil || len(n.Fields) > 0 || len(n.Elems) > 0 || n.Dynamic != nil
}

// cell is a place of a memory's initial contents and its value.
type cell struct {
	obj   uint32
	slot  uint64
	value uint64
}

// scalar is a part of a value, and the place of the input that it comes from; known says that the model constrains it.
type scalar struct {
	value uint64
	known bool
	from  place
}

type grapher struct {
	w     *lower.World
	model *logic.Model
	cells map[*logic.Var][]cell
	nodes []schemas.Node
	index map[uint32]int // object -> node
	// returned are the results of the calls of function values, by where those are.
	returned map[place][]returned
	received []received
}

func (g *grapher) vars(vars []*logic.Var) []scalar {
	out := make([]scalar, len(vars))
	for i, v := range vars {
		out[i].from.v = v
		out[i].value, out[i].known = g.model.Vars[v]
	}
	return out
}

func (g *grapher) cell(m *logic.Var, obj uint32, slot uint64) scalar {
	v, ok := g.model.Cells[logic.Cell{Var: m, Obj: obj, Slot: slot}]
	return scalar{v, ok, place{m, obj, slot}}
}

// at reads the value of type t at a place of memory; class overrides the memory class of a type that is neither struct
// nor array. Parts that the model does not constrain are not looked at, so that large arrays cost nothing.
func (g *grapher) at(t types.Type, obj uint32, slot uint64, class string) schemas.Node {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := schemas.Node{Type: types.TypeString(t, nil)}
		for i := range u.NumFields() {
			f := u.Field(i)
			if v := g.at(f.Type(), obj, slot, g.w.FieldClass(t, f)); constrained(v) {
				n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: v})
			}
			slot += uint64(g.w.Slots(f.Type()))
		}
		return n
	case *types.Array:
		n := g.array(u.Elem(), obj, slot, u.Len())
		n.Type = types.TypeString(t, nil)
		return n
	}
	var parts []scalar
	for _, leaf := range g.w.Layout(t) {
		if class != "" {
			leaf.Class = class
		}
		m := g.w.Memories(leaf.Class, leaf.Type)[leaf.Comp]
		parts = append(parts, g.cell(m, obj, slot+uint64(leaf.Slot)))
	}
	return g.value(t, parts)
}

// value makes the node of a value of type t from its scalars.
func (g *grapher) value(t types.Type, parts []scalar) schemas.Node {
	n := schemas.Node{Type: types.TypeString(t, nil)}
	if len(parts) == 0 {
		return n
	}
	head := parts[0]
	switch u := t.Underlying().(type) {
	case *types.Basic:
		g.basic(&n, u, parts)

	case *types.Pointer:
		g.reference(&n, head, func(obj uint32) schemas.Node { return g.at(u.Elem(), obj, 0, "") })

	case *types.Slice:
		length := parts[2]
		if head.known && head.value == 0 || !head.known && length.known && length.value == 0 {
			n.Lit = "nil"
			break
		}
		if !head.known && !length.known {
			break
		}
		g.reference(&n, scalar{value: head.value, known: true}, func(obj uint32) schemas.Node { return g.array(u.Elem(), obj, 0, 1<<24) })
		l := int64(length.value)
		n.Len = &l
		if c := int64(parts[3].value); parts[3].known && c > l {
			n.Cap = &c
		}

	case *types.Map:
		g.reference(&n, head, func(obj uint32) schemas.Node { return g.entries(t, u, obj) })

	case *types.Chan:
		g.reference(&n, head, func(obj uint32) schemas.Node {
			ch := schemas.Node{Type: types.TypeString(t, nil)}
			closed := g.cell(g.w.ChanClosed(), obj, 0)
			ch.Closed = closed.known && closed.value == 1
			for _, r := range g.received {
				if r.obj == obj && r.ok {
					ch.Elems = append(ch.Elems, schemas.Elem{Index: int64(len(ch.Elems)), Value: g.value(r.elem, g.vars(r.vars))})
				}
			}
			return ch
		})

	case *types.Signature:
		g.function(&n, head)

	case *types.Interface:
		switch {
		case !head.known:
		case head.value == 0:
			n.Lit = "nil"
		default:
			g.dynamic(&n, uint32(head.value), parts)
		}

	case *types.Struct:
		at := 0
		for i := range u.NumFields() {
			f := u.Field(i)
			k := len(g.w.Layout(f.Type()))
			if v := g.value(f.Type(), parts[at:at+k]); constrained(v) {
				n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: v})
			}
			at += k
		}

	case *types.Array:
		k := len(g.w.Layout(u.Elem()))
		for i := range int(u.Len()) {
			if v := g.value(u.Elem(), parts[i*k:i*k+k]); constrained(v) {
				n.Elems = append(n.Elems, schemas.Elem{Index: int64(i), Value: v})
			}
		}
	}
	return n
}

// function makes the node of a function value: what it returns, call by call.
func (g *grapher) function(n *schemas.Node, fn scalar) {
	switch {
	case !fn.known:
		return
	case fn.value == 0:
		n.Lit = "nil"
		return
	}
	for i, r := range g.returned[fn.from] {
		if v := g.results(r); constrained(v) {
			n.Elems = append(n.Elems, schemas.Elem{Index: int64(i), Value: v})
		}
	}
	if len(n.Elems) == 0 {
		n.Lit = "func"
	}
}

// results makes the node of the results of a call: the result, or a field for each of several.
func (g *grapher) results(r returned) schemas.Node {
	if r.results.Len() == 1 {
		return g.value(r.results.At(0).Type(), g.vars(r.vars))
	}
	n := schemas.Node{Type: r.results.String()}
	at := 0
	for i := range r.results.Len() {
		t := r.results.At(i).Type()
		k := len(g.w.Layout(t))
		if v := g.value(t, g.vars(r.vars[at:at+k])); constrained(v) {
			n.Fields = append(n.Fields, schemas.Input{Name: strconv.Itoa(i), Node: v})
		}
		at += k
	}
	return n
}

func (g *grapher) basic(n *schemas.Node, u *types.Basic, parts []scalar) {
	v := parts[0].value
	info := u.Info()
	switch {
	case info&types.IsString != 0:
		if parts[2].known {
			n.Lit = strconv.Quote(g.text(uint32(v), parts[1].value, parts[2].value))
		}
		return
	case !parts[0].known || u.Kind() == types.UnsafePointer:
		return
	case info&types.IsBoolean != 0:
		n.Lit = strconv.FormatBool(v == 1)
	case info&types.IsUnsigned != 0:
		n.Lit = strconv.FormatUint(v, 10)
	case info&types.IsInteger != 0:
		n.Lit = strconv.FormatInt(asSigned(v, g.w.Layout(u)[0].Sort.Bits), 10)
	case info&types.IsFloat != 0:
		n.Lit = floatLit(v, g.w.Layout(u)[0].Sort.Bits)
	}
}

func asSigned(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

func floatLit(v uint64, bits int) string {
	f := math.Float64frombits(v)
	if bits == 32 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	switch {
	case f != f:
		return "math.NaN()"
	case math.IsInf(f, 1):
		return "math.Inf(1)"
	case math.IsInf(f, -1):
		return "math.Inf(-1)"
	case f == 0 && math.Signbit(f):
		return "math.Copysign(0, -1)"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// text is the contents of a string; bytes that do not matter are an a.
func (g *grapher) text(obj uint32, off, length uint64) string {
	out := make([]byte, length)
	for i := range out {
		out[i] = 'a'
		if s, ok := g.w.Literals()[obj]; ok && off+uint64(i) < uint64(len(s)) {
			out[i] = s[off+uint64(i)]
			continue
		}
		if c := g.cell(g.w.StringBytes(), obj, off+uint64(i)); c.known {
			out[i] = byte(c.value)
		}
	}
	return string(out)
}

// reference makes n a reference to the object, whose node is made the first time.
func (g *grapher) reference(n *schemas.Node, obj scalar, make func(obj uint32) schemas.Node) {
	switch {
	case !obj.known:
		return
	case obj.value == 0:
		n.Lit = "nil"
		return
	}
	o := uint32(obj.value)
	i, ok := g.index[o]
	if !ok {
		i = len(g.nodes)
		g.index[o] = i
		g.nodes = append(g.nodes, schemas.Node{})
		g.nodes[i] = make(o)
	}
	n.Ref = &i
}

// array is the node of up to length elements of type elem from a place on: the constrained ones.
func (g *grapher) array(elem types.Type, obj uint32, from uint64, length int64) schemas.Node {
	n := schemas.Node{Type: "[]" + types.TypeString(elem, nil)}
	size := uint64(max(g.w.Slots(elem), 1))
	which := map[int64]bool{}
	for _, m := range g.w.Contents(elem) {
		for _, c := range g.cells[m] {
			if i := int64((c.slot - from) / size); c.obj == obj && c.slot >= from && 0 <= i && i < length {
				which[i] = true
			}
		}
	}
	var order []int64
	for i := range which {
		order = append(order, i)
	}
	sort.Slice(order, func(i, j int) bool { return order[i] < order[j] })
	for _, i := range order {
		if v := g.at(elem, obj, from+uint64(i)*size, ""); constrained(v) {
			n.Elems = append(n.Elems, schemas.Elem{Index: i, Value: v})
		}
	}
	return n
}

// entries is the node of a map's contents: the keys that are known to be present.
func (g *grapher) entries(t types.Type, m *types.Map, obj uint32) schemas.Node {
	n := schemas.Node{Type: types.TypeString(t, nil)}
	mems := g.w.EntryMemories(m)
	for _, c := range g.cells[g.w.MapHas(m)] {
		if c.obj != obj || c.value != 1 {
			continue
		}
		key, ok := g.key(m.Key(), c.slot)
		if !ok {
			continue
		}
		var parts []scalar
		for _, mem := range mems {
			parts = append(parts, g.cell(mem, obj, c.slot))
		}
		n.Elems = append(n.Elems, schemas.Elem{Key: &key, Value: g.value(m.Elem(), parts)})
	}
	return n
}

// key decodes the number that stands for a map's key.
func (g *grapher) key(t types.Type, k uint64) (schemas.Node, bool) {
	parts := g.w.KeyParts(t)
	n, ok := g.keyNode(t, k, &parts)
	return n, ok
}

// keyNode decodes a key, or a part of one, from the parts that are left.
func (g *grapher) keyNode(t types.Type, k uint64, parts *[]lower.KeyPart) (schemas.Node, bool) {
	n := schemas.Node{Type: types.TypeString(t, nil)}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			v, ok := g.keyNode(f.Type(), k, parts)
			if !ok {
				return n, false
			}
			n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: v})
		}
		return n, true
	case *types.Array:
		for i := range u.Len() {
			v, ok := g.keyNode(u.Elem(), k, parts)
			if !ok {
				return n, false
			}
			n.Elems = append(n.Elems, schemas.Elem{Index: i, Value: v})
		}
		return n, true
	}
	if len(*parts) == 0 {
		return n, false
	}
	p := (*parts)[0]
	*parts = (*parts)[1:]
	v := p.Of(k)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		g.reference(&n, scalar{value: v, known: true}, func(obj uint32) schemas.Node { return g.at(u.Elem(), obj, 0, "") })
		return n, true
	case *types.Interface:
		room := p.Bits - 16
		content := v & (1<<room - 1)
		switch dyn := g.w.TagType(uint32(v >> room)); {
		case u.NumMethods() > 0:
			return n, false
		case dyn == types.Typ[types.Int]:
			n.Dynamic = &schemas.Node{Type: "int", Lit: strconv.FormatInt(int64(content), 10)}
		case dyn == types.Typ[types.String]:
			n.Dynamic = &schemas.Node{Type: "string", Lit: strconv.Quote(unpack(content, room/8-1))}
		default:
			return n, false
		}
		return n, true
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			n.Lit = strconv.Quote(unpack(v, p.Bits/8-1))
		case u.Info()&types.IsBoolean != 0:
			n.Lit = strconv.FormatBool(v == 1)
		case u.Info()&types.IsUnsigned != 0:
			n.Lit = strconv.FormatUint(v, 10)
		case u.Info()&types.IsInteger != 0:
			n.Lit = strconv.FormatInt(asSigned(v, p.Bits), 10)
		case u.Info()&types.IsFloat != 0:
			n.Lit = floatLit(v, p.Bits)
		default:
			return n, false
		}
		return n, true
	}
	return n, false
}

// unpack is the string of at most n bytes that a part of a map's key stands for (lower's packString).
func unpack(k uint64, n int) string {
	length := min(int(k>>(8*n)), n)
	out := make([]byte, length)
	for i := range out {
		out[i] = byte(k >> (8 * i))
	}
	return string(out)
}

func (g *grapher) dynamic(n *schemas.Node, tag uint32, parts []scalar) {
	t := g.w.TagType(tag)
	if t == nil { // any implementation will do
		n.Dynamic = &schemas.Node{Type: n.Type}
		return
	}
	var v schemas.Node
	if p, ok := t.Underlying().(*types.Pointer); ok {
		v = schemas.Node{Type: types.TypeString(t, nil)}
		g.reference(&v, parts[1], func(obj uint32) schemas.Node { return g.at(p.Elem(), obj, 0, "") })
	} else {
		v = g.at(t, uint32(parts[1].value), 0, g.w.BoxClass(t))
	}
	n.Dynamic = &v
}
