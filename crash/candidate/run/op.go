//go:build go1.21

package run

import "reflect"

// Op is an operation of the table.
type Op struct {
	// Args is the number of arguments; -1 if each statement gives it.
	Args int
	// Call reports whether it calls a function. Number is the number of the function's
	// preconditions, 0 if it has none.
	Call   bool
	Number int
	// Any are the indices of arguments for which nil is an ordinary value: values of any type,
	// and errors.
	Any []int
	// Goals are the numbers of the goals that its arguments are compared with.
	Goals []int
	// Do executes the operation; it puts exactly as many results as the operation has.
	Do func(f *Frame)
	// Lit makes a literal from the statement's bits or text; set in operations that make
	// literals only.
	Lit func(bits uint64, text string) any
	// kind is the kind of the literals; set when the first one is made.
	kind reflect.Kind
}

// Frame holds the registers of a candidate and the arguments of the running operation.
type Frame struct {
	regs    []any
	args    []int
	stopped bool
}

// Stop ends the candidate after this operation if err is not nil: its call failed.
func (f *Frame) Stop(err error) {
	if err != nil {
		f.stopped = true
	}
}

// N returns the number of arguments.
func (f *Frame) N() int { return len(f.args) }

// Arg returns the i-th argument.
func (f *Frame) Arg(i int) any { return f.regs[f.args[i]] }

// Put appends a result.
//
//go:noinline
func (f *Frame) Put(v any) { f.regs = append(f.regs, v) }

// Argument returns the i-th argument of f as a T, or the zero value if it is not a T, such as nil. Like Put, it is
// not inlined: the table has thousands of calls, and would take a third longer to compile.
//
//go:noinline
func Argument[T any](f *Frame, i int) T {
	t, _ := f.regs[f.args[i]].(T)
	return t
}
