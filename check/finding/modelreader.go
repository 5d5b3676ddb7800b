package finding

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strconv"

	"dsd/check/logic"
	"dsd/check/lower"
	"dsd/schemas"
)

// counterexample returns the inputs of r under the model.
func (f *Finding) counterexample(w *lower.World, r *lower.Root) *schemas.Counterexample {
	g := newModelReader(w, f, r.Func.Pkg.Types)
	defer func() {
		if g.foreign {
			f.dependsOn = append(f.dependsOn, "unexported fields of other packages")
		}
	}()
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
	for _, global := range g.globals() {
		if n := g.at(global.Var.Type(), global.Obj, 0, ""); constrained(n) {
			name := global.Var.Pkg().Path() + "." + global.Var.Name()
			if w.Constant(global.Var) {
				n.Var = name // tests leave it as it is
			}
			out.Globals = append(out.Globals, schemas.Input{Name: name, Node: n})
		}
	}
	for _, r := range f.returned {
		if r.from.v != nil {
			continue // a function value: its node has the results
		}
		if n := g.results(r); constrained(n) {
			out.Returns = append(out.Returns, schemas.Input{Name: r.callee, Node: n})
		}
	}
	out.Objects = g.nodes
	return out
}

// constrained reports whether a node says anything about its value.
func constrained(n schemas.Node) bool {
	return n.Lit != "" || n.Ref != nil || len(n.Fields) > 0 || len(n.Elems) > 0 || n.Dynamic != nil
}

// cell is a slot of a memory's initial contents, and its value.
type cell struct {
	obj   uint32
	slot  uint64
	value uint64
}

// scalar is a scalar part of a value.
type scalar struct {
	value uint64
	// known reports whether the model constrains it.
	known bool
	from  input
}

// modelReader reads the inputs of a function from a model.
type modelReader struct {
	w     *lower.World
	model *logic.Model
	// cells are the constrained slots by memory, sorted by object and slot.
	cells map[*logic.Var][]cell
	// nodes are the object graph so far, and index the node of an object.
	nodes []schemas.Node
	index map[uint32]int
	// returned are the results of calls of function values, by the input that holds the
	// function.
	returned map[input][]returned
	received []received
	// pkg is the package of the function, and foreign reports whether an input sets a field that
	// its code cannot set, to something other than zero.
	pkg     *types.Package
	foreign bool
	// open counts, by the object of a boxed value, how many times the value is being read.
	open map[uint32]int
}

func newModelReader(w *lower.World, f *Finding, pkg *types.Package) *modelReader {
	g := &modelReader{
		w: w, pkg: pkg, model: f.Model, index: map[uint32]int{}, cells: map[*logic.Var][]cell{},
		returned: map[input][]returned{}, received: f.received, open: map[uint32]int{},
	}
	for _, r := range f.returned {
		if r.from.v != nil {
			g.returned[r.from] = append(g.returned[r.from], r)
		}
	}
	for at, v := range f.Model.Cells {
		g.cells[at.Var] = append(g.cells[at.Var], cell{at.Obj, at.Slot, v})
	}
	for _, list := range g.cells {
		slices.SortFunc(list, func(a, b cell) int {
			return cmp.Or(cmp.Compare(a.obj, b.obj), cmp.Compare(a.slot, b.slot))
		})
	}
	return g
}

// globals returns the package-level variables of which the model says anything, sorted by name.
func (g *modelReader) globals() []lower.Global {
	var out []lower.Global
	seen := map[uint32]bool{}
	for _, list := range g.cells {
		for _, c := range list {
			if v := g.w.GlobalOf(c.obj); v != nil && !seen[c.obj] {
				seen[c.obj] = true
				out = append(out, lower.Global{Var: v, Obj: c.obj})
			}
		}
	}
	lower.SortGlobals(out)
	return out
}

// vars returns the scalars that the model gives variables.
func (g *modelReader) vars(vars []*logic.Var) []scalar {
	out := make([]scalar, len(vars))
	for i, v := range vars {
		out[i].from.v = v
		out[i].value, out[i].known = g.model.Vars[v]
	}
	return out
}

// cell returns the scalar in a slot of an object.
func (g *modelReader) cell(m *logic.Var, obj uint32, slot uint64) scalar {
	v, ok := g.model.Cells[logic.Cell{Var: m, Obj: obj, Slot: slot}]
	return scalar{v, ok, input{m, obj, slot}}
}

