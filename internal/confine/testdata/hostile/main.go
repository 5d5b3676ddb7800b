// Hostile tries to do harm, and prints for each attempt whether it was done or refused.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	outside := os.Args[1]
	parent, _ := strconv.Atoi(os.Args[2])
	say := func(what string, err error) {
		if err != nil {
			fmt.Println(what+":", "refused")
		} else {
			fmt.Println(what+":", "done")
		}
	}
	say("write outside", os.WriteFile(filepath.Join(outside, "new"), []byte("x"), 0o666))
	say("overwrite outside", os.WriteFile(filepath.Join(outside, "precious"), []byte("x"), 0o666))
	say("remove outside", os.Remove(filepath.Join(outside, "precious")))
	say("truncate outside", os.Truncate(filepath.Join(outside, "precious"), 0))
	say("chmod outside", os.Chmod(filepath.Join(outside, "precious"), 0o777))
	say("rename from outside", os.Rename(filepath.Join(outside, "precious"), "mine"))
	say("link from outside", os.Link(filepath.Join(outside, "precious"), "mine"))
	if os.Symlink(outside, "way") == nil {
		say("write through a link", os.WriteFile("way/new", []byte("x"), 0o666))
	}
	_, err := net.Dial("tcp", os.Args[3])
	say("dial", err)
	_, err = net.Dial("udp", "127.0.0.1:53")
	say("dial udp", err)
	_, err = net.Listen("tcp", "127.0.0.1:0")
	say("listen", err)
	_, err = net.Listen("unix", "@dsd")
	say("listen abstract", err)
	other := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	call := func(what string, number uintptr, args ...uintptr) {
		var a [6]uintptr
		copy(a[:], args)
		_, _, errno := syscall.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
		if errno != 0 {
			fmt.Println(what+":", "refused")
		} else {
			fmt.Println(what+":", "done")
		}
	}
	// The numbers are those of amd64. 6 is RLIMIT_NPROC.
	path, _ := syscall.BytePtrFromString(filepath.Join(outside, "precious"))
	name, _ := syscall.BytePtrFromString("user.x")
	word := uintptr(unsafe.Pointer(new([16]uint64)))
	p, n := uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(name))
	call("limit the parent", 302, uintptr(parent), 6, uintptr(unsafe.Pointer(&other)), 0)
	call("ask for the parent's limits", 302, uintptr(parent), 6, 0, word)
	call("ask for its own limits", 302, 0, 6, 0, word)
	call("set an attribute", syscall.SYS_SETXATTR, p, n, n, 1, 0)
	call("set an attribute by the new call", 463, ^uintptr(99), p, 0, n, word, 16)
	call("set attributes of a file", 469, ^uintptr(99), p, word, 24, 0)
	call("make a message queue", syscall.SYS_MSGGET, 0, 0o1666)
	call("make semaphores", syscall.SYS_SEMGET, 0, 1, 0o1666)
	call("make shared memory", syscall.SYS_SHMGET, 0, 4096, 0o1666)
	call("make a memory file", 319, n, 0)
	call("map shared memory", syscall.SYS_MMAP, 0, 1<<20, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON, ^uintptr(0), 0)
	call("read the parent's memory", 310, uintptr(parent), word, 1, word, 1, 0)
	call("handle page faults", 323, 0)
	call("io_uring", 425, 1, word)
	call("bpf", 321, 0, word, 16)
	call("perf_event_open", 298, word, 0, ^uintptr(0), ^uintptr(0), 0)
	call("sync", syscall.SYS_SYNC) // writes back all file systems
	call("keyctl", syscall.SYS_KEYCTL, 0, 0)
	call("mount", syscall.SYS_MOUNT, n, p, n, 0, 0)
	call("unshare", syscall.SYS_UNSHARE, 0x10000000)
	call("schedule the parent", syscall.SYS_SCHED_SETSCHEDULER, uintptr(parent), 0, word)
	call("a new session", syscall.SYS_SETSID)
	if f, err := os.Open(filepath.Join(outside, "module", "file")); err == nil {
		call("flags of a file", syscall.SYS_IOCTL, f.Fd(), 0x40086602, word)
		call("signals from a file", syscall.SYS_FCNTL, f.Fd(), syscall.F_SETOWN, uintptr(parent))
		call("lock a file", syscall.SYS_FLOCK, f.Fd(), syscall.LOCK_EX) // without effect
	}
	inherited := "refused"
	for fd := range 20 {
		if fd > 2 {
			if _, err := syscall.Write(fd, []byte("inherited")); err == nil {
				inherited = "done"
			}
		}
	}
	fmt.Println("write to an inherited file:", inherited)
	say("start a process", exec.Command("/bin/true").Run())
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
	if errno == 0 {
		fmt.Println("fork: done")
	} else {
		fmt.Println("fork: refused")
	}
	say("signal the parent", syscall.Kill(parent, 0))
	say("signal all", syscall.Kill(-1, 0))
	say("trace the parent", syscall.PtraceAttach(parent))
	secret := "refused"
	for _, v := range os.Environ() {
		if strings.Contains(v, "hunter2") {
			secret = "done"
		}
	}
	fmt.Println("read the environment:", secret)
	if data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", parent)); err == nil && strings.Contains(string(data), "hunter2") {
		fmt.Println("read the parent's environment: done")
	} else {
		fmt.Println("read the parent's environment: refused")
	}
	say("raise a limit", syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 40, Max: 1 << 40}))
	big, err := os.Create("big")
	for i := 0; err == nil && i < 1<<10; i++ {
		_, err = big.Write(make([]byte, 1<<20))
	}
	say("fill the disk", err)
	os.Remove("big")

	say("write inside", os.WriteFile("inside", []byte("x"), 0o666))
	say("write to nowhere", os.WriteFile("/dev/null", []byte("x"), 0o666))
	var wg sync.WaitGroup
	for range 50 {
		wg.Add(1)
		go func() { defer wg.Done(); os.ReadFile("/proc/self/status") }()
	}
	wg.Wait()
	_, err = os.ReadFile(filepath.Join(outside, "precious"))
	say("read outside", err)
	_, err = os.ReadDir(outside)
	say("list outside", err)
	_, err = os.ReadFile(filepath.Join(outside, "module", "file"))
	say("read the module", err)
	_, err = os.ReadFile("/etc/shadow")
	say("read passwords", err)
	_, err = os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", parent))
	say("read the parent's arguments", err)
	_, err = os.ReadFile("/etc/hosts")
	say("read hosts", err)
	_, err = user.Current()
	say("read its user", err)
	_, err = time.LoadLocation("Europe/Paris")
	say("read time zones", err)
	say("signal itself", syscall.Kill(os.Getpid(), 0))
}
