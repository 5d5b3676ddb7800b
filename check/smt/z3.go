package smt

/*
#cgo LDFLAGS: -lz3
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <z3.h>

// While it answers, libz3 takes SIGINT with signal(), which loses Go's handler: for good if two contexts answer at a
// time. This definition comes before the C library's, for libz3 too.
void (*signal(int sig, void (*handler)(int)))(int) { return SIG_DFL; }

// Z3's own error handler ends the process; without one, errors are part of the answer's text.
static Z3_context new_context(void) {
	Z3_config c = Z3_mk_config();
	Z3_context x = Z3_mk_context(c);
	Z3_del_config(c);
	Z3_set_error_handler(x, 0);
	return x;
}

// A context takes and leaves hundreds of megabytes, which the C library would keep.
static void del_context(Z3_context x) {
	Z3_del_context(x);
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}
*/
import "C"

import "unsafe"

// z3 is a context of libz3. Each has its own terms and names, so that answers do not depend on what other contexts
// were asked, and may be used by one goroutine at a time; contexts are independent of one another.
type z3 struct{ ctx C.Z3_context }

// NewZ3 opens a session with the libz3 that the program is linked with; about 9 ms. Close it.
func NewZ3() Session { return &z3{C.new_context()} }

// Eval passes text to the solver and returns what it prints. The result's memory is the context's until the next call,
// so it is copied.
func (z *z3) Eval(text string) (string, error) {
	s := C.CString(text)
	defer C.free(unsafe.Pointer(s))
	return C.GoString(C.Z3_eval_smtlib2_string(z.ctx, s)), nil
}

// Interrupt ends the answer under way, if there is one.
func (z *z3) Interrupt() { C.Z3_interrupt(z.ctx) }

// Close frees the context; the session is dead afterwards.
func (z *z3) Close() { C.del_context(z.ctx) }
