package candidate

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dsd/crash/candidate/run"
)

// Event is something that happened to a candidate, or to a variant of it that Climb tried.
type Event struct {
	// Index is the index of the candidate in its batch.
	Index int
	Kind  run.EventKind
	// Stmt is the index of the statement that was being executed, in Variant if that is set.
	Stmt int
	// Text is the panic as Go prints it, the stack of a hang, an exit status, or what a dying
	// process printed.
	Text string
	// StackKey identifies the stack of a panic, so that panics with different stacks have
	// different keys.
	StackKey uint64
	// Blocks are the numbers of the blocks that were executed for the first time.
	Blocks []int
	// ImprovedGoals are the indices of the goals that the candidate came nearer to than any
	// before it.
	ImprovedGoals []int
	// NearerTargets are the targets that it came nearer to, if Runner.AllTargets is set.
	NearerTargets []run.Near
	// Nil reports whether the statement passes a nil pointer, interface or function.
	Nil bool
	// Called is the number of functions that the candidate called, PreChecked the number of
	// those whose preconditions were checked, and PreHeld the number of those whose
	// preconditions held. ArgsHeld is the number of those for which the preconditions about
	// arguments held, whatever the state of the receiver.
	Called, PreChecked, PreHeld, ArgsHeld int
	// Killed reports whether the process had to be killed, rather than that the candidate stopped
	// itself when it had no passes left.
	Killed bool
	// Took is the running time; 0 if the candidate was not slow. ManyPasses is set if it made run.ManyPasses.
	Took       time.Duration
	ManyPasses bool
	// Variant is the program that the event happened to; nil if it was the candidate itself.
	Variant Program
}

// Program returns the program that the event happened to; batch is the batch that was run.
func (e *Event) Program(batch []Program) Program {
	if e.Variant != nil {
		return e.Variant
	}
	return batch[e.Index]
}

// setVariant records that the event happened to the variant of p that the changes make. Changes
// that a dead process left may be incomplete and make none; then p is blamed.
func (e *Event) setVariant(p Program, changes []run.Change, table []*Op) {
	if v := p.variant(changes, table); v != nil {
		e.Variant, e.Stmt = v, variantStmt(e.Stmt, changes)
	}
}

// Limits bound what candidates may use.
type Limits struct {
	// Timeout is how long one candidate may run: in processor time, unless Processor says otherwise; one that waits may
	// take idleFactor times as long.
	Timeout time.Duration
	// Processor is the processor time of a candidate, if it is not 0. How much a candidate needs depends on what else
	// runs, by a factor of two or three; where that must not decide which candidates end, this is far more than
	// what the other limits allow.
	Processor time.Duration
	// Passes is the number of loop passes and calls of the testee's functions that one
	// candidate may make; 0 for any number.
	Passes int64
	// MemoryKB is the size of the memory that a process may write, in KiB.
	MemoryKB int
	// Unconfined lets candidates do everything that the user may.
	Unconfined bool
	// LazyReset bounds the time that goes into resets of package-level variables, at the price
	// that candidates may see what others left behind; see run.LazyVariable.
	LazyReset bool
	// SingleCPU runs a process on one processor, garbage collector included, so that several
	// processes do not compete.
	SingleCPU bool
	// Repeatable says that the result must not depend on how much memory candidates have left
	// behind: one whose process gets no more runs again, first in a new process.
	Repeatable bool
	// PanicsPerStack is the number of panics with the same stack that a process reports; all
	// are counted.
	PanicsPerStack int
	// Numbers are the integers in the message of the panic that is sought: a panic at its line is the nearer, the nearer
	// its own are.
	Numbers []int64
}

// DefaultLimits suffice for most testees.
var DefaultLimits = Limits{
	Timeout:        time.Second,
	Passes:         4 << 20,
	MemoryKB:       640 << 10, // the runtime's gcMemory, and a reserve
	PanicsPerStack: 3,
}

// Climb configures hill climbing: the runtime itself tries variants of candidates that come near
// the target, without some statements or with other literals.
type Climb struct {
	// Variants is the number of variants that are tried in vain before the next candidate; 0
	// for none. Only candidates whose distance is at most Bound are varied.
	Variants int
	Bound    float32
	// Time is how long the variants of one candidate may take together.
	Time time.Duration
	// Vocabulary is what literals are mutated with. It must not change while it is set; assign
	// another pointer instead.
	Vocabulary *run.Vocabulary
}

