//go:build go1.21

// Package use counts which calls follow which on the same object, in an instrumented program. It is compiled into the testee as a
// virtual package of its module, so it uses the standard library alone.
//
// The counts are in a memory-mapped file in the directory that DSD_USE names, so nothing needs to run when the process ends.
package use

import (
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// Cells is the number of counts; the instrumentation puts it here.
const Cells = 0

var (
	counts []int64
	mu     sync.Mutex
	last   = map[object]int32{} // the last call on an object, from 1 on
)

// object is an address and the number of a type: an object and its first field have one address.
type object struct {
	at  uintptr
	typ int32
}

// maxObjects is how many objects are remembered at a time.
const maxObjects = 1 << 20

func init() {
	dir := os.Getenv("DSD_USE")
	if dir == "" || Cells == 0 {
		return
	}
	f, err := os.CreateTemp(dir, "counts-")
	if err != nil {
		return
	}
	defer f.Close()
	if f.Truncate(Cells*8) != nil {
		return
	}
	m, err := syscall.Mmap(int(f.Fd()), 0, Cells*8, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return
	}
	counts = unsafe.Slice((*int64)(unsafe.Pointer(&m[0])), Cells)
}

// Call notes a call on an object of a type, which has n calls, whose counts begin at base; call counts from 1.
func Call(typ, base, n, call int, p unsafe.Pointer) {
	if counts == nil || p == nil {
		return
	}
	o := object{uintptr(p), int32(typ)}
	mu.Lock()
	from := last[o]
	if from == 0 && len(last) >= maxObjects {
		clear(last)
	}
	last[o] = int32(call)
	mu.Unlock()
	atomic.AddInt64(&counts[base+int(from)*n+call-1], 1)
}

// Made notes that a function returned a new object.
func Made(typ, base, n, call int, p unsafe.Pointer) {
	if counts == nil || p == nil {
		return
	}
	mu.Lock()
	delete(last, object{uintptr(p), int32(typ)}) // another one may have been there
	mu.Unlock()
	Call(typ, base, n, call, p)
}
