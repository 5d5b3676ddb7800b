package attacks

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Needs are what tests need: each must succeed.
var Needs = map[string]func() error{
	"write to scratch":             func() error { return write("inside") },
	"write to nowhere":             func() error { return write("/dev/null") },
	"signal itself":                func() error { return syscall.Kill(os.Getpid(), 0) },
	"ask for its own limits":       func() error { return call(302, 0, 6, 0, words()) },
	"read the module":              func() error { return read(source) },
	"read the toolchain":           func() error { return read(filepath.Join(goroot, "VERSION")) },
	"read hosts":                   func() error { return read("/etc/hosts") },
	"read its user":                func() error { _, err := user.Current(); return err },
	"read time zones":              func() error { _, err := time.LoadLocation("Europe/Paris"); return err },
	"use threads":                  threads,
	"lock a file":                  lock, // without effect
	"pin itself to all processors": func() error { return call(syscall.SYS_SCHED_GETAFFINITY, 0, 128, words()) },
}

func lock() error {
	f, err := os.Open(source)
	if err != nil {
		return err
	}
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
}

func threads() error {
	var wg sync.WaitGroup
	for range 50 {
		wg.Add(1)
		go func() { defer wg.Done(); os.ReadFile("/proc/self/status") }()
	}
	wg.Wait()
	return nil
}

// Report prints what does not succeed of that.
func Report() {
	for name, need := range Needs {
		if err := need(); err != nil {
			fmt.Println(name, "fails:", err)
		}
	}
}
