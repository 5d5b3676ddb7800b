package lower

import (
	"crypto/sha256"
	"encoding/binary"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/internal/callgraph"
)

// A Digest stands for contents: other contents have another digest.
type Digest [sha256.Size]byte

// Digests computes digests of what a World holds, after Close. Two functions, of one testee or of two
// versions of it, have the same digest only if no analysis can tell them apart but by where their
// declarations are in which files. A Digests must not be used concurrently, nor with other methods
// of the World than those that vcgen.World names.
type Digests struct {
	w *World
	// memories are the names of the memories.
	memories map[*logic.Var]string
	funcs    map[string]Digest
	types    map[string]Digest // of named types, by key
}

// NewDigests returns a Digests of a World that is closed.
func NewDigests(w *World) *Digests {
	d := &Digests{w: w, memories: map[*logic.Var]string{},
		funcs: map[string]Digest{}, types: map[string]Digest{}}
	for k, vars := range w.memories {
		for _, v := range vars {
			d.memories[v] = k
		}
	}
	return d
}

// Func returns the digest of the lowered function with that key; the zero Digest if it has no body.
func (d *Digests) Func(key string) Digest {
	f := d.w.funcs[key]
	if f == nil {
		return Digest{}
	}
	if sum, ok := d.funcs[key]; ok {
		return sum
	}
	e := d.encoder()
	e.function(f)
	sum := e.sum()
	d.funcs[key] = sum
	return sum
}

// Root returns the digest of what a function's analysis starts with: its inputs.
func (d *Digests) Root(r *Root) Digest {
	e := d.encoder()
	e.str(r.Key)
	e.str(r.Func.Name)
	e.str(r.Func.Pkg.Path)
	e.flag(r.Func.Literal)
	for _, t := range r.TypeArgs {
		e.typ(t)
	}
	for _, p := range r.Params {
		e.str(p.Name)
		e.typ(p.Type)
		e.flag(p.Receiver)
		e.vars(p.Vars)
	}
	return e.sum()
}

// Contract returns the digest of a contract; the zero Digest if it is nil.
func (d *Digests) Contract(k *ir.Contract) Digest {
	if k == nil {
		return Digest{}
	}
	e := d.encoder()
	e.vars(k.Params)
	e.vars(k.Results)
	for _, list := range [][]ir.Clause{k.Entry, k.Exit} {
		e.int(len(list))
		for _, c := range list {
			e.str(c.ID)
			e.term(c.Term)
		}
	}
	return e.sum()
}

// Effects returns the digest of what World.Effects returns.
func (d *Digests) Effects(key string) Digest {
	e := d.encoder()
	list := d.w.Effects(key)
	e.flag(list == nil)
	e.vars(list)
	return e.sum()
}

// Initials returns the digest of what World.Initials returns.
func (d *Digests) Initials(key string) Digest {
	e := d.encoder()
	inits, notNil := d.w.Initials(key)
	for _, k := range inits {
		e.str(k)
	}
	e.list(notNil)
	return e.sum()
}

// encoder writes contents as bytes. Terms and variables are numbered where they occur first, so that
// the size is that of the graph.
type encoder struct {
	d       *Digests
	buf     []byte
	terms   map[*logic.Term]int
	numbers map[*logic.Var]int
}

func (d *Digests) encoder() *encoder {
	return &encoder{d: d, terms: map[*logic.Term]int{}, numbers: map[*logic.Var]int{}}
}

func (e *encoder) sum() Digest { return sha256.Sum256(e.buf) }

func (e *encoder) int(n int)     { e.buf = binary.AppendVarint(e.buf, int64(n)) }
func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

func (e *encoder) flag(b bool) {
	if b {
		e.int(1)
	} else {
		e.int(0)
	}
}

func (e *encoder) str(s string) {
	e.int(len(s))
	e.buf = append(e.buf, s...)
}

func (e *encoder) pos(p token.Pos) { e.str(e.d.w.prog.Anchored(p)) }

func (e *encoder) sort(s logic.Sort) {
	e.int(int(s.Kind))
	e.int(s.Bits())
	e.int(int(s.Elem))
}

// typ writes a type: its key, and all that belongs to the named types in it.
func (e *encoder) typ(t types.Type) {
	if t == nil {
		e.str("")
		return
	}
	sum := e.d.typ(t)
	e.str(e.d.w.typeKey(t))
	e.buf = append(e.buf, sum[:]...)
}

func (e *encoder) vars(list []*logic.Var) {
	e.int(len(list))
	for _, v := range list {
		e.variable(v)
	}
}

