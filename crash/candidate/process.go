package candidate

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"dsd/crash/candidate/run"
	"dsd/crash/confine"
	"dsd/internal/overlay"
)

// Event is what happened to a candidate.
type Event struct {
	// Index is that of the candidate in its batch.
	Index int
	// Kind is panic; new, if it executed blocks for the first time; goexit, if it ended its goroutine; fatal, if it ended
	// the process, exit, if it did so by choice; near, if it came nearer to a goal; hang, if it had to be stopped; slow, if it took long.
	Kind string
	// Stmt is the statement that was being executed, of the candidate or of Variant.
	Stmt int
	// Text is the panic as Go prints it.
	Text string
	// StackKey tells panics with different stacks apart.
	StackKey uint64
	// Blocks are executed for the first time.
	Blocks []int
	// ImprovedGoals are the goals that the candidate came nearer to than those before it.
	ImprovedGoals []int
	// Nil says that the statement passes a nil pointer, interface or function.
	Nil bool
	// Called is how many functions the candidate called, PreChecked how many of these have preconditions, PreHeld how often they
	// were met.
	Called, PreChecked, PreHeld int
	// Took is what the candidate cost, if that was much.
	Took time.Duration
	// Variant is the program that it happened to, if that was none of the batch but a variant; see Climb.
	Variant Program
}

// Program is the program of a batch, or the variant of it, that the event happened to.
func (e *Event) Program(batch []Program) Program {
	if e.Variant != nil {
		return e.Variant
	}
	return batch[e.Index]
}

// vary notes that it happened to a variant of p, if the changes make one: those that a dead process left may not be whole.
func (e *Event) vary(p Program, changes []run.Change, table []*Op) {
	if v := p.variant(changes, table); v != nil {
		e.Variant, e.Stmt = v, place(e.Stmt, changes)
	}
}

// Limits bound what candidates may use.
type Limits struct {
	// Timeout is how long one may take.
	Timeout time.Duration
	// Passes is how many loop passes and calls of the testee's functions one may make, 0 for any number.
	Passes int64
	// MemoryKB is the address space of a process.
	MemoryKB int
	// Unconfined lets candidates do all that the user may.
	Unconfined bool
	// LazyReset makes package-level variables anew less often where that is slow: candidates may meet what others left behind.
	LazyReset bool
	// SingleCPU gives a process one processor alone: others have the others, and its garbage collector no company.
	SingleCPU bool
	// PanicsPerStack is how many panics with the same stack a process tells; all are counted.
	PanicsPerStack int
}

// DefaultLimits are enough for most.
var DefaultLimits = Limits{Timeout: time.Second, Passes: 1 << 22, MemoryKB: 3 << 19, PanicsPerStack: 3}

// Climb says how to search around candidates that come near the trail: others, without some statements or with other literals, are tried
// where they run.
type Climb struct {
	// Variants is how many are tried in vain before the next candidate, 0 for none, of a candidate that is at most Bound away.
	Variants int
	Bound    float32
	// Time is how long the variants of one candidate may take.
	Time time.Duration
	// Vocabulary is what literals are changed with. Another one takes its place by another pointer.
	Vocabulary *run.Vocabulary
}

// Runner executes batches of candidates, in one process after the other: a candidate that ends its process costs no other.
type Runner struct {
	h      *Harness
	limits Limits
	p      *process
	// Fault is why package-level variables are not made anew, "" if they are.
	Fault string
	// Distances are how near the candidates of the last batch came to the trail, +Inf of one that ended its process, and Stacks
	// what tells their panics apart, 0 if there was none; nil without a trail.
	Distances []float32
	Stacks    []uint64
	// Climb is how to search around the candidates of the batches that come.
	Climb Climb
	// Best are the variants of the last batch's candidates that Distances and Stacks are of, nil where they are the candidate's own.
	// Evaluated is how many candidates and variants were run.
	Best      []Program
	Evaluated int
	// Processes counts the processes so far, Panics the panics.
	Processes, Panics int
}

