package confine

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// Untested reports whether the confinement has never been run on this processor. Emulators such as
// qemu-user support neither Landlock nor seccomp.
const Untested = runtime.GOARCH == "arm64"

// Unsupported returns what the system lacks to confine programs, "" if nothing.
func Unsupported() string {
	if processor == nil {
		return "not on " + runtime.GOARCH
	}
	if abi := landlockABI(); abi < 1 {
		return "the kernel has no Landlock"
	}
	return ""
}

// maxOpenFiles is the number of files that a program may have open at a time.
const maxOpenFiles = 256

// reserved is the size of the address space, in bytes, that a program may reserve besides the
// memory that it uses. Go's runtime reserves 1.2 GiB, and 1.5 GiB if a package uses C, as net does.
const reserved = 8 << 30

// become gives up what the rules forbid and becomes the program. It returns only if it fails.
// command is the program and its arguments.
func become(rules Rules, command, env []string) error {
	socket, env := watchSocket(env)
	runtime.LockOSThread() // Landlock, seccomp and capabilities belong to a thread
	if err := dieWith(rules.Parent); err != nil {
		return err
	}
	if err := closeOnExec(3 + rules.Files); err != nil {
		return fmt.Errorf("closing inherited files: %w", err)
	}
	if !rules.Unconfined {
		if err := landlock(rules, command[0]); err != nil {
			return err
		}
		dropCapabilities()
	}
	limits := []struct {
		resource int
		n        uint64
	}{
		{syscall.RLIMIT_CORE, 0},
		{syscall.RLIMIT_NOFILE, maxOpenFiles},
		{syscall.RLIMIT_FSIZE, uint64(rules.FileBytes)},
	}
	for _, l := range limits {
		if l.resource == syscall.RLIMIT_FSIZE && rules.FileBytes <= 0 {
			continue
		}
		if err := setLimit(l.resource, l.n); err != nil {
			return fmt.Errorf("setting limit %d: %w", l.resource, err)
		}
	}
	program, err := syscall.BytePtrFromString(command[0])
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(named(command))
	if err != nil {
		return err
	}
	envp, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	if !rules.Unconfined {
		if err := seccomp(socket); err != nil {
			return err
		}
	}
	// Memory comes last because this process, too, needs some; and nothing may allocate from
	// here on.
	if rules.MemoryKB > 0 {
		memory := uint64(rules.MemoryKB) << 10
		if err := setLimit(syscall.RLIMIT_AS, memory+reserved); err != nil {
			return fmt.Errorf("limiting the address space: %w", err)
		}
		if err := setLimit(syscall.RLIMIT_DATA, memory); err != nil {
			return fmt.Errorf("limiting memory: %w", err)
		}
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(program)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envp[0])))
	return fmt.Errorf("%s: %w", command[0], errno)
}

// dieWith has this process killed when its parent ends.
func dieWith(parent int) error {
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("dying with the parent: %w", errno)
	}
	if parent != 0 && os.Getppid() != parent {
		return errors.New("the parent has ended")
	}
	return nil
}

// closeOnExec closes all files from a descriptor on when this process becomes another program.
func closeOnExec(first int) error {
	const closeRangeCloexec = 1 << 2
	if _, _, errno := syscall.RawSyscall(sysCloseRange, uintptr(first), math.MaxUint32, closeRangeCloexec); errno == 0 {
		return nil
	}
	entries, err := os.ReadDir("/proc/self/fd") // before Linux 5.11
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd >= first {
			syscall.CloseOnExec(fd)
		}
	}
	return err
}

// setLimit sets the soft and the hard limit of a resource.
func setLimit(resource int, n uint64) error {
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: n, Max: n})
}

// System calls and constants of Landlock, see landlock(7).
const (
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446

	createRulesetVersion = 1 // LANDLOCK_CREATE_RULESET_VERSION
	ruleTypePathBeneath  = 1 // LANDLOCK_RULE_PATH_BENEATH

	accessExecute   = 1 << 0
	accessWriteFile = 1 << 1
	accessReadFile  = 1 << 2
	accessReadDir   = 1 << 3
	accessTruncate  = 1 << 14

	// accessChange are all accesses of version 5 that change files, directories or devices: all
	// but executing and reading.
	accessChange = 1<<16 - 1 - accessRead
	accessRead   = accessExecute | accessReadFile | accessReadDir

	// accessFile are the accesses to files that are no directories.
	accessFile = accessExecute | accessWriteFile | accessReadFile | accessTruncate | 1<<15

	netAccess = 1<<0 | 1<<1 // to bind and to connect
	scopes    = 1<<0 | 1<<1 // abstract sockets and signals
)

