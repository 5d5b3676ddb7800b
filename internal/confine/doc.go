// Package confine runs a program so that it can do no harm: it writes below one directory only, reads the directories
// that it is given and files of the system, has no network, starts no processes and signals no others, sees nothing of the
// user's environment, and uses a bounded amount of memory and disk. No privileges are needed for that.
//
// The running executable starts itself again, as Command arranges; Init, first in main, gives up
// what the rules forbid and then becomes the program (execve). The restrictions are inherited and
// cannot be lifted:
//
//	calls      seccomp: those that Go's runtime and standard library need, by a list; others are refused
//	           (seccomp_linux.go, calls_linux_*.go)
//	files      Landlock: changes below the directory only, reading by a list (confine_linux.go); no calls that
//	           change owner, mode, times and attributes, or lock; inherited files are closed
//	network    no sockets
//	processes  no fork and no clone, but for threads; signals to itself only; it is killed when its parent ends
//	memory     RLIMIT_DATA; RLIMIT_FSIZE bounds each file that is written
//	environ    the command gets a new environment
//
// docs/security.md says what that promises. Systems other than Linux, processors other than amd64 and arm64,
// and kernels without Landlock are not supported: Unsupported says why, and Command refuses unless
// the rules leave the program unconfined.
package confine
