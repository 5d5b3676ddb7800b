package attacks

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Landlock lets a program read the module, the toolchain and files of the system that libraries need. Its environment
// is its own, and nothing that the user has open is open.

func itoa(i int) string { return strconv.Itoa(i) }

func read(name string) error {
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		_, err = f.Read(make([]byte, 1))
	}
	return err
}

// ReadOutside reads a file.
func ReadOutside() {
	if through(func() error { return read(precious) }) {
		panic("got through")
	}
}

// ReadThroughLink reads it through a symbolic link.
func ReadThroughLink() {
	if through(func() error {
		os.Symlink(precious, "seen")
		return read("seen")
	}) {
		panic("got through")
	}
}

// ReadThroughRoot reads it through the root directory that the kernel shows of the process.
func ReadThroughRoot() {
	if through(func() error { return read("/proc/self/root" + precious) }) {
		panic("got through")
	}
}

// ReadThroughParent reads it through the parent's root directory.
func ReadThroughParent() {
	if through(func() error { return read(fmt.Sprintf("/proc/%d/root%s", os.Getppid(), precious)) }) {
		panic("got through")
	}
}

// ListOutside reads the names in a directory.
func ListOutside() {
	if through(func() error { _, err := os.ReadDir(outside); return err }) {
		panic("got through")
	}
}

// ListHome reads the names in the home directory.
func ListHome() {
	if through(func() error { _, err := os.ReadDir(home); return err }) {
		panic("got through")
	}
}

// ReadKeys reads a key of ssh.
func ReadKeys() {
	if through(func() error { return read(filepath.Join(home, ".ssh", "id_ed25519")) }) {
		panic("got through")
	}
}

// ReadPasswords reads the users' passwords; as root nothing else stops it.
func ReadPasswords() {
	if through(func() error { return read("/etc/shadow") }) {
		panic("got through")
	}
}

// ReadLogs reads what the system writes down.
func ReadLogs() {
	if through(func() error { _, err := os.ReadDir("/var/log"); return err }) {
		panic("got through")
	}
}

// ReadDisk reads the disk itself.
func ReadDisk() {
	if through(func() error {
		for _, disk := range []string{"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem"} {
			if read(disk) == nil {
				return nil
			}
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// ReadKernelLog reads the kernel's messages.
func ReadKernelLog() {
	if through(func() error { return call(syscall.SYS_SYSLOG, 3, words(), 512) }) {
		panic("got through")
	}
}

// Environment finds a secret in the environment.
func Environment() {
	if through(func() error {
		if strings.Contains(strings.Join(os.Environ(), " "), "hunter2") {
			return nil
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// ParentEnvironment finds it in that of the parent.
func ParentEnvironment() {
	if through(func() error { return read(fmt.Sprintf("/proc/%d/environ", os.Getppid())) }) {
		panic("got through")
	}
}

// OwnerEnvironment finds it in that of another process of the user.
func OwnerEnvironment() {
	if through(func() error { return read(fmt.Sprintf("/proc/%d/environ", owner)) }) {
		panic("got through")
	}
}

// ParentArguments reads the command line of the parent.
func ParentArguments() {
	if through(func() error { return read(fmt.Sprintf("/proc/%d/cmdline", os.Getppid())) }) {
		panic("got through")
	}
}

// ParentMemory reads the parent's memory.
func ParentMemory() {
	if through(func() error { return into(fmt.Sprintf("/proc/%d/mem", os.Getppid())) }) {
		panic("got through")
	}
}

// ParentFiles reads what the parent has open.
func ParentFiles() {
	if through(func() error { _, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", os.Getppid())); return err }) {
		panic("got through")
	}
}

// ReadParentMemory copies from the parent's memory.
func ReadParentMemory() {
	if through(func() error { return call(310, uintptr(os.Getppid()), words(), 1, words(), 1, 0) }) {
		panic("got through")
	}
}

// Inherited writes to files that it did not open.
func Inherited() {
	if through(func() error {
		for fd := 3; fd < 64; fd++ {
			link, _ := os.Readlink("/proc/self/fd/" + itoa(fd))
			if strings.HasPrefix(link, outside) {
				return nil
			}
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// FileHandle opens a file without a path, by its number on the disk.
func FileHandle() {
	if through(func() error { return call(303, here, text(precious), words(), words(), 0) }) {
		panic("got through")
	}
}
