package lower

import (
	"encoding/json"
	"go/token"
	"go/types"
	"slices"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/fact"
)

// Facts are calls that returned in real runs, as terms: a function is a function of its arguments
// unless two runs show otherwise.
//
//	f(a) = r                 args = a  =>  results = r
//	f(a) = r and f(a) = s    args = a  =>  results = r or results = s
//
// What a fact does not say of an argument, such as the contents of what a pointer points to, is
// taken to make no difference.
type Facts struct {
	groups map[string][]factGroup
	shapes map[*types.Signature]*signatureShape
	text   *logic.Var // the memory of strings
	seen   map[token.Pos][]fact.Operands
	// only reports whether the calls have no other arguments than those of the facts.
	only bool
}

// factGroup holds the calls of a function with the same arguments.
type factGroup struct {
	args    []fact.Value
	results [][]fact.Value
}

// signatureShape holds the shapes of parameters and results.
type signatureShape struct{ params, results []shape }

// shape is a type as scalars and memories.
type shape struct {
	t types.Type
	// scalars is the number of scalars of a value, and slots that of its slots in an object.
	scalars, slots int
	// fields are the fields of a struct, or the elements of an array.
	fields []shape
	// memories hold a value that is neither struct nor array in an object; nil if nothing reads
	// them.
	memories []*logic.Var
	// elem is what a pointer points to, or the element of a slice; nil if it has no shape.
	elem *shape
}

// Limits of facts.
const (
	maxShapeFields = 64
	maxShapeDepth  = 4
	maxFactText    = 64 // bytes of a string that are compared
	maxFactGroups  = 12 // for one function
	maxSeen        = 12 // for one comparison
)

// NewFacts returns facts for the functions that were lowered. only restricts the calls of functions
// with facts to the arguments of these. comparisons are those whose operands are to be as in real
// runs, where calls determine them. It must be called after Close, and before the functions are
// checked.
func (w *World) NewFacts(calls []fact.Call, comparisons []fact.Comparison, only bool) *Facts {
	f := &Facts{groups: map[string][]factGroup{}, shapes: map[*types.Signature]*signatureShape{},
		seen: map[token.Pos][]fact.Operands{}, only: only}
	if m := w.memories[stringClass]; m != nil {
		f.text = m[0]
	}
	index := map[string]int{}
	for _, c := range calls {
		args, _ := json.Marshal(c.Args)
		k := c.Callee + string(args)
		i, ok := index[k]
		if !ok {
			i = len(f.groups[c.Callee])
			if i == maxFactGroups {
				continue
			}
			index[k] = i
			f.groups[c.Callee] = append(f.groups[c.Callee], factGroup{args: c.Args})
		}
		g := &f.groups[c.Callee][i]
		g.results = append(g.results, c.Results)
	}
	compared := map[string][]fact.Operands{}
	for _, c := range comparisons {
		if list := compared[c.Pos]; len(list) < maxSeen && !slices.Contains(list, c.Operands) {
			compared[c.Pos] = append(list, c.Operands)
		}
	}
	for _, fn := range w.funcs {
		for _, b := range fn.Blocks {
			if br, ok := b.End.(ir.Branch); ok && len(compared) > 0 {
				for _, c := range br.Comparisons {
					if list := compared[w.prog.Pos(c.Pos)]; list != nil {
						f.seen[c.Pos] = list
					}
				}
			}
			for _, c := range b.Cmds {
				if call, ok := c.(*ir.Call); ok && f.shapes[call.Sig] == nil && f.names(call) {
					f.shapes[call.Sig] = w.signatureShape(call.Sig)
				}
			}
		}
	}
	return f
}

// Seen returns the operands that the comparison at pos had in real runs, nil if they are not known.
func (f *Facts) Seen(pos token.Pos) []fact.Operands { return f.seen[pos] }

// names reports whether there are facts about the callee of a call.
func (f *Facts) names(c *ir.Call) bool {
	return len(f.groups[c.Static]) > 0 || len(f.groups[c.Iface]) > 0
}

