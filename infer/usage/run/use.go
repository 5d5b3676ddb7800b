//go:build go1.21

// Package use is the runtime of package usage: in an instrumented program, it counts which calls
// follow which on the same object. It is compiled into the testee as a package of its module, so it
// uses the standard library alone.
//
// The counts are in a memory-mapped file in the directory that DSD_USE names. The kernel keeps them
// however the process ends, so no code needs to run at that time.
package use

import (
	"os"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Cells is the number of counts. The instrumentation replaces the value.
const Cells = 0

var (
	counts []int64 // nil if nothing is counted

	mu   sync.Mutex
	last = map[object]int32{} // the number of the last call on an object, from 1; guarded by mu
)

// object identifies an object. The type is needed because an object and its first field have the
// same address.
type object struct {
	at  uintptr
	typ int32 // number of the type
}

// maxObjects bounds the objects in last. When there are more, all are forgotten.
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
	m, err := mapFile(f, Cells*8)
	if err != nil {
		return
	}
	counts = unsafe.Slice((*int64)(unsafe.Pointer(&m[0])), Cells)
}

// Call counts a call on the object at p. The type is given by its number, the number n of its
// calls, and the index base of its counts; calls are numbered from 1.
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

// Made is like Call for a function that returned the object. The object is taken to be new.
func Made(typ, base, n, call int, p unsafe.Pointer) {
	if counts == nil || p == nil {
		return
	}
	mu.Lock()
	delete(last, object{uintptr(p), int32(typ)}) // of an object that was at this address before
	mu.Unlock()
	Call(typ, base, n, call, p)
}
