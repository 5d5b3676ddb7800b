package confine

import "syscall"

// Numbers of calls that package syscall lacks; see syscall(2).
const (
	sysBpf         = 280
	sysUserfaultfd = 282
)

// processor is the table of system calls of this processor.
var processor = &callTable{
	arch:  0xc00000b7, // AUDIT_ARCH_AARCH64
	clone: syscall.SYS_CLONE,
	signals: []uint32{
		syscall.SYS_KILL, syscall.SYS_TGKILL, syscall.SYS_RT_SIGQUEUEINFO,
		syscall.SYS_RT_TGSIGQUEUEINFO,
	},
	absent: []uint32{sysClone3, sysIOUringSetup, sysIOUringEnter, sysIOUringRegister},
	denied: []uint32{
		// Processes and other processes' memory.
		syscall.SYS_TKILL, syscall.SYS_PTRACE,
		syscall.SYS_PROCESS_VM_READV, syscall.SYS_PROCESS_VM_WRITEV,
		sysPidfdSendSignal, sysPidfdOpen, sysPidfdGetfd,
		syscall.SYS_SETPRIORITY, syscall.SYS_SETPGID, syscall.SYS_SETSID,
		syscall.SYS_SHMGET,
		// Network.
		syscall.SYS_SOCKET,
		// Owners, modes, times and attributes of files, which Landlock does not cover.
		syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT, sysFchmodat2,
		syscall.SYS_FCHOWN, syscall.SYS_FCHOWNAT, syscall.SYS_UTIMENSAT,
		syscall.SYS_SETXATTR, syscall.SYS_LSETXATTR, syscall.SYS_FSETXATTR,
		syscall.SYS_REMOVEXATTR, syscall.SYS_LREMOVEXATTR, syscall.SYS_FREMOVEXATTR,
		syscall.SYS_OPEN_BY_HANDLE_AT,
		// The kernel.
		syscall.SYS_MOUNT, syscall.SYS_UMOUNT2, syscall.SYS_UNSHARE, syscall.SYS_SETNS,
		syscall.SYS_ADD_KEY, syscall.SYS_REQUEST_KEY, syscall.SYS_KEYCTL,
		syscall.SYS_PERF_EVENT_OPEN, sysBpf, sysUserfaultfd,
	},
}
