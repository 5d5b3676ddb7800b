package attacks

import (
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Landlock lets a program write below its scratch directory only, whatever the way to a file. What Landlock does not
// know (attributes, modes, owners, times) the filter of system calls refuses.

var (
	precious = filepath.Join(outside, "precious")
	created  = filepath.Join(outside, "new")
	source   = filepath.Join(module, "go.mod")
)

func write(name string) error { return os.WriteFile(name, []byte("x"), 0o666) }

// into writes the text that is there already into an existing file.
func into(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	return err
}

// CreateOutside makes a file.
func CreateOutside() {
	if through(func() error { return write(created) }) {
		panic("got through")
	}
}

// OverwriteOutside loses what a file holds.
func OverwriteOutside() {
	if through(func() error { return write(precious) }) {
		panic("got through")
	}
}

// AppendOutside adds to a file, as to a shell's profile.
func AppendOutside() {
	if through(func() error {
		f, err := os.OpenFile(precious, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteString("x")
		return err
	}) {
		panic("got through")
	}
}

// TruncateOutside empties a file without opening it.
func TruncateOutside() {
	if through(func() error { return os.Truncate(precious, 0) }) {
		panic("got through")
	}
}

// RemoveOutside removes a file.
func RemoveOutside() {
	if through(func() error { return os.Remove(precious) }) {
		panic("got through")
	}
}

// RemoveAllOutside removes a directory with all that it holds.
func RemoveAllOutside() {
	if through(func() error { return os.RemoveAll(outside) }) {
		panic("got through")
	}
}

// RenameFromOutside takes a file away.
func RenameFromOutside() {
	if through(func() error { return os.Rename(precious, "mine") }) {
		panic("got through")
	}
}

// RenameToOutside moves a file of its own there.
func RenameToOutside() {
	if through(func() error {
		os.WriteFile("own", []byte("x"), 0o666)
		return os.Rename("own", created)
	}) {
		panic("got through")
	}
}

// Exchange swaps a file of its own with one outside.
func Exchange() {
	if through(func() error {
		os.WriteFile("swapped", []byte("x"), 0o666)
		return call(316, here, text("swapped"), here, text(precious), 2)
	}) {
		panic("got through")
	}
}

// LinkFromOutside makes a second name of a file below scratch, where it may write.
func LinkFromOutside() {
	if through(func() error { return os.Link(precious, "linked") }) {
		panic("got through")
	}
}

// LinkToOutside gives a file of its own a name outside.
func LinkToOutside() {
	if through(func() error {
		os.WriteFile("owned", []byte("x"), 0o666)
		return os.Link("owned", created)
	}) {
		panic("got through")
	}
}

// SymlinkOutside makes a link there.
func SymlinkOutside() {
	if through(func() error { return os.Symlink("/etc/passwd", created) }) {
		panic("got through")
	}
}

// MkdirOutside makes a directory.
func MkdirOutside() {
	if through(func() error { return os.Mkdir(created, 0o777) }) {
		panic("got through")
	}
}

// MakeFifoOutside makes a pipe with a name.
func MakeFifoOutside() {
	if through(func() error { return syscall.Mkfifo(created, 0o666) }) {
		panic("got through")
	}
}

// MakeDevice makes a device of its own below scratch: the kernel's memory.
func MakeDevice() {
	if through(func() error { return syscall.Mknod("device", syscall.S_IFCHR|0o666, 1<<8|1) }) {
		panic("got through")
	}
}

// TemporaryOutside makes a file without a name outside.
func TemporaryOutside() {
	if through(func() error {
		_, err := syscall.Open(outside, 0o20200000|syscall.O_RDWR, 0o600) // O_TMPFILE
		return err
	}) {
		panic("got through")
	}
}

// WriteThroughLink writes through a symbolic link below scratch.
func WriteThroughLink() {
	if through(func() error {
		os.Symlink(outside, "way")
		return write("way/new")
	}) {
		panic("got through")
	}
}

// WriteThroughRoot writes through the root directory that the kernel shows of the process.
func WriteThroughRoot() {
	if through(func() error { return write("/proc/self/root" + created) }) {
		panic("got through")
	}
}

// WriteUpwards writes through the working directory's parents.
func WriteUpwards() {
	if through(func() error { return write("../../../../../../../../../../../.." + created) }) {
		panic("got through")
	}
}

// MapOutside maps a file so that what is written to memory is written to it.
func MapOutside() {
	if through(func() error {
		f, err := os.OpenFile(precious, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		_, err = syscall.Mmap(int(f.Fd()), 0, 4, syscall.PROT_WRITE, syscall.MAP_SHARED)
		return err
	}) {
		panic("got through")
	}
}

// MapSource maps a source file, which it may read, for writing.
func MapSource() {
	if through(func() error {
		f, err := os.Open(source)
		if err != nil {
			return err
		}
		_, err = syscall.Mmap(int(f.Fd()), 0, 4, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		return err
	}) {
		panic("got through")
	}
}

// Reopen opens a file that is open for reading anew for writing.
func Reopen() {
	if through(func() error {
		f, err := os.Open(source)
		if err != nil {
			return err
		}
		defer f.Close()
		return into(filepath.Join("/proc/self/fd", itoa(int(f.Fd()))))
	}) {
		panic("got through")
	}
}

// ChmodOutside makes a file readable for all.
func ChmodOutside() {
	if through(func() error { return os.Chmod(precious, 0o777) }) {
		panic("got through")
	}
}

// ChmodOpen does so through an open file.
func ChmodOpen() {
	if through(func() error {
		f, err := os.Open(source)
		if err != nil {
			return err
		}
		return f.Chmod(0o777)
	}) {
		panic("got through")
	}
}

// ChownOutside gives a file away.
func ChownOutside() {
	if through(func() error { return os.Chown(precious, os.Getuid(), os.Getgid()) }) {
		panic("got through")
	}
}

// TouchOutside changes the times of a file, by which make decides.
func TouchOutside() {
	if through(func() error { return os.Chtimes(precious, time.Now(), time.Now()) }) {
		panic("got through")
	}
}

// SetAttribute sets an extended attribute.
func SetAttribute() {
	if through(func() error { return call(syscall.SYS_SETXATTR, text(precious), text("user.x"), text("x"), 1, 0) }) {
		panic("got through")
	}
}

// SetAttributeAt does so by the newer call.
func SetAttributeAt() {
	if through(func() error { return call(463, here, text(precious), 0, text("user.x"), words(), 16) }) {
		panic("got through")
	}
}

// SetFlags makes a file immutable.
func SetFlags() {
	if through(func() error {
		f, err := os.Open(source)
		if err != nil {
			return err
		}
		return call(syscall.SYS_IOCTL, f.Fd(), 0x40086602, words()) // FS_IOC_SETFLAGS
	}) {
		panic("got through")
	}
}

// SetFlagsAt does so by the newer call.
func SetFlagsAt() {
	if through(func() error { return call(469, here, text(precious), words(), 24, 0) }) {
		panic("got through")
	}
}

// WriteSource changes the testee.
func WriteSource() {
	if through(func() error { return into(source) }) {
		panic("got through")
	}
}

// AddSource adds a file to the testee.
func AddSource() {
	if through(func() error { return write(filepath.Join(module, "added.go")) }) {
		panic("got through")
	}
}

// WriteModuleCache changes what other modules are built from.
func WriteModuleCache() {
	if through(func() error { return write(filepath.Join(cache, "added")) }) {
		panic("got through")
	}
}

// WriteToolchain changes what all programs are built with.
func WriteToolchain() {
	if through(func() error { return write(filepath.Join(goroot, "src", "added.go")) }) {
		panic("got through")
	}
}

// WriteHome adds to the home directory.
func WriteHome() {
	if through(func() error { return write(filepath.Join(home, ".added")) }) {
		panic("got through")
	}
}

// WriteTemp makes a file that outlives it.
func WriteTemp() {
	if through(func() error { return write("/tmp/added") }) {
		panic("got through")
	}
}

// WriteSharedMemory makes a file in memory that outlives it.
func WriteSharedMemory() {
	if through(func() error { return write("/dev/shm/added") }) {
		panic("got through")
	}
}

// WriteEtc configures the system; as root nothing else stops it.
func WriteEtc() {
	if through(func() error { return write("/etc/added") }) {
		panic("got through")
	}
}

// WriteKernelSetting opens a setting of the kernel, as core_pattern, which names a program to run.
func WriteKernelSetting() {
	if through(func() error { return into("/proc/sys/kernel/core_pattern") }) {
		panic("got through")
	}
}

// WriteOwnScore protects itself from being killed when memory is short.
func WriteOwnScore() {
	if through(func() error { return into("/proc/self/oom_score_adj") }) {
		panic("got through")
	}
}

// WriteTerminal types what the user did not.
func WriteTerminal() {
	if through(func() error {
		f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return call(syscall.SYS_IOCTL, f.Fd(), 0x5412, words()) // TIOCSTI
	}) {
		panic("got through")
	}
}

// WriteDisk opens the disk itself.
func WriteDisk() {
	if through(func() error {
		for _, disk := range []string{"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/loop0", "/dev/mem", "/dev/kmsg"} {
			if into(disk) == nil {
				return nil
			}
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// MoveSource lets the kernel copy into a file that is open for reading.
func MoveSource() {
	if through(func() error {
		from, err := os.Open(source)
		if err != nil {
			return err
		}
		to, err := os.Open(filepath.Join(module, "files.go"))
		if err != nil {
			return err
		}
		return call(326, from.Fd(), 0, to.Fd(), 0, 4, 0) // copy_file_range
	}) {
		panic("got through")
	}
}

// WatchOutside asks to be told what happens in a directory that it may not read.
func WatchOutside() {
	if through(func() error {
		fd, err := syscall.InotifyInit()
		if err != nil {
			return err
		}
		_, err = syscall.InotifyAddWatch(fd, outside, syscall.IN_ALL_EVENTS)
		return err
	}) {
		panic("got through")
	}
}
