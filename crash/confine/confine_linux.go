package confine

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Unsupported says what the kernel lacks to confine programs, "" if nothing.
func Unsupported() string {
	if calls == nil {
		return "not on " + runtime.GOARCH
	}
	if abi := landlockABI(); abi < 1 {
		return "the kernel has no Landlock"
	}
	return ""
}

// become gives up what is not allowed, and becomes the program.
func become(rules Rules, command, env []string) error {
	runtime.LockOSThread() // Landlock, seccomp and capabilities are a thread's own
	limits := map[int]uint64{syscall.RLIMIT_CORE: 0, syscall.RLIMIT_NOFILE: 256}
	if rules.MemoryKB > 0 {
		limits[syscall.RLIMIT_AS] = uint64(rules.MemoryKB) << 10
	}
	if rules.FileBytes > 0 {
		limits[syscall.RLIMIT_FSIZE] = uint64(rules.FileBytes)
	}
	if !rules.Unconfined {
		if err := landlock(rules.Dir); err != nil {
			return err
		}
		dropCapabilities()
	}
	for what, n := range limits {
		if what == syscall.RLIMIT_AS {
			continue // last: this process, too, needs room
		}
		if err := syscall.Setrlimit(what, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return fmt.Errorf("setting limit %d: %w", what, err)
		}
	}
	program, err := syscall.BytePtrFromString(command[0])
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(command)
	if err != nil {
		return err
	}
	envp, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	if !rules.Unconfined {
		if err := seccomp(); err != nil {
			return err
		}
	}
	if n, ok := limits[syscall.RLIMIT_AS]; ok {
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
			return fmt.Errorf("limiting memory: %w", err)
		}
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(program)), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envp[0])))
	return fmt.Errorf("%s: %w", command[0], errno)
}

// System calls and constants of Landlock, see landlock(7).
const (
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446

	ruleTypePathBeneath = 1

	accessWriteFile = 1 << 1
	accessTruncate  = 1 << 14
	// accessChange are all accesses that change something: to files, directories and devices, without executing and reading.
	accessChange = 1<<16 - 1 - 1<<0 - 1<<2 - 1<<3
)

func landlockABI() int {
	n, _, errno := syscall.Syscall(sysLandlockCreateRuleset, 0, 0, 1)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// landlock allows changes below dir alone.
func landlock(dir string) error {
	abi := landlockABI()
	change := uint64(accessChange)
	switch { // what each version added
	case abi < 2:
		change &= 1<<13 - 1
	case abi < 3:
		change &= 1<<14 - 1
	case abi < 5:
		change &= 1<<15 - 1
	}
	attr := struct{ fs, net, scoped uint64 }{fs: change}
	size := uintptr(8)
	if abi >= 4 {
		attr.net, size = 3, 16 // bind and connect
	}
	if abi >= 6 {
		attr.scoped, size = 3, 24 // abstract sockets and signals
	}
	set, _, errno := syscall.Syscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	allow := func(path string, access uint64) error {
		f, err := os.OpenFile(path, 0x200000 /* O_PATH */ |syscall.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		var rule [12]byte // packed: access, file descriptor
		*(*uint64)(unsafe.Pointer(&rule[0])) = access & change
		*(*int32)(unsafe.Pointer(&rule[8])) = int32(f.Fd())
		if _, _, errno := syscall.Syscall6(sysLandlockAddRule, set, ruleTypePathBeneath, uintptr(unsafe.Pointer(&rule[0])), 0, 0, 0); errno != 0 {
			return fmt.Errorf("landlock: %s: %w", path, errno)
		}
		return nil
	}
	if err := allow(dir, change); err != nil {
		return err
	}
	if err := allow("/dev/null", accessWriteFile|accessTruncate); err != nil {
		return err
	}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, 38 /* PR_SET_NO_NEW_PRIVS */, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("no new privileges: %w", errno)
	}
	if _, _, errno := syscall.RawSyscall(sysLandlockRestrictSelf, set, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

// dropCapabilities gives up what root may do beyond others, for good.
func dropCapabilities() {
	for c := uintptr(0); c < 64; c++ {
		syscall.RawSyscall6(syscall.SYS_PRCTL, 24 /* PR_CAPBSET_DROP */, c, 0, 0, 0, 0)
	}
	header := struct {
		version uint32
		pid     int32
	}{0x20080522, 0}
	var none [6]uint32
	syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
}
