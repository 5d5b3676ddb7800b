package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"hash/fnv"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// An emitter builds the guarded commands of one function. Its methods are operations on values.
// They depend on the memory model and on types, but not on syntax.
type emitter struct {
	w      *World
	b      *logic.Builder
	out    *ir.Func
	cur    *ir.Block // where commands go
	fixups []func()  // set the ends of blocks once all blocks are numbered

	vars  []*logic.Var // of this function, by Var.Index
	temps int          // the number of temporaries and objects so far, for their names

	// places counts the commands that have a place, by what they do.
	places map[string]int

	// model reports whether the function is a model of the standard library. Its assertions are
	// dropped, except those of nil dereferences.
	model bool
	// deferring reports whether the end of the function makes the calls that are lowered now,
	// and spawning whether a go statement does.
	deferring, spawning bool
	// deferredFn is the function value that the defer statement being lowered calls, or nil.
	deferredFn *logic.Term

	// private are the objects to which only the function itself refers, by the name of a variable.
	private map[*logic.Term]bool

	// packed holds the arguments that became the slice of a variadic parameter, by its object.
	packed map[*logic.Term][]Value

	// limits collects bounds for a contract, which has no commands: the conditions under which
	// its terms are exact.
	limits []*logic.Term
}

// newEmitter returns an emitter for out, which has no block yet.
func newEmitter(w *World, out *ir.Func) emitter {
	return emitter{w: w, b: w.builder, out: out, private: map[*logic.Term]bool{},
		packed: map[*logic.Term][]Value{}}
}

// newFunc returns a function without blocks.
func newFunc(name string) *ir.Func {
	return &ir.Func{
		Name: name, Origin: ir.OriginOf(name),
		Loops: map[int]*ir.Loop{}, Writes: map[*logic.Var]bool{},
	}
}

// protect runs do, which lowers the function, and checks the result. If lowering gives up, the
// function is unsupported, with the reason. An internal error has the same effect, so that it
// costs one function and is reported.
func (em *emitter) protect(do func()) {
	defer func() {
		if r := recover(); r != nil {
			em.out.Blocks = nil
			if u, ok := r.(unsupported); ok {
				em.out.Unsupported = u.reason
			} else {
				em.out.Unsupported = fmt.Sprintf("internal error: %v", r)
			}
		}
	}()
	do()
	for _, f := range em.fixups {
		f()
	}
	if err := em.out.Check(); err != nil {
		panic("lower: " + err.Error())
	}
}

// block returns a new block. It gets its number when it is started.
func (em *emitter) block() *ir.Block { return newBlock() }

// newBlock returns a block that has no number.
func newBlock() *ir.Block { return &ir.Block{Index: -1} }

// start appends b to the function and makes it the current block.
func (em *emitter) start(b *ir.Block) {
	b.Index = len(em.out.Blocks)
	em.out.Blocks = append(em.out.Blocks, b)
	em.cur = b
}

// jump ends the current block with a jump. Commands are unreachable until the next start.
func (em *emitter) jump(to *ir.Block) {
	from := em.cur
	from.End = ir.Stop{}
	em.fixups = append(em.fixups, func() { from.End = ir.Jump{To: to.Index} })
	em.startUnreachable()
}

// branch ends the current block with a branch that corresponds to no condition in the source.
func (em *emitter) branch(cond *logic.Term, then, els *ir.Block) {
	em.branchAt(cond, then, els, token.NoPos, "")
}

// branchAt ends the current block with a branch on a condition that the source has at pos. text is
// the condition in Go syntax or in words.
func (em *emitter) branchAt(cond *logic.Term, then, els *ir.Block, pos token.Pos, text string) {
	em.branchComparing(cond, nil, then, els, pos, text)
}

// branchComparing is branchAt for a condition with comparisons of integers.
func (em *emitter) branchComparing(cond *logic.Term, list []ir.Comparison, then, els *ir.Block,
	pos token.Pos, text string) {
	from := em.cur
	from.End = ir.Stop{}
	if em.model {
		text = ""
	}
	em.fixups = append(em.fixups, func() {
		from.End = ir.Branch{
			Cond: cond, Then: then.Index, Else: els.Index, Pos: pos, Text: text,
			Comparisons: list,
		}
	})
	em.startUnreachable()
}

// stop ends the current block and the execution.
func (em *emitter) stop() {
	em.cur.End = ir.Stop{}
	em.startUnreachable()
}

// startUnreachable starts a block that nothing jumps to. It holds the commands of unreachable
// statements.
func (em *emitter) startUnreachable() {
	b := em.block()
	em.start(b)
	b.End = ir.Stop{}
}

// endLoop records the loop that consists of the blocks from head to the newest one.
func (em *emitter) endLoop(head *ir.Block) {
	em.out.Loops[head.Index] = &ir.Loop{Head: head.Index, Last: len(em.out.Blocks) - 1}
}

// addGotoLoop records the loop that a goto from block last back to block head makes. Loops that
// overlap are extended until each pair is nested or disjoint.
func (em *emitter) addGotoLoop(head, last int) {
	loops := em.out.Loops
	if old := loops[head]; old != nil {
		last = max(last, old.Last)
	}
	loops[head] = &ir.Loop{Head: head, Last: last}
	for changed := true; changed; {
		changed = false
		for _, a := range loops {
			for _, b := range loops {
				if a.Head < b.Head && b.Head <= a.Last && a.Last < b.Last {
					a.Last = b.Last
					changed = true
				}
			}
		}
	}
}