// variable writes a variable; nil is allowed.
func (e *encoder) variable(v *logic.Var) {
	if v == nil {
		e.int(-1)
		return
	}
	n, seen := e.numbers[v]
	if !seen {
		n = len(e.numbers)
		e.numbers[v] = n
	}
	e.int(n)
	if seen {
		return
	}
	e.str(v.Name)
	e.sort(v.Sort)
	e.flag(v.Old)
	if v.Sort.Kind == logic.KMemory { // its index is its place among all memories
		e.str(e.d.memories[v])
	} else {
		e.int(v.Index)
	}
	d := v.Domain
	e.int(int(d.Role))
	e.uint(uint64(d.Region))
	e.flag(d.Some)
	e.int(len(d.Tags))
	for _, tag := range d.Tags {
		e.uint(uint64(tag))
		e.typ(e.d.w.TagType(tag))
	}
	for _, r := range d.Regions {
		e.uint(uint64(r))
	}
	for _, b := range d.NotNil {
		e.flag(b)
	}
	if d.Group == nil {
		e.int(-1)
	} else {
		e.vars(d.Group.Vars)
	}
}

func (e *encoder) list(terms []*logic.Term) {
	e.int(len(terms))
	for _, t := range terms {
		e.term(t)
	}
}

// term writes a term; nil is allowed.
func (e *encoder) term(t *logic.Term) {
	if t == nil {
		e.int(-1)
		return
	}
	if n, ok := e.terms[t]; ok {
		e.int(n)
		return
	}
	for _, a := range t.Args { // so that arguments have numbers
		if _, ok := e.terms[a]; !ok {
			e.term(a)
		}
	}
	e.terms[t] = len(e.terms)
	e.int(-2)
	e.int(int(t.Op))
	e.sort(t.Sort)
	e.int(int(t.Hi))
	e.int(int(t.Lo))
	e.int(len(t.Args))
	for _, a := range t.Args {
		e.int(e.terms[a])
	}
	if t.Var != nil {
		e.variable(t.Var)
	}
	if t.Op == logic.OpConst {
		e.constant(t)
	}
}

// constant writes a constant, and what it may be the number of.
func (e *encoder) constant(t *logic.Term) {
	e.uint(t.Val)
	w, n := e.d.w, uint32(t.Val)
	if t.Sort.Kind != logic.KBV || t.Sort.Bits() < 32 {
		return
	}
	if s, ok := w.LongKey(t.Val); ok && t.Sort.Bits() == 64 {
		e.str(s)
	}
	if t.Sort.Bits() != 32 {
		return
	}
	if s, ok := w.literalText[n]; ok {
		e.str(s)
	}
	if v := w.GlobalOf(n); v != nil {
		e.str(v.Pkg().Path() + "." + v.Name())
		e.flag(w.Constant(v))
		e.typ(v.Type())
	}
	if dyn := w.TagType(n); dyn != nil {
		e.typ(dyn)
	}
	e.str(w.FuncValue(n))
}

// function writes a lowered function.
func (e *encoder) function(f *ir.Func) {
	e.str(f.Name)
	e.int(int(f.Origin))
	e.pos(f.Pos)
	e.vars(f.Params)
	e.vars(f.Results)
	e.flag(f.Closure)
	e.int(f.NumVars)
	e.str(f.Unsupported)
	e.int(f.Unwind)
	e.vars(f.Panic)
	e.variable(f.Unwound)
	e.flag(f.Recovers)
	e.variable(f.ByDefer)
	e.flag(f.Analyzed)
	for _, head := range slices.Sorted(maps.Keys(f.Loops)) {
		e.int(f.Loops[head].Head)
		e.int(f.Loops[head].Last)
	}
	writes := slices.Collect(maps.Keys(f.Writes))
	slices.SortFunc(writes, func(a, b *logic.Var) int { return a.Index - b.Index })
	e.vars(writes)
	e.int(len(f.Blocks))
	for _, b := range f.Blocks {
		e.int(b.Index)
		e.int(len(b.Cmds))
		for _, c := range b.Cmds {
			e.command(c)
		}
		e.end(b.End)
	}
}

// command writes a command.
func (e *encoder) command(c ir.Cmd) {
	switch c := c.(type) {
	case *ir.Assign:
		e.str("assign")
		e.variable(c.Dst)
		e.term(c.Src)

	case *ir.Assume:
		e.str("assume")
		e.term(c.Cond)
		e.str(c.Bound)
		e.flag(c.Axiom)

	case *ir.Assert:
		e.str("assert")
		e.term(c.Cond)
		e.str(string(c.Kind))
		e.pos(c.Pos)
		e.flag(c.IfKnown)
		e.str(c.Message)
		e.flag(c.Value == nil)
		e.list(c.Value)
		e.term(c.Ptr)

	case *ir.Havoc:
		e.str("havoc")
		e.str(c.Unknown)
		e.vars(c.Vars)
		e.term(c.Chan)
		e.typ(c.Elem)
		e.term(c.Known)

	case *ir.Alloc:
		e.str("alloc")
		e.uint(c.Place)
		e.variable(c.Var)

	case *ir.Grow:
		e.str("grow")
		e.variable(c.Var)
		e.term(c.Len)
		e.term(c.Cap)
		e.int(int(c.Size))
		e.flag(c.Pointers)
		e.int(int(c.Word))

	case *ir.Call:
		e.call(c)

	default:
		panic("lower: a command without contents")
	}
}

