package candidate

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
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

	"dsd/crash/candidate/run"
	"dsd/internal/confine"
	"dsd/internal/subprocess"
)

// process is a running harness. Batches go to it and reports come back through two pipes; its
// progress stands in shared memory. The protocol is documented in run/protocol.go.
type process struct {
	cmd      *exec.Cmd
	dir      string // scratch directory
	limits   Limits
	in, out  *os.File // our ends of the pipes
	shared   []byte   // nil after kill
	progress *run.Progress
	stderr   *headAndTail
	next     uint64          // number of the next candidate
	knows    *run.Vocabulary // the vocabulary that was sent last
	buf      []byte
	// last is a copy of shared, made after the process ended.
	last []byte
	// ended is where the processor time of the process is added when it has ended; nil for nowhere.
	ended *time.Duration
}

const (
	// maxOutput is the number of bytes that are kept of the beginning and of the end of what
	// candidates print; a fatal error stands at the end.
	maxOutput = 64 << 10
	// maxFile is the size of the largest file that a candidate may write, in bytes.
	maxFile = 64 << 20
	// maxScratch is the size of all files of a process, in bytes; a process that exceeds it is
	// killed.
	maxScratch = 512 << 20
	// fileOverhead is what a file counts besides its contents, in bytes.
	fileOverhead = 4096
)

const (
	// dumpTime is how long a hung process may take to print its stacks.
	dumpTime = 50 * time.Millisecond
	// exitTime is how long a process may take to end when its input ends.
	exitTime = 100 * time.Millisecond
)