// emit appends a command to the current block.
func (em *emitter) emit(c ir.Cmd) {
	if c, ok := c.(*ir.Call); ok {
		c.Place = em.place("call " + c.Static + "." + c.Method)
	}
	em.cur.Cmds = append(em.cur.Cmds, c)
}

// place returns the place of another command that does what.
func (em *emitter) place(what string) uint64 {
	if em.places == nil {
		em.places = map[string]int{}
	}
	em.places[what]++
	h := fnv.New64a()
	fmt.Fprint(h, what, " ", em.places[what])
	return h.Sum64()
}

// assign emits v := t. v may be a memory.
func (em *emitter) assign(v *logic.Var, t *logic.Term) {
	if v.Sort.Kind == logic.KMemory {
		em.out.Writes[v] = true
	}
	em.emit(&ir.Assign{Dst: v, Src: t})
}

// write emits m := t, where t is the memory m after a write to an object. A write to a private object is not listed
// in Func.Writes, because no other function can read that object.
func (em *emitter) write(m *logic.Var, obj, t *logic.Term) {
	if !em.private[obj] {
		em.out.Writes[m] = true
	}
	em.emit(&ir.Assign{Dst: m, Src: t})
}

// assume emits assume t.
func (em *emitter) assume(t *logic.Term) {
	if !t.IsTrue() {
		em.emit(&ir.Assume{Cond: t})
	}
}

// axiom emits assume t for what holds in all executions.
func (em *emitter) axiom(t *logic.Term) {
	if !t.IsTrue() {
		em.emit(&ir.Assume{Cond: t, Axiom: true})
	}
}

// bound emits assume t for executions that are not modeled. what says which are dropped; it is
// reported. In a contract, the condition is added to limits instead.
func (em *emitter) bound(t *logic.Term, what string) {
	switch {
	case t.IsTrue():
	case em.cur == nil:
		em.limits = append(em.limits, t)
	default:
		em.emit(&ir.Assume{Cond: t, Bound: what})
	}
}

// noteLimit emits a command that drops no execution. what says how those that come here are not
// exact; it is reported.
func (em *emitter) noteLimit(what string) {
	em.emit(&ir.Assume{Cond: em.b.True(), Bound: what})
}

// assert emits an assertion: if cond is false, the program panics at pos.
func (em *emitter) assert(cond *logic.Term, kind schemas.Kind, pos token.Pos, format string,
	args ...any) {
	if em.model && kind != schemas.NilDeref { // a model's own operations are taken to be right
		return
	}
	em.emit(&ir.Assert{Cond: cond, Kind: kind, Pos: pos, Message: fmt.Sprintf(format, args...)})
}

// assertNotNil asserts that x, an object, a function or a tag, is not that of nil.
func (em *emitter) assertNotNil(x *logic.Term, pos token.Pos, message string) {
	cond := em.b.Not(em.b.Eq(x, em.zeroLeaf(x.Sort)))
	em.emit(&ir.Assert{Cond: cond, Kind: schemas.NilDeref, Pos: pos, Message: message, Ptr: x})
}

// newVar returns a new variable of this function.
func (em *emitter) newVar(name string, s logic.Sort) *logic.Var {
	return em.addVar(&logic.Var{Name: name, Sort: s})
}

// addVar makes v a variable of this function and returns it.
func (em *emitter) addVar(v *logic.Var) *logic.Var {
	v.Index = em.out.NumVars
	em.out.NumVars++
	em.vars = append(em.vars, v)
	return v
}

// temp copies the present value of t to a temporary, which later commands do not change.
func (em *emitter) temp(t *logic.Term) *logic.Term {
	if t.Op == logic.OpConst {
		return t
	}
	em.temps++
	v := em.newVar(fmt.Sprintf("t%d", em.temps), t.Sort)
	em.assign(v, t)
	return em.b.Var(v)
}

// snapshot copies the present value of v to temporaries.
func (em *emitter) snapshot(v Value) Value {
	out := Value{v.Type, make([]*logic.Term, len(v.Leaves))}
	for i, t := range v.Leaves {
		out.Leaves[i] = em.temp(t)
	}
	return out
}

// paramValue appends a parameter of type t and returns its value.
func (em *emitter) paramValue(name string, t types.Type) Value {
	return em.valueOf(t, em.paramVars(name, t))
}

// paramVars appends a parameter of type t and returns its variables.
func (em *emitter) paramVars(name string, t types.Type) []*logic.Var {
	var vars []*logic.Var
	for i, leaf := range em.w.Layout(t) {
		vars = append(vars, em.newVar(fmt.Sprintf("%s.%d", name, i), leaf.Sort))
	}
	em.out.Params = append(em.out.Params, vars...)
	return vars
}

// setResults ends the function with a return of vals.
func (em *emitter) setResults(vals []Value) {
	for i, v := range vals {
		for j, leaf := range v.Leaves {
			r := em.newVar(fmt.Sprintf("result%d.%d", i, j), leaf.Sort)
			em.assign(r, leaf)
			em.out.Results = append(em.out.Results, r)
		}
	}
	em.cur.End = ir.Return{}
}
