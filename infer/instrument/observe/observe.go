//go:build go1.21

// Package observe takes the observations of an instrumented program. It is compiled into the testee as a virtual
// package of its module, so it uses the standard library alone.
//
// Every distinct sample (the values seen together at a program point) is written once, the moment it is first seen,
// to a file in the directory that DSD_TRACE names; how often it was seen, and in which test, is kept in a file beside
// it that is mapped into memory, as is what is to be written next. So nothing needs to run when the process ends,
// however it ends.
package observe

import (
	"context"
	"hash/maphash"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"sync"
	"syscall"
	"unsafe"
)

// Points is the number of program points; the instrumentation puts it here.
const Points = 0

// MaxSamples is the number of distinct samples that one process may write.
const MaxSamples = 1 << 21

// Longer strings are written as a hash, which tells equal ones.
const maxString = 64

var (
	out       *os.File
	tail      []byte   // what is to be written to out next; mapped
	end       *int64   // how many bytes of samples there are, in out and in tail; mapped
	counts    []int64  // by number of the sample; mapped
	witnesses []uint32 // by number of the sample: NoTest minus the number of the first test, by name, that made it; mapped
	full      bool     // that out takes no more
	next      int64    // number of the next sample
	mu        sync.Mutex
	seen      = map[uint64]int64{} // hash of a sample -> its number
)

// NoTest is more than the number of any test.
const NoTest = 1 << 31

// The file of counts has, in this order: the number of bytes of samples; the tail, those behind the last multiple of
// its size, or all of it while it is on its way to the file of samples; the counts of the samples; their witnesses;
// the number of the last call of each function that is observed; how many samples were not written because there were too many; and how many calls of each function are still to come
// before one is observed again.
const (
	SizeOfTail      = 1 << 16
	SizeOfCounts    = MaxSamples * 8
	SizeOfWitnesses = MaxSamples * 4

	Tail      = 8 // where it begins
	Counts    = Tail + SizeOfTail
	Witnesses = Counts + SizeOfCounts
	Calls     = Witnesses + SizeOfWitnesses
)

// functions is their number, and one more so that there are some.
const functions = Points/3 + 1

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
	c, err := os.Create(filepath.Join(dir, "counts-"+filepath.Base(f.Name())[len("samples-"):]))
	if err != nil {
		return
	}
	defer c.Close()
	const all = Calls + (functions+1)*8 + functions*4
	// A sparse file: pages that are not counted in take no room.
	if c.Truncate(all) != nil {
		return
	}
	m, err := syscall.Mmap(int(c.Fd()), 0, all, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
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
		debug.SetMemoryLimit(memory)
	}
}

// memory is what the garbage collector keeps the process to, in bytes, if it can: tests that leave garbage lying about
// since there is room should not need more of it for being observed.
const memory = 400 << 20

var (
	calls   []int64 // the number of the last call that is observed, by a third of the number of the entry point; mapped
	left    []int32 // calls to come before the next that is; mapped if anything is observed
	dropped *int64  // samples that were not written; mapped
)

// following is the number of the call that is observed next after the n-th, from 1: all of the first five hundred,
// every tenth of the first five thousand, every hundredth of the first hundred thousand, and every thousandth of the
// rest. What a test does a million times it does much the same.
func following(n int64) int64 {
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

// CallsOf is how often a function was called, and how many of the calls were observed, as the file of counts has it.
func CallsOf(last int64, left int32) (all, observed int64) {
	if last == 0 {
		return 0, 0
	}
	all = following(last) - 1 - int64(left)
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

// label is that of the goroutine which calls it. Goroutines inherit it from those that start them.
//
//go:linkname label runtime/pprof.runtime_getProfLabel
func label() unsafe.Pointer

var (
	tests     = map[unsafe.Pointer]uint32{} // label -> number of the test
	lastLabel unsafe.Pointer                // the last that was looked up
	lastTest  uint32                        // NoTest minus its test's number; 0 for none
)

// Test says that the goroutine which calls it, and those that it starts, run a test. Tests are numbered by their names.
func Test(n uint32) {
	if out == nil {
		return
	}
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("dsd", strconv.Itoa(int(n)))))
	mu.Lock()
	tests[label()] = n
	lastLabel = nil
	mu.Unlock()
}

// Handle collects the values of one call: those at its entry, then those at its exit.
type Handle struct {
	point int // of the entry; the next are those of the exit, and of a panic that leaves the function
	buf   []byte
	entry int    // length of buf at the entry
	keep  string // for the next values: '1' to keep, '0' to drop
	nth   int
	ptrs  []uintptr // pointers seen in this sample; a pointer is written as its index here, from 1
}

var pool = sync.Pool{New: func() any { return new(Handle) }}