// signatureShape returns the shapes of a signature's types; nil if one has none.
func (w *World) signatureShape(sig *types.Signature) (s *signatureShape) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unsupported); !ok {
				panic(r)
			}
			s = nil
		}
	}()
	s = &signatureShape{}
	for v := range sig.Params().Variables() {
		s.params = append(s.params, w.shape(v.Type(), "", 0))
	}
	for v := range sig.Results().Variables() {
		s.results = append(s.results, w.shape(v.Type(), "", 0))
	}
	return s
}

// shape returns the shape of a type. class is the memory class of one that is neither struct nor
// array, "" for that of the type itself.
func (w *World) shape(t types.Type, class string, depth int) shape {
	s := shape{t: t, scalars: len(w.Layout(t)), slots: w.Slots(t)}
	if w.IsLarge(t) {
		return s
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range min(u.NumFields(), maxShapeFields) {
			f := u.Field(i)
			s.fields = append(s.fields, w.shape(f.Type(), w.FieldClass(t, f), depth))
		}
		return s
	case *types.Array:
		for range min(u.Len(), maxShapeFields) {
			s.fields = append(s.fields, w.shape(u.Elem(), "", depth))
		}
		return s
	case *types.Pointer:
		s.elem = w.elemShape(u.Elem(), depth)
	case *types.Slice:
		s.elem = w.elemShape(u.Elem(), depth)
	}
	if class == "" {
		class = w.typeKey(t)
	}
	s.memories = w.memories[w.memoryKey(class, t)]
	return s
}

// elemShape returns the shape of what a pointer or slice refers to; nil if it has none.
func (w *World) elemShape(t types.Type, depth int) (s *shape) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unsupported); !ok {
				panic(r)
			}
			s = nil
		}
	}()
	if depth == maxShapeDepth {
		return nil
	}
	elem := w.shape(t, "", depth+1)
	return &elem
}

// Assume returns what the facts say of a call: of its results, given its arguments. mem returns
// the contents of a memory when it returned, by Var.Index.
func (f *Facts) Assume(b *logic.Builder, callee string, sig *types.Signature, args, results []*logic.Term,
	mem func(index int) *logic.Term) (out []*logic.Term) {
	s := f.shapes[sig]
	if s == nil || len(f.groups[callee]) == 0 {
		return nil
	}
	n := 0
	for _, p := range s.params {
		n += p.scalars
	}
	if n > len(args) {
		return nil
	}
	args = args[len(args)-n:] // those before are of the receiver
	r := &factReader{f, b, mem}
	var known []*logic.Term
	for _, g := range f.groups[callee] {
		if len(g.args) != len(s.params) {
			continue // a variadic call
		}
		same := r.all(s.params, args, g.args)
		var either []*logic.Term
		for _, list := range g.results {
			if len(list) == len(s.results) {
				either = append(either, r.all(s.results, results, list))
			}
		}
		out = append(out, b.Implies(same, b.Or(either...)))
		known = append(known, same)
	}
	if f.only && len(known) > 0 {
		out = append(out, b.Or(known...))
	}
	return out
}

// factReader compares values with those of facts.
type factReader struct {
	*Facts
	b   *logic.Builder
	mem func(index int) *logic.Term
}

// all returns the term that all values are those of a fact.
func (r *factReader) all(shapes []shape, scalars []*logic.Term, vals []fact.Value) *logic.Term {
	var parts []*logic.Term
	for i := range shapes {
		n := shapes[i].scalars
		parts = append(parts, r.equal(&shapes[i], scalars[:n], &vals[i]))
		scalars = scalars[n:]
	}
	return r.b.And(parts...)
}

