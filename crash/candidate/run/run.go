//go:build go1.21

// Package run executes candidates inside the testee's test binary. It is embedded, and becomes a package of the testee.
//
// A candidate is a sequence of statements over a table of operations. Each takes values from registers and puts its results
// into the next ones. Candidates come in batches on file descriptor 3; what became of a batch goes to 4. The number of the
// candidate that runs, and that of its statement, stand in the memory shared through 5, so that they are known if the
// process dies.
package run

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// Op is an operation of the table.
type Op struct {
	// Args is the number of arguments, -1 if the statement says it.
	Args int
	// Call says that it calls a function, and Number is that of the function's preconditions, 0 if it has none.
	Call   bool
	Number int
	// Any are the arguments that may well be nil: values of any type, and errors.
	Any []int
	// Goals are those of its arguments.
	Goals []int
	// Do executes the operation: exactly as many results are put as it has.
	Do func(f *Frame)
	// Lit makes a literal of an operation without arguments, from the statement's bits or text.
	Lit func(bits uint64, text string) any
	// kind is that of the literals, once there was one.
	kind reflect.Kind
}

// Frame is what an operation works on.
type Frame struct {
	regs    []any
	args    []int
	stopped bool
}

// Stop ends the candidate after this operation: a call failed, and said so.
func (f *Frame) Stop(err error) {
	if err != nil {
		f.stopped = true
	}
}

// N is the number of arguments.
func (f *Frame) N() int { return len(f.args) }

// Arg is the i-th argument.
func (f *Frame) Arg(i int) any { return f.regs[f.args[i]] }

// Put adds a result.
func (f *Frame) Put(v any) { f.regs = append(f.regs, v) }

// As is a value as one of type T, the zero value if it is none: nil.
func As[T any](v any) T {
	t, _ := v.(T)
	return t
}

// blocks is the number of blocks of the testee; set when this file is embedded.
const blocks = 0

// Seen says which blocks of the testee have been executed, and known which of them are told already. (Comparing the two after each
// candidate costs less than a test in each block.)
var Seen, known [blocks + 1]bool

// What the calls of the candidate came to: how many there were, how many of functions with preconditions, how many of these
// met them; and the number of the function whose call is expected now.
var called, judged, met, expected int

// Enter is called by a function with preconditions, which has the number given, at its beginning. What it calls itself is not
// looked at.
func Enter(number int, holds func() bool) {
	if number != expected {
		return
	}
	expected = 0
	judged++
	defer func() { recover() }() // what cannot be computed does not hold
	if holds() {
		met++
	}
}

var resets []func()

// Dirty says that a function ran that may have changed a package-level variable.
var Dirty bool

var alwaysDirty, locks bool

// Reset registers what makes a package's variables anew, after each candidate or if they are dirty; with locks among them also
// after a candidate that did not run to its end. Packages register in the order of their initialisation.
func Reset(always, withLocks bool, f func()) {
	resets = append(resets, f)
	alwaysDirty, locks = alwaysDirty || always, locks || withLocks
}

// Event is something that happened.
type Event struct {
	Index  int    `json:"i"` // of the candidate in its batch
	Kind   string `json:"kind"`
	Stmt   int    `json:"stmt"`             // that was being executed
	Text   string `json:"text,omitempty"`   // as Go prints a panic
	Blocks []int  `json:"blocks,omitempty"` // executed for the first time
	Key    uint64 `json:"key,omitempty"`    // of the stack
	Millis int    `json:"ms,omitempty"`     // that it took, of a slow one
	Called int    `json:"called,omitempty"` // functions, by the candidate
	Judged int    `json:"judged,omitempty"` // of these, with preconditions
	Met    int    `json:"met,omitempty"`    // of these, that were met
	Near   []int  `json:"near,omitempty"`   // goals that it came nearer to
	Nil    bool   `json:"nil,omitempty"`    // the statement passes a nil pointer, interface or function
	// Changes make of the candidate the variant that it happened to, if it was one.
	Changes []Change `json:"changes,omitempty"`
}

// Report is what became of a batch.
type Report struct {
	Events []Event `json:"events"`
	Panics int     `json:"panics"`
	// Goroutines is how many there are, more than one if candidates leave some behind.
	Goroutines int `json:"goroutines"`
	// Distances are those of all candidates to the trail, and Stacks what tells their panics apart, 0 if there was none; both
	// little-endian, four and eight bytes each. Absent without a trail.
	Distances []byte `json:"distances,omitempty"`
	Stacks    []byte `json:"stacks,omitempty"`
	// Evaluated counts the candidates and their variants, with a trail; Changed are variants that came nearer than their candidates, or as
	// near: the distances are theirs.
	Evaluated int       `json:"evaluated,omitempty"`
	Changed   []Changed `json:"changed,omitempty"`
	// Fault says that the process is not fit to go on.
	Fault string `json:"fault,omitempty"`
}

