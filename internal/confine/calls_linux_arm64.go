package confine

import "syscall"

// Numbers of calls that package syscall lacks; see syscall(2).
const (
	sysGetcpu        = 168
	sysPrlimit64     = 261
	sysRenameat2     = 276
	sysGetrandom     = 278
	sysMembarrier    = 283
	sysCopyFileRange = 285
	sysPreadv2       = 286
	sysPwritev2      = 287
	sysStatx         = 291
	sysRseq          = 293
)

// processor is the table of system calls of this processor.
var processor = &callTable{
	arch:  0xc00000b7, // AUDIT_ARCH_AARCH64,
	clone: syscall.SYS_CLONE, prlimit: sysPrlimit64, fcntl: syscall.SYS_FCNTL, ioctl: syscall.SYS_IOCTL,
	mmap: syscall.SYS_MMAP, prctl: syscall.SYS_PRCTL,
	signals: []uint32{syscall.SYS_KILL, syscall.SYS_TGKILL},
	ignored: []uint32{syscall.SYS_FLOCK},
	absent:  []uint32{sysClone3, sysIOUringSetup, sysIOUringEnter, sysIOUringRegister},
	allowed: []uint32{
		syscall.SYS_READ, syscall.SYS_WRITE, syscall.SYS_CLOSE, syscall.SYS_FSTAT, syscall.SYS_LSEEK,
		syscall.SYS_MPROTECT, syscall.SYS_MUNMAP, syscall.SYS_BRK, syscall.SYS_RT_SIGACTION,
		syscall.SYS_RT_SIGPROCMASK, syscall.SYS_RT_SIGRETURN, syscall.SYS_PREAD64, syscall.SYS_PWRITE64,
		syscall.SYS_READV, syscall.SYS_WRITEV, syscall.SYS_SCHED_YIELD, syscall.SYS_MREMAP, syscall.SYS_MSYNC,
		syscall.SYS_MINCORE, syscall.SYS_MADVISE, syscall.SYS_DUP, syscall.SYS_NANOSLEEP, syscall.SYS_GETITIMER,
		syscall.SYS_SETITIMER, syscall.SYS_GETPID, syscall.SYS_SENDFILE, syscall.SYS_EXECVE, syscall.SYS_EXIT,
		syscall.SYS_WAIT4, syscall.SYS_UNAME, syscall.SYS_FSYNC, syscall.SYS_FDATASYNC, syscall.SYS_TRUNCATE,
		syscall.SYS_FTRUNCATE, syscall.SYS_GETCWD, syscall.SYS_CHDIR, syscall.SYS_FCHDIR, syscall.SYS_UMASK,
		syscall.SYS_GETTIMEOFDAY, syscall.SYS_GETRLIMIT, syscall.SYS_GETRUSAGE, syscall.SYS_SYSINFO,
		syscall.SYS_TIMES, syscall.SYS_GETUID, syscall.SYS_GETGID, syscall.SYS_GETEUID, syscall.SYS_GETEGID,
		syscall.SYS_GETPPID, syscall.SYS_GETGROUPS, syscall.SYS_GETRESUID, syscall.SYS_GETRESGID,
		syscall.SYS_GETPGID, syscall.SYS_GETSID, syscall.SYS_CAPGET, syscall.SYS_RT_SIGPENDING,
		syscall.SYS_RT_SIGTIMEDWAIT, syscall.SYS_RT_SIGSUSPEND, syscall.SYS_SIGALTSTACK, syscall.SYS_STATFS,
		syscall.SYS_FSTATFS, syscall.SYS_GETPRIORITY, syscall.SYS_SCHED_GETPARAM,
		syscall.SYS_SCHED_GETSCHEDULER, syscall.SYS_SCHED_GET_PRIORITY_MAX, syscall.SYS_SCHED_GET_PRIORITY_MIN,
		syscall.SYS_MLOCK, syscall.SYS_MUNLOCK, syscall.SYS_SETRLIMIT, syscall.SYS_GETTID,
		syscall.SYS_READAHEAD, syscall.SYS_FUTEX, syscall.SYS_SCHED_GETAFFINITY,
		syscall.SYS_GETDENTS64, syscall.SYS_SET_TID_ADDRESS, syscall.SYS_RESTART_SYSCALL, syscall.SYS_FADVISE64,
		syscall.SYS_TIMER_CREATE, syscall.SYS_TIMER_SETTIME, syscall.SYS_TIMER_GETTIME,
		syscall.SYS_TIMER_GETOVERRUN, syscall.SYS_TIMER_DELETE, syscall.SYS_CLOCK_GETTIME,
		syscall.SYS_CLOCK_GETRES, syscall.SYS_CLOCK_NANOSLEEP, syscall.SYS_EXIT_GROUP, syscall.SYS_EPOLL_CTL,
		syscall.SYS_WAITID, syscall.SYS_OPENAT,
		syscall.SYS_MKDIRAT, syscall.SYS_FSTATAT, syscall.SYS_UNLINKAT, syscall.SYS_RENAMEAT,
		syscall.SYS_LINKAT, syscall.SYS_SYMLINKAT, syscall.SYS_READLINKAT, syscall.SYS_FACCESSAT,
		syscall.SYS_PSELECT6, syscall.SYS_PPOLL, syscall.SYS_SET_ROBUST_LIST, syscall.SYS_GET_ROBUST_LIST,
		syscall.SYS_SPLICE, syscall.SYS_TEE, syscall.SYS_SYNC_FILE_RANGE, syscall.SYS_EPOLL_PWAIT,
		syscall.SYS_TIMERFD_CREATE, syscall.SYS_FALLOCATE, syscall.SYS_TIMERFD_SETTIME,
		syscall.SYS_TIMERFD_GETTIME, syscall.SYS_EVENTFD2, syscall.SYS_EPOLL_CREATE1, syscall.SYS_DUP3,
		syscall.SYS_PIPE2, syscall.SYS_PREADV, syscall.SYS_PWRITEV,
		sysGetrandom, sysCopyFileRange, sysPreadv2, sysPwritev2, sysStatx, sysMembarrier, sysRenameat2, sysGetcpu, sysRseq,
		sysCloseRange, sysOpenat2, sysFaccessat2, sysEpollPwait2, sysFutexWake, sysFutexWait, sysFutexRequeue,
	},
}