// Enter begins the observation of a call; nil if nothing is observed. Most calls are not, and cost next to nothing: the
// number of those to come is not guarded against calls at the same time, which may add or take away a few.
func Enter(point int) *Handle {
	left[point/3]--
	if left[point/3] >= 0 {
		return nil
	}
	return enter(point)
}

func enter(point int) *Handle {
	f := point / 3
	if out == nil {
		left[f] = 1<<31 - 1
		return nil
	}
	mu.Lock()
	calls[f] = following(calls[f])
	left[f] = int32(following(calls[f]) - calls[f] - 1)
	mu.Unlock()
	h := pool.Get().(*Handle)
	h.point, h.buf, h.ptrs, h.keep = point, h.buf[:0], h.ptrs[:0], ""
	return h
}

// On says that the call is observed.
func (h *Handle) On() bool { return h != nil }

// Entry ends the values of the entry.
func (h *Handle) Entry() {
	h.entry = len(h.buf)
	record(h.point, h.buf)
}

// Exit ends the values of the exit and the call's observation.
func (h *Handle) Exit() {
	record(h.point+1, h.buf)
	pool.Put(h)
}

var unwinding sync.Map // pc of a deferred function's caller -> how the function ends there

// How a function ends.
const (
	returns = iota
	panics
	exits // Goexit
)

// Returning says whether the deferred function that calls it runs because its function returns, and not because a
// panic or Goexit unwinds it. The runtime calls deferred functions from gopanic and Goexit then. What a function that
// panics was called with is a sample of its own.
//
// ok says that it is known to return.
func (h *Handle) Returning(ok bool) bool { return h != nil && (ok || h.returning()) }

func (h *Handle) returning() bool {
	var pc [1]uintptr
	if runtime.Callers(4, pc[:]) == 0 {
		return false
	}
	how := returns
	if u, ok := unwinding.Load(pc[0]); ok {
		how = u.(int)
	} else {
		if f := runtime.FuncForPC(pc[0] - 1); f != nil {
			switch f.Name() {
			case "runtime.gopanic":
				how = panics
			case "runtime.Goexit":
				how = exits
			}
		}
		unwinding.Store(pc[0], how)
	}
	if how == panics {
		record(h.point+2, h.buf[:h.entry])
	}
	return how == returns
}

// Keep says of the next values, one character each, which to keep; KeepAll ends that.
func (h *Handle) Keep(which string) { h.keep, h.nth = which, 0 }

// KeepAll keeps all values again.
func (h *Handle) KeepAll() { h.keep = "" }

// dropped says that the next value is not to be kept.
func (h *Handle) dropped() bool {
	if h.keep == "" {
		return false
	}
	h.nth++
	return h.nth <= len(h.keep) && h.keep[h.nth-1] == '0'
}

// Int observes a signed integer.
func (h *Handle) Int(v int64) {
	if !h.dropped() {
		h.buf = append(strconv.AppendInt(h.buf, v, 10), '\t')
	}
}

// Uint observes an unsigned integer.
func (h *Handle) Uint(v uint64) {
	if !h.dropped() {
		h.buf = append(strconv.AppendUint(h.buf, v, 10), '\t')
	}
}

// Float observes a floating-point number.
func (h *Handle) Float(v float64) {
	if !h.dropped() {
		h.buf = append(strconv.AppendFloat(h.buf, v, 'g', -1, 64), '\t')
	}
}

// Bool observes a boolean.
func (h *Handle) Bool(v bool) {
	if !h.dropped() {
		h.buf = append(strconv.AppendBool(h.buf, v), '\t')
	}
}

// String observes a string.
func (h *Handle) String(v string) {
	if h.dropped() {
		return
	}
	if len(v) > maxString {
		h.buf = append(appendHash(h.buf, v), '\t')
		return
	}
	h.buf = append(strconv.AppendQuote(h.buf, v), '\t')
}

// maxItems is how many elements of a slice are observed; of a longer one it is only known that it is.
const maxItems = 32

// Items observes the elements of a slice of numbers, strings or pointers: [1 2 3].
func (h *Handle) Items(v any) {
	if h.dropped() {
		return
	}
	h.buf = append(h.buf, '[')
	switch v := v.(type) {
	case []int:
		if h.few(len(v)) {
			for _, x := range v {
				h.buf = append(strconv.AppendInt(h.buf, int64(x), 10), ' ')
			}
		}
	case []string:
		if h.few(len(v)) {
			for _, x := range v {
				h.item(reflect.ValueOf(x))
			}
		}
	default:
		r := reflect.ValueOf(v)
		if h.few(r.Len()) {
			for i := 0; i < r.Len(); i++ {
				h.item(r.Index(i))
			}
		}
	}
	switch last := len(h.buf) - 1; h.buf[last] {
	case ' ':
		h.buf[last] = ']'
	case '[':
		h.buf = append(h.buf, ']')
	}
	h.buf = append(h.buf, '\t')
}