// slow is what makes a candidate slow.
const slow = 2 * time.Millisecond

// SameVariable is the environment variable that says how many panics with the same stack are told in the life of the process.
const SameVariable = "DSD_SAME"

// LazyVariable is the environment variable that says to make package-level variables anew only as long as that takes no more
// than a thirty-second part of the time.
const LazyVariable = "DSD_LAZY"

// Candidates leave much garbage and keep little: it is collected when there is garbage percent of that, or memory bytes in all are in
// use.
const (
	garbage = 1000
	memory  = 512 << 20
)

// Main executes batches until there are no more. It does not return.
func Main(table []Op) {
	debug.SetMaxStack(16 << 20)
	debug.SetPanicOnFault(true)
	debug.SetGCPercent(garbage)
	debug.SetMemoryLimit(memory)
	w := &worker{table: table, seen: map[uint64]int{}}
	w.same, _ = strconv.Atoi(os.Getenv(SameVariable))
	w.lazy = os.Getenv(LazyVariable) != ""
	if w.passes, _ = strconv.ParseInt(os.Getenv(PassesVariable), 10, 64); w.passes <= 0 {
		w.passes = math.MaxInt64
	}
	os.Unsetenv(PassesVariable)
	os.Unsetenv(SameVariable)
	os.Unsetenv(LazyVariable)
	w.since = time.Now()
	var err error
	if w.shared, err = syscall.Mmap(5, 0, SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err != nil {
		w.shared = make([]byte, SharedSize)
	}
	w.at = (*[4]uint64)(unsafe.Pointer(&w.shared[0]))
	w.traces = traces{keys: map[uint64]uint64{}}
	w.traces.find()
	w.fault = w.reset()
	w.serve()
	select {} // a goroutine that took over from this one ends the process
}

// worker executes candidates one after the other.
type worker struct {
	table []Op
	// at is the number of the candidate that runs, from 1 on, its statement, and how many ran, variants too; see climb.go for the last.
	// Others only read it.
	at     *[4]uint64
	shared []byte
	seen   map[uint64]int // panics by stack
	same   int            // how many of each are told
	fault  string
	// lazy is the value of LazyVariable; resetting is the time that went into making variables anew since the beginning, and now the time
	// that all has taken, read once for each candidate.
	lazy           bool
	since          time.Time
	resetting, now time.Duration
	passes         int64 // that a candidate may make

	candidate  candidate
	climb      climb
	variants   int // to try of a candidate that is at most bound away
	bound      float32
	limit      time.Duration // of a climb
	vocabulary Vocabulary
	random     random

	frame  Frame
	buf    []byte
	rest   []byte // of the batch
	first  uint64
	index  int
	count  int
	stmt   int
	op     *Op // of the statement
	report Report
	stack  uint64 // what tells the candidate's panic apart
	traces traces
}

// serve reads and executes batches. A candidate that ends its goroutine ends this one; another takes over.
func (w *worker) serve() {
	finished := false
	defer func() {
		if !finished {
			go w.serve()
		}
	}()
	for {
		for w.climb.left > 0 || w.index < w.count {
			w.one()
		}
		if w.count > 0 {
			w.flush()
		}
		if !w.next() {
			finished = true
			os.Exit(0)
		}
	}
}

// HeadSize is the length of what is in front of a batch.
const HeadSize = 32

// next reads a batch: its length, how many candidates there are, the number of the first, how many variants are to be tried of those
// that are at most so far away, the length of a vocabulary, 0 if it is as before, and the microseconds that the variants of one candidate
// may take; then the vocabulary, and the candidates.
func (w *worker) next() bool {
	var head [HeadSize]byte
	if !readFull(head[:]) {
		return false
	}
	n := int(binary.LittleEndian.Uint32(head[0:]))
	w.count = int(binary.LittleEndian.Uint32(head[4:]))
	w.first = binary.LittleEndian.Uint64(head[8:])
	w.variants = int(binary.LittleEndian.Uint32(head[16:]))
	w.bound = math.Float32frombits(binary.LittleEndian.Uint32(head[20:]))
	w.limit = time.Duration(binary.LittleEndian.Uint32(head[28:])) * time.Microsecond
	if n := binary.LittleEndian.Uint32(head[24:]); n > 0 {
		text := make([]byte, n)
		if !readFull(text) {
			return false
		}
		w.vocabulary.decode(text)
	}
	if cap(w.buf) < n {
		w.buf = make([]byte, n)
	}
	w.rest = w.buf[:n]
	w.index = 0
	w.report = Report{Events: w.report.Events[:0], Changed: w.report.Changed[:0], Fault: w.fault}
	ok := readFull(w.rest)
	w.now = time.Since(w.since)
	return ok
}

func readFull(b []byte) bool {
	for len(b) > 0 {
		n, err := syscall.Read(3, b)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return false
		}
		b = b[n:]
	}
	return true
}

