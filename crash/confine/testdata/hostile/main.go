// Hostile tries to do harm, and prints for each attempt whether it was done or refused.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
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
	say("signal itself", syscall.Kill(os.Getpid(), 0))
}
