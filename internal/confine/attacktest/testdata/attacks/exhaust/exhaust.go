// Package exhaust tries to use up what it may not, to end the process that runs it, and to confuse who started
// it. Each function panics if it got through; most never return.
package exhaust

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// through reports whether an attempt succeeds.
func through(try func() error) bool { return show || try() == nil }

var errRefused = errors.New("refused")

// Memory takes 16 GiB and writes to each page: the limit of memory ends the process.
func Memory() {
	if through(func() error {
		var all [][]byte
		for range 256 {
			b := make([]byte, 64<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
		}
		runtime.KeepAlive(all)
		return nil
	}) {
		panic("got through")
	}
}

// Mapped takes it from the kernel, beside Go's heap.
func Mapped() {
	if through(func() error {
		for range 256 {
			b, err := syscall.Mmap(-1, 0, 64<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
			if err != nil {
				return err
			}
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
		}
		return nil
	}) {
		panic("got through")
	}
}

// Threads makes threads as long as it can.
func Threads() {
	if through(func() error {
		for range 20000 {
			go func() {
				runtime.LockOSThread()
				syscall.Nanosleep(&syscall.Timespec{Sec: 5}, nil)
			}()
		}
		time.Sleep(time.Second)
		return errRefused // Go's runtime allows 10,000, and ends the process then
	}) {
		panic("got through")
	}
}

// Descriptors opens files as long as it can.
func Descriptors() {
	if through(func() error {
		for range 1 << 20 {
			if _, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0); err != nil {
				return err
			}
		}
		return nil
	}) {
		panic("got through")
	}
}

// OneFile writes 10 GiB into a file.
func OneFile() {
	if through(func() error {
		f, err := os.Create("big")
		if err != nil {
			return err
		}
		for range 10 << 10 {
			if _, err := f.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
		return nil
	}) {
		panic("got through")
	}
}

// ManyFiles writes them into files below each one's limit, of which none has a name when the next is made.
func ManyFiles() {
	if through(func() error {
		for i := range 1 << 10 {
			f, err := os.Create("file" + strconv.Itoa(i))
			if err != nil {
				return err
			}
			os.Remove(f.Name())
			if _, err := f.Write(make([]byte, 10<<20)); err != nil {
				return err
			}
		}
		return nil
	}) {
		panic("got through")
	}
}

// Directories makes directories in each other as long as it can.
func Directories() {
	if through(func() error {
		for range 1 << 20 {
			if err := os.Mkdir("d", 0o777); err != nil {
				return err
			}
			if err := os.Chdir("d"); err != nil {
				return err
			}
		}
		return nil
	}) {
		panic("got through")
	}
}

// Output prints more than anybody reads.
func Output() {
	if through(func() error {
		for range 64 {
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
		return errRefused // all of it may be printed: it is discarded
	}) {
		panic("got through")
	}
}

// Forever never ends.
func Forever() {
	if through(func() error {
		for !show {
		}
		return nil
	}) {
		panic("got through")
	}
}

// Wait never ends and needs no processor.
func Wait() {
	if through(func() error {
		time.Sleep(time.Hour)
		return nil
	}) {
		panic("got through")
	}
}

// Kill kills the process, as the kernel does when memory is short.
func Kill() {
	if through(func() error { return errors.Join(syscall.Kill(os.Getpid(), syscall.SIGKILL), errRefused) }) {
		panic("got through")
	}
}

// Stop lets the process stand still.
func Stop() {
	if through(func() error { return errors.Join(syscall.Kill(os.Getpid(), syscall.SIGSTOP), errRefused) }) {
		panic("got through")
	}
}

// Exit ends the process as if all were well.
func Exit() {
	if through(func() error { os.Exit(0); return errRefused }) {
		panic("got through")
	}
}

// Close closes all files, those over which results are told among them.
func Close() {
	if through(func() error {
		for fd := range 64 {
			syscall.Close(fd)
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// Overwrite writes nonsense into all memory that it shares with another process.
func Overwrite() {
	if through(func() error {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			return err
		}
		for _, line := range strings.Split(string(maps), "\n") {
			var from, to uintptr
			var mode string
			if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n == 3 && mode == "rw-s" {
				for i := range unsafe.Slice((*byte)(address(from)), to-from) {
					unsafe.Slice((*byte)(address(from)), to-from)[i] = 0xff
				}
			}
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// address makes a pointer of a number; vet would rather not have that.
func address(x uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&x)) }

// Truncate empties all open files: who reads them as memory dies.
func Truncate() {
	if through(func() error {
		for fd := range 64 {
			syscall.Ftruncate(fd, 0)
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// Fill writes nonsense into all open files.
func Fill() {
	if through(func() error {
		for fd := 3; fd < 64; fd++ {
			syscall.SetNonblock(fd, true)
			syscall.Write(fd, []byte(strings.Repeat("\xff", 1<<16)))
		}
		return errRefused
	}) {
		panic("got through")
	}
}

// Signals ignores all signals that can be ignored, and then never ends.
func Signals() {
	if through(func() error {
		for sig := uintptr(1); sig < 32; sig++ {
			action := [4]uintptr{1} // SIG_IGN
			syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, sig, uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
		}
		for !show {
		}
		return nil
	}) {
		panic("got through")
	}
}
