package confine

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// The filter of system calls is a program for the kernel's packet filter that runs before each
// call; see seccomp(2). It loads words of struct seccomp_data and jumps by their values.

// instruction is a struct sock_filter. A jump skips jt instructions if its test holds, and jf if
// not.
type instruction struct {
	code   uint16
	jt, jf uint8
	k      uint32
}

const (
	// Codes of instructions. A is the accumulator.
	loadWord = 0x20 // A = the word at offset k
	jumpEq   = 0x15 // A == k
	jumpGe   = 0x35 // A >= k
	jumpSet  = 0x45 // A & k != 0
	ret      = 0x06 // return k

	// Results of the filter.
	retAllow = 0x7fff0000
	retErrno = 0x00050000 // plus the error number
	retKill  = 0x80000000

	// Offsets in struct seccomp_data.
	offNumber = 0
	offArch   = 4
	offArg0   = 16 // the lower half of the first argument

	// x32Bit is set in the numbers of calls with the x32 calling convention of amd64.
	x32Bit = 0x40000000
	// cloneThread is the flag CLONE_THREAD.
	cloneThread = 0x10000

	prSetSeccomp = 22 // PR_SET_SECCOMP
	modeFilter   = 2  // SECCOMP_MODE_FILTER
)

// callTable holds the system calls that are filtered, by their numbers on a processor.
type callTable struct {
	arch uint32 // as in struct seccomp_data
	// clone makes threads, which are allowed, and processes, which are not.
	clone uint32
	// signals are calls whose first argument is the process that gets a signal: only the
	// process itself is allowed.
	signals []uint32
	// absent are calls that fail as if the kernel did not know them, so that programs do
	// without.
	absent []uint32
	// denied are calls that fail as not permitted.
	denied []uint32
}

// Numbers of calls that are the same on all processors.
const (
	sysPidfdSendSignal = 424
	sysIOUringSetup    = 425
	sysIOUringEnter    = 426
	sysIOUringRegister = 427
	sysPidfdOpen       = 434
	sysClone3          = 435
	sysPidfdGetfd      = 438
	sysFchmodat2       = 452
)

// seccomp filters the calls of this process, and of the program that it becomes, by the table of
// the processor.
func seccomp() error {
	p := filter(processor, uint32(os.Getpid()))
	prog := struct {
		n    uint16
		list *instruction
	}{uint16(len(p)), &p[0]}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetSeccomp, modeFilter,
		uintptr(unsafe.Pointer(&prog)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}

// filter returns the filter of a table for the process pid.
func filter(t *callTable, pid uint32) []instruction {
	var p []instruction
	add := func(code uint16, k uint32, jt, jf uint8) {
		p = append(p, instruction{code, jt, jf, k})
	}
	fail := func(errno syscall.Errno) { add(ret, retErrno|uint32(errno), 0, 0) }
	add(loadWord, offArch, 0, 0)
	add(jumpEq, t.arch, 1, 0)
	add(ret, retKill, 0, 0)
	add(loadWord, offNumber, 0, 0)
	add(jumpGe, x32Bit, 0, 1)
	fail(syscall.EPERM)
	add(jumpEq, t.clone, 0, 4)
	add(loadWord, offArg0, 0, 0)
	add(jumpSet, cloneThread, 1, 0)
	fail(syscall.EPERM)
	add(ret, retAllow, 0, 0)
	for _, n := range t.signals {
		add(jumpEq, n, 0, 4)
		add(loadWord, offArg0, 0, 0)
		add(jumpEq, pid, 1, 0)
		fail(syscall.EPERM)
		add(ret, retAllow, 0, 0)
	}
	for _, n := range t.absent {
		add(jumpEq, n, 0, 1)
		fail(syscall.ENOSYS)
	}
	for _, n := range t.denied {
		add(jumpEq, n, 0, 1)
		fail(syscall.EPERM)
	}
	add(ret, retAllow, 0, 0)
	return p
}