// callNames are the names of calls that programs are refused.
var callNames = map[int32]string{
	syscall.SYS_SOCKET:             "socket",
	syscall.SYS_SOCKETPAIR:         "socketpair",
	syscall.SYS_CONNECT:            "connect",
	syscall.SYS_BIND:               "bind",
	syscall.SYS_LISTEN:             "listen",
	syscall.SYS_ACCEPT:             "accept",
	syscall.SYS_SENDTO:             "sendto",
	syscall.SYS_SENDMSG:            "sendmsg",
	syscall.SYS_RECVFROM:           "recvfrom",
	syscall.SYS_CLONE:              "clone",
	syscall.SYS_KILL:               "kill",
	syscall.SYS_TGKILL:             "tgkill",
	syscall.SYS_PTRACE:             "ptrace",
	syscall.SYS_FCHMOD:             "fchmod",
	syscall.SYS_FCHMODAT:           "fchmodat",
	syscall.SYS_FCHOWN:             "fchown",
	syscall.SYS_FCHOWNAT:           "fchownat",
	syscall.SYS_UTIMENSAT:          "utimensat",
	syscall.SYS_SETXATTR:           "setxattr",
	syscall.SYS_LSETXATTR:          "lsetxattr",
	syscall.SYS_FSETXATTR:          "fsetxattr",
	syscall.SYS_REMOVEXATTR:        "removexattr",
	syscall.SYS_MOUNT:              "mount",
	syscall.SYS_UNSHARE:            "unshare",
	syscall.SYS_SHMGET:             "shmget",
	syscall.SYS_SHMAT:              "shmat",
	syscall.SYS_SEMGET:             "semget",
	syscall.SYS_MSGGET:             "msgget",
	syscall.SYS_MQ_OPEN:            "mq_open",
	syscall.SYS_SETPRIORITY:        "setpriority",
	syscall.SYS_SETPGID:            "setpgid",
	syscall.SYS_SETSID:             "setsid",
	syscall.SYS_SETUID:             "setuid",
	syscall.SYS_SETGID:             "setgid",
	syscall.SYS_CHROOT:             "chroot",
	syscall.SYS_SYSLOG:             "syslog",
	syscall.SYS_KEYCTL:             "keyctl",
	syscall.SYS_ADD_KEY:            "add_key",
	syscall.SYS_FCNTL:              "fcntl",
	syscall.SYS_IOCTL:              "ioctl",
	syscall.SYS_PRCTL:              "prctl",
	syscall.SYS_MMAP:               "mmap",
	syscall.SYS_SCHED_SETSCHEDULER: "sched_setscheduler",
	syscall.SYS_MKNODAT:            "mknodat",
	syscall.SYS_SETHOSTNAME:        "sethostname",
	syscall.SYS_SETTIMEOFDAY:       "settimeofday",
	syscall.SYS_CLOCK_SETTIME:      "clock_settime",
	syscall.SYS_REBOOT:             "reboot",
	279:                            "memfd_create",
	281:                            "execveat",
	261:                            "prlimit64",
	270:                            "process_vm_readv",
	241:                            "perf_event_open",
	280:                            "bpf",
	282:                            "userfaultfd",
	277:                            "seccomp",
	264:                            "name_to_handle_at",
	265:                            "open_by_handle_at",
	268:                            "setns",
	434:                            "pidfd_open",
	424:                            "pidfd_send_signal",
	284:                            "mlock2",
	288:                            "pkey_mprotect",
	269:                            "sendmmsg",
}