// Runner executes batches of candidates in one process after the other. A candidate that ends its
// process costs no other one. A Runner must not be used concurrently.
type Runner struct {
	// Climb may be changed between batches, and so may Target, the index of the target to which
	// distances are reported.
	Climb  Climb
	Target int
	// AllTargets says to report the candidates that come nearer to any target.
	AllTargets bool
	// Continues is set if the next batch continues the last one. The process is then not replaced between the two,
	// so the result is the same however a round of candidates is divided into batches.
	Continues bool

	// Of the last batch, nil without a target: Distances[i] is the distance of candidate i or
	// of its best variant to the target, +Inf if it ended its process; Stacks[i] is the key of
	// the stack that it panicked with, 0 if it did not panic; Best[i] is the variant that both
	// belong to, nil if it is the candidate itself.
	Distances []float32
	Stacks    []uint64
	Best      []Program
	// Evaluated is the number of candidates and variants of the last batch that were run.
	Evaluated int

	// Processes is the number of processes so far, Panics the number of panics.
	Processes, Panics int
	// Fault is why package-level variables could not be reset, "" if they could.
	Fault string

	h      *Harness
	limits Limits
	p      *process // nil if none is running
	sent   uint64   // the number of candidates of earlier batches
	// ended is the processor time of the processes that have ended.
	ended time.Duration
	// crowded is set if candidates left too many goroutines behind.
	crowded bool
	part    *part // of the harness' transcript
}

// NewRunner returns a runner of h's candidates. The caller must close it.
func (h *Harness) NewRunner(limits Limits) *Runner {
	return &Runner{h: h, limits: limits, part: h.transcript.part(limits)}
}

// Close ends the process.
func (r *Runner) Close() {
	if r.p != nil {
		r.p.kill()
		r.p = nil
	}
	r.crowded = false
}

// Processor returns the processor time that candidates have used so far.
func (r *Runner) Processor() time.Duration {
	if r.p == nil {
		return r.ended
	}
	return r.ended + cpuTime(r.p.cmd.Process.Pid)
}

const (
	// maxGoroutines is the number of goroutines that candidates may leave behind before the
	// process is replaced.
	maxGoroutines = 100
	// maxEarlyDeaths is the number of processes that may end before they run anything of a
	// batch.
	maxEarlyDeaths = 2
	// maxDeathText is the number of bytes of a process's output in an error.
	maxDeathText = 400
)

// Run executes a batch and returns what happened, in no particular order. An error is ctx's, or
// means that no process can be started. If the harness was not built, it is answered as before; see ErrOutdated.
func (r *Runner) Run(ctx context.Context, batch []Program) ([]Event, error) {
	t := r.h.transcript
	switch {
	case t == nil:
		return r.run(ctx, batch)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case t.before != nil:
		return t.answer(r, batch)
	}
	asked, processes, panics := r.part.ask(r, batch), r.Processes, r.Panics
	events, err := r.run(ctx, batch)
	t.record(r, asked, events, err, processes, panics)
	return events, err
}

// run is Run where nothing is kept.
func (r *Runner) run(ctx context.Context, batch []Program) ([]Event, error) {
	if r.h.reset == ResetProcess {
		defer r.Close()
		if len(batch) > 1 {
			return r.runSingly(ctx, batch)
		}
	}
	if r.crowded && !r.Continues {
		r.Close()
	}
	defer func() { r.sent += uint64(len(batch)) }()
	r.Distances, r.Stacks, r.Best, r.Evaluated = nil, nil, nil, 0
	if len(r.h.targets) > 0 {
		r.Distances, r.Stacks = make([]float32, len(batch)), make([]uint64, len(batch))
		r.Best = make([]Program, len(batch))
		for i := range r.Distances {
			r.Distances[i] = float32(math.Inf(1))
		}
	}
	var events []Event
	early := 0                      // processes in a row of which none tells which candidate it was at
	alone := false                  // candidates are sent one by one: which one ended a process is known by that
	again := map[int]bool{}         // the candidates that run first in a process of their own
	left := make([]int, len(batch)) // indices of the candidates that are still to run
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		if ctx.Err() != nil {
			return events, ctx.Err()
		}
		if err := r.startProcess(ctx); err != nil {
			return events, err
		}
		now := left
		if alone {
			now = left[:1]
		}
		rep, died, err := r.p.batch(ctx, now, batch, r.h.Table, r)
		if err != nil {
			return events, err
		}
		if died == nil {
			if bad := r.h.check(rep, now, batch, r.h.goals); bad != nil {
				r.Close()
				return events, fmt.Errorf("the process of the candidates reports what cannot be: %w", bad)
			}
			events = append(events, r.record(rep, now, batch)...)
			left, early = left[len(now):], 0
			continue
		}
		// The candidate that ended the process is done. The others run again.
		r.p, r.crowded = nil, false
		if died.Index < 0 || died.Index >= len(now) {
			// Either no candidate was running, and goroutines of an earlier batch ended the process; or
			// a candidate overwrote the progress in the shared memory.
			early++
			switch {
			case !alone && early > maxEarlyDeaths:
				alone, early = true, 0
				continue
			case !alone:
				continue
			case early > maxEarlyDeaths:
				return events, fmt.Errorf("the process ends before it runs anything: %s", deathText(died))
			}
			died.Index = 0
		} else {
			early = 0
		}
		at := left[died.Index]
		left = append(left[:died.Index], left[died.Index+1:]...)
		if r.limits.Repeatable && died.Index > 0 && outOfMemory(died) && !again[at] {
			// What others left behind was in memory, too. How much that was, the collector
			// decides, and the result must not depend on it.
			again[at] = true
			left = slices.Insert(left, 0, at)
			continue
		}
		died.Index = at
		if died.Variant != nil {
			r.Evaluated++
		}
		events = append(events, *died)
	}
	return events, nil
}

