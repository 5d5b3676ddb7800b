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
	argSize   = 8

	// x32Bit is set in the numbers of calls with the x32 calling convention of amd64.
	x32Bit = 0x40000000
	// cloneThread is the flag CLONE_THREAD.
	cloneThread = 0x10000
	// mapShared and mapAnonymous are flags of mmap.
	mapShared, mapAnonymous = 0x1, 0x20

	prSetSeccomp = 22 // PR_SET_SECCOMP
	modeFilter   = 2  // SECCOMP_MODE_FILTER
)

// callTable holds the system calls that Go's runtime, the standard library and C's need, by their numbers on a
// processor. Every other call is refused.
type callTable struct {
	arch uint32 // as in struct seccomp_data
	// clone makes threads, which are allowed, and processes, which are not. prlimit changes limits: those of the
	// process itself only. fcntl, ioctl, prctl and mmap are allowed for the operations listed below.
	clone, prlimit, fcntl, ioctl, prctl, mmap uint32
	// signals are calls whose first argument is the process that gets a signal: only the
	// process itself is allowed.
	signals []uint32
	// ignored are calls that do nothing and succeed: a lock of a file, which others would notice.
	ignored []uint32
	// absent are calls that fail as if the kernel did not know them, so that programs do
	// without. So do calls that are newer than the table.
	absent []uint32
	// allowed are the calls that are harmless here whatever their arguments.
	allowed []uint32
}

// Numbers of calls that are the same on all processors.
const (
	sysIOUringSetup    = 425
	sysIOUringEnter    = 426
	sysIOUringRegister = 427
	sysClone3          = 435
	sysCloseRange      = 436
	sysOpenat2         = 437
	sysFaccessat2      = 439
	sysEpollPwait2     = 441
	sysFutexWake       = 454
	sysFutexWait       = 455
	sysFutexRequeue    = 456
	sysNewer           = 451 // from here on, a call that is not in the table is unknown
)

// The operations of fcntl, ioctl and prctl that are allowed, and those of fcntl that are ignored: locks.
var (
	fcntls = []uint32{
		syscall.F_DUPFD, syscall.F_GETFD, syscall.F_SETFD, syscall.F_GETFL, syscall.F_SETFL, syscall.F_GETLK,
		1030, // F_DUPFD_CLOEXEC
		1032, // F_GETPIPE_SZ
		1034, // F_GET_SEALS
	}
	locks  = []uint32{syscall.F_SETLK, syscall.F_SETLKW, 37, 38} // the last two are of open file descriptions
	ioctls = []uint32{
		0x5401, // TCGETS: is it a terminal?
		0x5413, // TIOCGWINSZ: its size
		0x541b, // FIONREAD
		0x5421, // FIONBIO
		0x5451, // FIOCLEX
	}
	prctls = []uint32{
		15, 16, // PR_SET_NAME, PR_GET_NAME
		21, 39, // PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS
		3,          // PR_GET_DUMPABLE
		0x53564d41, // PR_SET_VMA: the runtime names its memory
	}
)

// seccomp filters the calls of this process, and of the program that it becomes, by the table of
// the processor. If somebody watches at a socket, which is not -1, refused calls are told there.
func seccomp(socket int) error {
	type program struct {
		n    uint16
		list *instruction
	}
	if socket >= 0 {
		p := filter(processor, uint32(os.Getpid()), socket)
		if announce(socket, unsafe.Pointer(&program{uint16(len(p)), &p[0]})) {
			return nil
		}
	}
	p := filter(processor, uint32(os.Getpid()), -1)
	prog := program{uint16(len(p)), &p[0]}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetSeccomp, modeFilter,
		uintptr(unsafe.Pointer(&prog)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("filtering system calls: %w", errno)
	}
	return nil
}

// filter returns the filter of a table for the process pid. If a socket is not -1, the filter asks about calls that it
// refuses, and lets that socket send.
func filter(t *callTable, pid uint32, socket int) []instruction {
	var p []instruction
	add := func(code uint16, k uint32, jt, jf uint8) {
		p = append(p, instruction{code, jt, jf, k})
	}
	fail := func(errno syscall.Errno) {
		if errno == syscall.EPERM && socket >= 0 {
			add(ret, retNotify, 0, 0)
			return
		}
		add(ret, retErrno|uint32(errno), 0, 0)
	}
	allow := func() { add(ret, retAllow, 0, 0) }
	// only handles call n by its argument at an offset: it is allowed if that is one of a list, and succeeds without
	// effect if it is one of ignored.
	only := func(n, offset uint32, list, ignored []uint32) {
		add(jumpEq, n, 0, uint8(2+2*(len(list)+len(ignored))))
		add(loadWord, offset, 0, 0)
		for _, k := range list {
			add(jumpEq, k, 0, 1)
			allow()
		}
		for _, k := range ignored {
			add(jumpEq, k, 0, 1)
			fail(0)
		}
		fail(syscall.EPERM)
	}
	add(loadWord, offArch, 0, 0)
	add(jumpEq, t.arch, 1, 0)
	add(ret, retKill, 0, 0)
	add(loadWord, offNumber, 0, 0)
	add(jumpGe, x32Bit, 0, 1)
	fail(syscall.EPERM)
	for _, n := range t.allowed {
		add(jumpEq, n, 0, 1)
		allow()
	}
	add(jumpEq, t.clone, 0, 4)
	add(loadWord, offArg0, 0, 0)
	add(jumpSet, cloneThread, 1, 0)
	fail(syscall.EPERM)
	allow()
	add(jumpEq, t.mmap, 0, 5) // no shared memory without a file: no limit counts it
	add(loadWord, offArg0+3*argSize, 0, 0)
	add(jumpSet, mapShared, 0, 2)
	add(jumpSet, mapAnonymous, 0, 1)
	fail(syscall.EPERM)
	allow()
	for _, n := range t.signals {
		only(n, offArg0, []uint32{pid}, nil)
	}
	if socket >= 0 {
		only(syscall.SYS_SENDMSG, offArg0, []uint32{uint32(socket)}, nil)
	}
	only(t.prlimit, offArg0, []uint32{0, pid}, nil)
	only(t.fcntl, offArg0+argSize, fcntls, locks)
	only(t.ioctl, offArg0+argSize, ioctls, nil)
	only(t.prctl, offArg0, prctls, nil)
	for _, n := range t.ignored {
		add(jumpEq, n, 0, 1)
		fail(0)
	}
	for _, n := range t.absent {
		add(jumpEq, n, 0, 1)
		fail(syscall.ENOSYS)
	}
	add(jumpGe, sysNewer, 0, 1)
	fail(syscall.ENOSYS)
	fail(syscall.EPERM)
	return p
}
