package candidate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
	"unsafe"
)

// cpuTime returns the processor time that a process has used; 0 if it is not known. Whether a
// candidate takes too long must not depend on what else runs on the machine.
func cpuTime(pid int) time.Duration {
	const (
		perProcess = 2 // CPUCLOCK_SCHED
		shift      = 3
	)
	var ts syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(^pid<<shift|perProcess),
		uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0
	}
	return time.Duration(ts.Nano())
}

// A queueClock measures how long the threads of a process were ready to run and had no processor, in all. The kernel
// forgets threads that end, which a process that becomes another program does with all but one: so the clock must be
// read now and then.
type queueClock struct {
	pid     int
	sum     time.Duration
	threads map[string]time.Duration // by the name of the kernel's file
}

func newQueueClock(pid int) *queueClock {
	return &queueClock{pid: pid, threads: map[string]time.Duration{}}
}

// read returns the time since some moment; it never decreases, and stays the same if nothing is known.
func (c *queueClock) read() time.Duration {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", c.pid))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		if f := bytes.Fields(text); len(f) == 3 { // nanoseconds run, nanoseconds queued, slices
			n, _ := strconv.ParseInt(string(f[1]), 10, 64)
			queued := time.Duration(n)
			c.sum += max(0, queued-c.threads[file])
			c.threads[file] = queued
		}
	}
	return c.sum
}