// startProcess starts a process if none is there.
func (r *Runner) startProcess(ctx context.Context) error {
	if r.p != nil {
		return nil
	}
	p, err := r.h.start(ctx, r.limits)
	if err != nil {
		return err
	}
	r.p, p.ended = p, &r.ended
	r.Processes++
	return nil
}

// outOfMemory reports whether a process ended because it got no memory, or used too much.
func outOfMemory(died *Event) bool {
	return died.Kind == run.KindFatal && (strings.Contains(died.Text, "out of memory") ||
		strings.Contains(died.Text, "cannot allocate memory"))
}

// runSingly runs each candidate of a batch in a process of its own.
func (r *Runner) runSingly(ctx context.Context, batch []Program) ([]Event, error) {
	var all []Event
	for i := range batch {
		events, err := r.run(ctx, batch[i:i+1])
		if err != nil {
			return all, err
		}
		for _, e := range events {
			e.Index = i
			all = append(all, e)
		}
	}
	return all, nil
}

// record keeps the report on the candidates that left lists, and returns their events.
func (r *Runner) record(rep *run.Report, left []int, batch []Program) []Event {
	var events []Event
	for i := range rep.Events {
		e := newEvent(&rep.Events[i])
		e.Index = left[e.Index]
		e.setVariant(batch[e.Index], rep.Events[i].Changes, r.h.Table)
		events = append(events, e)
	}
	r.Panics += rep.Panics
	if r.Fault == "" {
		r.Fault = rep.Fault
	}
	r.crowded = rep.Goroutines > maxGoroutines
	r.Evaluated += max(rep.Evaluated, len(left))
	const distanceSize, stackSize = 4, 8
	if r.Distances == nil || len(rep.Distances) < distanceSize*len(left) || len(rep.Stacks) < stackSize*len(left) {
		r.Distances, r.Stacks = nil, nil
		return events
	}
	for i, at := range left {
		bits := binary.LittleEndian.Uint32(rep.Distances[distanceSize*i:])
		r.Distances[at] = math.Float32frombits(bits)
		r.Stacks[at] = binary.LittleEndian.Uint64(rep.Stacks[stackSize*i:])
	}
	for _, c := range rep.Changed {
		at := left[c.Index]
		r.Best[at] = batch[at].variant(c.Changes, r.h.Table)
	}
	return events
}

// newEvent returns an event of the runtime as an Event, but for its variant.
func newEvent(e *run.Event) Event {
	return Event{
		Index: e.Index, Kind: e.Kind, Stmt: e.Stmt, Text: e.Text, StackKey: e.StackKey,
		Blocks: e.Blocks, ImprovedGoals: e.ImprovedGoals,
		NearerTargets: e.NearerTrails, Nil: e.Nil,
		Called: e.Called, PreChecked: e.PreChecked, PreHeld: e.PreHeld, ArgsHeld: e.ArgsHeld,
		Took: time.Duration(e.Millis) * time.Millisecond, ManyPasses: e.ManyPasses,
	}
}

// deathText returns the beginning of what a process printed before it died.
func deathText(died *Event) string {
	s := strings.TrimSpace(died.Text)
	return s[:min(len(s), maxDeathText)]
}