// flush writes what became of the batch.
func (w *worker) flush() {
	w.report.Goroutines = runtime.NumGoroutine()
	w.report.Distances, w.report.Stacks = nil, nil
	for i, d := range distances {
		w.report.Distances = binary.LittleEndian.AppendUint32(w.report.Distances, math.Float32bits(d))
		w.report.Stacks = binary.LittleEndian.AppendUint64(w.report.Stacks, stacks[i])
	}
	distances, stacks = distances[:0], stacks[:0]
	text, err := json.Marshal(&w.report)
	if err != nil {
		text = []byte(`{"fault":"the report cannot be written"}`)
	}
	out := make([]byte, 4, 4+len(text))
	binary.LittleEndian.PutUint32(out, uint32(len(text)))
	out = append(out, text...)
	for len(out) > 0 {
		n, err := syscall.Write(4, out)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			os.Exit(3)
		}
		out = out[n:]
	}
	w.count = 0
}

// one executes the next candidate, or the next variant of the last one.
func (w *worker) one() {
	if w.climb.left == 0 {
		w.take()
	}
	index := w.index - 1
	w.at[2]++
	finished, begin := false, w.now
	w.stack = 0
	depart()
	defer func() {
		running, Passes = false, math.MaxInt64
		w.now = time.Since(w.since)
		took := w.now - begin
		switch {
		case finished:
		case ending != "":
			recover() // what was deferred may have panicked on the way out; it would not have run
			w.tell(Event{Kind: ending, Stmt: w.stmt, Text: about, Millis: int(took.Milliseconds())})
			Dirty = Dirty || locks
		default:
			w.ended(recover(), unsafe.Pointer(&finished))
			Dirty = Dirty || locks
		}
		if took > slow && ending == "" {
			w.tell(Event{Kind: "slow", Stmt: w.stmt, Millis: int(took.Milliseconds())})
		}
		if Seen != known {
			w.tell(Event{Kind: "new", Blocks: fresh()})
		}
		if len(near) > 0 {
			w.tell(Event{Kind: "near", Near: append([]int(nil), near...)})
			near = near[:0]
		}
		if trail != nil {
			w.settle(index, arrive(), took)
		} else {
			w.climb.left = 0
		}
		if len(resets) > 0 && (Dirty || alwaysDirty) && w.fault == "" && w.due() {
			w.fault = w.reset()
			w.report.Fault = w.fault
		}
	}()
	ending, about, running, Passes = "", "", true, w.passes
	w.execute()
	finished = true
}

// take begins with the next candidate of the batch.
func (w *worker) take() {
	n := int(number(&w.rest))
	w.candidate.decode(w.table, w.rest[:n])
	w.climb.around()
	w.rest = w.rest[n:]
	w.random = random(w.first) + random(w.index)
	w.at[3] = 0
	w.index++
	w.at[0] = w.first + uint64(w.index)
}

// tell adds an event of what runs.
func (w *worker) tell(e Event) {
	e.Index, e.Changes = w.index-1, w.varied()
	w.report.Events = append(w.report.Events, e)
}

// fresh are the blocks that were executed for the first time.
func fresh() (blocks []int) {
	for i := range Seen {
		if Seen[i] && !known[i] {
			known[i] = true
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// number decodes an unsigned number; what is none ends the bytes.
func number(p *[]byte) uint64 {
	b := *p
	if len(b) > 0 && b[0] < 0x80 {
		*p = b[1:]
		return uint64(b[0])
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		*p = nil
		return 0
	}
	*p = b[n:]
	return v
}

// due says that it is time to make the variables anew.
func (w *worker) due() bool { return !w.lazy || 32*w.resetting < w.now }

// reset makes the variables of all packages anew; it returns what went wrong.
func (w *worker) reset() (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = "package-level variables cannot be made anew: " + text(r)
		}
	}()
	for _, f := range resets {
		f()
	}
	now := time.Since(w.since)
	w.resetting += now - w.now
	w.now = now
	Dirty = false
	return ""
}
