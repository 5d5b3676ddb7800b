package ir

import (
	"go/token"
	"go/types"

	"dsd/check/logic"
	"dsd/schemas"
)

// A Func is a lowered function.
type Func struct {
	// Name is the function's name in stack traces. Models and wrappers have a name that begins
	// with a word in angle brackets; Origin tells them apart.
	Name   string
	Origin Origin
	Pos    token.Pos
	// Params are the scalars of the receiver and the parameters in order, and Results those of
	// the results. If Closure is true, the closure object is the first of Params.
	Params, Results []*logic.Var
	// Closure reports whether the first parameter is a closure object. Calls of function values
	// pass one.
	Closure bool
	// NumVars is the number of the function's variables; the Index of each is smaller.
	NumVars int
	// Blocks holds the body. Execution starts in Blocks[0].
	Blocks []*Block
	// Loops maps the index of a loop's head block to the loop.
	Loops map[int]*Loop
	// Unsupported is the reason why the body could not be lowered, or "". A function with a
	// reason has no blocks; it is not analyzed, and calls of it are not inlined.
	Unsupported string
	// Unwind is the block where a panic of this function or of a callee continues: it makes the
	// deferred calls. It is 0 if the function defers nothing.
	Unwind int
	// Panic receives the panic's value on the way to Unwind, and Unwound is true from there on.
	// Both are nil if the function defers nothing.
	Panic   []*logic.Var
	Unwound *logic.Var
	// Recovers reports whether a deferred call may recover.
	Recovers bool
	// ByDefer, if not nil, is true in executions in which a defer statement called the
	// function.
	ByDefer *logic.Var
	// Analyzed reports whether the function is analyzed itself, for all arguments. Panics in
	// its own commands are reported there, and not again in its callers.
	Analyzed bool
	// Writes holds the memories that the body itself, without its callees, may change. Writes to objects that no
	// other function can reach are left out.
	Writes map[*logic.Var]bool
}

// A Loop is a natural loop: the blocks from Head to Last.
type Loop struct{ Head, Last int }

// A Block is a sequence of commands and what comes after it.
type Block struct {
	Index int
	Cmds  []Cmd
	End   End
}

// A Cmd is one of *Assign, *Assume, *Assert, *Havoc, *Alloc, *Grow and *Call.
type Cmd interface{ cmd() }

// An Assign gives Dst the value of Src. It cannot fail.
//
// Example printed form:
//
//	x.0 := (bvadd x.0 1)
type Assign struct {
	Dst *logic.Var
	Src *logic.Term
}

// An Assume drops the executions in which Cond is false. It cannot fail.
//
// Example printed form:
//
//	assume (bvult n 8)
type Assume struct {
	Cond *logic.Term
	// Bound is "" if the program itself rules out the dropped executions. Otherwise it says
	// which executions are not analyzed because of this command. If Cond is the constant true,
	// it says what is not modeled exactly in the executions that come here.
	Bound string
	// Axiom reports whether Cond holds in every execution. It limits the values that an unknown
	// variable may have, and no path depends on it.
	Axiom bool
}

// An Assert panics if Cond is false. It is the only command that can fail.
//
// Example printed form:
//
//	assert (bvult i n) index
type Assert struct {
	Cond *logic.Term
	Kind schemas.Kind // one of the kinds of panic that the warnings document lists
	Pos  token.Pos
	// IfKnown reports whether the assertion is ignored unless Cond simplifies to false. It saves
	// queries about panics that need inputs too large to be looked for.
	IfKnown bool
	// Message says what it means that Cond is false, with expressions in Go syntax.
	Message string
	// Value holds the scalars of the argument of panic. It is nil for panics of the run-time
	// system.
	Value []*logic.Term
	// Ptr is what a nil dereference reads: the object of a pointer, the identity of a function
	// or the tag of an interface. It is nil for other kinds.
	Ptr *logic.Term
}

// A Havoc makes Vars any values of their domains. It cannot fail. The variables are the scalars of
// one value.
//
// Example printed form:
//
//	havoc key.0
type Havoc struct {
	// Unknown says in words what the values are, if no caller can choose them, else it is "".
	Unknown string
	Vars    []*logic.Var
	// Chan is the channel that the value is received from, or nil. Then Elem is the type of the
	// value, and the first of Vars says whether a value was received.
	Chan *logic.Term
	Elem types.Type
	// Known is the condition that the state determines what is received.
	Known *logic.Term
}

// An Alloc makes Var the identity of an object that did not exist before. It cannot fail. The
// contents of the object are not defined by it.
//
// Example printed form:
//
//	alloc new1
type Alloc struct {
	Var *logic.Var
	// Place identifies the command in its function, see Call.
	Place uint64
}

// A Grow makes Var the capacity of a slice that append allocates: for Len elements of Size bytes, with
// or without pointers, in place of a slice with capacity Cap, where a pointer has Word bytes. It cannot
// fail.
//
// Example printed form:
//
//	grow t4
type Grow struct {
	Var      *logic.Var
	Len, Cap *logic.Term
	Size     int64
	Pointers bool
	Word     int64
}

