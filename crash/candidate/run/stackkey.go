//go:build go1.21

package run

import (
	"runtime"
	"unsafe"
)

// Panics are identified by a key: a hash of the return addresses on the stack and of the kind of
// the message.
//
// runtime.Callers decodes tables for each frame, which is slow. Where frames are linked by frame
// pointers (amd64), the return addresses are read off that list instead, and runtime.Callers is
// called once per distinct list.

// FNV-1a, 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// mix adds x to an FNV-1a hash, as if it were one byte.
func mix(hash, x uint64) uint64 { return (hash ^ x) * fnvPrime }

// key returns the key of a panic: the stack and the kind of the message, as a line may panic in
// several ways.
func (w *worker) key(r any, end unsafe.Pointer) uint64 {
	key := w.stacks.key(end)
	if e, ok := r.(runtime.Error); ok {
		for _, c := range []byte(messageKind(e.Error())) {
			key = mix(key, uint64(c))
		}
	}
	return key
}

// messageKind returns a message up to its first number or quotation.
func messageKind(s string) string {
	for i := 0; i < len(s); i++ {
		if '0' <= s[i] && s[i] <= '9' || s[i] == '[' || s[i] == '"' {
			return s[:i]
		}
	}
	return s
}

// stackKeys computes keys of stacks.
type stackKeys struct {
	keys map[uint64]uint64 // by the hash of the frame list
	pcs  [64]uintptr
	// record is the offset, in bytes, from chain's local variable to its frame record: the
	// address of the caller's record, followed by the return address of chain. It is 0 where
	// frames are not linked.
	record uintptr
	// sigpanic delimits the code of runtime.sigpanic, which stands on the stack between the
	// function that accessed invalid memory and gopanic.
	sigpanic [2]uintptr
	lo, hi   uintptr // delimit all code
}

// maxStackKeys is the number of frame lists that are remembered.
const maxStackKeys = 64 << 10

// skippedCallers is the number of frames that key skips: runtime.Callers, stackKeys.key,
// worker.key, worker.ended, and the deferred function that calls it.
const skippedCallers = 5

// init finds out where code is and how frames are linked.
func (t *stackKeys) init() {
	const page = 4 << 10
	pc, _, _, _ := runtime.Caller(0)
	for t.lo = pc; runtime.FuncForPC(t.lo-page) != nil; t.lo -= page {
	}
	for t.hi = pc; runtime.FuncForPC(t.hi) != nil; t.hi += page {
	}
	t.lo -= page
	for _, pc := range nilWrite(nil) {
		f := runtime.FuncForPC(pc - 1)
		if f == nil || f.Name() != "runtime.sigpanic" {
			continue
		}
		to := pc
		for inFunc(to, f.Entry()) {
			to++
		}
		t.sigpanic = [2]uintptr{f.Entry(), to}
	}
	if runtime.GOARCH == "amd64" && t.sigpanic[0] != 0 {
		end := 0
		t.chain(unsafe.Pointer(&end))
	}
}

// inFunc reports whether a code address belongs to the function that begins at entry.
func inFunc(pc, entry uintptr) bool {
	f := runtime.FuncForPC(pc)
	return f != nil && f.Entry() == entry
}

// nilWrite returns the callers of a function that is deferred while invalid memory is written:
// sigpanic is among them.
//
//go:noinline
func nilWrite(p *int) (pcs []uintptr) {
	defer func() {
		recover()
		pcs = make([]uintptr, 8)
		pcs = pcs[:runtime.Callers(1, pcs)]
	}()
	*p = 1
	return nil
}

// key returns the key of the goroutine's stack, up to end, which points into it.
func (t *stackKeys) key(end unsafe.Pointer) uint64 {
	if len(t.keys) == maxStackKeys {
		clear(t.keys)
	}
	hash, linked := t.chain(end)
	if key, ok := t.keys[hash]; ok && linked {
		return key
	}
	key := uint64(fnvOffset)
	for _, pc := range t.pcs[:runtime.Callers(skippedCallers, t.pcs[:])] {
		key = mix(key, uint64(pc))
	}
	if linked {
		t.keys[hash] = key
	}
	return key
}

// chain returns a hash of the return addresses in the frame list from here to end; ok is false if
// there is no list. The first call only looks for the frame record of chain itself.
//
//go:noinline
func (t *stackKeys) chain(end unsafe.Pointer) (hash uint64, ok bool) {
	const word = unsafe.Sizeof(uintptr(0))
	here := 0
	base := unsafe.Pointer(&here)
	from, to := uintptr(base), uintptr(end)
	at := func(p uintptr) uintptr { return *(*uintptr)(unsafe.Add(base, p-from)) }
	if t.record == 0 {
		var caller [1]uintptr
		runtime.Callers(2, caller[:])
		for p := from; p < to; p += word {
			if at(p+word) == caller[0] && at(p) > p {
				t.record = p - from
				break
			}
		}
		return 0, false
	}
	hash = fnvOffset
	inner := uintptr(0) // return address of the frame inside
	for p := from + t.record; p < to; {
		pc := at(p + word)
		hash = mix(hash, uint64(pc))
		if inner-t.sigpanic[0] < t.sigpanic[1]-t.sigpanic[0] {
			// The function that accessed invalid memory may have no frame of its own.
			// Then its return address is not in the list, but only here.
			if x := at(p + 2*word); x-t.lo < t.hi-t.lo {
				hash = mix(hash, uint64(x))
			}
		}
		next := at(p)
		if next <= p {
			return 0, false
		}
		inner, p = pc, next
	}
	return hash, true
}