// equal returns the term that a value is that of a fact, as far as the fact and the shape tell.
func (r *factReader) equal(s *shape, scalars []*logic.Term, v *fact.Value) *logic.Term {
	b := r.b
	if len(s.fields) == 0 && slices.Contains(scalars, nil) {
		return b.True() // nothing reads it
	}
	switch u := s.t.Underlying().(type) {
	case *types.Struct, *types.Array:
		if len(v.Elems) < len(s.fields) {
			return b.True()
		}
		var parts []*logic.Term
		for i := range s.fields {
			n := s.fields[i].scalars
			if n > len(scalars) {
				break
			}
			parts = append(parts, r.equal(&s.fields[i], scalars[:n], &v.Elems[i]))
			scalars = scalars[n:]
		}
		return b.And(parts...)
	case *types.Basic:
		return r.basic(u, scalars, v)
	case *types.Slice:
		if v.Nil || v.Len == nil {
			return r.isNil(scalars[0], v)
		}
		n := uint64(*v.Len)
		parts := []*logic.Term{b.Not(r.isZero(scalars[0])), r.is(scalars[2], n)}
		for i := range v.Elems {
			if s.elem == nil {
				break
			}
			at := b.Add(scalars[1], b.Const(logic.Slot, uint64(i*s.elem.slots)))
			parts = append(parts, r.equal(s.elem, r.load(s.elem, scalars[0], at), &v.Elems[i]))
		}
		return b.And(parts...)
	case *types.Pointer:
		is := r.isNil(scalars[0], v)
		if v.Inside == nil || s.elem == nil {
			return is
		}
		return b.And(is, r.equal(s.elem, r.load(s.elem, scalars[0], scalars[1]), v.Inside))
	}
	return r.isNil(scalars[0], v)
}

// basic is equal for a basic type.
func (r *factReader) basic(u *types.Basic, scalars []*logic.Term, v *fact.Value) *logic.Term {
	b := r.b
	switch {
	case u.Info()&types.IsString != 0 && v.Text != nil:
		text := *v.Text
		parts := []*logic.Term{r.is(scalars[2], uint64(len(text)))}
		for i := range min(len(text), maxFactText) {
			if r.text == nil {
				break
			}
			at := b.Add(scalars[1], b.Const(logic.Slot, uint64(i)))
			c := b.Select(r.mem(r.text.Index), scalars[0], at)
			parts = append(parts, r.is(c, uint64(text[i])))
		}
		return b.And(parts...)
	case u.Info()&types.IsString != 0 && v.Len != nil:
		return r.is(scalars[2], uint64(*v.Len))
	case v.Bits != nil && len(scalars) == 1:
		return r.is(scalars[0], *v.Bits)
	case u.Kind() == types.UnsafePointer:
		return r.isNil(scalars[0], v)
	}
	return b.True()
}

// is returns the term that a scalar is a constant.
func (r *factReader) is(t *logic.Term, v uint64) *logic.Term {
	if t.Sort == logic.Bool {
		return r.b.Eq(t, r.b.Bool(v != 0))
	}
	return r.b.Eq(t, r.b.Const(t.Sort, v))
}

func (r *factReader) isZero(t *logic.Term) *logic.Term { return r.is(t, 0) }

// isNil returns the term that a reference is nil, or is not, as in a fact. Its first scalar is 0 for
// nil.
func (r *factReader) isNil(first *logic.Term, v *fact.Value) *logic.Term {
	switch {
	case v.Nil:
		return r.isZero(first)
	case v.NotNil || v.Len != nil:
		return r.b.Not(r.isZero(first))
	}
	return r.b.True()
}

// load returns the scalars of a value in memory. Those that nothing reads are nil.
func (r *factReader) load(s *shape, obj, slot *logic.Term) []*logic.Term {
	if len(s.fields) == 0 {
		out := make([]*logic.Term, s.scalars)
		for i := range min(len(out), len(s.memories)) {
			out[i] = r.b.Select(r.mem(s.memories[i].Index), obj, slot)
		}
		return out
	}
	var out []*logic.Term
	for i := range s.fields {
		f := &s.fields[i]
		out = append(out, r.load(f, obj, slot)...)
		slot = r.b.Add(slot, r.b.Const(logic.Slot, uint64(f.slots)))
	}
	for len(out) < s.scalars {
		out = append(out, nil)
	}
	return out
}
