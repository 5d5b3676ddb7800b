package confine

import "syscall"

// Numbers of calls that package syscall lacks; see syscall(2).
const (
	sysRtTgsigqueueinfo = 297
	sysPerfEventOpen    = 298
	sysOpenByHandleAt   = 304
	sysSetns            = 308
	sysProcessVMReadv   = 310
	sysProcessVMWritev  = 311
	sysBpf              = 321
	sysUserfaultfd      = 323
)

// processor is the table of system calls of this processor.
var processor = &callTable{
	arch:  0xc000003e, // AUDIT_ARCH_X86_64
	clone: syscall.SYS_CLONE,
	signals: []uint32{
		syscall.SYS_KILL, syscall.SYS_TGKILL, syscall.SYS_RT_SIGQUEUEINFO,
		sysRtTgsigqueueinfo,
	},
	absent: []uint32{sysClone3, sysIOUringSetup, sysIOUringEnter, sysIOUringRegister},
	denied: []uint32{
		// Processes and other processes' memory.
		syscall.SYS_FORK, syscall.SYS_VFORK, syscall.SYS_TKILL, syscall.SYS_PTRACE,
		sysProcessVMReadv, sysProcessVMWritev,
		sysPidfdSendSignal, sysPidfdOpen, sysPidfdGetfd,
		syscall.SYS_SETPRIORITY, syscall.SYS_SETPGID, syscall.SYS_SETSID,
		syscall.SYS_SHMGET,
		// Network.
		syscall.SYS_SOCKET,
		// Owners, modes, times and attributes of files, which Landlock does not cover.
		syscall.SYS_CHMOD, syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT, sysFchmodat2,
		syscall.SYS_CHOWN, syscall.SYS_LCHOWN, syscall.SYS_FCHOWN, syscall.SYS_FCHOWNAT,
		syscall.SYS_UTIME, syscall.SYS_UTIMES, syscall.SYS_FUTIMESAT, syscall.SYS_UTIMENSAT,
		syscall.SYS_SETXATTR, syscall.SYS_LSETXATTR, syscall.SYS_FSETXATTR,
		syscall.SYS_REMOVEXATTR, syscall.SYS_LREMOVEXATTR, syscall.SYS_FREMOVEXATTR,
		sysOpenByHandleAt,
		// The kernel.
		syscall.SYS_MOUNT, syscall.SYS_UMOUNT2, syscall.SYS_UNSHARE, sysSetns,
		syscall.SYS_ADD_KEY, syscall.SYS_REQUEST_KEY, syscall.SYS_KEYCTL,
		sysPerfEventOpen, sysBpf, sysUserfaultfd,
	},
}
