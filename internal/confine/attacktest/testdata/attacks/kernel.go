package attacks

import (
	"syscall"
	"unsafe"
)

// The filter of system calls lets through what Go's runtime and standard library need. These have left objects behind
// or had faults, and nothing of a test needs them.

func addr(p *[128]byte) uintptr { return uintptr(unsafe.Pointer(p)) }

// MessageQueue makes an object that stays when the process ends.
func MessageQueue() {
	if through(func() error { return call(syscall.SYS_MSGGET, 0, 0o1666) }) {
		panic("got through")
	}
}

// Semaphores makes such objects.
func Semaphores() {
	if through(func() error { return call(syscall.SYS_SEMGET, 0, 1, 0o1666) }) {
		panic("got through")
	}
}

// SharedMemory makes memory that stays.
func SharedMemory() {
	if through(func() error { return call(syscall.SYS_SHMGET, 0, 4096, 0o1666) }) {
		panic("got through")
	}
}

// NamedQueue makes a queue with a name.
func NamedQueue() {
	if through(func() error { return call(syscall.SYS_MQ_OPEN, text("dsd"), syscall.O_CREAT|syscall.O_RDWR, 0o600, 0) }) {
		panic("got through")
	}
}

// MemoryFile makes a file in memory that no limit counts.
func MemoryFile() {
	if through(func() error { return call(319, text("x"), 0) }) {
		panic("got through")
	}
}

// SecretMemory makes one that even the kernel does not see.
func SecretMemory() {
	if through(func() error { return call(447, 0) }) {
		panic("got through")
	}
}

// SharedMapping makes shared memory that no limit counts.
func SharedMapping() {
	if through(func() error {
		_, err := syscall.Mmap(-1, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON)
		return err
	}) {
		panic("got through")
	}
}

// PageFaults handles page faults, by which races in the kernel are won.
func PageFaults() {
	if through(func() error { return call(323, 0) }) {
		panic("got through")
	}
}

// Ring makes system calls that the filter does not see.
func Ring() {
	if through(func() error { return call(425, 1, words()) }) {
		panic("got through")
	}
}

// Program loads a program into the kernel.
func Program() {
	if through(func() error { return call(321, 0, words(), 16) }) {
		panic("got through")
	}
}

// Perf watches the processor.
func Perf() {
	if through(func() error { return call(298, words(), 0, ^uintptr(0), ^uintptr(0), 0) }) {
		panic("got through")
	}
}

// Keys lists the user's keys.
func Keys() {
	if through(func() error { return call(syscall.SYS_KEYCTL, 0, ^uintptr(2), 0) }) {
		panic("got through")
	}
}

// AddKey adds one.
func AddKey() {
	if through(func() error { return call(syscall.SYS_ADD_KEY, text("user"), text("x"), text("x"), 1, ^uintptr(2)) }) {
		panic("got through")
	}
}

// Mount covers a directory.
func Mount() {
	if through(func() error { return call(syscall.SYS_MOUNT, text("x"), text(outside), text("tmpfs"), 0, 0) }) {
		panic("got through")
	}
}

// Unmount uncovers one.
func Unmount() {
	if through(func() error { return call(syscall.SYS_UMOUNT2, text("/proc"), 2) }) {
		panic("got through")
	}
}

// OpenTree copies a mount.
func OpenTree() {
	if through(func() error { return call(428, here, text("/"), 1) }) {
		panic("got through")
	}
}

// OpenFilesystem makes one.
func OpenFilesystem() {
	if through(func() error { return call(430, text("tmpfs"), 0) }) {
		panic("got through")
	}
}

// Chroot changes what the root is.
func Chroot() {
	if through(func() error { return syscall.Chroot(".") }) {
		panic("got through")
	}
}

// PivotRoot does so for all.
func PivotRoot() {
	if through(func() error { return call(syscall.SYS_PIVOT_ROOT, text("."), text(".")) }) {
		panic("got through")
	}
}

// NewNamespace becomes root in a namespace of its own.
func NewNamespace() {
	if through(func() error { return syscall.Unshare(syscall.CLONE_NEWUSER) }) {
		panic("got through")
	}
}