// start starts a process.
func (h *Harness) start(ctx context.Context, limits Limits) (*process, error) {
	dir, err := h.scratch()
	if err != nil {
		return nil, err
	}
	p := &process{dir: dir, limits: limits, stderr: &headAndTail{}}
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
	shared, err := sharedFile(dir)
	if err != nil {
		return nil, err
	}
	defer shared.Close()
	const readWrite = syscall.PROT_READ | syscall.PROT_WRITE
	p.shared, err = syscall.Mmap(int(shared.Fd()), 0, run.SharedSize, readWrite,
		syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	p.progress = run.ProgressOf(p.shared)
	rules := confine.Rules{
		Files: 3,
		Dir:   dir, Env: environment(limits), Read: h.over.Readable(), Unconfined: limits.Unconfined,
		MemoryKB: int64(limits.MemoryKB), FileBytes: maxFile,
	}
	if p.cmd, err = confine.Command(ctx, rules, h.bin); err != nil {
		return nil, err
	}
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{childIn, childOut, shared} // descriptors 3, 4 and 5
	subprocess.KillGroup(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, nil
}

// environment returns the variables that configure the runtime.
func environment(limits Limits) []string {
	debug := "GODEBUG=randautoseed=0" // math/rand draws the same numbers each time
	if limits.Repeatable {
		debug += ",gcstoptheworld=2" // the collector runs when so much is allocated, and at once
	}
	env := []string{fmt.Sprintf("%s=%d", run.SameVariable, limits.PanicsPerStack), debug}
	if limits.Passes > 0 {
		env = append(env, fmt.Sprintf("%s=%d", run.PassesVariable, limits.Passes))
	}
	if limits.SingleCPU {
		env = append(env, "GOMAXPROCS=1")
	}
	if len(limits.Numbers) > 0 {
		env = append(env, run.NumbersVariable+"="+strings.Trim(fmt.Sprint(limits.Numbers), "[]"))
	}
	if limits.LazyReset {
		env = append(env, run.LazyVariable+"=1")
	}
	return env
}

// batch runs the candidates of all that left lists. If one of them ends the process, died describes
// it; died.Index is its index in left, or -1 if none had begun.
func (p *process) batch(
	ctx context.Context, left []int, all []Program, table []*Op, r *Runner,
) (rep *run.Report, died *Event, err error) {
	if err := p.encode(left, all, table, r); err != nil {
		return nil, nil, err
	}
	first := p.next
	p.next += uint64(len(left))
	begin := time.Now()
	stop := p.watch()
	_, err = p.in.Write(p.buf)
	if err == nil {
		rep, err = readReport(p.out)
	}
	killed := stop()
	if err == nil {
		return rep, nil, nil
	}
	// The process is dead, or cannot be talked to.
	state := p.kill()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	progress := run.ProgressOf(p.last)
	died = &Event{
		Index: int(progress.Candidate) - 1 - int(first), Stmt: int(min(progress.Stmt, math.MaxInt32)),
		Kind: run.KindFatal, Text: p.stderr.String(), Took: time.Since(begin),
	}
	if died.Index >= 0 && died.Index < len(left) {
		died.Stmt = min(died.Stmt, len(all[left[died.Index]]))
		died.setVariant(all[left[died.Index]], run.ReadChanges(p.last), table)
	}
	if strings.HasPrefix(died.Text, runtimeFault) {
		died.Text = "fatal error: out of memory: the runtime did not get any\n\n" + died.Text
	}
	crashed := strings.Contains(died.Text, "fatal error: ") ||
		strings.Contains(died.Text, "panic: ")
	switch {
	case killed == killedForMemory:
		died.Text = fmt.Sprintf("fatal error: out of memory: the process used more than %d MiB\n\n%s",
			p.limits.MemoryKB>>10, died.Text)
	case killed == killedForTime && !outOfMemory(died):
		died.Kind, died.Killed = run.KindHang, true
	case state != nil && state.Exited() && !crashed:
		died.Kind = run.KindExit
		died.Text = fmt.Sprintf("exit status %d", state.ExitCode())
	}
	return nil, died, nil
}

// runtimeFault begins what a process prints whose garbage collector dereferences nil: that of Go 1.26
// does if it gets no memory for its queues.
const runtimeFault = "SIGSEGV: segmentation violation"

// encode fills buf with a batch: a run.Head, the vocabulary if the process does not know it, and
// the candidates.
func (p *process) encode(left []int, all []Program, table []*Op, r *Runner) error {
	climb := r.Climb
	var vocabulary []byte
	if climb.Variants > 0 && climb.Vocabulary != p.knows {
		var err error
		if vocabulary, err = climb.Vocabulary.Encode(); err != nil {
			return err
		}
		p.knows = climb.Vocabulary
	}
	p.buf = append(p.buf[:0], make([]byte, run.HeadSize)...)
	p.buf = append(p.buf, vocabulary...)
	for _, i := range left {
		// The variants of a candidate must not depend on which process runs it.
		p.buf = binary.AppendUvarint(p.buf, r.sent+uint64(i))
		p.buf = all[i].Append(p.buf, table)
	}
	head := run.Head{
		Size:  uint32(len(p.buf) - run.HeadSize - len(vocabulary)),
		Count: uint32(len(left)), First: p.next,
		Variants: uint32(climb.Variants), Bound: climb.Bound, Time: climb.Time,
		VocabularySize: uint32(len(vocabulary)), Target: uint32(r.Target),
		All: r.AllTargets,
	}
	head.Put(p.buf)
	return nil
}

// killedFor says why watch killed a process.
type killedFor uint8

const (
	notKilled       killedFor = iota
	killedForTime             // a candidate took too long, or its files grew too large
	killedForMemory           // it used more memory than Limits.MemoryKB
)

// memoryTick is the time between two looks at the memory of a process. Resource limits do not bound
// it: the Go runtime reserves address space first, and the kernel does not count what it later uses
// of that.
//
// What they do bound ends a process at the same statement each time. So the watch allows a quarter
// more, and ends only those that the limits let pass.
const memoryTick = 20 * time.Millisecond

// A candidate that waits may take idleFactor times Limits.Timeout, less the time for which its process was ready to
// run: a busy machine must not decide which candidates end. One whose process gets no processor may take
// starvedFactor times the limit of processor time.
const (
	idleFactor    = 3
	starvedFactor = 30
)

// exceeded reports whether a candidate has run too long: it began some time ago, its process used the processor for cpu,
// and was queued for it.
func (l *Limits) exceeded(ago, cpu, queued time.Duration) bool {
	processor := l.Timeout
	if l.Processor > 0 {
		processor = l.Processor
	}
	waited := ago - cpu - queued
	return cpu >= processor || waited >= idleFactor*l.Timeout || ago >= starvedFactor*processor
}

// watch starts to watch the process, and kills it if one candidate takes too long, its files grow
// too large, or it uses too much memory. The function returned ends the watch and says whether, and
// why, the process was killed.
func (p *process) watch() (stop func() killedFor) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	killed := notKilled
	wg.Add(1)
	go func() {
		defer wg.Done()
		tick := time.NewTicker(p.limits.Timeout / 4)
		defer tick.Stop()
		memory := time.NewTicker(memoryTick)
		defer memory.Stop()
		queue := newQueueClock(p.cmd.Process.Pid)
		last, since, used, queued := uint64(0), time.Now(), cpuTime(p.cmd.Process.Pid), time.Duration(-1)
		for {
			select {
			case <-done:
				return
			case <-memory.C:
				if queued < 0 { // most batches end before: reading that clock takes as long as hundreds of candidates
					queued = queue.read()
				}
				if most := p.limits.MemoryKB; most > 0 && int(subprocess.Resident(p.cmd.Process.Pid)>>10) > most+most/4 {
					killed = killedForMemory
					syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
					return
				}
			case now := <-tick.C:
				cpu, q := cpuTime(p.cmd.Process.Pid), queue.read()
				if queued < 0 {
					queued = q
				}
				if n := atomic.LoadUint64(&p.progress.Evaluated); n != last {
					last, since, used, queued = n, now, cpu, q
				}
				late := p.limits.exceeded(now.Sub(since), cpu-used, q-queued)
				if late || size(p.dir)+unnamed(p.cmd.Process.Pid) > maxScratch {
					killed = killedForTime
					// print stacks
					syscall.Kill(p.cmd.Process.Pid, syscall.SIGQUIT)
					time.Sleep(dumpTime)
					syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
					return
				}
			}
		}
	}()
	return func() killedFor { close(done); wg.Wait(); return killed }
}

// unnamed returns the size of the files that a process has open and that have no name any more, in bytes.
func unnamed(pid int) (n int64) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	for _, e := range entries {
		st, err := os.Stat(filepath.Join(dir, e.Name()))
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		if sys, ok := st.Sys().(*syscall.Stat_t); ok && sys.Nlink == 0 && st.Size() != run.SharedSize {
			n += st.Size()
		}
	}
	return n
}

