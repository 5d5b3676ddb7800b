package ir

import (
	"fmt"
	"go/token"
	"go/types"
	"io"

	"dsd/check/logic"
	"dsd/schemas"
)

// Func is a lowered function.
type Func struct {
	// Name is that of a stack trace; wrappers of ours have a name in angle brackets.
	Name string
	Pos  token.Pos
	// Params and Results are the scalars of receiver, parameters and results, one after the other. A closure's object
	// comes first among the parameters.
	Params, Results []*logic.Var
	// Closure says that the first parameter is a closure object, which calls of function values pass.
	Closure bool
	// NumVars is the number of variables; Var.Index is below it.
	NumVars int
	// Blocks run from the first.
	Blocks []*Block
	// Loops by head, an index into Blocks.
	Loops map[int]*Loop
	// Opaque says why the body cannot be looked into ("" if it can): the function is not analysed, and calls of it are
	// not inlined.
	Opaque string
	// Unwind is the block where a panic goes on, of this function or a callee: where the deferred calls are made; 0 if
	// there are none. Panic receives the panic's value there, and Unwound is true from there on. Recovers says that a
	// deferred call may recover.
	Unwind   int
	Panic    []*logic.Var
	Unwound  *logic.Var
	Recovers bool
	// ByDefer, if not nil, is true in executions that a defer statement called.
	ByDefer *logic.Var
	// Warned says that the function is analysed for its own sake, for all arguments: what its own commands panic with
	// is warned of there.
	Warned bool
	// Writes are the memories that the body itself may change, callees not included.
	Writes map[*logic.Var]bool
}

// Loop is a natural loop: the blocks from Head to Last.
type Loop struct{ Head, Last int }

// Block is a sequence of commands and what comes after it.
type Block struct {
	Index int
	Cmds  []Cmd
	End   End
}

// Cmd is one of *Assign, *Assume, *Assert, *Havoc, *Alloc, *Call.
type Cmd interface{ cmd() }

// Assign gives Dst the value of Src. It cannot fail.
//
//	x := (bvadd x 1)
type Assign struct {
	Dst *logic.Var
	Src *logic.Term
}

// Assume drops the executions in which Cond is false.
type Assume struct {
	Cond *logic.Term
	// Bound says what is not looked at because of it; "" if the program itself rules those executions out. With the
	// constant true for Cond, it says what is not exact about the executions that come here.
	Bound string
}

// Assert is a panic if Cond is false.
//
//	assert (bvult i n) index at 12
type Assert struct {
	Cond *logic.Term
	Kind schemas.Kind
	Pos  token.Pos
	// Message says what the condition's failure means, in Go syntax.
	Message string
	// Value are the scalars of what panic was called with, nil for the runtime's own panics.
	Value []*logic.Term
	// Ptr is, of a nil dereference, what is dereferenced: the object of a pointer, or the tag of an interface.
	Ptr *logic.Term
}

// Havoc makes Vars, the scalars of one value, any values of their domains.
type Havoc struct {
	Vars []*logic.Var
	// Chan is the channel that the value, of type Elem, is received from; the first of Vars says then whether one came.
	Chan *logic.Term
	Elem types.Type
}

// Alloc makes Var the identity of an object that did not exist before.
type Alloc struct{ Var *logic.Var }

// Reach is an object and the memories that hold its contents.
type Reach struct {
	Obj      *logic.Term
	Memories []*logic.Var
}

// Terms are the terms that a command evaluates.
func Terms(c Cmd) []*logic.Term {
	switch c := c.(type) {
	case *Assign:
		return []*logic.Term{c.Src}
	case *Assume:
		return []*logic.Term{c.Cond}
	case *Havoc:
		return []*logic.Term{c.Chan}
	case *Assert:
		return append([]*logic.Term{c.Cond, c.Ptr}, c.Value...)
	case *Call:
		out := append([]*logic.Term{c.Fn, c.Env, c.Tag, c.Obj, c.Slot}, c.Args...)
		for _, r := range c.Reach {
			out = append(out, r.Obj)
		}
		return out
	}
	return nil
}

// Call calls Static, or the value of Fn, or Method of the interface value Tag.
type Call struct {
	Pos token.Pos
	// Static names the callee: a key of lower.World.Func.
	Static string
	// Fn is the identity of a function value, Env its closure object.
	Fn, Env *logic.Term
	// Tag, Obj and Slot are an interface value, Method the name of the method called, Iface the interface.
	Tag, Obj, Slot *logic.Term
	Method         string
	Iface          string
	// Model is the key of a function that says what is known of the method, whatever the dynamic type; "" if there is
	// none. Its first parameter is the interface value.
	Model string
	// Args are the scalars of receiver and arguments (without those of Env and the interface value).
	Args []*logic.Term
	// Results receive the scalars of the results.
	Results []*logic.Var
	// Sig is the callee's signature, with type arguments in place.
	Sig *types.Signature
	// Deferred marks the calls that the end of a function makes for its defer statements, Go those of go statements.
	Deferred, Go bool
	// Reach is what a callee without a body may write: the objects that the arguments point to.
	Reach []Reach
}