// NewRunner returns a runner of h's candidates. Close it.
func (h *Harness) NewRunner(limits Limits) *Runner { return &Runner{h: h, limits: limits} }

// Close ends the process.
func (r *Runner) Close() {
	if r.p != nil {
		r.p.end()
		r.p = nil
	}
}

// maxGoroutines is how many goroutines candidates may leave behind before the process is replaced.
const maxGoroutines = 1000

// maxEarly is how many processes may end before they run anything of a batch.
const maxEarly = 2

// Run executes a batch and returns what happened, in no particular order. The error is ctx's, or says that no process can be
// had.
func (r *Runner) Run(ctx context.Context, batch []Program) ([]Event, error) {
	if r.h.reset == ResetProcess && len(batch) == 1 {
		defer r.Close()
	}
	if r.h.reset == ResetProcess && len(batch) > 1 {
		var all []Event
		for i := range batch {
			events, err := r.Run(ctx, batch[i:i+1])
			if err != nil {
				return all, err
			}
			for _, e := range events {
				e.Index = i
				all = append(all, e)
			}
			r.Close()
		}
		return all, nil
	}
	r.Distances, r.Stacks, r.Best, r.Evaluated = make([]float32, len(batch)), make([]uint64, len(batch)), make([]Program, len(batch)), 0
	for i := range r.Distances {
		r.Distances[i] = float32(math.Inf(1))
	}
	var events []Event
	early := 0
	left := make([]int, len(batch)) // indices of candidates yet to run
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		if ctx.Err() != nil {
			return events, ctx.Err()
		}
		if r.p == nil {
			p, err := r.h.start(ctx, r.limits)
			if err != nil {
				return events, err
			}
			r.p = p
			r.Processes++
		}
		rep, died, err := r.p.batch(ctx, left, batch, r.h.Table, r.Climb)
		if err != nil {
			return events, err
		}
		if died == nil {
			r.place(rep, left, batch)
			for i, e := range rep.Events {
				e.Index = left[e.Index]
				e.vary(batch[e.Index], rep.Raw[i].Changes, r.h.Table)
				events = append(events, e)
			}
			r.Panics += rep.Panics
			if r.Fault == "" {
				r.Fault = rep.Fault
			}
			if rep.Goroutines > maxGoroutines {
				r.Close()
			}
			return events, nil
		}
		// Who ended the process is out of the batch, and the others run again.
		r.p = nil
		if died.Index < 0 || died.Index >= len(left) {
			// It was what an earlier batch left behind, if there was one.
			if early++; early > maxEarly {
				return events, fmt.Errorf("the process ends before it runs anything: %s", firstLines(died.Text))
			}
			continue
		}
		at := left[died.Index]
		left = append(left[:died.Index], left[died.Index+1:]...)
		died.Index = at
		if died.Variant != nil {
			r.Evaluated++
		}
		events = append(events, *died)
	}
	return events, nil
}

// place keeps the distances of the candidates that left lists.
func (r *Runner) place(rep *report, left []int, batch []Program) {
	r.Evaluated += max(rep.Evaluated, len(left))
	if len(rep.Distances) < 4*len(left) || len(rep.Stacks) < 8*len(left) {
		r.Distances, r.Stacks = nil, nil
		return
	}
	for i, at := range left {
		r.Distances[at] = math.Float32frombits(binary.LittleEndian.Uint32(rep.Distances[4*i:]))
		r.Stacks[at] = binary.LittleEndian.Uint64(rep.Stacks[8*i:])
	}
	for _, c := range rep.Changed {
		at := left[c.Index]
		r.Best[at] = batch[at].variant(c.Changes, r.h.Table)
	}
}

func firstLines(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 400 {
		s = s[:400]
	}
	return s
}

// report is run.Report.
type report struct {
	Events     []Event     `json:"-"`
	Raw        []run.Event `json:"events"`
	Panics     int         `json:"panics"`
	Goroutines int         `json:"goroutines"`
	Fault      string      `json:"fault"`
	Distances  []byte      `json:"distances"`
	Stacks     []byte      `json:"stacks"`
	Evaluated  int         `json:"evaluated"`

	Changed []run.Changed `json:"changed"`
}

