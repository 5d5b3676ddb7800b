package lower

import (
	"fmt"
	"go/token"
	"go/types"

	"dsd/check/ir"
	"dsd/check/logic"
	"dsd/schemas"
)

// An emitter builds the guarded commands of one function. Its methods are operations on values: they
// know the memory model, and nothing of Go's syntax.
type emitter struct {
	w      *World
	b      *logic.Builder
	out    *ir.Func
	cur    *ir.Block // where commands go
	fixups []func()  // resolves jumps once blocks are numbered

	vars  []*logic.Var // of this function, by index
	temps int          // the number of temporaries so far

	// model says that the function is a model of the standard library.
	model bool
	// deferring and spawning say that the calls that are lowered now are made by the end of the
	// function, or by go statements.
	deferring, spawning bool
	// deferredFn is the function value that the defer statement being lowered calls.
	deferredFn *logic.Term

	// limits are the conditions under which what a contract says is understood. A contract has no
	// commands.
	limits []*logic.Term
}

func newEmitter(w *World, out *ir.Func) emitter {
	return emitter{w: w, b: w.builder, out: out}
}

func newFunc(name string) *ir.Func {
	return &ir.Func{Name: name, Loops: map[int]*ir.Loop{}, Writes: map[*logic.Var]bool{}}
}

// protect makes a panic the function's reason for being opaque: our giving up, or a fault of ours, which costs this
// function and is said.
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

// Blocks.

func (em *emitter) block() *ir.Block { return &ir.Block{Index: -1} }

// start places b and goes on there.
func (em *emitter) start(b *ir.Block) {
	b.Index = len(em.out.Blocks)
	em.out.Blocks = append(em.out.Blocks, b)
	em.cur = b
}

// jump ends the current block; what follows is unreachable until the next start.
func (em *emitter) jump(to *ir.Block) {
	from := em.cur
	from.End = ir.Stop{}
	em.fixups = append(em.fixups, func() { from.End = ir.Jump{To: to.Index} })
	em.startUnreachable()
}

func (em *emitter) branch(cond *logic.Term, then, els *ir.Block) {
	em.branchAt(cond, then, els, token.NoPos, "")
}

// branchAt is branch for a condition that the program states at pos as text.
func (em *emitter) branchAt(cond *logic.Term, then, els *ir.Block, pos token.Pos, text string) {
	from := em.cur
	from.End = ir.Stop{}
	if em.model {
		text = ""
	}
	em.fixups = append(em.fixups, func() {
		from.End = ir.Branch{Cond: cond, Then: then.Index, Else: els.Index, Pos: pos, Text: text}
	})
	em.startUnreachable()
}

func (em *emitter) stop() {
	em.cur.End = ir.Stop{}
	em.startUnreachable()
}

// startUnreachable goes on in a block that nothing jumps to; it is placed only for its commands to have somewhere to go.
func (em *emitter) startUnreachable() {
	b := em.block()
	em.start(b)
	b.End = ir.Stop{}
}

// endLoop says that the blocks from head to the newest one are a loop.
func (em *emitter) endLoop(head *ir.Block) {
	em.out.Loops[head.Index] = &ir.Loop{Head: head.Index, Last: len(em.out.Blocks) - 1}
}

// addGotoLoop notes the loop that a jump back from block last to block head makes, and lets loops that overlap contain
// one another.
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

// Commands.

func (em *emitter) emit(c ir.Cmd) { em.cur.Cmds = append(em.cur.Cmds, c) }

func (em *emitter) assign(v *logic.Var, t *logic.Term) {
	if v.Sort.Kind == logic.KMemory {
		em.out.Writes[v] = true
	}
	em.emit(&ir.Assign{Dst: v, Src: t})
}

func (em *emitter) assume(t *logic.Term) {
	if !t.IsTrue() {
		em.emit(&ir.Assume{Cond: t})
	}
}

// bound drops the executions in which t is false for want of a better model of them, and has that said. A contract, which has no
// commands, says nothing then.
func (em *emitter) bound(t *logic.Term, what string) {
	switch {
	case t.IsTrue():
	case em.cur == nil:
		em.limits = append(em.limits, t)
	default:
		em.emit(&ir.Assume{Cond: t, Bound: what})
	}
}

// noteLimit has what said in the document, of executions that come here.
func (em *emitter) noteLimit(what string) { em.emit(&ir.Assume{Cond: em.b.True(), Bound: what}) }

func (em *emitter) assert(cond *logic.Term, kind schemas.Kind, pos token.Pos, format string, args ...any) {
	if em.model && kind != schemas.NilDeref { // a model is right in what it does, unless it says otherwise
		return
	}
	em.emit(&ir.Assert{Cond: cond, Kind: kind, Pos: pos, Message: fmt.Sprintf(format, args...)})
}

func (em *emitter) assertNotNil(x *logic.Term, pos token.Pos, message string) {
	em.emit(&ir.Assert{Cond: em.b.Not(em.b.Eq(x, em.zeroLeaf(x.Sort))), Kind: schemas.NilDeref, Pos: pos, Message: message, Ptr: x})
}

func (em *emitter) newVar(name string, s logic.Sort) *logic.Var {
	return em.addVar(&logic.Var{Name: name, Sort: s})
}

// addVar makes v a variable of this function.
func (em *emitter) addVar(v *logic.Var) *logic.Var {
	v.Index = em.out.NumVars
	em.out.NumVars++
	em.vars = append(em.vars, v)
	return v
}

// temp keeps a term's value of now.
func (em *emitter) temp(t *logic.Term) *logic.Term {
	if t.Op == logic.OpConst {
		return t
	}
	em.temps++
	v := em.newVar(fmt.Sprintf("t%d", em.temps), t.Sort)
	em.assign(v, t)
	return em.b.Var(v)
}

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

// paramVars appends the variables of a parameter of type t.
func (em *emitter) paramVars(name string, t types.Type) []*logic.Var {
	var vars []*logic.Var
	for i, leaf := range em.w.Layout(t) {
		vars = append(vars, em.newVar(fmt.Sprintf("%s.%d", name, i), leaf.Sort))
	}
	em.out.Params = append(em.out.Params, vars...)
	return vars
}

// setResults ends the function: its results are vals.
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
