package confine

import "syscall"

var calls = &table{
	arch:    0xc000003e,
	clone:   syscall.SYS_CLONE,
	signals: []uint32{syscall.SYS_KILL, syscall.SYS_TGKILL, syscall.SYS_RT_SIGQUEUEINFO, 297 /* rt_tgsigqueueinfo */},
	absent:  []uint32{sysClone3, sysIOUringSetup, sysIOUringEnter, sysIOUringRegister},
	denied: []uint32{
		syscall.SYS_FORK, syscall.SYS_VFORK, syscall.SYS_SOCKET, syscall.SYS_TKILL, syscall.SYS_PTRACE, 310, 311, /* process_vm_readv, writev */
		sysPidfdSendSignal, sysPidfdOpen, sysPidfdGetfd,
		syscall.SYS_CHMOD, syscall.SYS_FCHMOD, syscall.SYS_FCHMODAT, sysFchmodat2, syscall.SYS_CHOWN, syscall.SYS_LCHOWN, syscall.SYS_FCHOWN, syscall.SYS_FCHOWNAT,
		syscall.SYS_UTIME, syscall.SYS_UTIMES, syscall.SYS_FUTIMESAT, syscall.SYS_UTIMENSAT,
		syscall.SYS_SETXATTR, syscall.SYS_LSETXATTR, syscall.SYS_FSETXATTR, syscall.SYS_REMOVEXATTR, syscall.SYS_LREMOVEXATTR, syscall.SYS_FREMOVEXATTR,
		syscall.SYS_MOUNT, syscall.SYS_UMOUNT2, syscall.SYS_UNSHARE, 308 /* setns */, syscall.SYS_ADD_KEY, syscall.SYS_REQUEST_KEY, syscall.SYS_KEYCTL,
		298 /* perf_event_open */, 304 /* open_by_handle_at */, 321 /* bpf */, 323, /* userfaultfd */
		syscall.SYS_SETPRIORITY, syscall.SYS_SHMGET, syscall.SYS_SETPGID, syscall.SYS_SETSID,
	},
}
