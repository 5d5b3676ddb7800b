//go:build go1.21

// Package observe is the runtime of an instrumented program: it writes down the values of variables
// at program points. It is compiled into the testee as a package of its module, so it uses the
// standard library alone.
//
// # Samples
//
// A sample is a line: the number of the program point, then the values of the point's variables, in
// order, each after a tab. Pointers are numbered per sample, so equal pointers of one sample look
// equal. Each distinct sample is written once, when it is first seen. Its count and its witness,
// the first test that made it, are updated in memory.
//
// # Sampling
//
// The calls of a function are observed less and less often: all of the first 500, every 10th of the
// first 5000, every 100th of the first 100 000, and every 1000th of the rest. What a test does a
// million times it does much the same each time. A call that is not observed costs a decrement and
// a test. The numbers of calls are kept, so that the trace says how many were made and observed.
//
// # What is dropped
//
// A process writes at most MaxSamples distinct samples, and none once its disk is full; further
// ones are counted as dropped. Strings of more than 64 bytes are replaced by a hash, and slices of
// more than 32 elements by a mark.
//
// # Other goroutines
//
// The values are read by the goroutine that makes the call, while others run. So the
// instrumentation passes only values that the call itself holds, and of memory that others can
// reach single words: a string, slice or interface that is being written may be half written, and
// following it would crash the testee. The word itself may be old or new, which is as the testee
// could have seen it.
//
// # Files
//
// The directory in the environment variable DSD_TRACE gets two files per process: one of samples,
// and one of counts, which is mapped into memory and also holds the last samples. The kernel keeps
// mapped memory however the process ends, so nothing needs to run at that time. Without the
// variable nothing is observed.
//
// observe.go has the calls and the files, map_*.go map them, and values.go writes values. read.go, which is not
// compiled into the testee, reads the samples.
package observe

import (
	"context"
	"hash/maphash"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"unsafe"
)

// Points is the number of program points. The instrumentation replaces the value. Each function has
// three, in this order: entry, exit, and panic.
const Points = 0

// MaxSamples is the number of distinct samples that one process may write.
const MaxSamples = 1 << 21

// NoTest is more than the number of any test.
const NoTest = 1 << 31

// The file of counts has, in this order:
//
//	int64               number of bytes of samples
//	[SizeOfTail]byte    tail of the samples: the bytes after the last multiple of SizeOfTail, or
//	                    SizeOfTail bytes that are not in the file of samples yet
//	[MaxSamples]int64   counts of the samples
//	[MaxSamples]uint32  their witnesses
//	[functions]int64    number of the last observed call of each function
//	int64               number of dropped samples
//	[functions]int32    number of calls of each function before the next that is observed
const (
	SizeOfTail      = 1 << 16
	SizeOfCounts    = MaxSamples * 8
	SizeOfWitnesses = MaxSamples * 4

	// Tail, Counts, Witnesses and Calls are the offsets of the parts, in bytes.
	Tail      = 8
	Counts    = Tail + SizeOfTail
	Witnesses = Counts + SizeOfCounts
	Calls     = Witnesses + SizeOfWitnesses
)

// functions is the number of observed functions plus one, so that it is not zero.
const functions = Points/3 + 1

// The parts of the file of counts.
var (
	end       *int64
	tail      []byte
	counts    []int64
	witnesses []uint32 // NoTest minus the number of the first test, by name; 0 for none
	calls     []int64
	dropped   *int64
	left      []int32 // not mapped if nothing is observed
)

var (
	out  *os.File // the file of samples, nil if nothing is observed
	full bool     // whether out takes no more

	mu   sync.Mutex           // guards the samples, except left
	next int64                // number of the next sample
	seen = map[uint64]int64{} // numbers of the samples, by hash
)

// memoryLimit is the limit, in bytes, for the garbage collector, unless the user sets one. It keeps
// tests that leave much garbage from needing more memory because they are observed.
const memoryLimit = 400 << 20