// EnterNamespace enters that of another process.
func EnterNamespace() {
	if through(func() error { return call(308, 0, syscall.CLONE_NEWNET) }) {
		panic("got through")
	}
}

// Sync writes back all file systems, again and again.
func Sync() {
	if through(func() error { return call(syscall.SYS_SYNC) }) {
		panic("got through")
	}
}

// SyncFile writes back one.
func SyncFile() {
	if through(func() error { return call(306, 1) }) {
		panic("got through")
	}
}

// Swap takes swap space away.
func Swap() {
	if through(func() error { return call(syscall.SYS_SWAPOFF, text("/nowhere")) }) {
		panic("got through")
	}
}

// Reboot makes the keys Ctrl, Alt and Del harmless.
func Reboot() {
	if through(func() error { return call(syscall.SYS_REBOOT, 0xfee1dead, 672274793, 0, 0) }) {
		panic("got through")
	}
}

// LoadKernel loads another kernel.
func LoadKernel() {
	if through(func() error { return call(246, 0, 0, 0, 0) }) {
		panic("got through")
	}
}

// LoadModule loads a part of the kernel.
func LoadModule() {
	if through(func() error { return call(syscall.SYS_INIT_MODULE, words(), 0, text("")) }) {
		panic("got through")
	}
}

// Ports gets the machine's ports.
func Ports() {
	if through(func() error { return call(syscall.SYS_IOPL, 0) }) {
		panic("got through")
	}
}

// PortPermissions does so for some.
func PortPermissions() {
	if through(func() error { return call(syscall.SYS_IOPERM, 0, 1, 0) }) {
		panic("got through")
	}
}

// SetTime sets the clock.
func SetTime() {
	if through(func() error {
		var now syscall.Timeval
		if err := syscall.Gettimeofday(&now); err != nil {
			return err
		}
		return syscall.Settimeofday(&now)
	}) {
		panic("got through")
	}
}

// AdjustTime lets the clock drift.
func AdjustTime() {
	if through(func() error { return call(syscall.SYS_ADJTIMEX, words()) }) {
		panic("got through")
	}
}

// HostName renames the machine.
func HostName() {
	if through(func() error { return call(syscall.SYS_SETHOSTNAME, text(""), 0) }) {
		panic("got through")
	}
}

// Quota asks for the users' shares of a disk.
func Quota() {
	if through(func() error { return call(syscall.SYS_QUOTACTL, 0x800001<<8, 0, 0, 0) }) {
		panic("got through")
	}
}

// Account writes down who runs what.
func Account() {
	if through(func() error { return call(syscall.SYS_ACCT, 0) }) {
		panic("got through")
	}
}

// WatchAll asks the kernel to report every file that is opened.
func WatchAll() {
	if through(func() error { return call(300, 0, 0) }) {
		panic("got through")
	}
}

// Personality asks for another system's rules, such as executable data.
func Personality() {
	if through(func() error { return call(syscall.SYS_PERSONALITY, 0x0400000) }) {
		panic("got through")
	}
}

// LocalTable changes the processor's descriptors.
func LocalTable() {
	if through(func() error { return call(syscall.SYS_MODIFY_LDT, 0, words(), 16) }) {
		panic("got through")
	}
}

// GiveMemory gives pages to a pipe.
func GiveMemory() {
	if through(func() error { return call(278, 1, words(), 0, 0) }) {
		panic("got through")
	}
}

// OtherNumbers makes a system call by its numbers for other programs, which filters may have forgotten.
func OtherNumbers() {
	if through(func() error { return call(0x40000000 + 520) }) {
		panic("got through")
	}
}

// LockAll keeps its memory from being swapped out.
func LockAll() {
	if through(func() error { return call(syscall.SYS_MLOCKALL, 2) }) {
		panic("got through")
	}
}

// Filter changes the filter.
func Filter() {
	if through(func() error { return call(317, 1, 0, 0) }) {
		panic("got through")
	}
}