// at returns the node of the value of type t in memory. class overrides the memory class of a type
// that is neither struct nor array. Unconstrained parts are skipped, so large arrays cost nothing.
func (g *modelReader) at(t types.Type, obj uint32, slot uint64, class string) schemas.Node {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n := schemas.Node{Type: types.TypeString(t, nil)}
		for i := range u.NumFields() {
			f := u.Field(i)
			if v := g.at(f.Type(), obj, slot, g.w.FieldClass(t, f)); constrained(v) {
				g.field(&n, f, v)
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

// value returns the node of a value of type t, given its scalars.
func (g *modelReader) value(t types.Type, parts []scalar) schemas.Node {
	n := schemas.Node{Type: types.TypeString(t, nil)}
	if len(parts) == 0 {
		return n
	}
	head := parts[0]
	if g.w.IsLarge(t) {
		if !head.known {
			return n
		}
		return g.at(t, uint32(head.value), 0, "")
	}
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
		g.reference(&n, scalar{value: head.value, known: true}, func(obj uint32) schemas.Node {
			return g.array(u.Elem(), obj, 0, maxArray)
		})
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
					v := g.value(r.elem, g.vars(r.vars))
					ch.Elems = append(ch.Elems, schemas.Elem{Index: int64(len(ch.Elems)), Value: v})
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
				g.field(&n, f, v)
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

// field appends the value of a field to a struct's node.
func (g *modelReader) field(n *schemas.Node, f *types.Var, v schemas.Node) {
	n.Fields = append(n.Fields, schemas.Input{Name: f.Name(), Node: v})
	if !f.Exported() && f.Pkg() != g.pkg && !isZero(&v) {
		g.foreign = true
	}
}

// isZero reports whether a node is the zero value of its type, as far as it says.
func isZero(n *schemas.Node) bool {
	switch n.Lit {
	case "nil", "0", "false", `""`, "":
		return n.Ref == nil && n.Dynamic == nil && len(n.Elems) == 0
	}
	return false
}

// function fills the node of a function value: what it returns, call by call.
func (g *modelReader) function(n *schemas.Node, fn scalar) {
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

// results returns the node of a call's results: the result, or a field for each of several.
func (g *modelReader) results(r returned) schemas.Node {
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

func (g *modelReader) basic(n *schemas.Node, u *types.Basic, parts []scalar) {
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
		n.Lit = strconv.FormatInt(logic.Signed(v, g.w.Layout(u)[0].Sort.Bits()), 10)
	case info&types.IsFloat != 0:
		n.Lit = floatLit(v, g.w.Layout(u)[0].Sort.Bits())
	}
}

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

// text returns the contents of a string. An unconstrained byte is an a.
func (g *modelReader) text(obj uint32, off, length uint64) string {
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

// reference makes n a reference to an object. read returns the object's node; it is called once per
// object.
func (g *modelReader) reference(n *schemas.Node, obj scalar, read func(obj uint32) schemas.Node) {
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
		g.nodes[i] = read(o)
	}
	n.Ref = &i
}

// maxArray bounds the index of the elements of a slice that are read.
const maxArray = 1 << 24

// array returns the node of the constrained ones of length elements, which begin at the slot from.
func (g *modelReader) array(elem types.Type, obj uint32, from uint64, length int64) schemas.Node {
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
	slices.Sort(order)
	for _, i := range order {
		if v := g.at(elem, obj, from+uint64(i)*size, ""); constrained(v) {
			n.Elems = append(n.Elems, schemas.Elem{Index: i, Value: v})
		}
	}
	return n
}

// entries returns the node of a map: the keys that the model has in it, with their values.
func (g *modelReader) entries(t types.Type, m *types.Map, obj uint32) schemas.Node {
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

// maxUnrolled bounds how many times a boxed value is written inside itself. A model may have such
// values, Go has not. Unrolled, they behave alike on a path that follows fewer interfaces.
const maxUnrolled = 4

// dynamic fills the node of an interface value of the dynamic type tag.
func (g *modelReader) dynamic(n *schemas.Node, tag uint32, parts []scalar) {
	t := g.w.TagType(tag)
	if t == nil { // any implementation
		n.Dynamic = &schemas.Node{Type: n.Type}
		return
	}
	var v schemas.Node
	if p, ok := t.Underlying().(*types.Pointer); ok {
		v = schemas.Node{Type: types.TypeString(t, nil)}
		g.reference(&v, parts[1], func(obj uint32) schemas.Node { return g.at(p.Elem(), obj, 0, "") })
	} else if obj := uint32(parts[1].value); g.open[obj] < maxUnrolled {
		g.open[obj]++
		v = g.at(t, obj, 0, g.w.BoxClass(t))
		g.open[obj]--
	} else {
		v = schemas.Node{Type: types.TypeString(t, nil)}
	}
	n.Dynamic = &v
}