// size returns the size of the files below a directory, in bytes. Beyond maxScratch it stops
// counting.
func size(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			n += fileOverhead
			if st, err := d.Info(); err == nil && st.Mode().IsRegular() {
				n += st.Size()
			}
		}
		if n > maxScratch {
			return filepath.SkipAll
		}
		return nil
	})
	return n
}

// kill ends the process, by itself if it can, and removes its files. It returns how the process
// ended, nil if that is unknown.
func (p *process) kill() *os.ProcessState {
	if p.shared == nil { // it is dead already, as ctx ended while a batch ran
		return p.cmd.ProcessState
	}
	p.in.Close()
	time.AfterFunc(exitTime, func() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) })
	err := p.cmd.Wait()
	if state := p.cmd.ProcessState; state != nil && p.ended != nil {
		*p.ended += state.UserTime() + state.SystemTime()
	}
	syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // the processes that it started
	p.out.Close()
	p.last = bytes.Clone(p.shared)
	syscall.Munmap(p.shared)
	p.shared = nil
	os.RemoveAll(p.dir)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil
	}
	return p.cmd.ProcessState
}

// headAndTail is a writer that keeps the first maxOutput bytes, and at least the last maxOutput
// bytes of the rest.
type headAndTail struct {
	mu   sync.Mutex
	head bytes.Buffer
	tail []byte
}

func (l *headAndTail) Write(b []byte) (int, error) {
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

func (l *headAndTail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head.String() + string(l.tail)
}