func init() {
	left = make([]int32, functions)
	dir := os.Getenv("DSD_TRACE")
	if dir == "" {
		return
	}
	f, err := os.CreateTemp(dir, "samples-")
	if err != nil {
		return
	}
	name := "counts-" + filepath.Base(f.Name())[len("samples-"):]
	c, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return
	}
	defer c.Close()
	const all = Calls + (functions+1)*8 + functions*4
	// The file is sparse: pages without counts take no room.
	if c.Truncate(all) != nil {
		return
	}
	m, err := mapFile(c, all)
	if err != nil {
		return
	}
	end = (*int64)(unsafe.Pointer(&m[0]))
	tail = m[Tail:Counts]
	counts = unsafe.Slice((*int64)(unsafe.Pointer(&m[Counts])), MaxSamples)
	witnesses = unsafe.Slice((*uint32)(unsafe.Pointer(&m[Witnesses])), MaxSamples)
	calls = unsafe.Slice((*int64)(unsafe.Pointer(&m[Calls])), functions+1)
	dropped = &calls[functions]
	left = unsafe.Slice((*int32)(unsafe.Pointer(&m[Calls+(functions+1)*8])), functions)
	out = f
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// nextObserved returns the number of the next observed call after the n-th one; calls are numbered
// from 1. The package comment has the schedule.
func nextObserved(n int64) int64 {
	step := int64(1)
	switch {
	case n >= 100_000:
		step = 1000
	case n >= 5000:
		step = 100
	case n >= 500:
		step = 10
	}
	return (n/step + 1) * step
}

// CallsOf returns how many calls of a function were made, and how many of them were observed. The
// arguments are from the file of counts: the number of the last observed call, and the number of
// calls before the next one.
func CallsOf(last int64, left int32) (all, observed int64) {
	if last == 0 {
		return 0, 0
	}
	all = nextObserved(last) - 1 - int64(left)
	switch {
	case last <= 500:
		observed = last
	case last <= 5000:
		observed = 500 + (last-500)/10
	case last <= 100_000:
		observed = 500 + 4500/10 + (last-5000)/100
	default:
		observed = 500 + 4500/10 + 95_000/100 + (last-100_000)/1000
	}
	return max(all, observed), observed
}

// label returns the profiler label of the current goroutine. Goroutines inherit labels from those
// that start them, so a label tells which test a goroutine belongs to.
//
//go:linkname label runtime/pprof.runtime_getProfLabel
func label() unsafe.Pointer

var (
	tests     = map[unsafe.Pointer]uint32{} // numbers of the tests, by label
	lastLabel unsafe.Pointer                // the label that was looked up last
	lastTest  uint32                        // its witness, as in witnesses
)

// Test marks the current goroutine, and those that it starts, as running a test. Tests are numbered
// in the order of their names.
func Test(n uint32) {
	if out == nil {
		return
	}
	labels := pprof.Labels("dsd", strconv.Itoa(int(n)))
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), labels))
	mu.Lock()
	tests[label()] = n
	lastLabel = nil
	mu.Unlock()
}

// Handle collects the values of one call: those at its entry, then those at its exit. A nil Handle
// is that of a call that is not observed.
type Handle struct {
	point int       // number of the entry point
	buf   []byte    // the values, each with a tab
	entry int       // length of buf at the entry
	mask  string    // for the next values: '1' to keep, '0' to drop; see Keep
	nth   int       // number of values since Keep
	ptrs  []uintptr // pointers in this sample; a pointer is written as its index here, from 1
}

var pool = sync.Pool{New: func() any { return new(Handle) }}

// Enter begins the observation of a call of the function with that entry point. It returns nil if
// the call is not observed. The countdown is not synchronised, so concurrent calls may add or
// remove a few.
func Enter(point int) *Handle {
	left[point/3]--
	if left[point/3] >= 0 {
		return nil
	}
	return enter(point)
}