func (*Assign) cmd() {}
func (*Assume) cmd() {}
func (*Assert) cmd() {}
func (*Havoc) cmd()  {}
func (*Alloc) cmd()  {}
func (*Call) cmd()   {}

// End is one of Jump, Branch, Return, Unwind, Stop.
type End interface{ end() }

// Jump goes on at To.
type Jump struct{ To int }

// Branch goes on at Then if Cond is true, else at Else.
type Branch struct {
	Cond       *logic.Term
	Then, Else int
	// Text is the condition in Go syntax, or in words, and Pos its place; "" if the program does not speak of it.
	Text string
	Pos  token.Pos
}

// Return leaves the function; its results are the values of Func.Results.
type Return struct{}

// Unwind leaves the function by the panic that its deferred calls did not recover from.
type Unwind struct{}

// Stop ends the execution: nothing comes after a panic or os.Exit.
type Stop struct{}

func (Jump) end()   {}
func (Branch) end() {}
func (Return) end() {}
func (Unwind) end() {}
func (Stop) end()   {}

// Dump writes f, a command a line; the text depends on f alone.
func (f *Func) Dump(w io.Writer) {
	fmt.Fprintf(w, "func %s(%s) (%s)\n", f.Name, names(f.Params), names(f.Results))
	if f.Opaque != "" {
		fmt.Fprintf(w, "  opaque: %s\n", f.Opaque)
		return
	}
	for _, b := range f.Blocks {
		fmt.Fprintf(w, "%d:", b.Index)
		if l := f.Loops[b.Index]; l != nil {
			fmt.Fprintf(w, " loop to %d", l.Last)
		}
		fmt.Fprintln(w)
		for _, c := range b.Cmds {
			fmt.Fprintf(w, "  %s\n", CmdText(c))
		}
		switch e := b.End.(type) {
		case Jump:
			fmt.Fprintf(w, "  goto %d\n", e.To)
		case Branch:
			fmt.Fprintf(w, "  if %v goto %d else %d\n", e.Cond, e.Then, e.Else)
		case Return:
			fmt.Fprintf(w, "  return\n")
		case Unwind:
			fmt.Fprintf(w, "  unwind\n")
		case Stop:
			fmt.Fprintf(w, "  stop\n")
		default:
			fmt.Fprintf(w, "  unfinished\n")
		}
	}
}

// CmdText prints a command on one line.
func CmdText(c Cmd) string {
	switch c := c.(type) {
	case *Assign:
		return fmt.Sprintf("%s := %v", c.Dst.Name, c.Src)
	case *Assume:
		return fmt.Sprintf("assume %v", c.Cond)
	case *Assert:
		return fmt.Sprintf("assert %v %s", c.Cond, c.Kind)
	case *Havoc:
		return "havoc " + names(c.Vars)
	case *Alloc:
		return "alloc " + c.Var.Name
	case *Call:
		callee := c.Static
		switch {
		case c.Fn != nil:
			callee = fmt.Sprintf("value %v env %v", c.Fn, c.Env)
		case c.Tag != nil:
			callee = fmt.Sprintf("method %s of %v", c.Method, c.Tag)
		}
		return fmt.Sprintf("%s := call %s%v", names(c.Results), callee, c.Args)
	}
	return fmt.Sprintf("%T", c)
}

func names(vars []*logic.Var) string {
	s := ""
	for i, v := range vars {
		if i > 0 {
			s += ", "
		}
		s += v.Name
	}
	return s
}

// Check reports what is wrong with f: a block without an end, a jump to nowhere, a back edge to what is no loop's head,
// a loop left out of order. A lowered function that fails it is our own bug.
func (f *Func) Check() error {
	if f.Opaque != "" {
		return nil
	}
	for i, b := range f.Blocks {
		if b.Index != i {
			return fmt.Errorf("%s: block %d is numbered %d", f.Name, i, b.Index)
		}
		for _, to := range Successors(b) {
			if to < 0 || to >= len(f.Blocks) {
				return fmt.Errorf("%s: block %d jumps to %d", f.Name, i, to)
			}
			if to <= i {
				if l := f.Loops[to]; l == nil || i > l.Last {
					return fmt.Errorf("%s: block %d jumps back to %d, which is no head of a loop around it", f.Name, i, to)
				}
			}
		}
		if b.End == nil {
			return fmt.Errorf("%s: block %d has no end", f.Name, i)
		}
	}
	return nil
}

// Successors are the blocks that b may jump to.
func Successors(b *Block) []int {
	switch e := b.End.(type) {
	case Jump:
		return []int{e.To}
	case Branch:
		return []int{e.Then, e.Else}
	}
	return nil
}