// Other constants of the kernel that package syscall lacks.
const (
	oPath           = 0x200000   // O_PATH
	prCapbsetDrop   = 24         // PR_CAPBSET_DROP
	prSetNoNewPrivs = 38         // PR_SET_NO_NEW_PRIVS
	capVersion3     = 0x20080522 // _LINUX_CAPABILITY_VERSION_3
	maxCapability   = 63
)

// landlockABI returns the version of Landlock that the kernel has; 0 for none.
func landlockABI() int {
	n, _, errno := syscall.Syscall(sysLandlockCreateRuleset, 0, 0, createRulesetVersion)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// readable are the files of the system that programs may read: what programs, libraries of C and package os, net and time
// look for. Others below /etc may hold secrets, and those of /proc are of other programs.
var readable = []string{
	"/bin", "/lib", "/lib32", "/lib64", "/sbin", "/usr", "/nix/store", "/gnu/store", "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom", "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/sys/class/net",
	"/proc/self", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat", "/proc/sys",
	"/proc/uptime", "/proc/version",
	"/etc/alternatives", "/etc/apache2/mime.types", "/etc/apache/mime.types", "/etc/group", "/etc/host.conf", "/etc/hostname",
	"/etc/hosts", "/etc/httpd/conf/mime.types", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias",
	"/etc/localtime", "/etc/mdns.allow", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/os-release", "/etc/passwd", "/etc/pki/tls/certs",
	"/etc/protocols", "/etc/resolv.conf", "/etc/services", "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/timezone", "/etc/zoneinfo",
}

// landlock forbids changes of files outside the rules' directory, reading and executing files that are not readable, and
// as much of the network and of signals as the kernel's version can.
func landlock(rules Rules, program string) error {
	abi := landlockABI()
	change := uint64(accessChange)
	switch { // versions 2, 3 and 5 added one access each
	case abi < 2:
		change &= 1<<13 - 1
	case abi < 3:
		change &= 1<<14 - 1
	case abi < 5:
		change &= 1<<15 - 1
	}
	attr := struct{ fs, net, scoped uint64 }{fs: change | accessRead}
	size := unsafe.Offsetof(attr.net)
	if abi >= 4 {
		attr.net, size = netAccess, unsafe.Offsetof(attr.scoped)
	}
	if abi >= 6 {
		attr.scoped, size = scopes, unsafe.Sizeof(attr)
	}
	set, _, errno := syscall.Syscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&attr)),
		size, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	for _, dir := range append([]string{rules.Dir}, rules.Write...) {
		if err := allow(set, dir, change|accessRead); err != nil {
			return err
		}
	}
	if err := allow(set, "/dev/null", change&(accessWriteFile|accessTruncate)); err != nil {
		return err
	}
	for _, path := range slices.Concat(readable, rules.Read, []string{filepath.Dir(program)}) {
		if err := allow(set, path, accessRead); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
			return err
		}
	}
	_, _, errno = syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("no new privileges: %w", errno)
	}
	if _, _, errno := syscall.RawSyscall(sysLandlockRestrictSelf, set, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

// allow adds a rule to a Landlock rule set: access to what lies at or below path. Of a file, there is no access to
// entries.
func allow(set uintptr, path string, access uint64) error {
	f, err := os.OpenFile(path, oPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && !st.IsDir() {
		access &= accessFile
	}
	var rule [12]byte // packed: access, file descriptor
	*(*uint64)(unsafe.Pointer(&rule[0])) = access
	*(*int32)(unsafe.Pointer(&rule[8])) = int32(f.Fd())
	_, _, errno := syscall.Syscall6(sysLandlockAddRule, set, ruleTypePathBeneath,
		uintptr(unsafe.Pointer(&rule[0])), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %s: %w", path, errno)
	}
	return nil
}

// dropCapabilities gives up, for good, what root may do beyond others.
func dropCapabilities() {
	for c := uintptr(0); c <= maxCapability; c++ {
		syscall.RawSyscall6(syscall.SYS_PRCTL, prCapbsetDrop, c, 0, 0, 0, 0)
	}
	header := struct {
		version uint32
		pid     int32
	}{capVersion3, 0}
	var none [6]uint32
	syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)),
		uintptr(unsafe.Pointer(&none[0])), 0)
}
