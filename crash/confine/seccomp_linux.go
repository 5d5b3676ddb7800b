package confine

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// A filter of system calls, as a program of the kernel's packet filter; see seccomp(2).

type instruction struct {
	code   uint16
	jt, jf uint8
	k      uint32
}

// Codes of instructions.
const (
	loadWord = 0x20 // A = the word at k
	jumpEq   = 0x15
	jumpGe   = 0x35
	jumpSet  = 0x45
	ret      = 0x06

	retAllow = 0x7fff0000
	retErrno = 0x00050000
	retKill  = 0x80000000

	offNumber = 0
	offArch   = 4
	offArg0   = 16 // its lower half
)

// table is what differs between processors.
type table struct {
	arch uint32
	// clone is the call that makes threads, which are allowed, and processes, which are not.
	clone uint32
	// signals are calls whose first argument is the process that gets a signal: only itself is allowed.
	signals []uint32
	// absent are calls that programs do without if the kernel does not know them, denied those that fail.
	absent, denied []uint32
}

// threads is the flag that a clone of a thread has.
const threads = 0x10000

// seccomp lets the calls of the table fail, from now on and in what this process becomes.
func seccomp() error {
	var p []instruction
	add := func(code uint16, k uint32, jt, jf uint8) { p = append(p, instruction{code, jt, jf, k}) }
	fail := func(errno syscall.Errno) { add(ret, retErrno|uint32(errno), 0, 0) }
	add(loadWord, offArch, 0, 0)
	add(jumpEq, calls.arch, 1, 0)
	add(ret, retKill, 0, 0)
	add(loadWord, offNumber, 0, 0)
	add(jumpGe, 0x40000000, 0, 1) // another calling convention
	fail(syscall.EPERM)
	add(jumpEq, calls.clone, 0, 4)
	add(loadWord, offArg0, 0, 0)
	add(jumpSet, threads, 1, 0)
	fail(syscall.EPERM)
	add(ret, retAllow, 0, 0)
	for _, n := range calls.signals {
		add(jumpEq, n, 0, 4)
		add(loadWord, offArg0, 0, 0)
		add(jumpEq, uint32(os.Getpid()), 1, 0)
		fail(syscall.EPERM)
		add(ret, retAllow, 0, 0)
	}
	for _, n := range calls.absent {
		add(jumpEq, n, 0, 1)
		fail(syscall.ENOSYS)
	}
	for _, n := range calls.denied {
		add(jumpEq, n, 0, 1)
		fail(syscall.EPERM)
	}
	add(ret, retAllow, 0, 0)
	prog := struct {
		n    uint16
		list *instruction
	}{uint16(len(p)), &p[0]}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, 22 /* PR_SET_SECCOMP */, 2 /* filter */, uintptr(unsafe.Pointer(&prog)), 0, 0, 0); errno != 0 {
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}

// Calls whose numbers are the same everywhere.
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
