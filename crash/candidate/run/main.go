//go:build go1.21

package run

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// slowTime is the running time from which on a candidate is reported as slow.
const slowTime = 2 * time.Millisecond

// Candidates leave much garbage and keep little: it is collected when the garbage is gcPercent of
// what is kept, or when the process uses gcMemory bytes.
const (
	gcPercent = 1000
	gcMemory  = 512 << 20
)

// maxStack is the size of the largest stack, in bytes. The default, 1 GB, makes an endless
// recursion take long.
const maxStack = 16 << 20

// StackShare is how many times larger a stack is by default, and somewhat more: the frames of tests are not those of
// candidates.
const StackShare = 80

// resetShare bounds the time of resets with LazyVariable: to one part in resetShare of the running
// time.
const resetShare = 32

// Main executes batches until there are no more, and then ends the process.
func Main(table []Op) {
	debug.SetMaxStack(maxStack)
	debug.SetPanicOnFault(true)
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(gcMemory)
	w := &worker{table: table, panics: map[uint64]int{}, texts: map[uint64]bool{}}
	w.maxPerStack, _ = strconv.Atoi(os.Getenv(SameVariable))
	w.lazy = os.Getenv(LazyVariable) != ""
	if w.passes, _ = strconv.ParseInt(os.Getenv(PassesVariable), 10, 64); w.passes <= 0 {
		w.passes = math.MaxInt64
	}
	os.Unsetenv(PassesVariable)
	wantedNumbers = Numbers(os.Getenv(NumbersVariable))
	os.Unsetenv(NumbersVariable)
	w.nearestNumbers = numbersShare
	os.Unsetenv(SameVariable)
	os.Unsetenv(LazyVariable)
	w.start = time.Now()
	var err error
	w.shared, err = syscall.Mmap(sharedFD, 0, SharedSize, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_SHARED)
	if err != nil {
		w.shared = make([]byte, SharedSize)
	}
	w.progress = ProgressOf(w.shared)
	batches, reports = aside(batchFD), aside(reportFD)
	w.stacks = stackKeys{keys: map[uint64]uint64{}}
	w.stacks.init()
	w.reset()
	w.serve()
	select {} // a goroutine that took over from this one ends the process
}

// batches and reports are the descriptors of the two pipes.
var batches, reports = batchFD, reportFD

// highFD is near the number of files that a confined program may have open.
const highFD = 240

// aside moves an open file to a high descriptor, and returns that: candidates close descriptors that they do not own, low
// ones for the most part.
func aside(fd int) int {
	const dupFD = 1030 // F_DUPFD_CLOEXEC
	moved, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), dupFD, highFD)
	if errno != 0 {
		return fd
	}
	syscall.Close(fd)
	return int(moved)
}

// worker executes candidates one after the other.
type worker struct {
	table    []Op
	progress *Progress // in shared; the parent reads it
	shared   []byte

	panics      map[uint64]int  // number of panics so far, by key
	maxPerStack int             // number of panics that are reported per key
	texts       map[uint64]bool // see words
	fault       string          // see Report.Fault
	passes      int64           // that a candidate may make
	// numbers is numbersDistance of the running candidate's panic, and nearestNumbers the least one before.
	numbers, nearestNumbers float32

	// lazy reports whether LazyVariable is set. elapsed is the time since start, read once per
	// candidate, and resetTime the part of it that went into resets.
	lazy               bool
	start              time.Time
	resetTime, elapsed time.Duration

	// The current batch.
	buf    []byte
	input  []byte // candidates that are not decoded yet
	head   Head
	index  int // of the next candidate
	report Report

	goroutines int // that the candidates before the current one left behind

	// The current candidate, or a variant of it.
	candidate candidate
	frame     Frame
	stmt      int    // index of the running statement
	op        *Op    // its operation
	stackKey  uint64 // of the panic, 0 without one
	stacks    stackKeys

	climb      climb
	vocabulary Vocabulary
	random     random
}

// serve reads and executes batches. A candidate that ends its goroutine ends the one that serves;
// another takes over where it stopped.
func (w *worker) serve() {
	finished := false
	defer func() {
		if !finished {
			go w.serve()
		}
	}()
	for {
		for w.climb.left > 0 || w.index < int(w.head.Count) {
			w.one()
		}
		if w.head.Count > 0 {
			w.flush()
		}
		if !w.next() {
			finished = true
			os.Exit(0)
		}
	}
}

// next reads a batch and reports whether there is one.
func (w *worker) next() bool {
	var head [HeadSize]byte
	if !readFull(head[:]) {
		return false
	}
	w.head.get(head[:])
	setTarget(int(w.head.Target))
	if n := w.head.VocabularySize; n > 0 {
		text := make([]byte, n)
		if !readFull(text) {
			return false
		}
		w.vocabulary.decode(text)
	}
	n := int(w.head.Size)
	if cap(w.buf) < n {
		w.buf = make([]byte, n)
	}
	w.input = w.buf[:n]
	w.index = 0
	w.report = Report{Events: w.report.Events[:0], Changed: w.report.Changed[:0],
		Fault: w.fault}
	ok := readFull(w.input)
	w.elapsed = time.Since(w.start)
	return ok
}