// enter is the rare part of Enter, which is apart so that Enter can be inlined.
func enter(point int) *Handle {
	f := point / 3
	if out == nil {
		left[f] = 1<<31 - 1
		return nil
	}
	mu.Lock()
	calls[f] = nextObserved(calls[f])
	left[f] = int32(nextObserved(calls[f]) - calls[f] - 1)
	mu.Unlock()
	h := pool.Get().(*Handle)
	h.point, h.buf, h.ptrs, h.mask = point, h.buf[:0], h.ptrs[:0], ""
	return h
}

// On reports whether the call is observed.
func (h *Handle) On() bool { return h != nil }

// Entry ends the values at the entry.
func (h *Handle) Entry() {
	h.entry = len(h.buf)
	record(h.point, h.buf)
}

// Exit ends the values at the exit and the observation of the call. An exit sample begins with the
// values at the entry.
func (h *Handle) Exit() {
	record(h.point+1, h.buf)
	pool.Put(h)
}

// ending is how a function ends.
type ending int

const (
	returns ending = iota
	panics
	exits // by runtime.Goexit
)

// endings caches how a function ends, by the pc of the caller of its deferred function.
var endings sync.Map

// Returning reports whether the deferred function that calls it runs because its function returns.
// Otherwise a panic or Goexit unwinds the function. If it is a panic, the values at the entry
// become a sample at the panic point.
//
// ok is set where the function is known to return; finding out takes longer than all the rest.
func (h *Handle) Returning(ok bool) bool { return h != nil && (ok || h.returning()) }

// returning looks at the caller of the deferred function: the runtime calls deferred functions from
// gopanic or Goexit unless their function returns.
func (h *Handle) returning() bool {
	var pc [1]uintptr
	if runtime.Callers(4, pc[:]) == 0 {
		return false
	}
	how := returns
	if e, ok := endings.Load(pc[0]); ok {
		how = e.(ending)
	} else {
		if f := runtime.FuncForPC(pc[0] - 1); f != nil {
			switch f.Name() {
			case "runtime.gopanic":
				how = panics
			case "runtime.Goexit":
				how = exits
			}
		}
		endings.Store(pc[0], how)
	}
	if how == panics {
		record(h.point+2, h.buf[:h.entry])
	}
	return how == returns
}

// seed is the seed of the hashes in seen.
var seed = maphash.MakeSeed()

// record counts a sample, and writes it if it is new. Samples are identified by a hash: with 64
// bits, a collision among MaxSamples samples is unlikely.
func record(point int, values []byte) {
	x := maphash.Bytes(seed, values) ^ uint64(point)*0x9E3779B97F4A7C15
	mu.Lock()
	n, ok := seen[x]
	if !ok {
		if next == MaxSamples {
			*dropped++
			mu.Unlock()
			return
		}
		n = next
		next++
		seen[x] = n
		var number [20]byte
		write(strconv.AppendInt(number[:0], int64(point), 10))
		if len(values) > 0 { // each value ends in a tab
			write(tab)
			write(values[:len(values)-1])
		}
		write(newline)
	}
	// The witness is the first test by name, so that it does not depend on the order of
	// execution.
	if len(tests) > 0 {
		if l := label(); l != lastLabel {
			lastLabel, lastTest = l, 0
			if t, ok := tests[l]; ok {
				lastTest = NoTest - t
			}
		}
		witnesses[n] = max(witnesses[n], lastTest)
	}
	counts[n]++
	mu.Unlock()
}

var newline, tab = []byte{'\n'}, []byte{'\t'}

// write appends to the samples. A full tail is written to the file before it is overwritten, and
// end grows after the bytes are in the tail. So the process may end at any instruction here: no
// sample is lost or written twice; see Samples.
func write(text []byte) {
	for len(text) > 0 && !full {
		at := *end % SizeOfTail
		if at == 0 && *end > 0 {
			if _, err := out.Write(tail); err != nil {
				// The disk is full, which must not make the testee fail.
				full, next = true, MaxSamples
				*end -= SizeOfTail
				for _, c := range tail {
					if c == '\n' {
						*dropped++
					}
				}
				return
			}
		}
		n := copy(tail[at:], text)
		*end, text = *end+int64(n), text[n:]
	}
}
