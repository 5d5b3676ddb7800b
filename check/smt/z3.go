package smt

/*
#cgo LDFLAGS: -lz3
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <z3.h>

// While libz3 computes, it takes over SIGINT with signal(). That replaces Go's handler, and if two
// contexts compute at the same time, Go's handler is lost for good. This definition hides the C
// library's from libz3, so that signal() does nothing.
void (*signal(int sig, void (*handler)(int)))(int) { return SIG_DFL; }

// Z3's default error handler exits the process. Without a handler, an error is part of the text
// that Z3_eval_smtlib2_string returns.
static Z3_context new_context(void) {
	Z3_config c = Z3_mk_config();
	Z3_context x = Z3_mk_context(c);
	Z3_del_config(c);
	Z3_set_error_handler(x, 0);
	return x;
}

// A context begins with two tables of 8.5 MB. Left alone, glibc takes each from the system and gives it back,
// and to get a page takes longer than to fill it: that was a fifth of the analysis of small functions. It also
// gives each thread that finds the others busy memory of its own to allocate from, up to eight times as many
// as there are processors, and returns little of it.
static void keep_memory(int arenas) {
#ifdef __GLIBC__
	mallopt(M_ARENA_MAX, arenas);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

// Some contexts allocate hundreds of megabytes. malloc_trim returns freed memory to the system, which takes as
// long as making a context and makes the next ones slower: it is worth it after a large one, and from time to
// time, since what is kept is in pieces. The size is that of all contexts, so this is approximate.
static void del_context(Z3_context x) {
	uint64_t before = Z3_get_estimated_alloc_size();
	Z3_del_context(x);
#ifdef __GLIBC__
	static int64_t freed;
	int64_t more = before - Z3_get_estimated_alloc_size();
	int64_t all = __atomic_add_fetch(&freed, more, __ATOMIC_RELAXED);
	if (more > (64 << 20) || all > (1 << 30)) {
		__atomic_store_n(&freed, 0, __ATOMIC_RELAXED);
		malloc_trim(0);
	}
#endif
}
*/
import "C"

import (
	"runtime"
	"unsafe"
)

func init() { C.keep_memory(C.int(runtime.GOMAXPROCS(0))) }

// Version is the version of libz3.
func Version() string { return C.GoString(C.Z3_get_full_version()) }

// Linked reports whether the program is linked with libz3.
const Linked = true

// z3 is a session with a context of libz3. A context has its own terms and names, so its answers do
// not depend on the queries to other contexts. Several goroutines may each use a context of their
// own.
type z3 struct {
	ctx C.Z3_context
	end closing
}

// NewZ3 opens a session with the libz3 that the program is linked with. It takes about 5 ms. The
// caller must close the session, which frees the C memory of the context. The only error is ErrNoZ3.
func NewZ3() (Session, error) { return &z3{ctx: C.new_context()}, nil }

// Eval passes text to the solver and returns what it prints. libz3 owns the C string of the answer
// and reuses it in the next call, so Eval copies it.
func (z *z3) Eval(text string) (string, error) {
	s := C.CString(text)
	defer C.free(unsafe.Pointer(s))
	return C.GoString(C.Z3_eval_smtlib2_string(z.ctx, s)), nil
}

// Interrupt ends the current Eval.
func (z *z3) Interrupt() { z.end.unlessClosed(func() { C.Z3_interrupt(z.ctx) }) }

// Close frees the context.
func (z *z3) Close() { z.end.close(func() { C.del_context(z.ctx) }) }