func (e *encoder) call(c *ir.Call) {
	e.str("call")
	e.pos(c.Pos)
	e.str(c.Static)
	e.uint(c.Place)
	e.list([]*logic.Term{c.Fn, c.Env, c.Tag, c.Obj, c.Slot})
	e.str(c.Method)
	e.str(c.SigKey)
	e.str(c.Iface)
	e.str(c.Model)
	e.list(c.Args)
	e.vars(c.Results)
	if c.Sig == nil {
		e.typ(nil)
	} else {
		e.typ(c.Sig)
	}
	e.flag(c.Deferred)
	e.flag(c.Go)
	e.flag(c.Callback)
	e.term(c.Given)
	e.int(len(c.Reach))
	for _, r := range c.Reach {
		e.term(r.Obj)
		e.vars(r.Memories)
	}
	if e.flag(c.Shares != nil); c.Shares != nil {
		e.term(c.Shares.Obj)
		e.vars(c.Shares.Memories)
	}
}

// end writes the end of a block.
func (e *encoder) end(end ir.End) {
	switch end := end.(type) {
	case ir.Jump:
		e.str("jump")
		e.int(end.To)
	case ir.Branch:
		e.str("branch")
		e.term(end.Cond)
		e.int(end.Then)
		e.int(end.Else)
		e.str(end.Text)
		e.pos(end.Pos)
		e.int(len(end.Comparisons))
		for _, c := range end.Comparisons {
			e.pos(c.Pos)
			e.term(c.X)
			e.term(c.Y)
		}
	case ir.Return:
		e.str("return")
	case ir.Unwind:
		e.str("unwind")
	case ir.Stop:
		e.str("stop")
	default:
		panic("lower: an end without contents")
	}
}

// typ returns the digest of a type: of its key, and of what all named types that it leads to are.
func (d *Digests) typ(t types.Type) Digest {
	direct := d.mentioned(t)
	var todo []*types.Named
	for _, n := range direct {
		if _, ok := d.types[d.w.typeKey(n)]; !ok {
			todo = append(todo, n)
		}
	}
	if len(todo) > 0 {
		d.named(todo)
	}
	return d.combine(d.w.typeKey(t), direct)
}

// named computes the digests of named types and of those that they lead to. The types of a cycle have
// one digest.
func (d *Digests) named(todo []*types.Named) {
	byKey := map[string]*types.Named{}
	var keys []string
	for _, n := range todo {
		k := d.w.typeKey(n)
		byKey[k] = n
		keys = append(keys, k)
	}
	leadsTo := func(k string) []string {
		if _, ok := d.types[k]; ok {
			return nil
		}
		var out []string
		for _, n := range d.mentioned(byKey[k].Underlying()) {
			next := d.w.typeKey(n)
			byKey[next] = n
			out = append(out, next)
		}
		return out
	}
	for _, component := range callgraph.Components(keys, leadsTo) {
		if _, ok := d.types[component[0]]; ok {
			continue
		}
		slices.Sort(component)
		inside := map[string]bool{}
		for _, k := range component {
			inside[k] = true
		}
		var text strings.Builder
		var beyond []*types.Named
		for _, k := range component {
			text.WriteString(k + "=" + d.describe(byKey[k]) + "\n")
			for _, n := range d.mentioned(byKey[k].Underlying()) {
				if !inside[d.w.typeKey(n)] {
					beyond = append(beyond, n)
				}
			}
		}
		sum := d.combine(text.String(), beyond)
		for _, k := range component {
			d.types[k] = sum
		}
	}
}

// describe returns what a named type is, and where its fields are kept.
func (d *Digests) describe(n *types.Named) string {
	text := d.w.typeKey(n.Underlying())
	if s, ok := n.Underlying().(*types.Struct); ok && !hasTypeParam(n) {
		for f := range s.Fields() {
			text += ";" + d.w.FieldClass(n, f)
		}
	}
	return text
}

// combine returns the digest of a text and of named types, whose digests are known.
func (d *Digests) combine(text string, list []*types.Named) Digest {
	sums := []string{}
	for _, n := range list {
		sum := d.types[d.w.typeKey(n)]
		sums = append(sums, string(sum[:]))
	}
	slices.Sort(sums)
	return sha256.Sum256([]byte(text + "\x00" + strings.Join(slices.Compact(sums), "")))
}

// mentioned returns the named types that a type mentions itself.
func (d *Digests) mentioned(t types.Type) []*types.Named {
	var out []*types.Named
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		t = types.Unalias(t)
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			out = append(out, t)
			for a := range t.TypeArgs().Types() {
				visit(a)
			}
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				visit(v.Type())
			}
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				visit(f.Type())
			}
		case *types.Interface:
			for m := range t.Methods() {
				visit(m.Signature())
			}
		}
	}
	visit(t)
	return out
}