// process is a running harness.
type process struct {
	cmd     *exec.Cmd
	dir     string
	limits  Limits
	in, out *os.File // our ends of the pipes
	shared  []byte
	// at is the number of the candidate that runs, from 1 on, that of its statement, how many have run, variants too, and the length of
	// what tells the variant.
	at *[4]uint64
	// last is what shared held as the process was gone.
	last   []byte
	knows  *run.Vocabulary
	next   uint64
	stderr *limited
	buf    []byte
}

// maxOutput is how much of what candidates print is kept: the end, where a fatal error stands.
const maxOutput = 1 << 16

// maxFile bounds a file that a candidate writes, in bytes, and maxScratch all files of a process together.
const (
	maxFile    = 64 << 20
	maxScratch = 512 << 20
)

// start starts a process.
func (h *Harness) start(ctx context.Context, limits Limits) (*process, error) {
	dir, err := h.scratch()
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, limits: limits, stderr: &limited{}}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childIn.Close()
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer childOut.Close()
	p.in, p.out = in, out
	shared, err := os.Create(filepath.Join(dir, ".progress"))
	if err != nil {
		return nil, err
	}
	defer shared.Close()
	if err := shared.Truncate(run.SharedSize); err != nil {
		return nil, err
	}
	if p.shared, err = syscall.Mmap(int(shared.Fd()), 0, run.SharedSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err != nil {
		return nil, err
	}
	p.at = (*[4]uint64)(unsafe.Pointer(&p.shared[0]))
	rules := confine.Rules{Dir: dir, MemoryKB: int64(limits.MemoryKB), FileBytes: maxFile, Unconfined: limits.Unconfined,
		Env: []string{fmt.Sprintf("%s=%d", run.SameVariable, limits.PanicsPerStack)}}
	if limits.Passes > 0 {
		rules.Env = append(rules.Env, fmt.Sprintf("%s=%d", run.PassesVariable, limits.Passes))
	}
	if limits.SingleCPU {
		rules.Env = append(rules.Env, "GOMAXPROCS=1")
	}
	if limits.LazyReset {
		rules.Env = append(rules.Env, run.LazyVariable+"=1")
	}
	if p.cmd, err = confine.Command(ctx, rules, h.bin); err != nil {
		return nil, err
	}
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{childIn, childOut, shared}
	overlay.Group(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// batch runs the candidates of all that left lists. died says who ended the process, by its index in left, -1 if none had
// begun.
func (p *process) batch(ctx context.Context, left []int, all []Program, table []*Op, climb Climb) (rep *report, died *Event, err error) {
	var words []byte
	if climb.Variants > 0 && climb.Vocabulary != p.knows {
		if words, err = climb.Vocabulary.Encode(); err != nil {
			return nil, nil, err
		}
		p.knows = climb.Vocabulary
	}
	p.buf = append(p.buf[:0], make([]byte, run.HeadSize)...)
	p.buf = append(p.buf, words...)
	for _, i := range left {
		p.buf = all[i].Append(p.buf, table)
	}
	binary.LittleEndian.PutUint32(p.buf[0:], uint32(len(p.buf)-run.HeadSize-len(words)))
	binary.LittleEndian.PutUint32(p.buf[4:], uint32(len(left)))
	binary.LittleEndian.PutUint64(p.buf[8:], p.next)
	binary.LittleEndian.PutUint32(p.buf[16:], uint32(climb.Variants))
	binary.LittleEndian.PutUint32(p.buf[20:], math.Float32bits(climb.Bound))
	binary.LittleEndian.PutUint32(p.buf[24:], uint32(len(words)))
	binary.LittleEndian.PutUint32(p.buf[28:], uint32(climb.Time.Microseconds()))
	first := p.next
	p.next += uint64(len(left))
	begin := time.Now()
	stop := p.watch()
	_, err = p.in.Write(p.buf)
	if err == nil {
		rep, err = p.read()
	}
	hung := stop()
	if err == nil {
		return rep, nil, nil
	}
	// The process is gone, or not worth keeping.
	state := p.kill()
	running, stmt := binary.NativeEndian.Uint64(p.last[0:]), binary.NativeEndian.Uint64(p.last[8:])
	changes := run.ReadChanges(p.last)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	died = &Event{Index: int(running) - 1 - int(first), Kind: "fatal", Stmt: int(stmt), Text: p.stderr.String(), Took: time.Since(begin)}
	if died.Index >= 0 && died.Index < len(left) {
		died.vary(all[left[died.Index]], changes, table)
	}
	switch {
	case hung:
		died.Kind = "hang"
	case state != nil && state.Exited() && !strings.Contains(died.Text, "fatal error: ") && !strings.Contains(died.Text, "panic: "):
		died.Kind = "exit"
		died.Text = fmt.Sprintf("exit status %d", state.ExitCode())
	}
	return nil, died, nil
}

// read reads what became of a batch.
func (p *process) read() (*report, error) {
	var head [4]byte
	if _, err := io.ReadFull(p.out, head[:]); err != nil {
		return nil, err
	}
	text := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(p.out, text); err != nil {
		return nil, err
	}
	var rep report
	if err := json.Unmarshal(text, &rep); err != nil {
		return nil, err
	}
	for _, e := range rep.Raw {
		rep.Events = append(rep.Events, Event{Index: e.Index, Kind: e.Kind, Stmt: e.Stmt, Text: e.Text, StackKey: e.Key, Blocks: e.Blocks, ImprovedGoals: e.Near, Nil: e.Nil,
			Called: e.Called, PreChecked: e.Judged, PreHeld: e.Met,
			Took: time.Duration(e.Millis) * time.Millisecond})
	}
	return &rep, nil
}

// watch stops the process if one candidate takes too long; the function returned ends the watch and says whether it did.
func (p *process) watch() (stop func() bool) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	hung := false
	wg.Add(1)
	go func() {
		defer wg.Done()
		tick := time.NewTicker(p.limits.Timeout / 4)
		defer tick.Stop()
		last, since := uint64(0), time.Now()
		for {
			select {
			case <-done:
				return
			case now := <-tick.C:
				if n := atomic.LoadUint64(&p.at[2]); n != last {
					last, since = n, now
				}
				if now.Sub(since) >= p.limits.Timeout || size(p.dir) > maxScratch {
					hung = true
					syscall.Kill(p.cmd.Process.Pid, syscall.SIGQUIT) // prints where it hangs
					time.Sleep(50 * time.Millisecond)
					syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
					return
				}
			}
		}
	}()
	return func() bool { close(done); wg.Wait(); return hung }
}

// size is how much the files below a directory take.
func size(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if st, err := d.Info(); err == nil {
				n += st.Size() + 4096
			}
		}
		if n > maxScratch {
			return filepath.SkipAll
		}
		return nil
	})
	return n
}

// kill ends the process and cleans up after it.
func (p *process) kill() *os.ProcessState {
	if p.shared == nil { // it was killed as the time was over
		return p.cmd.ProcessState
	}
	p.in.Close()
	time.AfterFunc(100*time.Millisecond, func() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	err := p.cmd.Wait()
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // what it started
	p.out.Close()
	p.last = bytes.Clone(p.shared) // nobody writes it any more
	syscall.Munmap(p.shared)
	p.shared = nil
	os.RemoveAll(p.dir)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil
	}
	return p.cmd.ProcessState
}

// end lets the process end by itself.
func (p *process) end() { p.kill() }

// limited keeps the beginning and the end of what is written.
type limited struct {
	mu   sync.Mutex
	head bytes.Buffer
	tail []byte
}

func (l *limited) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(b)
	if room := maxOutput - l.head.Len(); room > 0 {
		k := min(room, len(b))
		l.head.Write(b[:k])
		b = b[k:]
	}
	if l.tail = append(l.tail, b...); len(l.tail) > 2*maxOutput {
		l.tail = append([]byte(nil), l.tail[len(l.tail)-maxOutput:]...)
	}
	return n, nil
}

func (l *limited) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head.String() + string(l.tail)
}