// readFull fills b from the pipe and reports whether it could.
func readFull(b []byte) bool {
	for len(b) > 0 {
		n, err := syscall.Read(batches, b)
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

// flush writes the report of the batch: its size, a little-endian uint32, and a Report as JSON.
func (w *worker) flush() {
	w.report.Goroutines = runtime.NumGoroutine()
	w.report.Distances, w.report.Stacks = nil, nil
	for i, d := range distances {
		w.report.Distances = binary.LittleEndian.AppendUint32(w.report.Distances,
			math.Float32bits(d))
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
		n, err := syscall.Write(reports, out)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			os.Exit(3)
		}
		out = out[n:]
	}
	w.head.Count = 0
}

// one executes the next candidate, or the next variant of the last one.
func (w *worker) one() {
	if w.climb.left == 0 {
		w.take()
	}
	index := w.index - 1
	w.progress.Evaluated++
	finished, begin := false, w.elapsed
	w.stackKey, w.numbers = 0, 0
	resetDistance()
	forgetRecovered()
	defer func() {
		w.settle()
		many := w.passes-Passes >= ManyPasses
		running, Passes = false, math.MaxInt64
		w.elapsed = time.Since(w.start)
		took := w.elapsed - begin
		switch {
		case finished:
		case endKind != "":
			// A deferred function may have panicked on the way out. The panic does not
			// count: without the end of the candidate, the function would not have run.
			recover()
			w.emit(Event{Kind: endKind, Stmt: w.stmt, Text: endText,
				Millis: int(took.Milliseconds())})
			Dirty = Dirty || locks
		default:
			w.ended(recover(), unsafe.Pointer(&finished))
			Dirty = Dirty || locks
		}
		if (took > slowTime || many) && endKind == "" {
			w.emit(Event{Kind: KindSlow, Stmt: w.stmt, ManyPasses: many,
				Millis: int(took.Milliseconds())})
		}
		if list := newBlocks(); len(list) > 0 {
			w.emit(Event{Kind: KindNew, Blocks: list})
		}
		var trails []Near
		if w.head.All {
			trails = nearer()
		}
		if len(improvedGoals) > 0 || len(trails) > 0 {
			list := append([]int(nil), improvedGoals...)
			w.emit(Event{Kind: KindNear, ImprovedGoals: list, NearerTrails: trails})
			improvedGoals = improvedGoals[:0]
		}
		if trail != nil {
			d := distance(trail)
			if d == 0 {
				d = w.numbers
			}
			w.step(index, d, took)
		} else {
			w.climb.left = 0
		}
		undoAll()
		if len(resets) > 0 && (Dirty || alwaysDirty) && w.resetDue() {
			w.reset()
			w.report.Fault = w.fault
		}
	}()
	endKind, endText, running, Passes = "", "", true, w.passes
	w.execute()
	finished = true
}

// The goroutines of a candidate may run after its last statement until they had maxYields turns, or
// settleTime is over.
const (
	maxYields  = 8
	settleTime = 2 * time.Millisecond
)

// settle lets the goroutines that the candidate started run until they wait for something. What
// they do is then seen as the candidate's, and not as that of a later one.
func (w *worker) settle() {
	if runtime.NumGoroutine() > w.goroutines {
		begin := time.Now()
		for i := 0; i < maxYields && time.Since(begin) < settleTime &&
			runtime.NumGoroutine() > w.goroutines; i++ {
			runtime.Gosched()
		}
	}
	w.goroutines = runtime.NumGoroutine()
}

// take decodes the next candidate of the batch.
func (w *worker) take() {
	w.random = random(number(&w.input))
	n := int(number(&w.input))
	w.candidate.decode(w.table, w.input[:n])
	w.climb.begin()
	w.input = w.input[n:]
	w.progress.Changes = 0
	w.index++
	w.progress.Candidate = w.head.First + uint64(w.index)
}

// emit adds an event of the running candidate or variant to the report.
func (w *worker) emit(e Event) {
	e.Index, e.Changes = w.index-1, w.variantChanges()
	w.report.Events = append(w.report.Events, e)
}

// resetDue reports whether there is time to reset the variables; see LazyVariable.
func (w *worker) resetDue() bool { return !w.lazy || resetShare*w.resetTime < w.elapsed }

// reset resets the variables of all packages. A package for which that fails is left alone from
// then on, and w.fault says so.
func (w *worker) reset() {
	kept := resets[:0]
	for _, r := range resets {
		why := r.run()
		if why == "" {
			kept = append(kept, r)
		} else if w.fault == "" {
			w.fault = "package-level variables of " + r.path + " cannot be reset: " + why
		}
	}
	resets = kept
	now := time.Since(w.start)
	w.resetTime += now - w.elapsed
	w.elapsed = now
	Dirty = false
}

// run returns why the reset failed, or "".
func (r packageReset) run() (why string) {
	defer func() {
		if v := recover(); v != nil {
			why = panicText(v)
		}
	}()
	r.f()
	return ""
}