// A Call calls a function. Exactly one of Static, Fn and Tag names the callee. A panic of the
// callee continues in the caller's Unwind block; the call itself cannot fail, because nil function
// values and interfaces are ruled out by assertions before it.
//
// Example printed forms:
//
//	result.0 := call strings.Index[s.0 s.1 s.2 t.0 t.1 t.2]
//	result.0 := call value f.0 env f.1[x.0]
//	result.0 := call method Len of x.0[]
type Call struct {
	Pos token.Pos
	// Static is the key of the callee, as for Func of package check/lower's World.
	Static string
	// Fn is the identity of a function value, and Env its closure object.
	Fn, Env *logic.Term
	// Tag, Obj and Slot are the scalars of an interface value. Method is the name of the
	// method, SigKey the key of its signature, and Iface the name of the interface's method.
	Tag, Obj, Slot *logic.Term
	Method, SigKey string
	Iface          string
	// Type is the type of the interface value, all of whose methods its dynamic type has.
	Type *types.Interface
	// Model is the key of a function that describes Method for all dynamic types, or "". Its
	// first parameter is the interface value.
	Model string
	// Args holds the scalars of the receiver and the arguments. Env and the interface value are
	// not among them.
	Args []*logic.Term
	// Results receives the scalars of the results.
	Results []*logic.Var
	// Sig is the callee's signature, with type arguments in place of type parameters.
	Sig *types.Signature
	// Deferred marks the calls that the end of a function makes for its defer statements, and
	// Go marks those of go statements.
	Deferred, Go bool
	// Callback reports whether others may call Fn later, with Args of which Given holds: the
	// execution goes on without the call.
	Callback bool
	Given    *logic.Term
	// Place identifies the call in its function: by what is called, and as which of such calls, so that other commands
	// before it do not matter.
	Place uint64
	// Reach holds the objects that the arguments point to. A callee without a body may write
	// them.
	Reach []Reach
	// Shares, if not nil, is the place that a callee which is not known sets to true: it may hand
	// channels over to other goroutines.
	Shares *Reach
}

// A Reach is an object and the memories that hold its contents.
type Reach struct {
	Obj      *logic.Term
	Memories []*logic.Var
}

func (*Assign) cmd() {}
func (*Assume) cmd() {}
func (*Assert) cmd() {}
func (*Havoc) cmd()  {}
func (*Alloc) cmd()  {}
func (*Grow) cmd()   {}
func (*Call) cmd()   {}

// Terms returns the terms that a command evaluates. Some may be nil.
func Terms(c Cmd) []*logic.Term {
	switch c := c.(type) {
	case *Assign:
		return []*logic.Term{c.Src}

	case *Assume:
		return []*logic.Term{c.Cond}

	case *Assert:
		return append([]*logic.Term{c.Cond, c.Ptr}, c.Value...)

	case *Havoc:
		return []*logic.Term{c.Chan}

	case *Alloc:
		return nil

	case *Grow:
		return []*logic.Term{c.Len, c.Cap}

	case *Call:
		out := append([]*logic.Term{c.Fn, c.Env, c.Tag, c.Obj, c.Slot, c.Given}, c.Args...)
		for _, r := range c.Reach {
			out = append(out, r.Obj)
		}
		return out
	}
	return nil
}

// An End is one of Jump, Branch, Return, Unwind and Stop. None of them can fail.
type End interface{ end() }

// A Jump continues at block To.
//
// Example printed form:
//
//	goto 3
type Jump struct{ To int }

// A Branch continues at block Then if Cond is true, and at block Else if not.
//
// Example printed form:
//
//	if (bvslt i n) goto 2 else 5
type Branch struct {
	Cond       *logic.Term
	Then, Else int
	// Text is the condition in Go syntax or in words, and Pos its position. Text is "" if no
	// condition in the source corresponds to the branch.
	Text string
	Pos  token.Pos
	// Comparisons are the comparisons of integers in the condition, in the source's order.
	Comparisons []Comparison
}

// A Comparison is one of integers.
type Comparison struct {
	Pos  token.Pos
	X, Y *logic.Term
}

// A Return leaves the function. Its results are the values of Func.Results.
//
// Printed form:
//
//	return
type Return struct{}

// An Unwind leaves the function with the panic that its deferred calls did not recover from.
//
// Printed form:
//
//	unwind
type Unwind struct{}

// A Stop ends the execution: nothing comes after a panic or os.Exit.
//
// Printed form:
//
//	stop
type Stop struct{}

func (Jump) end()   {}
func (Branch) end() {}
func (Return) end() {}
func (Unwind) end() {}
func (Stop) end()   {}

// Successors returns the indexes of the blocks that b may jump to.
func Successors(b *Block) []int {
	switch e := b.End.(type) {
	case Jump:
		return []int{e.To}
	case Branch:
		return []int{e.Then, e.Else}
	}
	return nil // Return, Unwind, Stop
}