// few says whether a slice is short enough; what stands for a longer one is written.
func (h *Handle) few(n int) bool {
	if n > maxItems {
		h.buf[len(h.buf)-1] = '~'
	}
	return n <= maxItems
}

// item writes an element and a space.
func (h *Handle) item(r reflect.Value) {
	switch r.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.buf = strconv.AppendInt(h.buf, r.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.buf = strconv.AppendUint(h.buf, r.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		h.buf = strconv.AppendFloat(h.buf, r.Float(), 'g', -1, 64)
	case reflect.String:
		if s := r.String(); len(s) > maxString {
			h.buf = appendHash(h.buf, s)
		} else {
			h.buf = strconv.AppendQuote(h.buf, s)
		}
	case reflect.Ptr:
		if r.IsNil() {
			h.buf = append(h.buf, "nil"...)
		} else {
			h.buf = strconv.AppendInt(h.buf, int64(h.number(r.Pointer())), 10)
		}
	}
	h.buf = append(h.buf, ' ')
}

// appendHash writes what stands for a long string.
func appendHash(to []byte, v string) []byte {
	x := uint64(14695981039346656037)
	for i := 0; i < len(v); i++ {
		x = (x ^ uint64(v[i])) * 1099511628211
	}
	return strconv.AppendUint(append(to, '~'), x, 16)
}

// Nil observes whether something is nil.
func (h *Handle) Nil(isNil bool) {
	if h.dropped() {
		return
	}
	if isNil {
		h.buf = append(h.buf, "nil\t"...)
	} else {
		h.buf = append(h.buf, "0\t"...)
	}
}

// Ptr observes a pointer: equal pointers of one sample are written equal. It takes an interface because the testee's
// language may be too old for type parameters.
func (h *Handle) Ptr(p any) {
	if h.dropped() {
		return
	}
	// The second word of an interface that holds a pointer is the pointer.
	u := (*[2]uintptr)(unsafe.Pointer(&p))[1]
	if u == 0 {
		h.buf = append(h.buf, "nil\t"...)
		return
	}
	h.buf = append(strconv.AppendInt(h.buf, int64(h.number(u)), 10), '\t')
}

// number is that of a pointer in this sample.
func (h *Handle) number(u uintptr) int {
	n := 0
	for n < len(h.ptrs) && h.ptrs[n] != u {
		n++
	}
	if n == len(h.ptrs) {
		h.ptrs = append(h.ptrs, u)
	}
	return n + 1
}

// Type observes the dynamic type of an interface.
func (h *Handle) Type(v any) {
	if h.dropped() {
		return
	}
	if v == nil {
		h.buf = append(h.buf, "nil\t"...)
		return
	}
	h.buf = append(strconv.AppendQuote(h.buf, typeName(v)), '\t')
}

// Skip notes n variables that do not exist.
func (h *Handle) Skip(n int) {
	for ; n > 0; n-- {
		if !h.dropped() {
			h.buf = append(h.buf, "-\t"...)
		}
	}
}

var seed = maphash.MakeSeed()

// record counts a sample, and writes it if it is new.
func record(point int, values []byte) {
	// 64 bits keep chance collisions out of reach for 2^21 samples.
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
		if len(values) > 0 { // each ends in a tab
			write(tab)
			write(values[:len(values)-1])
		}
		write(newline)
	}
	// The first test by name, so that it does not matter which of them ran first.
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

// write appends to the samples. What does not fit into the tail goes to the file, before anything overwrites it: a process may end at any
// instruction here, and nothing is lost or there twice.
func write(text []byte) {
	for len(text) > 0 && !full {
		at := *end % SizeOfTail
		if at == 0 && *end > 0 {
			if _, err := out.Write(tail); err != nil { // there is no room for it, which is no business of the testee's
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

// typeName is the name of v's dynamic type as reflection prints it.
func typeName(v any) string { return reflect.TypeOf(v).String() }

// Names and functions for places where the testee gives the predeclared ones another meaning.
type (
	Int64   = int64
	Uint64  = uint64
	Float64 = float64
	Bool    = bool
	String  = string
)

// Len is the length of a string, slice, map or channel.
func Len(v any) int64 { return int64(reflect.ValueOf(v).Len()) }

// Cap is the capacity of a slice or channel.
func Cap(v any) int64 { return int64(reflect.ValueOf(v).Cap()) }

// IsNil says whether a pointer, slice, map, channel, function or interface is nil.
func IsNil(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.IsNil()
}
