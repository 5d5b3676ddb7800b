package attacks

import (
	"os"
	"os/exec"
	"syscall"
)

// The filter of system calls lets a process signal, limit and schedule itself only, and make threads only.

func parent() uintptr { return uintptr(os.Getppid()) }

// Exec starts a program.
func Exec() {
	if through(func() error { return exec.Command("/bin/true").Run() }) {
		panic("got through")
	}
}

// Fork makes a process.
func Fork() {
	if through(func() error {
		pid, _, errno := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return nil
	}) {
		panic("got through")
	}
}

// ForkNamespace makes one with rights of its own over namespaces.
func ForkNamespace() {
	if through(func() error {
		pid, _, errno := syscall.RawSyscall(syscall.SYS_CLONE, syscall.CLONE_NEWUSER|uintptr(syscall.SIGCHLD), 0, 0)
		if errno != 0 {
			return errno
		}
		if pid == 0 {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
		return nil
	}) {
		panic("got through")
	}
}

// SignalParent signals the parent.
func SignalParent() {
	if through(func() error { return syscall.Kill(os.Getppid(), 0) }) {
		panic("got through")
	}
}

// SignalOwner signals another process of the user.
func SignalOwner() {
	if through(func() error { return syscall.Kill(owner, 0) }) {
		panic("got through")
	}
}

// SignalAll signals all processes.
func SignalAll() {
	if through(func() error { return syscall.Kill(-1, 0) }) {
		panic("got through")
	}
}

// SignalGroup signals the processes of the terminal's group.
func SignalGroup() {
	if through(func() error { return syscall.Kill(0, 0) }) {
		panic("got through")
	}
}

// SignalThread signals a thread of the parent.
func SignalThread() {
	if through(func() error { return call(syscall.SYS_TGKILL, parent(), parent(), 0) }) {
		panic("got through")
	}
}

// QueueSignal sends the parent a signal with a value.
func QueueSignal() {
	if through(func() error { return call(129, parent(), 0, words()) }) {
		panic("got through")
	}
}

// OpenProcess gets a file for the parent, by which it can be signalled.
func OpenProcess() {
	if through(func() error { return call(434, parent(), 0) }) {
		panic("got through")
	}
}

// OutliveParent asks not to be killed with its parent.
func OutliveParent() {
	if through(func() error { return call(syscall.SYS_PRCTL, 1, 0, 0, 0, 0) }) {
		panic("got through")
	}
}

// Trace becomes the parent's debugger.
func Trace() {
	if through(func() error { return syscall.PtraceAttach(os.Getppid()) }) {
		panic("got through")
	}
}

// TraceMe asks the parent to be its debugger.
func TraceMe() {
	if through(func() error { return call(syscall.SYS_PTRACE, 0, 0, 0, 0) }) {
		panic("got through")
	}
}

// WriteParentMemory copies into the parent's memory.
func WriteParentMemory() {
	if through(func() error { return call(311, parent(), words(), 1, words(), 1, 0) }) {
		panic("got through")
	}
}

// LimitParent limits the parent.
func LimitParent() {
	if through(func() error { return call(302, parent(), syscall.RLIMIT_NOFILE, words(), 0) }) {
		panic("got through")
	}
}

// ParentLimits asks for the parent's limits.
func ParentLimits() {
	if through(func() error { return call(302, parent(), 6, 0, words()) }) {
		panic("got through")
	}
}

// SlowParent lets the parent run last.
func SlowParent() {
	if through(func() error { return call(syscall.SYS_SETPRIORITY, 0, parent(), 19) }) {
		panic("got through")
	}
}

// ScheduleParent changes how the parent is scheduled.
func ScheduleParent() {
	if through(func() error { return call(syscall.SYS_SCHED_SETSCHEDULER, parent(), 0, words()) }) {
		panic("got through")
	}
}

// ScheduleParentParam changes its priority there.
func ScheduleParentParam() {
	if through(func() error { return call(syscall.SYS_SCHED_SETPARAM, parent(), words()) }) {
		panic("got through")
	}
}

// PinParent lets the parent run on the processors that it chooses: here, all.
func PinParent() {
	if through(func() error {
		all := new([128]byte)
		for i := range all {
			all[i] = 0xff
		}
		kept = append(kept, all)
		return call(syscall.SYS_SCHED_SETAFFINITY, parent(), uintptr(len(all)), addr(all))
	}) {
		panic("got through")
	}
}

// DiskParent lets the parent's disk requests wait.
func DiskParent() {
	if through(func() error { return call(251, 1, parent(), 3<<13) }) {
		panic("got through")
	}
}

// MovePages moves the parent's memory to other processors' memory.
func MovePages() {
	if through(func() error { return call(279, parent(), 0, 0, 0, 0, 2) }) {
		panic("got through")
	}
}

// Compare asks what it shares with the parent.
func Compare() {
	if through(func() error { return call(312, parent(), parent(), 0, 0, 0) }) {
		panic("got through")
	}
}

// Group moves the process to another group.
func Group() {
	if through(func() error { return call(syscall.SYS_SETPGID, 0, 0) }) {
		panic("got through")
	}
}

// Session leaves the terminal, whose signals no longer reach it.
func Session() {
	if through(func() error { return call(syscall.SYS_SETSID) }) {
		panic("got through")
	}
}

// SetUser becomes another user.
func SetUser() {
	if through(func() error { return call(syscall.SYS_SETRESUID, 65534, 65534, 65534) }) {
		panic("got through")
	}
}

// SetGroups leaves groups that are denied something.
func SetGroups() {
	if through(func() error { return call(syscall.SYS_SETGROUPS, 0, 0) }) {
		panic("got through")
	}
}

// SetCapabilities takes rights.
func SetCapabilities() {
	if through(func() error { return call(syscall.SYS_CAPSET, words(), words()) }) {
		panic("got through")
	}
}

func raise(limit int) error {
	return syscall.Setrlimit(limit, &syscall.Rlimit{Cur: 1 << 40, Max: 1 << 40})
}

// RaiseFileLimit writes larger files than it may.
func RaiseFileLimit() {
	if through(func() error { return raise(syscall.RLIMIT_FSIZE) }) {
		panic("got through")
	}
}

// RaiseMemoryLimit takes more memory than it may.
func RaiseMemoryLimit() {
	if through(func() error { return raise(syscall.RLIMIT_DATA) }) {
		panic("got through")
	}
}

// RaiseCoreLimit writes its memory to a file when it is killed.
func RaiseCoreLimit() {
	if through(func() error { return raise(syscall.RLIMIT_CORE) }) {
		panic("got through")
	}
}

// SignalFromFile lets the kernel signal the parent when a file can be read.
func SignalFromFile() {
	if through(func() error {
		f, err := os.Open(source)
		if err != nil {
			return err
		}
		return call(syscall.SYS_FCNTL, f.Fd(), syscall.F_SETOWN, parent())
	}) {
		panic("got through")
	}
}
